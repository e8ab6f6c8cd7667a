"""Term typicality and the full-stop criterion."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.linguistics.laws.full_stop import (
    full_stop_criterion,
    has_full_stop,
    sentence_lengths,
)
from pipelines.linguistics.term_typicality import (
    TermCounts,
    scaled_min_documents,
    term_typicality,
    terms,
)


def ints(*values):
    return np.array(values, dtype=np.int64)


# Term typicality


def add(counted, sparse, dense):
    """Count a document whose segments of pi_1 and of pi_2 have the texts *sparse*, *dense*."""
    sides = [sorted(set(terms(" ".join(texts)))) for texts in (sparse, dense)]
    names = [*sides[0], *sides[1]]
    places = [names.index(term) for side in sides for term in side]
    parts = np.repeat([0, 1], [len(side) for side in sides])
    counted.add_documents(1, parts, np.array(places, dtype=np.int64), names)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("Home | About us", ["home", "about", "us"]),
        ("WE'LL pay 3.50 EUR", ["we'll", "pay", "eur"]),
        ("A ¾-inch bolt of 5 m²", ["a", "inch", "bolt", "of", "m²"]),
        ("me@example.com http://a.com/x", []),
        # Two characters a token, as text density counts them
        ("数据科学", ["数据", "科学"]),
    ],
)
def test_terms(text, expected):
    assert terms(text) == expected


@given(
    st.integers(1, 10_000).flatmap(
        lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(0, n))
    )
)
def test_typicality_is_antisymmetric_and_bounded(case):
    n, sparse, dense = case
    (score,) = term_typicality(ints(sparse), ints(dense), n)
    (swapped,) = term_typicality(ints(dense), ints(sparse), n)
    assert -1 <= score <= 1
    assert swapped == pytest.approx(-score)
    assert score == pytest.approx(math.log((dense + 1) / (sparse + 1), n + 1))


def test_typicality_of_a_collection():
    counted = TermCounts()
    for i in range(20):
        add(counted, ["home sitemap home"], [f"although it rains {i}"] if i % 2 else [])
    add(counted, ["rare"], ["rare"])
    found = counted.typicality(min_documents=10)
    assert found.n_documents == 21
    assert found.terms == ["home", "sitemap", "although", "it", "rains"]
    assert found.documents.tolist() == [[20, 20, 0]] * 2 + [[10, 0, 10]] * 3
    assert (found.n_sparse, found.n_dense, found.max_missed) == (2, 3, 0)
    sparse, dense = found.extremes(2)
    expected = -math.log(21) / math.log(22)
    assert sparse == [("home", pytest.approx(expected)), ("sitemap", pytest.approx(expected))]
    assert [term for term, _ in dense] == ["although", "it"]


def test_the_extremes_of_few_terms_do_not_overlap():
    counted = TermCounts()
    add(counted, ["menu"], ["text"])
    sparse, dense = counted.typicality(1).extremes(20)
    assert [[term for term, _ in side] for side in (sparse, dense)] == [["menu"], ["text"]]


def test_typicality_of_nothing():
    found = TermCounts().typicality()
    assert (found.terms, found.n_sparse, found.n_dense) == ([], 0, 0)
    with pytest.raises(ValueError, match="min_documents must be at least 1"):
        TermCounts().typicality(0)
    with pytest.raises(ValueError, match="n_documents must be at least every count"):
        term_typicality(ints(3), ints(0), 2)


def test_terms_beyond_the_bound_are_forgotten_and_said():
    counted = TermCounts(max_terms=50)
    for i in range(200):
        once = "abcdefghij"[i // 20] * (i % 20 + 1)
        add(counted, [f"home {once}"], [])
    found = counted.typicality(min_documents=100)
    assert found.terms == ["home"]
    assert found.documents[0, 0] + found.max_missed >= 200
    assert counted.n_forgotten
    assert counted.n_terms <= 50


def test_the_published_share_of_documents():
    assert scaled_min_documents(316_448) == 100
    assert scaled_min_documents(3_164_480) == 1000
    assert scaled_min_documents(10) == 5


# The full stop


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("This is it.", True),
        ("No full stop", False),
        ("it.", True),
        ("a. b. 3.5 e.g. U.K.", False),  # fewer than two letters
        ("wait ...", False),
        ("made by Tools Inc. and Ltd.", False),
        ("since Jan. or Dec.", False),
        ("they said no.", True),  # abbreviations are spelled as printed
        ("Incs. are not Inc.", True),
        ("well-known.", False),  # the run begins after a hyphen
        ("x\u00a0ja.", True),  # a no-break space is white space
        ("(yes.)", False),
        ("Größe.", True),
        ("42nd.", False),
    ],
)
def test_has_full_stop(text, expected):
    assert has_full_stop(text) is expected


def test_a_full_stop_at_the_end_of_its_word():
    assert has_full_stop("see www.a.com")
    assert not has_full_stop("see www.a.com", ends_word=True)
    assert has_full_stop("see it. Then", ends_word=True)


def test_sentence_lengths():
    assert sentence_lengths("") == []
    assert sentence_lengths('He said: "Go now!" She went; fast. And') == [4, 2, 1, 1]
    assert sentence_lengths("A - B. C") == [2, 1]


def test_full_stops_told_by_density_alone():
    # All segments without full stop have density 1 or 2, all with one 4: one bit for both halves.
    found = full_stop_criterion(ints(0, 3, 1, 0, 0), ints(0, 0, 0, 0, 4))
    assert (found.n, found.share, found.cut) == (8, 0.5, 3)
    assert found.entropy == found.information_gain == found.cut_information_gain == 1
    assert found.accuracy == 1


def test_density_that_tells_nothing():
    found = full_stop_criterion(ints(2, 2), ints(2, 2))
    assert (found.information_gain, found.accuracy) == (0, 0.5)
    empty = full_stop_criterion(ints(0, 0), ints(0, 0))
    assert (empty.n, empty.accuracy, empty.entropy) == (0, 1, 0)
    with pytest.raises(ValueError, match="one shape"):
        full_stop_criterion(ints(1), ints(1, 2))


def slow_criterion(without, with_stop):
    """Entropy, gain and best accuracy from the list of all segments."""
    segments = [(k, 0) for k, n in enumerate(without) for _ in range(n)]
    segments += [(k, 1) for k, n in enumerate(with_stop) for _ in range(n)]

    def entropy(labels):
        shares = [count / len(labels) for count in Counter(labels).values()]
        return -sum(share * math.log2(share) for share in shares)

    labels = [label for _, label in segments]
    rest = 0.0
    for k in {k for k, _ in segments}:
        part = [label for density, label in segments if density == k]
        rest += len(part) / len(segments) * entropy(part)
    cuts = range(len(without) + 1)
    hits = [sum((density >= cut) == label for density, label in segments) for cut in cuts]
    return entropy(labels), entropy(labels) - rest, max(hits) / len(segments), hits.index(max(hits))


COUNTS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=8)


@given(COUNTS.filter(lambda rows: any(map(sum, rows))))
def test_criterion_equals_the_slow_one(rows):
    without, with_stop = (list(column) for column in zip(*rows, strict=True))
    found = full_stop_criterion(ints(*without), ints(*with_stop))
    entropy, gain, accuracy, cut = slow_criterion(without, with_stop)
    assert found.entropy == pytest.approx(entropy, abs=1e-9)
    assert found.information_gain == pytest.approx(gain, abs=1e-9)
    assert (found.accuracy, found.cut) == (pytest.approx(accuracy), cut)
    assert found.cut_information_gain <= found.information_gain + 1e-9
