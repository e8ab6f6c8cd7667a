"""Non-metric multidimensional scaling: points whose distances are in the order of those of pages.

With d_ij the distances of n points, D_ij those of the pages, and e_ij the numbers nearest to d_ij that do not fall
where D_ij rises (isotonic regression; pairs of one D may have any order: Kruskal's primary approach)::

    stress = sqrt( sum (d_ij - e_ij)² / sum d_ij² )

The points begin where classical scaling puts them, which is principal component analysis of a matrix of distances,
and move by the transform of Guttman (de Leeuw 1977, SMACOF) towards e, at the scale of D. *Source: Gottron 2008,
section 7.1.2; Kruskal 1964.*

Shapes: distances float64[n, n]; points float64[n, dimensions]. Cost: O(n²) a step, and O(n² log n) to sort the pairs of
a step; memory some 100 n² bytes. Invariant: the stress does not depend on the scale of the distances. It ends when a
step gains less than `GAIN`, or after `MAX_STEPS`, and says which.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.optimize import isotonic_regression

if TYPE_CHECKING:
    import numpy.typing as npt

    F64 = npt.NDArray[np.float64]

GAIN = 1e-6
MAX_STEPS = 500


class Scaling(NamedTuple):
    """The points, their stress, and whether it had stopped falling."""

    points: F64
    stress: float
    is_settled: bool


def classical_scaling(distances: F64, n_dimensions: int = 2) -> F64:
    """Return the points of the largest eigenvalues of the doubly centred squares of *distances*.

    Negative eigenvalues count as 0. The largest coordinate of each axis is positive.
    """
    squares = distances**2
    means = squares.mean(axis=0)
    centred = -0.5 * (squares - means - means[:, None] + squares.mean())
    values, vectors = np.linalg.eigh(centred)
    order = np.argsort(-values, kind="stable")[:n_dimensions]
    points = vectors[:, order] * np.sqrt(np.maximum(values[order], 0))
    peaks = points[np.argmax(np.abs(points), axis=0), np.arange(points.shape[1])]
    signed: F64 = points * np.where(peaks < 0, -1.0, 1.0)
    return signed


def nonmetric_mds(distances: F64, n_dimensions: int = 2) -> Scaling:
    """Return points of *n_dimensions* for symmetric *distances*, of 2 pages or more; ValueError for fewer."""
    n = len(distances)
    if n < 2:
        raise ValueError(f"distances must be of 2 pages or more, got {n}")
    points = np.zeros((n, n_dimensions))
    start = classical_scaling(distances, n_dimensions)
    points[:, : start.shape[1]] = start
    above = np.triu_indices(n, 1)
    dissimilarities = distances[above]
    stress, disparities = _stress(points, above, dissimilarities)
    for _ in range(MAX_STEPS):
        moved = _guttman(points, above, disparities)
        found, disparities_there = _stress(moved, above, dissimilarities)
        if found > stress - GAIN:
            return Scaling(
                *((moved, found) if found < stress else (points, stress)), is_settled=True
            )
        points, stress, disparities = moved, found, disparities_there
    return Scaling(points, stress, is_settled=False)


def _lengths(points: F64, above: tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]) -> F64:
    difference = points[above[0]] - points[above[1]]
    lengths: F64 = np.sqrt((difference**2).sum(axis=1))
    return lengths


def _stress(
    points: F64, above: tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]], dissimilarities: F64
) -> tuple[float, F64]:
    """Return the stress of *points*, and the disparities e of all pairs, at the scale of *dissimilarities*."""
    lengths = _lengths(points, above)
    # Of pairs with one dissimilarity the shorter comes first.
    order = np.lexsort((lengths, dissimilarities))
    disparities = np.empty_like(lengths)
    disparities[order] = isotonic_regression(lengths[order]).x
    total = float((lengths**2).sum())
    if total == 0:
        return 0.0, disparities
    stress = float(np.sqrt(((lengths - disparities) ** 2).sum() / total))
    # Points whose scale is free shrink with each step.
    scale = float((dissimilarities**2).sum() / (disparities**2).sum())
    return stress, disparities * np.sqrt(scale)


def _guttman(
    points: F64, above: tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]], disparities: F64
) -> F64:
    """Return where the transform of Guttman moves *points*."""
    n = len(points)
    lengths = _lengths(points, above)
    ratios = np.zeros((n, n))
    ratios[above] = np.where(lengths > 0, disparities / np.where(lengths > 0, lengths, 1.0), 0.0)
    ratios += ratios.T
    moved: F64 = (points * ratios.sum(axis=1, keepdims=True) - ratios @ points) / n
    return moved
