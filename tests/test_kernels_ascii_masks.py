"""The masks in compiled code are those of the plain definition."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from crawler.kernels import ascii_masks
from crawler.kernels.jit import lean_kernel

_PAD = bytes(ascii_masks.WIDTH)


@lean_kernel
def masks(source, place, found):
    found[0] = ascii_masks.space_mask(source, place)
    found[1] = ascii_masks.word_mask(source, place)
    found[2] = ascii_masks.high_mask(source, place)
    found[3] = ascii_masks.break_mask(source, place)
    found[4] = ascii_masks.last_mask(source, place)
    found[5] = ascii_masks.lead_mask(source, place)
    for i in range(6):
        found[6 + i] = ascii_masks.first_bit(found[i])


@lean_kernel
def pairs(source, place, first, second, found):
    found[0] = ascii_masks.pair_mask(source, place, first, second)


@lean_kernel
def small_pairs(source, place, first, second, found):
    found[0] = ascii_masks.small_pair_mask(source, place, first, second)


@lean_kernel
def copied(source, place, target, to):
    ascii_masks.copy_64(source, place, target, to)


@given(st.binary(min_size=64, max_size=80), st.integers(0, 16))
def test_masks(data, place):
    source = np.frombuffer(data + _PAD, dtype=np.uint8)
    found = np.zeros(12, dtype=np.uint64)
    masks(source, place, found)
    looked_at = bytes(source[place : place + 64])
    expected = [
        [byte < 128 and chr(byte).isspace() for byte in looked_at],
        [byte < 128 and chr(byte).isalnum() for byte in looked_at],
        [byte >= 128 for byte in looked_at],
        [byte in b" \n" for byte in looked_at],
        [byte == 255 for byte in looked_at],
        [byte >= 192 for byte in looked_at],
    ]
    for number, bits in enumerate(expected):
        assert int(found[number]) == sum(bit << i for i, bit in enumerate(bits))
        assert int(found[6 + number]) == (bits.index(True) if any(bits) else 64)


@given(st.text("ab", min_size=64, max_size=80), st.integers(0, 15), st.sampled_from("ab"))
def test_pairs(text, place, second):
    source = np.frombuffer(text.encode() + _PAD, dtype=np.uint8)
    found = np.zeros(1, dtype=np.uint64)
    pairs(source, place, ord("a"), ord(second), found)
    starts = [text[place + i : place + i + 2] == "a" + second for i in range(64)]
    assert int(found[0]) == sum(start << i for i, start in enumerate(starts))


@given(
    st.text("aAbB<", min_size=64, max_size=80), st.integers(0, 15), st.sampled_from(["ab", "<b"])
)
def test_pairs_in_any_case_of_letters(text, place, pair):
    source = np.frombuffer(text.encode() + _PAD, dtype=np.uint8)
    found = np.zeros(1, dtype=np.uint64)
    small_pairs(source, place, ord(pair[0]), ord(pair[1]), found)
    starts = [text[place + i : place + i + 2].lower() == pair for i in range(64)]
    assert int(found[0]) == sum(start << i for i, start in enumerate(starts))


@given(st.binary(min_size=64, max_size=80), st.integers(0, 16), st.integers(0, 9))
def test_copy(data, place, to):
    source = np.frombuffer(data + _PAD, dtype=np.uint8)
    target = np.full(80, 7, dtype=np.uint8)
    copied(source, place, target, to)
    expected = [7] * to + source[place : place + 64].tolist() + [7] * (16 - to)
    assert target.tolist() == expected
