"""Measures of decisions, and curves over a threshold."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.evaluation.gold import Scores
from pipelines.evaluation.measures.classification import (
    Confusion,
    confusion,
    curves,
    e_beta,
    roc_area,
    similarity,
)

items = st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=30)


def test_blocks_that_hide_a_lost_article():
    """Gottron 2008, Table 5.1: of ten blocks five are main content, and one of them is missed."""
    found = confusion([True] * 4 + [False] * 6, [True] * 5 + [False] * 5)
    assert found == Confusion(4, 0, 1, 5)
    assert found.scores == Scores(1.0, 0.8, pytest.approx(0.89, abs=0.005))
    assert found.accuracy == 0.9
    assert found.fp_rate == 0


def test_nothing_to_decide():
    nothing = confusion([], [])
    assert (nothing.scores, nothing.accuracy, nothing.fp_rate) == (Scores(1, 1, 1), 1, 0)
    assert [len(column) for column in curves([], [])] == [0] * 6
    with pytest.raises(
        ValueError, match=r"predicted and relevant must be of one length, got \(1,\)"
    ):
        confusion([True], [])


@pytest.fixture(scope="module")
def metrics():
    from sklearn import metrics  # half a second, which each worker would take to collect this file

    return metrics


@given(items)
def test_curves_are_the_decisions_at_each_threshold(metrics, rows):
    values, relevant = (list(column) for column in zip(*rows, strict=True))
    points = curves(values, relevant)
    assert points.thresholds.tolist() == sorted(set(values), reverse=True)
    for place, threshold in enumerate(points.thresholds):
        found = confusion([value >= threshold for value in values], relevant)
        assert points.precision[place] == pytest.approx(found.scores.precision)
        assert points.recall[place] == pytest.approx(found.scores.recall)
        assert points.true_positives[place] == found.true_positives
        assert points.n_retrieved[place] == found.true_positives + found.false_positives
        if not all(relevant):
            assert points.fp_rate[place] == pytest.approx(found.fp_rate)
    assert (points.recall[-1], points.fp_rate[-1], points.n_retrieved[-1]) == (1, 1, len(rows))
    if 0 < sum(relevant) < len(relevant):
        assert roc_area(points) == pytest.approx(metrics.roc_auc_score(relevant, values))


def test_effectiveness_and_similarity():
    assert e_beta(0.5, 0.5) == 0.5
    assert e_beta(1, 1, 0.5) == 0
    assert similarity(0) == similarity(0, largest=0) == similarity(0, falls="exponential") == 1
    assert similarity(0.25) == 0.75
    assert similarity(4, largest=4) == 0
    assert similarity(2, falls="exponential") == math.exp(-2)
    with pytest.raises(ValueError, match=r"distance must be 0 to 1\.0, got 2"):
        similarity(2)
    with pytest.raises(ValueError, match="falls must be linear, inverse or exponential"):
        similarity(2, falls="steeply")
