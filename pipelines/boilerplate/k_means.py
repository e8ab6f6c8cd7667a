"""Exact k-means of numbers on a line: the partition with the least squared deviation.

Clusters of the best partition are runs of the sorted numbers; by dynamic programming over prefixes the
cost of j numbers in c clusters is::

    best[c](j) = min over i < j of best[c - 1](i) + deviation of the numbers i to j - 1

The i that is best never falls as j grows, so that a layer takes O(n log n): the middle j is looked for
first and bounds the others. *Source: Grønlund et al. 2017 (arXiv:1701.07204), section 2; the
clustering is that of Debnath, Mitra, Giles 2005 (Gottron 2008, section 3.2.5), who give k = 3
alone.* Shapes: n distinct numbers. Cost: O(k n log n). Nothing is drawn at random.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel, part

if TYPE_CHECKING:
    import numpy.typing as npt

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]

# Pending ranges of a halving of fewer than 2**63 places: one a level, and one more.
_STACK = 66


def highest_cluster(values: F64, k: int) -> float:
    """Return the least of *values* in the cluster of the highest mean, of *k* at least 1.

    Fewer distinct values than *k* are as many clusters. The larger one of two clusters that are as
    good. Raises ValueError when there are no values.

    >>> highest_cluster(np.array([0.5, 0.52, 0.8, 0.97, 1.0]), 3)
    0.97
    """
    distinct, weights = np.unique(values, return_counts=True)
    n = len(distinct)
    if not n:
        raise ValueError("values must not be empty")
    if n <= k:
        return float(distinct[-1])
    # Around the mean, so that the squares do not swallow the differences.
    centred = distinct - np.average(distinct, weights=weights)
    terms = np.stack((weights, weights * centred, weights * centred**2))
    sums: F64 = np.zeros((3, n + 1))
    sums[:, 1:] = np.cumsum(terms, axis=1)
    best = np.full(n + 1, np.inf)
    best[0] = 0.0
    for _ in range(k - 1):
        before, best = best, np.full(n + 1, np.inf)
        _add_cluster(sums, before, best, np.empty((_STACK, 4), np.int64))
    last = [best[i] + _deviation(sums, i, n) for i in range(n)]
    return float(distinct[int(np.argmin(last))])


@lean_kernel
def _add_cluster(sums: F64, before: F64, best: F64, stack: I64) -> None:
    """Write the least cost of each prefix with one cluster more than in *before*."""
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = 1, len(best) - 1, 0, len(best) - 2
    size = 1
    while size:
        size -= 1
        low, high, first, last = stack[size, 0], stack[size, 1], stack[size, 2], stack[size, 3]
        middle = (low + high) // 2
        found = first
        for i in range(first, min(last, middle - 1) + 1):
            cost = before[i] + _cost(sums, i, middle)
            if cost < best[middle]:
                best[middle], found = cost, i
        # The wider half goes down first, so that the stack stays short.
        if middle < high:
            size = _push(stack, size, middle + 1, high, found, last)
        if low < middle:
            size = _push(stack, size, low, middle - 1, first, found)


@part
def _push(stack: I64, size: int, low: int, high: int, first: int, last: int) -> int:
    stack[size, 0], stack[size, 1], stack[size, 2], stack[size, 3] = low, high, first, last
    return size + 1


@part
def _cost(sums: F64, start: int, end: int) -> float:
    weight = sums[0, end] - sums[0, start]
    total = sums[1, end] - sums[1, start]
    return float(sums[2, end] - sums[2, start] - total * total / weight)


def _deviation(sums: F64, start: int, end: int) -> float:
    weight, total, squares = sums[:, end] - sums[:, start]
    return float(squares - total * total / weight)
