"""ZeroR, 1R, the decision tree and the linear machine: what they learn from made instances."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.evaluation.training.bins import MAX_BINS, Bins
from pipelines.evaluation.training.classifiers import Instances, OneR, ZeroR
from pipelines.evaluation.training.decision_tree import DecisionTree
from pipelines.evaluation.training.linear_svm import LinearSvm

CLASSES = ("boilerplate", "content", "headline")


def instances(rows, label, weight=None, group=None, n_classes=2):
    features = np.array(rows, dtype=np.float64)
    if features.ndim == 1:
        features = features[:, None]
    n = len(label)
    return Instances(
        features,
        np.array(label, dtype=np.int64),
        np.ones(n) if weight is None else np.array(weight, dtype=np.float64),
        np.arange(n) if group is None else np.array(group, dtype=np.int64),
        n_classes,
    )


def answers(classifier, rows):
    features = np.array(rows, dtype=np.float64)
    if features.ndim == 1:
        features = features[:, None]
    return classifier.scores(features).argmax(axis=1).tolist()


def test_zero_r_weighs():
    classifier = ZeroR()
    classifier.fit(instances([1, 2, 3], [0, 0, 1], weight=[1, 1, 3]))
    assert classifier.scores(np.zeros((2, 1))).tolist() == [[0.4, 0.6]] * 2
    assert classifier.text(["x"], CLASSES) == "content"
    assert classifier.n_leaves is None


def test_one_r_closes_intervals_that_weigh_enough():
    given_rows = instances([1, 2, 3, 4, 5, 6], [0, 0, 1, 0, 1, 1])
    loose, strict = OneR(min_weight=1), OneR(min_weight=3)
    loose.fit(given_rows)
    strict.fit(given_rows)
    assert loose.cuts.tolist() == [2.5, 3.5, 4.5]
    # three of class 0 are not together before the 4; what is joined has the same answer
    assert strict.cuts.tolist() == [4.5]
    assert answers(strict, [0, 4.5, 4.6]) == [0, 0, 1]
    assert strict.n_leaves == 2
    assert strict.text(["words"], CLASSES) == "words <= 4.5: boilerplate\nwords above: content"


def test_one_r_takes_the_feature_of_the_least_error():
    rows = [[5, 1], [5, 2], [6, 8], [5, 9]]
    classifier = OneR(min_weight=1)
    classifier.fit(instances(rows, [0, 0, 1, 1]))
    assert (classifier.feature, classifier.cuts.tolist()) == (1, [5.0])


def test_one_r_of_a_constant_feature_has_one_leaf():
    classifier = OneR()
    classifier.fit(instances([3, 3, 3], [0, 1, 1]))
    assert classifier.n_leaves == 1
    assert answers(classifier, [3, 4]) == [1, 1]


def entropy(weights):
    total = sum(weights)
    return -sum(w / total * np.log2(w / total) for w in weights if w)


def plain_split(rows, label, weight, min_weight):
    """The split of C4.5 at a node, looking at each feature and each cut by itself."""

    def weights(places):
        return [sum(weight[i] for i in places if label[i] == c) for c in (0, 1)]

    every = range(len(rows))
    offers = []
    for feature in range(len(rows[0])):
        best = (0.0, 0.0, 0.0)
        values = sorted({row[feature] for row in rows})
        for low, high in itertools.pairwise(values):
            cut = (low + high) / 2
            sides = [
                [i for i in every if (rows[i][feature] <= cut) is below] for below in (True, False)
            ]
            sizes = [sum(weights(side)) for side in sides]
            if min(sizes) < min_weight:
                continue
            rest = sum(
                size * entropy(weights(side)) for size, side in zip(sizes, sides, strict=True)
            )
            gain = entropy(weights(every)) - rest / sum(sizes)
            if gain > best[0] + 1e-12:
                best = (gain, gain / entropy(sizes), cut)
        offers.append(best)
    gains = [gain for gain, _, _ in offers if gain > 1e-9]
    if not gains:
        return None
    ratios = [ratio if gain >= np.mean(gains) - 1e-9 else 0 for gain, ratio, _ in offers]
    feature = int(np.argmax(ratios))
    return offers[feature], ratios[feature]


drawn_rows = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 3), st.booleans(), st.integers(1, 4)),
    min_size=1,
    max_size=14,
)


@given(drawn_rows, st.integers(1, 6))
def test_first_split_is_that_of_c45(drawn, min_weight):
    rows = [[a, b] for a, b, _, _ in drawn]
    label = [int(content) for _, _, content, _ in drawn]
    weight = [w for _, _, _, w in drawn]
    tree = DecisionTree(min_weight=min_weight)
    learned = instances(rows, label, weight)
    root = tree._grown(learned, Bins(learned.features))
    expected = plain_split(rows, label, weight, min_weight)
    if expected is None:
        assert not root.parts
        return
    assert root.parts
    # ties between features may go either way: the worth of the split is the same
    n = [part.weights.sum() for part in root.parts]
    rest = sum(part.weights.sum() * entropy(part.weights) for part in root.parts) / sum(n)
    gain = entropy(root.weights) - rest
    assert gain / entropy(n) == pytest.approx(expected[1], rel=1e-6)


@given(drawn_rows, st.integers(1, 6))
def test_leaves_weigh_enough_and_cover_all(drawn, min_weight):
    learned = instances(
        [[a, b] for a, b, _, _ in drawn],
        [int(content) for _, _, content, _ in drawn],
        [w for _, _, _, w in drawn],
    )
    tree = DecisionTree(min_weight=min_weight)
    tree.fit(learned)
    leaves = list(tree.root.leaves())
    assert tree.n_leaves == len(leaves)
    if len(leaves) > 1:
        assert min(leaf.weights.sum() for leaf in leaves) >= min_weight
    assert sum(leaf.weights.sum() for leaf in leaves) == pytest.approx(learned.weight.sum())
    assert tree.scores(learned.features).sum(axis=1) == pytest.approx(np.ones(len(drawn)))


def xor(n=400):
    random = np.random.default_rng(1)
    rows = random.uniform(0, 1, (n, 2))
    label = ((rows[:, 0] > 0.4) & (rows[:, 1] > 0.3)).astype(int)
    return rows, label


def test_tree_learns_two_thresholds_and_prints_them():
    rows, label = xor()
    tree = DecisionTree(min_weight=5)
    tree.fit(instances(rows, label))
    assert answers(tree, [[0.3, 0.9], [0.5, 0.2], [0.5, 0.9]]) == [0, 0, 1]
    lines = tree.text(["words", "density"], CLASSES).split("\n")
    assert len(lines) == 4
    assert sum("boilerplate" in line for line in lines) == 2
    assert sum(line.startswith("|  ") for line in lines) == 2
    assert lines[0].startswith(("words <= 0.4", "density <= 0.3"))


def test_reduced_error_pruning_removes_what_is_noise():
    rows, label = xor()
    noisy = label.copy()
    noisy[::9] = 1 - noisy[::9]
    full, pruned = DecisionTree(min_weight=2), DecisionTree(min_weight=2, reduced_error=True)
    full.fit(instances(rows, noisy))
    pruned.fit(instances(rows, noisy))
    assert pruned.n_leaves < full.n_leaves / 2
    assert np.mean(np.array(answers(pruned, rows)) == label) > 0.95
    # what was held back is weighed in the end
    assert pruned.root.weights.sum() == len(label)


def test_pruning_with_a_single_group_leaves_the_tree_alone():
    rows, label = xor(60)
    tree = DecisionTree(min_weight=5, reduced_error=True)
    tree.fit(instances(rows, label, group=[0] * 60))
    assert tree.n_leaves == 3


def test_three_classes_and_a_single_leaf():
    tree = DecisionTree(min_weight=1)
    tree.fit(instances([1, 2, 3], [0, 2, 1], n_classes=3))
    assert answers(tree, [1, 2, 3]) == [0, 2, 1]
    tree.fit(instances([1, 1], [2, 2], n_classes=3))
    assert tree.text(["x"], CLASSES) == "headline (2/0)"


def test_linear_machine():
    rows, label = xor()
    machine = LinearSvm()
    machine.fit(instances(rows, label))
    assert np.mean(np.array(answers(machine, rows)) == label) > 0.85
    assert machine.text(["words", "density"], CLASSES[:2]).startswith("boilerplate: words -")
    # a class that was not among the instances is never the answer
    machine.fit(instances([1, 2, 8, 9], [0, 0, 2, 2], n_classes=3))
    assert answers(machine, [1, 9]) == [0, 2]


def test_linear_machine_is_that_of_scikit_learn():
    svm = pytest.importorskip("sklearn.svm")
    rows, label = xor()
    weight = np.arange(1, len(label) + 1) / 200
    machine = LinearSvm()
    machine.fit(instances(rows, label, weight=weight))
    weight /= weight.mean()
    mean = np.average(rows, axis=0, weights=weight)
    standard = (rows - mean) / np.sqrt(np.average((rows - mean) ** 2, axis=0, weights=weight))
    # a bias of next to no penalty
    theirs = svm.LinearSVC(C=1, dual=False, tol=1e-10, max_iter=100_000, intercept_scaling=1000)
    theirs.fit(standard, label, weight)
    np.testing.assert_allclose(
        machine.scores(rows)[:, 1], theirs.decision_function(standard), rtol=1e-3, atol=1e-4
    )


def test_linear_machine_takes_constant_and_repeated_features():
    machine = LinearSvm()
    machine.fit(instances([[1, 5, 1], [2, 5, 2], [8, 5, 8]], [0, 0, 1]))
    assert answers(machine, [[1, 5, 1], [9, 5, 9]]) == [0, 1]


@given(st.lists(st.floats(-10, 10), min_size=1, max_size=30))
def test_bins_keep_the_order_and_tell_values_apart(values):
    column = np.array(values)[:, None]
    codes = Bins(column).codes(column)[:, 0]
    _, expected = np.unique(values, return_inverse=True)
    halves = np.unique(values)
    if len(halves) < 2 or np.diff(halves).min() > 1e-9:
        assert codes.tolist() == expected.tolist()


def test_many_values_share_bins():
    column = np.arange(10_000.0)[:, None]
    codes = Bins(column).codes(column)[:, 0]
    assert codes.max() == MAX_BINS - 1
    assert np.bincount(codes).max() <= 2 * 10_000 / MAX_BINS
    assert (np.diff(codes) >= 0).all()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: OneR(min_weight=0), "min_weight must be above 0, got 0"),
        (lambda: DecisionTree(min_weight=-1), "min_weight must be above 0, got -1"),
        (lambda: LinearSvm(penalty=0), "penalty must be above 0, got 0"),
    ],
)
def test_wrong_options(make, message):
    with pytest.raises(ValueError, match=message):
        make()
