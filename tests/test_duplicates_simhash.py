from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
import xxhash
from hypothesis import given, settings
from hypothesis import strategies as st
from simhash import Simhash

from crawler.page.words import density_tokens
from pipelines.duplicates.simhash import simhash, simhash_of_hashes

TEXTS = st.one_of(
    st.text(),
    # few words, so that 3-grams repeat
    st.lists(st.sampled_from(["One", "two", "três,", "漢字の", "4"]), max_size=300).map(" ".join),
    st.text("aB é\n漢かไ.", max_size=400),
)


def features(text):
    words = density_tokens(text.lower())
    n = min(3, len(words))
    return [" ".join(words[i : i + n]) for i in range(len(words) - n + 1)] if words else []


def package_value(features):
    return Simhash(features, hashfunc=xxhash.xxh3_64_intdigest).value


@settings(deadline=None)
@given(TEXTS)
def test_equal_to_the_simhash_package(text):
    listed = features(text)
    counts = Counter(listed)
    value = simhash(text)
    assert value == package_value(listed)
    if listed:
        # the package takes weights in two more forms
        assert value == package_value(dict(counts))
        assert value == package_value(sorted(counts.items()))


def test_equal_to_the_package_with_weights_above_its_cutoff():
    # weights above 50 take another path there
    text = "one two three four " * 60 + "five six seven"
    assert max(Counter(features(text)).values()) > 50
    assert simhash(text) == package_value(dict(Counter(features(text))))


def slow_simhash(text):
    """Add and subtract, bit by bit, as Charikar and Manku write it."""
    sums = [0] * 64
    for feature in features(text):
        digest = xxhash.xxh3_64_intdigest(feature.encode())
        for bit in range(64):
            sums[bit] += 1 if digest >> bit & 1 else -1
    return sum(1 << bit for bit in range(64) if sums[bit] > 0)


@settings(deadline=None)
@given(TEXTS.filter(lambda text: "\ud800" not in text))
def test_equal_to_the_slow_version(text):
    assert simhash(text) == slow_simhash(text)


def test_paper_example_of_a_majority_and_a_tie():
    hashes = np.array([0b1100, 0b1010, 0b1000], dtype=np.uint64)
    assert simhash_of_hashes(hashes) == 0b1000
    # one of two is no majority
    assert simhash_of_hashes(hashes[:2]) == 0b1000
    assert simhash_of_hashes(hashes[:1]) == 0b1100


@pytest.mark.parametrize("text", ["", " \n\t ", "… — !"])
def test_no_words_give_zero(text):
    assert simhash(text) == 0


@pytest.mark.parametrize("text", ["one", "one two"])
def test_fewer_words_than_an_ngram_are_one_feature(text):
    assert simhash(text) == xxhash.xxh3_64_intdigest(text.encode())


def test_case_and_white_space_do_not_count():
    assert simhash("One TWO\nthree four") == simhash("one two three  four")


def test_near_texts_are_near_and_others_far():
    rng = random.Random(2)
    words = [f"w{rng.randrange(5000)}" for _ in range(500)]
    near = words.copy()
    near[250] = "changed"
    far = [f"w{rng.randrange(5000)}" for _ in range(500)]
    value = simhash(" ".join(words))
    assert (value ^ simhash(" ".join(near))).bit_count() <= 6
    assert (value ^ simhash(" ".join(far))).bit_count() >= 16


def test_lone_surrogates_do_not_raise():
    assert 0 < simhash("one \ud800 two three") < 2**64
