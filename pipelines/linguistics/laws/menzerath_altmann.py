"""Menzerath-Altmann and Wimmer-Altmann: rank sequences of averages.

::

    dy/y = (a0 + a1/x + a2/x^2 + ...) dx                          (4.10)
    y = C x^a1 exp(-a0 x) exp(-a2 / x) + d                        (4.11), to its first three terms
    y = C x^a1 + d                                                (4.12)

x is the rank 1..n, y the value in units of the largest, in descending order.
*Source: Kohlschütter 2011, section 4.3.1, after Wimmer & Altmann 2005*. Integrating (4.10) gives
exp(+a0 x) and a divisor i below the i-th term of the sum; (4.11) is fitted as printed, which
differs in what a0 is called. The parameters printed with (4.12), a positive power and d = -1 for a
falling curve, are degenerate: x^a1 of a tiny a1 is a logarithm, and then C and d cancel. They are
not reproducible, only the quality of the fit is. d is kept within -1..2 here, where -1 is the bound
that the source must have had; a fit that ends on a bound says so.

Least squares, in ranks divided by n, which keeps C and the powers in one range; the parameters are
given in ranks. The discrete form P_x = g(x) P_{x-1} (4.13) is `recurrence`.
Cost: a sort and some hundred passes over n values.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from pipelines.linguistics.laws.fit import Curve, Fit, fit_curve

if TYPE_CHECKING:
    import numpy.typing as npt

Form = Literal["menzerath", "menzerath-offset", "wimmer"]

_LIMIT = 1e6
# Powers from which the search starts; C and d follow by linear regression.
_POWERS = (-1.0, -0.5, -0.1, 0.1, 0.5, 1.0, 3.0)


def menzerath_altmann(
    x: npt.NDArray[np.float64], c: float, a1: float, d: float = 0.0
) -> npt.NDArray[np.float64]:
    """Return C x^a1 + d (eq. 4.12)."""
    return np.asarray(c * x**a1 + d, dtype=np.float64)


def wimmer_altmann(
    x: npt.NDArray[np.float64], c: float, a0: float, a1: float, a2: float, d: float
) -> npt.NDArray[np.float64]:
    """Return C x^a1 exp(-a0 x - a2 / x) + d (eq. 4.11)."""
    # one exponent, as its terms may cancel where each alone would overflow
    return np.asarray(c * np.exp(a1 * np.log(x) - a0 * x - a2 / x) + d, dtype=np.float64)


def recurrence(a: npt.NDArray[np.float64], n: int, first: float = 1.0) -> npt.NDArray[np.float64]:
    """Return P_0..P_n of P_x = (a0 + a1/x + a2/x^2 + ...) P_{x-1} with P_0 = *first* (eq. 4.13).

    Raises `ValueError` for n below 0.

    >>> recurrence(np.array([0.0, 2.0]), 3)  # Poisson of mean 2, without its factor
    array([1.        , 2.        , 2.        , 1.33333333])
    """
    if n < 0:
        raise ValueError(f"n must be at least 0, got {n}")
    x = np.arange(1, n + 1, dtype=np.float64)
    ratios = np.polynomial.polynomial.polyval(1 / x, a) if n else x
    return np.asarray(np.concatenate([[first], first * np.cumprod(ratios)]), dtype=np.float64)


_SOURCE = "Kohlschütter 2011, eq. "
_CURVES: dict[Form, Curve] = {
    "menzerath": Curve(
        "Menzerath-Altmann",
        _SOURCE + "4.12, d = 0",
        menzerath_altmann,
        ("C", "a1"),
        (0.0, -10.0),
        (_LIMIT, 10.0),
    ),
    "menzerath-offset": Curve(
        "Menzerath-Altmann with offset",
        _SOURCE + "4.12",
        menzerath_altmann,
        ("C", "a1", "d"),
        (-_LIMIT, -10.0, -1.0),
        (_LIMIT, 10.0, 2.0),
    ),
    "wimmer": Curve(
        "Wimmer-Altmann",
        _SOURCE + "4.11",
        wimmer_altmann,
        ("C", "a0", "a1", "a2", "d"),
        (-_LIMIT, -50.0, -10.0, -5.0, -1.0),
        (_LIMIT, 50.0, 10.0, 5.0, 2.0),
    ),
}


def fit_rank(values: npt.NDArray[np.float64], form: Form = "menzerath-offset") -> Fit:
    """Fit the rank sequence of *values* (above 0, in any order; zeros do not count).

    *form*: "menzerath" (4.12 with d = 0), "menzerath-offset" (4.12) or "wimmer" (4.11). Fewer
    values than parameters and one more, or equal values: no fit. Raises `ValueError` for a negative
    or infinite value and an unknown form.
    """
    if form not in _CURVES:
        raise ValueError(f"form must be one of {', '.join(_CURVES)}, got {form!r}")
    found = np.asarray(values, dtype=np.float64)
    if not np.isfinite(found).all() or (found < 0).any():
        raise ValueError("values must be finite and at least 0")
    y = np.sort(found[found > 0])[::-1]
    y = y / y.max(initial=1e-300)
    n = len(y)
    ranks = np.arange(1, n + 1, dtype=np.float64)
    scaled = ranks / max(n, 1)
    curve = _CURVES[form]
    fit = fit_curve(curve, scaled, y, [_start(form, scaled, y, a1) for a1 in _POWERS])
    parameters = _in_ranks(fit.parameters, n) if fit.parameters else {}
    return replace(fit, x=ranks, parameters=parameters)


def _start(
    form: Form, x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], a1: float
) -> tuple[float, ...]:
    """Return a start with the power *a1*, and the C and d that fit best with it."""
    if len(x) < 2:
        return ()
    power = x**a1
    if form == "menzerath":
        return (float(power @ y / (power @ power)), a1)
    c = float(np.cov(power, y)[0, 1] / np.var(power, ddof=1))
    d = float(y.mean() - c * power.mean())
    return (c, a1, d) if form == "menzerath-offset" else (c, 0.0, a1, 0.0, d)


def _in_ranks(parameters: dict[str, float], n: int) -> dict[str, float]:
    """Return parameters for ranks 1..*n* instead of ranks divided by n."""
    found = dict(parameters)
    found["C"] *= float(n) ** -found["a1"]
    if "a0" in found:
        found["a0"] /= n
        found["a2"] *= n
    return found
