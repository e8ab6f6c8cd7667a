"""Distances of two pages by what their sets of structures have in common.

With A and B the two pages' sets::

    d(A, B) = 1 - |A & B| / max(|A|, |B|)

of the paths (CP), of path shingles of four elements (CPS), or of tag shingles of eight tags (CTSS). Two empty sets
have distance 0. It is not Jaccard's: two sets of s elements with c in common have 1 - c/s here and
1 - c/(2s - c) there. *Source: Gottron 2008, section 7.1.1; the thresholds are those of section 7.1.3, table 7.5, which
were the gaps in the histograms of 500 pages of five sites.*

Shapes: a set is uint64[n], ascending, without repetition; results are in [0, 1]. Cost: O(|A| + |B|), no
memory. Invariant: symmetric, 0 for a set with itself, 1 where nothing is in common; d <= t only if
min(|A|, |B|) >= (1 - t) max(|A|, |B|). A distance of 0 does not say that two pages are the same.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from crawler.kernels.jit import lean_kernel

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from pipelines.templates.documents import Document

    U64 = npt.NDArray[np.uint64]


class SetFeature(NamedTuple):
    """A set of a document by the name of its field, and the published threshold of its distance."""

    field: str
    threshold: float

    def of(self, document: Document) -> U64:
        """Return the set of *document*."""
        found: U64 = getattr(document, self.field)
        return found


SET_FEATURES = {
    "cp": SetFeature("paths", 0.70),
    "cps": SetFeature("path_shingles", 0.60),
    "ctss": SetFeature("tag_shingles", 0.85),
}


@lean_kernel
def n_common(a: U64, b: U64) -> int:
    """Return how many numbers are in both of two ascending arrays without repetition."""
    n = i = j = 0
    while i < len(a) and j < len(b):
        first, second = a[i], b[j]
        n += first == second
        i += first <= second
        j += second <= first
    return n


def set_distance(a: U64, b: U64) -> float:
    """Return the distance of the sets *a* and *b*.

    >>> import numpy as np
    >>> set_distance(np.array([1, 2, 3, 4], np.uint64), np.array([2, 3, 9], np.uint64))
    0.5
    """
    largest = max(len(a), len(b))
    return 1 - n_common(a, b) / largest if largest else 0.0


def component(sets: Sequence[U64], seed: int, threshold: float) -> list[int]:
    """Return the places of the *sets* that *seed* is linked with, it among them, ascending.

    Two sets are linked at a distance below *threshold*, 0 to 1, or over others that are: the cluster of the seed
    that single linkage makes at this threshold, without any distance between two sets outside of it.
    Cost: O(n) distances for each member.
    """
    members = {seed}
    left = [place for place in range(len(sets)) if place != seed]
    waiting = deque([seed])
    while waiting and left:
        near = sets[waiting.popleft()]
        found = {place for place in left if set_distance(near, sets[place]) < threshold}
        left = [place for place in left if place not in found]
        members |= found
        waiting += sorted(found)
    return sorted(members)


def template_component(
    documents: Sequence[Document],
    seed: int,
    *,
    distance: str = "cp",
    threshold: float | None = None,
) -> list[int]:
    """Return the places of the *documents* that have the template of the one at *seed*, ascending.

    *distance*: one of `SET_FEATURES`, with its published threshold unless *threshold* is given.
    Raises ValueError for another distance.
    """
    if distance not in SET_FEATURES:
        raise ValueError(f"distance must be one of {', '.join(SET_FEATURES)}, got {distance!r}")
    feature = SET_FEATURES[distance]
    sets = [feature.of(document) for document in documents]
    return component(sets, seed, feature.threshold if threshold is None else threshold)
