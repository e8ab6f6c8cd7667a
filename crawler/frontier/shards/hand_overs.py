"""What a shard sends to and takes from the others, transaction by transaction.

Records wait in table ``out`` until their owner has taken them; at most `WINDOW` of an owner's are on
their way. What arrives is taken in a transaction, then acknowledged. See crawler.fleet.hand_over.

Memory: the records that arrived since the last transaction, and numbers for each shard.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.fleet.hand_over import Sent, delete_out, last_out, last_taken, read_out
from crawler.frontier.shards.foreign_links import redirect_strays, take_over
from crawler.frontier.shards.moves import has_gathered, has_joined, put_gathered

if TYPE_CHECKING:
    from collections.abc import Collection

    from crawler.durable.journal import Journal
    from crawler.durable.transaction import Transaction
    from crawler.fleet.hand_over import Transport
    from crawler.fleet.owners import Owners
    from crawler.frontier.store.changes import Changes

# Records of one owner on their way; each holds the links of one commit, some kilobytes.
WINDOW = 32


class HandOvers:
    """Carries records between *journal* and the other shards of *owners*, by *transport*.

    *awaited*: shards that may have hosts for this one, and must have joined before links are taken.
    """

    def __init__(
        self,
        journal: Journal,
        owners: Owners,
        transport: Transport,
        *,
        awaited: Collection[int] = (),
    ) -> None:
        self.journal = journal
        self.transport = transport
        self.owners = owners
        self.n_taken = 0
        self._others = set(awaited)
        self.awaited = set(awaited)
        self.lost: set[int] = set()  # shards that were given up: nothing of them is waited for
        self._arrived: list[Sent] = []
        self._taken: dict[int, int] = {}
        with journal.read() as txn:
            others = [shard for shard in owners.shards if shard != owners.own]
            self.awaited = set() if has_gathered(txn) else self._not_joined(txn)
            self._last = {shard: last_out(txn, shard) for shard in others}
            self._done = {
                shard: next(read_out(txn, shard, 0), (self._last[shard] + 1, b""))[0] - 1
                for shard in others
            }
        self._sent = dict(self._done)
        self._acknowledged: dict[int, int] = {}

    def poll(self) -> bool:
        """Look what has come; tell whether a transaction has something to do."""
        if self.transport.has_news():
            self._take_news()
        return bool(self._arrived or self._acknowledged)

    def _take_news(self) -> None:
        self._arrived += self.transport.received()
        for owner, number in self.transport.acknowledged().items():
            if owner in self._done and number > self._done[owner]:
                self._acknowledged[owner] = max(number, self._acknowledged.get(owner, 0))
        lost = self.transport.was_lost() & self._sent.keys()
        for owner in lost:
            self._sent[owner] = max(self._done[owner], self._acknowledged.get(owner, 0))
        if lost:
            self.send()

    @property
    def n_out(self) -> int:
        """The number of records that no owner has acknowledged, and one may."""
        return sum(self._last[shard] - self._done[shard] for shard in self.unanswered)

    @property
    def unanswered(self) -> list[int]:
        """The owners that have not acknowledged all records, and may."""
        waiting = (shard for shard in self._last if self._last[shard] > self._done[shard])
        return sorted(set(waiting) - self.lost)

    def numbers(self) -> tuple[dict[str, int], dict[str, int]]:
        """Return the last numbers of the records made for each other shard, and taken of each."""
        with self.journal.read() as txn:
            made = {str(shard): last_out(txn, shard) for shard in self._last}
            taken = {str(shard): last_taken(txn, shard) for shard in self._last}
        return made, taken

    def work(self, changes: Changes) -> None:
        """Take what arrived and forget what was taken, within a transaction, which may run twice."""
        is_stale = not self.lost.isdisjoint(self.owners.shards)
        self._taken = take_over(
            changes, self._arrived, awaited=bool(self.awaited), is_stale=is_stale
        )
        if self.awaited and not self._not_joined(changes.txn):
            put_gathered(changes.txn)
            redirect_strays(changes, self.owners)
        for owner, number in self._acknowledged.items():
            delete_out(changes.txn, owner, number)

    def committed(self) -> None:
        """Acknowledge what the transaction took, after its commit."""
        for source, number in self._taken.items():
            self.transport.acknowledge(source, number)
        self.n_taken += len(self._arrived)
        for owner, number in self._acknowledged.items():
            self._done[owner] = number
            self._sent[owner] = max(self._sent[owner], number)
        self._arrived = [
            sent
            for sent in self._arrived
            if self.awaited and sent.number > self._taken.get(sent.source, 0)
        ]
        self._taken, self._acknowledged = {}, {}
        if self.awaited:
            with self.journal.read() as txn:
                self.awaited = self._not_joined(txn)

    def _not_joined(self, txn: Transaction) -> set[int]:
        shards = self.owners.shards
        waited_for = self.awaited - self.lost
        return {shard for shard in waited_for if not has_joined(txn, shard, shards)}

    def give_up(self, lost: Collection[int]) -> None:
        """Wait for nothing of the shards *lost* any more."""
        if self.lost >= set(lost):
            return
        self.lost |= set(lost)
        if self.awaited:
            with self.journal.read() as txn:
                self.awaited = self._not_joined(txn)

    @property
    def has_to_wait(self) -> bool:
        """Tell whether other shards may have hosts for this one when one is lost."""
        return bool(self._others)

    def wait_again(self) -> None:
        """Wait for the hosts that other shards have for this one."""
        self.awaited = set(self._others)
        with self.journal.read() as txn:
            self.awaited = self._not_joined(txn)

    def send(self) -> None:
        """Send what waits and fits into the windows."""
        with self.journal.read() as txn:
            for owner, sent in self._sent.items():
                self._last[owner] = last_out(txn, owner)
                if sent == self._last[owner] or sent >= self._done[owner] + WINDOW:
                    continue
                for number, record in read_out(txn, owner, sent + 1):
                    if number > self._done[owner] + WINDOW:
                        break
                    self.transport.send(Sent(self.owners.own, owner, number, record))
                    self._sent[owner] = number
