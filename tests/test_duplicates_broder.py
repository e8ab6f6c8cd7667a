"""Shingles, sketches, bands, super-shingles and clusters against the papers' figures and slow versions."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.duplicates.fingerprints.broder import (
    NO_FEATURE,
    clusters,
    modulo_sketch,
    shared_features,
    shared_probability,
    super_shingles,
)
from pipelines.duplicates.lsh import (
    Bands,
    band_keys,
    candidate_probability,
    choose_bands,
    pairs_of_keys,
)
from pipelines.duplicates.minhash import NOTHING, estimated_resemblance, permutations, sketch
from pipelines.duplicates.shingles import (
    containment,
    mutual_containment,
    resemblance,
    shingles,
)

SAILOR = ["what", "shall", "we", "do", "with", "the", "drunken", "sailor"]
words = st.lists(st.sampled_from("abcd"), max_size=30)
hashes = st.lists(st.integers(0, 2**64 - 1), max_size=60)


def u64(values):
    return np.array(values, dtype=np.uint64)


def test_drunken_sailor():
    """Pomikálek 2011, 3.2.1: eight words have three shingles of six."""
    a = shingles(SAILOR, 6)
    assert len(a) == 3
    b = shingles([*SAILOR, "early"], 6)
    assert resemblance(a, b) == 3 / 4
    assert containment(a, b) == 1
    assert containment(b, a) == 3 / 4


@given(words, words, st.integers(1, 4))
def test_shares_are_those_of_sets(first, second, w):
    def slow(document):
        return {tuple(document[i : i + w]) for i in range(len(document) - w + 1)}

    a, b = slow(first), slow(second)
    sets = shingles(first, w), shingles(second, w)
    assert resemblance(*sets) == (len(a & b) / len(a | b) if a and b else 0)
    assert containment(*sets) == (len(a & b) / len(a) if a else 0)


@given(hashes, st.integers(1, 40))
def test_sketch_is_the_least_of_each_permutation(values, k):
    factors, terms = permutations(k)
    folded = [(value ^ value >> 32) & 0xFFFFFFFF for value in values]
    expected = [
        min(((int(a) * x + int(b)) % 2**32 for x in folded), default=NOTHING)
        for a, b in zip(factors, terms, strict=True)
    ]
    assert sketch(u64(values), k).tolist() == expected


def test_sketches_are_the_same_for_ever():
    assert sketch(u64([1, 2, 3]), 4).tolist() == [238485913, 537424955, 1245749093, 775425541]
    assert estimated_resemblance(sketch(u64([])), sketch(u64([]))) == 0
    with pytest.raises(ValueError, match="one length, got 4 and 5"):
        estimated_resemblance(sketch(u64([1]), 4), sketch(u64([1]), 5))


@pytest.mark.parametrize("n_common", [40, 200, 320])
def test_sketches_estimate_resemblance(n_common):
    """The mean error is 0, and its variance r (1 - r) / k, within three standard errors."""
    rng = np.random.default_rng(n_common + 1)
    n_trials, errors = 400, []
    true = n_common / (2 * 400 - n_common)
    for _ in range(n_trials):
        drawn = rng.integers(0, 2**64, size=800, dtype=np.uint64)
        a, b = drawn[:400], np.concatenate((drawn[:n_common], drawn[400 : 800 - n_common]))
        errors.append(estimated_resemblance(sketch(a), sketch(b)) - true)
    sigma = (true * (1 - true) / 128) ** 0.5
    assert abs(np.mean(errors)) < 3 * sigma / n_trials**0.5
    assert np.std(errors) == pytest.approx(sigma, rel=3 / (2 * n_trials) ** 0.5)


def test_equality_is_by_position():
    """The trap: as sets, these sketches share half of their values."""
    a = np.array([1, 2, 3, 4], dtype=np.uint32)
    b = np.array([2, 1, 5, 6], dtype=np.uint32)
    assert estimated_resemblance(a, b) == 0


@pytest.mark.parametrize(
    ("k", "s", "r", "rho", "expected"),
    [
        (6, 14, 2, 0.8, 0.0258),
        (6, 14, 2, 0.9, 0.4151),
        (6, 14, 2, 0.95, 0.8786),
        (100, 1, 50, 0.4, 0.0271),
        (100, 1, 51, 0.6, 0.9729),
        (10, 1, 5, 0.4, 0.3669),
        (10, 1, 6, 0.6, 0.6331),
    ],
)
def test_equation_3_1(k, s, r, rho, expected):
    assert shared_probability(k, s, r, rho) == pytest.approx(expected, abs=5e-5)


def test_super_shingles_are_shared_as_equation_3_1_says():
    rng = np.random.default_rng(7)
    n_trials, n_found = 400, 0
    for _ in range(n_trials):
        drawn = rng.integers(0, 2**64, size=420, dtype=np.uint64)
        pair = np.stack([sketch(drawn[:400], 84), sketch(drawn[20:], 84)])
        a, b = super_shingles(pair)
        n_found += (a == b).sum() >= 2
    expected = shared_probability(6, 14, 2, 380 / 420)
    assert n_found / n_trials == pytest.approx(
        expected, abs=3 * (expected * (1 - expected) / n_trials) ** 0.5
    )


def test_super_shingles_keep_order_and_place():
    rows = np.array([[1, 2, 3, 4], [2, 1, 3, 4], [3, 4, 1, 2]], dtype=np.uint32)
    keys = super_shingles(rows, 2)
    assert keys[0, 1] == keys[1, 1]
    assert keys[0, 0] != keys[1, 0]
    assert not set(keys[0].tolist()) & set(keys[2].tolist())


def test_super_shingles_of_empty_sets_are_shared_with_none():
    sketches = np.stack([sketch(u64(values), 12) for values in ([], [], [1, 2], [2, 1], [3])])
    assert shared_features(super_shingles(sketches), 2).pairs.tolist() == [[2, 3]]


@pytest.mark.parametrize("k", [0, 13])
def test_super_shingles_of_no_values_are_refused(k):
    """All documents would share them."""
    with pytest.raises(
        ValueError, match=f"k must be from 1 to 12, the values of a sketch, got {k}"
    ):
        super_shingles(np.ones((2, 12), dtype=np.uint32), k)


@given(hashes, st.integers(1, 5))
def test_modulo_sketch(values, m):
    assert modulo_sketch(u64(values), m).tolist() == [v for v in values if v % m == 0]


features = st.integers(1, 4).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 3), min_size=k, max_size=k), min_size=1, max_size=12)
)


@given(features, st.integers(1, 3))
def test_shared_features_and_clusters(rows, min_shared):
    found = shared_features(u64(rows), min_shared)
    expected = {}
    for i, j in combinations(range(len(rows)), 2):
        n = sum(x == y != NO_FEATURE for x, y in zip(rows[i], rows[j], strict=True))
        if n >= min_shared:
            expected[i, j] = n
    assert (
        dict(zip(map(tuple, found.pairs.tolist()), found.n_shared.tolist(), strict=True))
        == expected
    )
    component = list(range(len(rows)))
    for _ in rows:
        for i, j in expected:
            component[i] = component[j] = min(component[i], component[j])
    assert clusters(len(rows), found.pairs).tolist() == component


def test_long_lists_are_skipped_and_counted():
    found = shared_features(u64([[5], [5], [5], [6], [6]]), 1, max_list=2)
    assert found.pairs.tolist() == [[3, 4]]
    assert found.n_skipped == 1


@given(features)
def test_candidates_share_a_band(rows):
    sketches = np.array(rows, dtype=np.uint32)
    bands = Bands(sketches.shape[1], 1)
    keys = band_keys(sketches, bands)
    pairs = {tuple(pair) for band in keys.T for pair in pairs_of_keys(band).tolist()}
    expected = [
        (i, j)
        for i, j in combinations(range(len(rows)), 2)
        if any(x == y for x, y in zip(rows[i], rows[j], strict=True))
    ]
    assert sorted(pairs) == expected


def test_a_large_group_is_joined_by_its_first():
    pairs = pairs_of_keys(np.zeros(200, dtype=np.uint64))
    assert pairs.tolist() == [[0, j] for j in range(1, 200)]


def test_bands_for_a_threshold():
    bands = choose_bands(0.8, 128)
    assert bands.n_bands * bands.n_rows <= 128
    assert candidate_probability(0.6, bands) < 0.35
    assert candidate_probability(0.9, bands) > 0.9
    # Missing nothing costs comparisons.
    careful = choose_bands(0.8, 128, in_vain=0.1)
    assert candidate_probability(0.8, careful) > candidate_probability(0.8, bands)
    with pytest.raises(ValueError, match="threshold must be between 0 and 1, got 2"):
        choose_bands(2, 128)
    with pytest.raises(ValueError, match="needs more than the 4 values"):
        band_keys(np.zeros((1, 4), dtype=np.uint32), Bands(3, 2))


@given(words, words)
def test_mutual_containment_is_the_lower_containment(first, second):
    x, y = shingles(first, 2), shingles(second, 2)
    mutual = mutual_containment(x, y)
    assert mutual == min(containment(x, y), containment(y, x))
    # what it takes of resemblance
    assert resemblance(x, y) >= mutual / (2 - mutual) - 1e-12
