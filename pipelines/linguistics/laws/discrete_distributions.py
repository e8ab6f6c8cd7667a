"""Discrete distributions of the Altmann-Fitter kind, fitted to class frequencies.

All are 1-displaced: class i = 1, 2, ... holds the frequency of x = i - 1::

    negative hypergeometric   P_x = C(-M, x) C(-K+M, n-x) / C(-K, n), x = 0..n
    hyperpascal               P_x = C(k+x-1, x) / C(m+x-1, x) q^x P_0
    geometric                 P_x = p (1-p)^x
    negative binomial         P_x = C(k+x-1, x) p^k (1-p)^x
    binomial                  P_x = C(n, x) p^x (1-p)^(n-x), x = 0..n
    Poisson                   P_x = l^x exp(-l) / x!

The negative hypergeometric is the Beta-binomial of a = M, b = K - M. The last class takes the rest
of the probability, so that expected frequencies sum to N.

*Sources: Kohlschütter 2011, eq. 4.1, 4.2, 4.4; Wimmer & Altmann 1999 for the families.* As the
Altmann-Fitter does, parameters minimise chi2. The pooling of cells depends on the parameters and
would be gamed (one cell has chi2 = 0), so the search has two steps: maximum likelihood, then chi2
over the cells pooled as the first step expects them. What is reported is chi2 over the cells pooled
by the final expectation.

Cost: some hundred evaluations of n_classes probabilities a family and start.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats
from scipy.optimize import minimize
from scipy.special import betainc, betaln, expit, hyp2f1, logit

from pipelines.linguistics.laws.fit import Fit, chi_square, goodness, grouped_chi_square, pooled

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

# A cell expects at least this much, or is pooled with the cell before it.
POOL_BELOW = 1.0
# Logarithms and logits of parameters stay within this.
_REACH = 15.0
# A share of the incomplete beta function below this may have lost digits; terms below the other are left out.
_LEAST_SHARE, _NEGLIGIBLE = 1e-290, 1e-18
# Steps of one search.
MAX_STEPS = 2000


@dataclass(frozen=True, slots=True)
class Family:
    """A distribution: its parameters from unbounded ones, and its probabilities.

    *parameters* maps the vector of the search and n to named parameters; *masses* gives the
    probabilities of x = 0, 1, ... below a number of classes; *start* a vector from the mean of x
    and n. *n_parameters* is what chi2 counts, a fitted n included.
    """

    law: str
    parameters: Callable[[npt.NDArray[np.float64], int], dict[str, float]]
    masses: Callable[[dict[str, float], int], npt.NDArray[np.float64]]
    start: Callable[[float, int], list[float]]
    n_parameters: int
    source: str = "Wimmer & Altmann 1999, 1-displaced"


def negative_hypergeometric(p: dict[str, float], n_classes: int) -> npt.NDArray[np.float64]:
    """Return P_0.. of the negative hypergeometric distribution with K, M, n (eq. 4.2)."""
    x = np.arange(n_classes)
    return np.asarray(stats.betabinom.pmf(x, round(p["n"]), p["M"], p["K"] - p["M"]))


def hyperpascal(p: dict[str, float], n_classes: int) -> npt.NDArray[np.float64]:
    """Return P_0.. of the hyperpascal distribution with k, m, q."""
    k, m, q = p["k"], p["m"], p["q"]
    x = np.arange(n_classes - 1)
    logs = np.cumsum(np.log(q * (k + x) / (m + x)))
    return np.asarray(np.exp(np.concatenate([[0.0], logs]) - _log_hyperpascal_sum(k, m, q)))


def _log_hyperpascal_sum(k: float, m: float, q: float) -> float:
    """Return ln 2F1(k, 1; m; q), of the sum of the products of the ratios q (k + x) / (m + x).

    With k above m scipy's function may be far off, below 0 or no number. The sum behind the first term is
    one of the incomplete beta function B_q then (DLMF 8.17.8), which may be too small for a float where
    the terms fall fast.
    """
    if k <= m:
        return float(np.log(hyp2f1(k, 1, m, q)))
    b = k - m + 1
    share = betainc(m, b, q)
    if share > _LEAST_SHARE:
        log_beta = np.log(share) + betaln(m, b)
        return float(np.logaddexp(0, np.log(q * k) + log_beta - m * np.log(q) - b * np.log1p(-q)))
    x = np.arange(math.ceil(math.log(_NEGLIGIBLE) / math.log(q * k / m)))
    return float(np.log1p(np.cumprod(q * (k + x) / (m + x)).sum()))


def _negative_binomial(p: dict[str, float], n_classes: int) -> npt.NDArray[np.float64]:
    return np.asarray(stats.nbinom.pmf(np.arange(n_classes), p["k"], p["p"]))


def _geometric(p: dict[str, float], n_classes: int) -> npt.NDArray[np.float64]:
    return np.asarray(p["p"] * (1 - p["p"]) ** np.arange(n_classes))


def _binomial(p: dict[str, float], n_classes: int) -> npt.NDArray[np.float64]:
    return np.asarray(stats.binom.pmf(np.arange(n_classes), round(p["n"]), p["p"]))


def _poisson(p: dict[str, float], n_classes: int) -> npt.NDArray[np.float64]:
    return np.asarray(stats.poisson.pmf(np.arange(n_classes), p["lambda"]))


NEGATIVE_HYPERGEOMETRIC = Family(
    "Frumkina (negative hypergeometric)",
    lambda t, n: {"K": float(np.exp(t[0]) + np.exp(t[1])), "M": float(np.exp(t[0])), "n": float(n)},
    negative_hypergeometric,
    lambda mean, n: [math.log(2 * mean / n), math.log(2 * max(1 - mean / n, 0.05))],
    3,
    "Kohlschütter 2011, eq. 4.2",
)
OTHERS = (
    Family(
        "Hyperpascal",
        lambda t, _n: {"k": float(np.exp(t[0])), "m": float(np.exp(t[1])), "q": float(expit(t[2]))},
        hyperpascal,
        lambda mean, _n: [0.0, 0.0, float(logit(mean / (1 + mean)))],
        3,
    ),
    Family(
        "Geometric",
        lambda t, _n: {"p": float(expit(t[0]))},
        _geometric,
        lambda mean, _n: [float(logit(1 / (1 + mean)))],
        1,
    ),
    Family(
        "Negative binomial",
        lambda t, _n: {"k": float(np.exp(t[0])), "p": float(expit(t[1]))},
        _negative_binomial,
        lambda mean, _n: [0.0, float(logit(1 / (1 + mean)))],
        2,
    ),
    Family(
        "Binomial",
        lambda t, n: {"n": float(n), "p": float(expit(t[0]))},
        _binomial,
        lambda mean, n: [float(logit(min(mean / n, 0.95)))],
        2,
    ),
    Family(
        "Poisson",
        lambda t, _n: {"lambda": float(np.exp(t[0]))},
        _poisson,
        lambda mean, _n: [math.log(mean)],
        1,
    ),
)


def expected_shares(
    family: Family, parameters: dict[str, float], n_classes: int
) -> npt.NDArray[np.float64]:
    """Return the probabilities of classes 1..*n_classes*, the last with all that is above."""
    with np.errstate(all="ignore"):
        masses = np.array(family.masses(parameters, n_classes))
    masses[-1] += max(0.0, 1 - float(masses.sum()))
    return masses


def fit_distribution(family: Family, frequencies: npt.NDArray[np.float64], n: int) -> Fit:
    """Fit *family* to the *frequencies* of classes 1, 2, ..., with *n* for a finite support.

    At least two classes are needed, and an observation above the first.
    """
    size = len(frequencies)
    total = float(frequencies.sum())
    mean = float(np.arange(size) @ frequencies) / total

    def shares(t: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return expected_shares(family, family.parameters(np.clip(t, -_REACH, _REACH), n), size)

    def surprise(t: npt.NDArray[np.float64]) -> float:
        logs = np.log(np.maximum(shares(t), 1e-300))
        value = -float(frequencies @ logs) / total
        return value if math.isfinite(value) else 1e9

    likely, _ = _minimum(surprise, np.array(family.start(mean, n)), tolerance=1e-4)
    groups = pooled(total * shares(likely), POOL_BELOW)

    def distance(t: npt.NDArray[np.float64]) -> float:
        value = grouped_chi_square(frequencies, total * shares(t), groups)
        return value if math.isfinite(value) else 1e300

    found, _ = _minimum(distance, likely, tolerance=1e-4)
    # A simplex that has collapsed early is opened once more.
    found, converged = _minimum(distance, found, tolerance=1e-6)
    parameters = family.parameters(np.clip(found, -_REACH, _REACH), n)
    return scored(family, parameters, frequencies, converged=converged)


def scored(
    family: Family,
    parameters: dict[str, float],
    frequencies: npt.NDArray[np.float64],
    *,
    converged: bool = True,
) -> Fit:
    """Return the `Fit` of given *parameters* to the *frequencies* of classes 1, 2, ..."""
    expected = frequencies.sum() * expected_shares(family, parameters, len(frequencies))
    chi2, df, p, c = chi_square(frequencies, expected, family.n_parameters, POOL_BELOW)
    return Fit(
        family.law, family.source, parameters, int(frequencies.sum()),
        *goodness(frequencies, expected, family.n_parameters),
        np.arange(1, len(frequencies) + 1, dtype=np.float64), frequencies, expected,
        chi2, df, p, c, converged=converged, note="" if df > 0 else "too few cells for P",
    )  # fmt: skip


def _minimum(
    objective: Callable[[npt.NDArray[np.float64]], float],
    start: npt.NDArray[np.float64],
    *,
    tolerance: float,
) -> tuple[npt.NDArray[np.float64], bool]:
    result = minimize(
        objective,
        start,
        method="Nelder-Mead",
        options={"xatol": tolerance, "fatol": tolerance, "maxiter": MAX_STEPS},
    )
    return np.asarray(result.x, dtype=np.float64), bool(result.success)
