"""The scheduler: Scrapy's engine on one side, the durable frontier on the other.

A Request is made only when its page is due; what comes of it is judged in `crawler.fetch_ends`.
"""

from __future__ import annotations

import logging
import time
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any

from scrapy.core.scheduler import BaseScheduler
from scrapy.http import Request
from scrapy.utils.asyncio import call_later

from crawler.disk import end_process, ended_by_faults
from crawler.engine import wake_engine
from crawler.fetch_ends import FetchEnds
from crawler.foreign_requests import ForeignRequests
from crawler.frontier.followed_links import n_waiting_of, note_followed
from crawler.frontier.outage import Outage
from crawler.frontier.revisits import conditions
from crawler.frontier.store.claims import Verdict
from crawler.frontier.store.crawl_store import CrawlStore
from crawler.light.engine import lighten
from crawler.policies import commit_policy, frontier_policy, recrawl_policy, retry_policy
from crawler.shards.cluster_member import ClusterMember
from crawler.shards.fleet_member import FleetMember
from crawler.signals import crawl_delay, pages_committed
from crawler.stored_claims import stored_claim, stored_revisit
from crawler.timing import timed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Self

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.utils.asyncio import CallLaterResult
    from twisted.python.failure import Failure

    from crawler.durable.capture import Capture
    from crawler.frontier.leases.lease import Lease
    from crawler.frontier.outcome import RetryPolicy
    from crawler.frontier.policy import CommitPolicy
    from crawler.seeds.warc import WarcResponse
    from crawler.seeds.warc_revisits import WarcRevisit
    from crawler.urls import PageKey

logger = logging.getLogger(__name__)

# A wake-up is never planned closer than this, so that a clock's rounding makes no busy loop.
MIN_WAKE_SECS = 0.001


