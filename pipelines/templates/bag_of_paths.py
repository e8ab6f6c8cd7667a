"""The bag-of-paths similarity of Joshi, Agrawal, Krishnapuram and Negi, as a distance.

With f_j(p) how often page j has the path p from the root to a leaf, and f_max the largest of these of all pages::

    Sim(D_j, D_l) = sum_p min(f_j(p), f_l(p)) / f_max  /  sum_p max(f_j(p), f_l(p)) / f_max,    d = 1 - Sim

f_max cancels out. Paths that too few or too many of the pages have may be left out first; the published limits are not
known, by default all count. Two pages without paths have distance 0. *Source: Gottron 2008, section 3.5.2.*

Shapes: counts as a sparse matrix of n pages; a row float64[n]. Cost: a row takes time in proportion to all counts.
Invariant: in [0, 1], symmetric.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from pipelines.templates.documents import Document

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]
    U64 = npt.NDArray[np.uint64]


class PathCounts(NamedTuple):
    """The paths of a page, ascending, and how often each is there."""

    paths: U64
    counts: I64


def path_counts(document: Document) -> PathCounts:
    """Return the bag of paths of *document*."""
    return PathCounts(document.paths, document.path_counts)


class BagOfPathsRows:
    """The bags of paths of pages; paths of less than *least* or more than *most* of them, shares, are left out."""

    def __init__(
        self, pages: Sequence[PathCounts], *, least: float = 0.0, most: float = 1.0
    ) -> None:
        self._n = len(pages)
        paths = np.concatenate([np.zeros(0, np.uint64), *(page.paths for page in pages)])
        counts = np.concatenate([np.zeros(0, np.int64), *(page.counts for page in pages)])
        owner = np.repeat(np.arange(len(pages)), [len(page.paths) for page in pages])
        _, kind, n_pages = np.unique(paths, return_inverse=True, return_counts=True)
        share = n_pages[kind] / max(len(pages), 1)
        kept = (share >= least) & (share <= most)
        self._owner, self._kind, self._counts = owner[kept], kind[kept], counts[kept]
        self._n_kinds = len(n_pages)
        self._total = np.bincount(self._owner, self._counts, self._n)

    def __len__(self) -> int:
        return self._n

    def row(self, place: int, others: I64 | None = None) -> F64:
        """Return the distances of the page at *place* to *others*, by default all, float64[m]."""
        mine = np.zeros(self._n_kinds, np.int64)
        own = self._owner == place
        mine[self._kind[own]] = self._counts[own]
        least = np.bincount(self._owner, np.minimum(self._counts, mine[self._kind]), self._n)
        # min and max of two counts are their sum
        most = self._total + self._total[place] - least
        found: F64 = 1 - np.where(most > 0, least / np.maximum(most, 1), 1.0)
        return found if others is None else found[others]
