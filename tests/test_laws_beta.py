"""Beta curves and mixtures: the Brown corpus, the published curves, recovery."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from pipelines.linguistics.laws.beta_mixtures import (
    beta_beta_gauss,
    beta_density,
    fit_average_token_length,
    fit_beta,
    fit_beta_beta_gauss,
    fit_sentence_lengths,
    fit_three_beta,
    fit_two_beta,
)

# Sentences of 1..79 words in the Brown corpus, relative frequency by 1e5 (Kucera & Francis 1967)
BROWN = """806 1370 1862 2547 3043 3189 3516 3545 3286 3533 3562 3788 3669 3751 3518 3541 3434 3305
    3329 3103 2867 2724 2647 2526 2086 2178 2128 1801 1690 1556 1512 1326 1277 1062 1051 901 838 764
    683 589 624 488 477 406 390 350 318 241 224 220 262 207 174 174 128 121 103 117 124 82 88 61 61
    75 63 56 52 57 31 29 21 17 21 34 31 11 11 8 6"""
DENSITY = np.arange(1.0, 36)
# Kohlschütter 2011, section 4.3.2, the printed sigma^2 taken as sigma
PRINTED = {
    "a1": 68.03, "b1": 132.5, "a2": 4.034, "b2": 54.49, "c": 0.015, "d": 0.64,
    "centre": (28.65 - 7.834) / 78.87 * 36, "width": 6.489 / 78.87 * 36, "sigma": 6.489,
}  # fmt: skip
ALL = (fit_beta, fit_average_token_length, fit_two_beta, fit_three_beta, fit_beta_beta_gauss)


def test_brown_sentence_lengths():
    fit = fit_sentence_lengths(np.array([int(value) for value in BROWN.split()]) / 99768)
    p = fit.parameters
    assert p["a"] == pytest.approx(1.926, abs=2e-3)
    assert p["b"] == pytest.approx(6.356, abs=1e-2)
    assert p["c"] == pytest.approx(0.013, abs=1e-3)
    assert p["x_norm"] == 79
    assert round(fit.r2, 3) == 0.996
    assert fit.rmse == pytest.approx(8.87e-4, abs=2e-6)  # divides by n - p
    assert fit.converged


def test_density_is_scipys():
    x = np.linspace(0, 1, 21)
    for a, b in ((1, 1), (1, 3), (2.5, 1), (68.03, 132.5)):
        assert beta_density(x, a, b) == pytest.approx(stats.beta.pdf(x, a, b), abs=1e-12)


def test_published_curve_has_modes_2_and_12_and_the_normal_part_between():
    y = beta_beta_gauss(DENSITY, PRINTED, 36)
    peaks = [k for k in range(2, 35) if y[k - 2] < y[k - 1] > y[k]]
    assert peaks == [2, 12]
    long = beta_beta_gauss(DENSITY, PRINTED | {"d": 1.0, "sigma": math.inf}, 36) * PRINTED["d"]
    short = beta_beta_gauss(DENSITY, PRINTED | {"d": 0.0, "sigma": math.inf}, 36)
    short *= 1 - PRINTED["d"]
    normal = y - long - short
    largest = np.argmax([long, short, normal], axis=0)
    # in the far tails all parts are next to nothing
    assert [int(k) for k in DENSITY[largest == 2] if k <= 12] == [5, 6, 7, 8, 9, 10]
    masses = (long.sum(), short.sum(), normal.sum())
    assert masses == pytest.approx((0.346, 0.195, 0.449), abs=1e-3)


def test_with_the_printed_variance_as_variance_the_modes_are_others():
    narrow = math.sqrt(6.489)
    p = PRINTED | {"sigma": narrow, "width": narrow / 78.87 * 36}
    y = beta_beta_gauss(DENSITY, p, 36)
    assert [k for k in range(2, 35) if y[k - 2] < y[k - 1] > y[k]] == [2, 10]


@pytest.mark.parametrize("swapped", [False, True])
def test_beta_beta_gauss_recovers_the_published_parameters(swapped):
    p = dict(PRINTED)
    if swapped:  # the order of the components is that of their modes
        p |= {"a1": p["a2"], "b1": p["b2"], "a2": p["a1"], "b2": p["b1"], "d": 1 - p["d"]}
    fit = fit_beta_beta_gauss(DENSITY, beta_beta_gauss(DENSITY, p, 36), 36)
    assert {name: fit.parameters[name] for name in PRINTED} == pytest.approx(PRINTED, rel=1e-3)
    assert fit.parameters["e"] == pytest.approx(78.87, rel=1e-3)
    assert fit.parameters["mu"] - fit.parameters["f"] == pytest.approx(28.65 - 7.834, rel=1e-3)
    assert fit.parameters["mode1"] == pytest.approx(12.15, abs=0.01)
    assert fit.parameters["mode2"] == pytest.approx(1.93, abs=0.01)
    assert fit.note == "mass: dense 0.346, sparse 0.194, normal 0.450"


def test_both_parametrisations_draw_one_curve():
    rng = np.random.default_rng(4)
    y = beta_beta_gauss(DENSITY, PRINTED, 36) * rng.uniform(0.9, 1.1, 35)
    fit = fit_beta_beta_gauss(DENSITY, y, 36)
    p, x = fit.parameters, DENSITY / 36
    betas = p["d"] * stats.beta.pdf(x, p["a1"], p["b1"])
    betas += (1 - p["d"]) * stats.beta.pdf(x, p["a2"], p["b2"])
    normal = stats.norm.pdf(p["e"] * x + p["f"], p["mu"], p["sigma"])
    assert fit.fitted == pytest.approx(p["c"] * betas + (1 - p["c"]) * normal, rel=1e-9)
    assert fit.r2 > 0.98


def test_the_normal_part_stays_where_a_transition_can_be():
    p = PRINTED | {"a2": 20.0, "b2": 60.0, "centre": 2.2, "width": 1.3}
    fit = fit_beta_beta_gauss(DENSITY, beta_beta_gauss(DENSITY, p, 36), 36)
    assert 4.5 <= fit.parameters["centre"] <= 11.5


@pytest.mark.slow
@pytest.mark.parametrize("largest", [15, 18, 21, 26])
def test_the_published_classes_are_found_whatever_the_largest_density(largest):
    x = np.arange(1.0, largest + 1)
    y = beta_beta_gauss(x, PRINTED, 36)
    fit = fit_beta_beta_gauss(x, y / y.sum())
    p = fit.parameters
    assert (p["x_norm"], fit.r2) == (largest, pytest.approx(1, abs=0.01))
    found = p["mode1"], p["mode2"], p["centre"]
    assert found == pytest.approx((12.15, 1.93, 9.5), abs=0.5)
    assert fit.note.startswith("mass: ")


def two_beta(p1, p2):
    x = DENSITY / 40
    return (p1 * stats.beta.pdf(x, 64, 148) + p2 * stats.beta.pdf(x, 2.6, 32)) / 40


def test_two_beta_as_a_curve_keeps_weights_that_do_not_sum_to_one():
    fit = fit_two_beta(DENSITY, two_beta(0.65, 0.55), 40)
    expected = {"a1": 64, "b1": 148, "a2": 2.6, "b2": 32, "p1": 0.65, "p2": 0.55, "c": 1 / 40}
    assert {name: fit.parameters[name] for name in expected} == pytest.approx(expected, rel=1e-3)
    assert fit.note == "p1 + p2 = 1.200"


def test_two_beta_as_a_distribution_moves_the_surplus_into_c():
    fit = fit_two_beta(DENSITY, two_beta(0.65, 0.55), 40, distribution=True)
    assert fit.parameters["p1"] == pytest.approx(0.65 / 1.2, rel=1e-3)
    assert fit.parameters["c"] == pytest.approx(1.2 / 40, rel=1e-3)
    assert fit.note == "p1 + p2 = 1.000"


def test_three_beta_recovers_the_published_curve():
    shapes = ((64.08, 147.9), (10.7, 30.45), (2.596, 32.33))
    y = 0.025 / 3 * sum(stats.beta.pdf(DENSITY / 36, a, b) for a, b in shapes)
    fit = fit_three_beta(DENSITY, y, 36)
    p = fit.parameters
    found = [(p[f"a{i}"], p[f"b{i}"]) for i in (1, 2, 3)]
    assert np.array(found) == pytest.approx(np.array(shapes), rel=1e-2)
    assert p["c"] == pytest.approx(0.025, rel=1e-3)
    assert [p["mode1"], p["mode2"], p["mode3"]] == pytest.approx([10.8, 8.9, 1.7], abs=0.06)


def test_token_length_recovers_the_published_curve():
    x = np.arange(1.0, 30)
    y = 0.002458 * stats.beta.pdf(x / 358, 40.53, 2612)
    p = fit_average_token_length(x, y, 358).parameters
    assert (p["a"], p["b"], p["c"]) == pytest.approx((40.53, 2612, 0.002458), rel=1e-3)
    assert p["mode"] == pytest.approx(5.34, abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("fit", ALL)
@pytest.mark.parametrize(
    "y", [[], [1.0], [0, 0, 0], [0.2] * 12, [0] * 11 + [1.0], [1.0] + [0] * 11, [0.5, 0.5] * 6]
)
def test_poor_data(fit, y):
    found = fit(np.arange(1.0, len(y) + 1), np.array(y, dtype=float))
    assert len(found.x) == len(found.y) == len(found.fitted) == len(y)
    assert found.parameters or (found.note and not found.converged)


@pytest.mark.parametrize("fit", ALL)
def test_wrong_arguments(fit):
    x = np.arange(1.0, 5)
    for arguments in ((x, x[1:]), (x, -x), (x, x * math.nan), (x, x, 3.0), (x, x, math.nan)):
        with pytest.raises(ValueError, match="must be"):
            fit(*arguments)
