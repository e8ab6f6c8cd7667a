"""Power-law fits of counts: discrete maximum likelihood, the tail chosen by Kolmogorov-Smirnov.

``p(x) = x^-alpha / zeta(alpha, xmin)`` for whole x from xmin on. For each xmin, alpha maximises the
likelihood of the values from there on; the xmin is taken whose fit has the smallest largest distance
between the two cumulative distributions.

*Source: Clauset, Shalizi and Newman 2009, "Power-law distributions in empirical data", sections 3.1
(equation 3.5, and 3.6 for the standard error), 3.3 (equation 3.9).* Where we deviate: of more than
`MAX_XMIN` different values, xmin is looked for among that many, evenly spread over their logarithm;
a tail has at least `MIN_TAIL` values; no p-value by bootstrap (their section 4), so that a fit says
what the exponent would be, not that the law holds.

Shapes: a histogram is ``values: int64[k]`` ascending, ``counts: int64[k]``. Cost: O(k) for each xmin.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import zeta

if TYPE_CHECKING:
    import numpy.typing as npt

    Histogram = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]

MAX_XMIN = 150
MIN_TAIL = 50
# Steeper laws have no second value to see; flatter ones have no mean of any kind.
ALPHA_RANGE = (1.01, 8.0)


@dataclass(frozen=True, slots=True)
class PowerLaw:
    """The fit: *n_tail* of *n* values are at least *xmin*; *distance* is Kolmogorov and Smirnov's."""

    alpha: float
    standard_error: float
    xmin: int
    n_tail: int
    n: int
    distance: float

    def survival(self, x: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Return P(X >= x) of all values, for *x* of at least xmin."""
        tail = zeta(self.alpha, x) / zeta(self.alpha, self.xmin)
        share: npt.NDArray[np.float64] = tail * self.n_tail / self.n
        return share


def histogram(values: npt.NDArray[np.integer]) -> Histogram:
    """Return the positive *values* as a histogram."""
    counts = np.bincount(values.astype(np.int64)) if len(values) else np.zeros(1, dtype=np.int64)
    counts[0] = 0
    found = np.flatnonzero(counts).astype(np.int64)
    return found, counts[found].astype(np.int64)


def fit_power_law(values: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]) -> PowerLaw | None:
    """Return the fit to a histogram of positive values; None where there is no tail to fit."""
    tails = np.cumsum(counts[::-1])[::-1]
    # A tail has two values at least: of one any alpha is as good.
    able = np.flatnonzero((tails >= MIN_TAIL) & (np.arange(len(values)) < len(values) - 1))
    if len(able) > MAX_XMIN:
        spread = np.geomspace(1, len(able), MAX_XMIN)
        able = able[np.unique(spread.astype(np.int64)) - 1]
    fits = [(*_fit_tail(values[place:], counts[place:]), place) for place in able.tolist()]
    # At the end of the range the likelihood has no largest value within it.
    inner = [fit for fit in fits if ALPHA_RANGE[0] + 1e-2 < fit[0] < ALPHA_RANGE[1] - 1e-2]
    if not inner:
        return None
    alpha, distance, place = min(inner, key=lambda fit: fit[1])
    n_tail, xmin = int(tails[place]), int(values[place])
    return PowerLaw(
        alpha, _standard_error(alpha, xmin, n_tail), xmin, n_tail, int(counts.sum()), distance
    )


def _fit_tail(values: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]) -> tuple[float, float]:
    """Return alpha and the distance of the fit to all of a histogram."""
    n, xmin = int(counts.sum()), int(values[0])
    mean_log = float(counts @ np.log(values)) / n

    def negative_likelihood(alpha: float) -> float:
        return float(math.log(zeta(alpha, xmin)) + alpha * mean_log)

    found = minimize_scalar(negative_likelihood, bounds=ALPHA_RANGE, method="bounded")
    alpha = float(found.x)
    total = zeta(alpha, xmin)
    # Both distributions step at whole numbers: within a gap between values only the fitted one
    # moves on, so the distance is looked at before and behind each value.
    fitted_below = 1 - zeta(alpha, values) / total
    fitted_to = 1 - zeta(alpha, values + 1) / total
    to = np.cumsum(counts) / n
    below = np.concatenate([[0.0], to[:-1]])
    return alpha, float(max(np.abs(fitted_below - below).max(), np.abs(fitted_to - to).max()))


def _standard_error(alpha: float, xmin: int, n: int) -> float:
    """Return 1 / sqrt(n (log zeta)'' ), the second derivative by differences."""
    step = 1e-3
    low, middle, high = (math.log(zeta(alpha + d, xmin)) for d in (-step, 0, step))
    curvature = (low - 2 * middle + high) / step**2
    return 1 / math.sqrt(n * curvature) if curvature > 0 else math.inf
