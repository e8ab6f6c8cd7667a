"""Collocations: counts against a slow version, the measures against their formulas and what is known of their
values.
"""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.linguistics.collocations import (
    MEASURES,
    NearCounts,
    Pair,
    Window,
    log_dice,
    log_likelihood,
    mi_score,
    t_score,
)

lines = st.lists(st.lists(st.sampled_from("abcd"), max_size=12), max_size=6)
windows = st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(any)
pairs = st.tuples(*[st.integers(0, 300)] * 4).filter(lambda cells: cells[0] > 0)


def counted(of_lines, words, window, **limits):
    counts = NearCounts(words, Window(*window), **limits)
    for line in of_lines:
        counts.add(line)
    return counts


def slow_counts(of_lines, words, window):
    """Look at each place of each line, and from there at each other place, one by one."""
    left, right = window
    hits, together = 0, Counter()
    for line in of_lines:
        hits_with, in_reach = Counter(), Counter()
        starts = [p for p in range(len(line)) if line[p : p + len(words)] == words]
        hits += len(starts)

        def is_near(place, start):
            end = start + len(words)
            return start - left <= place < start or end <= place < end + right

        for start in starts:
            there = {word for place, word in enumerate(line) if is_near(place, start)}
            hits_with.update(there)
        for place, word in enumerate(line):
            in_reach[word] += any(is_near(place, start) for start in starts)
        for word, n in in_reach.items():
            together[word] += min(n, hits_with[word])
    return hits, {word: n for word, n in together.items() if n}


@given(lines, st.lists(st.sampled_from("abc"), min_size=1, max_size=3), windows)
def test_counts_are_those_of_the_slow_version(of_lines, words, window):
    counts = counted(of_lines, words, window)
    assert (counts.hits, counts.together()) == slow_counts(of_lines, words, window)


@given(lines, windows)
def test_either_word_finds_the_other_as_often(of_lines, window):
    one = counted(of_lines, ["a"], window).together().get("b", 0)
    assert one == counted(of_lines, ["b"], window[::-1]).together().get("a", 0)
    of_all = Counter(word for line in of_lines for word in line)
    assert one <= min(of_all["a"], of_all["b"])


def test_two_beside_one_hit_are_no_two_pairs():
    assert counted([["b", "a", "b"], ["a", "b", "a"]], ["a"], (1, 1)).together() == {"b": 2}
    assert counted([["b", "a", "b"]], ["b"], (2, 2)).together() == {"a": 1, "b": 2}


def test_what_is_forgotten_is_told():
    lines = [["a", f"x{n}"] for n in range(50)] + [["a", "b"]] * 90
    assert counted(lines, ["a"], (0, 1)).max_missed == 0
    counts = NearCounts(["a"], Window(0, 1), max_words=10)
    for line in lines:
        counts.add(line)
    assert counts.together()["b"] == 90
    assert counts.max_missed > 0


def slow_likelihood(pair):
    """Return -2 ln lambda as Dunning has it: binomial likelihoods of one rate and of two."""

    def log_l(p, k, n):
        return (k * math.log(p) if k else 0) + ((n - k) * math.log(1 - p) if n > k else 0)

    k1, n1 = pair.together, pair.hits
    k2, n2 = pair.occurrences - pair.together, pair.words - pair.hits
    p = (k1 + k2) / (n1 + n2)
    split = log_l(k1 / n1, k1, n1) + (log_l(k2 / n2, k2, n2) if n2 else 0)
    return 2 * (split - log_l(p, k1, n1) - log_l(p, k2, n2))


@given(pairs)
def test_log_likelihood_is_that_of_two_binomials(cells):
    both, only_a, only_b, _ = cells
    pair = Pair(both, both + only_a, both + only_b, sum(cells))
    assert abs(log_likelihood(pair)) == pytest.approx(slow_likelihood(pair), abs=1e-6)
    surplus = both * sum(cells) - pair.hits * pair.occurrences
    assert surplus == 0 or log_likelihood(pair) * surplus >= 0


def test_published_values():
    """Dunning 1993, table 2: *the swiss*, 110 times, with 2,442 more of the first and 111 of the second, has 270.72.

    Church and Hanks 1990, table 2, of about 15 million words: *honorary doctor*, 12 times, of 111 and 621, has 11.3.
    Church et al. 1991 have a T of about 2 for what chance gives one time in 40.
    """
    swiss = Pair(110, 110 + 2442, 110 + 111, 110 + 2442 + 111 + 29114)
    assert log_likelihood(swiss) == pytest.approx(270.72, abs=0.01)
    assert mi_score(Pair(12, 111, 621, 15_000_000)) == pytest.approx(11.3, abs=0.1)
    assert t_score(Pair(9, 30, 100, 1000)) == 2


@given(pairs)
def test_what_is_known_of_the_measures(cells):
    both, only_a, only_b, _ = cells
    pair = Pair(both, both + only_a, both + only_b, sum(cells))
    turned = pair._replace(hits=pair.occurrences, occurrences=pair.hits)
    for measure in MEASURES.values():
        assert measure(pair) == pytest.approx(measure(turned))
    assert log_dice(pair) <= 14
    assert (log_dice(pair) == 14) == (not only_a and not only_b)
    by_chance = pair.hits * pair.occurrences / pair.words
    assert (t_score(pair) > 0) == (both > by_chance)
    assert mi_score(pair) == pytest.approx(math.log2(both) - math.log2(by_chance), abs=1e-9)


def test_a_word_near_itself_that_is_all_of_a_text():
    assert log_likelihood(Pair(2, 3, 3, 3)) <= 0


@pytest.mark.parametrize(
    ("sides", "told"),
    [((-1, 2), "left must be 0 to 1,000, got -1"), ((0, 0), "left or right must be above 0")],
)
def test_wrong_windows(sides, told):
    with pytest.raises(ValueError, match=told):
        Window(*sides)
