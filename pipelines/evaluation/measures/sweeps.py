"""Sweeps: the scores of a rule over all thresholds of one feature, or of two.

A node (or block) is kept when its value is at least the threshold, with ``keep="at most"`` (link density)
when it is not above. Its weight is its characters or words. One pass sorts the values, so a sweep over t thresholds
costs O(n log n + t), one over two features O(s n log n) for s thresholds of the first.
*Source: Pomikálek 2011, section 2.9.3, Figures 2.6 and 2.7, Table 2.3.*
Shapes: values, weights float64[n]; is_good bool[n]; curves float64[t]. P is 0 where nothing is kept.
Invariant: each point is what `text_nodes` gives for that rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

Keep = Literal["at least", "at most"]


class Curve(NamedTuple):
    """Precision and recall at each threshold."""

    thresholds: Floats
    precision: Floats
    recall: Floats

    def f_beta(self, beta: float = 1.0) -> Floats:
        """Return F-beta at each threshold, 0 where it is 0/0."""
        divisor = beta * beta * self.precision + self.recall
        product = (1 + beta * beta) * self.precision * self.recall
        return np.divide(product, divisor, out=np.zeros_like(product), where=divisor > 0)

    def best(self, beta: float = 1.0) -> tuple[float, float]:
        """Return the first threshold with the highest F-beta, and that; ValueError without any."""
        scores = self.f_beta(beta)
        if not len(scores):
            raise ValueError("thresholds must not be empty")
        place = int(scores.argmax())
        return float(self.thresholds[place]), float(scores[place])


class Surface(NamedTuple):
    """A curve over the thresholds of the second feature for each threshold of the first."""

    thresholds: Floats
    curves: list[Curve]

    def best(self, beta: float = 1.0) -> tuple[float, float, float]:
        """Return the first pair of thresholds with the highest F-beta, and that."""
        points = [curve.best(beta) for curve in self.curves]
        place = max(range(len(points)), key=lambda k: points[k][1])
        return float(self.thresholds[place]), *points[place]


def sweep(
    values: npt.ArrayLike,
    is_good: npt.ArrayLike,
    weights: npt.ArrayLike,
    thresholds: npt.ArrayLike,
    *,
    keep: Keep = "at least",
) -> Curve:
    """Return precision and recall of the rule at each of the thresholds."""
    data, good, weight, cuts = _columns(values, is_good, weights, thresholds)
    return _curve(data, good, weight, cuts, keep)


def sweep_both(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    is_good: npt.ArrayLike,
    weights: npt.ArrayLike,
    grid: tuple[npt.ArrayLike, npt.ArrayLike],
) -> Surface:
    """Return the curves of keeping what is at least both thresholds, of the *grid* of the two."""
    ours, good, weight, cuts = _columns(first, is_good, weights, grid[0])
    theirs, _, _, others = _columns(second, is_good, weights, grid[1])
    total_good = float(weight[good].sum())
    curves = []
    for cut in cuts.tolist():
        chosen = ours >= cut
        curve = _curve(theirs[chosen], good[chosen], weight[chosen], others, "at least")
        share = float(weight[chosen & good].sum()) / total_good if total_good else 1.0
        curves.append(curve._replace(recall=curve.recall * share))
    return Surface(cuts, curves)


def _columns(
    values: npt.ArrayLike, is_good: npt.ArrayLike, weights: npt.ArrayLike, thresholds: npt.ArrayLike
) -> tuple[Floats, npt.NDArray[np.bool_], Floats, Floats]:
    data, good = np.asarray(values, dtype=np.float64), np.asarray(is_good, dtype=np.bool_)
    weight, cuts = np.asarray(weights, dtype=np.float64), np.asarray(thresholds, dtype=np.float64)
    if not data.shape == good.shape == weight.shape or data.ndim != 1 or cuts.ndim != 1:
        raise ValueError(
            f"values, is_good and weights must be of one length, got {data.shape}, {good.shape} "
            f"and {weight.shape}"
        )
    return data, good, weight, cuts


def _curve(
    data: Floats, good: npt.NDArray[np.bool_], weight: Floats, cuts: Floats, keep: Keep
) -> Curve:
    order = np.argsort(data, kind="stable")
    below = np.concatenate([[0.0], np.cumsum(weight[order])])
    good_below = np.concatenate([[0.0], np.cumsum((weight * good)[order])])
    # A value at the threshold is kept by both rules.
    at = np.searchsorted(data[order], cuts, side="left" if keep == "at least" else "right")
    kept, right = below[at], good_below[at]
    if keep == "at least":
        kept, right = below[-1] - kept, good_below[-1] - right
    precision = np.divide(right, kept, out=np.zeros_like(kept), where=kept > 0)
    recall = right / good_below[-1] if good_below[-1] else np.ones_like(right)
    return Curve(cuts, precision, recall)
