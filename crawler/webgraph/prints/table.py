"""Fingerprint → number, in memory: open addressing that grows piece by piece.

The first byte of a 64-bit fingerprint names one of 256 sub-tables, so a slot holds the other seven,
and three of a number: 10 bytes. The next four bytes name its place there, so that a sub-table holds
its fingerprints in ascending order with gaps between them (linear probing in order: Amble and Knuth
1974, "Ordered hash tables"): a search ends at the first larger fingerprint, and a sub-table grows by
two passes over itself, in place. Only the sub-table that is full grows, by an eighth, which stops the
writer for 3 ns an entry of it (0.6 ms at 5·10^7 pages in all). The few numbers of 2^24 - 1 and more are in a
dictionary beside.

The slots lie in address space that is reserved and takes memory only where it is touched. When that
is used up it is reserved anew, twice as large, and the slots are copied.

Memory: 10 bytes a slot, of which 78 to 88 in a hundred are taken: 12 bytes an entry on average, 11.5
in a table that was loaded, and 1 MB for an empty one of 256 sub-tables. A fuller one is smaller and
slower: at 90 to 94 in a hundred a new entry takes twice the time (measured at 1.6·10^7 entries), for
it pushes on a hundred others. Cost of a look-up: one or two cache misses.
Invariant: equal to a dict; a test holds it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.webgraph.address_space import check_room, reserve
from crawler.webgraph.prints import kernels
from crawler.webgraph.prints import slots as print_slots
from crawler.webgraph.prints.kernels import FAR, FULL_PERCENT
from crawler.webgraph.prints.repeated_texts import find_texts
from crawler.webgraph.prints.slots import GROWTH, MIN_GROWTH, SLOT_WORDS
from crawler.webgraph.prints.text_prints import text_prints

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.webgraph.texts import Texts

    U16 = npt.NDArray[np.uint16]
    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]
    I64 = npt.NDArray[np.int64]

N_SUBTABLES = 256

# Slots of a sub-table at first, and for how many of all there is address space at first: 10 GB, of
# which a table of 9·10^8 pages would touch all.
_FIRST_SLOTS = 16
# Entries in a hundred slots of a sub-table that is made for them.
_ROOMY = 87
_RESERVED_SLOTS = 2**30
# Beyond its last home place a sub-table has room for so many entries that were pushed there; doubled
# should that not do. Touched only where there are any.
_SPARE_SLOTS = 512
# So many slots are whole pages of memory: no sub-table begins within one, and touches it for a part.
_ALIGNED_SLOTS = 2048


class PrintTable:
    """Numbers by fingerprint; the lower 56 bits of a fingerprint are not all 0.

    *far* are the numbers that are not in the slots; :meth:`dump` and :meth:`load` leave them out.
    """

    __slots__ = ("_capacities", "_counts", "_slots", "_spare", "_strides", "far")

    def __init__(self, *, reserved_slots: int = _RESERVED_SLOTS) -> None:
        self._capacities = np.full(N_SUBTABLES, _FIRST_SLOTS, dtype=np.uint32)
        self._counts = np.zeros(N_SUBTABLES, dtype=np.uint32)
        self._slots: U16 = reserve(SLOT_WORDS * reserved_slots, np.uint16)
        self.far: dict[int, int] = {}
        self._strides = _strides(self._slots)
        self._spare = min(_SPARE_SLOTS, self._stride // 2)

    def __len__(self) -> int:
        return int(self._counts.sum())

    @property
    def n_bytes(self) -> int:
        """Return the bytes of the slots in use, free ones between them included."""
        return int(self._capacities.sum(dtype=np.int64)) * 2 * SLOT_WORDS

    @property
    def _stride(self) -> int:
        return int(self._strides[0])

    def find(self, prints: U64) -> I64:
        """Return the number of each of *prints*, -1 where it has none."""
        numbers = np.empty(len(prints), dtype=np.int64)
        if kernels.find(self._slots, self._capacities, self._strides, prints, numbers):
            self._look_far(prints, numbers)
        return numbers

    def find_texts(self, texts: Texts) -> I64:
        """Return the number of the fingerprint of each of *texts*, of seed 0; -1 where it has none.

        Where many are equal to the one before, this is faster than :meth:`find`.
        """
        numbers = np.empty(len(texts), dtype=np.int64)
        places = texts.data, texts.starts, texts.ends
        if find_texts(*places, self._slots, self._capacities, self._strides, numbers):
            return self.find(text_prints(texts, np.zeros(len(texts), dtype=np.uint32)))
        return numbers

    def _look_far(self, prints: U64, numbers: I64) -> None:
        """Replace `FAR` in *numbers* by what it stands for."""
        for place in np.flatnonzero(numbers == FAR).tolist():
            numbers[place] = self.far[int(prints[place])]

    def number(self, prints: U64, groups: U32, counters: U32) -> tuple[I64, npt.NDArray[np.bool_]]:
        """Return the numbers of *prints*, giving new ones, and a mask of those that are new.

        A new one gets the number that *counters* holds for its group, which then counts one up.
        """
        numbers = np.empty(len(prints), dtype=np.int64)
        is_new = np.zeros(len(prints), dtype=np.bool_)
        done = 0
        while True:
            done = kernels.number(
                self._slots,
                self._capacities,
                self._counts,
                self._strides,
                self._spare,
                prints,
                groups,
                counters,
                numbers,
                is_new,
                done,
            )
            if done == len(prints):
                break
            self._grow(int(prints[done]) >> 56)
        if len(numbers) and numbers.max() >= FAR:
            new = np.flatnonzero(is_new & (numbers >= FAR))
            self.far.update(zip(prints[new].tolist(), numbers[new].tolist(), strict=True))
            self._look_far(prints, numbers)
        return numbers, is_new

    def put(self, prints: U64, numbers: U32) -> npt.NDArray[np.bool_]:
        """Give *prints* their *numbers*; return which are new.

        In order of fingerprints, which is several times faster than another one for many. Raises
        `ValueError` when one has another number.
        """
        order = np.argsort(prints)
        prints, numbers = prints[order], numbers[order]
        self._make_room(prints)
        added = np.zeros(len(prints), dtype=np.bool_)
        done = 0
        while done < len(prints):
            done = kernels.put(
                self._slots,
                self._capacities,
                self._counts,
                self._strides,
                self._spare,
                prints,
                numbers,
                added,
                done,
            )
            if done < 0:
                raise _other_number(int(prints[-1 - done]))
            if done < len(prints):
                self._grow(int(prints[done]) >> 56)
        for place in np.flatnonzero(numbers >= FAR).tolist():
            number = int(numbers[place])
            if self.far.setdefault(int(prints[place]), number) != number:
                raise _other_number(int(prints[place]))
        is_new = np.empty(len(prints), dtype=np.bool_)
        is_new[order] = added
        return is_new

    def _make_room(self, prints: U64) -> None:
        """Grow the sub-tables for *prints* at once.

        In ascending order they fill a sub-table from below, which would be too full there before it
        is full.
        """
        subs = (prints >> np.uint64(56)).astype(np.int64)
        wanted = self._counts + np.bincount(subs, minlength=N_SUBTABLES)
        for sub in np.flatnonzero(
            wanted * 100 > self._capacities * np.int64(FULL_PERCENT)
        ).tolist():
            self._fill(sub, self._rows(sub), _roomy(int(wanted[sub])))

    def expect(self, n: int) -> None:
        """Make room for *n* entries more at once: growing bit by bit, all are moved again and again."""
        wanted = self._counts + np.int64(n // N_SUBTABLES)
        for sub in np.flatnonzero(wanted * 100 > self._capacities * np.int64(_ROOMY)).tolist():
            self._fill(sub, self._rows(sub), _roomy(int(wanted[sub])))

    def remove(self, prints: U64) -> None:
        """Forget those of *prints* that are there."""
        kernels.remove(self._slots, self._capacities, self._counts, self._strides, prints)
        if self.far:
            for print_ in prints.tolist():
                self.far.pop(print_, None)

    def find_one(self, print_: int) -> int:
        """Return the number of one fingerprint, -1 when it has none."""
        high, low = print_ >> 32, print_ & 0xFFFFFFFF
        number = kernels.find_one(self._slots, self._capacities, self._strides, high, low)
        return self.far[print_] if number == FAR else number

    def clear(self) -> None:
        """Forget all, and keep the room."""
        for sub in range(N_SUBTABLES):
            self._clear(sub)
        self._counts[:] = 0
        self.far = {}

    def _grow(self, sub: int) -> None:
        rows = self._rows(sub)
        capacity = int(self._capacities[sub])
        self._fill(sub, rows, capacity + max(MIN_GROWTH, capacity // GROWTH))

    def _rows(self, sub: int) -> U16:
        """Return the entries of a sub-table, ascending: uint16[5 n]."""
        n_slots = int(self._capacities[sub]) + self._spare
        rows = np.empty(SLOT_WORDS * int(self._counts[sub]), dtype=np.uint16)
        n_rows = print_slots.gather(self._slots, sub * self._stride, n_slots, rows)
        assert SLOT_WORDS * n_rows == len(rows)
        return rows

    def _fill(self, sub: int, rows: U16, capacity: int) -> None:
        """Write the sub-table anew, with *capacity* slots and the spare ones."""
        while True:
            self._clear(sub)
            while capacity + self._spare > self._stride:
                self._reserve_more()
            self._capacities[sub] = capacity
            begin = sub * self._stride
            end = begin + capacity + self._spare
            if print_slots.scatter(self._slots, begin, end, capacity, rows):
                break
            self._clear(sub)
            self._spare *= 2  # only fingerprints that were made to collide come here
            while int(self._capacities.max()) + self._spare > self._stride:
                self._reserve_more()
        self._counts[sub] = len(rows) // SLOT_WORDS

    def _clear(self, sub: int) -> None:
        n_slots = int(self._capacities[sub]) + self._spare
        print_slots.clear(self._slots, sub * self._stride, n_slots)

    def _reserve_more(self) -> None:
        old, stride = self._slots, self._stride
        self._slots = reserve(2 * len(old), np.uint16)
        check_room(self._slots, 2 * len(old))
        self._strides = _strides(self._slots)
        for sub in range(N_SUBTABLES):
            n_words = SLOT_WORDS * min(stride, int(self._capacities[sub]) + self._spare)
            begin, new = SLOT_WORDS * sub * stride, SLOT_WORDS * sub * self._stride
            self._slots[new : new + n_words] = old[begin : begin + n_words]

    def dump(self, sub: int) -> U16:
        """Return the entries of a sub-table for :meth:`load`."""
        return self._rows(sub)

    def load(self, sub: int, rows: U16) -> None:
        """Put the entries that :meth:`dump` returned into a sub-table of an empty table."""
        self._fill(sub, rows, max(_FIRST_SLOTS, _roomy(len(rows) // SLOT_WORDS)))


def _other_number(print_: int) -> ValueError:
    return ValueError(f"fingerprint {print_} has another number")


def _strides(slots: U16) -> U64:
    stride = (len(slots) // SLOT_WORDS - 1) // N_SUBTABLES
    if stride >= _ALIGNED_SLOTS:
        stride -= stride % _ALIGNED_SLOTS
    return np.array([stride], dtype=np.uint64)


def _roomy(n: int) -> int:
    """Return the slots of which *n* are `_ROOMY` in a hundred."""
    return -(-n * 100 // _ROOMY)
