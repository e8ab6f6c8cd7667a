"""Measures of rankings: the worked values of the specification, the edges, and the ideal order."""

from __future__ import annotations

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.retrieval.measures import (
    average_precision,
    dcg,
    mean_scores,
    ndcg_at,
    precision_at,
    ranking_scores,
)

GRADES = {"a": 3, "b": 0, "c": 2, "d": 1, "e": -1}


def test_gains_of_the_first_two_ranks_are_whole():
    assert dcg([3, 2, 3, 0, 1, 2]) == pytest.approx(8.0972, abs=1e-4)
    assert dcg([1, 1]) == 2
    assert dcg([]) == 0


def test_precision_is_of_k_also_where_fewer_are_found():
    assert precision_at(10, ["a", "b", "c"], GRADES) == 0.2
    assert precision_at(2, ["a", "b", "c"], GRADES) == 0.5
    assert precision_at(1, [], GRADES) == 0


def test_average_precision_counts_what_was_not_found():
    assert average_precision(["x", "a", "e", "c"], GRADES) == pytest.approx((1 / 2 + 2 / 4) / 3)
    assert average_precision(["a"], {"a": 0}) == 0


def test_ndcg():
    best = 3 + 2 + 1 / log2(3)
    assert ndcg_at(10, ["b", "c", "a"], GRADES) == pytest.approx((2 + 3 / log2(3)) / best)
    assert ndcg_at(1, ["c"], GRADES) == pytest.approx(2 / 3)
    # grades of another value: negative and positive opinions as good as each other
    gains = {1: 1.0, 2: 2.0, 3: 2.0}
    assert ndcg_at(2, ["c", "a"], GRADES, gains) == 1
    assert ndcg_at(10, ["a"], {}) == 0


@given(
    st.dictionaries(st.sampled_from("abcdefgh"), st.integers(-1, 3)), st.permutations("abcdefgh")
)
def test_the_ideal_order_is_the_best(grades, ranking):
    ideal = sorted(grades, key=lambda page: -grades[page])
    assert ndcg_at(5, ranking, grades) <= ndcg_at(5, ideal, grades) + 1e-12
    assert ndcg_at(5, ideal, grades) == pytest.approx(1.0 if max([0, *grades.values()]) else 0.0)
    assert average_precision(ideal, grades) in {0.0, 1.0}


def test_means_over_queries():
    scores = [ranking_scores(["a"], GRADES), ranking_scores(["b"], GRADES)]
    assert mean_scores(scores).precision == pytest.approx(0.05)
    assert mean_scores([]) == (0, 0, 0)


@pytest.mark.parametrize("measure", [precision_at, ndcg_at])
def test_wrong_rank(measure):
    with pytest.raises(ValueError, match="k must be at least 1, got 0"):
        measure(0, [], {})