class FrontierScheduler(FetchEnds, BaseScheduler):
    """Serves the pages that are due, and takes back what came of them.

    Settings: ``CORPUS_DIR``, ``COMMIT_*``, ``SEAL_*``, ``HOST_DELAY_…``, ``DOMAIN_DELAY_SECS``,
    ``IP_DELAY_SECS``, ``REDIRECT_MAX_HOPS``, ``FETCH_RETRIES``, ``FETCH_RETRY_SECS``,
    ``RETRY_AFTER_MAX_SECS``, ``HOST_PARK…``, ``NETWORK_DOWN_HOSTS``, ``IDLE_END_SECS``, ``RECRAWL_AFTER_SECS``,
    ``RECRAWL_GONE_TIMES``. Stats:
    ``commit/secs``, ``crash/dropped/crash``, ``hosts/parked_at_end``, ``hosts/parked_pages_at_end``,
    ``recrawl/due``, ``warc/beyond_limits`` (stored captures that a limit left out), and those of
    :class:`FetchEnds`. Meta: ``winnow_capture`` (the open capture), ``winnow_page`` (its page). Signals
    heard: ``crawl_delay``, and those of :class:`FetchEnds`.

    A Request that a spider makes by itself is served as politely, from memory: see
    :class:`ForeignRequests`.
    """

    def __init__(self, crawler: Crawler, commit: CommitPolicy, retry: RetryPolicy):
        self.crawler = crawler
        self.commit_policy = commit
        self.retry_policy = retry
        self.refused_hosts: dict[str, str] = {}
        self.outage = Outage(crawler.settings.getint("NETWORK_DOWN_HOSTS"))
        self.fleet = FleetMember.from_crawler(crawler) or ClusterMember.from_crawler(crawler)
        self.has_frontier = True
        self.followed = ""  # which links are, until it is noted
        # What says how many bytes are taken of the answer from a URL, None for as many as of any.
        self.max_bytes_of: Callable[[str], int | None] | None = None
        self.wake_call: CallLaterResult | None = None
        self.wake_at = float("inf")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler, commit_policy(crawler.settings), retry_policy(crawler.settings))

    # --- what the engine calls ---------------------------------------------------------------

    def open(self, spider: Spider) -> None:
        lighten(self.crawler)
        # A spider that does not open is not closed either.
        with ExitStack() as undo:
            self._open(spider, undo)
            undo.pop_all()
        for url in self.store.reject_crashers():
            self.crawler.stats.inc_value("crash/dropped/crash")
            logger.warning("The crawl died twice at %(url)s: the page is rejected", {"url": url})
        self._hear_ends()
        self.crawler.signals.connect(self._crawl_delay, crawl_delay)

    def _open(self, spider: Spider, undo: ExitStack) -> None:
        """Open the store, and join it to the others of a fleet; *undo* lets go of what was opened."""
        # What another crawl left queued is not for a spider that asks the network for nothing.
        self.has_frontier = getattr(spider, "follow_links", True)
        policy = frontier_policy(self.crawler.settings, getattr(spider, "limits", None))
        corpus_dir = self.crawler.settings["CORPUS_DIR"]
        member = None
        if self.fleet is not None:
            undo.callback(self.fleet.leave)
            member, policy = self.fleet.membership, self.fleet.share(policy)
        self.store = CrawlStore(corpus_dir, policy=policy, commit=self.commit_policy, member=member)
        undo.callback(self.store.close)
        self.store.journal.on_failure = partial(end_process, corpus_dir)
        self.followed = getattr(spider, "followed", "")
        if not n_waiting_of(self.store.frontier.counts):
            self._note_followed(has_waiting=False)
        if (recrawl := recrawl_policy(self.crawler.settings, spider)) is not None:
            due = self.store.queue_again(round(time.time() * 1e6), recrawl)
            self.crawler.stats.set_value("recrawl/due", due)
        self.store.on_commit.append(self._committed)
        self.foreign = ForeignRequests(self.store, self.fleet)
        if self.fleet is not None:
            self.fleet.join(self.store, self._wake)

    @property
    def is_held(self) -> bool:
        """Tell whether only the limit of the whole crawl keeps pages that are to be fetched."""
        return self.foreign.is_held or (self.has_frontier and self.store.is_held)

    @property
    def is_ended_by_parent(self) -> bool:
        """Tell whether the parent of a fleet ended the crawl, and will seal and decide for all of it."""
        return isinstance(self.fleet, FleetMember) and self.fleet.is_ended_by_parent

    def close(self, reason: str) -> None:  # noqa: ARG002  Scrapy's interface
        if self.wake_call is not None:
            self.wake_call.cancel()
        audit = self.store.frontier.memory.audit
        self.crawler.stats.set_value("table/hits_audited", audit.n_checked)
        self.crawler.stats.set_value("table/hits_of_another_key", audit.n_wrong)
        self.store.close()
        parked = self.store.parked(time.monotonic())  # what it committed at last, too
        self.crawler.stats.set_value("hosts/parked_at_end", parked.hosts)
        self.crawler.stats.set_value("hosts/parked_pages_at_end", parked.pages)
        self.crawler.stats.set_value("warc/beyond_limits", self.foreign.n_beyond)

    def has_pending_requests(self) -> bool:
        store, has_foreign = self.store, bool(self.foreign) and not self.foreign.is_held
        if self.has_frontier:
            has_own = has_foreign or store.has_pending(time.monotonic())
        else:  # pages that are held back stay so
            is_out = store.n_leased > store.n_suspects
            has_own = has_foreign or is_out or store.has_uncommitted
        return has_own if self.fleet is None else self.fleet.has_work(has_own=has_own)

    def enqueue_request(self, request: Request) -> bool:
        capture = request.meta.get("winnow_capture")
        if capture is not None and not capture.done:
            self._replaced(capture, request)
        return self.foreign.add(request)

    def next_request(self) -> Request | None:
        with ended_by_faults():
            return self._next_request()

    def _next_request(self) -> Request | None:
        now = time.monotonic()
        with timed(self.crawler.stats, "commit"):
            self.store.tick(now)
        if (request := self.foreign.next(now)) is not None:
            return self._watched(request)
        lease = self._next_page(now)
        if lease is None and not self.store.n_leased:
            with timed(self.crawler.stats, "commit"):
                self.store.flush()  # what is still uncommitted may hold the next pages
            lease = self._next_page(now)
        if lease is None:
            self._plan_wake(now)
            return None
        return self._request(lease)

    # --- what the other components call ------------------------------------------------------

    def add_seeds(self, seeds: Sequence[tuple[PageKey, Sequence[str]]]) -> int:
        """Put *seeds* (key, category paths) into the frontier; return how many were new."""
        n_new = self.store.add_seeds(seeds).new
        if n_new:
            self._note_followed(has_waiting=True)
        self._wake()
        return n_new

    def add_sitemaps(self, keys: Sequence[PageKey], named_by: str) -> int:
        """Queue the sitemaps *keys*, which the robots.txt of host *named_by* names; return how many were new."""
        n_new = self.store.add_sitemaps(keys, named_by)
        self._wake()
        return n_new

    def is_at_work_on(self, keys: Sequence[PageKey]) -> bool:
        """Tell whether a page of *keys* may be out to be processed: whose capture it has, is not to change now."""
        return bool(self.foreign) or self.store.is_at_work_on(keys)

    def claim(
        self, records: Sequence[tuple[PageKey, WarcResponse]], *, is_again: bool = False
    ) -> list[tuple[PageKey, WarcResponse]]:
        """Return those of the stored *records* that are to be processed; list what they replace.

        *is_again*: they were offered before in this run, and counted.
        """
        verdicts = self.store.claim([stored_claim(key, record) for key, record in records])
        n_replaced = 0 if is_again else verdicts.count(Verdict.REPLACED)
        self.crawler.stats.inc_value("warc/same_url", n_replaced)
        return [
            record
            for record, verdict in zip(records, verdicts, strict=True)
            if verdict is Verdict.TAKE
        ]

    def note_revisits(self, revisits: Sequence[tuple[PageKey, WarcRevisit]]) -> bool:
        """Note stored *revisits*; tell whether all records are to be read again for them."""
        dated = [stored_revisit(key, revisit) for key, revisit in revisits]
        return self.store.note_revisits([revisit for revisit in dated if revisit is not None])

    # --- requests ----------------------------------------------------------------------------

    def _next_page(self, now: float) -> Lease | None:
        if not self.has_frontier:
            return None
        lease = self.store.next_page(now)
        while lease is not None and self.is_of_dead_host(lease):
            lease = self.store.next_page(now)
        return lease

    def _request(self, lease: Lease) -> Request:
        capture = self.store.open_capture(lease)
        earlier = capture.earlier
        meta: dict[str, Any] = {"winnow_capture": capture, "depth": lease.depth}
        if self.max_bytes_of is not None and (size := self.max_bytes_of(lease.url)) is not None:
            meta["download_maxsize"] = size
        return Request(
            lease.url,
            headers=conditions(earlier.validators) if earlier is not None else None,
            meta=meta,
            errback=self._failed,
            dont_filter=True,
        )

    def _watched(self, request: Request) -> Request:
        """Return *request*, which a spider made, with an errback that ends its capture first."""
        if "winnow_capture" not in request.meta:
            return request
        if "winnow_warc" in request.meta:
            return request.replace(errback=self._failed)
        return request.replace(errback=partial(self._foreign_failed, request.errback))

    def _foreign_failed(self, errback: Callable[[Failure], Any] | None, failure: Failure) -> Any:
        self._failed(failure)
        if errback is None:
            return failure.raiseException()  # which Scrapy logs
        return errback(failure)

    def _note_followed(self, *, has_waiting: bool) -> None:
        followed, self.followed = self.followed, ""
        if followed:
            note = partial(note_followed, followed=followed, has_waiting=has_waiting)
            self.store.journal.write(note)

    def _committed(self, captures: list[Capture]) -> None:
        # Where pages of others wait, one that can fetch nothing, and plants nothing, leaves them to those.
        self._note_followed(has_waiting=True)
        self.crawler.signals.send_catch_log(pages_committed, captures=captures)

    def _crawl_delay(self, host_key: str, secs: float) -> None:
        self.store.set_delay(host_key, secs)

    # --- waking the engine -------------------------------------------------------------------

    def _plan_wake(self, now: float) -> None:
        """Have the engine ask again when the next host falls due or the open group is old enough."""
        store = self.store
        own = store.next_due(now) if self.has_frontier else store.next_tick(now)
        waits = [secs for secs in (own, self.foreign.next_due(now)) if secs is not None]
        if not waits:
            return
        at = now + max(MIN_WAKE_SECS, min(waits))
        if at < self.wake_at or self.wake_at <= now:
            if self.wake_call is not None:
                self.wake_call.cancel()
            self.wake_at = at
            self.wake_call = call_later(at - now, self._wake)

    def _wake(self) -> None:
        self.wake_at = float("inf")
        wake_engine(self.crawler)
