"""Single texts out of many packed blocks, by one kernel call.

A frame is a raw LZ4 block (lz4_Block_format.md of lz4 1.9) of texts that each end in the byte 255; it is
unpacked only as far as the last text that is wanted of it. Of a frame that is damaged nothing is read
or written beyond its bounds.

Cost: about 1 ns for each byte of a block up to the text, and a copy of the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.errors import FormatError
from crawler.kernels.byte_search import byte_at, find_byte
from crawler.kernels.jit import lean_kernel, part
from crawler.kernels.moving import copy_8
from crawler.webgraph.texts import END, Texts

if TYPE_CHECKING:
    import numpy.typing as npt

    I64 = npt.NDArray[np.int64]
    U8 = npt.NDArray[np.uint8]

_MIN_MATCH = 4
_LONG = 15
_MORE = 255
_DAMAGED = -1
# Copies take eight bytes at once; most are shorter than four of them, which are then copied whole.
_WORD = 8
# Bytes after the end of an array, beyond which a copy may read or write; without them it takes longer.
SLACK = 4 * _WORD


class Frames(NamedTuple):
    """Frame i is ``data[begins[i]:ends[i]]``, and unpacked it has ``sizes[i]`` bytes; all int64[n]."""

    data: U8
    begins: I64
    ends: I64
    sizes: I64


class TextRoom(NamedTuple):
    """Where texts go: text i is ``data[starts[i]:ends[i]]``; int64[n]."""

    data: U8
    starts: I64
    ends: I64


@part
def _length(packed: U8, at: int, end: int, first: int) -> tuple[int, int]:
    """Return a length of which *first* is in the token, and the place after it; it stops at *end*."""
    if first < _LONG:
        return first, at
    while at < end:
        more = byte_at(packed, at)
        first += more
        at += 1
        if more != _MORE:
            break
    return first, at


@part
def _copy(source: U8, start: int, target: U8, to: int, count: int) -> None:
    """Copy *count* bytes; those of *target* after them are to be written yet, within its room."""
    if start + count + SLACK > source.size or to + count + SLACK > target.size:
        for k in range(count):
            target[np.uint64(to + k)] = source[np.uint64(start + k)]
        return
    copy_8(source, start, target, to)
    copy_8(source, start + _WORD, target, to + _WORD)
    copy_8(source, start + 2 * _WORD, target, to + 2 * _WORD)
    k = 3 * _WORD
    while k < count:
        copy_8(source, start + k, target, to + k)
        k += _WORD


@part
def _repeat(plain: U8, n: int, back: int, count: int) -> None:
    """Append *count* bytes to the *n* of *plain*: those that stand *back* before, one by one."""
    if back >= _WORD:
        _copy(plain, n - back, plain, n, count)
        return
    for k in range(count):
        plain[np.uint64(n + k)] = plain[np.uint64(n + k - back)]


@part
def _unpack(
    packed: U8, state: tuple[int, int], end: int, plain: U8, size: int, wanted: int
) -> tuple[int, int]:
    """Unpack a block of *size* bytes until *wanted* of them are there, or more.

    *state*: where in *packed* to go on, up to *end*, and the bytes that are there. Returns the new one,
    with `_DAMAGED` bytes when the block is.
    """
    at, n = state
    while n < wanted:
        if at >= end:
            return at, _DAMAGED
        token = byte_at(packed, at)
        count, at = _length(packed, at + 1, end, token >> 4)
        if count > end - at or count > size - n:
            return at, _DAMAGED
        _copy(packed, at, plain, n, count)
        n, at = n + count, at + count
        if at == end:
            return at, (n if n == size else _DAMAGED)
        if at + 2 > end:
            return at, _DAMAGED
        back = byte_at(packed, at) | byte_at(packed, at + 1) << 8
        count, at = _length(packed, at + 2, end, token & _LONG)
        count += _MIN_MATCH
        if back == 0 or back > n or count > size - n:
            return at, _DAMAGED
        _repeat(plain, n, back, count)
        n += count
    return at, n


@lean_kernel
def _gather(frames: Frames, rows: tuple[I64, I64, I64], plain: U8, room: TextRoom) -> int:
    """Copy the texts *rows* to *room*: their frames, ascending, places there, ascending, and numbers.

    Returns how many bytes they have, or `_DAMAGED`.
    """
    blocks, places, numbers = rows
    last, at, n, place, begin, end, written = -1, 0, 0, 0, 0, -1, 0
    for i in range(blocks.size):
        block, wanted = blocks[i], places[i]
        size = frames.sizes[block]
        if block != last:
            last, at, n, place, begin, end = block, frames.begins[block], 0, -1, 0, -1
        elif place == wanted:
            room.starts[numbers[i]] = room.starts[numbers[i - 1]]
            room.ends[numbers[i]] = room.ends[numbers[i - 1]]
            continue
        while place < wanted:
            begin = end + 1
            end = find_byte(plain, begin, n, END)
            while end == n:
                if n == size:
                    return _DAMAGED
                known = n
                # About as much as the texts up to this one take, were all of a size.
                enough = min(size, max(n + 64, size * (wanted + 2) // 128))
                at, n = _unpack(frames.data, (at, n), frames.ends[block], plain, size, enough)
                if n < 0:
                    return _DAMAGED
                end = find_byte(plain, known, n, END)
            place += 1
        _copy(plain, begin, room.data, written, end - begin)
        room.starts[numbers[i]] = written
        written += end - begin
        room.ends[numbers[i]] = written
    return written


def gather_texts(frames: Frames, blocks: I64, places: I64) -> Texts:
    """Return, in order, text ``places[i]`` of frame ``blocks[i]``; int64[n] both.

    Raises `FormatError` when a frame is damaged, or has no such text.
    """
    order = np.lexsort((places, blocks))
    blocks = blocks[order]
    sizes = frames.sizes[blocks[np.flatnonzero(np.diff(blocks, prepend=-1))]]
    n = len(order)
    room = TextRoom(
        np.empty(int(sizes.sum()) + SLACK, dtype=np.uint8),
        np.empty(n, dtype=np.int64),
        np.empty(n, dtype=np.int64),
    )
    plain = np.empty(int(sizes.max(initial=0)) + SLACK, dtype=np.uint8)
    n_bytes = _gather(frames, (blocks, places[order], order), plain, room)
    if n_bytes == _DAMAGED:
        raise FormatError("a block of texts is damaged; restore the journal from a copy")
    # Blocks have a hundred times as much: what puts texts together would copy that.
    return Texts(room.data[:n_bytes], room.starts, room.ends)
