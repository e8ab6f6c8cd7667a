"""The kernels of the table of fingerprints: see crawler.webgraph.print_table.

Slots are three words each: the high and the low half of a fingerprint, and its number. Sub-table s
begins at slot ``s * strides[0]``; it has ``capacities[s]`` home places and some spare slots after them. The
stride comes as an array, for numba takes a number of numpy's ten times as slowly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel, part

if TYPE_CHECKING:
    import numpy.typing as npt

    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]
    I64 = npt.NDArray[np.int64]

# Fingerprints whose homes are read ahead of the search, so that their cache misses overlap.
_AHEAD = 256

_EMPTY = np.uint64(0)


@part
def _home(print_: np.uint64, capacity: np.uint32, stride: np.uint64) -> np.uint64:
    """Return the first word of the slot where *print_* belongs."""
    place = ((print_ >> np.uint64(24)) & np.uint64(0xFFFFFFFF)) * np.uint64(capacity)
    slot = (print_ >> np.uint64(56)) * stride + (place >> np.uint64(32))
    return slot * np.uint64(3)


@part
def _print_at(slots: U32, word: np.uint64) -> np.uint64:
    return (np.uint64(slots[word]) << np.uint64(32)) | np.uint64(slots[word + np.uint64(1)])


@part
def _place_of(slots: U32, word: np.uint64, print_: np.uint64) -> np.uint64:
    """Return the slot of *print_*, or the one where it would be put."""
    found = _print_at(slots, word)
    while found != np.uint64(0) and found < print_:
        word += np.uint64(3)
        found = _print_at(slots, word)
    return word


@part
def _put(slots: U32, word: np.uint64, print_: np.uint64, number: np.uint32) -> None:
    """Put an entry at *word*, and what stands there one slot on."""
    high, low = np.uint32(print_ >> np.uint64(32)), np.uint32(print_ & np.uint64(0xFFFFFFFF))
    while slots[word] != 0 or slots[word + np.uint64(1)] != 0:
        next_high, next_low = slots[word], slots[word + np.uint64(1)]
        next_number = slots[word + np.uint64(2)]
        slots[word], slots[word + np.uint64(1)] = high, low
        slots[word + np.uint64(2)] = number
        high, low, number = next_high, next_low, next_number
        word += np.uint64(3)
    slots[word], slots[word + np.uint64(1)] = high, low
    slots[word + np.uint64(2)] = number


@part
def _touch(
    slots: U32, capacities: U32, stride: np.uint64, prints: U64, begin: int, scratch: I64
) -> None:
    """Read the homes of the next fingerprints, so that their cache misses overlap."""
    for i in range(begin, min(begin + _AHEAD, prints.size)):
        print_ = prints[i]
        home = _home(print_, capacities[print_ >> np.uint64(56)], stride)
        scratch[i] = np.int64(slots[home])


@lean_kernel
def find(slots: U32, capacities: U32, strides: U64, prints: U64, numbers: I64) -> None:
    stride = strides[0]
    for i in range(prints.size):
        if i % _AHEAD == 0:
            _touch(slots, capacities, stride, prints, i, numbers)
        print_ = prints[i]
        home = _home(print_, capacities[print_ >> np.uint64(56)], stride)
        word = _place_of(slots, home, print_)
        numbers[i] = -1
        if _print_at(slots, word) == print_:
            numbers[i] = np.int64(slots[word + np.uint64(2)])


@lean_kernel
def find_one(slots: U32, capacities: U32, strides: U64, high: int, low: int) -> int:
    """Return the number of the fingerprint *high* * 2^32 + *low*, -1 when it has none."""
    stride, print_ = strides[0], np.uint64(high) << np.uint64(32) | np.uint64(low)
    word = _place_of(slots, _home(print_, capacities[print_ >> np.uint64(56)], stride), print_)
    if _print_at(slots, word) == print_:
        return np.int64(slots[word + np.uint64(2)])  # type: ignore[return-value]  # an int outside
    return -1


@part
def _has_room(slots: U32, capacity: np.uint32, count: np.uint32, last: np.uint64) -> bool:
    """Tell whether a sub-table whose last slot is *last* may take an entry more."""
    is_full = np.uint64(count) * np.uint64(10) >= np.uint64(capacity) * np.uint64(9)
    return not is_full and _print_at(slots, np.uint64(3) * last) == _EMPTY


@lean_kernel
def number(  # noqa: PLR0913, PLR0917  a kernel: its arrays come one by one
    slots: U32,
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
        sub = print_ >> np.uint64(56)
        capacity = capacities[sub]
        word = _place_of(slots, _home(print_, capacity, stride), print_)
        if _print_at(slots, word) == print_:
            numbers[i] = np.int64(slots[word + np.uint64(2)])
            continue
        last = sub * stride + np.uint64(capacity) + np.uint64(spare - 1)
        if not _has_room(slots, capacity, counts[sub], last):
            return i
        number = counters[groups[i]]
        counters[groups[i]] = number + np.uint32(1)
        _put(slots, word, print_, number)
        counts[sub] += np.uint32(1)
        numbers[i], is_new[i] = np.int64(number), True
    return prints.size


@lean_kernel
def put(  # noqa: PLR0913, PLR0917  a kernel: its arrays come one by one
    slots: U32,
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
        sub = print_ >> np.uint64(56)
        capacity = capacities[sub]
        word = _place_of(slots, _home(print_, capacity, stride), print_)
        if _print_at(slots, word) == print_:
            if slots[word + np.uint64(2)] != numbers[i]:
                return -1 - i
            continue
        last = sub * stride + np.uint64(capacity) + np.uint64(spare - 1)
        if not _has_room(slots, capacity, counts[sub], last):
            return i
        _put(slots, word, print_, numbers[i])
        counts[sub] += np.uint32(1)
        is_new[i] = True
    return prints.size


@lean_kernel
def remove(slots: U32, capacities: U32, counts: U32, strides: U64, prints: U64) -> None:
    stride = strides[0]
    for i in range(prints.size):
        print_ = prints[i]
        sub = print_ >> np.uint64(56)
        capacity = capacities[sub]
        word = _place_of(slots, _home(print_, capacity, stride), print_)
        if _print_at(slots, word) != print_:
            continue
        counts[sub] -= np.uint32(1)
        after = word + np.uint64(3)
        follower = _print_at(slots, after)
        while follower != np.uint64(0) and _home(follower, capacity, stride) < after:
            for field in range(3):
                slots[word + np.uint64(field)] = slots[after + np.uint64(field)]
            word, after = after, after + np.uint64(3)
            follower = _print_at(slots, after)
        for field in range(3):
            slots[word + np.uint64(field)] = np.uint32(0)


@lean_kernel
def gather(slots: U32, begin: int, n_slots: int, out: U32) -> int:
    """Copy the entries among *n_slots* slots from *begin* on to *out*; return how many there are."""
    n = 0
    for i in range(n_slots):
        word = np.uint64(3) * np.uint64(begin + i)
        if slots[word] != 0 or slots[word + np.uint64(1)] != 0:
            for field in range(3):
                out[3 * n + field] = slots[word + np.uint64(field)]
            n += 1
    return n


@lean_kernel
def scatter(slots: U32, begin: int, end: int, capacity: int, rows: U32) -> bool:
    """Put *rows*, which ascend, into the empty slots *begin* to *end*; False when they do not fit."""
    free, stop = np.uint64(3) * np.uint64(begin), np.uint64(3) * np.uint64(end)
    for i in range(rows.size // 3):
        row = np.uint64(3 * i)
        middle = (_print_at(rows, row) >> np.uint64(24)) & np.uint64(0xFFFFFFFF)
        place = (middle * np.uint64(capacity)) >> np.uint64(32)
        word = max(np.uint64(3) * (np.uint64(begin) + place), free)
        if word >= stop:
            return False
        for field in range(3):
            slots[word + np.uint64(field)] = rows[row + np.uint64(field)]
        free = word + np.uint64(3)
    return True
