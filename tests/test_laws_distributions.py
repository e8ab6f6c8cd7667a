"""Frumkina's law and its rivals: the published Altmann-Fitter output, and slow formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from scipy.special import gammaln

from pipelines.linguistics.laws.discrete_distributions import (
    NEGATIVE_HYPERGEOMETRIC,
    OTHERS,
    expected_shares,
    fit_distribution,
    hyperpascal,
    negative_hypergeometric,
    scored,
)
from pipelines.linguistics.laws.fit import chi_square
from pipelines.linguistics.laws.negative_hypergeometric import fit_frumkina, rank_distributions

# Kohlschütter 2011, figure 4.12
F = np.array([1802, 180, 92, 80, 34, 36, 24, 18, 14, 16, 12, 12, 4, 2, 4, 2, 0, 2])
NP = """1800.9989 184.9156 95.4882 62.2025 44.5585 33.5436 25.9808 20.4556 16.2396 12.9186 10.2396
    8.0391 6.2069 4.6669 3.3651 2.2639 1.3385 0.5779"""
PRINTED = {"K": 2.30453585151999, "M": 0.109889153462268, "n": 17.0}


def binomial(a, k):
    """C(a, k) of a real a, as a product."""
    return math.prod((a - i) / (i + 1) for i in range(k))


def test_golden_altmann_fitter_output():
    fit = scored(NEGATIVE_HYPERGEOMETRIC, PRINTED, F.astype(float))
    assert fit.fitted.round(4).tolist() == [float(value) for value in NP.split()]
    assert (round(fit.chi2, 4), fit.df) == (14.2394, 13)
    assert (round(fit.p, 4), round(fit.c, 4)) == (0.3572, 0.0061)
    assert fit.n == F.sum() == 2334


def test_the_last_two_classes_must_be_pooled_for_the_golden_value():
    expected = np.array([float(value) for value in NP.split()])
    assert chi_square(F, expected, 3)[0] == pytest.approx(14.2394, abs=1e-3)
    assert chi_square(F, expected, 3, pool_below=0)[0] == pytest.approx(19.07, abs=0.01)


def test_fit_is_near_the_printed_one_and_no_worse():
    fit = fit_frumkina(F)
    assert fit.parameters["n"] == 17
    assert fit.parameters["M"] == pytest.approx(PRINTED["M"], rel=0.01)
    assert fit.parameters["K"] == pytest.approx(PRINTED["K"], rel=0.03)
    assert fit.chi2 <= 14.2394
    assert fit.df == 13
    assert fit.converged


def test_negative_hypergeometric_is_the_printed_formula():
    k, m, n = PRINTED["K"], PRINTED["M"], 17
    slow = [binomial(-m, x) * binomial(m - k, n - x) / binomial(-k, n) for x in range(n + 1)]
    assert negative_hypergeometric(PRINTED, n + 1) == pytest.approx(slow, rel=1e-9)
    assert sum(slow) == pytest.approx(1)


def test_hyperpascal_is_the_printed_formula():
    k, m, q = 0.7, 1.9, 0.8
    x = np.arange(400)

    def log_choose(a):  # C(a + x - 1, x)
        return gammaln(a + x) - gammaln(a) - gammaln(x + 1)

    slow = np.exp(log_choose(k) - log_choose(m) + x * np.log(q))
    found = hyperpascal({"k": k, "m": m, "q": q}, 400)
    assert found == pytest.approx(slow / slow.sum(), rel=1e-9)


@pytest.mark.parametrize(
    ("k", "m", "q"),
    [(68.6, 35.3, 0.67), (83.3, 41.4, 0.84), (211, 107, 0.62), (23e3, 11e3, 0.005), (4, 0.1, 0.9)],
)
def test_hyperpascal_sums_to_one_far_from_the_geometric(k, m, q):
    """Scipy's 2F1 is below 0 at the first two, and no number at the fourth."""
    masses = hyperpascal({"k": k, "m": m, "q": q}, 3000)
    assert (masses >= 0).all()
    assert masses.sum() == pytest.approx(1)


