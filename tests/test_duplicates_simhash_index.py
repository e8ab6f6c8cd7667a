from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.duplicates.simhash_index import SimhashIndex


def slow_nearest(entries, value, distance):
    """Compare with every entry; `min` keeps the first of equally near ones."""
    near = [(value ^ other).bit_count() for other, _ in entries]
    if not near or min(near) > distance:
        return None
    return entries[near.index(min(near))][1]


def flipped(rng, value, n_bits):
    for bit in rng.sample(range(64), n_bits):
        value ^= 1 << bit
    return value


@pytest.mark.parametrize("distance", range(9))
def test_every_pair_within_the_distance_is_found(distance):
    rng = random.Random(distance)
    index = SimhashIndex(distance)
    entries = []
    for page_id in range(300):
        # families of near values beside lone ones
        if entries and page_id % 3:
            value = flipped(rng, rng.choice(entries)[0], rng.randrange(distance + 4))
        else:
            value = rng.getrandbits(64)
        assert index.nearest(value) == slow_nearest(entries, value, distance)
        index.add(value, page_id)
        entries.append((value, page_id))
    for value, _ in entries:
        probe = flipped(rng, value, rng.randrange(distance + 2))
        assert index.nearest(probe) == slow_nearest(entries, probe, distance)


@pytest.mark.parametrize("distance", range(9))
def test_one_bit_more_than_the_distance_is_too_far(distance):
    rng = random.Random(distance)
    index = SimhashIndex(distance)
    value = rng.getrandbits(64)
    index.add(value, 7)
    for _ in range(100):
        assert index.nearest(flipped(rng, value, distance)) == 7
        assert index.nearest(flipped(rng, value, distance + 1)) is None


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1)), max_size=40),
    st.integers(0, 2**64 - 1),
    st.integers(0, 8),
)
def test_equal_to_the_slow_version(entries, value, distance):
    index = SimhashIndex(distance)
    for entry in entries:
        index.add(*entry)
    assert index.nearest(value) == slow_nearest(entries, value, distance)


def test_ties_go_to_the_first_added():
    index = SimhashIndex(3)
    for page_id, value in enumerate([0b11, 0b10, 0b01, 0b10]):
        index.add(value, page_id)
    assert index.nearest(0) == 1
    assert index.nearest(0b10) == 1


def test_a_value_is_held_once_and_keeps_its_first_page():
    index = SimhashIndex(3)
    for page_id in range(10):
        index.add(5, page_id)
    assert len(index) == 1
    assert index.nearest(5) == 0


def test_extreme_values_and_page_ids():
    index = SimhashIndex(0)
    index.add(0, 2**64 - 1)
    index.add(2**64 - 1, 3 << 32 | 9)
    assert index.nearest(0) == 2**64 - 1
    assert index.nearest(2**64 - 1) == 3 << 32 | 9
    assert index.nearest(1) is None


@pytest.mark.parametrize("distance", [0, 3, 8])
def test_bytes_a_document_are_as_stated(distance):
    rng = random.Random(1)
    index = SimhashIndex(distance)
    heads = index.n_bytes - 1024 * (16 + 4 * (distance + 1))
    assert heads <= 4 * (distance + 1) * 2**16
    for page_id in range(40_000):
        index.add(rng.getrandbits(64), page_id)
    a_value = (index.n_bytes - heads) / len(index)
    assert 16 + 4 * (distance + 1) <= a_value <= 1.25 * (16 + 4 * (distance + 1))


@pytest.mark.parametrize("distance", [-1, 9])
def test_distances_out_of_range_are_refused(distance):
    with pytest.raises(ValueError, match=f"distance must be between 0 and 8, got {distance}"):
        SimhashIndex(distance)


@pytest.mark.parametrize("number", [-1, 2**64])
def test_what_is_no_uint64_is_refused(number):
    index = SimhashIndex(3)
    with pytest.raises(ValueError, match=f"value must be .*, got {number}"):
        index.nearest(number)
    with pytest.raises(ValueError, match=f"page_id must be .*, got {number}"):
        index.add(1, number)
