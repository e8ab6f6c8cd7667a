"""Pomikálek's evaluation by text nodes, averages, and tests of significance."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from crawler.page import build_page
from pipelines.evaluation.gold import BAD, GOOD, TIED, UNCERTAIN, NodeLabel, Scores
from pipelines.evaluation.measures import averages, sweeps
from pipelines.evaluation.measures.counts import Counts, f_beta, pooled
from pipelines.evaluation.measures.fragments import (
    fragment_lengths,
    fragmentation,
    perfect_cleaning,
)
from pipelines.evaluation.measures.node_alignment import (
    align_nodes,
    blocks_of_nodes,
    counts_of_blocks,
    counts_of_text,
)
from pipelines.evaluation.measures.significance import compare, compare_sets
from pipelines.evaluation.measures.text_nodes import (
    coherence,
    is_aligned,
    node_counts,
    node_scores,
)
from pipelines.evaluation.readers import open_dataset

NODES = (
    NodeLabel("four", BAD, 100),
    NodeLabel("twelve chars", GOOD, 100),
    NodeLabel("six  66", GOOD, 80),  # six characters and a space, collapsed
    NodeLabel("undecided", UNCERTAIN, 100),
    NodeLabel("tied node", TIED, 50),
    NodeLabel("ten digits", BAD, 70),
)
KEPT = (True, True, False, True, True, True)


def test_scores_by_hand():
    at_all = node_counts(NODES, KEPT)
    assert at_all == Counts(12, 12 + 4 + 10, 12 + 6)
    assert node_counts(NODES, KEPT, min_agreement=80) == Counts(12, 16, 18)
    assert node_counts(NODES, KEPT, min_agreement=100) == Counts(12, 16, 12)
    assert node_counts(NODES, KEPT, unit="words") == Counts(2, 5, 4)
    assert node_scores(pooled([at_all, at_all])) == node_scores(at_all)
    nothing = node_scores(node_counts(NODES, [False] * 6))
    assert nothing == Scores(0, 0, 0)
    with pytest.raises(ValueError, match="zip"):
        node_counts(NODES, KEPT[1:])


def test_f_half_of_the_published_table():
    """Pomikálek 2011, Table 2.5; the last was printed from numbers before rounding."""
    rows = [
        (86.67, 100.00, 92.86, 89.04),
        (98.97, 96.40, 97.66, 98.44),
        (94.93, 99.37, 97.10, 95.79),
        (95.13, 94.36, 94.74, 94.97),
        (99.41, 96.99, 98.18, 98.91),
    ]
    for precision, recall, f1, f_half in rows:
        assert f_beta(precision, recall) == pytest.approx(f1, abs=0.011)
        assert f_beta(precision, recall, 0.5) == pytest.approx(f_half, abs=0.011)
    assert f_beta(0, 0) == 0
    with pytest.raises(ValueError, match="beta must be positive, got 0"):
        f_beta(1, 1, 0)


def test_coherence():
    # Block 0 is mixed at any agreement, block 1 has no good node, block 2 only nodes that do not count.
    blocks = [0, 0, 1, 2, 2, 1]
    assert coherence(NODES, blocks) == (2, 2)
    assert coherence(NODES, blocks, min_agreement=80) == (1, 2)
    assert coherence(NODES, [-1] * 6) == (0, 0)


def test_alignment_of_node_lists():
    nodes = ["x" * 100] * 20
    assert is_aligned(nodes, nodes)
    assert is_aligned(nodes, ["x" * 95] * 20)
    assert is_aligned(nodes, [*nodes[1:], "x" * 50])
    assert not is_aligned(nodes, [*nodes[2:], "x" * 50, "x"])
    assert not is_aligned(nodes, nodes[1:])


# What a method says of text nodes


def test_nodes_take_the_flag_of_their_block():
    nodes = ["Home", "Ab", "out", "First", " paragraph,", "bold", "rest.", "Home"]
    blocks = ["Home", "About", "First paragraph, boldrest.", "Home"]
    assert blocks_of_nodes(nodes, blocks).tolist() == [0, 1, 1, 2, 2, 2, 2, 3]
    kept = align_nodes(nodes, blocks, [False, False, True, False])
    assert kept.tolist() == [False] * 3 + [True] * 4 + [False]


def test_nodes_that_no_block_has():
    nodes = ["only in the gold", "shared words here", "gone"]
    assert align_nodes(nodes, ["shared words here", "added"], [True, True]).tolist() == [
        False,
        True,
        False,
    ]
    assert align_nodes([], [], []).tolist() == []
    assert align_nodes(["", "a"], ["a"], [True]).tolist() == [False, True]
    assert align_nodes(["a"], [], []).tolist() == [False]
    with pytest.raises(ValueError, match="one entry a block, 1, got 0"):
        align_nodes(["a"], ["a"], [])


@given(
    st.lists(st.lists(st.text("abc", min_size=1, max_size=4), min_size=1, max_size=4), max_size=8)
)
def test_nodes_of_divided_blocks_have_their_own(blocks):
    nodes = [text for block in blocks for text in block]
    numbers = blocks_of_nodes(nodes, ["".join(block) for block in blocks]).tolist()
    assert numbers == [k for k, block in enumerate(blocks) for _ in block]


def test_counts_of_blocks_and_of_text():
    blocks = ["four", "twelve chars six 66", "undecided", "tied node", "ten digits"]
    kept = [True, True, True, True, False]
    wanted = node_counts(NODES, [True, True, True, True, True, False])
    assert counts_of_blocks(NODES, blocks, kept) == wanted
    text = "\n".join(block for block, flag in zip(blocks, kept, strict=True) if flag)
    assert counts_of_text(text, NODES) == wanted
    assert counts_of_text("", NODES, min_agreement=80) == Counts(0, 0, 18)


def test_nodes_of_a_real_page(shared):
    """Nearly all characters of the annotated nodes are found in the blocks of the page."""
    pages = open_dataset(shared / "data/extraction/dev/krdwrd-canola")
    for page, _ in zip(pages, range(5), strict=False):
        texts = build_page(page.body, url=page.url, content_type=page.content_type).blocks.text
        kept = align_nodes([node.text for node in page.node_labels], texts, [True] * len(texts))
        assert node_scores(node_counts(page.node_labels, kept)).recall > 0.95


# Fragments


def test_fragments():
    """Pomikálek 2011, section 2.9.10: kept 1 1 0 1 0 0 1."""
    assert fragment_lengths(["a  b"] * 7, [1, 1, 0, 1, 0, 0, 1]) == [6, 3, 3]
    figures = fragmentation([[6, 3, 3], [], [8]])
    assert figures == (5, 4.5, 4 / 3)
    assert fragmentation([]) == fragmentation([[]]) == (0, 0, 0)
    assert perfect_cleaning(NODES) == [False, True, True, True, True, False]


# Sweeps

features = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 3), st.booleans(), st.integers(1, 9)), max_size=30
)


@settings(max_examples=40)
@given(features)
def test_sweep_is_the_rule_at_each_threshold(rows):
    values, others, good, weights = (
        (list(column) for column in zip(*rows, strict=True)) if rows else ([],) * 4
    )
    nodes = [NodeLabel("x" * w, GOOD if g else BAD) for g, w in zip(good, weights, strict=True)]
    curve = sweeps.sweep(values, good, weights, range(6))
    at_most = sweeps.sweep(values, good, weights, range(6), keep="at most")
    for place in range(6):
        kept = [value >= place for value in values]
        wanted = node_scores(node_counts(nodes, kept))
        assert (curve.precision[place], curve.recall[place]) == pytest.approx(wanted[:2])
        assert curve.f_beta()[place] == pytest.approx(wanted.f1)
        wanted = node_scores(node_counts(nodes, [value <= place for value in values]))
        assert (at_most.precision[place], at_most.recall[place]) == pytest.approx(wanted[:2])
    surface = sweeps.sweep_both(values, others, good, weights, ([1, 2], [0, 2]))
    for x, row in zip((1, 2), surface.curves, strict=True):
        for place, y in enumerate((0, 2)):
            kept = [a >= x and b >= y for a, b in zip(values, others, strict=True)]
            wanted = node_scores(node_counts(nodes, kept))
            assert (row.precision[place], row.recall[place]) == pytest.approx(wanted[:2])


def test_best_of_a_sweep():
    curve = sweeps.sweep([1, 2, 3, 4], [False, False, True, True], [1, 1, 1, 1], [1, 2, 3, 4])
    assert curve.best() == (3, 1)
    surface = sweeps.sweep_both([1, 2], [5, 6], [False, True], [1, 1], ([0, 2], [5, 6]))
    assert surface.best(0.5) == (0, 6, 1)
    with pytest.raises(ValueError, match="must be of one length"):
        sweeps.sweep([1], [True, False], [1], [0])
    with pytest.raises(ValueError, match="thresholds must not be empty"):
        sweeps.sweep([1], [True], [1], []).best()


# Averages and significance


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=20))
def test_mean_f1_is_no_more_than_the_f1_of_the_means(pairs):
    mean = averages.macro([Scores(p, r, f_beta(p, r)) for p, r in pairs])
    assert mean.f1 <= f_beta(mean.precision, mean.recall) + 1e-9


def test_averages():
    assert averages.macro([Scores(1, 0.5, 0.6), Scores(0, 0.5, 0)]) == Scores(0.5, 0.5, 0.3)
    assert math.isnan(averages.macro([]).f1)
    assert pooled([]) == (0, 0, 0)
    assert pooled([Counts(1, 2, 3), Counts(1, 1, 1)]) == Counts(2, 3, 4)


def test_standard_error():
    """Of the mean it is about sigma / sqrt(n)."""
    pages = np.random.default_rng(1).random(400).tolist()
    error = averages.standard_error(pages, n_samples=4000, seed=3)
    assert error == pytest.approx(np.std(pages) / 20, rel=0.05)
    assert averages.standard_error(pages, n_samples=50) == averages.standard_error(
        pages, n_samples=50
    )
    assert averages.standard_error([0.5] * 9) == 0
    assert math.isnan(averages.standard_error([]))
    # Two sets: half the root of the sum of squares.
    both = averages.standard_error_of_sets([pages, pages[:100]], n_samples=4000)
    wanted = math.hypot(np.std(pages) / 20, np.std(pages[:100]) / 10) / 2
    assert both == pytest.approx(wanted, rel=0.06)
    counts = [Counts(page, 1, 1) for page in pages]
    of_pooled = averages.standard_errors_of_pooled(
        counts, lambda table: pooled(table).scores, n_samples=2000
    )
    assert of_pooled == pytest.approx([error] * 3, rel=0.1)
    with pytest.raises(ValueError, match="n_samples must be at least 2, got 1"):
        averages.standard_error([1.0], n_samples=1)


def test_comparison():
    chance = np.random.default_rng(7)
    second = chance.random(60)
    first = second + chance.normal(0.05, 0.12, 60)
    found = compare(first, second, n_samples=4000)
    assert found.difference == pytest.approx(np.mean(first - second))
    wanted = stats.permutation_test(
        (first - second,), np.mean, permutation_type="samples", n_resamples=4000, rng=1
    )
    assert found.p_permutation == pytest.approx(wanted.pvalue, abs=0.01)
    error = np.std(first - second) / math.sqrt(60)
    assert found.low == pytest.approx(found.difference - 1.96 * error, abs=0.2 * error)
    assert found.high == pytest.approx(found.difference + 1.96 * error, abs=0.2 * error)
    assert found.p_bootstrap == pytest.approx(wanted.pvalue, abs=0.03)


@settings(max_examples=40)
@given(st.lists(st.floats(0, 1), min_size=2, max_size=40), st.integers(0, 5))
def test_comparison_is_antisymmetric(pages, seed):
    others = pages[::-1]
    found = compare(pages, others, n_samples=50, seed=seed)
    back = compare(others, pages, n_samples=50, seed=seed)
    assert found.difference == -back.difference
    assert (found.p_bootstrap, found.p_permutation) == (back.p_bootstrap, back.p_permutation)
    assert 0 < found.p_permutation <= 1


def test_comparison_of_sets_draws_pages_within_each():
    chance = np.random.default_rng(5)
    # Of a small set the difference is large, but no page's differs from another's by much.
    sets = [(chance.normal(mean, 0.05, n), np.zeros(n)) for n, mean in ((20, 0.2), (500, 0.01))]
    found = compare_sets(sets)
    assert found.difference == pytest.approx(np.mean([first.mean() for first, _ in sets]))
    error = averages.standard_error_of_sets([first for first, _ in sets])
    assert found.low == pytest.approx(found.difference - 1.96 * error, abs=0.2 * error)
    assert found.high == pytest.approx(found.difference + 1.96 * error, abs=0.2 * error)
    assert (found.p_permutation, found.n_pages) == (1 / 10_001, 520)


def test_comparison_of_equals_and_of_nothing():
    same = compare([0.5, 0.7], [0.5, 0.7], n_samples=100)
    assert (same.difference, same.p_bootstrap, same.p_permutation) == (0, 1, 1)
    sure = compare([0.9] * 30, [0.1] * 30, n_samples=1000)
    assert sure.p_permutation == 1 / 1001
    # One page is no sample: each that is drawn of it is the same, and every difference sure.
    for few in ([], [0.5]):
        with pytest.raises(ValueError, match="one length, 2 or more"):
            compare(few, few)
    with pytest.raises(ValueError, match="finite"):
        compare([math.nan, 0.0], [0.0, 0.0])
