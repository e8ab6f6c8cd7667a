"""Kendall's tau, membership and facet identification: worked examples, slow versions, traps."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from crawler.ranking.kendall import kendall_tau, overlap, top_k_tau
from crawler.ranking.topics.facets import facet_shares, identify_facets, is_suggested
from crawler.ranking.topics.membership import MembershipTable, memberships


def slow_tau(x, y, variant: str) -> float:
    agreement, tied_x, tied_y, pairs = 0, 0, 0, 0
    for i, j in itertools.combinations(range(len(x)), 2):
        agreement += int(np.sign(x[i] - x[j]) * np.sign(y[i] - y[j]))
        tied_x += x[i] == x[j]
        tied_y += y[i] == y[j]
        pairs += 1
    whole = pairs if variant == "a" else math.sqrt((pairs - tied_x) * (pairs - tied_y))
    return agreement / whole if whole else math.nan


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=40),
    st.sampled_from(["a", "b"]),
)
def test_tau_equals_counting_all_pairs(pairs, variant):
    x, y = [p[0] for p in pairs], [p[1] for p in pairs]
    expected = slow_tau(x, y, variant)
    assert kendall_tau(x, y, variant=variant) == pytest.approx(expected, nan_ok=True)


def test_tau_b_equals_scipy():
    rng = np.random.default_rng(1)
    x = rng.integers(0, 300, 2000)
    y = x + rng.integers(0, 400, 2000)
    assert kendall_tau(x, y) == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)


@pytest.mark.parametrize(
    ("first", "second", "ties", "ignored", "common"),
    [
        ([1, 2, 3], [1, 2, 3], 1, 1, 1),
        ([1, 2, 3], [3, 2, 1], -1, -1, -1),
        # 4 pairs across stand in opposite order, 2 are tied in one of the lists
        ([1, 2], [3, 4], -4 / 6, -1, math.nan),
        # of 1 2 3 and 1 4: 12 13 14 agree, 24 34 do not, 23 is tied in the second
        ([1, 2, 3], [1, 4], 1 / 6, 1 / 5, math.nan),
        ([9, 1, 2, 3], [3, 8, 1, 2], -6 / 10, -6 / 10, -1 / 3),
        ([1], [1], math.nan, math.nan, math.nan),
        ([], [], math.nan, math.nan, math.nan),
    ],
)
def test_tau_of_best_items(first, second, ties, ignored, common):
    assert top_k_tau(first, second) == pytest.approx(ties, nan_ok=True)
    assert top_k_tau(first, second, missing="ignored") == pytest.approx(ignored, nan_ok=True)
    assert top_k_tau(first, second, missing="common") == pytest.approx(common, nan_ok=True)
    assert top_k_tau(second, first) == pytest.approx(ties, nan_ok=True)


def test_overlap():
    assert overlap([1, 2, 3, 4], [3, 4, 5, 6]) == 0.5
    assert math.isnan(overlap([], []))


def test_wrong_arguments_of_tau():
    with pytest.raises(ValueError, match="scores must be two vectors"):
        kendall_tau([1], [1, 2])
    with pytest.raises(ValueError, match="must not be NaN"):
        kendall_tau([1, math.nan], [1, 2])
    with pytest.raises(ValueError, match="variant must be one of b, a, got 'c'"):
        kendall_tau([1, 2], [1, 2], variant="c")
    with pytest.raises(ValueError, match="missing must be one of"):
        top_k_tau([1], [2], missing="last")
    with pytest.raises(ValueError, match="must not hold an id twice"):
        top_k_tau([1, 1], [2])


def test_worked_example_of_membership():
    # specs, test vector 9: r = (e, e^2, .5) in one dimension, uncertainty 2
    values = memberships([[math.e], [math.e**2], [0.5]], [0, 0, 0])
    assert values[:, 0] == pytest.approx([0.5, 1, math.log(0.5) / 2])
    table = MembershipTable.from_memberships(values)
    assert facet_shares(table, [np.array([0])], 0.1).tolist() == [1, 1, 0]


def test_figure_3_8_shares():
    # 31 of 100 results are of general importance, 28 of Computers, 9 of Computer_Science ...
    published = {0: 31, 1: 28, 2: 14, 3: 13, 4: 12, 5: 9, 6: 9}
    ranks = np.full((7, 100), 0.5)
    for facet, n_pages in published.items():
        ranks[facet, :n_pages] = 8
    values = memberships(ranks, [0, *[1] * 6])
    shares = facet_shares(MembershipTable.from_memberships(values), [np.arange(100)])
    assert shares.tolist() == [n_pages / 100 for n_pages in published.values()]


def test_traps_of_membership():
    # 21: no way from the topic: -inf; not one facet above the mean: 0, both below any theta
    assert memberships([[0.0, 0.5]], [0]).tolist() == [[-math.inf, 0.0]]
    # 22: the facet itself and its ancestors count
    assert memberships([[8.0], [4.0]], [0, 0])[1, 0] == pytest.approx(math.log(4) / 2)
    # 25: other dimensions do not
    assert memberships([[8.0], [4.0]], [0, 1])[1, 0] == pytest.approx(math.log(4))
    # 23: with another mean the sign still tells which side of it
    assert memberships([[0.8]], [0], mu=0.5)[0, 0] == pytest.approx(math.log(1.6))
    assert memberships([[0.8]], [0], mu=0.8)[0, 0] == 0
    # 24: theta .1 is r >= 1.105 by the natural logarithm, 1.259 by the one of base 10
    for base, least in ((math.e, 1.10518), (10, 1.25893)):
        for rank, is_member in ((least - 1e-4, False), (least + 1e-4, True)):
            table = MembershipTable.from_memberships(memberships([[rank]], [0], log_base=base))
            assert facet_shares(table, [np.array([0])]).tolist() == [is_member]


@given(st.lists(st.lists(st.sampled_from([0, 0.2, 1, 1.2, 3, 9]), min_size=4, max_size=4)))
def test_membership_equals_the_formula(rows):
    ranks = np.array(rows, dtype=float).reshape(-1, 4)
    dimensions = [i % 2 for i in range(len(ranks))]
    values = memberships(ranks, dimensions)
    table = MembershipTable.from_memberships(values)
    for page in range(4):
        for facet, rank in enumerate(ranks[:, page]):
            others = [g for g, dim in enumerate(dimensions) if dim == dimensions[facet]]
            alpha = sum(ranks[g, page] >= 1 for g in others)
            expected = -math.inf if rank == 0 else math.log(rank) / alpha if alpha else 0
            assert values[facet, page] == pytest.approx(expected)
            assert table.of_page(page).get(facet, 0) == pytest.approx(max(0, expected), rel=1e-6)


def test_members_equal_counting_in_the_full_matrix():
    rng = np.random.default_rng(2)
    values = memberships(rng.lognormal(0, 1.5, (30, 200)), rng.integers(0, 3, 30))
    table = MembershipTable.from_memberships(values)
    pages = rng.integers(0, 200, 500)  # 27: a page of two samples counts twice
    expected = (values[:, pages] >= 0.1).sum(axis=1)
    assert table.n_members(pages, 0.1).tolist() == expected.tolist()
    assert table.n_members(np.zeros(0, dtype=int), 0.1).tolist() == [0] * 30


def small_table() -> MembershipTable:
    """Pages 0-3 are of facet 0, 2-5 of facet 1, 5-7 of facet 2; nobody is of facet 3."""
    values = np.zeros((4, 8))
    for facet, pages in enumerate(([0, 1, 2, 3], [2, 3, 4, 5], [5, 6, 7], [])):
        values[facet, pages] = 1
    return MembershipTable.from_memberships(values)


def test_algorithm_3_1():
    samples = {0: [0, 1, 2, 3], 1: [2, 3, 4, 5], 2: [5, 6], 3: []}
    asked = []

    def sample(facet: int) -> np.ndarray:
        asked.append(facet)
        return np.array(samples[facet], dtype=np.int64)

    once = identify_facets(small_table(), [0], sample, new_share=0.3)
    assert (once.share.tolist(), once.sampled, once.rounds) == ([1, 0.5, 0, 0], (0,), 1)
    assert once.suggested() == [(0, 1.0), (1, 0.5)]
    # the second round pools the samples of 0 and 1: 6 of 8, 6 of 8, 1 of 8
    twice = identify_facets(small_table(), [0], sample, new_share=0.3, max_rounds=2)
    assert (twice.share.tolist(), twice.sampled) == ([0.75, 0.75, 0.125, 0], (0, 1))
    # nothing new is above lambda: the third round is not run, and no sample is asked for twice
    asked.clear()
    ended = identify_facets(small_table(), [0], sample, new_share=0.3, max_rounds=9)
    assert (ended.rounds, asked) == (2, [0, 1])
    # 26: of fewer results than k the share is of those there are; none at all is no share
    few = identify_facets(small_table(), [2, 3], sample)
    assert few.share.tolist() == [0, 0.5, 1, 0]
    assert identify_facets(small_table(), [3], sample).share.tolist() == [0] * 4
    assert identify_facets(small_table(), [], sample).rounds == 0


def test_success_counts_ancestors():
    # 29: the wanted category or any ancestor, not what lies below or beside it
    wanted = "Top/Arts/Film"
    for suggested, expected in (
        (["Top/Arts/Film"], True),
        (["Top/Arts"], True),
        (["Top/Arts/Film/Comedy", "Top/Arts/Music", "Top/Ar"], False),
        ([], False),
    ):
        assert is_suggested(wanted, suggested) == expected


def test_wrong_arguments_of_membership():
    with pytest.raises(ValueError, match="need a dimension each"):
        memberships([[1.0]], [0, 1])
    with pytest.raises(ValueError, match="ranks must be at least 0"):
        memberships([[-1.0]], [0])
    with pytest.raises(ValueError, match="mu must be above 0, got 0"):
        memberships([[1.0]], [0], mu=0)
    with pytest.raises(ValueError, match="log_base must be above 1, got 1"):
        memberships([[1.0]], [0], log_base=1)
    with pytest.raises(ValueError, match="theta must be above 0, got 0"):
        small_table().n_members(np.array([0]), 0)
    with pytest.raises(ValueError, match="max_rounds must be at least 1"):
        identify_facets(small_table(), [0], lambda _: np.zeros(0, int), max_rounds=0)
    with pytest.raises(ValueError, match="seed facets must be 0 to 3"):
        identify_facets(small_table(), [4], lambda _: np.zeros(0, int))
