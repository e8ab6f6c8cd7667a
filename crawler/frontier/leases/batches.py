"""Leases in batches: in a frontier of many due hosts one pop costs little more than its Lease.

A kernel takes hosts off the heap, finds the first queued page of each and counts it as leased; texts
are read in one transaction; :meth:`LeaseBatch.next` hands the leases out one by one. A host in the batch
is out, so nothing is leased twice; it was due when the batch was made, and its domain and its address are
busy since then (crawler.frontier.hosts.groups), so gaps hold.

Order: as if the hosts were popped one by one at the time the batch was made. Whatever may change that
(a host that falls due with a commit, a back-off, a limit), and whoever counts what is queued, has the
rest given back first: :meth:`LeaseBatch.give_back`. With priorities it is given back as soon as a host
falls due that has a better page than the next lease. A frontier with few hosts in the heap makes no batches.

Memory: about 600 bytes a lease that waits, at most `MAX_BATCH_LEASES` (2.5 MB).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.durable.page_state import split_id
from crawler.frontier.hosts.group_kernels import HeapArrays, no_groups
from crawler.frontier.hosts.queue_kernels import next_queued
from crawler.frontier.hosts.rank_kernels import RankedArrays, WaitingHosts, WaitingPages, rank_all
from crawler.frontier.leases.kernels import LeaseHosts, LeasePages, LeaseRules, pop_due
from crawler.frontier.priorities import ZERO_LEVEL
from crawler.webgraph.address_space import entries

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.frontier.frontier import Frontier
    from crawler.frontier.leases.lease import Lease

    U16 = npt.NDArray[np.uint16]
    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]

# Of the first batch, and of one after a batch that was given back; twice as many after one that was
# handed out to its end, up to the most: hosts of a domain wait for the one that is in the batch, so that
# is more only where batches last no longer than a gap between two fetches of a domain.
BATCH_LEASES = 128
MAX_SLOW_LEASES = 512
MAX_BATCH_LEASES = 4096
QUICK_SECS = 0.25
# Hosts in the heap from which on batches are made, and for how many of them one lease is.
MIN_HOSTS = 64
HOSTS_PER_LEASE = 4

_NOTHING_OUT = np.zeros(0, dtype=np.uint32)


class LeaseBatch:
    """The leases that *frontier* has made and not handed out."""

    def __init__(self, frontier: Frontier) -> None:
        self.frontier = frontier
        self._leases: list[Lease] = []
        self._levels: list[
            int
        ] = []  # of the pages of the batch, with priorities; the first one last
        self._ids = np.zeros(MAX_BATCH_LEASES, dtype=np.uint64)
        self._most = BATCH_LEASES
        self._made_at = float("-inf")
        memory, hosts = frontier.memory, frontier.hosts
        self._memory, self._queues = memory, hosts
        due, *of_host, in_heap = hosts.arrays()
        self._hosts = LeaseHosts(*of_host)
        self._heap = HeapArrays(*hosts.heap.arrays(), due, in_heap)
        self._due = entries(due)
        heads = memory.heads
        self._pages = LeasePages(heads.arena, heads.bases, memory.next_local, _NOTHING_OUT)

    def __len__(self) -> int:
        return len(self._leases)

    def next(self, now: float) -> Lease | None:
        """Return the next lease, from a new batch when this one is at its end; None for no batch."""
        if not self._leases:
            if not self._fill(now):
                return None
        elif self._queues.is_stopped or (
            self._memory.levels is not None and self._is_outranked(now)
        ):
            self.give_back()
            return None
        lease = self._leases.pop()
        if self._due[lease[0] >> 32] <= now:
            return lease
        self._leases.append(lease)
        self.give_back()
        return None

    def give_back(self) -> None:
        """End all leases that were not handed out, as if they had not been made."""
        if not self._leases:
            return
        leases, self._leases = self._leases, []
        self._most = BATCH_LEASES
        for lease in leases:
            self.frontier.untake(lease.page_id)

    def _is_outranked(self, now: float) -> bool:
        """Tell whether a host has fallen due that comes before the next lease, or the batch has no levels."""
        hosts = self.frontier.hosts
        self._rank_due(now)
        return not self._levels or hosts.ranked.best_level > self._levels[len(self._leases) - 1]

    def _fill(self, now: float) -> bool:
        hosts = self.frontier.hosts
        n_hosts = len(hosts.heap) + hosts.ranked.n_entries
        if n_hosts < MIN_HOSTS or hosts.is_spent:
            return False
        if now - self._made_at > QUICK_SECS:
            self._most = min(self._most, MAX_SLOW_LEASES)
        limit = hosts.page_limit - hosts.total_spent
        most = int(min(self._most, n_hosts // HOSTS_PER_LEASE, limit))
        if self._memory.levels is None:
            found = self._pop(now, self._ids[:most])
            hosts.n_ready -= found
            hosts.total_spent += found
            self._take_out(self._ids[:found])
            self._levels = []
        else:
            found = self._pop_ranked(now, self._ids[:most])
            levels: list[int] = self._memory.levels_of(self._ids[:found]).tolist()
            self._levels = [level or ZERO_LEVEL for level in reversed(levels)]
        self._leases = self.frontier.read_leases(self._ids[:found])[::-1]
        self._most, self._made_at = min(2 * self._most, MAX_BATCH_LEASES), now
        return found > 0

    def _rank_due(self, now: float) -> None:
        """Let the hosts that have fallen due stand by their best pages; many at once by a kernel."""
        hosts, memory, groups = self.frontier.hosts, self._memory, self.frontier.groups
        heap, ranked, levels = hosts.heap, hosts.ranked, memory.levels
        if not heap or heap.first[0] > now:
            return
        if levels is None or len(heap) < MIN_HOSTS or hosts.is_spent:
            hosts.rank_due(now, self.frontier.best_level)
            return
        of = self._hosts
        heads, bases = memory.heads.arena, memory.heads.bases
        pages = WaitingPages(heads, bases, levels.arena, levels.bases, of.cursor, memory.next_local)
        waiting = WaitingHosts(of.ready, of.spent, of.out)
        arrays = no_groups() if groups is None else groups.arrays
        ranked.heap.check_room(len(heap))
        sizes = (len(heap), len(ranked.heap), ranked.n_fallen)
        to = RankedArrays(*ranked.heap.arrays(), np.asarray(ranked.keys))
        per_host = self.frontier.policy.pages_per_host
        n, n_ranked, ranked.n_fallen = rank_all(
            self._heap, sizes, (waiting, arrays, pages), to, now, per_host
        )
        heap.resize(n)
        ranked.heap.resize(n_ranked)

    def _pop_ranked(self, now: float, ids: U64) -> int:
        """Fill *ids* as `_pop` does, in the order of priorities."""
        found = 0
        self._rank_due(now)
        while found < len(ids) and (page_id := self.frontier.take_next(now)) is not None:
            ids[found] = page_id
            found += 1
        return found

    def _pop(self, now: float, ids: U64) -> int:
        """Fill *ids* with pages of hosts that are due at *now*; return how many there are."""
        groups, policy = self.frontier.groups, self.frontier.policy
        has_domains = groups is not None and policy.domain_delay_secs > 0
        rules = LeaseRules(now, policy.pages_per_host, groups is not None, has_domains)
        arrays = no_groups() if groups is None else groups.arrays
        heap, found = self.frontier.hosts.heap, 0
        while True:
            times, _ = heap.arrays()
            of_all = (self._hosts, arrays, self._pages)
            n, found = pop_due(self._heap, len(heap), of_all, rules, found, ids)
            heap.resize(n)
            if not has_domains or found == len(ids) or not n or times[0] > now:
                return found
            assert groups is not None
            groups.know_all(heap.first_hosts(max(len(ids) - found, MIN_HOSTS)), now)

    def _take_out(self, ids: U64) -> None:
        """Take the pages *ids* as out; another page of the host where one is so already."""
        out = self.frontier.out
        pages: list[int] = ids.tolist()
        for place in out.add_all(pages):
            other = self._other_page(pages[place])
            out.add(other)
            ids[place] = other

    def _other_page(self, page_id: int) -> int:
        """Return the first page of the host that waits for nothing; *page_id* awaits its commit."""
        host_id, local_id = split_id(page_id)
        frontier = self.frontier
        out = frontier.out.of(host_id)
        other = next_queued(frontier.memory, host_id, local_id, out)
        if other is None:
            raise AssertionError(f"host {host_id} has ready pages, none found")
        frontier.hosts.cursor[host_id] = other + 1
        return host_id << 32 | other
