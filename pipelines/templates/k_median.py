"""K-median clustering: each page is with the nearest of k median pages.

Pages begin in clusters at random; of each cluster the page with the least sum of distances to the others is its
median, each page goes to the cluster of its nearest median, and so on until none moves. *Source: Gottron 2008,
section 7.1.2; 100 random starts, whose measures are averaged, section 7.1.3.* Where the thesis is silent:

- a cluster that loses all its pages is given up, so that there may be fewer than k;
- of two medians that are equally near, and of two pages that could be the median, the first is taken;
- of several starts the one with the least sum of distances to medians is the clustering (`k_median`); the average of
  measures over starts, as published, is for whoever asks for them all (`k_median_runs`).

Shapes: distances float64[n, n]; clusters int64[n], numbered from 0. Cost: O(n²) for each step of a start. Invariant: no
page is nearer to the median of another cluster than to its own. It forms no clusters that a median cannot: rings,
chains.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]

STARTS = 100
# Steps end by themselves, as the sum of distances falls with each; ties could go on for ever.
_MAX_STEPS = 1000


class Medians(NamedTuple):
    """The cluster of each page, the median page of each cluster, and the sum of distances to medians."""

    clusters: I64
    medians: I64
    cost: float


def k_median(distances: F64, k: int, *, n_starts: int = STARTS, seed: int = 0) -> Medians:
    """Return the best of *n_starts* clusterings into at most *k* clusters."""
    return min(k_median_runs(distances, k, n_starts=n_starts, seed=seed), key=lambda run: run.cost)


def k_median_runs(
    distances: F64, k: int, *, n_starts: int = STARTS, seed: int = 0
) -> Iterator[Medians]:
    """Yield the clustering of each of *n_starts* random starts.

    Raises ValueError when *k* is not from 1 to the number of pages.
    """
    n = len(distances)
    if not 1 <= k <= n:
        raise ValueError(f"k must be from 1 to {n}, got {k}")
    random = np.random.default_rng(seed)
    for _ in range(n_starts):
        yield _settled(distances, random.integers(0, k, n))


def _settled(distances: F64, clusters: I64) -> Medians:
    """Return what the steps from *clusters* end at."""
    medians = np.zeros(0, np.int64)
    for _ in range(_MAX_STEPS):
        found = np.array([_median(distances, clusters == each) for each in np.unique(clusters)])
        if np.array_equal(found, medians):
            break
        medians = found
        clusters = np.argmin(distances[:, medians], axis=1)
    return Medians(
        clusters, medians, float(distances[np.arange(len(clusters)), medians[clusters]].sum())
    )


def _median(distances: F64, is_in: npt.NDArray[np.bool_]) -> int:
    members = np.flatnonzero(is_in)
    return int(members[np.argmin(distances[np.ix_(members, members)].sum(axis=1))])
