"""Leases in batches: in a frontier of many due hosts one pop costs little more than its Lease.

A kernel takes hosts off the heap, finds the first queued page of each and counts it as leased; texts
are read in one transaction; :meth:`LeaseBatch.next` hands the leases out one by one. A host in the batch
is out, so nothing is leased twice, and was due when the batch was made, so gaps hold.

Order: as if the hosts were popped one by one at the time the batch was made. Whatever may change that
(a host that falls due with a commit, a back-off, a limit), and whoever counts what is queued, has the
rest given back first: :meth:`LeaseBatch.give_back`. A frontier with priorities, with gaps of domains or
addresses, or with few hosts in the heap, makes no batches.

Memory: about 600 bytes a lease that waits, at most `BATCH_LEASES`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.durable.page_state import split_id
from crawler.frontier.host_heap import pop_entry, push_entry
from crawler.frontier.queue_kernels import first_queued, next_queued
from crawler.kernels.jit import lean_kernel
from crawler.webgraph.address_space import entries
from crawler.webgraph.host_extents import UNIT_VALUES

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.frontier.frontier import Frontier
    from crawler.frontier.leases import Lease

    F64 = npt.NDArray[np.float64]
    U8 = npt.NDArray[np.uint8]
    U16 = npt.NDArray[np.uint16]
    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]

BATCH_LEASES = 128
# Hosts in the heap from which on batches are made.
MIN_HOSTS = 512

_NOTHING_OUT = np.zeros(0, dtype=np.uint32)


class _Hosts(NamedTuple):
    """What the kernel reads and changes of hosts, by HostID."""

    due: F64
    ready: U32
    spent: U32
    cursor: U32
    out: U16
    in_heap: U8


class _Pages(NamedTuple):
    """Where the kernel finds the pages of hosts."""

    arena: U16
    bases: U32
    next_local: U32
    nothing_out: U32


@lean_kernel
def _pop_due(  # noqa: PLR0913, PLR0917  a kernel: its arrays come one by one
    times: F64,
    heap: U32,
    n: int,
    hosts: _Hosts,
    pages: _Pages,
    now: float,
    per_host: int,
    most: int,
    ids: U64,
) -> tuple[int, int]:
    """Lease the first queued page of up to *most* hosts due; return the heap's size and how many."""
    found = 0
    while n and found < most and times[0] <= now:
        host = pop_entry(times, heap, n)
        n -= 1
        hosts.in_heap[host] = np.uint8(0)
        full = per_host != 0 and np.int64(hosts.spent[host]) >= per_host
        if hosts.out[host] or not hosts.ready[host] or full:
            continue
        if hosts.due[host] > now:
            hosts.in_heap[host] = np.uint8(1)
            push_entry(times, heap, n, hosts.due[host], host)
            n += 1
            continue
        base = UNIT_VALUES * int(pages.bases[host])
        end = int(pages.next_local[host])
        start = int(hosts.cursor[host])
        local = first_queued(pages.arena, base, start, end, pages.nothing_out)
        hosts.cursor[host] = np.uint32(local + 1)
        hosts.ready[host] -= np.uint32(1)
        hosts.spent[host] += np.uint32(1)
        hosts.out[host] += np.uint16(1)
        ids[found] = np.uint64(host) << np.uint64(32) | np.uint64(local)
        found += 1
    return n, found


class LeaseBatch:
    """The leases that *frontier* has made and not handed out."""

    def __init__(self, frontier: Frontier) -> None:
        self.frontier = frontier
        self._leases: list[Lease] = []
        self._ids = np.zeros(BATCH_LEASES, dtype=np.uint64)
        memory, hosts = frontier.memory, frontier.hosts
        self._hosts = _Hosts(*hosts.arrays())
        self._due = entries(self._hosts.due)
        heads = memory.heads
        self._pages = _Pages(heads.arena, heads.bases, memory.next_local, _NOTHING_OUT)

    def __len__(self) -> int:
        return len(self._leases)

    def next(self, now: float) -> Lease | None:
        """Return the next lease, from a new batch when this one is at its end; None for no batch."""
        frontier = self.frontier
        if not self._leases:
            if not self._fill(now):
                return None
        elif frontier.hosts.is_stopped or frontier.memory.levels is not None:
            self.give_back()
            return None
        lease = self._leases.pop()
        if self._due[lease.page_id >> 32] <= now:
            return lease
        self._leases.append(lease)
        self.give_back()
        return None

    def give_back(self) -> None:
        """End all leases that were not handed out, as if they had not been made."""
        if not self._leases:
            return
        leases, self._leases = self._leases, []
        for lease in leases:
            self.frontier.untake(lease.page_id)

    def _fill(self, now: float) -> bool:
        frontier = self.frontier
        hosts, policy = frontier.hosts, frontier.policy
        most = int(min(BATCH_LEASES, hosts.page_limit - hosts.total_spent))
        if frontier.groups is not None or frontier.memory.levels is not None or hosts.is_spent:
            return False
        if len(hosts.heap) < MIN_HOSTS or hosts.ranked:
            return False
        heap = hosts.heap
        n, found = _pop_due(
            *heap.arrays(), len(heap), self._hosts, self._pages, now,
            policy.pages_per_host, most, self._ids,
        )  # fmt: skip
        heap.shrink(n)
        hosts.n_ready -= found
        hosts.total_spent += found
        self._leases = self._read(self._ids[:found])
        return found > 0

    def _read(self, ids: U64) -> list[Lease]:
        """Return the leases of *ids*, the first one last."""
        frontier = self.frontier
        for place, page_id in enumerate(ids.tolist()):
            if frontier.is_out(page_id):
                ids[place] = self._other_page(page_id)
            frontier.note_out(int(ids[place]))
        leases = frontier.read_leases(ids)
        leases.reverse()
        return leases

    def _other_page(self, page_id: int) -> int:
        """Return the first page of the host that waits for nothing; *page_id* awaits its commit."""
        host_id, local_id = split_id(page_id)
        frontier = self.frontier
        out = frontier.out_of(host_id)
        other = next_queued(frontier.memory, host_id, local_id, out)
        if other is None:
            raise AssertionError(f"host {host_id} has ready pages, none found")
        frontier.hosts.cursor[host_id] = other + 1
        return host_id << 32 | other
