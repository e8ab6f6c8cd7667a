"""How a crawl gives up the pages of a host that it has not asked for."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from crawler.durable.capture import Capture
from crawler.durable.page_state import STATES
from crawler.durable.visits import unpack_visit
from crawler.frontier.frontier import DONE_STATES
from crawler.frontier.revisits import note_visit
from crawler.frontier.store.changes import Changes
from crawler.frontier.store.visits import StoreVisits

if TYPE_CHECKING:
    from collections.abc import Callable

    from crawler.durable.at_work import PageAtWork
    from crawler.frontier.frontier import Frontier
    from crawler.frontier.leases.lease import Lease

# Pages of one transaction.
REFUSED_CHUNK = 5_000


class StoreRefusals(StoreVisits):
    """Captures of the pages in *frontier*, and of those that are refused."""

    frontier: Frontier
    on_commit: list[Callable[[list[Capture]], None]]
    at_work: PageAtWork
    _transact: Callable[..., Any]

    def open_capture(self, lease: Lease) -> Capture:
        """Return the capture of *lease*, to be filled and given to :meth:`finish`."""
        # The fields of a lease are the first ones of a capture; by place it is made in half of the time.
        capture = Capture(*lease[:-1])
        capture.at_work = self.at_work
        if lease.visited is not None:
            capture.earlier = unpack_visit(lease.visited)
        return capture

    def refuse_host(self, host_id: int, reason: str) -> int:
        """Reject what is queued of the host, for good; return how many pages that were."""
        n = 0
        while pages := self.frontier.queued_pages(host_id, limit=REFUSED_CHUNK):
            captures = [self._refused(lease, reason) for lease in pages]
            self._transact(partial(Changes.end, captures=captures))
            n_done = sum(STATES[capture.state] in DONE_STATES for capture in captures)
            self.frontier.hosts.drop(host_id, len(captures), n_done)
            for listener in self.on_commit:
                listener(captures)
            n += len(captures)
        return n

    def _refused(self, lease: Lease, reason: str) -> Capture:
        capture = self.open_capture(lease)
        capture.state, capture.done = "refused", True
        capture.fetched_at = datetime.now(UTC)
        capture.reject(stage="fetch", reason=reason)
        note_visit(capture)
        return capture
