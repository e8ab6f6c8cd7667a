"""Slots of the table of fingerprints, and how a sub-table of them grows: see crawler.webgraph.prints.table.

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

SLOT_WORDS = 5
# A sub-table grows by this part of itself, and by so many slots at least.
GROWTH = 8
MIN_GROWTH = 128

ZERO, ONE = np.uint64(0), np.uint64(1)
SLOT, LAST = np.uint64(SLOT_WORDS), np.uint64(SLOT_WORDS - 1)
LOW_32 = np.uint64(0xFFFFFFFF)
_8, _16, _32 = np.uint64(8), np.uint64(16), np.uint64(32)
_LOW_16 = np.uint64(0xFFFF)


@part
def head_of(slots: U16, word: np.uint64) -> Any:
    """Return the first four words of a slot as one number."""
    low = np.uint64(slots[word]) | (np.uint64(slots[word + ONE]) << _16)
    high = np.uint64(slots[word + np.uint64(2)]) | (np.uint64(slots[word + np.uint64(3)]) << _16)
    return low | (high << _32)


@part
def write_slot(slots: U16, word: np.uint64, print_: np.uint64, number: np.uint64) -> None:
    """Write an entry, of which the print may have more than 56 bits; 0 and 0 empty the slot."""
    head = print_ << _8 | number >> _16
    for field in range(LAST):
        slots[word + field] = np.uint16(head >> (_16 * field) & _LOW_16)
    slots[word + LAST] = np.uint16(number & _LOW_16)


@part
def _copy_slot(source: U16, start: np.uint64, target: U16, stop: np.uint64) -> None:
    for field in range(SLOT):
        target[stop + field] = source[start + field]


@part
def _clear_slots(slots: U16, word: np.uint64, stop: np.uint64) -> None:
    while word < stop:
        slots[word] = np.uint16(0)
        word += ONE


@part
def _home_in(rows: U16, row: np.uint64, capacity: np.uint64) -> Any:
    """Return the home place of an entry in a sub-table with *capacity* of them."""
    return (((head_of(rows, row) >> _32) & LOW_32) * capacity) >> _32


@part
def stretch(slots: U16, stride: np.uint64, sub: np.uint64, capacities: U32, spare: int) -> bool:
    """Grow a sub-table in place; False, and nothing done, where it has no address space for that.

    Its slots are moved to its new end, then its entries from the first on to where they belong. That
    is never beyond where they stand then, so no place is written before it was read: an entry's home
    moves up by no more than the slots did.
    """
    old = np.uint64(capacities[sub])
    new = old + max(np.uint64(MIN_GROWTH), old // np.uint64(GROWTH))
    if new + np.uint64(spare) > stride:
        return False
    begin = SLOT * sub * stride
    end, last = begin + SLOT * old, begin + SLOT * (old + np.uint64(spare))
    while end < last and head_of(slots, end) != ZERO:
        end += SLOT
    word, stop = begin + SLOT * (new - old), end + SLOT * (new - old)
    move(slots, begin, word, end - begin)
    free = begin
    while word < stop:
        if head_of(slots, word) != ZERO:
            place = max(begin + SLOT * _home_in(slots, word, new), free)
            _clear_slots(slots, free, place)
            _copy_slot(slots, word, slots, place)
            free = place + SLOT
        word += SLOT
    _clear_slots(slots, free, stop)
    capacities[sub] = np.uint32(new)
    return True


@lean_kernel
def gather(slots: U16, begin: int, n_slots: int, out: U16) -> int:
    """Copy the entries among *n_slots* slots from *begin* on to *out*; return how many there are."""
    n = ZERO
    for i in range(np.uint64(n_slots)):
        word = SLOT * (np.uint64(begin) + i)
        if head_of(slots, word) != ZERO:
            _copy_slot(slots, word, out, SLOT * n)
            n += ONE
    return int(n)


@lean_kernel
def clear(slots: U16, begin: int, n_slots: int) -> None:
    """Empty *n_slots* slots from *begin* on; memory that was never touched stays so."""
    for i in range(np.uint64(n_slots)):
        word = SLOT * (np.uint64(begin) + i)
        if head_of(slots, word) != ZERO:
            _clear_slots(slots, word, word + SLOT)


@lean_kernel
def scatter(slots: U16, begin: int, end: int, capacity: int, rows: U16) -> bool:
    """Put *rows*, which ascend, into the empty slots *begin* to *end*; False when they do not fit."""
    free, stop = SLOT * np.uint64(begin), SLOT * np.uint64(end)
    for i in range(np.uint64(rows.size // SLOT_WORDS)):
        place = _home_in(rows, SLOT * i, np.uint64(capacity))
        word = max(SLOT * (np.uint64(begin) + place), free)
        if word >= stop:
            return False
        _copy_slot(rows, SLOT * i, slots, word)
        free = word + SLOT
    return True
