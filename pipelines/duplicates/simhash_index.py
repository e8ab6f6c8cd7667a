"""The simhashes seen so far, asked for the nearest one within a Hamming distance d.

The 64 bits are cut into d + 1 blocks of nearly equal width. Two values that differ in at most d
bits agree in at least one whole block (pigeonhole), so a look-up compares the value with those that
share a block, and nothing else. Of a block wider than 16 bits the lowest 16 are the key, which adds
candidates and loses none.

*Source:* Manku, Jain, Das Sarma 2007, section 3.1, with k + 1 tables of one block each; Pomikálek
2011, 3.2.2 (Henzinger's pieces). Deviation: chains through arrays in place of sorted tables, so
that a value can be added at once.

Shapes: ``values, page_ids: uint64[n]``; a table is ``heads: int32[2^b]``, the newest entry of each
key, and ``links: int32[n]``, the entry before it with the same key, -1 for none.

Memory: 16 + 4 (d + 1) bytes a value, 32 at d = 3, times at most 1.25 for room to grow (the largest array is there twice
while it grows), and 4 (d + 1) 2^b bytes of heads, 1 MiB at d = 3. A value is held once however often it is added, and
there are no Python objects per entry. At most 2^31 - 1 values.

Time of a look-up: the chains of d + 1 keys, (d + 1) n / 2^b entries on average, 61 per million
values at d = 3, where b = 16; in general b is 64 / (d + 1), at most 16, rounded up for heads.

Invariant: `nearest` returns what a comparison with every value in the order of adding would.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.bits import n_set_bits
from crawler.kernels.jit import lean_kernel

if TYPE_CHECKING:
    import numpy.typing as npt

N_BITS = 64

# d = 9 would leave blocks of 6 bits, 64 chains for everything
MAX_DISTANCE = 8
_MAX_KEY_BITS = 16
_GROWTH = 1.25
_FIRST_CAPACITY = 1024
_MAX_VALUES = 2**31 - 1


@lean_kernel
def _nearest(
    value: np.uint64,
    keys: npt.NDArray[np.int64],
    heads: npt.NDArray[np.int32],
    links: npt.NDArray[np.int32],
    values: npt.NDArray[np.uint64],
) -> tuple[int, int]:
    """Return the (distance, entry) that is smallest among the chains of *keys*; 65 for none."""
    best_distance, best_entry = 65, -1
    for table in range(keys.size):
        entry = heads[table, keys[table]]
        while entry >= 0:
            distance = n_set_bits(value ^ values[entry])
            if distance < best_distance or (distance == best_distance and entry < best_entry):
                best_distance, best_entry = distance, entry
            entry = links[table, entry]
        if best_distance == 0:
            break  # values are held once: nothing ties with it
    return best_distance, best_entry


class SimhashIndex:
    """Nearest simhash within *distance* bits, 0 to 8; 0 finds equal values only.

    Raises `ValueError` for another distance, for a value or a page id that is no uint64.
    """

    __slots__ = ("_heads", "_links", "_masks", "_n", "_page_ids", "_shifts", "_values", "distance")

    def __init__(self, distance: int) -> None:
        if not 0 <= distance <= MAX_DISTANCE:
            msg = f"distance must be between 0 and {MAX_DISTANCE}, got {distance}"
            raise ValueError(msg)
        n_tables = distance + 1
        bounds = [N_BITS * table // n_tables for table in range(n_tables + 1)]
        key_bits = [min(_MAX_KEY_BITS, b - a) for a, b in itertools.pairwise(bounds)]
        self.distance = distance
        self._shifts = np.array(bounds[:-1], dtype=np.uint64)
        self._masks = np.array([2**bits - 1 for bits in key_bits], dtype=np.uint64)
        self._heads = np.full((n_tables, 2 ** max(key_bits)), -1, dtype=np.int32)
        self._links = np.empty((n_tables, _FIRST_CAPACITY), dtype=np.int32)
        self._values = np.empty(_FIRST_CAPACITY, dtype=np.uint64)
        self._page_ids = np.empty(_FIRST_CAPACITY, dtype=np.uint64)
        self._n = 0

    def __len__(self) -> int:
        """Return the number of different values."""
        return self._n

    @property
    def n_bytes(self) -> int:
        """Return the bytes of all arrays, room to grow included."""
        arrays = (self._heads, self._links, self._values, self._page_ids)
        return sum(array.nbytes for array in arrays)

    def add(self, value: int, page_id: int) -> None:
        """Add *value* of the page *page_id*; a value that is there keeps its first page."""
        if not 0 <= page_id < 2**64:
            msg = f"page_id must be between 0 and 2^64 - 1, got {page_id}"
            raise ValueError(msg)
        keys = self._keys(value)
        # the chain of one block holds the equal value, if there is one
        distance, _ = self._find(value, keys[:1])
        if distance == 0:
            return
        if self._n == self._values.size:
            self._grow()
        entry, tables = self._n, np.arange(keys.size)
        self._values[entry] = value
        self._page_ids[entry] = page_id
        self._links[:, entry] = self._heads[tables, keys]
        self._heads[tables, keys] = entry
        self._n += 1

    def nearest(self, value: int) -> int | None:
        """Return the page id of the value nearest to *value*, None when all are too far.

        Of equally near values the one that was added first counts.
        """
        distance, entry = self._find(value, self._keys(value))
        return int(self._page_ids[entry]) if distance <= self.distance else None

    def _keys(self, value: int) -> npt.NDArray[np.int64]:
        if not 0 <= value < 2**N_BITS:
            msg = f"value must be between 0 and 2^64 - 1, got {value}"
            raise ValueError(msg)
        return ((np.uint64(value) >> self._shifts) & self._masks).astype(np.int64)

    def _find(self, value: int, keys: npt.NDArray[np.int64]) -> tuple[int, int]:
        distance, entry = _nearest(np.uint64(value), keys, self._heads, self._links, self._values)
        return int(distance), int(entry)

    def _grow(self) -> None:
        if self._n >= _MAX_VALUES:
            msg = f"a SimhashIndex holds at most {_MAX_VALUES} values"
            raise OverflowError(msg)
        room = min(int(self._n * (_GROWTH - 1)), _MAX_VALUES - self._n)
        self._links = np.pad(self._links, ((0, 0), (0, room)))
        self._values = np.pad(self._values, (0, room))
        self._page_ids = np.pad(self._page_ids, (0, room))
