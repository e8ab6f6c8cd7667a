"""How well two segmentations of a page agree: Adjusted Rand index and normalised mutual information.

The label vectors of a document say for every token which segment it belongs to. With n_ij the number
of tokens in segment i of the one and j of the other, a_i and b_j their sums, n that of all, and
C(x) = x (x - 1) / 2::

    AdjRand = (sum C(n_ij) - E) / ((sum C(a_i) + sum C(b_j)) / 2 - E),  E = sum C(a_i) sum C(b_j) / C(n)
    I(X, Y) = KL(joint || product of the margins)
    NMI     = I(X, Y) / sqrt(H(X) H(Y))

*Source: Kohlschütter 2011, sections 2.3 and 4.2.4; Hubert and Arabie 1985; Strehl and Ghosh 2003.*
Where they are silent: AdjRand is 1 where it is 0/0; NMI with a label vector of one segment is 1 if
the other one has one segment too, else 0. Both as scikit-learn has them. Logarithms are natural.

Scores are taken document by document and averaged over documents; a document without tokens has none.
Shapes: labels are integers[n], of any values. Cost: O(n log n). Invariant: both are symmetric, and
neither depends on how segments are numbered; NMI is in 0..1, AdjRand at most 1.
"""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    IntArray = npt.NDArray[np.integer]


class Accuracy(NamedTuple):
    """The agreement of two segmentations; NaN without tokens."""

    adjusted_rand: float
    nmi: float


class _Overlap(NamedTuple):
    """The contingency table: tokens of each pair of segments that meet, and the table's sums."""

    counts: npt.NDArray[np.int64]
    rows: npt.NDArray[np.intp]
    columns: npt.NDArray[np.intp]
    row_sums: npt.NDArray[np.int64]
    column_sums: npt.NDArray[np.int64]


def _overlap(x: npt.ArrayLike, y: npt.ArrayLike) -> _Overlap:
    first, second = np.asarray(x), np.asarray(y)
    if first.shape != second.shape or first.ndim != 1:
        raise ValueError(f"labels must be of one length, got {first.shape} and {second.shape}")
    _, rows, row_sums = np.unique(first, return_inverse=True, return_counts=True)
    _, columns, column_sums = np.unique(second, return_inverse=True, return_counts=True)
    pairs, counts = np.unique(rows * len(column_sums) + columns, return_counts=True)
    meeting = np.divmod(pairs, max(len(column_sums), 1))
    return _Overlap(counts, *meeting, row_sums, column_sums)


def _n_pairs(counts: IntArray) -> int:
    """Return the number of pairs within groups of the given sizes."""
    return sum(n * (n - 1) // 2 for n in counts.tolist())


def _adjusted_rand(overlap: _Overlap) -> float:
    n_all = int(overlap.counts.sum())
    in_both = _n_pairs(overlap.counts)
    in_x, in_y = _n_pairs(overlap.row_sums), _n_pairs(overlap.column_sums)
    # Multiplied by 2 C(n): integers as long as they need be.
    n_pairs = n_all * (n_all - 1) // 2
    numerator = 2 * (in_both * n_pairs - in_x * in_y)
    denominator = (in_x + in_y) * n_pairs - 2 * in_x * in_y
    return numerator / denominator if denominator else 1.0


def _nmi(overlap: _Overlap) -> float:
    entropies = entropy(overlap.row_sums), entropy(overlap.column_sums)
    n_segments = len(overlap.row_sums), len(overlap.column_sums)
    if min(n_segments) <= 1:
        return float(max(n_segments) <= 1)
    return min(_mutual_information(overlap) / float(np.sqrt(entropies[0] * entropies[1])), 1.0)


def _mutual_information(overlap: _Overlap) -> float:
    n_all = overlap.counts.sum()
    expected = overlap.row_sums[overlap.rows] / n_all * overlap.column_sums[overlap.columns] / n_all
    joint = overlap.counts / n_all
    return max(float(joint @ np.log(joint / expected)), 0.0)


def adjusted_rand(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """Return the Adjusted Rand index of two label vectors; 1 for fewer than two tokens.

    >>> adjusted_rand([0, 0, 1, 1], [5, 5, 3, 3])
    1.0
    """
    return _adjusted_rand(_overlap(x, y))


def nmi(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """Return the normalised mutual information of two label vectors; 1 for fewer than two tokens.

    >>> round(nmi([0, 0, 1, 1], [0, 0, 1, 2]), 3)
    0.816
    """
    return _nmi(_overlap(x, y))


def mutual_information(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """Return the mutual information of two label vectors in nats; 0 without tokens."""
    overlap = _overlap(x, y)
    return _mutual_information(overlap) if len(overlap.counts) else 0.0


def entropy(counts: npt.ArrayLike) -> float:
    """Return the entropy in nats of a distribution that is given by *counts*, any positive sum."""
    weights = np.asarray(counts, dtype=np.float64)
    shares = weights[weights > 0] / weights.sum() if len(weights) else weights
    return float(-(shares @ np.log(shares)))


def kl_divergence(p: npt.ArrayLike, q: npt.ArrayLike) -> float:
    """Return KL(P || Q) in nats, infinite where Q is 0 and P is not.

    *p* and *q*: float[n], not negative, of positive sums, which are made 1. ValueError otherwise.
    """
    first, second = np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64)
    if first.shape != second.shape or first.ndim != 1:
        raise ValueError(f"p and q must be of one length, got {first.shape} and {second.shape}")
    for name, values in (("p", first), ("q", second)):
        if not (values >= 0).all() or not 0 < values.sum() < np.inf:
            raise ValueError(f"{name} must not be negative and must have a positive sum")
    present = first > 0
    shares, others = first[present] / first.sum(), second[present] / second.sum()
    if not others.all():
        return float("inf")
    return max(float(shares @ np.log(shares / others)), 0.0)


def accuracy(x: npt.ArrayLike, y: npt.ArrayLike) -> Accuracy:
    """Return how well the label vectors of one document agree."""
    overlap = _overlap(x, y)
    if not len(overlap.counts):
        return Accuracy(float("nan"), float("nan"))
    return Accuracy(_adjusted_rand(overlap), _nmi(overlap))


def mean_accuracy(scores: Iterable[Accuracy]) -> Accuracy:
    """Return the mean over documents; those without tokens are left out. NaN without any."""
    rows = [score for score in scores if not isnan(score.nmi)]
    if not rows:
        return Accuracy(float("nan"), float("nan"))
    return Accuracy(*(sum(column) / len(rows) for column in zip(*rows, strict=True)))
