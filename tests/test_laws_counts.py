"""Counts in bounded memory, and histograms of segments."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page.lines import LineCounts, line_counts
from pipelines.linguistics.bounded_counts import BoundedCounts
from pipelines.linguistics.laws.histograms import (
    DENSITY_CLASSES,
    MAX_LENGTH,
    LengthCounts,
    compounds,
    token_histogram,
)


def add(counted, key, *amounts):
    """Add *amounts* to *key* alone; return its serial number and its count."""
    serials, counts = counted.add_all([key], np.array([amounts], dtype=np.int64))
    return int(serials[0]), int(counts[0])


def ints(*values):
    return np.array(values, dtype=np.int64)


# Bounded counts


@given(
    st.lists(st.sampled_from("abcdefghij"), max_size=200),
    st.integers(2, 6),
)
def test_counts_are_bounded_from_both_sides(keys, max_entries):
    counted = BoundedCounts(max_entries=max_entries)
    for key in keys:
        add(counted, key, 1)
        assert len(counted) <= max_entries
    true = Counter(keys)
    found = dict(zip(counted.keys, counted.counts[:, 0].tolist(), strict=True))
    missed = dict(zip(counted.keys, counted.missed.tolist(), strict=True))
    for key, count in found.items():
        assert count <= true[key] <= count + missed[key]
    for key in true.keys() - found.keys():
        assert true[key] <= counted.max_missed
    if len(true) <= max_entries:
        assert found == true
        assert (counted.max_missed, counted.n_forgotten) == (0, 0)


@given(st.lists(st.sets(st.sampled_from("abcdefghij"), max_size=6), max_size=40))
def test_adding_many_keys_is_adding_each(batches):
    one_by_one, at_once = BoundedCounts(2, max_entries=20), BoundedCounts(2, max_entries=20)
    for batch in batches:
        keys = sorted(batch)
        amounts = np.arange(2 * len(keys)).reshape(-1, 2)
        for key, row in zip(keys, amounts.tolist(), strict=True):
            add(one_by_one, key, *row)
        at_once.add_all(keys, amounts)
    assert at_once.keys == one_by_one.keys
    assert at_once.counts.tolist() == one_by_one.counts.tolist()


def test_more_keys_at_once_than_entries():
    counted = BoundedCounts(max_entries=4)
    counted.add_all([f"k{i}" for i in range(50)], np.ones((50, 1), dtype=np.int64))
    assert len(counted) <= 4
    assert counted.n_forgotten == 50 - len(counted)
    assert counted.max_missed >= 1


def test_a_serial_number_is_used_once():
    counted = BoundedCounts(max_entries=2)
    serials = [add(counted, key, 1)[0] for key in "abcaabbccabc"]
    assert counted.n_forgotten
    owner = dict(zip(serials, "abcaabbccabc", strict=True))
    assert [owner[serial] for serial in serials] == list("abcaabbccabc")
    assert counted.serials.tolist() == sorted(counted.serials.tolist())


def test_a_table_grows_to_its_bound():
    counted = BoundedCounts(max_entries=3000)
    for i in range(3000):
        add(counted, f"k{i}", i)
    assert len(counted) == 3000
    assert counted.counts[:, 0].tolist() == list(range(3000))
    assert "k2999" in counted
    add(counted, "one more", 1)
    assert len(counted) == 1500
    assert "k0" not in counted


@pytest.mark.parametrize("arguments", [{"n_columns": 0}, {"max_entries": 1}])
def test_bounds_of_bounded_counts(arguments):
    with pytest.raises(ValueError, match="must be at least"):
        BoundedCounts(**arguments)


# Histograms


def test_compound_density_is_that_of_the_joined_lines():
    # Kohlschütter spec 2.5.3: [13, 12, 3] and [11, 13, 2] make (13 + 12 + 3 + 11 + 13) / 5
    lines = LineCounts(*np.array([[28, 26, 2, 3], [3, 3, 1, 1], [3, 2, 2, 3]], dtype=np.uint32))
    found = compounds(lines, ints(0, 2))
    assert found.n_tokens.tolist() == [54, 5]
    assert found.density.tolist() == [10.4, 2.0]
    single = compounds(lines, ints(0, 1, 2, 3))
    assert single.density.tolist() == [12.5, 12.0, 2.0, 3.0]
    assert single.rounded.tolist() == [13, 12, 2, 3]  # halves go up


@pytest.mark.parametrize("starts", [(), (1,), (0, 0), (0, 4)])
def test_wrong_starts(starts):
    lines = line_counts(["a", "b", "c", "d"])
    with pytest.raises(ValueError, match="starts must ascend from 0"):
        compounds(lines, ints(*starts))


def test_no_blocks_are_no_segments():
    found = compounds(line_counts([]), ints())
    assert [len(column) for column in found] == [0, 0, 0]
    assert token_histogram(found.rounded, found.n_tokens).tolist() == [0] * DENSITY_CLASSES


def test_tokens_are_counted_not_segments():
    found = token_histogram(ints(2, 2, 12), ints(2, 2, 100))
    assert (found[2], found[12], found.sum()) == (4, 100, 104)


def test_length_counts():
    counted = LengthCounts()
    counted.add(ints(3, 1, 3))
    counted.add(ints(1), ints(5))
    assert counted.counts.tolist() == [0, 6, 0, 2]
    counted.add(ints())
    assert counted.n_cut == 0
    counted.add(ints(MAX_LENGTH + 5, MAX_LENGTH))
    assert (counted.n_cut, len(counted.counts), counted.counts[-1]) == (1, MAX_LENGTH + 1, 2)
