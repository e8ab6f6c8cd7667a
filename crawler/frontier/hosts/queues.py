"""Hosts in memory: which of them has pages to fetch, and when each may be asked again.

Contents: for each known host the number of pages ready to be leased, those spent against its limit, the cursor below
which nothing is queued, its leases, its delay, when it is due. Its queue, the LocalIDs from there on, costs nothing.

Order: a heap by (due, HostID) of the hosts that may be leased from. With priorities, the hosts that have fallen due
stand in a second heap, by the best priority that a host had then, equals as they fell due. Guarantee: a host is in one
of the heaps once while it has a ready page, room under its limit and no lease; stale entries are dropped or put back as
they come up.

Memory: 27 bytes a known host (arrays of uint32, uint32, uint32, uint16, float32, float64, uint8), 12 bytes more for a
host in the heap, 2 for one that was in trouble, 0 for a known page. Measured by tests/benchmarks/bench_frontier.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.frontier.hosts.heap import HostHeap
from crawler.frontier.hosts.queue_kernels import Queues, no_queues
from crawler.frontier.hosts.ranked import RankedHosts
from crawler.frontier.priorities import ZERO_LEVEL
from crawler.webgraph.address_space import check_room, entries, reserve
from crawler.webgraph.hosts.extents import MAX_HOSTS
from crawler.webgraph.hosts.ids import BLOCK_HOSTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy.typing as npt

    from crawler.frontier.hosts.groups import HostGroups
    from crawler.frontier.policy import FrontierPolicy

NEVER_ASKED = float("-inf")


class HostQueues:
    """The hosts of a crawl under *policy*; *host_ids* are those that *queues* hold."""

    def __init__(
        self,
        policy: FrontierPolicy,
        queues: Queues | None = None,
        host_ids: npt.NDArray[np.uint32] | None = None,
    ) -> None:
        self.policy = policy
        self.page_limit: float = policy.max_pages or float("inf")
        queues = no_queues() if queues is None else queues
        self.ready, self._spent, self.cursor = map(entries, queues[:3])
        self._due = entries(reserve(MAX_HOSTS, np.float64))
        self.delays = entries(reserve(MAX_HOSTS, np.float32))
        self._out = entries(reserve(MAX_HOSTS, np.uint16))
        self._in_heap = entries(reserve(MAX_HOSTS, np.uint8))
        self.errors = entries(reserve(MAX_HOSTS, np.uint16))  # fetches in a row that failed
        self.longest_delay = policy.longest_delay_secs
        self.groups: HostGroups | None = None
        self.is_started = False  # the clock of the hosts that were resumed is set
        self.is_stopped = False  # a limit is reached that others keep
        self.heap = HostHeap()
        self.ranked = RankedHosts()
        self._is_begun = bytearray(len(self._due) // BLOCK_HOSTS + 1)
        known = np.zeros(0, dtype=np.uint32) if host_ids is None else np.sort(host_ids)
        for block in np.unique(known // BLOCK_HOSTS).tolist():
            self._begin(block)
        self.n_ready = int(queues.ready[known].sum(dtype=np.int64))
        self.total_spent = int(queues.spent[known].sum(dtype=np.int64))
        self._resumed = self._resume(known, queues.ready[known], queues.spent[known])

    def _resume(
        self,
        hosts: npt.NDArray[np.uint32],
        ready: npt.NDArray[np.uint32],
        spent: npt.NDArray[np.uint32],
    ) -> npt.NDArray[np.uint32] | None:
        """Put the hosts that were never asked into the heap; return the others that have work.

        A host that was fetched from waits for its delay once more: when that was is not stored.
        """
        limit = self.policy.pages_per_host
        has_work = (ready > 0) & ((spent < limit) if limit else True)
        fresh = hosts[has_work & (spent == 0)]
        self.heap.fill(np.full(len(fresh), NEVER_ASKED), fresh)
        np.asarray(self._in_heap)[fresh] = 1
        return hosts[has_work & (spent > 0)]

    def start(self, now: float) -> None:
        """Set the clock of the hosts that were resumed; later calls do nothing."""
        if self._resumed is None:
            return
        self.is_started, resumed, self._resumed = True, self._resumed, None
        due, ready, spent, _, out, in_heap = self.arrays()
        secs = np.asarray(self.delays)[resumed].astype(np.float64).clip(self.policy.host_delay_secs)
        due[resumed] = np.maximum(due[resumed], now + secs)
        limit = self.policy.pages_per_host or np.inf
        wanted = (ready[resumed] > 0) & (spent[resumed] < limit)
        hosts = resumed[wanted & (in_heap[resumed] == 0) & (out[resumed] == 0)]
        in_heap[hosts] = 1
        self.heap.push_many(due[hosts], hosts)

    def wake(self, host_ids: Iterable[int], n_woken: Iterable[int], lowest: Iterable[int]) -> None:
        """Take what a committed transaction queued: pages of each host, and the lowest of them."""
        for host_id, n, first in zip(host_ids, n_woken, lowest, strict=True):
            self._know(host_id)
            self.ready[host_id] += n
            self.n_ready += n
            self.cursor[host_id] = min(self.cursor[host_id], first)
            self._offer(host_id)

    @property
    def is_spent(self) -> bool:
        """Tell whether a limit of the whole crawl is reached."""
        return self.is_stopped or self.total_spent >= self.page_limit

    def has_room(self, host_id: int) -> bool:
        """Tell whether the limits let one more page of the host be leased."""
        limit = self.policy.pages_per_host
        return not self.is_spent and (not limit or self._spent[host_id] < limit)

    def is_free(self, host_id: int, now: float) -> bool:
        """Tell whether the host has no lease and its delay is over."""
        return not self._out[host_id] and bool(self._due[host_id] <= now)

    def pop(self, now: float, level_of: Callable[[int], int] | None = None) -> int | None:
        """Return the host that comes next, None when none is due or may be leased.

        It is the one that has been due longest; with *level_of*, which tells the priority of a
        host's best page, the one that has the highest.
        """
        if level_of is None and not self.ranked:
            return self._fallen_due(now)
        self.rank_due(now, level_of or (lambda _: ZERO_LEVEL))
        while not self.is_spent and self.ranked:
            host_id = self._leave(self.ranked)
            if self._due[host_id] <= now and self._may_lease(host_id):
                return host_id
            self._pass_over(host_id)
        return None

    def _fallen_due(self, now: float) -> int | None:
        while not self.is_spent and self.heap and self.heap.first[0] <= now:
            host_id = self._leave(self.heap)
            if self._due[host_id] <= now and self._may_lease(host_id):
                return host_id
            self._pass_over(host_id)
        return None

    def rank_due(self, now: float, level_of: Callable[[int], int]) -> None:
        """Let the hosts that have fallen due stand by the priorities of their best pages."""
        while (host_id := self._fallen_due(now)) is not None:
            self._in_heap[host_id] = 1
            self.ranked.put(host_id, level_of(host_id))

    def _pass_over(self, host_id: int) -> None:
        """Put a host that came up but is not to be asked where it belongs."""
        self._offer(host_id)
        if self.groups is not None:
            self.groups.passed(host_id)

    def raise_rank(self, host_id: int, level_of: Callable[[int], int]) -> None:
        """Let a host that fell due, and has a better page since, come up by that."""
        level = self.ranked.level(host_id)
        if level is not None and (better := level_of(host_id)) > level:
            self.ranked.put(host_id, better)

    def arrays(self) -> tuple[Any, ...]:
        """Return due times, ready and spent pages, cursors, leases and heap marks, for kernels."""
        views = (self._due, self.ready, self._spent, self.cursor, self._out, self._in_heap)
        return tuple(np.asarray(view) for view in views)

    def take(self, host_id: int, *, was_ready: bool) -> None:
        """Count a lease of a page of the host; *was_ready*: it was one of the ready ones."""
        self._know(host_id)
        if was_ready:
            self.ready[host_id] -= 1
            self.n_ready -= 1
        self._out[host_id] += 1
        self._spent[host_id] += 1
        self.total_spent += 1

    def borrow(self, host_id: int) -> None:
        """Lease no page of the host until it is given back, as *spent*."""
        self._know(host_id)
        self._out[host_id] += 1

    def free_in(self, host_id: int, now: float) -> float | None:
        """Return the seconds until a host that was borrowed may be asked, None while a page is out."""
        return None if self._out[host_id] > 1 else max(0.0, float(self._due[host_id]) - now)

    def give_back(
        self,
        host_id: int,
        now: float,
        *,
        spent: bool,
        ready: bool = False,
        latency_secs: float = 0.0,
    ) -> None:
        """Count the end of a lease; *spent*: the page counts; *ready*: it may be leased again.

        *latency_secs*: what the answer took.
        """
        self._out[host_id] -= 1
        if not spent:
            self._spent[host_id] -= 1
            self.total_spent -= 1
        if ready:
            self.ready[host_id] += 1
            self.n_ready += 1
        delay, policy = self._delay(host_id), self.policy
        if latency_secs:
            delay = max(delay, min(policy.latency_factor * latency_secs, policy.latency_max_secs))
        self._due[host_id] = max(self._due[host_id], now + delay)
        self._offer(host_id)

    def unspend(self, host_id: int, n_pages: int) -> None:
        """Count *n_pages* of the host, which are to be fetched again, as not fetched."""
        self._spent[host_id] -= n_pages
        self.total_spent -= n_pages
        self._offer(host_id)

    def _delay(self, host_id: int) -> float:
        return max(self.policy.host_delay_secs, float(self.delays[host_id]))

    def set_delay(self, host_id: int, secs: float) -> None:
        """Wait at least *secs* after each fetch from the host; the policy's delay is the least."""
        if not secs >= 0:
            raise ValueError(f"secs must be at least 0, got {secs}")
        self._know(host_id)
        self.delays[host_id] = secs
        self.longest_delay = max(self.longest_delay, secs)

    def wait_until(self, host_id: int, due: float) -> None:
        """Do not ask the host before *due*."""
        self._know(host_id)
        self._due[host_id] = max(self._due[host_id], due)

    def next_due(self, now: float) -> float | None:
        """Return the seconds until a host is due, None when none will be by time alone."""
        while self.ranked and not self.is_spent:
            host_id = self.ranked.first
            if self._may_lease(host_id) and self._due[host_id] <= now:
                return 0.0
            self._pass_over(self._leave(self.ranked))
        while self.heap and not self.is_spent:
            due, host_id = self.heap.first
            if self._may_lease(host_id) and self._due[host_id] <= due:
                return max(0.0, due - now)
            self._pass_over(self._leave(self.heap))
        return None

    @property
    def has_work(self) -> bool:
        """Tell whether a host has a page that time alone lets be leased."""
        if self.is_spent:
            return False
        resumed = self._resumed is not None and len(self._resumed) > 0
        return resumed or self.next_due(float("inf")) is not None

    def drop(self, host_id: int, n: int, n_done: int = 0) -> None:
        """Count *n* pages of the host that were ready, and are not any more; *n_done* of them are done."""
        self.ready[host_id] -= n
        self.n_ready -= n
        self._spent[host_id] += n_done
        self.total_spent += n_done

    @property
    def blocks(self) -> list[int]:
        """Blocks of HostIDs of which one is known."""
        return np.flatnonzero(np.frombuffer(self._is_begun, np.uint8)).tolist()

    def _may_lease(self, host_id: int) -> bool:
        return self.ready[host_id] > 0 and not self._out[host_id] and self.has_room(host_id)

    def _offer(self, host_id: int) -> None:
        limit = self.policy.pages_per_host
        is_idle = self.ready[host_id] and not (self._in_heap[host_id] or self._out[host_id])
        if is_idle and (not limit or self._spent[host_id] < limit):
            self._in_heap[host_id] = 1
            self.heap.push(self._due[host_id], host_id)

    def _leave(self, heap: HostHeap | RankedHosts) -> int:
        host_id = heap.pop()
        self._in_heap[host_id] = 0
        return host_id

    def _know(self, host_id: int) -> None:
        if host_id >= len(self._due):
            check_room(np.asarray(self._due), host_id + 1)
        if not self._is_begun[host_id // BLOCK_HOSTS]:
            self._begin(host_id // BLOCK_HOSTS)

    def _begin(self, block: int) -> None:
        """Take the hosts of a block of HostIDs as never asked."""
        first = block * BLOCK_HOSTS
        np.asarray(self._due)[first : first + BLOCK_HOSTS] = NEVER_ASKED
        self._is_begun[block] = 1
