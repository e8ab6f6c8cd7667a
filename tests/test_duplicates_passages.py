from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.duplicates.ngram_hashes import ngram_hashes
from pipelines.duplicates.passages import (
    MAX_PLACES,
    PassageOptions,
    best_matches,
    chains,
    matches,
    shared_passages,
    words_of,
)

# few enough places that none is left out
WORDS = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=14)


def fresh(rng, n):
    return ["".join(rng.choices("abcdefghijklmnop", k=7)) for _ in range(n)]


def slow_matches(a, b, n):
    """All maximal equal runs of n words or more, by comparing every pair of places."""
    found = []
    for i in range(len(a)):
        for j in range(len(b)):
            if i and j and a[i - 1] == b[j - 1]:
                continue
            size = 0
            while i + size < len(a) and j + size < len(b) and a[i + size] == b[j + size]:
                size += 1
            if size >= n:
                found.append([i, j, size])
    return found


@settings(deadline=None)
@given(WORDS, WORDS, st.integers(1, 4))
def test_matches_are_all_maximal_equal_runs(a, b, n):
    if min(len(a), len(b)) < n:
        assert shared_passages(" ".join(a), " ".join(b), PassageOptions(ngram_words=n)) == []
        return
    found = matches(ngram_hashes(a, n), ngram_hashes(b, n), n)
    assert found.tolist() == slow_matches(a, b, n)
    best = best_matches(found).tolist()
    # every word of a match is in one that is kept
    covered = {i for start, _, size in best for i in range(start, start + size)}
    assert covered == {i for start, _, size in found.tolist() for i in range(start, start + size)}


@settings(deadline=None)
@given(WORDS, WORDS, st.integers(0, 4))
def test_passages_are_chains_in_order_with_small_gaps(a, b, gap):
    found = best_matches(np.array(slow_matches(a, b, 2), dtype=np.int64).reshape(-1, 3))
    chained = list(chains(found, gap))
    assert sorted(match for chain in chained for match in chain) == found.tolist()
    for chain in chained:
        for (i, j, size), (next_i, next_j, _) in itertools.pairwise(chain):
            assert i <= next_i <= i + size + gap
            assert j < next_j <= j + size + gap


@pytest.mark.parametrize("n_copied", [15, 40])
def test_a_copied_passage_is_found_with_its_offsets(n_copied):
    rng = random.Random(3)
    copied = " ".join(fresh(rng, n_copied))
    a = " ".join(fresh(rng, 60)) + "\n" + copied.upper() + " — " + " ".join(fresh(rng, 30))
    b = " ".join(fresh(rng, 10)) + " " + copied.replace(" ", "  ") + ". " + " ".join(fresh(rng, 80))
    (passage,) = shared_passages(a, b)
    assert a[passage.a.start : passage.a.end] == copied.upper()
    # neither spaces nor the full stop behind the last word are part of it
    assert b[passage.b.start : passage.b.end] == copied.replace(" ", "  ")
    assert passage.n_words == n_copied


def test_edited_words_do_not_part_a_passage_and_long_gaps_do():
    rng = random.Random(4)
    copied = fresh(rng, 60)
    edited = [*copied[:20], "other", "words", *copied[21:40], *fresh(rng, 10), *copied[40:]]
    (passage,) = shared_passages(" ".join(copied), " ".join(edited))
    assert passage.a == (0, len(" ".join(copied)))
    assert passage.b == (0, len(" ".join(edited)))
    assert passage.n_words == 59
    apart = PassageOptions(gap=5)
    assert [
        each.n_words for each in shared_passages(" ".join(copied), " ".join(edited), apart)
    ] == [
        39,
        20,
    ]


def test_moved_passages_are_two():
    rng = random.Random(5)
    one, two = fresh(rng, 30), fresh(rng, 25)
    found = shared_passages(" ".join(one + two), " ".join(two + one))
    assert [passage.n_words for passage in found] == [30, 25]
    assert found[0].b.start > found[1].b.start


def test_short_passages_are_left_out_and_texts_without_words_have_none():
    rng = random.Random(6)
    copied = fresh(rng, 14)
    a, b = " ".join(fresh(rng, 9) + copied), " ".join(copied + fresh(rng, 9))
    assert shared_passages(a, b) == []
    assert len(shared_passages(a, b, PassageOptions(min_words=14))) == 1
    assert shared_passages("", a) == shared_passages(a, "… !") == []
    assert words_of("").spans.shape == (0, 2)


def test_text_without_spaces():
    # one character more in front must not matter
    sentence = "数据科学与大数据技术是一门新兴的学科它研究如何从数据中提取有用的知识"
    other = "今天天气很好我们去公园散步吧然后一起吃午饭再看一场电影最后回家休息"
    found = shared_passages(
        f"的{other}{sentence}", f"{sentence}{other}", PassageOptions(min_words=10)
    )
    assert len(found) == 2
    assert found[1].b.start == 0
    assert found[0].a.start == 1


def test_repeated_words_stay_linear():
    text = "the same words again and again " * 3000
    (passage,) = shared_passages(text, text)
    assert passage == ((0, len(text) - 1), (0, len(text) - 1), 18000)
    found = matches(np.zeros(1000, dtype=np.uint64), np.zeros(1000, dtype=np.uint64), 5)
    assert len(found) <= 1000 * MAX_PLACES


def test_wrong_options():
    for wrong in ({"ngram_words": 0}, {"gap": -1}, {"min_words": 0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            PassageOptions(**wrong)
