"""The index of kept pages: what it finds, its bytes, and its file."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.duplicates.near_index.file import HEADER_BYTES, read_index, write_index
from pipelines.duplicates.near_index.index import LEAST_ALIKE, Found, NearIndex, next_capacity
from pipelines.duplicates.near_index.store import FILE
from pipelines.duplicates.verdicts import NearRule
from tests.benchmarks.index_speed import filled_index, index_rates

RULE = NearRule()
LEAST = RULE.least_equal()


def slow_find(page_ids, keys, codes, wanted_keys, wanted, page_id):
    """Compare with every document that shares a key; the most equal bits, then the eldest."""
    best, best_equal, alike = None, -1, []
    for number, (row, code) in enumerate(zip(keys.tolist(), codes.tolist(), strict=True)):
        n_equal = 56 - ((code ^ wanted) >> 8).bit_count()
        near = n_equal >= LEAST[abs((code & 255) - (wanted & 255))]
        n_shared = sum(row.count(key) for key in wanted_keys.tolist())
        if n_shared and near and n_equal > best_equal:
            best, best_equal = number, n_equal
        is_other = int(page_ids[number]) >> 32 == page_id >> 32 and page_ids[number] != page_id
        if is_other and n_equal >= LEAST_ALIKE:
            alike += [n_equal] * n_shared
    return Found(best, len(alike), sum(alike))


@given(st.integers(0, 2**32), st.integers(1, 60))
def test_what_is_found(seed, n):
    """Few keys, codes and hosts, so that many are shared; the tags of all keys differ."""
    rng = np.random.default_rng(seed)
    pool = np.arange(24, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    pool = (pool >> np.uint64(5) << np.uint64(5)) | np.arange(24, dtype=np.uint64)
    keys = rng.choice(pool, size=(n, 4))
    codes = rng.integers(0, 2**64, size=3, dtype=np.uint64)[rng.integers(0, 3, size=n)]
    codes ^= rng.integers(0, 2**3, size=n, dtype=np.uint64) << np.uint64(10)
    codes ^= rng.integers(0, 2**2, size=n, dtype=np.uint64)
    numbers = np.arange(n, dtype=np.uint64)
    page_ids = rng.integers(0, 3, size=n, dtype=np.uint64) << np.uint64(32) | numbers
    # With room for all: keys that many share crowd few buckets.
    index = NearIndex(4, capacity=4 * n)
    index.add(numbers, page_ids, codes, keys)
    for _ in range(10):
        asked = rng.choice(pool, size=4)
        wanted = int(codes[rng.integers(n)]) ^ int(rng.integers(2**3)) << 9
        page_id = int(page_ids[rng.integers(n)])
        found = index.find(asked, wanted, LEAST, page_id)
        assert found == slow_find(page_ids, keys, codes, asked, wanted, page_id)


def test_nothing_is_in_an_empty_index():
    keys = np.arange(4, dtype=np.uint64)
    assert NearIndex(4).find(keys, 0, LEAST, 1) == Found(None, 0, 0)


def test_bytes_of_a_document():
    for n in (20_000, 100_000):
        index, keys, codes = filled_index(n)
        assert index.n_bytes / n <= 40
        # A full index answers for nearly all of its documents.
        found = [index.find(keys[i], int(codes[i]), LEAST, i).number for i in range(0, n, 37)]
        assert np.mean(np.array(found) == np.arange(0, n, 37)) > 0.999
    assert index.capacity == next_capacity(n)


def test_a_band_that_many_share_is_bounded():
    """A hundred documents have a place under it; the others are found by their other keys."""
    n = 1000
    keys = np.random.default_rng(1).integers(0, 2**64, size=(n, 4), dtype=np.uint64)
    codes = np.random.default_rng(2).integers(0, 2**64, size=n, dtype=np.uint64)
    keys[:, 0] = 77
    index = NearIndex(4, capacity=n)
    numbers = np.arange(n, dtype=np.uint64)
    index.add(numbers, numbers, codes, keys)
    assert [index.find(keys[i], int(codes[i]), LEAST, i).number for i in range(n)] == list(range(n))
    by_band = [index.find(keys[i, :1], int(codes[i]), LEAST, i).number for i in range(n)]
    assert by_band[:100] == list(range(100))
    assert by_band.count(None) > 800


def test_the_benchmark_asserts_its_result():
    rates, n_bytes = index_rates(30_000, 1)
    assert rates[0] > 0
    assert n_bytes <= 40


@pytest.mark.parametrize(
    ("make", "error", "line"),
    [
        (lambda: NearIndex(0), ValueError, "n_keys must be at least 1, got 0"),
        (lambda: NearIndex(1, capacity=2**27), OverflowError, "at most 134217726 documents"),
    ],
)
def test_wrong_sizes(make, error, line):
    with pytest.raises(error, match=line):
        make()


def test_no_room():
    index = NearIndex(1, capacity=4)
    four = np.full(1, 4, dtype=np.uint64)
    with pytest.raises(ValueError, match="numbers must be below 4"):
        index.add(four, four, four, four[None])


# --- the file ------------------------------------------------------------------------------------


def test_file_is_mapped_and_stays_as_it_was(tmp_path):
    index, keys, codes = filled_index(500)
    write_index(tmp_path / FILE, index, RULE)
    before = (tmp_path / FILE).read_bytes()
    mapped = read_index(tmp_path / FILE, RULE)
    assert (mapped.n, mapped.capacity) == (500, index.capacity)
    assert all(map(np.array_equal, mapped.arrays, index.arrays))
    more = np.full(1, 500, dtype=np.uint64)
    mapped.add(more, more, codes[:1] ^ np.uint64(1 << 63), keys[:1] ^ np.uint64(3))
    asked = (keys[0] ^ np.uint64(3), int(codes[0]) ^ 1 << 63)
    assert mapped.find(*asked, LEAST, 1).number == 500
    assert (tmp_path / FILE).read_bytes() == before


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: data[: HEADER_BYTES - 1],
        lambda data: b"",
        lambda data: b"X" + data[1:],
        lambda data: data[:8] + b"\1" + data[9:],
        lambda data: data[:33] + b"\7" + data[34:],
        # Numbers beyond the arrays, which a look-up would follow.
        lambda data: data[:-4096] + b"\xff" * 4096,
        lambda data: (
            data[:HEADER_BYTES] + bytes([data[HEADER_BYTES] ^ 1]) + data[HEADER_BYTES + 1 :]
        ),
    ],
)
def test_a_file_that_is_not_whole_is_passed_over(tmp_path, damage):
    index, _, _ = filled_index(50)
    path = tmp_path / FILE
    write_index(path, index, RULE)
    path.write_bytes(damage(path.read_bytes()))
    assert read_index(path, RULE) is None
    assert read_index(tmp_path / "none", RULE) is None


def test_a_file_of_another_rule_is_passed_over(tmp_path):
    index, _, _ = filled_index(50)
    write_index(tmp_path / FILE, index, RULE)
    assert read_index(tmp_path / FILE, NearRule(shingle_words=5)) is None
    # The threshold is asked for, not stored.
    assert read_index(tmp_path / FILE, NearRule(threshold=0.5)) is not None
