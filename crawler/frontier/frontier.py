"""Leases: which page is fetched next, and what is out.

A page is leased by its host's turn (:meth:`Frontier.lease`) or by its key
(:meth:`Frontier.lease_page`). Guarantee: a page that is leased, or whose capture waits for its
commit, is not leased again; a host that is asked politely has one lease at a time. Leases live in
memory only: after a crash all are void, and what was out is queued as before.

Memory: 0 bytes a known page, about 600 a leased one; hosts as in HostQueues.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from crawler.durable.keys import u64_key, u64_of
from crawler.durable.page_state import (
    PageState,
    local_text,
    split_id,
    unpack_head,
)
from crawler.frontier.host_queues import HostQueues
from crawler.urls import PageKey, host_name, page_url
from crawler.webgraph.host_rows import read_categories, read_host, scan_hosts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from crawler.durable.capture import Capture
    from crawler.durable.journal import Journal
    from crawler.durable.page_state import PageHead
    from crawler.durable.transaction import Transaction
    from crawler.frontier.changes import CommitResult
    from crawler.frontier.policy import FrontierPolicy

DONE_STATES = frozenset({PageState.FETCHED, PageState.GONE})


class NoLease(Enum):
    """Why a page is not leased: its host is busy or not due, it is done or out, a limit is reached."""

    BUSY = "busy"
    SEEN = "seen"
    LIMIT = "limit"


Busy: Final = NoLease.BUSY
Seen: Final = NoLease.SEEN
Limit: Final = NoLease.LIMIT


@dataclass(frozen=True, slots=True)
class Lease:
    """A page that is out to be fetched; *host* is the name in its URL, *retries* its past failures."""

    page_id: int
    url: str
    host: str
    depth: int
    hops: int
    retries: int
    categories: tuple[str, ...]

    @property
    def host_id(self) -> int:
        return self.page_id >> 32

    @property
    def local_id(self) -> int:
        return self.page_id & 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class Cursors:
    """The cursor of each host, and the lowest LocalID that is out where there is one."""

    cursor: Sequence[int]
    floors: Mapping[int, int]

    def of(self, host_id: int) -> int:
        """Return the cursor to be stored for the host, 0 for a new one."""
        if host_id >= len(self.cursor):
            return 0
        return min(self.cursor[host_id], self.floors.get(host_id, 2**32))


class Frontier:
    """The leases of a crawl under *policy*, over *journal*."""

    def __init__(self, journal: Journal, policy: FrontierPolicy) -> None:
        self.journal = journal
        self.policy = policy
        self.hosts = HostQueues(policy)
        self.leases: dict[int, Lease] = {}
        self.awaiting: set[int] = set()
        with journal.read() as txn:
            for row in scan_hosts(txn):
                self.hosts.load(row)

    def is_out(self, page_id: int) -> bool:
        """Tell whether the page is leased, or its capture waits for its commit."""
        return page_id in self.leases or page_id in self.awaiting

    def is_seen(self, page_id: int, head: PageHead) -> bool:
        """Tell whether a page with *head* is done, refused for good, or out."""
        state, _, hops, _ = head
        refused = state == PageState.REFUSED and hops <= self.policy.max_redirects
        return state in DONE_STATES or refused or self.is_out(page_id)

    def lease(self, now: float) -> Lease | None:
        """Return the next page of the host that has been due longest, None when none is due."""
        self.hosts.start(now)
        host_id = self.hosts.pop(now)
        if host_id is None:
            return None
        with self.journal.read() as txn:
            page_id, row = self._next_queued(txn, host_id)
            self.hosts.cursor[host_id] = split_id(page_id)[1] + 1
            return self._take(txn, page_id, row)

    def _next_queued(self, txn: Transaction, host_id: int) -> tuple[int, bytes]:
        start = u64_key(host_id << 32 | self.hosts.cursor[host_id])
        for key, row in txn.scan("pages", start):
            page_id = u64_of(key)
            if page_id >> 32 != host_id:
                break
            if row[0] == PageState.QUEUED and not self.is_out(page_id):
                return page_id, row
        raise AssertionError(
            f"host {host_id} has {self.hosts.ready[host_id]} ready pages, none found"
        )

    def next_due(self, now: float) -> float | None:
        """Return the seconds until a host is due, None when none will be by time alone."""
        self.hosts.start(now)
        return self.hosts.next_due(now)

    def lease_page(self, page_id: int, now: float, *, polite: bool = True) -> Lease | NoLease:
        """Lease the page *page_id*, which is known, or say why not.

        Without *polite* the host's turn is not waited for: for what needs no network.
        """
        host_id = split_id(page_id)[0]
        self.hosts.start(now)
        with self.journal.read() as txn:
            row = txn.get("pages", u64_key(page_id))
            if row is None:
                raise KeyError(page_id)
            if self.is_seen(page_id, unpack_head(row)):
                return Seen
            if not self.hosts.has_room(host_id):
                return Limit
            if polite and not self.hosts.is_free(host_id, now):
                return Busy
            return self._take(txn, page_id, row)

    def _take(self, txn: Transaction, page_id: int, row: bytes) -> Lease:
        host_id = split_id(page_id)[0]
        head = unpack_head(row)
        host_key = read_host(txn, host_id).key
        lease = Lease(
            page_id=page_id,
            url=page_url(PageKey(host_key, local_text(row))),
            host=host_name(host_key),
            depth=head.depth,
            hops=head.hops,
            retries=head.retries,
            categories=read_categories(txn, host_id),
        )
        self.hosts.take(host_id, was_ready=head.state == PageState.QUEUED)
        self.leases[page_id] = lease
        return lease

    def finish(self, capture: Capture, now: float) -> None:
        """End the lease of *capture*, which from now on awaits its commit."""
        del self.leases[capture.page_id]
        self.awaiting.add(capture.page_id)
        spent = PageState[capture.state.upper()] in DONE_STATES
        self.hosts.give_back(capture.host_id, now, spent=spent)

    def release(self, lease: Lease, now: float) -> None:
        """End *lease* as if nothing had happened: the page may be leased again."""
        del self.leases[lease.page_id]
        with self.journal.read() as txn:
            row = txn.get("pages", u64_key(lease.page_id))
        ready = row is not None and row[0] == PageState.QUEUED
        if ready:
            cursor = self.hosts.cursor
            cursor[lease.host_id] = min(cursor[lease.host_id], lease.local_id)
        self.hosts.give_back(lease.host_id, now, spent=False, ready=ready)

    def cursors(self) -> Cursors:
        """Return the cursors as they may be stored: below them nothing is queued, come what may.

        The cursor in memory has passed the pages that are out, which a crash would queue again.
        """
        floors: dict[int, int] = {}
        for page_id in (*self.leases, *self.awaiting):
            host_id, local_id = split_id(page_id)
            floors[host_id] = min(local_id, floors.get(host_id, local_id))
        return Cursors(self.hosts.cursor, floors)

    def apply(self, result: CommitResult) -> None:
        """Take what a committed transaction changed."""
        for row in result.hosts:
            self.hosts.apply(row)
