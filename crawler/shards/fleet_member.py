"""A crawling process as one shard of a fleet: what the scheduler asks of it, and what it tells its parent."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.utils.asyncio import create_looping_call

from crawler.engine import close_spider, is_held, is_idle
from crawler.errors import InputError, tell
from crawler.fleet.gaps import GapTable
from crawler.fleet.local import PARENT_GONE, HubBlocks, HubTransport
from crawler.fleet.owners import Owners, check_division
from crawler.frontier.shards.store_hand_overs import Membership
from crawler.policies import shared_rests

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from scrapy.crawler import Crawler

    from crawler.fleet.ending import State
    from crawler.frontier.policy import FrontierPolicy
    from crawler.frontier.store.crawl_store import CrawlStore

# Seconds between two reports to the parent, from which it makes its line of progress.
REPORT_SECS = 0.5


class FleetMember:
    """Joins the store to the fleet, answers the parent, and keeps the spider open until all are done.

    Settings: ``FLEET_SHARD``, ``FLEET_SHARDS``, ``FLEET_ADDRESS``. Limits are the whole fleet's: the parent
    says how many pages this shard may fetch, of bytes each shard has an equal share, hours are those of
    each. When the parent has gone, the process says so on stderr, and the spider is closed with the reason
    ``fleet_gone``.
    """

    def __init__(self, crawler: Crawler, owners: Owners, address: str):
        self.crawler = crawler
        self.is_over = False
        self._has_left = False
        self._is_asked = False
        self._told: tuple[int, ...] = ()
        self._reports: Any = None
        self.transport = HubTransport(address, owners.own, self._in_reactor)
        self.gaps = self._gaps(owners, address)
        blocks = HubBlocks(address, owners.own)
        self.membership = Membership(owners, blocks, self.transport, gaps=self.gaps)

    def _gaps(self, owners: Owners, address: str) -> GapTable | None:
        """Return the table beside the parent's socket, None when nothing that is shared has a gap."""
        rests = shared_rests(self.crawler.settings, owners)
        if not any(rests):
            return None
        return GapTable(f"{address}.gaps", owners.own, rests=rests, now=time.monotonic())

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self | None:
        """Return the member that the settings name, None for a crawl of one process."""
        address = crawler.settings["FLEET_ADDRESS"]
        if not address:
            return None
        try:
            shards = [int(shard) for shard in crawler.settings.getlist("FLEET_SHARDS")]
            owners = Owners(
                crawler.settings.getint("FLEET_SHARD"),
                shards,
                divide_by=check_division(crawler.settings["FLEET_DIVIDE_BY"]),
            )
        except ValueError as error:
            raise InputError(
                f"FLEET_SHARD or FLEET_SHARDS: {error}; leave both to scrapy fleet"
            ) from error
        return cls(crawler, owners, address)

    def share(self, policy: FrontierPolicy) -> FrontierPolicy:
        """Return *policy* with this shard's share of the bytes; pages are the parent's to give."""
        n_shards = len(self.membership.owners.shards)
        return replace(policy, max_bytes=-(-policy.max_bytes // n_shards))

    @property
    def may_give_pages(self) -> bool:
        """Tell whether the parent may still let this shard fetch more pages."""
        return bool(self.max_pages) and not self.is_over

    def join(self, store: CrawlStore, wake: Callable[[], None]) -> None:
        """Begin the hand-overs of *store*; *wake* has the engine ask for requests."""
        self.store = store
        self.wake = wake
        hosts = store.frontier.hosts
        self.max_pages = store.policy.max_pages
        if self.max_pages:
            hosts.page_limit = hosts.total_spent  # until the parent gives more
        self.transport.start(self._state(is_idle=False) | {"max_pages": self.max_pages})
        connect = self.crawler.signals.connect
        connect(self._opened, signals.spider_opened)
        connect(self._closed, signals.spider_closed)

    @property
    def is_ended_by_parent(self) -> bool:
        """Tell whether the parent said that all are at their end, and is still there."""
        return self.is_over and not self.transport.is_gone

    def has_work(self, *, has_own: bool) -> bool:
        """Tell whether the spider must stay open; it need not *have* anything to do of its *own*.

        The engine asks this when nothing else keeps it: whatever has changed since then is told.
        """
        if self._is_asked:
            return has_own
        now = self._changes()
        if not has_own and now != self._told:
            self._told = now
            self.transport.tell("state", 0, self._state(is_idle=True))
        return has_own or not self.is_over

    def _changes(self) -> tuple[int, ...]:
        hand_overs = self.store.hand_overs
        assert hand_overs is not None
        hosts = self.store.frontier.hosts
        return (self.store.n_transactions, hand_overs.n_out, hosts.total_spent, int(hosts.is_spent))

    # --- what the parent hears ------------------------------------------------------------------

    def _state(self, *, is_idle: bool) -> State:
        activity, n_out, n_spent, _ = self._changes()
        hosts = self.store.frontier.hosts
        stats = self.crawler.stats.get_stats()
        return {
            "idle": is_idle,
            "out": n_out,
            "activity": activity,
            "spent": n_spent,
            "limit": int(hosts.page_limit) if self.max_pages else 0,
            "hungry": bool(self.max_pages) and is_held(self.crawler),
            "stats": {
                name: value for name, value in stats.items() if isinstance(value, int | float)
            },
            "counts": self.store.counts(),
        }

    def _report(self, probe: int = 0) -> None:
        self.transport.tell("state", probe, self._state(is_idle=self._is_idle()))

    def _is_idle(self) -> bool:
        """Tell whether nothing is to be done here until something comes of another shard."""
        self._is_asked = True
        try:
            return is_idle(self.crawler)
        finally:
            self._is_asked = False

    def _opened(self) -> None:
        self._reports = create_looping_call(self._report)
        self._reports.start(REPORT_SECS, now=False)

    def _closed(self, reason: str) -> None:
        if self._reports is not None and self._reports.running:
            self._reports.stop()
        left = {
            "parked": tuple(self.store.parked(time.monotonic())),
            "reached": self.store.limit_reached,
        }
        self.transport.tell("bye", reason, self._state(is_idle=True) | left)
        self.leave()

    def leave(self) -> None:
        """Let go of the parent."""
        self._has_left = True
        self.transport.close()
        if self.gaps is not None:
            self.gaps.close()

    # --- what the parent says -------------------------------------------------------------------

    def _in_reactor(self) -> None:
        from twisted.internet import reactor

        reactor.callFromThread(self._hear)

    def _hear(self) -> None:
        while self.transport.orders:
            kind, *parts = self.transport.orders.popleft()
            if kind == "probe":
                self._report(parts[0])
            elif kind == "limit":
                self._limit(*parts)
            elif kind == "over":
                self.is_over = True
        if self._has_left:
            return
        if self.transport.is_gone and not self.is_over:
            self.is_over = True
            shard = self.membership.owners.own
            tell(f"winnow: shard {shard} ends: {PARENT_GONE.format('')}")
            close_spider(self.crawler, "fleet_gone")
            return
        self.wake()

    def _limit(self, number: int, pages: int) -> None:
        hosts = self.store.frontier.hosts
        hosts.page_limit = max(pages, hosts.total_spent)
        self._report(number)
