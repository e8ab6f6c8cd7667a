"""Leases under steering: what was queued before it was refused is refused when its turn comes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from crawler.frontier.hosts.queues import NEVER_ASKED
from crawler.frontier.revisits import STEERED, note_visit, visit_outcome
from crawler.frontier.steering.store import save_yields

if TYPE_CHECKING:
    from collections.abc import Callable

    from crawler.durable.capture import Capture
    from crawler.durable.transaction import Transaction
    from crawler.frontier.frontier import Frontier
    from crawler.frontier.leases.lease import Lease


class StoreSteering:
    """The part of the store that asks the frontier's ``steering``, which may be None."""

    frontier: Frontier
    open_capture: Callable[[Lease], Capture]
    take_over: Callable[[Capture, float], None]

    def lease_steered(self, now: float) -> Lease | None:
        """Lease the next page that is due and not refused; the refused ones are rejected.

        A refused page costs its host no delay: nobody was asked.
        """
        lease, steering = self.frontier.lease(now), self.frontier.steering
        if steering is None:
            return lease
        while lease is not None:
            reason = steering.refusal(lease)
            if reason is None:
                break
            capture = self.open_capture(lease)
            capture.state = "refused"
            capture.fetched_at = datetime.now(UTC)
            capture.reject(stage=STEERED, reason=reason)
            note_visit(capture)
            if outcome := visit_outcome(capture):
                steering.visits_refused[outcome] += 1
            self.frontier.finish(capture, NEVER_ASKED)
            self.take_over(capture, now)
            lease = self.frontier.lease(now)
        return lease

    def write_yields(self, txn: Transaction) -> None:
        """Write what hosts gave in the groups before; it is forgotten as a change when the commit is there."""
        steering = self.frontier.steering
        if steering is not None and steering.yields is not None:
            save_yields(txn, steering.yields)
