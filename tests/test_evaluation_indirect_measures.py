"""Indirect evaluation: naive Bayes, k-means and their figures against slow versions; which pages are judged."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pipelines.evaluation.indirect.bags import tf_idf, word_counts
from pipelines.evaluation.indirect.clustering import clusters_f1, k_means
from pipelines.evaluation.indirect.naive_bayes import judged_by_folds, stratified_folds
from pipelines.evaluation.indirect.study import CategoryPage, enough_pages, mean_f1
from pipelines.evaluation.template_methods import Around
from tests.traced_memory import least_traced

TEXTS = st.lists(
    st.lists(st.sampled_from("abcdef"), max_size=8).map(" ".join), min_size=2, max_size=9
)


def slow_answer(texts, label, fold):
    """Naive Bayes by counting words, one text after the other."""
    answers = []
    for text, own in zip(texts, fold, strict=True):
        known = [(t.split(), c) for t, c, f in zip(texts, label, fold, strict=True) if f != own]
        vocabulary = {word for words, _ in known for word in words}
        scores = {}
        for category in sorted({c for _, c in known}):
            words = [word for of, c in known if c == category for word in of]
            score = log(sum(c == category for _, c in known) / len(known))
            for word in text.split():
                if word in vocabulary:
                    score += log((words.count(word) + 1) / (len(words) + len(vocabulary)))
            scores[category] = score
        answers.append(scores)
    return answers


@given(TEXTS, st.randoms(use_true_random=False))
def test_naive_bayes_against_a_slow_version(texts, rng):
    label = [rng.randrange(3) for _ in texts]
    fold = [rng.randrange(2) for _ in texts]
    fold[:2] = [0, 1]
    answer = judged_by_folds(word_counts(texts), np.array(label), np.array(fold)).tolist()
    for taken, scores in zip(answer, slow_answer(texts, label, fold), strict=True):
        # Equal but for rounding counts as equal.
        assert scores[taken] == pytest.approx(max(scores.values()), abs=1e-9)


@given(TEXTS)
def test_weights_against_a_slow_version(texts):
    columns = sorted({word for text in texts for word in text.split()})
    rows = tf_idf(word_counts(texts)).toarray()
    assert rows.shape == (len(texts), len(columns))
    for row, text in zip(rows.tolist(), texts, strict=True):
        raw = [
            text.split().count(word)
            * log(len(texts) / sum(word in other.split() for other in texts))
            for word in columns
        ]
        length = sqrt(sum(value * value for value in raw))
        assert row == pytest.approx([value / length if length else 0 for value in raw])


def means_of(rows, label):
    return [rows[label == cluster].mean(axis=0) for cluster in np.unique(label)]


def deviation(rows, centres):
    """The sum of the squared distances of *rows* to the nearest of *centres*."""
    return sum(min(((row - centre) ** 2).sum() for centre in centres) for row in rows)


@given(
    st.lists(
        st.lists(st.sampled_from("abcd"), min_size=1, max_size=4).map(" ".join),
        min_size=3,
        max_size=6,
    )
)
@example(["b", "b", "b", "c", "a b"])  # Of which no start leads to the best partition.
def test_k_means_ends_where_no_row_is_nearer_to_another_mean(texts):
    rows = tf_idf(word_counts(texts))
    label, dense = k_means(rows, 2, n_starts=3), rows.toarray()
    centres = means_of(dense, label)
    own = sum(
        ((dense[label == k] - centre) ** 2).sum()
        for k, centre in zip(np.unique(label), centres, strict=True)
    )
    assert own == pytest.approx(deviation(dense, centres), abs=1e-6)
    assert k_means(rows, 2, n_starts=3).tolist() == label.tolist()


@pytest.mark.parametrize(
    "texts",
    [
        ["a b", "c d", "a b b", "c d d", "a a b"],
        ["a", "a", "a", "b"],
        ["a x", "b x", "a y", "b y", "a z", "b z"],
        ["a b c", "a b d", "e f g", "e f h", "e f i"],
    ],
)
def test_k_means_finds_the_best_of_all_partitions(texts):
    rows = tf_idf(word_counts(texts))
    dense = rows.toarray()
    best = min(
        deviation(dense, means_of(dense, np.array(each)))
        for each in product((0, 1), repeat=len(texts))
    )
    found = means_of(dense, k_means(rows, 2, n_starts=30))
    assert deviation(dense, found) == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize(("k", "n_starts"), [(0, 1), (4, 1), (2, 0)])
def test_k_means_of_wrong_numbers(k, n_starts):
    with pytest.raises(ValueError, match="must be"):
        k_means(word_counts(["a", "b", "c"]), k, n_starts=n_starts)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=20))
def test_f1_of_clusters_and_of_answers_against_slow_versions(pairs):
    clusters, label = (np.array(column) for column in zip(*pairs, strict=True))

    def f1(cluster, category):
        both = sum((k, c) == (cluster, category) for k, c in pairs)
        return (
            2 * both / (sum(k == cluster for k, _ in pairs) + sum(c == category for _, c in pairs))
        )

    sizes = Counter(label.tolist())
    best = {c: max(f1(k, c) for k in range(4)) if n else 0 for c, n in sizes.items()}
    wanted = sum(n * best[c] for c, n in sizes.items()) / len(pairs)
    assert clusters_f1(clusters, label) == pytest.approx(wanted)
    assert mean_f1(clusters, label) == pytest.approx(sum(f1(c, c) for c in sizes) / len(sizes))


@given(st.lists(st.integers(0, 3), min_size=1, max_size=40), st.integers(2, 6))
def test_folds_are_stratified(label, n_folds):
    fold = stratified_folds(np.array(label), n_folds, seed=3)
    for category in [None, *set(label)]:
        sizes = [
            sum(f == number and category in {None, c} for c, f in zip(label, fold, strict=True))
            for number in range(n_folds)
        ]
        assert max(sizes) - min(sizes) <= 1


def category_pages(n, n_bytes=0):
    """*n* pages each of three categories, one of them none, in the order of no name."""
    for number in range(n):
        for category in ("b", "a", ""):
            body = bytes([number % 256]) * n_bytes
            yield CategoryPage(category, f"{number * 7 % n:03}", Around("", body))


def test_pages_that_are_left_out_are_counted():
    pages, n_left_out = enough_pages(category_pages(20), min_pages=20, max_pages=2)
    wanted = [("a", "000"), ("a", "001"), ("b", "000"), ("b", "001")]
    assert [page[:2] for page in pages] == wanted
    assert n_left_out == 60 - len(wanted)
    assert enough_pages(category_pages(20), min_pages=21, max_pages=40) == ([], 60)


def test_of_pages_that_are_left_out_no_body_is_held():
    n_bytes = 100_000
    _, _, most = least_traced(lambda: enough_pages(category_pages(100, n_bytes), 10, 2))
    assert most < 10 * n_bytes
