"""Measures of agreement against their definitions, and the edges that the definitions leave open."""

from __future__ import annotations

from itertools import combinations
from math import inf, isnan, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.segmentation.accuracy import (
    Accuracy,
    accuracy,
    adjusted_rand,
    entropy,
    kl_divergence,
    mean_accuracy,
    mutual_information,
    nmi,
)


def counted_rand(x, y):
    """AdjRand by counting the pairs of tokens that are together in one, the other, both."""
    pairs = list(combinations(range(len(x)), 2))
    in_x = {pair for pair in pairs if x[pair[0]] == x[pair[1]]}
    in_y = {pair for pair in pairs if y[pair[0]] == y[pair[1]]}
    expected = len(in_x) * len(in_y) / len(pairs) if pairs else 0
    largest = (len(in_x) + len(in_y)) / 2
    return (len(in_x & in_y) - expected) / (largest - expected) if largest != expected else 1


def share(x, value):
    return sum(label == value for label in x) / len(x)


def slow_entropy(x):
    return -sum(share(x, value) * log(share(x, value)) for value in set(x))


def slow_information(x, y):
    joint = list(zip(x, y, strict=True))
    return sum(
        share(joint, pair) * log(share(joint, pair) / (share(x, pair[0]) * share(y, pair[1])))
        for pair in set(joint)
    )


def slow_nmi(x, y):
    if len(set(x)) <= 1 or len(set(y)) <= 1:
        return float(len(set(x)) == len(set(y)))
    return slow_information(x, y) / sqrt(slow_entropy(x) * slow_entropy(y))


labelings = st.lists(st.tuples(st.integers(0, 4), st.integers(-2, 3)), min_size=1, max_size=40)


@given(labelings)
def test_equal_to_the_definitions(pairs):
    x, y = map(list, zip(*pairs, strict=True))
    assert adjusted_rand(x, y) == pytest.approx(counted_rand(x, y))
    assert nmi(x, y) == pytest.approx(slow_nmi(x, y), abs=1e-12)
    assert mutual_information(x, y) == pytest.approx(slow_information(x, y), abs=1e-12)
    assert accuracy(x, y) == (adjusted_rand(x, y), nmi(x, y))


@given(labelings, st.permutations(range(5)))
def test_neither_order_nor_names_of_segments_count(pairs, names):
    x, y = map(list, zip(*pairs, strict=True))
    renamed = [names[label] for label in x]
    assert accuracy(renamed, y) == pytest.approx(accuracy(x, y))
    assert accuracy(y, x) == pytest.approx(accuracy(x, y))
    assert adjusted_rand(x, y) <= 1
    assert 0 <= nmi(x, y) <= 1
    assert accuracy(x, renamed) == (1, pytest.approx(1))


@pytest.mark.parametrize(
    ("x", "y", "rand", "information"),
    [
        # The examples of scikit-learn's manual.
        ([0, 0, 1, 2], [0, 0, 1, 1], 0.5714285714285714, 0.8164965809277260),
        ([0, 0, 0, 0], [0, 1, 2, 3], 0.0, 0.0),
        ([0, 0, 1, 1], [0, 1, 0, 1], -0.5, 0.0),
        # 0/0: all in one segment, all apart, one token, none.
        ([7, 7, 7], [1, 1, 1], 1.0, 1.0),
        ([0, 1, 2], [2, 1, 0], 1.0, 1.0),
        ([0], [0], 1.0, 1.0),
        ([], [], 1.0, 1.0),
    ],
)
def test_known_values(x, y, rand, information):
    assert adjusted_rand(x, y) == pytest.approx(rand)
    assert nmi(x, y) == pytest.approx(information)


def test_counts_of_pairs_that_no_float_holds():
    # The products of C(n) have 20 digits and more.
    x = np.repeat([0, 1], 100_000)
    y = x.copy()
    y[0] = 1
    assert 0.9999 < adjusted_rand(x, y) < 1


def test_labels_of_unequal_length():
    with pytest.raises(ValueError, match="one length"):
        accuracy([0, 1], [0])
    with pytest.raises(ValueError, match="one length"):
        nmi([[0]], [[0]])


def test_documents_without_tokens_have_no_score():
    assert all(map(isnan, accuracy([], [])))
    scores = [Accuracy(0.5, 0.7), accuracy([], []), Accuracy(1.0, 0.9)]
    assert mean_accuracy(scores) == pytest.approx((0.75, 0.8))
    assert all(map(isnan, mean_accuracy([])))


def test_entropy():
    assert entropy([3, 3]) == pytest.approx(log(2))
    assert entropy([5, 0]) == 0
    assert entropy([]) == 0


def test_divergence():
    assert kl_divergence([1, 1], [1, 3]) == pytest.approx(0.5 * log(0.5 / 0.25 * 0.5 / 0.75))
    assert kl_divergence([2, 0], [7, 7]) == pytest.approx(log(2))
    assert kl_divergence([1, 1], [1, 0]) == inf
    assert kl_divergence([3, 5], [6, 10]) == 0


@given(labelings)
def test_information_is_the_divergence_from_independence(pairs):
    table = np.zeros((5, 6))
    for i, j in pairs:
        table[i, j + 2] += 1
    independent = np.outer(table.sum(axis=1), table.sum(axis=0))
    information = mutual_information(*map(list, zip(*pairs, strict=True)))
    assert kl_divergence(table.ravel(), independent.ravel()) == pytest.approx(information, abs=1e-9)


@pytest.mark.parametrize("p", [[0, 0], [-1, 2], [np.nan, 1], [np.inf, 1]])
def test_what_is_no_distribution(p):
    with pytest.raises(ValueError, match="p must not be negative"):
        kl_divergence(p, [1, 1])
    with pytest.raises(ValueError, match="q must not be negative"):
        kl_divergence([1, 1], p)
    with pytest.raises(ValueError, match="one length"):
        kl_divergence([1, 1], [1])