@pytest.mark.parametrize("frequencies", [[1] * 40, [850, 636, 511, 269, 307, 40] * 9])
def test_even_frequencies_have_fits(frequencies):
    fits = rank_distributions(np.array(frequencies))
    assert [fit.fitted.sum() for fit in fits] == pytest.approx([sum(frequencies)] * 6)


@pytest.mark.parametrize("family", [NEGATIVE_HYPERGEOMETRIC, *OTHERS], ids=lambda f: f.law)
def test_expectations_sum_to_one_with_the_tail_in_the_last_class(family):
    parameters = family.parameters(np.array(family.start(2.0, 9)), 9)
    shares = expected_shares(family, parameters, 10)
    assert shares.sum() == pytest.approx(1)
    assert (shares >= 0).all()


@pytest.mark.parametrize(
    ("law", "shares", "expected"),
    [
        ("Geometric", stats.geom.pmf(np.arange(1, 60), 0.3), {"p": 0.3}),
        ("Poisson", stats.poisson.pmf(np.arange(20), 2.5), {"lambda": 2.5}),
        ("Binomial", stats.binom.pmf(np.arange(13), 12, 0.3), {"n": 12, "p": 0.3}),
        ("Negative binomial", stats.nbinom.pmf(np.arange(80), 0.6, 0.2), {"k": 0.6, "p": 0.2}),
        (
            "Frumkina (negative hypergeometric)",
            stats.betabinom.pmf(np.arange(18), 17, 0.11, 2.2),
            {"K": 2.31, "M": 0.11, "n": 17},
        ),
        (
            "Hyperpascal",
            hyperpascal({"k": 0.5, "m": 2.0, "q": 0.9}, 60),
            {"k": 0.5, "m": 2.0, "q": 0.9},
        ),
    ],
)
def test_parameters_are_recovered(law, shares, expected):
    (family,) = (family for family in (NEGATIVE_HYPERGEOMETRIC, *OTHERS) if family.law == law)
    frequencies = np.trim_zeros(np.rint(1e6 * shares), "b")
    fit = fit_distribution(family, frequencies, len(frequencies) - 1)
    assert fit.parameters == pytest.approx(expected, rel=0.02)
    assert fit.c < 1e-4
    assert fit.converged


def test_published_winner():
    fits = rank_distributions(F)
    assert [fit.law for fit in fits[:2]] == ["Frumkina (negative hypergeometric)", "Hyperpascal"]
    assert len(fits) == 6
    assert [fit.p for fit in fits] == sorted((fit.p for fit in fits), reverse=True)


def test_larger_n_takes_empty_classes_in():
    fit = fit_frumkina(F, 20)
    assert len(fit.x) == len(fit.y) == len(fit.fitted) == 21
    assert fit.fitted.sum() == pytest.approx(F.sum())
    assert fit_frumkina(np.append(F, [0, 0])).parameters == fit_frumkina(F).parameters


@pytest.mark.parametrize("frequencies", [[], [0, 0], [5], [5, 3]])
def test_too_few_classes(frequencies):
    for fit in (fit_frumkina(np.array(frequencies)), *rank_distributions(np.array(frequencies))):
        assert (fit.parameters, fit.converged, fit.chi2) == ({}, False, None)
        assert "below 3" in fit.note
        assert len(fit.x) == len(fit.y) == len(fit.fitted)


def test_few_observations_have_no_probability():
    fit = fit_frumkina(np.array([3, 1, 1]))
    assert fit.p is None
    assert "too few cells" in fit.note


@pytest.mark.parametrize(
    ("frequencies", "n"), [([1, -1, 2], None), ([1, math.inf, 2], None), ([5, 3, 2, 1], 2)]
)
def test_wrong_arguments(frequencies, n):
    with pytest.raises(ValueError, match="must be"):
        fit_frumkina(np.array(frequencies), n)
