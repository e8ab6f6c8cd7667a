"""HostIDs for new hosts: leased in blocks, so that several processes never give one twice.

A block is `BLOCK_HOSTS` ids in a row. Whoever leases blocks out (crawler.fleet.blocks) has made the lease
durable before the block is used, and tells after a restart which blocks a process has; those ids
of them that the process has not given are free. A process that crawls alone counts up from 0.

Invariant: an id is taken once, unless it was given back; ids are taken in ascending order within
a block, and blocks in the order of their leases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    U32 = npt.NDArray[np.uint32]

BLOCK_HOSTS = 4096


class BlockSource(Protocol):
    """Leases out blocks; a block is named by its first id divided by `BLOCK_HOSTS`."""

    def blocks(self) -> Sequence[int]:
        """Return the blocks that this process has, in the order of their leases."""

    def lease(self) -> int:
        """Lease one more block; the lease is durable when this returns."""


class HostIdLease:
    """The free ids: those of *intervals* (first, end), and of further blocks of *source*."""

    def __init__(
        self, intervals: Sequence[tuple[int, int]], source: BlockSource | None = None
    ) -> None:
        self._free = [(first, end) for first, end in reversed(intervals) if first < end]
        self._source = source

    def take(self, n: int) -> U32:
        """Return *n* ids; raise `LookupError` when there are no more and nobody to lease from."""
        parts = [np.zeros(0, dtype=np.uint32)]
        while n:
            if not self._free:
                self._lease()
            first, end = self._free.pop()
            stop = min(end, first + n)
            if stop < end:
                self._free.append((stop, end))
            parts.append(np.arange(first, stop, dtype=np.uint32))
            n -= stop - first
        return np.concatenate(parts)

    def _lease(self) -> None:
        if self._source is None:
            raise LookupError("no HostID is left")
        first = self._source.lease() * BLOCK_HOSTS
        self._free.append((first, first + BLOCK_HOSTS))

    def give_back(self, ids: U32) -> None:
        """Take *ids*, the last ones that were taken, as free again."""
        breaks = np.flatnonzero(np.diff(ids.astype(np.int64)) != 1) + 1
        for run in reversed(np.split(ids, breaks)):
            if len(run):
                self._free.append((int(run[0]), int(run[-1]) + 1))


def leased_ids(source: BlockSource, place_of: U32) -> HostIdLease:
    """Return the free ids of the blocks of *source*; *place_of* is above 0 for ids that were given."""
    intervals = []
    for block in source.blocks():
        first = block * BLOCK_HOSTS
        given = np.flatnonzero(place_of[first : first + BLOCK_HOSTS])
        begin = int(given[-1]) + 1 if len(given) else 0
        intervals.append((first + begin, first + BLOCK_HOSTS))
    return HostIdLease(intervals, source)
