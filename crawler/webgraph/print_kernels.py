"""The kernels of the table of fingerprints: see crawler.webgraph.print_table.

A slot is five words of 16 bits: the first four, lowest first, are the lower 56 bits of a fingerprint
and the highest 8 of its number, the last is the rest of the number. An empty one is 0. Sub-table s
begins at slot ``s * strides[0]``; it has ``capacities[s]`` home places and some spare slots after
them. The stride comes as an array, for numba takes a number of numpy's ten times as slowly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.kernels.jit import lean_kernel, part
from crawler.kernels.moving import move

if TYPE_CHECKING:
    import numpy.typing as npt

    U16 = npt.NDArray[np.uint16]
    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]
    I64 = npt.NDArray[np.int64]

SLOT_WORDS = 5
# Numbers from here on are not in the slots.
FAR = 2**24 - 1
# A sub-table of which so many slots in a hundred are taken has to grow.
FULL_PERCENT = 94

# Fingerprints whose homes are read ahead of the search, so that their cache misses overlap.
_AHEAD = 256

_ZERO, _ONE, _8, _16 = np.uint64(0), np.uint64(1), np.uint64(8), np.uint64(16)
_24, _32, _56 = np.uint64(24), np.uint64(32), np.uint64(56)
_SLOT, _LAST = np.uint64(SLOT_WORDS), np.uint64(SLOT_WORDS - 1)
_LOW_8, _LOW_16 = np.uint64(0xFF), np.uint64(0xFFFF)
_LOW_32, _LOW_56 = np.uint64(0xFFFFFFFF), np.uint64(2**56 - 1)
_FAR = np.uint64(FAR)


@part
def _home(print_: np.uint64, capacity: np.uint32, stride: np.uint64) -> Any:
    """Return the first word of the slot where *print_* belongs."""
    place = ((print_ >> _24) & _LOW_32) * np.uint64(capacity)
    return ((print_ >> _56) * stride + (place >> _32)) * _SLOT


@part
def _head(slots: U16, word: np.uint64) -> Any:
    """Return the first four words of a slot as one number."""
    low = np.uint64(slots[word]) | (np.uint64(slots[word + _ONE]) << _16)
    high = np.uint64(slots[word + np.uint64(2)]) | (np.uint64(slots[word + np.uint64(3)]) << _16)
    return low | (high << _32)


@part
def _number(slots: U16, word: np.uint64) -> Any:
    return (_head(slots, word) & _LOW_8) << _16 | np.uint64(slots[word + _LAST])


@part
def _write(slots: U16, word: np.uint64, print_: np.uint64, number: np.uint64) -> None:
    head = print_ << _8 | number >> _16
    for field in range(_LAST):
        slots[word + field] = np.uint16(head >> (_16 * field) & _LOW_16)
    slots[word + _LAST] = np.uint16(number & _LOW_16)


@part
def _place_of(slots: U16, word: np.uint64, print_: np.uint64) -> Any:
    """Return the slot of *print_*, or the one where it would be put."""
    wanted = print_ & _LOW_56
    found = _head(slots, word) >> _8
    while found != _ZERO and found < wanted:
        word += _SLOT
        found = _head(slots, word) >> _8
    return word


@part
def _is_at(slots: U16, word: np.uint64, print_: np.uint64) -> Any:
    return _head(slots, word) >> _8 == print_ & _LOW_56


@part
def _put(slots: U16, word: np.uint64, print_: np.uint64, number: np.uint64) -> None:
    """Put an entry at *word*, and what stands there one slot on."""
    end = word
    while _head(slots, end) != _ZERO:
        end += _SLOT
    if end != word:
        move(slots, word, word + _SLOT, end - word)
    _write(slots, word, print_, number)


@part
def _touch(
    slots: U16, capacities: U32, stride: np.uint64, prints: U64, begin: int, scratch: I64
) -> None:
    """Read the homes of the next fingerprints, so that their cache misses overlap."""
    for i in range(begin, min(begin + _AHEAD, prints.size)):
        print_ = prints[i]
        home = _home(print_, capacities[print_ >> _56], stride)
        scratch[i] = np.int64(slots[home])


@lean_kernel
def find(slots: U16, capacities: U32, strides: U64, prints: U64, numbers: I64) -> int:
    """Write the number of each of *prints*, -1 where it has none; return how many are `FAR`."""
    stride, n_far = strides[0], 0
    for i in range(prints.size):
        if i % _AHEAD == 0:
            _touch(slots, capacities, stride, prints, i, numbers)
        print_ = prints[i]
        home = _home(print_, capacities[print_ >> _56], stride)
        word = _place_of(slots, home, print_)
        numbers[i] = -1
        if _is_at(slots, word, print_):
            number = _number(slots, word)
            n_far += number == _FAR
            numbers[i] = np.int64(number)
    return n_far


@lean_kernel
def find_one(slots: U16, capacities: U32, strides: U64, high: int, low: int) -> int:
    """Return the number of the fingerprint *high* * 2^32 + *low*, -1 when it has none."""
    stride, print_ = strides[0], np.uint64(high) << _32 | np.uint64(low)
    word = _place_of(slots, _home(print_, capacities[print_ >> _56], stride), print_)
    if _is_at(slots, word, print_):
        return np.int64(_number(slots, word))  # type: ignore[return-value]  # an int outside
    return -1


@part
def _has_room(slots: U16, capacity: np.uint32, count: np.uint32, last: np.uint64) -> Any:
    """Tell whether a sub-table whose last slot is *last* may take an entry more."""
    is_full = np.uint64(count) * np.uint64(100) >= np.uint64(capacity) * np.uint64(FULL_PERCENT)
    return not is_full and _head(slots, _SLOT * last) == _ZERO


@lean_kernel
def number(  # noqa: PLR0913, PLR0917  a kernel: its arrays come one by one
    slots: U16,
    capacities: U32,
    counts: U32,
    strides: U64,
    spare: int,
    prints: U64,
    groups: U32,
    counters: U32,
    numbers: I64,
    is_new: npt.NDArray[np.bool_],
    start: int,
) -> int:
    """Look up *prints* from *start* on and number new ones; stop before one that has no room."""
    stride = strides[0]
    for i in range(start, prints.size):
        if (i - start) % _AHEAD == 0:
            _touch(slots, capacities, stride, prints, i, numbers)
        print_ = prints[i]
        sub = print_ >> _56
        capacity = capacities[sub]
        word = _place_of(slots, _home(print_, capacity, stride), print_)
        if _is_at(slots, word, print_):
            numbers[i] = np.int64(_number(slots, word))
            continue
        last = sub * stride + np.uint64(capacity) + np.uint64(spare - 1)
        if not _has_room(slots, capacity, counts[sub], last):
            return i
        number = counters[groups[i]]
        counters[groups[i]] = number + np.uint32(1)
        _put(slots, word, print_, min(np.uint64(number), _FAR))
        counts[sub] += np.uint32(1)
        numbers[i], is_new[i] = np.int64(number), True
    return prints.size


@lean_kernel
def put(  # noqa: PLR0913, PLR0917  a kernel: its arrays come one by one
    slots: U16,
    capacities: U32,
    counts: U32,
    strides: U64,
    spare: int,
    prints: U64,
    numbers: U32,
    is_new: npt.NDArray[np.bool_],
    start: int,
) -> int:
    """Add *prints* from *start* on; stop before one that has no room, or another number (-1 - i)."""
    stride = strides[0]
    for i in range(start, prints.size):
        print_ = prints[i]
        sub = print_ >> _56
        capacity = capacities[sub]
        word = _place_of(slots, _home(print_, capacity, stride), print_)
        number = min(np.uint64(numbers[i]), _FAR)
        if _is_at(slots, word, print_):
            if _number(slots, word) != number:
                return -1 - i
            continue
        last = sub * stride + np.uint64(capacity) + np.uint64(spare - 1)
        if not _has_room(slots, capacity, counts[sub], last):
            return i
        _put(slots, word, print_, number)
        counts[sub] += np.uint32(1)
        is_new[i] = True
    return prints.size


@lean_kernel
def remove(slots: U16, capacities: U32, counts: U32, strides: U64, prints: U64) -> None:
    stride = strides[0]
    for i in range(prints.size):
        print_ = prints[i]
        sub = print_ >> _56
        capacity = capacities[sub]
        word = _place_of(slots, _home(print_, capacity, stride), print_)
        if not _is_at(slots, word, print_):
            continue
        counts[sub] -= np.uint32(1)
        end = word + _SLOT
        follower = _head(slots, end) >> _8
        while follower != _ZERO and _home(follower | sub << _56, capacity, stride) < end:
            end += _SLOT
            follower = _head(slots, end) >> _8
        move(slots, word + _SLOT, word, end - word - _SLOT)
        _write(slots, end - _SLOT, _ZERO, _ZERO)


@lean_kernel
def gather(slots: U16, begin: int, n_slots: int, out: U16) -> int:
    """Copy the entries among *n_slots* slots from *begin* on to *out*; return how many there are."""
    n = _ZERO
    for i in range(np.uint64(n_slots)):
        word = _SLOT * (np.uint64(begin) + i)
        if _head(slots, word) != _ZERO:
            for field in range(_SLOT):
                out[_SLOT * n + field] = slots[word + field]
            n += _ONE
    return int(n)


@lean_kernel
def clear(slots: U16, begin: int, n_slots: int) -> None:
    """Empty *n_slots* slots from *begin* on; memory that was never touched stays so."""
    for i in range(np.uint64(n_slots)):
        word = _SLOT * (np.uint64(begin) + i)
        if _head(slots, word) != _ZERO:
            _write(slots, word, _ZERO, _ZERO)


@lean_kernel
def scatter(slots: U16, begin: int, end: int, capacity: int, rows: U16) -> bool:
    """Put *rows*, which ascend, into the empty slots *begin* to *end*; False when they do not fit."""
    free, stop = _SLOT * np.uint64(begin), _SLOT * np.uint64(end)
    for i in range(np.uint64(rows.size // SLOT_WORDS)):
        row = _SLOT * i
        middle = (_head(rows, row) >> _32) & _LOW_32
        place = (middle * np.uint64(capacity)) >> _32
        word = max(_SLOT * (np.uint64(begin) + place), free)
        if word >= stop:
            return False
        for field in range(_SLOT):
            slots[word + field] = rows[row + field]
        free = word + _SLOT
    return True
