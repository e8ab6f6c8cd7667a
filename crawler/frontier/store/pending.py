"""What a store has yet to do, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.frontier.hosts.parked import count_parked, have_full
from crawler.frontier.shards.store_moves import StoreMoves
from crawler.frontier.store.patience import StorePatience

if TYPE_CHECKING:
    from crawler.frontier.hosts.parked import Parked
    from crawler.frontier.policy import CommitPolicy, FrontierPolicy
    from crawler.frontier.store.totals import CrawlTotals


class StorePending(StoreMoves, StorePatience):
    """Whether the crawl is at its end, and how long to wait where it is not."""

    policy: FrontierPolicy
    commit_policy: CommitPolicy
    totals: CrawlTotals
    _first_late_ms: int | None
    _group_since: float

    def next_due(self, now: float) -> float | None:
        """Return the seconds until :meth:`next_page` or :meth:`tick` has something to do.

        None when only the end of a lease, or nothing at all, can bring a page.
        """
        waits = [self.frontier.next_due(now), self.next_tick(now)]
        if self._first_late_ms is not None and not self.frontier.hosts.is_spent:
            waits.append(max(0.0, (self._first_late_ms - self._wall_ms(now)) / 1000))
        return min((secs for secs in waits if secs is not None), default=None)

    def next_tick(self, now: float) -> float | None:
        """Return the seconds until :meth:`tick` has something to do, None when only a capture can bring that."""
        waits = [self._wait_for_others(now)]
        if self._group:
            waits.append(max(0.0, self._group_since + self.commit_policy.sync_secs - now))
        return min((secs for secs in waits if secs is not None), default=None)

    @property
    def has_uncommitted(self) -> bool:
        """Tell whether captures, or what came of other shards, are not committed yet."""
        return bool(self._group) or self._arrived_at is not None

    @property
    def n_leased(self) -> int:
        """The number of pages that are out."""
        return len(self.frontier.leases)

    def has_pending(self, now: float | None = None) -> bool:
        """Tell whether the crawl is not at its end: pages are out, uncommitted, or to be leased.

        At *now*, one whose pages all wait for hosts that are parked for long is at its end too.
        """
        if self.n_leased or self.has_uncommitted:
            return True
        self.frontier.batch.give_back()
        hosts, limit = self.frontier.hosts, self.policy.idle_end_secs
        if not (hosts.has_work or (self._first_late_ms is not None and not hosts.is_spent)):
            return False
        wait = self.next_due(now) if limit and now is not None else None
        return wait is None or wait <= max(limit, hosts.longest_delay)

    def parked(self, now: float) -> Parked:
        """Return what waits at *now* for longer than the delay of any host, and until when.

        Of what is committed, as the pages that are late; answers after :meth:`close` too.
        """
        self.frontier.batch.give_back()
        first_ms = self._first_late_ms
        late_secs = 0.0 if first_ms is None else (first_ms - self._wall_ms(now)) / 1000
        return count_parked(self.frontier.hosts, self.frontier.memory, now, late_secs)

    @property
    def is_held(self) -> bool:
        """Tell whether there are pages to fetch that only the limit of the whole crawl keeps."""
        self.frontier.batch.give_back()
        hosts = self.frontier.hosts
        if not hosts.is_spent or hosts.is_stopped:
            return False
        limit, hosts.page_limit = hosts.page_limit, float("inf")
        try:
            return hosts.has_work or self._first_late_ms is not None
        finally:
            hosts.page_limit = limit

    @property
    def limit_reached(self) -> str:
        """Return the name of the limit that is reached, of the whole crawl before that of hosts, "" for none."""
        limit, hosts = self.policy.max_pages, self.frontier.hosts
        if limit and hosts.total_spent >= limit:
            return "max_pages"
        return self.totals.reached or ("pages_per_host" if have_full(hosts) else "")

    def _wait_for_others(self, now: float) -> float | None:
        is_busy = bool(self.n_leased or self._group)
        return self._wait_for_arrivals(now, self.commit_policy.sync_secs, is_busy=is_busy)
