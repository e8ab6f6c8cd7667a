"""Manku, Jain and Das Sarma's permuted tables: all simhashes within a Hamming distance of k.

The 64 bits are cut into blocks. With n blocks, two values that differ in at most k bits agree in
n - k blocks or more; so for each choice of n - k blocks there is a table of all values with those
blocks in front, sorted, and a look-up compares the values that begin as the query does. A second
level cuts the bits that are left and puts n' - k of its blocks next: more tables, of longer fronts.
With p bits in front and 2^d random values a table gives 2^(d - p) candidates.

==========  ======  =========  ====================================
levels      tables  p          64 bits, k = 3
==========  ======  =========  ====================================
(4,)        4       16         one of four blocks
(4, 4)      16      28         the paper's, for 2^34 values
(5,)        10      25 or 26   two of five
(6,)        20      31 to 33   three of six
==========  ======  =========  ====================================

*Source:* Manku, Jain, Das Sarma 2007, section 3.1; Pomikálek 2011, 3.2.2. Choice: blocks are of
nearly equal width, the wider ones behind, whether or not their number divides the bits.

Shapes: ``values: uint64[n]`` in any order, repetitions allowed; a table is the permuted values,
sorted, ``uint64[n]``, and their places ``int64[n]``. Memory: 16 bytes a value and table; look-ups
search each table in log2(n) steps. The tables are made once: values cannot be added.

Invariant: a look-up returns what a comparison with all values does.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from math import comb, prod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.bits import n_set_bits
from crawler.kernels.jit import kernel, part
from pipelines.duplicates.hamming import N_BITS, check_distance

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    I64 = npt.NDArray[np.int64]
    U64 = npt.NDArray[np.uint64]
    # First bit, from the lowest, and width.
    Block = tuple[int, int]

# Manku 2007, section 3.1.2: what they took for k = 3.
PUBLISHED_LEVELS = (4, 4)
MAX_TABLES = 1000


class Layout(NamedTuple):
    """The order of blocks of one table, the front first, and the bits *p* of the front."""

    blocks: tuple[Block, ...]
    p: int


def layouts(distance: int, levels: Sequence[int]) -> list[Layout]:
    """Return a layout a table; ValueError unless each level has more blocks than *distance*.

    >>> [layout.p for layout in layouts(3, (4,))]
    [16, 16, 16, 16]
    """
    check_distance(distance)
    if not levels or min(levels) <= distance:
        raise ValueError(f"levels need more than {distance} blocks each, got {tuple(levels)}")
    if max(levels) > N_BITS:
        raise ValueError(f"levels have at most {N_BITS} blocks, got {tuple(levels)}")
    n_tables = prod(comb(n_blocks, distance) for n_blocks in levels)
    if n_tables > MAX_TABLES:
        raise ValueError(f"levels must make at most {MAX_TABLES} tables, got {n_tables}")
    return list(_layouts(((0, N_BITS),), distance, tuple(levels)))


def _layouts(left: Sequence[Block], distance: int, levels: Sequence[int]) -> Iterator[Layout]:
    n_blocks = levels[0]
    n_bits = sum(width for _, width in left)
    bounds = [n_bits * block // n_blocks for block in range(n_blocks + 1)]
    pieces = [_cut(left, start, stop) for start, stop in pairwise(bounds)]
    for front in combinations(range(n_blocks), n_blocks - distance):
        first = [block for place in front for block in pieces[place]]
        rest = [block for place in range(n_blocks) if place not in front for block in pieces[place]]
        p = sum(width for _, width in first)
        if len(levels) == 1:
            yield Layout((*first, *rest), p)
        else:
            for behind in _layouts(rest, distance, levels[1:]):
                yield Layout((*first, *behind.blocks), p + behind.p)


def _cut(blocks: Sequence[Block], start: int, stop: int) -> list[Block]:
    """Return the bits *start* to *stop* of *blocks*, laid one behind the other."""
    found = []
    at = 0
    for first, width in blocks:
        low, high = max(start - at, 0), min(stop - at, width)
        if low < high:
            found.append((first + low, high - low))
        at += width
    return found


def permuted(values: U64, blocks: Sequence[Block]) -> U64:
    """Return *values* with their *blocks* in another order, the first the highest."""
    result = np.zeros_like(values)
    free = N_BITS
    for first, width in blocks:
        free -= width
        mask = np.uint64((1 << width) - 1)
        result |= ((values >> np.uint64(first)) & mask) << np.uint64(free)
    return result


class PermutedTables:
    """All values within *distance* bits of a query, 0 to 63.

    Raises ValueError for another distance, or *levels* that cannot keep the guarantee.
    """

    def __init__(self, values: U64, distance: int, levels: Sequence[int] = PUBLISHED_LEVELS):
        self.distance = distance
        self.layouts = layouts(distance, levels)
        self.n_values = len(values)
        self._orders = _orders(self.layouts)
        shape = (len(self.layouts), len(values))
        self._tables = np.empty(shape, dtype=np.uint64)
        self._places = np.empty(shape, dtype=np.int64)
        for table, layout in enumerate(self.layouts):
            moved = permuted(values, layout.blocks)
            self._places[table] = np.argsort(moved, kind="stable")
            self._tables[table] = moved[self._places[table]]

    def near(self, query: int) -> I64:
        """Return the places of the values near *query*, ascending."""
        found = _near(self._tables, self._places, *self._orders, np.uint64(query), self.distance)
        return np.unique(found)

    def n_candidates(self, query: int) -> int:
        """Return how many values a look-up of *query* compares, over all tables."""
        ranges = _ranges(self._tables, *self._orders, np.uint64(query))
        return int(np.diff(ranges[:, :2].astype(np.int64), axis=1).sum())

    def pairs(self) -> I64:
        """Return all pairs of values within the distance, i < j, ascending."""
        values = np.empty(self.n_values, dtype=np.uint64)
        values[self._places[0]] = permuted(self._tables[0], _inverse(self.layouts[0].blocks))
        found = [
            (place, other)
            for place, value in enumerate(values.tolist())
            for other in self.near(value).tolist()
            if other > place
        ]
        return np.array(found, dtype=np.int64).reshape(-1, 2)


def _inverse(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks of the permutation that undoes *blocks*."""
    places = []
    free = N_BITS
    for first, width in blocks:
        free -= width
        places.append((first, free, width))
    return [(at, width) for _, at, width in sorted(places, reverse=True)]


