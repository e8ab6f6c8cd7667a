"""Which copy of a cluster is kept: the best by a rule, of equals the one of the shortest URL, of these the smallest.

The shorter of two is rather the one that people know a page by: the other has a session, a page of comments, or the
name of a script.

Clusters are the connected components of pairs, so neither they nor what is kept of them depends on the
order of pages or pairs, or on how often a pair is given.

Shapes: ``component: int64[n]`` names the cluster of each page, ``goodness: float64[n]`` how good it
is, ``kept: int64[n]`` the page that is kept of its cluster, itself for one that is alone. Time: a sort
of the pages of clusters. Invariant: a kept page keeps itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]


def kept_pages(component: I64, goodness: F64, members: I64, url: Callable[[int], str]) -> I64:
    """Return the page that is kept for each page; *members* are those of clusters, in any order.

    *url* is asked for the pages that share the first place of their cluster.

    >>> urls = ["/?b", "/b", "/c", "/d"]
    >>> component, goodness = np.array([0, 0, 2, 0]), np.array([5.0, 5.0, 9.0, 1.0])
    >>> kept_pages(component, goodness, np.array([0, 1, 3]), urls.__getitem__).tolist()
    [1, 1, 2, 1]
    """
    kept = np.arange(len(component), dtype=np.int64)
    if not len(members):
        return kept
    order = members[np.lexsort((-goodness[members], component[members]))]
    of = component[order]
    starts = np.flatnonzero(np.concatenate(([True], of[1:] != of[:-1])))
    ends = np.append(starts[1:], len(order))
    best = order[starts]
    is_best = goodness[order] == np.repeat(goodness[best], ends - starts)
    n_best = np.add.reduceat(is_best.astype(np.int64), starts)
    for cluster in np.flatnonzero(n_best > 1).tolist():
        start = starts[cluster]
        best[cluster] = min(
            order[start : start + n_best[cluster]].tolist(),
            key=lambda page: (len(name := url(page)), name),
        )
    kept[order] = np.repeat(best, ends - starts)
    return kept
