"""Which page of the sealed runs comes where: PageId → rank, the number of pages that lie before it.

A run holds the next pages of some hosts: those of a host are one interval of LocalIDs, which begins where
that of an earlier run ended. So the counts of a host's pages, run by run, tell in which of them a page is.

The hosts of 64 neighbouring HostIDs make a *row*. A row has a section for each run that holds pages of
them: u32 rank of the first of these, u64 which hosts they are of, u8 bytes of a count, and the counts, all
little-endian, in the order of hosts.

Memory: 13 bytes a section and mostly 1 for each of its hosts; 4 for each 64 HostIDs. That is 1.6 bytes for
each run that has pages of a host where it has some of two hosts in five, 7 where of one in forty.
Cost: of a look-up, the sections of its row; of adding a run, a copy of all rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.errors import FormatError
from crawler.kernels.bits import n_set_bits
from crawler.kernels.byte_search import byte_at, u32_at, u64_at
from crawler.kernels.jit import lean_kernel, part
from crawler.kernels.moving import copy_8, prefetch, prefetch_bytes

if TYPE_CHECKING:
    import numpy.typing as npt

    I64 = npt.NDArray[np.int64]
    U8 = npt.NDArray[np.uint8]
    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]

ROW_HOSTS = 64
_HEAD_BYTES = 13
_HOSTS_AT, _WIDTH_AT = 4, 12
# Bytes after the end of the sections, beyond which a count may be read and a row be copied.
_SLACK = 8
_BYTE = 8
_MISSING = -1
# Look-ups before that of a page at which its row is brought into the cache.
_AHEAD = 4


@part
def _count_at(data: U8, at: int, width: int, place: int) -> int:
    bits = np.uint64(_BYTE * width)
    return int(u32_at(data, at + width * place) & ((np.uint64(1) << bits) - np.uint64(1)))


@part
def _rank(data: U8, begin: int, end: int, host: int, local: int) -> int:
    """Return the rank of a page, `_MISSING` when the row ``data[begin:end]`` of its host lacks it."""
    bit, at = np.uint64(host % ROW_HOSTS), begin
    while at < end:
        hosts, width = u64_at(data, at + _HOSTS_AT), byte_at(data, at + _WIDTH_AT)
        counts = at + _HEAD_BYTES
        if hosts >> bit & np.uint64(1):
            place = n_set_bits(hosts & ((np.uint64(1) << bit) - np.uint64(1)))
            count = _count_at(data, counts, width, place)
            if local < count:
                rank = int(u32_at(data, at)) + local
                for before in range(place):
                    rank += _count_at(data, counts, width, before)
                return rank
            local -= count
        at = counts + width * n_set_bits(hosts)
    return _MISSING


@lean_kernel
def _find_rank(data: U8, ends: U32, host: int, local: int) -> int:
    row = host // ROW_HOSTS
    if row + 1 >= ends.size:
        return _MISSING
    return _rank(data, int(ends[row]), int(ends[row + 1]), host, local)


@part
def _prefetch_row(data: U8, ends: U32, ids: U64, i: int) -> None:
    """Have the rows of the pages after *i* brought into the cache: first where they are, then what they hold."""
    if i + 2 * _AHEAD < ids.size:
        prefetch(ends, int(ids[i + 2 * _AHEAD] >> np.uint64(32)) // ROW_HOSTS)
    if i + _AHEAD < ids.size:
        row = int(ids[i + _AHEAD] >> np.uint64(32)) // ROW_HOSTS
        if row + 1 < ends.size:
            prefetch_bytes(data, int(ends[row]), int(ends[row + 1]))


@lean_kernel
def _find_ranks(data: U8, ends: U32, ids: U64, found: I64) -> int:
    """Write the ranks of the pages *ids*; return the place of one that is not there, else how many."""
    for i in range(ids.size):
        _prefetch_row(data, ends, ids, i)
        host, local = int(ids[i] >> np.uint64(32)), int(ids[i] & np.uint64(0xFFFFFFFF))
        row = host // ROW_HOSTS
        if row + 1 >= ends.size:
            return i
        found[i] = _rank(data, int(ends[row]), int(ends[row + 1]), host, local)
        if found[i] == _MISSING:
            return i
    return ids.size


@part
def _last_of_row(hosts: U32, first: int) -> int:
    """Return the place after the last of the ascending *hosts* that is of the same row as *first*."""
    row, last = hosts[first] // np.uint32(ROW_HOSTS), first
    while last < hosts.size and hosts[last] // np.uint32(ROW_HOSTS) == row:
        last += 1
    return last


@part
def _width(counts: U32, first: int, last: int) -> int:
    most = np.uint32(0)
    for i in range(first, last):
        most = max(most, counts[i])
    if most <= np.uint32(0xFF):
        return 1
    return 2 if most <= np.uint32(0xFFFF) else 4


@lean_kernel
def _measure(hosts: U32, counts: U32, sizes: I64) -> None:
    """Add to the *sizes* of rows what the sections of a run take."""
    first = 0
    while first < hosts.size:
        last = _last_of_row(hosts, first)
        width = _width(counts, first, last)
        sizes[hosts[first] // np.uint32(ROW_HOSTS)] += _HEAD_BYTES + width * (last - first)
        first = last


@part
def _write_number(data: U8, at: int, number: np.uint64, width: int) -> int:
    for k in range(width):
        data[at + k] = np.uint8(number >> np.uint64(_BYTE * k) & np.uint64(0xFF))
    return at + width


@part
def _write_section(
    data: U8, at: int, rank: np.uint64, hosts: U32, counts: U32, bounds: tuple[int, int]
) -> np.uint64:
    """Write the section of the hosts between the *bounds*; return the rank after its pages."""
    first, last = bounds
    width, marks = _width(counts, first, last), np.uint64(0)
    for i in range(first, last):
        marks |= np.uint64(1) << np.uint64(hosts[i] % np.uint32(ROW_HOSTS))
    at = _write_number(data, at, rank, _HOSTS_AT)
    at = _write_number(data, at, marks, _WIDTH_AT - _HOSTS_AT)
    at = _write_number(data, at, np.uint64(width), 1)
    for i in range(first, last):
        at = _write_number(data, at, np.uint64(counts[i]), width)
        rank += np.uint64(counts[i])
    return rank


@lean_kernel
def _merge(
    old: tuple[U8, U32], hosts: U32, counts: U32, first_rank: int, new: tuple[U8, U32]
) -> None:
    """Write the rows *old*, and after each what a run adds to it, to *new*."""
    data, ends = new
    rank, first = np.uint64(first_rank), 0
    for row in range(ends.size - 1):
        at = int(ends[row])
        if row + 1 < old[1].size:
            begin, end = int(old[1][row]), int(old[1][row + 1])
            for k in range(0, end - begin, 8):
                copy_8(old[0], begin + k, data, at + k)
            at += end - begin
        if first < hosts.size and int(hosts[first] // np.uint32(ROW_HOSTS)) == row:
            last = _last_of_row(hosts, first)
            rank = _write_section(data, at, rank, hosts, counts, (first, last))
            first = last


class RunRanks:
    """The ranks of the pages of all runs."""

    __slots__ = ("_data", "_ends")

    def __init__(self) -> None:
        self._data: U8 = np.zeros(_SLACK, dtype=np.uint8)
        self._ends: U32 = np.zeros(1, dtype=np.uint32)  # of row i: entry i + 1

    @property
    def n_bytes(self) -> int:
        """Return the bytes in use."""
        return self._data.nbytes + self._ends.nbytes

    def add(self, hosts: U32, counts: U32, first_rank: int) -> None:
        """Add a run: its *hosts*, ascending, the next *counts* pages of each, the rank of the first one.

        Raises `FormatError` when hosts do not ascend.
        """
        if not len(hosts):
            return
        if not (hosts[1:] > hosts[:-1]).all():
            raise FormatError("a run of URLs is damaged; restore the journal from a copy")
        n_rows = max(len(self._ends) - 1, int(hosts[-1]) // ROW_HOSTS + 1)
        sizes = np.zeros(n_rows, dtype=np.int64)
        sizes[: len(self._ends) - 1] = np.diff(self._ends)
        _measure(hosts, counts, sizes)
        ends = np.zeros(n_rows + 1, dtype=np.int64)
        np.cumsum(sizes, out=ends[1:])
        new = np.empty(int(ends[-1]) + _SLACK, dtype=np.uint8), ends.astype(np.uint32)
        _merge((self._data, self._ends), hosts, counts, first_rank, new)
        self._data, self._ends = new

    def find_one(self, page_id: int) -> int:
        """Return the rank of a page that is in a run."""
        rank = _find_rank(self._data, self._ends, page_id >> 32, page_id & 0xFFFFFFFF)
        if rank == _MISSING:
            raise _lost(page_id)
        return rank

    def find(self, ids: U64) -> I64:
        """Return the ranks of the pages *ids*, all of which are in runs."""
        ranks = np.empty(len(ids), dtype=np.int64)
        done = _find_ranks(self._data, self._ends, ids, ranks)
        if done < len(ids):
            raise _lost(int(ids[done]))
        return ranks


def _lost(page_id: int) -> FormatError:
    return FormatError(f"no run of URLs holds the page {page_id}; restore the journal from a copy")