def _orders(layouts: Sequence[Layout]) -> tuple[U64, U64]:
    """Return the blocks of each table, ``uint64[tables, blocks, 2]``, and the bits behind its front."""
    blocks = np.zeros((len(layouts), max(len(layout.blocks) for layout in layouts), 2), np.uint64)
    for table, layout in enumerate(layouts):
        blocks[table, : len(layout.blocks)] = layout.blocks
    return blocks, np.array([N_BITS - layout.p for layout in layouts], dtype=np.uint64)


@part
def _moved(query: np.uint64, blocks: U64, table: int) -> np.uint64:
    """Return *query* as a table has it; blocks of no width stand for none."""
    moved = np.uint64(0)
    free = np.uint64(64)
    for block in range(blocks.shape[1]):
        width = blocks[table, block, 1]
        if width:
            free -= width
            mask = np.uint64(0xFFFFFFFFFFFFFFFF) >> (np.uint64(64) - width)
            moved |= ((query >> blocks[table, block, 0]) & mask) << free
    return moved


@kernel
def _ranges(tables: U64, blocks: U64, shifts: U64, query: np.uint64) -> U64:
    """Return for each table the first place that begins as asked, that behind the last, the query."""
    ranges = np.empty((tables.shape[0], 3), dtype=np.uint64)
    for table in range(tables.shape[0]):
        moved = _moved(query, blocks, table)
        front = moved >> shifts[table]
        for side in range(2):
            low, high = 0, tables.shape[1]
            while low < high:
                middle = (low + high) // 2
                value = tables[table, middle] >> shifts[table]
                if value < front or (side == 1 and value == front):
                    low = middle + 1
                else:
                    high = middle
            ranges[table, side] = low
        ranges[table, 2] = moved
    return ranges


@kernel
def _near(
    tables: U64, places: I64, blocks: U64, shifts: U64, query: np.uint64, distance: int
) -> I64:
    ranges = _ranges(tables, blocks, shifts, query)
    found = np.empty(np.int64((ranges[:, 1] - ranges[:, 0]).sum()), dtype=np.int64)
    n_found = 0
    for table in range(tables.shape[0]):
        for at in range(np.int64(ranges[table, 0]), np.int64(ranges[table, 1])):
            if n_set_bits(tables[table, at] ^ ranges[table, 2]) <= distance:
                found[n_found] = places[table, at]
                n_found += 1
    return found[:n_found].copy()
