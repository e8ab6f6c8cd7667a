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
    from crawler.frontier.steering.steering import Steering

# Meanwhile nothing else is done, and what is being downloaded times out: measured, a thousand take 0.2 s.
MOST_REFUSED = 1_000


class StoreSteering:
    """The part of the store that asks the frontier's ``steering``, which may be None."""

    frontier: Frontier
    open_capture: Callable[[Lease], Capture]
    take_over: Callable[[Capture, float], None]

    def lease_steered(self, now: float) -> Lease | None:
        """Lease the next page that is due and not refused; the refused ones are rejected.

        A refused page costs its host no delay: nobody was asked. None also behind `MOST_REFUSED` of them in a row,
        when the next one is due at once.
        """
        steering = self.frontier.steering
        if steering is None:
            return self.frontier.lease(now)
        for _ in range(MOST_REFUSED):
            lease = self.frontier.lease(now)
            if lease is None or (reason := steering.refusal(lease)) is None:
                return lease
            self._refuse(lease, reason, steering, now)
        return None

    def _refuse(self, lease: Lease, reason: str, steering: Steering, now: float) -> None:
        capture = self.open_capture(lease)
        capture.state = "refused"
        capture.fetched_at = datetime.now(UTC)
        capture.reject(stage=STEERED, reason=reason)
        note_visit(capture)
        if outcome := visit_outcome(capture):
            steering.visits_refused[outcome] += 1
        self.frontier.finish(capture, NEVER_ASKED)
        self.take_over(capture, now)

    def write_yields(self, txn: Transaction) -> None:
        """Write what hosts gave in the groups before; it is forgotten as a change when the commit is there."""
        steering = self.frontier.steering
        if steering is not None and steering.yields is not None:
            save_yields(txn, steering.yields)
