"""The kernels of the table of fingerprints: see crawler.webgraph.prints.table.

For its slots see crawler.webgraph.prints.slots.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.kernels.jit import lean_kernel, part
from crawler.kernels.moving import move
from crawler.webgraph.prints.slots import LAST as LAST_WORD
from crawler.webgraph.prints.slots import LOW_32, SLOT, ZERO, head_of, stretch, write_slot

if TYPE_CHECKING:
    import numpy.typing as npt

    U16 = npt.NDArray[np.uint16]
    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]
    I64 = npt.NDArray[np.int64]

# Numbers from here on are not in the slots.
FAR = 2**24 - 1
# A sub-table of which so many slots in a hundred are taken has to grow.
FULL_PERCENT = 88

# Fingerprints whose homes are read ahead of the search, so that their cache misses overlap; and what
# follows a home, which a new entry pushes on: its next cache lines, within the spare slots at the end.
_AHEAD = 128
_LINE_WORDS = np.uint64(32)
_LINES = np.uint64(3)

_8, _16, _24 = np.uint64(8), np.uint64(16), np.uint64(24)
_32, _56 = np.uint64(32), np.uint64(56)
_LOW_8, _LOW_56 = np.uint64(0xFF), np.uint64(2**56 - 1)
_FAR = np.uint64(FAR)


@part
def _home(print_: np.uint64, capacity: np.uint32, stride: np.uint64) -> Any:
    """Return the first word of the slot where *print_* belongs."""
    place = ((print_ >> _24) & LOW_32) * np.uint64(capacity)
    return ((print_ >> _56) * stride + (place >> _32)) * SLOT


@part
def _number(slots: U16, word: np.uint64) -> Any:
    return (head_of(slots, word) & _LOW_8) << _16 | np.uint64(slots[word + LAST_WORD])


@part
def _place_of(slots: U16, word: np.uint64, print_: np.uint64) -> Any:
    """Return the slot of *print_*, or the one where it would be put."""
    wanted = print_ & _LOW_56
    found = head_of(slots, word) >> _8
    while found != ZERO and found < wanted:
        word += SLOT
        found = head_of(slots, word) >> _8
    return word


@part
def _is_at(slots: U16, word: np.uint64, print_: np.uint64) -> Any:
    return head_of(slots, word) >> _8 == print_ & _LOW_56


@part
def _put(slots: U16, word: np.uint64, print_: np.uint64, number: np.uint64) -> None:
    """Put an entry at *word*, and what stands there one slot on."""
    end = word
    while head_of(slots, end) != ZERO:
        end += SLOT
    if end != word:
        move(slots, word, word + SLOT, end - word)
    write_slot(slots, word, print_, number)


@part
def _touch(
    slots: U16, capacities: U32, stride: np.uint64, prints: U64, begin: int, scratch: I64
) -> None:
    """Read the homes of the next fingerprints, so that their cache misses overlap."""
    for i in range(begin, min(begin + _AHEAD, prints.size)):
        print_ = prints[i]
        home = _home(print_, capacities[print_ >> _56], stride)
        scratch[i] = 0
        for line in range(_LINES):
            scratch[i] += np.int64(slots[home + line * _LINE_WORDS])


@lean_kernel
def find(slots: U16, capacities: U32, strides: U64, prints: U64, numbers: I64) -> int:
    """Write the number of each of *prints*, -1 where it has none; return how many are `FAR`."""
    stride, n_far = strides[0], 0
    for i in range(prints.size):
        if i % _AHEAD == 0:
            _touch(slots, capacities, stride, prints, i, numbers)
        numbers[i] = number_of(slots, capacities, stride, prints[i])
        n_far += numbers[i] == FAR
    return n_far


@part
def number_of(slots: U16, capacities: U32, stride: np.uint64, print_: np.uint64) -> Any:
    """Return the number of a fingerprint, -1 when it has none."""
    word = _place_of(slots, _home(print_, capacities[print_ >> _56], stride), print_)
    return np.int64(_number(slots, word)) if _is_at(slots, word, print_) else np.int64(-1)


@lean_kernel
def find_one(slots: U16, capacities: U32, strides: U64, high: int, low: int) -> int:
    """Return the number of the fingerprint *high* * 2^32 + *low*, -1 when it has none."""
    print_ = np.uint64(high) << _32 | np.uint64(low)
    return number_of(slots, capacities, strides[0], print_)  # type: ignore[no-any-return]


@part
def _has_room(
    slots: U16, stride: np.uint64, sub: np.uint64, capacity: np.uint32, count: np.uint32, spare: int
) -> Any:
    """Tell whether a sub-table may take an entry more."""
    is_full = np.uint64(count) * np.uint64(100) >= np.uint64(capacity) * np.uint64(FULL_PERCENT)
    last = sub * stride + np.uint64(capacity) + np.uint64(spare - 1)
    return not is_full and head_of(slots, SLOT * last) == ZERO


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
        if not _has_room(slots, stride, sub, capacity, counts[sub], spare):
            if not stretch(slots, stride, sub, capacities, spare):
                return i
            capacity = capacities[sub]
            if not _has_room(slots, stride, sub, capacity, counts[sub], spare):
                return i
            word = _place_of(slots, _home(print_, capacity, stride), print_)
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
        if not _has_room(slots, stride, sub, capacity, counts[sub], spare):
            if not stretch(slots, stride, sub, capacities, spare):
                return i
            capacity = capacities[sub]
            if not _has_room(slots, stride, sub, capacity, counts[sub], spare):
                return i
            word = _place_of(slots, _home(print_, capacity, stride), print_)
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
        end = word + SLOT
        follower = head_of(slots, end) >> _8
        while follower != ZERO and _home(follower | sub << _56, capacity, stride) < end:
            end += SLOT
            follower = head_of(slots, end) >> _8
        move(slots, word + SLOT, word, end - word - SLOT)
        write_slot(slots, end - SLOT, ZERO, ZERO)
