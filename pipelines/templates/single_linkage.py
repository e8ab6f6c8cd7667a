"""Single linkage: clusters whose distance is that of their nearest pages, merged until one is left.

The merges are the edges of a minimum spanning tree, by weight. A cut at k clusters undoes the last k - 1 merges; a cut
at a threshold t keeps those of pages at distances below t, and its clusters are the connected components
of {d < t}. *Source: Gottron 2008, section 7.1.2 and, for gaps in the distances, 7.1.3; the tree is made as by Prim
1957.*

Shapes: a tree is int64[n - 1, 2] and float64[n - 1], by weight. Clusters are int64[n], numbered from 0 by their first
page. Cost: n (n - 1) / 2 distances, each used once, so that no matrix is kept; memory O(n). Invariant: the weights are
the heights of scipy's dendrogram.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from pipelines.templates.distances import Rows

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]


class SpanningTree(NamedTuple):
    """The edges of a minimum spanning tree of n pages, the lightest first."""

    edges: I64
    weights: F64


def spanning_tree(rows: Rows) -> SpanningTree:
    """Return a minimum spanning tree of the pages in *rows*."""
    n = len(rows)
    edges, weights = np.empty((max(n - 1, 0), 2), np.int64), np.empty(max(n - 1, 0))
    nearest, weight = np.zeros(n, np.int64), np.full(n, np.inf)
    left, last = np.arange(1, n), 0
    for edge in range(n - 1):
        found = rows.row(last, left)
        is_nearer = found < weight[left]
        nearer = left[is_nearer]
        weight[nearer], nearest[nearer] = found[is_nearer], last
        last = int(left[np.argmin(weight[left])])
        left = left[left != last]
        edges[edge], weights[edge] = (nearest[last], last), weight[last]
    order = np.argsort(weights, kind="stable")
    return SpanningTree(edges[order], weights[order])


def cut_at_threshold(tree: SpanningTree, threshold: float) -> I64:
    """Return the clusters of pages that are linked at distances below *threshold*."""
    return _clusters(tree, int(np.searchsorted(tree.weights, threshold, side="left")))


def cut_at_clusters(tree: SpanningTree, n_clusters: int) -> I64:
    """Return *n_clusters* clusters, or one a page where there are fewer pages.

    Raises ValueError below 1.
    """
    if n_clusters < 1:
        raise ValueError(f"n_clusters must be at least 1, got {n_clusters}")
    return _clusters(tree, max(len(tree.weights) + 1 - n_clusters, 0))


def gap_threshold(tree: SpanningTree, *, upper: float = 0.5) -> float | None:
    """Return the middle of the widest gap between the weights of *tree*, None where all are the same.

    Gaps count that lie above the weight which the share *upper*, 0 to 1, of the edges does not exceed: those
    below are within templates. Of gaps of one width the lowest is taken, as the published one of CP was,
    0.7; that at 0.9 merged three templates.
    """
    weights = tree.weights
    first = max(ceil(upper * len(weights)) - 1, 0)
    gaps = np.diff(weights[first:])
    if not len(gaps) or gaps.max() <= 0:
        return None
    place = first + int(np.argmax(gaps))
    return float((weights[place] + weights[place + 1]) / 2)


def _clusters(tree: SpanningTree, n_merges: int) -> I64:
    """Return the clusters after the first *n_merges* of *tree*."""
    above = np.arange(len(tree.weights) + 1)
    for a, b in tree.edges[:n_merges].tolist():
        roots = _root(above, a), _root(above, b)
        above[max(roots)] = min(roots)
    roots_of = [_root(above, place) for place in range(len(above))]
    return np.unique(roots_of, return_inverse=True)[1].astype(np.int64)


def _root(above: I64, place: int) -> int:
    while above[place] != place:
        above[place] = above[above[place]]
        place = int(above[place])
    return place
