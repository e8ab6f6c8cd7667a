"""What a crawl tells its store of the patience of hosts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from crawler.frontier.politeness import Patience, read_patience, write_patience

if TYPE_CHECKING:
    from collections.abc import Callable

    from crawler.durable.journal import Journal
    from crawler.frontier.frontier import Frontier


class StorePatience:
    """Delays and pauses of hosts: in *frontier* at once, and in *journal* for the next start.

    What is said of a host that is not known is forgotten.
    """

    journal: Journal
    frontier: Frontier
    # Between the clock that callers use and the wall clock that the journal is kept in.
    _epoch: float

    def _wall_ms(self, now: float) -> int:
        return round((now + self._epoch) * 1000)

    def set_delay(self, host_key: str, secs: float) -> None:
        """Wait at least *secs* after each fetch from the host, over restarts too."""
        self._set_patience(host_key, lambda old: replace(old, delay_secs=secs))

    def back_off(self, host_key: str, secs: float, now: float, *, errors: int = 0) -> None:
        """Do not ask the host for *secs* from *now*, over restarts too; note its *errors* in a row."""
        until = self._wall_ms(now + secs)
        self._set_patience(host_key, lambda old: replace(old, not_before_ms=until, errors=errors))

    def patience_of(self, host_key: str) -> Patience:
        """Return what is stored of the host's patience; of no known host that is nothing."""
        host_id = self.frontier.memory.hosts.find(host_key)
        if host_id is None:
            return Patience()
        with self.journal.read() as txn:
            return read_patience(txn, host_id)

    def _set_patience(self, host_key: str, change: Callable[[Patience], Patience]) -> None:
        host_id = self.frontier.memory.hosts.find(host_key)
        if host_id is None:
            return
        with self.journal.read() as txn:
            old = read_patience(txn, host_id)
        new = change(old)
        self.frontier.hosts.set_delay(host_id, new.delay_secs)
        if new.not_before_ms:
            self.frontier.hosts.wait_until(host_id, new.not_before_ms / 1000 - self._epoch)
        if new != old:
            self.journal.write(lambda txn: write_patience(txn, host_id, new))
