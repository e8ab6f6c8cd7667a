"""Pages that are due again: those that were fetched, and those that were asked for and not found."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from crawler.durable.keys import u64_key, u64_of
from crawler.durable.visits import (
    FAILED,
    FEED,
    READ,
    SITEMAPS,
    STALE,
    VISITED,
    microseconds,
    stale_key,
    unpack_visit,
)
from crawler.frontier.outcome import QUEUED
from crawler.frontier.revisits import is_due
from crawler.webgraph.pages.table import PageTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    import numpy.typing as npt

    from crawler.durable.capture import Capture
    from crawler.durable.journal import Journal
    from crawler.frontier.frontier import Frontier
    from crawler.frontier.revisits import RecrawlPolicy
    from crawler.frontier.store.changes import Changes
    from crawler.urls import PageKey

    U64 = npt.NDArray[np.uint64]

# The table of a page that a visit left as it was.
VISITS = "visits"
# Rows that are looked at in one transaction.
CHUNK = 50_000


class StoreVisits:
    """Queues pages again whose last visit, in *journal*, is too long ago; part of the store."""

    journal: Journal
    frontier: Frontier
    revive: Callable[[int], None]
    _transact: Callable[[Callable[[Changes], Any]], Any]

    def queue_again(self, now_us: int, policy: RecrawlPolicy) -> int:
        """Queue the pages that are due at *now_us*, microseconds since 1970, by *policy*; return how many.

        Limits count them as not fetched. A dead host of theirs is asked once more before it is dead again. Cost:
        a look at every page that was visited, some 2 us each.
        """
        n_queued = 0
        for ids in self._due(now_us, policy):
            for host_id in np.unique(ids >> np.uint64(32)).tolist():
                self.revive(host_id)
            n_queued += self._queue(ids)
        return n_queued

    def queue_sitemaps(self) -> int:
        """Queue the fetched pages that are sitemaps, but for those that failed at their last visit; return how many."""
        with self.journal.read() as txn:
            ids = [u64_of(key) for key, mark in txn.scan(SITEMAPS) if mark == READ]
        return self._queue(np.array(ids, dtype=np.uint64)) if ids else 0

    def restore_row(self, capture: Capture) -> None:
        """Have the row of *capture*, which has ended, count again if it stands already, replaced by another one's.

        So it is with one out of a WARC file that a revisit names (crawler.frontier.store.claims).
        """
        if not capture.is_stored or capture.earlier is None or capture.state == QUEUED:
            return
        assert capture.fetched_at is not None
        key = stale_key(capture.page_id, microseconds(capture.fetched_at))
        with self.journal.read() as txn:
            is_stale = txn.get(STALE, key) is not None
        if is_stale:
            capture.puts.append((STALE, key, None))
            capture.row = None

    def note_link_file(self, capture: Capture) -> None:
        """Keep what *capture*, which has ended, read as a sitemap or feed out of the archive; note if it was and is
        none.

        A sitemap that failed, or is none any more, rests as other pages do; the former is one again when a later visit
        finds what was there before.
        """
        if capture.state == QUEUED:
            return
        mark = None
        key = u64_key(capture.page_id)
        is_read = any(table == SITEMAPS for table, *_ in capture.puts)
        if not is_read and capture.earlier is not None:
            with self.journal.read() as txn:
                mark = txn.get(SITEMAPS, key)
        if mark is not None:
            is_read = capture.table == VISITS and bool(capture.unchanged)
            if mark != (new := _mark_after(mark, capture.table, is_read=is_read)):
                capture.puts.append((SITEMAPS, key, new))
        if is_read:
            # A crawl of the WARC files reads none of them: a list of links would be a document there.
            capture.exchange = None

    def queue_modified(
        self, changes: Sequence[tuple[PageKey, Callable[[int], bool]]]
    ) -> tuple[int, int]:
        """Queue those of *changes* (key, what tells of the last visit whether the page is due) that are due.

        Only pages that were visited count. Visits are in microseconds since 1970. Returns how many were
        queued, and how many are not due.
        """
        due = []
        n_left = 0
        with self.journal.read() as txn:
            found = PageTable(txn).find([key for key, _ in changes])
            for place in np.flatnonzero(found.known).tolist():
                page_id = int(found.ids[place])
                if (row := txn.get(VISITED, u64_key(page_id))) is None:
                    continue
                if changes[place][1](unpack_visit(row).visited_us):
                    due.append(page_id)
                else:
                    n_left += 1
        return (self._queue(np.unique(np.array(due, dtype=np.uint64))) if due else 0), n_left

    def _queue(self, ids: U64) -> int:
        """Queue those of the pages *ids*, ascending, that are done or refused, and not out; return how many."""
        queued, done = self._transact(partial(_queue_again, ids=ids))
        self._unspend(done)
        return len(queued)

    def _unspend(self, ids: U64) -> None:
        """Have limits count the pages *ids*, which were done, as not fetched."""
        hosts, counts = np.unique(ids >> np.uint64(32), return_counts=True)
        for host_id, n_pages in zip(hosts.tolist(), counts.tolist(), strict=True):
            self.frontier.hosts.unspend(host_id, n_pages)

    def _due(self, now_us: int, policy: RecrawlPolicy) -> Iterator[U64]:
        """Yield the pages, ascending, of some rows at a time."""
        start = b""
        while True:
            n_rows, due = 0, []
            with self.journal.read() as txn:
                for key, row in txn.scan(VISITED, start):
                    if n_rows == CHUNK:
                        break
                    n_rows += 1
                    start = u64_key(u64_of(key) + 1)
                    if is_due(unpack_visit(row), now_us, policy):
                        due.append(u64_of(key))
            if due:
                yield np.array(due, dtype=np.uint64)
            if n_rows < CHUNK:
                return


def _mark_after(mark: bytes, table: str, *, is_read: bool) -> bytes | None:
    if table != VISITS:
        return None
    if mark == FEED:  # which is visited as other pages are
        return FEED
    return READ if is_read else FAILED


def _queue_again(changes: Changes, ids: U64) -> tuple[U64, U64]:
    return changes.queue_again(ids)
