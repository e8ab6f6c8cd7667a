"""Pages that the process died of: the second time they are rejected, so that a crawl gets past them.

Which page that was, crawler.durable.at_work tells; the pages that were only out to be fetched are not
suspected. As any process may be killed at any page, a suspect is worked on again when nothing else is
out, or due within HELD_FOR_SECS, or after HELD_FOR_PAGES others: a crawl that is killed again and again
soon after its start then does not die at the same page twice by chance.

*On disk.* Table ``crashes``: u64 big-endian page id → u8, the times that the process died while it
worked on the page. The row goes when the page is done.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from crawler.durable.keys import u64_key, u64_of
from crawler.durable.page_state import STATE_MASK, PageState, split_id
from crawler.frontier.leases.lease import Lease
from crawler.frontier.outcome import REFUSED

if TYPE_CHECKING:
    from crawler.durable.at_work import PageAtWork
    from crawler.durable.capture import Capture
    from crawler.durable.journal import Journal
    from crawler.durable.transaction import Transaction
    from crawler.frontier.frontier import Frontier

MAX_DEATHS = 2
HELD_FOR_PAGES = 1000
HELD_FOR_SECS = 5.0

# Stage and reason of the rejection.
CRASH = "crash"


class StoreCrashes:
    """Counts the deaths of the process at a page, and rejects the page at the second one."""

    journal: Journal
    frontier: Frontier
    at_work: PageAtWork

    def __init__(self) -> None:
        super().__init__()
        self._suspects: list[Lease] = []
        self._n_before = 0

    def open_capture(self, lease: Lease) -> Capture:
        """As in the store."""
        raise NotImplementedError

    def finish(self, capture: Capture, now: float | None = None) -> None:
        """As in the store."""
        raise NotImplementedError

    def flush(self) -> None:
        """As in the store."""
        raise NotImplementedError

    def reject_crashers(self, now: float | None = None) -> list[str]:
        """Count the page that the last process died at, if it did; return the URLs it rejects.

        To be called once, before the first lease.
        """
        now = time.monotonic() if now is None else now
        suspect = self.at_work.page_id
        if suspect is not None and not self._knows(suspect):
            suspect = None  # the file is not of this journal
        deaths = self.journal.write(lambda txn: self._count(txn, suspect))
        self.at_work.clear()
        crashers = [page_id for page_id, n in deaths.items() if n >= MAX_DEATHS]
        urls = [url for page_id in crashers if (url := self._reject(page_id, now))]
        self.flush()
        for page_id in deaths.keys() - set(crashers):
            self._hold_back(page_id, now)
        return urls

    @property
    def n_suspects(self) -> int:
        """The number of pages that are held back; they are leased."""
        return len(self._suspects)

    def is_suspect(self, page_id: int) -> bool:
        """Tell whether the page is held back."""
        return any(lease.page_id == page_id for lease in self._suspects)

    def next_suspect(self, *, is_idle: bool) -> Lease | None:
        """Return a page that was held back; *is_idle*: nothing else is to be done."""
        if not self._suspects:
            return None
        self._n_before += not is_idle
        return self._suspects.pop() if is_idle or self._n_before > HELD_FOR_PAGES else None

    def _knows(self, page_id: int) -> bool:
        host_id, local_id = split_id(page_id)
        next_local = self.frontier.memory.next_local
        return host_id < len(next_local) and local_id < int(next_local[host_id])

    def _count(self, txn: Transaction, suspect: int | None) -> dict[int, int]:
        """Write the deaths of the pages that are not done yet; return them."""
        deaths = {u64_of(key): n[0] for key, n in txn.scan("crashes")}
        if suspect is not None:
            deaths[suspect] = min(deaths.get(suspect, 0) + 1, 255)
            txn.put("crashes", u64_key(suspect), bytes([deaths[suspect]]))
        for page_id in [page_id for page_id in deaths if self.frontier.is_seen(page_id)]:
            txn.delete("crashes", u64_key(page_id))
            del deaths[page_id]
        return deaths

    def _reject(self, page_id: int, now: float) -> str | None:
        lease = self.frontier.lease_page(page_id, now, polite=False)
        if not isinstance(lease, Lease):
            return None  # a limit keeps it from being fetched
        capture = self.open_capture(lease)
        capture.fetched_at = datetime.now(UTC)
        capture.state = REFUSED
        capture.reject(stage=CRASH, reason=CRASH)
        self.finish(capture, now)
        return capture.url

    def _hold_back(self, page_id: int, now: float) -> None:
        if self.frontier.memory.heads.one(page_id) & STATE_MASK != PageState.QUEUED:
            return
        # Its host rests until then; it need not have its turn now.
        lease = self.frontier.lease_page(page_id, now, polite=False)
        if isinstance(lease, Lease):
            self._suspects.append(lease)
