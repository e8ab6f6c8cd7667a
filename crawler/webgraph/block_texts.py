"""Single texts out of many packed blocks, by one kernel call.

A frame is a raw LZ4 block (lz4_Block_format.md of lz4 1.9) of texts that each end in the byte 255; it is
unpacked only as far as the last text that is wanted of it. Of a frame that is damaged nothing is read
or written beyond its bounds.

Cost: about 0.4 ns for each byte of a block up to the text, and a copy of the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.errors import FormatError
from crawler.kernels.ascii_masks import WIDTH, first_bit, last_mask
from crawler.kernels.bits import n_set_bits
from crawler.kernels.byte_search import find_byte
from crawler.kernels.jit import lean_kernel, part, read_only
from crawler.kernels.moving import prefetch_bytes
from crawler.webgraph.lz4_blocks import DAMAGED, SLACK, copy_bytes, unpack
from crawler.webgraph.texts import END, Texts

if TYPE_CHECKING:
    import numpy.typing as npt

    I64 = npt.NDArray[np.int64]
    U8 = npt.NDArray[np.uint8]


class Frames(NamedTuple):
    """Frame i is ``data[begins[i]:ends[i]]``, and unpacked it has ``sizes[i]`` bytes; all int64[n].

    What is there up to ``limits[i]`` may be read with it.
    """

    data: U8
    begins: I64
    ends: I64
    sizes: I64
    limits: I64


class Rows(NamedTuple):
    """Texts of frames: in which frame and at which place each is, both ascending, and the number it is to have."""

    blocks: I64
    places: I64
    numbers: I64


class TextRoom(NamedTuple):
    """Where texts go: text i is ``data[starts[i]:ends[i]]``; int64[n]."""

    data: U8
    starts: I64
    ends: I64


@part
def _ends_from(plain: U8, start: int, n: int) -> np.uint64:
    """Return which of the 64 bytes of *plain* from *start* on, as far as they are of its *n*, end a text."""
    ends = last_mask(plain, start)
    if n - start < WIDTH:
        ends &= (np.uint64(1) << np.uint64(n - start)) - np.uint64(1)
    return ends


@part
def _nth_bit(mask: np.uint64, n: int) -> int:
    """Return the place of the set bit of *mask* that has *n* below it."""
    for _ in range(n):
        mask &= mask - np.uint64(1)
    return first_bit(mask)


@part
def _find_text(
    packed: U8,
    state: tuple[int, int],
    bounds: tuple[int, int],
    plain: tuple[U8, int],
    looked: tuple[int, int, int],
) -> tuple[tuple[int, int], tuple[int, int], tuple[int, int]]:
    """Find a text in a block, unpacking as much of it as that takes; *state* and *bounds* as in
    `crawler.webgraph.lz4_blocks.unpack`.

    *plain*: where to, and the bytes of the block; *looked*: of these so many have been looked through, how many of
    them end a text, and the place of the text. Returns the new state, what has been looked through
    then, and the bounds of the text.
    """
    data, size = plain
    at, n = state
    seen, n_ends, wanted = looked
    begin, stop, enough = 0 if wanted == 0 else -1, 0, seen + WIDTH
    while n >= 0:
        if n < min(enough, size):
            at, n = unpack(packed, (at, n), bounds, data, (size, min(enough, size)))
            continue
        if begin < 0:
            ends = _ends_from(data, seen, n)
            n_more = n_set_bits(ends)
            if n_ends + n_more >= wanted:
                begin = stop = seen + _nth_bit(ends, wanted - n_ends - 1) + 1
            elif seen + WIDTH >= size:
                n = DAMAGED
            else:
                seen, n_ends, enough = seen + WIDTH, n_ends + n_more, seen + 2 * WIDTH
            continue
        stop = find_byte(data, stop, n, END)
        if stop < n:
            break
        n, enough = (DAMAGED if n == size else n), n + WIDTH
    return (at, n), (seen, n_ends), (begin, stop)


@part
def _prefetch_next(frames: Frames, block: int) -> None:
    """Have a frame brought into the cache, which takes about as long as unpacking the one before."""
    if block < frames.begins.size:
        prefetch_bytes(frames.data, frames.begins[block], frames.ends[block])


@lean_kernel
def _gather(frames: Frames, rows: Rows, plain: U8, room: TextRoom) -> int:
    """Copy the texts *rows* to *room*; return how many bytes they have, or `DAMAGED`."""
    blocks, places, numbers = rows
    state, looked, written = (0, 0), (0, 0), 0
    for i in range(blocks.size):
        block, wanted, number = blocks[i], places[i], numbers[i]
        if i == 0 or block != blocks[i - 1]:
            state, looked = (frames.begins[block], 0), (0, 0)
            _prefetch_next(frames, block + 1)
        elif wanted == places[i - 1]:
            room.starts[number] = room.starts[numbers[i - 1]]
            room.ends[number] = room.ends[numbers[i - 1]]
            continue
        state, looked, (begin, end) = _find_text(
            frames.data,
            state,
            (frames.ends[block], frames.limits[block]),
            (plain, frames.sizes[block]),
            (looked[0], looked[1], wanted),
        )
        if state[1] < 0:
            return DAMAGED
        copy_bytes(plain, begin, plain.size, room.data, written, end - begin)
        room.starts[number] = written
        written += end - begin
        room.ends[number] = written
    return written


def block_rows(places: I64, n_texts: int) -> tuple[I64, Rows]:
    """Return the blocks of *n_texts* texts in which those at *places* are, ascending, and the rows there."""
    order = np.argsort(places)
    ascending = places[order]
    blocks = ascending // n_texts
    is_first = np.diff(blocks, prepend=-1) != 0
    return blocks[is_first], Rows(np.cumsum(is_first) - 1, ascending % n_texts, order)


def gather_texts(frames: Frames, rows: Rows) -> Texts:
    """Return the texts *rows* of *frames*, in the order in which they were asked for.

    Raises `FormatError` when a frame is damaged, or has no such text.
    """
    n = len(rows.numbers)
    room = TextRoom(
        np.empty(int(frames.sizes.sum()) + SLACK, dtype=np.uint8),
        np.empty(n, dtype=np.int64),
        np.empty(n, dtype=np.int64),
    )
    plain = np.empty(int(frames.sizes.max(initial=0)) + WIDTH, dtype=np.uint8)
    n_bytes = _gather(frames._replace(data=read_only(frames.data)), rows, plain, room)
    if n_bytes == DAMAGED:
        raise FormatError("a block of texts is damaged; restore the journal from a copy")
    # Blocks have a hundred times as much: what puts texts together would copy that.
    return Texts(room.data[:n_bytes], room.starts, room.ends)
