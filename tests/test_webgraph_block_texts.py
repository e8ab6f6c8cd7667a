"""Texts out of packed blocks, beside the blocks unpacked and split up."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.errors import FormatError
from crawler.webgraph.block_texts import Frames, block_rows, gather_texts

CODEC = pa.Codec("lz4_raw", compression_level=3)
# More texts than a block has.
MANY = 1000
TEXTS = st.binary(max_size=40).map(lambda raw: raw.replace(b"\xff", b"/"))


def frames_of(blocks, slack=32):
    plain = [b"".join(text + b"\xff" for text in texts) for texts in blocks]
    packed = [CODEC.compress(raw, asbytes=True) for raw in plain]
    return as_frames(packed, [len(raw) for raw in plain], slack)


def as_frames(packed, sizes, slack=32):
    ends = np.cumsum([len(frame) for frame in packed])
    begins = ends - [len(frame) for frame in packed]
    data = np.frombuffer(b"".join(packed) + bytes(slack), dtype=np.uint8)
    limits = np.full(len(packed), len(data), dtype=np.int64)
    return Frames(data, begins, ends, np.array(sizes, dtype=np.int64), limits)


def gathered(frames, wanted):
    pairs = np.array(wanted, dtype=np.int64).reshape(-1, 2)
    blocks, rows = block_rows(pairs[:, 0] * MANY + pairs[:, 1], MANY)
    data, *numbers = frames
    texts = gather_texts(Frames(data, *(of_all[blocks] for of_all in numbers)), rows)
    return [texts.data[a:b].tobytes() for a, b in zip(texts.starts, texts.ends, strict=True)]


@settings(max_examples=60)
@given(
    st.lists(st.lists(TEXTS, min_size=1, max_size=140), min_size=1, max_size=4),
    st.data(),
    st.sampled_from([0, 8, 32]),
)
def test_as_split_up(blocks, data, slack):
    one = st.integers(0, len(blocks) - 1).flatmap(
        lambda block: st.tuples(st.just(block), st.integers(0, len(blocks[block]) - 1))
    )
    wanted = data.draw(st.lists(one, max_size=30))
    expected = [blocks[block][place] for block, place in wanted]
    assert gathered(frames_of(blocks, slack), wanted) == expected


@pytest.mark.parametrize(
    "texts",
    [
        [b""],
        [b"a" * 70_000, b"b"],  # long lengths, and a match that overlaps itself
        [b"ab" * 300, b"abc" * 300, b"abcdefg" * 90, b"abcdefgh" * 90],
        [bytes(range(255)), b"x"],  # nothing is repeated
        [f"/a/{i % 7}/page-{i}.html".encode() for i in range(128)],
    ],
)
def test_worked_blocks(texts):
    wanted = [(0, place) for place in range(len(texts))]
    assert gathered(frames_of([texts]), wanted) == texts
    assert gathered(frames_of([texts]), wanted[-1:]) == texts[-1:]


def test_a_text_that_is_not_there():
    with pytest.raises(FormatError, match="damaged"):
        gathered(frames_of([[b"a", b"b"]]), [(0, 2)])


@settings(max_examples=300)
@given(
    st.binary(max_size=60),
    st.integers(1, 200),
    st.integers(0, 3),
)
def test_noise_is_named_or_read(packed, size, place):
    """Whatever stands there, nothing beyond the block is read or written."""
    frames = as_frames([packed], [size], slack=0)
    try:
        (text,) = gathered(frames, [(0, place)])
    except FormatError:
        return
    assert len(text) < size


def test_every_byte_of_a_block_may_be_damaged():
    """Some damage is named; what is not is read as a text within the block."""
    texts = [f"/a/{i % 5}/page-{i}.html".encode() for i in range(40)]
    plain = b"".join(text + b"\xff" for text in texts)
    packed = CODEC.compress(plain, asbytes=True)
    n_named = 0
    for place in range(len(packed)):
        for bit in (1, 16, 128):
            broken = bytearray(packed)
            broken[place] ^= bit
            try:
                (text,) = gathered(as_frames([bytes(broken)], [len(plain)], slack=0), [(0, 39)])
            except FormatError:
                n_named += 1
            else:
                assert len(text) < len(plain)
    assert n_named
