"""What a store does when shards were added or given up: hosts move out at its opening, or come in before it begins."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from crawler.durable.journals import known_shards
from crawler.frontier.shards.foreign_links import redirect_strays
from crawler.frontier.shards.moves import join
from crawler.frontier.shards.store_hand_overs import StoreHandOvers

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from crawler.durable.capture import Capture
    from crawler.durable.journal import Journal
    from crawler.fleet.owners import Owners
    from crawler.frontier.frontier import Frontier
    from crawler.frontier.shards.hand_overs import HandOvers
    from crawler.frontier.store.changes import Changes


class StoreMoves(StoreHandOvers):
    """The moves of a store that is a shard of several."""

    journal: Journal
    frontier: Frontier
    _group: list[Capture]
    _transact: Callable[[Callable[[Changes], Any]], Any]
    _new_frontier: Callable[[], Frontier]
    flush: Callable[[], None]

    @property
    def is_gathering(self) -> bool:
        """Tell whether hosts of this shard may still be on their way; until then nothing is leased."""
        return self.hand_overs is not None and bool(self.hand_overs.awaited)

    @property
    def is_at_rest(self) -> bool:
        """Tell whether nothing is out, uncommitted, or on its way to another shard."""
        is_sent = self.hand_overs is None or not (self.hand_overs.n_out or self.is_gathering)
        return is_sent and not self.frontier.leases and not self._group and self._arrived_at is None

    def gather(self) -> bool:
        """Take the hosts that have come for this shard; tell whether all have."""
        if self.hand_overs is not None and self.is_gathering and self.hand_overs.poll():
            self._arrived_at = 0.0
            self.flush()
        return not self.is_gathering

    def _settle_hand_overs(self, hand_overs: HandOvers) -> None:
        """Acknowledge what was taken, after its commit, and send what waits."""
        was_gathering = self.is_gathering
        self._arrived_at = None
        hand_overs.committed()
        if was_gathering and not self.is_gathering:
            self.frontier = self._new_frontier()
        hand_overs.send()

    def _join(self) -> None:
        """Hand over the hosts that are no longer ours, when the shards are others than before."""
        if self.hand_overs is None:
            return
        owners = self.hand_overs.owners
        with self.journal.read() as txn:
            known = known_shards(txn)
        if known == list(owners.shards):
            return
        is_one_lost = not set(known or ()) <= set(owners.shards)
        waits = is_one_lost and self.hand_overs.has_to_wait
        is_new = known is None and self.hand_overs.has_to_wait
        self._transact(partial(_take_part, owners=owners, waits=waits, is_new=is_new))
        if waits:
            self.hand_overs.wait_again()
        if known is not None:
            self.frontier = self._new_frontier()


def _take_part(changes: Changes, owners: Owners, *, waits: bool, is_new: bool) -> None:
    """Take the shards of *owners* as those of the crawl; strays wait until all hosts are there."""
    join(changes, owners, is_new=is_new)
    if not waits:
        redirect_strays(changes, owners)
