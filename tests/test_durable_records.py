from __future__ import annotations

import contextlib
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.durable.keys import MAX_KEY_BYTES, text_key, u32_key, u32_of, u64_key, u64_of
from crawler.durable.records import count_rows, pack_record, unpack_record, unpacked_bytes
from crawler.errors import FormatError

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.binary()
    | st.datetimes(timezones=st.just(UTC)),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("ab"), inner),
    max_leaves=20,
)


@given(VALUES, st.integers(0, 2**32 - 1), st.booleans())
def test_a_record_comes_back(value, n_rows, is_passing):
    record = pack_record(value, n_rows, is_passing=is_passing)
    assert count_rows(record) == n_rows
    assert unpack_record(record) == value
    assert unpacked_bytes(record) == unpacked_bytes(pack_record(value, n_rows))


def test_what_the_web_and_numpy_bring():
    when = datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=UTC)
    row = {"n": np.uint64(2**64 - 1), "share": np.float32(0.5), "text": "a\ud800b", "at": when}
    assert unpack_record(pack_record(row, 1)) == {
        "n": 2**64 - 1,
        "share": 0.5,
        "text": "a?b",
        "at": when,
    }


def test_what_no_record_holds():
    with pytest.raises(TypeError, match="cannot hold set"):
        pack_record({1}, 1)


@pytest.mark.parametrize("where", [4, 8, 12, 40, -5, -1])
@pytest.mark.parametrize("cut", [True, False])
@pytest.mark.parametrize("is_passing", [True, False])
def test_damage_is_named(where, cut, is_passing):
    record = bytearray(pack_record(["some text", *range(200)], 201, is_passing=is_passing))
    if cut:
        del record[where:]
    else:
        record[where] ^= 0xFF
    with pytest.raises(FormatError, match="record is damaged"):
        unpack_record(bytes(record))


@pytest.mark.parametrize("place", range(4, 12))
def test_a_damaged_frame_has_some_size_or_none(place):
    record = bytearray(pack_record(["some text", *range(200)], 201))
    for byte in range(256):
        record[place] = byte
        with contextlib.suppress(FormatError):
            assert unpacked_bytes(bytes(record)) >= 0
    with pytest.raises(FormatError, match="record is damaged"):
        unpacked_bytes(bytes(record[:4]))


def test_a_record_without_its_number_of_rows():
    with pytest.raises(FormatError, match="has 3 bytes; the journal is damaged"):
        count_rows(bytes(3))


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_numbers_sort_as_their_keys(a, b):
    assert u64_of(u64_key(a)) == a
    assert (u64_key(a) < u64_key(b)) == (a < b)
    assert u32_of(u32_key(a >> 32)) == a >> 32


@given(st.lists(st.text(max_size=3) | st.text(min_size=400, max_size=700), unique=True))
def test_text_keys_fit_and_differ(texts):
    keys = {text_key(text) for text in texts}
    assert len(keys) == len(texts)
    assert all(len(key) <= MAX_KEY_BYTES for key in keys)
