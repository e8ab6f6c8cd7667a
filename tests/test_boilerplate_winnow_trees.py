"""Winnow's forests against walks down each tree, the choice against all choices, the model file."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from crawler.errors import FormatError
from pipelines.boilerplate.winnow.choice import best_blocks, beta_of
from pipelines.boilerplate.winnow.model_file import Model, read_model, write_model
from pipelines.boilerplate.winnow.reasons.explain import pushes, start
from pipelines.boilerplate.winnow.trees import forest_of, forest_scores

N_FEATURES = 6


def grown(random, n_leaves, nodes, values):
    """Add a random tree of n leaves, parents before children; the place of its root."""
    if n_leaves == 1:
        values.append(float(random.integers(-8, 9)) / 4)
        return ~(len(values) - 1)
    place = len(nodes)
    nodes.append(None)
    n_left = int(random.integers(1, n_leaves))
    test = (int(random.integers(N_FEATURES)), float(random.integers(-3, 4)))
    sides = [grown(random, n, nodes, values) for n in (n_left, n_leaves - n_left)]
    nodes[place] = (*test, *sides, float(random.integers(-8, 9)) / 4)
    return place


def made_forest(seed, sizes):
    random = np.random.default_rng(seed)
    first, nodes, leaves = [0], [], []
    for size in sizes:
        tree, values = [], []
        grown(random, size, tree, values)
        nodes += tree
        first.append(len(nodes))
        leaves.append(values + [0.0] * (32 - len(values)))
    columns = list(zip(*nodes, strict=True)) or [()] * 5
    kinds = (np.uint32, np.float32, np.int8, np.int8, np.float32)
    arrays = [np.array(column, kind) for column, kind in zip(columns, kinds, strict=True)]
    return forest_of(
        np.array(first, np.uint32), *arrays, np.array(leaves, np.float32).reshape(-1, 32)
    )


def walked(forest, row):
    """The leaf of each tree that *row* falls into, node by node."""
    found = []
    for tree in range(len(forest.first) - 1):
        start, node = int(forest.first[tree]), 0
        if start == forest.first[tree + 1]:
            node = ~0
        while node >= 0:
            at = start + node
            is_left = row[forest.feature[at]] <= forest.threshold[at]
            node = int(forest.left[at] if is_left else forest.right[at])
        found.append(forest.leaf[tree, ~node])
    return found


@given(st.integers(0, 10**6), st.lists(st.integers(1, 32), max_size=6), st.integers(0, 40))
def test_scores_are_the_sums_of_walks(seed, sizes, n):
    forest = made_forest(seed, sizes)
    random = np.random.default_rng(seed)
    x = random.integers(-4, 5, (N_FEATURES, n)).astype(np.float32)
    # quarters are exact in float32, in any order
    expected = [sum(walked(forest, x[:, i])) for i in range(n)]
    assert forest_scores(forest, x).tolist() == expected


@given(st.integers(0, 10**6), st.lists(st.booleans(), max_size=100))
def test_scores_of_the_wanted_are_those_of_all(seed, wanted):
    forest, wanted = made_forest(seed, [20, 32, 7]), np.array(wanted, np.bool_)
    x = np.random.default_rng(seed).integers(-4, 5, (N_FEATURES, len(wanted))).astype(np.float32)
    scores = forest_scores(forest, x, wanted)
    assert scores[wanted].tolist() == forest_scores(forest, x)[wanted].tolist()


def test_scores_are_the_same_whatever_the_arrays_are():
    of = made_forest(3, [20, 32, 7])
    leaf, x = np.asfortranarray(of.leaf), np.ones((N_FEATURES, 9), np.float32)
    other = forest_of(of.first.astype(np.int64), *of[1:3], *of[4:7], leaf)
    assert forest_scores(other, x).tolist() == forest_scores(of, x).tolist()


def test_scores_refuse_too_few_features():
    forest = made_forest(1, [20])
    with pytest.raises(ValueError, match="features"):
        forest_scores(forest, np.zeros((1, 3), np.float32))


@pytest.mark.parametrize("child", [5, 0])
def test_a_forest_refuses_children_before_their_parents(child):
    one = np.zeros(1, np.uint32)
    with pytest.raises(ValueError, match="before their children"):
        forest_of(
            np.array([0, 1], np.uint32),
            one,
            np.zeros(1, np.float32),
            np.array([child], np.int8),
            np.array([~0], np.int8),
            np.zeros(1, np.float32),
            np.zeros((1, 32), np.float32),
        )


@given(st.integers(0, 10**6), st.lists(st.integers(1, 32), max_size=4))
def test_pushes_lead_from_the_start_to_the_scores(seed, sizes):
    forest = made_forest(seed, sizes)
    x = np.random.default_rng(seed).integers(-4, 5, (N_FEATURES, 5)).astype(np.float32)
    np.testing.assert_allclose(
        start(forest) + pushes(forest, x).sum(axis=0), forest_scores(forest, x), atol=1e-4
    )


def test_the_feature_that_is_asked_pushes():
    """A tree that asks one thing: the others push nothing, and the way down is from the mean to the leaf."""
    forest = made_forest(5, [2])
    x = np.zeros((N_FEATURES, 2), np.float32)
    asked = int(forest.feature[0])
    x[asked] = -9, 9
    expected = np.zeros((N_FEATURES, 2), np.float32)
    expected[asked] = forest.leaf[0, :2] - forest.mean[0]
    assert pushes(forest, x).tolist() == expected.tolist()


def plainly_chosen(p, n, doubt, beta):
    """The choice, block by block in a stable order."""
    doubted = p / (p + (1 - p) * np.exp(doubt)) if np.any(doubt) else p
    order = np.argsort((1 - doubted).astype(np.float32), kind="stable")
    all_found, found, taken, most, best = sum((doubted * n)[order]), 0.0, 0.0, -1.0, 0
    for place, i in enumerate(order):
        found, taken = found + doubted[i] * n[i], taken + n[i]
        expected = (1 + beta**2) * found / max(taken + beta**2 * all_found, 1e-9)
        if expected > most:
            most, best = expected, place
    return sorted(order[: best + 1].tolist())


@given(
    st.lists(
        st.tuples(
            st.sampled_from([0.0, 0.2, 0.5, 0.9, 1.0]),
            st.integers(1, 50),
            st.sampled_from([0, 0.5]),
        ),
        min_size=1,
        max_size=60,
    ),
    st.booleans(),
    st.sampled_from([0.0, 0.5, 1.0]),
)
def test_the_choice_is_the_plain_one(blocks, of_all, preset):
    p, n, doubts = (np.array(column, float) for column in zip(*blocks, strict=True))
    doubt, beta = float(doubts[0]) if of_all else doubts, beta_of(preset)
    kept = np.flatnonzero(best_blocks(p, n, beta=beta, doubt=doubt)).tolist()
    assert kept == plainly_chosen(p, n, doubt, beta)


def expected_f(chosen, p, n, beta):
    taken = sum(n[i] for i in chosen)
    found = sum(p[i] * n[i] for i in chosen)
    return (1 + beta**2) * found / (taken + beta**2 * float(np.dot(p, n)))


@given(
    st.lists(st.tuples(st.floats(0.01, 0.99), st.integers(1, 50)), min_size=1, max_size=7),
    st.sampled_from([0.0, 0.25, 0.5, 1.0]),
)
def test_no_other_choice_has_a_larger_expected_f(blocks, preset):
    p, n = (np.array(column, float) for column in zip(*blocks, strict=True))
    beta = beta_of(preset)
    kept = np.flatnonzero(best_blocks(p, n, beta=beta)).tolist()
    best = max(
        expected_f(chosen, p, n, beta)
        for size in range(1, len(p) + 1)
        for chosen in combinations(range(len(p)), size)
    )
    assert expected_f(kept, p, n, beta) == pytest.approx(best)


@given(
    st.lists(st.tuples(st.floats(1e-6, 1.0), st.integers(1, 200)), min_size=1, max_size=20),
    st.sampled_from([0.0, 0.2]),
    st.sampled_from([0.0, 1.5, 3.0]),
)
# Few likely words, which promise enough at presets a little above the middle, and less than that higher up.
@example([(0.253, 1), (0.0092, 28), (0.025, 38), (0.0001, 84)], 0.2, 1.5)
def test_a_higher_preset_keeps_no_less(blocks, least, spread):
    p, n = (np.array(column, float) for column in zip(*blocks, strict=True))
    kept = [
        best_blocks(p, n, beta=beta_of(preset), least=least, spread=spread).sum()
        for preset in (0.0, 0.3, 0.5, 0.51, 0.55, 0.6, 0.7, 0.8, 0.9, 1.0)
    ]
    assert kept == sorted(kept)


@given(
    st.lists(
        st.tuples(st.floats(0.01, 0.99), st.integers(1, 50), st.floats(-1, 1)),
        min_size=1,
        max_size=7,
    ),
    st.booleans(),
)
def test_a_doubt_is_taken_off_the_log_odds(blocks, of_all):
    p, n, doubts = (np.array(column, float) for column in zip(*blocks, strict=True))
    doubt = doubts[0] if of_all else doubts
    doubted = 1 / (1 + np.exp(-(np.log(p) - np.log(1 - p) - doubt)))
    kept = np.flatnonzero(best_blocks(p, n, doubt=doubt))
    best = np.flatnonzero(best_blocks(doubted, n))
    assert expected_f(kept, doubted, n, 1) == pytest.approx(expected_f(best, doubted, n, 1))


def mean_f(n_kept, p, n, spread):
    """The mean of the expected F of the first *n_kept* blocks, over what all odds may be off by."""
    deviates, shares = np.polynomial.hermite_e.hermegauss(5)
    log_odds = np.log(p) - np.log(1 - p)
    shifted = [1 / (1 + np.exp(-(log_odds + spread * deviate))) for deviate in deviates]
    order = np.argsort(-p, kind="stable")[:n_kept]
    values = [expected_f(order, each, n, 1) for each in shifted]
    return np.average(values, weights=shares)


@given(
    st.lists(st.tuples(st.floats(0.01, 0.99), st.integers(1, 50)), min_size=1, max_size=12),
    st.floats(0.1, 3.0),
)
def test_no_other_cut_has_a_larger_mean_of_the_expected_f(blocks, spread):
    p, n = (np.array(column, float) for column in zip(*blocks, strict=True))
    kept = best_blocks(p, n, spread=spread)
    best = max(mean_f(size, p, n, spread) for size in range(1, len(p) + 1))
    assert mean_f(kept.sum(), p, n, spread) == pytest.approx(best)
    assert p[kept].min() >= p[~kept].max(initial=0.0) - 1e-6


def test_of_what_may_be_likelier_than_it_seems_more_is_kept():
    p, n = np.array([0.95, *[0.2] * 9]), np.full(10, 30.0)
    assert best_blocks(p, n).sum() == 1
    assert best_blocks(p, n, spread=2.0).all()


def test_what_is_certain_is_not_spread():
    p, n = np.array([1.0, 0.0]), np.array([9.0, 9.0])
    assert best_blocks(p, n, spread=2.0).tolist() == [True, False]


def test_what_is_certain_is_not_doubted():
    kept = best_blocks(np.array([1.0, 0.0]), np.array([9.0, 9.0]), doubt=2.0)
    assert kept.tolist() == [True, False]


def test_nothing_is_kept_that_promises_little():
    assert not best_blocks(np.array([0.02, 0.01]), np.array([5.0, 9.0]), least=0.2).any()


@pytest.mark.parametrize("preset", ["best", -0.1, 1.5, float("nan")])
def test_other_presets_are_refused(preset):
    with pytest.raises(ValueError, match="preset must be"):
        beta_of(preset)


def test_a_model_is_read_as_it_was_written(tmp_path):
    forests = [made_forest(seed, [5, 32]) for seed in range(3)]
    for name in ("a", "b"):
        write_model(Model(*forests, about={"data": "none"}), tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    model = read_model(tmp_path / "a")
    assert model.about["data"] == "none"
    x = np.random.default_rng(0).random((N_FEATURES, 9), np.float32)
    assert forest_scores(model.full, x).tolist() == forest_scores(forests[1], x).tolist()


def test_another_version_is_refused(tmp_path):
    forests = [made_forest(1, [3])] * 3
    write_model(Model(*forests, about={"features": ["words"]}), tmp_path / "model")
    with pytest.raises(FormatError, match="another version"):
        read_model(tmp_path / "model")


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04 cut off"])
def test_what_is_no_model_is_refused_in_one_line(tmp_path, content):
    file = tmp_path / "model.npz"
    file.write_bytes(content)
    with pytest.raises(FormatError, match=r"model\.npz is no model") as error:
        read_model(file)
    assert "\n" not in str(error.value)
    assert "pickle" not in str(error.value)  # numpy's own words tell how to load what it may not


def test_a_missing_model_is_refused(tmp_path):
    with pytest.raises(FormatError, match="is no model"):
        read_model(tmp_path / "none.npz")
