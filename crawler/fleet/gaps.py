"""When an address may be asked again, known to all shards whose hosts are at it.

A shard *claims* an address before it asks one of its hosts, and *releases* it after, for a time to rest; an
address is known by a fingerprint of 64 bits. `Gaps` is what a shard asks; `GapTable` answers for the
processes of one machine, `crawler.fleet.redis_gaps` for those of several.

Invariant: between two fetches from an address, whichever shards they are of, it rests for *rest_secs*.

*The table.* One file that all processes map, in the folder of the parent's socket, so that it is gone with the
parent: f64[N_SLOTS] seconds of the machine's steady clock at which the addresses of a slot are free, infinite
while one is claimed, then u32[N_SLOTS] shard + 1 that claimed last. Addresses that share a slot wait for each
other: never too soon, and needlessly with probability (addresses that are not free) / `N_SLOTS`. A slot is
changed under a lock of the file's byte of its number, which the kernel takes back from a process that
dies; the claims of one that died are released when it starts again. Cost of a claim: two system calls.
"""

from __future__ import annotations

import fcntl
import mmap
import os
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

N_SLOTS = 1 << 18
_BYTES = N_SLOTS * (8 + 4)
_CLAIMED = float("inf")
# Seconds after which a slot that another process is just changing is looked at again.
_LOCKED_SECS = 0.01


class Gaps(Protocol):
    """What the shards of a crawl say of addresses, and hear."""

    async def claim(self, address: int, now: float) -> float:
        """Claim the *address*; return 0, or, if another has it, the seconds after which to try again."""

    def release(self, address: int, now: float) -> float:
        """Let the *address*, which was claimed, rest from *now* on; return for how long."""


class GapTable:
    """The `Gaps` of *shard* in the file *path*, where addresses rest for *rest_secs*; *now* is its start."""

    def __init__(self, path: Path | str, shard: int, *, rest_secs: float, now: float) -> None:
        self.rest_secs = rest_secs
        self._own = np.uint32(shard + 1)
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        os.ftruncate(self._file, _BYTES)
        table = mmap.mmap(self._file, _BYTES)
        self._free_at = np.frombuffer(table, np.float64, N_SLOTS)
        self._owner = np.frombuffer(table, np.uint32, N_SLOTS, 8 * N_SLOTS)
        left = (self._owner == self._own) & (self._free_at == _CLAIMED)
        self._free_at[left] = now + rest_secs

    async def claim(self, address: int, now: float) -> float:
        """Claim the *address*; return 0, or, if another has it, the seconds after which to try again."""
        slot = address >> 1 & (N_SLOTS - 1)  # the first bit of a fingerprint is always set
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, slot)
        except OSError:
            return _LOCKED_SECS
        try:
            free_at = float(self._free_at[slot])
            if free_at > now:
                # Who has it will let it rest, so it is not free any sooner.
                return self.rest_secs if free_at == _CLAIMED else free_at - now
            # In this order: a process that dies between the two has claimed nothing.
            self._owner[slot] = self._own
            self._free_at[slot] = _CLAIMED
        finally:
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, slot)
        return 0.0

    def release(self, address: int, now: float) -> float:
        """Let the *address*, which was claimed, rest from *now* on; return for how long."""
        self._free_at[address >> 1 & (N_SLOTS - 1)] = now + self.rest_secs
        return self.rest_secs

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)
