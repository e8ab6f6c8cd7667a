"""Raw LZ4 blocks (lz4_Block_format.md of lz4 1.9), unpacked in kernels as far as is wanted.

Of a block that is damaged nothing is read or written beyond its bounds. Cost: about 4 ns a sequence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.byte_search import byte_at
from crawler.kernels.jit import part
from crawler.kernels.moving import copy_8, copy_32

if TYPE_CHECKING:
    import numpy.typing as npt

    U8 = npt.NDArray[np.uint8]

_MIN_MATCH = 4
_LONG = 15
_MORE = 255
DAMAGED = -1
_WORD = 8
# Copies take so many bytes at once, and most are shorter: so many may be read or written after the end of an
# array; without them it takes longer.
SLACK = 32
# The most bytes of a sequence whose lengths are in its token, packed and plain.
_SHORT_PACKED = 1 + (_LONG - 1) + 2
_SHORT_MATCH = _LONG - 1 + _MIN_MATCH
_SHORT_PLAIN = _LONG - 1 + _SHORT_MATCH


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
def copy_bytes(source: U8, start: int, limit: int, target: U8, to: int, count: int) -> None:
    """Copy *count* bytes; those of *target* after them are to be written yet, within its room.

    Of *source* what comes before *limit* may be read.
    """
    if start + count + SLACK > limit or to + count + SLACK > target.size:
        for k in range(count):
            target[np.uint64(to + k)] = source[np.uint64(start + k)]
        return
    copy_32(source, start, target, to)
    k = SLACK
    while k < count:
        copy_32(source, start + k, target, to + k)
        k += SLACK


@part
def _repeat(plain: U8, n: int, back: int, count: int) -> None:
    """Append *count* bytes to the *n* of *plain*: those that stand *back* before, one by one."""
    if back >= SLACK:
        copy_bytes(plain, n - back, plain.size, plain, n, count)
    elif back >= _WORD and n + count + _WORD <= plain.size:
        for k in range(0, count, _WORD):
            copy_8(plain, n - back + k, plain, n + k)
    else:
        for k in range(count):
            plain[np.uint64(n + k)] = plain[np.uint64(n + k - back)]


@part
def _u16_at(data: U8, at: int) -> int:
    return byte_at(data, at) | byte_at(data, at + 1) << 8


@part
def _unpack_short(
    packed: U8, state: tuple[int, int], bounds: tuple[int, int], plain: U8, sizes: tuple[int, int]
) -> tuple[int, int]:
    """Unpack as `unpack` does up to a sequence whose lengths are not in its token, or that is near an end."""
    at, n = state
    # Up to here such a sequence is whole, and not the last one, which has no match.
    last_at = min(bounds[0] - _SHORT_PACKED, bounds[1] - 1 - SLACK)
    last_n = min(sizes[0] - _SHORT_PLAIN, sizes[1] - 1)
    while at <= last_at and n <= last_n:
        token = byte_at(packed, at)
        count, more = token >> 4, token & _LONG
        back = _u16_at(packed, at + 1 + count)
        if max(count, more) == _LONG or back < _WORD or back > n + count:
            break
        copy_32(packed, at + 1, plain, n)
        n, at = n + count, at + count + 3
        if back >= SLACK:
            copy_32(plain, n - back, plain, n)
        else:
            for k in range(0, _SHORT_MATCH, _WORD):
                copy_8(plain, n - back + k, plain, n + k)
        n += more + _MIN_MATCH
    return at, n


@part
def unpack(
    packed: U8, state: tuple[int, int], bounds: tuple[int, int], plain: U8, sizes: tuple[int, int]
) -> tuple[int, int]:
    """Unpack a block until as many bytes as are wanted are there, or more.

    *state*: where in *packed* to go on, and the bytes that are there; *bounds*: the end of the block there, and
    the limit of what may be read; *sizes*: its bytes, and those that are wanted. Returns the new state, with
    `DAMAGED` bytes when the block is. *plain* has room for `SLACK` bytes more.
    """
    end, (size, wanted) = bounds[0], sizes
    at, n = _unpack_short(packed, state, bounds, plain, sizes)
    while n < wanted:
        if at >= end:
            return at, DAMAGED
        token = byte_at(packed, at)
        count, at = _length(packed, at + 1, end, token >> 4)
        if count > end - at or count > size - n:
            return at, DAMAGED
        copy_bytes(packed, at, bounds[1], plain, n, count)
        n, at = n + count, at + count
        if at == end:
            return at, (n if n == size else DAMAGED)
        if at + 2 > end:
            return at, DAMAGED
        back = _u16_at(packed, at)
        count, at = _length(packed, at + 2, end, token & _LONG)
        count += _MIN_MATCH
        if back == 0 or back > n or count > size - n:
            return at, DAMAGED
        _repeat(plain, n, back, count)
        at, n = _unpack_short(packed, (at, n + count), bounds, plain, sizes)
    return at, n
