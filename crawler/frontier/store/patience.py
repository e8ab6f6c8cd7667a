"""What a crawl tells its store of the patience of hosts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from crawler.frontier.hosts.health import is_dead, judge_host, last_errors
from crawler.frontier.hosts.politeness import MAX_ERRORS, Patience, read_patience, write_patience

if TYPE_CHECKING:
    from collections.abc import Callable

    from crawler.durable.capture import Capture
    from crawler.durable.journal import Journal
    from crawler.frontier.frontier import Frontier
    from crawler.frontier.hosts.health import HostVerdict


# Queued pages of a host that are looked at for one by another scheme, and how many more where these have none.
LOOKED_AT = 100, 5_000


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
        self._set_patience(self._host_id(host_key), lambda old: replace(old, delay_secs=secs))

    def back_off(
        self, host_key: str, secs: float, now: float, *, errors: int | None = None
    ) -> None:
        """Do not ask the host for *secs* from *now*, over restarts too; note its *errors* in a row."""
        until = self._wall_ms(now + secs)

        def change(old: Patience) -> Patience:
            n = old.errors if errors is None else errors
            return replace(old, not_before_ms=until, errors=n)

        self._set_patience(self._host_id(host_key), change)

    def has_other_scheme(self, capture: Capture) -> bool:
        """Tell whether of the first `LOOKED_AT` pages that its host has queued one has not the scheme of *capture*."""
        scheme, _, _ = capture.url.partition(":")
        for n_pages in LOOKED_AT:
            queued = self.frontier.queued_pages(capture.host_id, limit=n_pages)
            if any(not lease.url.startswith(f"{scheme}:") for lease in queued):
                return True
            if len(queued) < n_pages:
                break
        return False

    def host_failed(
        self, host_id: int, now: float, *, answered: bool, retry_after_secs: float | None = None
    ) -> HostVerdict:
        """Note a trouble of the host (crawler.frontier.hosts.health), over restarts too; judge it."""
        errors = int(self.frontier.hosts.errors[host_id])
        verdict = judge_host(
            errors, self.frontier.policy, answered=answered, retry_after_secs=retry_after_secs
        )
        until = self._wall_ms(now + verdict.wait_secs) if verdict.wait_secs else 0

        def change(old: Patience) -> Patience:
            not_before = max(until, old.not_before_ms)
            return replace(old, not_before_ms=not_before, errors=verdict.errors)

        self._set_patience(host_id, change)
        return verdict

    def host_answered(self, host_id: int) -> None:
        """Note that the host is not in trouble any more."""
        if self.frontier.hosts.errors[host_id]:
            self._set_patience(host_id, lambda old: replace(old, not_before_ms=0, errors=0))

    def is_dead(self, host_id: int) -> bool:
        """Tell whether the host has been in trouble for too long."""
        return is_dead(int(self.frontier.hosts.errors[host_id]), self.frontier.policy)

    def revive(self, host_id: int) -> None:
        """Let the host, if it is dead, be asked once more before it is dead again."""
        if self.is_dead(host_id):
            errors = last_errors(self.frontier.policy)
            self._set_patience(host_id, lambda old: replace(old, errors=errors))

    def has_queued(self, host_id: int) -> bool:
        """Tell whether a page of the host waits to be leased."""
        return bool(self.frontier.hosts.ready[host_id])

    def patience_of(self, host_key: str) -> Patience:
        """Return what is stored of the host's patience; of no known host that is nothing."""
        host_id = self._host_id(host_key)
        if host_id is None:
            return Patience()
        with self.journal.read() as txn:
            return read_patience(txn, host_id)

    def _host_id(self, host_key: str) -> int | None:
        return self.frontier.memory.hosts.find(host_key)

    def _set_patience(self, host_id: int | None, change: Callable[[Patience], Patience]) -> None:
        if host_id is None:
            return
        with self.journal.read() as txn:
            old = read_patience(txn, host_id)
        new = change(old)
        self.frontier.hosts.set_delay(host_id, new.delay_secs)
        self.frontier.hosts.errors[host_id] = min(new.errors, MAX_ERRORS)
        if new.not_before_ms:
            self.frontier.hosts.wait_until(host_id, new.not_before_ms / 1000 - self._epoch)
        if new != old:
            self.journal.write(lambda txn: write_patience(txn, host_id, new))
