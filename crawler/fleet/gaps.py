"""When domains and addresses may be asked again, known to all shards whose hosts are of them.

A shard *claims* the domain and the address of a host, together, before it asks the host, and *releases* them after, for
a time to rest; each is known by a fingerprint of 64 bits. `Gaps` is what a shard asks; `GapTable` answers for the
processes of one machine, `crawler.fleet.redis_gaps` for those of several.

Invariant: between two fetches of one domain, or from one address, whichever shards they are of, it rests for its
*rests*; one whose rest is 0 is not shared, and never claimed.

*The table.* One file that all processes map, in the folder of the parent's socket, so that it is gone with the
parent: f64[2·N_SLOTS] seconds of the machine's steady clock at which the domains of a slot, then the addresses of
one, are free, infinite while one is claimed, then u32[2·N_SLOTS] shard + 1 that claimed last. Those that share a slot
wait for each other: never too soon, and needlessly with probability (those that are not free) / `N_SLOTS`. A slot is
changed under a lock of the file's byte of its number, which the kernel takes back from a process that
dies; the claims of one that died are released when it starts again. Cost of a claim: four system calls.
"""

from __future__ import annotations

import fcntl
import mmap
import os
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

N_SLOTS = 1 << 18
_ALL_SLOTS = 2 * N_SLOTS
_BYTES = _ALL_SLOTS * (8 + 4)
_CLAIMED = float("inf")
# Seconds after which a slot that another process is just changing is looked at again.
_LOCKED_SECS = 0.01


class Claim(NamedTuple):
    """The fingerprints of a domain and of an address that are claimed together; 0 is none."""

    domain: int = 0
    address: int = 0


class Secs(NamedTuple):
    """Seconds of a domain and of an address."""

    domain: float = 0.0
    address: float = 0.0


class Gaps(Protocol):
    """What the shards of a crawl say of domains and addresses, and hear."""

    rests: Secs

    async def claim(self, wanted: Claim, now: float) -> Secs:
        """Claim all of *wanted*; return zeros, or, if others have any, the seconds after which to try again."""

    def release(self, claimed: Claim, now: float) -> Secs:
        """Let what was *claimed* rest from *now* on; return for how long."""


class GapTable:
    """The `Gaps` of *shard* in the file *path*, where groups rest for *rests*; *now* is its start."""

    def __init__(self, path: Path | str, shard: int, *, rests: Secs, now: float) -> None:
        self.rests = rests
        self._own = np.uint32(shard + 1)
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        os.ftruncate(self._file, _BYTES)
        table = mmap.mmap(self._file, _BYTES)
        self._free_at = np.frombuffer(table, np.float64, _ALL_SLOTS)
        self._owner = np.frombuffer(table, np.uint32, _ALL_SLOTS, 8 * _ALL_SLOTS)
        left = np.flatnonzero((self._owner == self._own) & (self._free_at == _CLAIMED))
        self._free_at[left] = now + np.asarray(rests)[left // N_SLOTS]

    async def claim(self, wanted: Claim, now: float) -> Secs:
        """Claim all of *wanted*; return zeros, or, if others have any, the seconds after which to try again."""
        waits, claimed = [0.0, 0.0], list[int]()
        for kind, slot in _slots(wanted):
            waits[kind] = self._claim(slot, self.rests[kind], now)
            if waits[kind]:
                # Both or none: what has not been asked need not rest.
                self._free_at[claimed] = now
                break
            claimed.append(slot)
        return Secs(*waits)

    def _claim(self, slot: int, rest_secs: float, now: float) -> float:
        """Claim *slot*; return 0, or the seconds after which to try again."""
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, slot)
        except OSError:
            return _LOCKED_SECS
        try:
            free_at = float(self._free_at[slot])
            if free_at > now:
                # Who has it will let it rest, so it is not free any sooner.
                return rest_secs if free_at == _CLAIMED else free_at - now
            # In this order: a process that dies between the two has claimed nothing.
            self._owner[slot] = self._own
            self._free_at[slot] = _CLAIMED
        finally:
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, slot)
        return 0.0

    def release(self, claimed: Claim, now: float) -> Secs:
        """Let what was *claimed* rest from *now* on; return for how long."""
        for kind, slot in _slots(claimed):
            self._free_at[slot] = now + self.rests[kind]
        return self.rests

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)


def _slots(groups: Claim) -> list[tuple[int, int]]:
    """Return (kind, slot) of each of *groups* that there is."""
    # The lowest bits of some fingerprints are set to tell them from 0.
    return [
        (kind, kind * N_SLOTS + (print_ >> 1 & (N_SLOTS - 1)))
        for kind, print_ in enumerate(groups)
        if print_
    ]
