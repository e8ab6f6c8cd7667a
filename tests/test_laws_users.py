"""Random writers and random surfers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from pipelines.linguistics.laws.random_surfer import Chain, random_surfer, stratified_surfer
from pipelines.linguistics.laws.random_writer import (
    fit_random_writer,
    fit_stratified_random_writer,
    posterior_long,
    sample_stratified,
    stratified_shares,
    word_threshold,
    writer_shares,
)

# Kohlschütter 2011, section 4.4.4
WRITER = {"share_short": 0.7586, "p_short": 0.3968, "p_long": 0.04369}
shares = st.floats(0.01, 0.99)


@pytest.mark.parametrize("seed", range(5))
def test_stratified_writer_is_recovered_within_five_per_cent(seed):
    words = sample_stratified(np.random.default_rng(seed), 100_000, **WRITER)
    fit = fit_stratified_random_writer(words)
    assert list(fit.parameters) == ["P_N(S)", "P_S(N)", "P_L(N)"]
    assert list(fit.parameters.values()) == pytest.approx(list(WRITER.values()), rel=0.05)
    assert fit.r2_adjusted > 0.999
    assert fit.n == 200


def test_writer_is_recovered_and_is_scipys_geometric():
    words = np.random.default_rng(2).geometric(0.3145, 50_000)
    fit = fit_random_writer(words)
    assert fit.parameters["p"] == pytest.approx(0.3145, rel=0.02)
    assert fit.p > 1e-3
    x = np.arange(1, 50)
    assert writer_shares(x, 0.3145) == pytest.approx(stats.geom.pmf(x, 0.3145))


def test_means_and_masses_of_the_published_mixture():
    x = np.arange(1.0, 2000)
    y = stratified_shares(x, *WRITER.values())
    assert y.sum() == pytest.approx(1)
    assert x @ y == pytest.approx(0.7586 / 0.3968 + 0.2414 / 0.04369)
    words = sample_stratified(np.random.default_rng(1), 50_000, **WRITER)
    assert words.min() == 1
    assert words.mean() == pytest.approx(x @ y, rel=0.03)


def test_the_mixture_fits_a_mixture_better():
    words = sample_stratified(np.random.default_rng(1), 20_000, **WRITER)
    one, two = fit_random_writer(words), fit_stratified_random_writer(words)
    assert one.r2_adjusted < two.r2_adjusted
    assert one.rmse > two.rmse


def test_rmse_falls_with_the_support_as_empty_lengths_count():
    words = sample_stratified(np.random.default_rng(1), 20_000, **WRITER)
    rmse = [fit_random_writer(words, support).rmse for support in (50, 100, 200)]
    assert rmse == sorted(rmse, reverse=True)
    assert fit_random_writer(np.array([1, 2, 2, 9]), 5).y.tolist() == [0.25, 0.5, 0, 0, 0]


@settings(deadline=None)
@given(shares, shares, shares)
def test_threshold_is_where_the_posterior_reaches_one_half(share, first, second):
    if abs(first - second) < 0.02:
        return
    p = {"share_short": share, "p_short": max(first, second), "p_long": min(first, second)}
    found = word_threshold(**p)
    words = np.arange(1, found + 3)
    posterior = posterior_long(words, **p)
    assert (np.diff(posterior) >= 0).all()
    assert posterior[found - 1] >= 0.5 - 1e-9
    assert found == 1 or posterior[found - 2] < 0.5 + 1e-9
    short = share * stats.geom.pmf(words, p["p_short"])
    long = (1 - share) * stats.geom.pmf(words, p["p_long"])
    with np.errstate(invalid="ignore"):
        slow = long / (short + long)
    assert posterior[:3] == pytest.approx(slow[:3])


@pytest.mark.parametrize(
    ("share", "short", "long", "threshold"),
    [
        (0.7586, 0.3968, 0.04369, 9),
        (0.0, 0.4, 0.1, 1),
        (1.0, 0.4, 0.1, None),
        (0.5, 1.0, 0.1, 2),  # short text is one word
        (0.01, 1.0, 0.5, 1),
        (0.5, 0.1, 0.4, None),  # long text is not the longer one
    ],
)
def test_threshold_at_the_ends(share, short, long, threshold):
    p = {"share_short": share, "p_short": short, "p_long": long}
    assert word_threshold(**p) == threshold


@pytest.mark.parametrize("words", [[], [0, 0], [500], [3, 3, 3], [1, 2]])
def test_poor_data(words):
    for fit in (fit_random_writer, fit_stratified_random_writer):
        found = fit(np.array(words, dtype=np.int64))
        assert len(found.x) == len(found.y) == len(found.fitted) == 200
        assert found.parameters or (found.note and not found.converged)


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: fit_random_writer(np.array([-1])), "block_word_counts"),
        (lambda: fit_random_writer(np.array([0.5])), "block_word_counts"),
        (lambda: fit_random_writer(np.array([1]), 1), "support"),
        (lambda: word_threshold(share_short=2, p_short=0.5, p_long=0.1), "share_short"),
        (lambda: word_threshold(share_short=0.5, p_short=0.5, p_long=0), "p_long"),
        (lambda: random_surfer(1.1), "alpha"),
        (lambda: stratified_surfer(0.85, -0.1, 0.5), "beta"),
        (lambda: stratified_surfer(0.85, 0, 0), "beta"),
        (lambda: stratified_surfer(0.85, 0.5, 0.5, "other"), "form"),
        (lambda: stratified_surfer(0.85, 0.5, 0.5, "printed").stationary(), "rows must sum"),
        (lambda: Chain(("A", "B"), np.eye(2)).stationary(), "more than one"),
    ],
)
def test_wrong_arguments(call, match):
    with pytest.raises(ValueError, match=match):
        call()


def test_printed_surfer_is_no_chain():
    chain = stratified_surfer(0.85, 0.5, 0.5, "printed")
    assert chain.row_sums == pytest.approx([0.925, 0.925, 1])
    assert not chain.is_stochastic


def test_surfer_at_the_case_of_pagerank_browses_with_alpha():
    chain = stratified_surfer(0.85, 0.5, 0.5)
    assert chain.stationary() == pytest.approx([0.425, 0.425, 0.15])
    assert random_surfer(0.85).stationary() == pytest.approx([0.85, 0.15])


@settings(deadline=None)
@given(shares, shares, shares)
def test_corrected_surfer_is_stochastic_and_its_stationary_distribution_stays(alpha, beta, gamma):
    chain = stratified_surfer(alpha, beta, gamma)
    assert chain.is_stochastic
    assert (chain.transitions >= 0).all()
    found = chain.stationary()
    assert found.sum() == pytest.approx(1)
    assert found @ chain.transitions == pytest.approx(found, abs=1e-9)
    assert found[2] == pytest.approx(1 - alpha)  # the share of jumps does not depend on the strata
    # the slow way: walk long enough
    walked = np.linalg.matrix_power(chain.transitions, 20_000)[0]
    assert walked == pytest.approx(found, abs=1e-6)
