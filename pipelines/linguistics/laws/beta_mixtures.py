"""Beta curves and mixtures of them: text density, token length, sentence length.

With fb the density of the Beta distribution and x = value / x_norm in 0..1::

    y = c fb(x; a, b)                                                            one class
    y = c [p1 fb(x; a1, b1) + p2 fb(x; a2, b2)]                                  (4.16)
    y = c/3 [fb(x; a1, b1) + fb(x; a2, b2) + fb(x; a3, b3)]                      (4.17)
    y = c [d fb(x; a1, b1) + (1-d) fb(x; a2, b2)] + (1-c) phi(e x + f; mu, sigma)   (4.18)

y is the share of the tokens at a value, so one class that is a distribution over values one apart
has c = 1 / x_norm. The mode of a class is (a-1) / (a+b-2) x_norm.

*Source: Kohlschütter 2011, section 4.3.2*. Read as follows, since the print says otherwise:

- (4.16) divides by the largest density, w_max / 2; printed is a product.
- sigma^2 of (4.18) is sigma: with it the curve has its published modes 2 and 12.
- e, f, mu and sigma give the normal part a centre, a width and a height, so one of the four is
  free. Centre, width (in values) and sigma are fitted; e, f, mu follow with f = 0.
- Component 1, of weight d, is the denser class. d leaves out the normal part, so "one third, two
  thirds" is no share of the tokens: the note of a fit gives the masses of all three parts.
- In (4.16), p1 and p2 are free with c = 1 / x_norm ("a curve"), or p2 = 1 - p1 with c free.

Least squares over all values handed in. Components are ordered by mode, densest first.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import betaln, xlog1py, xlogy

from pipelines.linguistics.laws.fit import Curve, Fit, fit_curve

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

SOURCE = "Kohlschütter 2011, "
_SHAPE = 1e4  # largest a and b; the largest printed is 2612
_ROOT = math.sqrt(2 * math.pi)


def beta_density(x: npt.NDArray[np.float64], a: float, b: float) -> npt.NDArray[np.float64]:
    """Return the density of the Beta distribution at *x*, 0 to 1 (eq. 4.15).

    >>> beta_density(np.array([0.5]), 2, 2)
    array([1.5])
    """
    return np.asarray(np.exp(xlogy(a - 1, x) + xlog1py(b - 1, -x) - betaln(a, b)))


def beta_mode(a: float, b: float) -> float:
    """Return where the Beta density is largest, 0 to 1; NaN unless a and b are above 1."""
    return (a - 1) / (a + b - 2) if a > 1 and b > 1 else math.nan


def fit_beta(
    x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], x_norm: float | None = None
) -> Fit:
    """Fit c fb(x / x_norm; a, b) to *y*; *x* ascends and is at least 0.

    *x_norm* defaults to the largest *x*, and is given among the parameters, as is the mode. Too few
    or equal values: no fit. Raises `ValueError` for arrays of different shape, a negative or
    infinite value, or an *x_norm* below the largest *x*.
    """
    return _one_beta("Beta", SOURCE + "eq. 4.15", x, y, x_norm)


def fit_average_token_length(
    x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], x_norm: float | None = None
) -> Fit:
    """Fit one Beta to the shares *y* of average token lengths *x*, as `fit_beta` does."""
    return _one_beta("Average token length (Beta)", SOURCE + "section 4.3.2", x, y, x_norm)


def fit_sentence_lengths(frequencies: npt.NDArray[np.float64]) -> Fit:
    """Fit one Beta to the relative *frequencies* of sentences of 1, 2, ... words."""
    y = np.asarray(frequencies, dtype=np.float64)
    x = np.arange(1, len(y) + 1, dtype=np.float64)
    return _one_beta("Sentence length (Beta)", SOURCE + "section 4.3.2", x, y, None)


def fit_two_beta(
    x: npt.NDArray[np.float64],
    y: npt.NDArray[np.float64],
    x_norm: float | None = None,
    *,
    distribution: bool = False,
) -> Fit:
    """Fit eq. 4.16, with weights that sum to 1 and a free c where *distribution*; see `fit_beta`."""
    x, y, norm = _checked(x, y, x_norm)

    def function(v: npt.NDArray[np.float64], *t: float) -> npt.NDArray[np.float64]:
        c, p1, p2 = (t[4], t[5], 1 - t[5]) if distribution else (1 / norm, t[4], t[5])
        return c * (p1 * beta_density(v / norm, *t[:2]) + p2 * beta_density(v / norm, *t[2:4]))

    weights = ("c", "p1") if distribution else ("p1", "p2")
    upper = (10.0, 1.0 if distribution else 10.0)
    curve = _curve("Two-Beta", "eq. 4.16", function, 2, weights=weights, upper=upper)
    tail = (1 / norm, 0.6) if distribution else (0.6, 0.4)
    fit = fit_curve(curve, x, y, [(*shapes, *tail) for shapes in _starts(norm)])
    if not fit.parameters:
        return fit
    p = fit.parameters
    p["p2" if distribution else "c"] = 1 - p["p1"] if distribution else 1 / norm
    return _with_note(_ordered(fit, norm), f"p1 + p2 = {p['p1'] + p['p2']:.3f}")


def fit_three_beta(
    x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], x_norm: float | None = None
) -> Fit:
    """Fit eq. 4.17, three classes of equal weight; see `fit_beta`."""
    x, y, norm = _checked(x, y, x_norm)

    def function(v: npt.NDArray[np.float64], *t: float) -> npt.NDArray[np.float64]:
        parts = [beta_density(v / norm, *t[i : i + 2]) for i in (0, 2, 4)]
        return np.asarray(t[6] / 3 * np.sum(parts, axis=0))

    curve = _curve("Three-Beta", "eq. 4.17", function, 3, weights=("c",), upper=(10.0,))
    thirds = [(middle,) for middle in _MIDDLES]
    fit = fit_curve(curve, x, y, [(*shapes, 1 / norm) for shapes in _starts(norm, thirds)])
    return _ordered(fit, norm) if fit.parameters else fit


def fit_beta_beta_gauss(
    x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], x_norm: float | None = None
) -> Fit:
    """Fit eq. 4.18, two classes and a normal transition between them; see `fit_beta`.

    The parameters hold the printed form (with f = 0), and centre and width in units of *x*. The
    centre is kept where a transition can be, in words a line, for the largest density of a corpus is that of
    a few odd lines: 36 in the published one, 18 in others. Without bounds the least squares of a crawl put
    the normal part on the sparse class, and a Beta between the two.
    """
    x, y, norm = _checked(x, y, x_norm)

    def function(v: npt.NDArray[np.float64], *t: float) -> npt.NDArray[np.float64]:
        return beta_beta_gauss(v, dict(zip(curve.names, t, strict=True)), norm)

    names = ("c", "d", "centre", "width", "sigma")
    upper = (1.0, 1.0, _CENTRES[1], norm, 1e4)
    curve = _curve("Beta-Beta-Gauss", "eq. 4.18", function, 2, weights=names, upper=upper)
    curve = replace(curve, lower=(*curve.lower[:6], _CENTRES[0], 0.02 * norm, 0.1))
    starts = [
        (*shapes, 0.5 / norm, 0.6, centre, 0.08 * norm, 0.2 * norm)
        for shapes, centre in product(_starts(norm), _MIDDLES)
    ]
    fit = fit_curve(curve, x, y, starts)
    if not fit.parameters:
        return fit
    fit = _ordered(fit, norm)
    p = fit.parameters
    long, short = p["c"] * p["d"] * norm, p["c"] * (1 - p["d"]) * norm
    p |= {"e": p["sigma"] / p["width"] * norm, "f": 0.0}
    p["mu"] = p["e"] * p["centre"] / norm
    normal = (1 - p["c"]) * p["width"] / p["sigma"]
    if not p["mode2"] <= p["centre"] <= p["mode1"]:
        fit = _with_note(fit, "the normal part is not between the modes, so it is no transition")
    return _with_note(fit, f"mass: dense {long:.3f}, sparse {short:.3f}, normal {normal:.3f}")


def beta_beta_gauss(
    x: npt.NDArray[np.float64], parameters: dict[str, float], x_norm: float
) -> npt.NDArray[np.float64]:
    """Return eq. 4.18 at *x*, from a1, b1, a2, b2, c, d, sigma and centre, width (units of x)."""
    p = parameters
    v = x / x_norm
    first = beta_density(v, p["a1"], p["b1"])
    second = beta_density(v, p["a2"], p["b2"])
    z = (x - p["centre"]) / p["width"]
    normal = np.exp(-z * z / 2) / (p["sigma"] * _ROOT)
    betas = p["c"] * (p["d"] * first + (1 - p["d"]) * second)
    return np.asarray(betas + (1 - p["c"]) * normal)


# Words a line. The transition of the Beta-Beta-Gauss mixture lies between these: the published ones at 9.5 and 8.3.
_CENTRES = (4.5, 11.5)
# Where a search starts from: modes of a dense and a sparse class, those of a third class, and centres of a transition;
# modes also at the same shares of x_norm, which is 36 there.
_PUBLISHED_NORM = 36.0
_PAIRS = ((12.0, 2.0), (16.0, 3.5), (9.0, 1.0))
_MIDDLES = (5.5, 9.0)
# The largest share of x_norm at which a class of a start has its mode.
_LARGEST_MODE = 0.95
_CONCENTRATIONS = (100.0, 30.0, 30.0)


def _starts(norm: float, thirds: Sequence[tuple[float, ...]] = ((),)) -> list[tuple[float, ...]]:
    """Return the shapes of classes that searches start from, with each of *thirds* behind the pairs of modes."""
    modes = [(*pair, *third) for pair, third in product(_PAIRS, thirds)]
    return [_shapes(each, unit) for unit in {norm: 0, _PUBLISHED_NORM: 0} for each in modes]


def _shapes(modes: Sequence[float], norm: float) -> tuple[float, ...]:
    shares = [min(mode / norm, _LARGEST_MODE) for mode in modes]
    pairs = zip(shares, _CONCENTRATIONS, strict=False)
    return tuple(shape for mode, k in pairs for shape in (1 + mode * k, 1 + (1 - mode) * k))


def _checked(
    x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], x_norm: float | None
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], float]:
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if x.shape != y.shape or x.ndim != 1:
        raise ValueError(f"x and y must be of one length, got {x.shape} and {y.shape}")
    if not (np.isfinite(x).all() and np.isfinite(y).all()) or (np.minimum(x, y) < 0).any():
        raise ValueError("x and y must be finite and at least 0")
    largest = float(x.max(initial=0)) or 1.0
    norm = largest if x_norm is None else float(x_norm)
    if not norm >= largest:
        raise ValueError(f"x_norm must be at least the largest x, {largest:g}, got {x_norm}")
    return x, y, norm


def _curve(
    law: str,
    equation: str,
    function: Callable[..., npt.NDArray[np.float64]],
    n_betas: int,
    *,
    weights: tuple[str, ...],
    upper: tuple[float, ...],
) -> Curve:
    shapes = tuple(f"{name}{i}" for i in range(1, n_betas + 1) for name in "ab")
    # A class has a mode, so its a and b are at least 1.
    lower = (1.0,) * len(shapes) + (0.0,) * len(weights)
    high = (_SHAPE,) * len(shapes) + upper
    return Curve(law, SOURCE + equation, function, shapes + weights, lower, high)


def _one_beta(
    law: str,
    source: str,
    x: npt.NDArray[np.float64],
    y: npt.NDArray[np.float64],
    x_norm: float | None,
) -> Fit:
    x, y, norm = _checked(x, y, x_norm)

    def function(
        v: npt.NDArray[np.float64], a: float, b: float, c: float
    ) -> npt.NDArray[np.float64]:
        return c * beta_density(v / norm, a, b)

    # Below 1 the density is infinite at that end of the range.
    lower = (1.0 if (x == 0).any() else 0.05, 1.0 if (x == norm).any() else 0.05, 0.0)
    curve = Curve(law, source, function, ("a", "b", "c"), lower, (_SHAPE, _SHAPE, 1e3))
    peak = min(max(float(x[y.argmax()]) / norm if len(y) else 0.5, 0.01), 0.9)
    starts = [(1 + peak * k, 1 + (1 - peak) * k, 1 / norm) for k in (3, 30, 300, 3000)]
    fit = fit_curve(curve, x, y, starts)
    if not fit.parameters:
        return fit
    p = fit.parameters
    mode = beta_mode(p["a"], p["b"]) * norm
    return replace(fit, parameters=p | {"x_norm": norm, "mode": mode})


def _ordered(fit: Fit, norm: float) -> Fit:
    """Return *fit* with its components by mode, the largest first, and x_norm and the modes."""
    p = fit.parameters
    numbers = [name[1:] for name in p if name[0] == "a"]
    modes = {i: beta_mode(p["a" + i], p["b" + i]) * norm for i in numbers}
    order = sorted(numbers, key=lambda i: math.inf if math.isnan(modes[i]) else -modes[i])
    moved = dict(p)
    for new, old in zip(numbers, order, strict=True):
        moved |= {name + new: p[name + old] for name in "abp" if name + old in p}
    if "d" in p and order != numbers:
        moved["d"] = 1 - p["d"]
    moved["x_norm"] = norm
    moved |= {f"mode{new}": modes[old] for new, old in zip(numbers, order, strict=True)}
    return replace(fit, parameters=moved)


def _with_note(fit: Fit, text: str) -> Fit:
    return replace(fit, note="; ".join(part for part in (fit.note, text) if part))
