"""Power laws with known exponents, and the fit written out plainly."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import zeta

from pipelines.jobs.locality.power_law import MIN_TAIL, fit_power_law, histogram


def drawn(alpha, xmin, n, seed):
    """*n* numbers of the discrete power law, by inversion of its distribution."""
    x = np.arange(xmin, 200_000)
    cumulative = np.cumsum(x**-alpha) / zeta(alpha, xmin)
    places = np.searchsorted(cumulative, np.random.default_rng(seed).random(n))
    return x[np.minimum(places, len(x) - 1)]


def plainly(values):
    """(distance, xmin, alpha) of the best fit, value by value (Clauset et al. 2009, section 3)."""
    best = None
    for xmin in sorted(set(values.tolist())):
        tail = np.sort(values[values >= xmin])
        if len(tail) < MIN_TAIL or tail[-1] == xmin:
            continue

        def likelihood(a, tail=tail, xmin=xmin):
            return a * np.log(tail).sum() + len(tail) * np.log(zeta(a, xmin))

        alpha = minimize_scalar(likelihood, bounds=(1.01, 8), method="bounded").x
        distance = max(
            abs((tail <= x).mean() - (1 - zeta(alpha, x + 1) / zeta(alpha, xmin)))
            for x in range(xmin, int(tail[-1]) + 1)
        )
        best = min(best or (2, 0, 0), (distance, xmin, alpha))
    return best


@pytest.mark.parametrize("alpha", [1.8, 2.1, 2.72, 3.5])
def test_known_exponents(alpha):
    fit = fit_power_law(*histogram(drawn(alpha, 1, 20_000, 1)))
    assert abs(fit.alpha - alpha) < 4 * fit.standard_error
    assert fit.standard_error < 0.1
    assert fit.distance < 0.02
    assert fit.survival(np.array([fit.xmin]))[0] == pytest.approx(fit.n_tail / fit.n)


def test_the_tail_is_found():
    """Below 20 the values are even: the law begins at 20."""
    even = np.random.default_rng(2).integers(1, 20, 30_000)
    fit = fit_power_law(*histogram(np.concatenate([even, drawn(2.5, 20, 10_000, 3)])))
    assert 18 <= fit.xmin <= 26
    assert abs(fit.alpha - 2.5) < 4 * fit.standard_error


@pytest.mark.parametrize("seed", range(3))
def test_as_written_plainly(seed):
    values = np.minimum(drawn(2.2, 1 + seed, 300, seed), 400)
    fit = fit_power_law(*histogram(values))
    distance, xmin, alpha = plainly(values)
    assert (fit.distance, fit.alpha) == pytest.approx((distance, alpha), abs=1e-6)
    assert fit.xmin == xmin


@pytest.mark.parametrize(
    "values",
    [[], [0, 0], [3] * 100, [1, 2] * 20, [1] * 2000 + [2] * 1],  # the last: steeper than any law
)
def test_no_tail(values):
    assert fit_power_law(*histogram(np.array(values, dtype=np.int64))) is None


def test_histogram():
    values, counts = histogram(np.array([0, 3, 1, 3], dtype=np.uint32))
    assert (values.tolist(), counts.tolist()) == ([1, 3], [1, 2])
