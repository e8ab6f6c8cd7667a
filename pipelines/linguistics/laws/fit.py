"""What fitting a law to data gives, how good it is, and the least-squares search all laws share.

Goodness of a curve with p parameters at n points, SSE = sum (y - fitted)^2, SST = sum (y - mean)^2::

    R2          = 1 - SSE / SST
    adjusted R2 = 1 - (1 - R2) (n - 1) / (n - p - 1)
    RMSE        = sqrt(SSE / (n - p))

*Source: Kohlschütter 2011, section 2.3*. RMSE is printed there as the root of the mean square; the
published figures follow SSE / (n - p), the convention of curve fitting, and so do we. A second form
of R2 is printed as Cov / (Var Var) for Cov^2 / (Var Var); only the first is used.

Pearson's chi2 pools cells from the tail until each expects enough; C = chi2 / N stands in for the
probability where N is so large that every deviation is significant (below .02 is a good fit).

Poor data is no error: such a `Fit` has no parameters, NaN as fitted values and a note. A search is
deterministic: fixed starts, the lowest SSE wins, of equals the first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import least_squares
from scipy.stats import chi2 as chi2_distribution

from crawler.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

# Evaluations of the curve that one start may take, those for the Jacobian not counted.
MAX_EVALUATIONS = 200
# Of more points, evenly chosen ones find the start from which all are fitted.
MAX_POINTS = 2000
# What a curve that is infinite is away from a point.
_FAR = 1e6


@dataclass(frozen=True, slots=True)
class Fit:
    """A law fitted to data. *x*, *y*, *fitted* have one shape; the last is what a plot draws.

    *n* counts data points, for a discrete distribution the sample. *r2*, *r2_adjusted* and *rmse*
    are NaN where they are undefined; *chi2*, *df*, *p* and *c* are None where they do not apply.
    """

    law: str
    source: str
    parameters: dict[str, float]
    n: int
    r2: float
    r2_adjusted: float
    rmse: float
    x: npt.NDArray[np.float64]
    y: npt.NDArray[np.float64]
    fitted: npt.NDArray[np.float64]
    chi2: float | None = None
    df: int | None = None
    p: float | None = None
    c: float | None = None
    converged: bool = True
    note: str = ""


@dataclass(frozen=True, slots=True)
class Curve:
    """A law as a function of x and its parameters, with their names and bounds."""

    law: str
    source: str
    function: Callable[..., npt.NDArray[np.float64]]
    names: tuple[str, ...]
    lower: tuple[float, ...]
    upper: tuple[float, ...]


def goodness(
    y: npt.NDArray[np.float64], fitted: npt.NDArray[np.float64], n_parameters: int
) -> tuple[float, float, float]:
    """Return R2, adjusted R2 and RMSE; NaN where the points are too few or all equal.

    Raises `ValueError` for different shapes.

    >>> goodness(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 4.0]), 1)
    (0.5, 0.0, 0.7071067811865476)
    """
    if y.shape != fitted.shape:
        raise ValueError(f"y and fitted must have one shape, got {y.shape} and {fitted.shape}")
    n = len(y)
    if not n or not np.isfinite(fitted).all():
        return math.nan, math.nan, math.nan
    sse = float(np.sum((y - fitted) ** 2))
    sst = float(np.sum((y - y.mean()) ** 2))
    r2 = 1 - sse / sst if sst > 0 else math.nan
    spare = n - n_parameters - 1
    r2_adjusted = 1 - (1 - r2) * (n - 1) / spare if spare > 0 else math.nan
    rmse = math.sqrt(sse / (n - n_parameters)) if n > n_parameters else math.nan
    return r2, r2_adjusted, rmse


def pooled(expected: npt.NDArray[np.float64], pool_below: float) -> npt.NDArray[np.int64]:
    """Return the first cells of the groups that expect at least *pool_below* each, from the tail.

    What is left over at the head joins the first group.

    >>> pooled(np.array([9.0, 2.0, 0.6, 0.5]), 1.0)
    array([0, 1, 2])
    """
    starts = []
    mass = 0.0
    for i in range(len(expected) - 1, -1, -1):
        mass += float(expected[i])
        if mass >= pool_below:
            starts.append(i)
            mass = 0.0
    starts[-1:] = [0]
    return np.array(starts[::-1], dtype=np.int64)


def chi_square(
    observed_counts: npt.NDArray[np.float64],
    expected_counts: npt.NDArray[np.float64],
    n_parameters: int,
    pool_below: float = 1.0,
) -> tuple[float, int, float | None, float | None]:
    """Return Pearson's chi2, its degrees of freedom, P and C = chi2 / N.

    P is None without a degree of freedom, C without observations. Cells are pooled from the tail
    until each expects *pool_below*. Raises `ValueError` for different shapes, no cells, and
    negative or infinite counts.

    >>> chi_square(np.array([12.0, 8.0]), np.array([10.0, 10.0]), 0)[:2]
    (0.8, 1)
    """
    observed = np.asarray(observed_counts, dtype=np.float64)
    expected = np.asarray(expected_counts, dtype=np.float64)
    if observed.shape != expected.shape or not observed.size:
        raise ValueError(
            f"counts must have one shape and a cell, got {observed.shape} and {expected.shape}"
        )
    counts = np.concatenate([observed, expected])
    if not np.isfinite(counts).all() or (counts < 0).any():
        raise ValueError("counts must be finite and at least 0")
    starts = pooled(expected, pool_below)
    value = grouped_chi_square(observed, expected, starts)
    df = len(starts) - 1 - n_parameters
    n = float(observed.sum())
    p = float(chi2_distribution.sf(value, df)) if df > 0 else None
    return value, df, p, value / n if n else None


def grouped_chi_square(
    observed: npt.NDArray[np.float64],
    expected: npt.NDArray[np.float64],
    starts: npt.NDArray[np.int64],
) -> float:
    """Return chi2 over the groups of cells that begin at *starts*."""
    o = np.add.reduceat(observed, starts)
    e = np.add.reduceat(expected, starts)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        terms = np.where((e == 0) & (o == 0), 0.0, (o - e) ** 2 / e)
    return float(terms.sum())


def unfitted(
    law: str, source: str, x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], note: str
) -> Fit:
    """Return the `Fit` of data that no parameters can be had from, with the reason."""
    nothing = np.full(len(x), math.nan)
    return Fit(
        law, source, {}, len(x), math.nan, math.nan, math.nan, x, y, nothing, None, None, None,
        None, converged=False, note=note,
    )  # fmt: skip


def fit_curve(
    curve: Curve,
    x: npt.NDArray[np.float64],
    y: npt.NDArray[np.float64],
    starts: Sequence[Sequence[float]],
) -> Fit:
    """Return the least-squares fit of *curve* to the points *x*, *y* within its bounds.

    Too few points (there must be more than parameters), equal or infinite *y*: no parameters.
    """
    k = len(curve.names)
    if len(x) <= k:
        return unfitted(
            curve.law,
            curve.source,
            x,
            y,
            f"{counted(len(x), 'point')} for {counted(k, 'parameter')}",
        )
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        return unfitted(curve.law, curve.source, x, y, "values are not finite")
    if np.ptp(y) == 0:
        return unfitted(curve.law, curve.source, x, y, "all values are equal")
    found, converged = _search(curve, x, y, starts)
    if found is None:
        return unfitted(curve.law, curve.source, x, y, "the curve is not finite at any start")
    fitted = curve.function(x, *found)
    parameters = {name: float(value) for name, value in zip(curve.names, found, strict=True)}
    notes = [f"{name} is at its bound" for name in _at_bound(curve, found)]
    return Fit(
        curve.law, curve.source, parameters, len(x), *goodness(y, fitted, k), x, y, fitted,
        converged=converged, note="; ".join(notes),
    )  # fmt: skip


def _search(
    curve: Curve,
    x: npt.NDArray[np.float64],
    y: npt.NDArray[np.float64],
    starts: Sequence[Sequence[float]],
) -> tuple[npt.NDArray[np.float64] | None, bool]:
    best, best_cost, converged = None, math.inf, False
    step = -(-len(x) // MAX_POINTS)
    for start in starts:
        found, cost, ended = _descend(curve, x[::step], y[::step], np.asarray(start))
        # Starts that end in one minimum differ by rounding: the first of them stays.
        if cost < best_cost * (1 - 1e-9):
            best, best_cost, converged = found, cost, ended
    if best is not None and step > 1:
        best, _, converged = _descend(curve, x, y, best)
    if best is None or not np.isfinite(curve.function(x, *best)).all():
        return None, False
    return best, converged


def _descend(
    curve: Curve,
    x: npt.NDArray[np.float64],
    y: npt.NDArray[np.float64],
    start: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.float64], float, bool]:
    """Return the parameters of the minimum that *start* leads to, its cost, and if it was met."""
    # Residuals in units of the largest y, so that tolerances hold for the shape.
    scale = float(np.abs(y).max()) or 1.0

    def residuals(parameters: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        with np.errstate(all="ignore"):
            distance = (curve.function(x, *parameters) - y) / scale
        # What is no number is as far as can be.
        return np.fmax(np.fmin(distance, _FAR), -_FAR)

    lower, upper = np.array(curve.lower), np.array(curve.upper)
    result = least_squares(
        residuals,
        np.clip(start, lower, upper),
        bounds=(lower, upper),
        x_scale="jac",
        ftol=1e-11,
        xtol=1e-10,
        gtol=1e-12,
        max_nfev=MAX_EVALUATIONS,
    )
    return np.asarray(result.x), float(result.cost), bool(result.status > 0)


def _at_bound(curve: Curve, found: npt.NDArray[np.float64]) -> list[str]:
    return [
        name
        for name, value, low, high in zip(curve.names, found, curve.lower, curve.upper, strict=True)
        if value - low <= 1e-6 * max(abs(low), 1e-3) or high - value <= 1e-6 * abs(high)
    ]
