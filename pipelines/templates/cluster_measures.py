"""How well clusters are those of a ground truth, and how well a distance keeps templates apart.

With n_l^h the pages of template h in cluster l, a_l those of the cluster, b_h those of the template, n all pages, k
clusters and g templates::

    Dunn    = least distance of pages of different templates / largest one of pages of the same template
    Rand    = (n² - sum a_l² - sum b_h² + 2 sum (n_l^h)²) / n²
    purity  = mean over clusters of max_h n_l^h / a_l
    MI      = 1/n sum n_l^h log_gk (n_l^h n / (a_l b_h))

*Source: Gottron 2008, section 7.1.3.* As its tables were worked out: Rand's pairs are ordered, and a page with itself
is one (table 7.4 has .9200 where unordered pairs give .9198); purity is not weighted by size; the printed values of MI
are those of the printed formula divided by ln(g k) once more (a perfect clustering of 5 templates: .1553, where the
formula gives .5). `mutual_information` is the formula, `published_mutual_information` the tables'.

Shapes: clusters and templates int64[n], any numbers. Cost: O(n + k g); Dunn O(n²). Of no page at all: 1, but 0 for MI.
Invariant: none depends on how clusters are numbered.
"""

from __future__ import annotations

from math import inf, log
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]


def contingency(clusters: I64, templates: I64) -> I64:
    """Return how many pages of each template each cluster has, int64[k, g]."""
    row = np.unique(clusters, return_inverse=True)[1]
    column = np.unique(templates, return_inverse=True)[1]
    table = np.zeros((row.max(initial=-1) + 1, column.max(initial=-1) + 1), np.int64)
    np.add.at(table, (row, column), 1)
    return table


def dunn_index(distances: F64, templates: I64) -> float:
    """Return the Dunn index of *distances*, float64[n, n]; infinite where pages of a template are all the same."""
    is_same = templates[:, None] == templates[None, :]
    largest = distances[is_same].max(initial=0.0)
    least = distances[~is_same].min(initial=inf)
    return float(least / largest) if largest > 0 else inf


def rand_index(table: I64) -> float:
    """Return the Rand index of a contingency *table*, over ordered pairs, each page with itself too.

    >>> f"{rand_index(np.array([[100, 100, 100, 0, 0], [0, 0, 0, 100, 0], [0, 0, 0, 0, 100]])):.4f}"
    '0.7600'
    """
    n = int(table.sum())
    squares = sum(int((table.sum(axis=axis) ** 2).sum()) for axis in (0, 1))
    return (n * n - squares + 2 * int((table**2).sum())) / (n * n) if n else 1.0


def average_purity(table: I64) -> float:
    """Return the mean of the purity of the clusters of a contingency *table*."""
    return float((table.max(axis=1) / table.sum(axis=1)).mean()) if table.size else 1.0


def mutual_information(table: I64) -> float:
    """Return the mutual information of a contingency *table*, as printed; 0 for one cluster of one template."""
    n, (k, g) = int(table.sum()), table.shape
    if k * g <= 1:
        return 0.0
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / n
    some = table > 0
    return float((table[some] * np.log(table[some] / expected[some])).sum() / n / log(k * g))


def published_mutual_information(table: I64) -> float:
    """Return the mutual information of a contingency *table* as the thesis' tables have it."""
    k, g = table.shape
    return mutual_information(table) / log(k * g) if k * g > 1 else 0.0
