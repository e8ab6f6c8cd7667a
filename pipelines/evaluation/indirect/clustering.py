"""k-means of sparse rows, and how well its clusters are the categories.

Centres are drawn as by k-means++: the first at random, each other one with a chance that grows with the squared
distance to the nearest so far. Then rows go to the nearest centre, and centres to the mean of their rows, as long as
the sum of squared distances falls. A cluster that loses all rows keeps its centre. Of several starts the one with the
least sum counts.

With n(k, c) the texts of category c in cluster k, the F1 of a clustering is that of the best cluster of each category::

    F1 = sum over c of n(c) / n  max over k of 2 n(k, c) / (n(k) + n(c))

*Source: Gottron 2008, sections 3.3.4 and 3.4.3 (Yi, Liu, Li 2003: F1 of k-means; how is not told); Larsen and Aone 1999
for the formula; Arthur and Vassilvitskii 2007 for the starts.* Shapes: rows float64[n, words], labels int64[n], 0 to k
- 1. Cost: O(k times words of all texts) a round; memory k centres of all words.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    import numpy.typing as npt

    I64 = npt.NDArray[np.int64]
    F64 = npt.NDArray[np.float64]

# Of a sum that no longer falls but by rounding.
_ROUNDING = 1e-12


def k_means(rows: sparse.csr_array, k: int, *, n_starts: int = 10, seed: int = 0) -> I64:
    """Return the cluster of each of *rows*.

    Raises ValueError for *k* below 1 or above the number of rows, and for no start.
    """
    if not 1 <= k <= rows.shape[0]:
        raise ValueError(f"k must be 1 to {rows.shape[0]}, the rows, got {k}")
    if n_starts < 1:
        raise ValueError(f"n_starts must be at least 1, got {n_starts}")
    rng = np.random.default_rng(seed)
    squares: F64 = np.asarray((rows * rows).sum(axis=1))
    best, least = np.zeros(rows.shape[0], np.int64), inf
    for _ in range(n_starts):
        label, total = _from(_drawn(rows, squares, k, rng), rows, squares)
        if total < least:
            best, least = label, total
    return best


def _drawn(rows: sparse.csr_array, squares: F64, k: int, rng: np.random.Generator) -> F64:
    n = rows.shape[0]
    chosen = [int(rng.integers(n))]
    nearest = np.full(n, inf)
    while len(chosen) < k:
        centre = rows[[chosen[-1]]].toarray()
        nearest = np.minimum(nearest, _distances(rows, squares, centre)[:, 0])
        total = nearest.sum()
        # Rows that are all alike are as good as any other.
        chosen.append(int(rng.choice(n, p=nearest / total) if total > 0 else rng.integers(n)))
    return np.asarray(rows[chosen].toarray())


def _from(centres: F64, rows: sparse.csr_array, squares: F64) -> tuple[I64, float]:
    """Return the clusters that *centres* lead to, and the sum of the squared distances."""
    n, k = rows.shape[0], len(centres)
    label, total = np.zeros(n, np.int64), inf
    while True:
        distances = _distances(rows, squares, centres)
        nearest = distances.argmin(axis=1)
        now = float(distances[np.arange(n), nearest].sum())
        if now >= total - _ROUNDING:
            return label, total
        label, total = nearest.astype(np.int64), now
        sizes = np.bincount(label, minlength=k)
        is_in = sparse.csr_array((np.ones(n), (label, np.arange(n))), (k, n))
        means = (is_in @ rows).toarray() / np.maximum(sizes, 1)[:, None]
        centres = np.where((sizes > 0)[:, None], means, centres)


def _distances(rows: sparse.csr_array, squares: F64, centres: F64) -> F64:
    """Return the squared distance of each row to each centre, float64[n, k]."""
    between = squares[:, None] + (centres**2).sum(axis=1) - 2 * (rows @ centres.T)
    return np.asarray(np.maximum(between, 0.0), np.float64)


def clusters_f1(clusters: I64, label: I64) -> float:
    """Return the F1 of *clusters* against the categories *label*; 1 without texts.

    >>> clusters_f1(np.array([1, 1, 0, 0]), np.array([0, 0, 1, 1]))
    1.0
    """
    if not len(label):
        return 1.0
    table = np.zeros((int(clusters.max()) + 1, int(label.max()) + 1))
    np.add.at(table, (clusters, label), 1)
    in_cluster, in_category = table.sum(axis=1, keepdims=True), table.sum(axis=0)
    scores = 2 * table / np.maximum(in_cluster + in_category, 1)
    return float((scores.max(axis=0) * in_category).sum() / len(label))
