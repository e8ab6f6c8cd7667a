"""Rules of near-duplicates: their measures, and what a signature tells of them."""

from __future__ import annotations

import random

import numpy as np
import pytest

from pipelines.duplicates.exact import text_digest
from pipelines.duplicates.simhash import simhash
from pipelines.duplicates.verdicts import BANDS, NearRule, code_of

RULE = NearRule()


def words(rng, n):
    return ["".join(rng.choices("abcdefghij", k=6)) for _ in range(n)]


def signature(rule, text):
    return rule.signature(text, text_digest(text))


def n_equal(a, b):
    return 56 - ((a.code ^ b.code) >> 8).bit_count()


def passes(rule, a, b):
    return n_equal(a, b) >= rule.least_equal()[abs((a.code & 255) - (b.code & 255))]


@pytest.mark.parametrize(
    ("method", "likeness"), [("mutual-containment", 4 / 8), ("resemblance", 4 / 10)]
)
def test_measures(method, likeness):
    rule = NearRule(method=method)
    a, b = np.arange(6, dtype=np.uint64), np.arange(2, 10, dtype=np.uint64)
    assert rule.measure(a, b) == rule.measure(b, a) == likeness


def test_codes_estimate_resemblance():
    """Of a 56-bit code the standard error at .8 is .08; over 200 pairs it is .006."""
    rng = random.Random(1)
    errors, shared = [], []
    for _ in range(200):
        text = words(rng, 300)
        other = [word if rng.random() > 0.04 else "other" for word in text]
        a, b = " ".join(text), " ".join(other)
        sets = (np.unique(RULE.shingles(each)) for each in (a, b))
        true = NearRule(method="resemblance").measure(*sets)
        first, second = signature(RULE, a), signature(RULE, b)
        errors.append(2 * n_equal(first, second) / 56 - 1 - true)
        expected = 1 - (1 - true**BANDS.n_rows) ** BANDS.n_bands
        shared.append(bool((first.keys == second.keys).any()) - expected)
    assert abs(np.mean(errors)) < 0.03
    assert np.std(errors) < 0.12
    assert abs(np.mean(shared)) < 0.1


def test_near_texts_pass_and_others_do_not():
    rng = random.Random(2)
    near, far = 0, 0
    for _ in range(100):
        text = words(rng, 300)
        other = text.copy()
        other[7] = "other"
        near += passes(RULE, *(signature(RULE, " ".join(each)) for each in (text, other)))
        stranger = " ".join(words(rng, 300))
        far += passes(RULE, signature(RULE, " ".join(text)), signature(RULE, stranger))
    assert (near, far) == (100, 0)


def test_a_page_that_holds_another_is_not_near_it():
    """By mutual containment; its size is in the code."""
    rng = random.Random(3)
    text = words(rng, 300)
    whole, half = signature(RULE, " ".join(text)), signature(RULE, " ".join(text[:150]))
    assert not passes(RULE, whole, half)


def test_least_equal_bits():
    least = RULE.least_equal()
    # .75 of two sets of one size is a resemblance of .6: 80 % of the bits.
    assert least[0] == 45
    assert (np.diff(least.astype(int)) >= 0).all()
    assert least[4] == 50  # sizes 1 and .707: .75 of the larger cannot be had
    assert NearRule(threshold=0).least_equal().tolist() == [56] + [57] * 255
    resemblance = NearRule(method="resemblance", threshold=0.5).least_equal()
    assert resemblance[[0, 8, 9]].tolist() == [42, 42, 57]


def test_texts_without_words_have_the_keys_of_their_digests():
    a, b = signature(RULE, "..."), signature(RULE, "!!!")
    assert len(set(a.keys.tolist())) == 1
    assert not set(a.keys.tolist()) & set(b.keys.tolist())
    assert a.code == signature(RULE, "...").code != b.code
    assert signature(NearRule(threshold=0), "one text").keys.size == 1
    assert len(a.keys) == RULE.n_keys


def test_few_words_are_one_shingle():
    a, b = signature(RULE, "two words"), signature(RULE, "Two WORDS")
    assert a.code == b.code
    assert a.keys.tolist() == b.keys.tolist()
    assert a.digest != b.digest


def test_simhash_is_the_code():
    rule = NearRule(method="simhash")
    made = signature(rule, "one text of some words")
    assert made.code == simhash("one text of some words")
    assert (rule.n_keys, rule.name) == (1, "simhash")


def test_names_tell_signatures_apart():
    names = {
        NearRule(method=method, threshold=threshold, shingle_words=w).name
        for method in ("mutual-containment", "resemblance", "simhash")
        for threshold in (0, 0.5)
        for w in (3, 5)
    }
    assert names == {"exact", "simhash", "bands 4x3 of 3-shingles", "bands 4x3 of 5-shingles"}


def test_sizes_in_codes():
    values = np.arange(68, dtype=np.uint32)
    assert [code_of(values, n) & 255 for n in (1, 2, 100, 2**40)] == [0, 8, 53, 255]


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"method": "guess"}, "method must be one of mutual-containment, resemblance, simhash"),
        ({"threshold": 1.5}, "threshold must be between 0 and 1, got 1.5"),
        ({"shingle_words": 0}, "shingle_words must be at least 1, got 0"),
        ({"distance": -1}, "distance must be 0 to 8, got -1"),
    ],
)
def test_wrong_rules(options, line):
    with pytest.raises(ValueError, match=line):
        NearRule(**options)
