"""A number for every page, in memory: the pages of a host lie together, in the order of LocalID.

Each host has an extent of the arena, which holds its pages' values from LocalID 0 on. An extent that
is full moves to the next larger size; the old one is used again, whole or in parts,
for hosts that grow. Extents are counted in units of two values, their sizes are 1, 2, 3, 4, 5, 6, 7, 8,
10, 12, 14, 16, 20 … units.

Memory: 2 bytes a page over about 0.9 (extents are 4/5 full or more, but for hosts of a few pages), 5
bytes a host. Measured by tests/benchmarks/bench_webgraph.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel, part
from crawler.webgraph.address_space import check_room, entries, reserve

if TYPE_CHECKING:
    import numpy.typing as npt

    U8 = npt.NDArray[np.uint8]
    U16 = npt.NDArray[np.uint16]
    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]
    I64 = npt.NDArray[np.int64]

MAX_HOSTS = 2**28
_MAX_PAGES = 2**31
# Values of a unit; two hold a place in the arena, when they are free.
UNIT_VALUES = 2
_N_SIZES = 120
# The size of a host that has no extent yet, one more than the number of its size else.
_NONE = 0

_NOTHING = 0xFFFFFFFF
_VALUES = np.uint64(UNIT_VALUES)


@part
def _units(size: int) -> int:
    """Return the units of an extent of *size*: 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20 …"""
    if size < 4:
        return size + 1
    return (5 + size % 4) << ((size >> 2) - 1)


@part
def _push(arena: U16, free: U32, size: int, unit: np.uint64) -> None:
    """Put an extent into the list of free ones of its size; the list runs through the arena."""
    place = _VALUES * unit
    arena[place] = np.uint16(free[size] & np.uint32(0xFFFF))
    arena[place + np.uint64(1)] = np.uint16(free[size] >> np.uint32(16))
    free[size] = np.uint32(unit)


@part
def _pop(arena: U16, free: U32, size: int) -> np.uint64:
    unit = np.uint64(free[size])
    place = _VALUES * unit
    free[size] = np.uint32(arena[place]) | (np.uint32(arena[place + np.uint64(1)]) << np.uint32(16))
    return unit


@part
def _give_back(arena: U16, free: U32, unit: np.uint64, n_units: int) -> None:
    """Free *n_units* units, in the largest extents that they make."""
    size = _N_SIZES - 1
    while n_units > 0:
        while _units(size) > n_units:
            size -= 1
        _push(arena, free, size, unit)
        unit += np.uint64(_units(size))
        n_units -= _units(size)


@part
def _take(arena: U16, free: U32, top: U64, size: int) -> np.uint64:
    """Return an extent of *size*: a free one, a part of a larger one, or one from the top."""
    for larger in range(size, _N_SIZES):
        if free[larger] != np.uint32(_NOTHING):
            unit = _pop(arena, free, larger)
            rest = _units(larger) - _units(size)
            _give_back(arena, free, unit + np.uint64(_units(size)), rest)
            return unit
    unit = np.uint64(top[0])
    top[0] += np.uint64(_units(size))
    return unit


@lean_kernel
def _reach(arena: U16, bases: U32, sizes: U8, free: U32, top: U64, ids: U64) -> int:
    """Give each page of *ids* a place; stop before one that may have no room."""
    for i in range(ids.size):
        host, local = ids[i] >> np.uint64(32), ids[i] & np.uint64(0xFFFFFFFF)
        size = int(sizes[host])
        n_old = 0 if size == _NONE else UNIT_VALUES * _units(size - 1)
        if local < np.uint64(n_old):
            continue
        new = size
        while np.uint64(UNIT_VALUES * _units(new)) <= local:
            new += 1
        if (top[0] + np.uint64(_units(new))) * _VALUES > np.uint64(arena.size):
            return i
        unit = _take(arena, free, top, new)
        source, target = _VALUES * np.uint64(bases[host]), _VALUES * unit
        for k in range(n_old):
            arena[target + np.uint64(k)] = arena[source + np.uint64(k)]
        for k in range(n_old, UNIT_VALUES * _units(new)):
            arena[target + np.uint64(k)] = np.uint16(0)
        if size != _NONE:
            _give_back(arena, free, np.uint64(bases[host]), _units(size - 1))
        bases[host], sizes[host] = np.uint32(unit), np.uint8(new + 1)
    return ids.size


@lean_kernel
def _get(arena: U16, bases: U32, ids: U64, values: U16) -> None:
    for i in range(ids.size):
        host, local = ids[i] >> np.uint64(32), ids[i] & np.uint64(0xFFFFFFFF)
        values[i] = arena[_VALUES * np.uint64(bases[host]) + local]


@lean_kernel
def _set(arena: U16, bases: U32, ids: U64, values: U16) -> None:
    for i in range(ids.size):
        host, local = ids[i] >> np.uint64(32), ids[i] & np.uint64(0xFFFFFFFF)
        arena[_VALUES * np.uint64(bases[host]) + local] = values[i]


@lean_kernel
def _look(  # noqa: PLR0913, PLR0917  a kernel: its arrays come one by one
    arena: U16,
    bases: U32,
    host_ids: U32,
    local_ids: I64,
    mask: int,
    ids: U64,
    known: npt.NDArray[np.bool_],
    values: U8,
) -> None:
    for i in range(ids.size):
        host, local = np.uint64(host_ids[i]), np.uint64(local_ids[i])
        known[i] = local_ids[i] >= 0 and host_ids[i] < bases.size
        ids[i], values[i] = np.uint64(0), np.uint8(0)
        if known[i]:
            ids[i] = host << np.uint64(32) | local
            values[i] = np.uint8(arena[_VALUES * np.uint64(bases[host]) + local] & np.uint16(mask))


class HostExtents:
    """A uint16 for each page of each host, 0 at first."""

    __slots__ = ("_arena", "_bases", "_free", "_sizes", "_top", "arena", "bases")

    def __init__(self) -> None:
        self.arena: U16 = reserve(_MAX_PAGES, np.uint16)
        self.bases: U32 = reserve(MAX_HOSTS, np.uint32)
        self._sizes: U8 = reserve(MAX_HOSTS, np.uint8)
        self._free = np.full(_N_SIZES, _NOTHING, dtype=np.uint32)
        self._top = np.zeros(1, dtype=np.uint64)
        self._arena, self._bases = entries(self.arena), entries(self.bases)

    @property
    def n_bytes(self) -> int:
        """Return the bytes of the arena in use, free extents included."""
        return int(self._top[0]) * UNIT_VALUES * 2

    def reach(self, ids: U64) -> None:
        """Make room for the pages *ids*."""
        done = _reach(self.arena, self.bases, self._sizes, self._free, self._top, ids)
        if done < len(ids):
            check_room(self.arena, len(self.arena) + 1)

    def get(self, ids: U64) -> U16:
        """Return the values of the pages *ids*, which are within reach."""
        values = np.empty(len(ids), dtype=np.uint16)
        _get(self.arena, self.bases, ids, values)
        return values

    def look(
        self, host_ids: U32, local_ids: I64, mask: int
    ) -> tuple[U64, npt.NDArray[np.bool_], U8]:
        """Return ids, a mask of what is known, and the bits *mask* of the values; 0 where not known.

        A page is not known whose LocalID is negative or whose HostID is `UNKNOWN_HOST`.
        """
        n = len(host_ids)
        ids, known = np.empty(n, dtype=np.uint64), np.empty(n, dtype=np.bool_)
        values = np.empty(n, dtype=np.uint8)
        _look(self.arena, self.bases, host_ids, local_ids, mask, ids, known, values)
        return ids, known, values

    def begin_of(self, host_id: int) -> int:
        """Return where in the arena the values of a host's pages begin."""
        begin: int = UNIT_VALUES * self._bases[host_id]
        return begin

    def one(self, page_id: int) -> int:
        """Return the value of one page, which is within reach."""
        value: int = self._arena[UNIT_VALUES * self._bases[page_id >> 32] + (page_id & 0xFFFFFFFF)]
        return value

    def set(self, ids: U64, values: U16) -> None:
        """Set the values of the pages *ids*, which are within reach."""
        _set(self.arena, self.bases, ids, values)
