"""Leases: which page is fetched next, and what is out.

A page is leased by its host's turn (:meth:`Frontier.lease`) or by its key (:meth:`Frontier.lease_page`). Guarantee: a
page that is leased, or whose capture waits for its commit, is not leased again; a host that is asked politely has one
lease at a time. Leases live in memory only: after a crash all are void, and what was out is queued as before.

Memory: 0 bytes a known page, about 700 a leased one, 100 a page that failed and waits; hosts as in HostQueues.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from crawler.durable.keys import u32_of, u64_of
from crawler.durable.page_state import (
    MAX_HOPS,
    STATE_BITS,
    STATE_MASK,
    STATES,
    PageState,
    split_id,
)
from crawler.frontier.hosts.groups import HostGroups
from crawler.frontier.hosts.politeness import scan_patience
from crawler.frontier.hosts.queue_kernels import best_level, next_queued, summarise
from crawler.frontier.hosts.queues import NEVER_ASKED, HostQueues
from crawler.frontier.leases.batches import LeaseBatch
from crawler.frontier.leases.ends import LeaseEnds
from crawler.frontier.leases.lease import Busy, Lease, Limit, NoLease, Seen
from crawler.frontier.leases.out_pages import OutPages
from crawler.frontier.leases.reader import read_leases
from crawler.webgraph.address_space import entries, reserve
from crawler.webgraph.hosts.extents import MAX_HOSTS
from crawler.webgraph.pages.table import page_memory

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from crawler.durable.capture import Capture
    from crawler.durable.journal import Journal
    from crawler.fleet.gaps import Gaps, Secs
    from crawler.fleet.owners import Owners
    from crawler.frontier.policy import FrontierPolicy
    from crawler.frontier.steering.steering import Steering
    from crawler.frontier.store.changes import CommitResult

DONE_STATES = frozenset({PageState.FETCHED, PageState.GONE})


class Frontier:
    """The leases of a crawl under *policy*, over *journal*.

    *epoch* is what a caller's clock lacks to the wall clock, in seconds. *owners*: who owns which host,
    None when this process owns all. *gaps*: of groups that are others' too (crawler.frontier.hosts.groups).
    """

    def __init__(
        self,
        journal: Journal,
        policy: FrontierPolicy,
        *,
        epoch: float = 0.0,
        owners: Owners | None = None,
        gaps: Gaps | None = None,
    ) -> None:
        self.journal = journal
        self.owners = owners
        self.policy = policy
        self.steering: Steering | None = None
        self.leases: dict[int, Lease] = {}
        self.out = OutPages()
        with journal.read() as txn:
            self.memory = page_memory(txn)
            queues = summarise(self.memory, policy.max_depth)
            self.counts = queues.counts
            self._hosts = HostQueues(policy, queues, self.memory.hosts.host_ids())
            self._groups: HostGroups | None = None
            if policy.domain_delay_secs or policy.ip_delay_secs:
                self._groups = HostGroups(policy, self._hosts, self.memory.hosts, gaps)
                self._hosts.groups = self._groups
            self._ends = LeaseEnds(self._hosts, self._groups)
            for host_id, patience in scan_patience(txn):
                self.hosts.set_delay(host_id, patience.delay_secs)
                self.hosts.errors[host_id] = patience.errors
                if patience.not_before_ms:
                    self.hosts.wait_until(host_id, patience.not_before_ms / 1000 - epoch)
            self.batch = LeaseBatch(self)
            self._categorised = reserve(MAX_HOSTS, np.uint8)
            self._has_categories = entries(self._categorised)
            self.categorised(u32_of(key) for key in txn.keys("categories"))
            self.returned = {u32_of(key) for key in txn.keys("returned")}
            self.retries = {u64_of(key): n[0] for key, n in txn.scan("retries")}

    def categorised(self, host_ids: Iterable[int]) -> None:
        """Note that the hosts have categories."""
        for host_id in host_ids:
            self._has_categories[host_id] = 1

    @property
    def hosts(self) -> HostQueues:
        """The hosts, told of all leases that have ended; not to be kept by who asks over a fetch."""
        if self._ends:
            self._ends.tell()
        return self._hosts

    @property
    def groups(self) -> HostGroups | None:
        """The groups of hosts, as `hosts`; None when no gaps are to be kept."""
        if self._ends:
            self._ends.tell()
        return self._groups

    def stop(self, *, is_stopped: bool) -> None:
        """Lease nothing as long as a limit is reached that others keep."""
        self._hosts.is_stopped = is_stopped

    def is_seen(self, page_id: int) -> bool:
        """Tell whether a known page is done, refused for good, or out."""
        head = self._head(page_id)
        state, hops = head & STATE_MASK, head >> STATE_BITS & MAX_HOPS
        refused = state == PageState.REFUSED and hops <= self.policy.max_redirects
        return state in DONE_STATES or refused or page_id in self.out

    def _head(self, page_id: int) -> int:
        return self.memory.heads.one(page_id)

    def lease(self, now: float) -> Lease | None:
        """Return the next page of the host whose turn it is, None when none is due.

        Hosts take turns as they fall due, those with pages of a higher priority first; so do the
        pages of a host, as they were found.
        """
        if not self._hosts.is_started:
            self.hosts.start(now)
        if (lease := self.batch.next(now)) is None:
            if (page_id := self.take_next(now)) is None:
                return None
            lease = self.read_leases(np.array([page_id], dtype=np.uint64))[0]
        self.leases[lease[0]] = lease
        return lease

    def take_next(self, now: float) -> int | None:
        """Count the page that comes next as out, None when none is due; return it."""
        host_id = self._pop(now)
        if host_id is None:
            return None
        cursor = int(self.hosts.cursor[host_id])
        local_id = next_queued(self.memory, host_id, cursor, self.out.of(host_id))
        if local_id is None:
            raise AssertionError(
                f"host {host_id} has {self.hosts.ready[host_id]} ready pages, none found"
            )
        if self.memory.levels is None or local_id == cursor:
            self.hosts.cursor[host_id] = local_id + 1
        self._count_out(page_id := host_id << 32 | local_id, was_ready=True)
        return page_id

    def _pop(self, now: float) -> int | None:
        """Return the host whose turn it is, of those whose domain and address may be asked."""
        level_of = None if self.memory.levels is None else self.best_level
        host_id = self.hosts.pop(now, level_of)
        if self.groups is not None:
            while host_id is not None and not self.groups.enter(host_id, now):
                host_id = self.hosts.pop(now, level_of)
        return host_id

    def best_level(self, host_id: int) -> int:
        return best_level(self.memory, host_id, int(self.hosts.cursor[host_id]))

    def next_due(self, now: float) -> float | None:
        """Return the seconds until a host is due, None when none will be by time alone."""
        self.hosts.start(now)
        self.batch.give_back()
        return self.hosts.next_due(now)

    def lease_page(
        self, page_id: int, now: float, *, polite: bool = True, is_counted: bool = False
    ) -> Lease | NoLease:
        """Lease the page *page_id*, which is known, or say why not. Limits need no room for one that *is_counted*.

        Without *polite* the host's turn is not waited for: for what needs no network.
        """
        host_id = split_id(page_id)[0]
        self.hosts.start(now)
        self.batch.give_back()
        if self.is_seen(page_id):
            return Seen
        if not (is_counted or self.hosts.has_room(host_id)):
            return Limit
        if polite and not self._is_free(host_id, now):
            return Busy
        if polite and self.groups is not None:
            self.groups.take(host_id, now)
        return self._take(page_id)

    def _is_free(self, host_id: int, now: float) -> bool:
        groups = self.groups
        return self.hosts.is_free(host_id, now) and (groups is None or groups.is_free(host_id, now))

    def queued_pages(self, host_id: int, *, limit: int) -> list[Lease]:
        """Return the first *limit* pages of a host that are queued, without leasing them."""
        self.batch.give_back()
        first, end = int(self.hosts.cursor[host_id]), int(self.memory.next_local[host_id])
        begin = self.memory.heads.begin_of(host_id)
        states = self.memory.heads.arena[begin + first : begin + end] & np.uint16(STATE_MASK)
        locals_ = (np.flatnonzero(states == PageState.QUEUED) + first).tolist()
        ids = (host_id << 32 | local_id for local_id in locals_)
        free = islice((page_id for page_id in ids if page_id not in self.out), limit)
        return self.read_leases(np.array(list(free), dtype=np.uint64))

    def _take(self, page_id: int) -> Lease:
        lease = self.read_leases(np.array([page_id], dtype=np.uint64))[0]
        is_queued = self._head(page_id) & STATE_MASK == PageState.QUEUED
        self._count_out(page_id, was_ready=is_queued)
        self.leases[page_id] = lease
        return lease

    def _count_out(self, page_id: int, *, was_ready: bool) -> None:
        self.hosts.take(page_id >> 32, was_ready=was_ready)
        self.out.add(page_id)

    def untake(self, page_id: int) -> None:
        """Take back a lease that was not handed out."""
        host_id, local_id = split_id(page_id)
        self.out.remove([page_id])
        cursor = self.hosts.cursor
        cursor[host_id] = min(cursor[host_id], local_id)
        self.hosts.give_back(host_id, NEVER_ASKED, spent=False, ready=True)
        if self.groups is not None:
            self.groups.give_back(host_id)

    def read_leases(self, ids: npt.NDArray[np.uint64]) -> list[Lease]:
        """Return the leases of the pages *ids*."""
        return read_leases(self.journal, self.memory, ids, self._categorised, self.retries)

    def finish(self, capture: Capture, now: float) -> None:
        """End the lease of *capture*, which from now on awaits its commit; of one that is unasked no host rests."""
        page_id = capture.page_id
        del self.leases[page_id]
        spent = STATES[capture.state] in DONE_STATES
        if spent and self._ends.may_wait:
            self._ends.add(page_id >> 32, now, capture.latency_secs)
            return
        host_id, since = page_id >> 32, NEVER_ASKED if capture.is_unasked else now
        self.hosts.give_back(host_id, since, spent=spent, latency_secs=capture.latency_secs)
        if self.groups is not None and capture.is_unasked:
            self.groups.pass_by(host_id, now)
        elif self.groups is not None:
            self.groups.leave(host_id, now)

    def committed(self, captures: list[Capture]) -> None:
        """Take the pages of *captures* as no longer out."""
        self.out.remove(capture.page_id for capture in captures)

    def release(self, lease: Lease, now: float) -> None:
        """End *lease* as if nothing had happened: the page may be leased again."""
        self._end(lease, now)
        if self.groups is not None:
            self.groups.leave(lease.host_id, now)

    def put_back(self, lease: Lease, waits: Secs, now: float) -> None:
        """End *lease*, whose page was not asked for: other shards have its groups for *waits*."""
        self._end(lease, NEVER_ASKED)
        if self.groups is not None:
            self.groups.give_back(lease.host_id, now, waits)

    def _end(self, lease: Lease, now: float) -> None:
        del self.leases[lease.page_id]
        self.out.remove([lease.page_id])
        ready = self._head(lease.page_id) & STATE_MASK == PageState.QUEUED
        if ready:
            cursor = self.hosts.cursor
            cursor[lease.host_id] = min(int(cursor[lease.host_id]), lease.local_id)
        self.hosts.give_back(lease.host_id, now, spent=False, ready=ready)

    def apply(self, result: CommitResult) -> None:
        """Take what a committed transaction changed."""
        if result.woken[0] or result.raised:
            self.batch.give_back()
        self.counts = self.counts + result.counts
        self.categorised(result.categorised)
        self.hosts.wake(*result.woken)
        if self.memory.levels is not None:
            for host_id in {*result.woken[0], *result.raised}:
                self.hosts.raise_rank(host_id, self.best_level)
        for page_id, n in result.retries.items():
            if n:
                self.retries[page_id] = n
            else:
                self.retries.pop(page_id, None)
