"""The scheduler: Scrapy's engine on one side, the durable frontier on the other.

A Request is made only when its page is due. What comes of it is gathered in the page's capture (the
link-graph middleware adds status and arcs, the stages its row, a failure its reason), and each
capture is committed once, when the page has left the last stage.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy import signals
from scrapy.core.scheduler import BaseScheduler
from scrapy.http import Request
from scrapy.utils.asyncio import call_later

from crawler.failures import failure_reason
from crawler.foreign_requests import ForeignRequests
from crawler.frontier.claims import Claim, Verdict
from crawler.frontier.crawl_store import CrawlStore
from crawler.frontier.outcome import QUEUED, Outcome, RetryPolicy, judge_failure
from crawler.frontier.policy import CommitPolicy, FrontierPolicy
from crawler.page.links import redirect_link
from crawler.page_items import capture_of
from crawler.signals import address_refused, crawl_delay
from crawler.timing import timed
from crawler.urls import page_key

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Self

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from scrapy.utils.asyncio import CallLaterResult
    from twisted.python.failure import Failure

    from crawler.durable.capture import Capture
    from crawler.frontier.frontier import Lease
    from crawler.seeds.warc import WarcResponse
    from crawler.urls import PageKey

# A wake-up is never planned closer than this, so that a clock's rounding makes no busy loop.
MIN_WAKE_SECS = 0.001


class FrontierScheduler(BaseScheduler):
    """Serves the pages that are due, and takes back what came of them.

    Settings: ``CORPUS_DIR``, ``COMMIT_*``, ``SEAL_*``, ``HOST_DELAY_SECS``, ``REDIRECT_MAX_HOPS``,
    ``FETCH_RETRIES``, ``FETCH_RETRY_SECS``, ``RETRY_AFTER_MAX_SECS``. Stats: ``fetch/pages`` (answers of any status),
    ``fetch/retries``, ``fetch/dropped/<reason>``, ``commit/secs``. Meta: ``winnow_capture`` (the open capture),
    ``winnow_page`` (its page). Signals heard: ``address_refused``, ``crawl_delay``.

    A Request that a spider makes by itself is served as politely, from memory: see
    :class:`ForeignRequests`.
    """

    def __init__(self, crawler: Crawler, commit: CommitPolicy, retry: RetryPolicy):
        self.crawler = crawler
        self.commit_policy = commit
        self.retry_policy = retry
        self.refused_hosts: set[str] = set()
        self.wake_call: CallLaterResult | None = None
        self.wake_at = float("inf")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        commit = CommitPolicy(
            group_pages=settings.getint("COMMIT_GROUP_PAGES"),
            sync_secs=settings.getfloat("COMMIT_SYNC_SECS"),
            seal_rows=settings.getint("SEAL_ROWS"),
            seal_bytes=settings.getint("SEAL_BYTES"),
        )
        retry = RetryPolicy(
            retries=settings.getint("FETCH_RETRIES"),
            retry_secs=settings.getfloat("FETCH_RETRY_SECS"),
            retry_after_max_secs=settings.getfloat("RETRY_AFTER_MAX_SECS"),
        )
        return cls(crawler, commit, retry)

    # --- what the engine calls ---------------------------------------------------------------

    def open(self, spider: Spider) -> None:
        policy = frontier_policy(self.crawler.settings, getattr(spider, "limits", None))
        corpus_dir = self.crawler.settings["CORPUS_DIR"]
        self.store = CrawlStore(corpus_dir, policy=policy, commit=self.commit_policy)
        self.foreign = ForeignRequests(self.store)
        connect = self.crawler.signals.connect
        connect(self._item_done, signals.item_scraped)
        connect(self._item_dropped, signals.item_dropped)
        connect(self._item_failed, signals.item_error)
        connect(self._address_refused, address_refused)
        connect(self._crawl_delay, crawl_delay)

    def close(self, reason: str) -> None:  # noqa: ARG002  Scrapy's interface
        if self.wake_call is not None:
            self.wake_call.cancel()
        self.store.close()

    def has_pending_requests(self) -> bool:
        return bool(self.foreign) or self.store.has_pending()

    def enqueue_request(self, request: Request) -> bool:
        capture = request.meta.get("winnow_capture")
        if capture is not None and not capture.done:
            self._replaced(capture, request)
        return self.foreign.add(request)

    def next_request(self) -> Request | None:
        now = time.monotonic()
        with timed(self.crawler.stats, "commit"):
            self.store.tick(now)
        if (request := self.foreign.next(now)) is not None:
            return self._watched(request)
        lease = self.store.next_page(now)
        if lease is None and not self.store.n_leased:
            with timed(self.crawler.stats, "commit"):
                self.store.flush()  # what is still uncommitted may hold the next pages
            lease = self.store.next_page(now)
        if lease is None:
            self._plan_wake(now)
            return None
        return self._request(lease)

    # --- what the other components call ------------------------------------------------------

    def add_seeds(self, seeds: Sequence[tuple[PageKey, Sequence[str]]]) -> int:
        """Put *seeds* (key, category paths) into the frontier; return how many were new."""
        n_new = self.store.add_seeds(seeds).new
        self._wake()
        return n_new

    def claim(
        self, records: Sequence[tuple[PageKey, WarcResponse]]
    ) -> list[tuple[PageKey, WarcResponse]]:
        """Return those of the stored *records* that are to be processed; list what they replace."""
        claims = [Claim(key, record.fetched_at, record.source) for key, record in records]
        verdicts = self.store.claim(claims)
        self.crawler.stats.inc_value("warc/same_url", verdicts.count(Verdict.REPLACED))
        return [
            record
            for record, verdict in zip(records, verdicts, strict=True)
            if verdict is Verdict.TAKE
        ]

    def finish(self, capture: Capture) -> None:
        """Hand *capture* to the commit; its host is free again after its delay."""
        if capture.done:
            return
        if capture.status is not None:
            self.crawler.stats.inc_value("fetch/pages")
        with timed(self.crawler.stats, "commit"):
            self.store.finish(capture)

    def give_up(self, capture: Capture, outcome: Outcome) -> None:
        """Write *outcome*, which is not ``fetched``, into *capture*, and finish it."""
        if capture.done:
            return
        capture.fetched_at = capture.fetched_at or datetime.now(UTC)
        capture.state = outcome.state
        reason = outcome.reason or outcome.state
        if outcome.state == QUEUED:
            capture.retry_in_secs = outcome.retry_in_secs
            self.crawler.stats.inc_value("fetch/retries")
        else:
            capture.reject(stage="fetch", reason=reason)
            self.crawler.stats.inc_value(f"fetch/dropped/{reason}")
        self.finish(capture)

    # --- requests and what came of them ------------------------------------------------------

    def _request(self, lease: Lease) -> Request:
        capture = self.store.open_capture(lease)
        return Request(
            lease.url,
            meta={"winnow_capture": capture, "depth": lease.depth},
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

    def _replaced(self, capture: Capture, request: Request) -> None:
        """Take *request*, which a downloader middleware of the project sends instead of an open one."""
        if page_key(request.url) == page_key(capture.url):
            return  # a retry: it keeps its capture
        del request.meta["winnow_capture"]
        capture.fetched_at = datetime.now(UTC)
        capture.links = redirect_link(capture.url, request.url)
        capture.links.follow[:] = False  # *request* itself is what follows
        capture.reject(stage="fetch", reason="redirect")
        self.crawler.stats.inc_value("fetch/dropped/redirect")
        self.finish(capture)

    def _failed(self, failure: Failure) -> None:
        """Judge a fetch that ended without a page; a capture that is done had its say already."""
        request: Request = failure.request  # type: ignore[attr-defined]  # Scrapy's scraper sets it
        capture = request.meta.get("winnow_capture")
        if capture is None:
            return
        reason = self._failure_reason(failure, capture)
        self.give_up(capture, judge_failure(reason, capture.retries, self.retry_policy))

    def _failure_reason(self, failure: Failure, capture: Capture) -> str:
        name = urlsplit(capture.url).hostname or ""
        if name in self.refused_hosts:
            self.refused_hosts.discard(name)
            return "private_address"
        return failure_reason(failure.value)  # type: ignore[arg-type]  # never None here

    def _item_done(self, item: Any, response: Any) -> None:
        self._left_stages(item, response, "not_stored")

    def _item_dropped(self, item: Any, response: Any) -> None:
        self._left_stages(item, response, "dropped")

    def _item_failed(self, item: Any, response: Any, failure: Failure) -> None:
        name = f"error_{type(failure.value).__name__}"
        self._left_stages(item, response, name, broken=True)

    def _left_stages(self, item: Any, response: Any, reason: str, *, broken: bool = False) -> None:
        """Finish the capture that *item* is the page of; *reason* is why it has no row, if it has none."""
        capture = capture_of(item, getattr(response, "meta", {}))
        if capture is None:
            return
        if broken or capture.row is None:
            self.crawler.stats.inc_value(f"stages/dropped/{reason}")
            capture.reject(stage="stages", reason=reason)
        self.finish(capture)

    def _address_refused(self, host: str) -> None:
        self.refused_hosts.add(host)

    def _crawl_delay(self, host_key: str, secs: float) -> None:
        self.store.set_delay(host_key, secs)

    # --- waking the engine -------------------------------------------------------------------

    def _plan_wake(self, now: float) -> None:
        """Have the engine ask again when the next host falls due or the open group is old enough."""
        waits = [
            secs
            for secs in (self.store.next_due(now), self.foreign.next_due(now))
            if secs is not None
        ]
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
        # Scrapy's engine asks its scheduler only after an event of its own or every 5 s; there is no
        # public way to tell it that a host has fallen due. tests/test_addon.py holds this name.
        slot = self.crawler.engine._slot if self.crawler.engine is not None else None
        if slot is not None:
            slot.nextcall.schedule()


def frontier_policy(settings: BaseSettings, limits: Any) -> FrontierPolicy:
    """Put the settings and a spider's *limits* (or None) together."""
    return FrontierPolicy(
        host_delay_secs=settings.getfloat("HOST_DELAY_SECS"),
        max_redirects=settings.getint("REDIRECT_MAX_HOPS"),
        max_depth=getattr(limits, "max_depth", 0),
        pages_per_host=getattr(limits, "pages_per_host", 0),
        max_pages=getattr(limits, "max_pages", 0),
    )
