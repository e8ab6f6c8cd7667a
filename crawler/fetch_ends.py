"""Ends of fetches: what came of a leased page, judged and handed to the store.

What comes of a page is gathered in its capture (the link-graph middleware adds status and arcs, the
stages its row, a failure its reason), and each capture is committed once, when the page has left the
last stage.
"""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy import signals

from crawler.durable.visits import NO_VALIDATORS, SAME_URL
from crawler.failures import FetchStoppedError, failure_reason
from crawler.frontier.hosts.health import BUSY_STATUSES, HOST_DEAD, is_trouble
from crawler.frontier.outcome import GONE, QUEUED, REFUSED, Outcome, judge_failure, judge_status
from crawler.frontier.revisits import visit_outcome
from crawler.page.links import redirect_link
from crawler.page_items import capture_of
from crawler.signals import address_refused
from crawler.timing import timed
from crawler.urls import page_key

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Request
    from twisted.python.failure import Failure

    from crawler.durable.capture import Capture
    from crawler.fleet.gaps import Secs
    from crawler.frontier.leases.lease import Lease
    from crawler.frontier.outage import Outage
    from crawler.frontier.outcome import RetryPolicy
    from crawler.frontier.store.crawl_store import CrawlStore


# Hosts that are remembered for having no address that may be reached, about 150 bytes each.
MAX_REFUSED_HOSTS = 10_000


class FetchEnds:
    """The part of the scheduler that ends leases in *store*, under *retry_policy*.

    Stats: ``fetch/pages`` (answers of any status), ``fetch/without_answer`` (pages that are gone without),
    ``fetch/retries``, ``fetch/cut`` (pages taken as they came, cut at each attempt), ``fetch/dropped/<reason>``,
    ``stages/dropped/<reason>``, ``hosts/backed_off``, ``hosts/parked``, ``hosts/dead`` (times),
    ``network/handed_back`` (pages, while the crawl's network was down), ``recrawl/<outcome>`` (of later visits),
    ``warc/later`` (stored captures that took the place of a row). Meta: ``winnow_capture``. Signals heard:
    ``address_refused``.
    """

    crawler: Crawler
    store: CrawlStore
    retry_policy: RetryPolicy
    outage: Outage
    # Why, in the order in which they were refused.
    refused_hosts: dict[str, str]

    def _hear_ends(self) -> None:
        connect = self.crawler.signals.connect
        connect(self._item_done, signals.item_scraped)
        connect(self._item_dropped, signals.item_dropped)
        connect(self._item_failed, signals.item_error)
        connect(self._address_refused, address_refused)

    def finish(self, capture: Capture) -> None:
        """Hand *capture* to the commit; its host is free again after its delay."""
        if capture.done:
            return
        if capture.status is not None:
            self.crawler.stats.inc_value("fetch/pages")
            self.outage.answered(capture.url)
            if capture.status not in BUSY_STATUSES:
                self.store.host_answered(capture.host_id)
        elif capture.state == GONE:
            self.crawler.stats.inc_value("fetch/without_answer")
        with timed(self.crawler.stats, "commit"):
            self.store.finish(capture)
        if (outcome := visit_outcome(capture)) == SAME_URL:
            self.crawler.stats.inc_value("warc/later")
        elif outcome:
            self.crawler.stats.inc_value(f"recrawl/{outcome}")

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
        self.finish(capture)
        # A later visit that takes nothing back leaves the page's row as it is: it is counted as ``recrawl/<outcome>``.
        if outcome.state != QUEUED and capture.table != "visits":
            self.crawler.stats.inc_value(f"fetch/dropped/{reason}")

    def failed(
        self, request: Request, capture: Capture, reason: str, *, wait_secs: float = 0.0
    ) -> None:
        """End a fetch without an answer, called *reason*; a page that is queued again waits *wait_secs*."""
        if is_trouble(None, reason) and self._waits_for_network(request, capture):
            return
        outcome = judge_failure(reason, capture.retries, self.retry_policy)
        if outcome.state == QUEUED:
            outcome = replace(outcome, retry_in_secs=max(wait_secs, outcome.retry_in_secs))
        if is_trouble(None, reason):
            outcome = self._in_trouble(capture, outcome)
        self.give_up(capture, outcome)

    def _waits_for_network(self, request: Request, capture: Capture) -> bool:
        """Note a fetch without an answer; hand its page back where that says nothing of the host."""
        self.outage.silent(capture.host_id)
        is_handed_back = (
            self.outage.is_down and self.makes_again(request) and self.hand_back(capture)
        )
        if is_handed_back:
            self.crawler.stats.inc_value("network/handed_back")
        return is_handed_back

    def ends_cut(self, request: Request, capture: Capture) -> bool:
        """Queue the page of *capture*, whose answer was cut on its way, if attempts are left; return whether it ended.

        What the last attempt brings is taken, for some servers always tell a wrong length; but not its validators, by
        which the next visit would be told that the page is as it was. If it brings nothing, the connection failed: the
        page may be none without text. What came to a *request* of the spider's own is taken at once: nobody would call
        its callback again.
        """
        assert capture.status is not None
        if not 200 <= capture.status < 300:
            return False
        capture.validators = NO_VALIDATORS
        outcome = judge_failure("connection", capture.retries, self.retry_policy)
        is_last = outcome.state != QUEUED and capture.n_bytes > 0
        if is_last or not self.makes_again(request):
            self.crawler.stats.inc_value("fetch/cut")
            return False
        self.give_up(capture, outcome)
        return True

    def refused_by_status(self, capture: Capture, retry_after_secs: float | None) -> None:
        """End a fetch whose answer, of the capture's status, is no page."""
        assert capture.status is not None
        outcome = judge_status(
            capture.status, capture.retries, self.retry_policy, retry_after_secs=retry_after_secs
        )
        if is_trouble(capture.status, ""):
            outcome = self._in_trouble(capture, outcome, retry_after_secs=retry_after_secs)
        self.give_up(capture, outcome)

    def _in_trouble(
        self, capture: Capture, outcome: Outcome, *, retry_after_secs: float | None = None
    ) -> Outcome:
        """Judge the host of *capture*; return what becomes of the page, *outcome* if that is its own.

        A page that happens to be asked for while its host is parked is kept with the others.
        """
        verdict = self.store.host_failed(
            capture.host_id,
            time.monotonic(),
            answered=capture.status is not None,
            retry_after_secs=retry_after_secs,
        )
        if verdict.wait_secs:
            self.crawler.stats.inc_value("hosts/backed_off")
        if verdict.is_dead:
            self.crawler.stats.inc_value("hosts/dead")
            self._refuse_host(capture.host_id)
            return Outcome(REFUSED, HOST_DEAD)
        if verdict.is_parked:
            self.crawler.stats.inc_value("hosts/parked")
            if outcome.state == GONE and self.store.has_queued(capture.host_id):
                return Outcome(QUEUED, outcome.reason, verdict.wait_secs)
        return outcome

    def is_of_dead_host(self, lease: Lease) -> bool:
        """Tell whether *lease* is of a dead host; then it has ended, and all pages are given up."""
        if not self.store.is_dead(lease.host_id):
            return False
        self.store.release(lease)
        self._refuse_host(lease.host_id)
        return True

    def _refuse_host(self, host_id: int) -> None:
        n = self.store.refuse_host(host_id, HOST_DEAD)
        self.crawler.stats.inc_value(f"fetch/dropped/{HOST_DEAD}", n)

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
        if isinstance(failure.value, FetchStoppedError):
            self.hand_back(capture)
            return
        reason = self._failure_reason(failure, capture)
        if not capture.done:
            self.failed(request, capture, reason)

    def makes_again(self, request: Request) -> bool:
        """Tell whether the frontier made *request*, and would once more if its page were handed back.

        One that a spider made, nobody would make again.
        """
        return (
            request.callback is None
            and request.errback == self._failed
            and "winnow_warc" not in request.meta
        )

    def hand_back(self, capture: Capture, *, waits: Secs | None = None) -> bool:
        """End the lease of *capture* as if its page had not been asked for; its host keeps its delay.

        With *waits* the host does not: other shards have its domain or address for so long. Returns False for
        a capture that has ended.
        """
        lease = self.store.frontier.leases.get(capture.page_id)
        if capture.done or lease is None:
            return False
        capture.done = True
        if waits is None:
            self.store.release(lease)
        else:
            self.store.put_back(lease, waits, time.monotonic())
        return True

    def puts_off(self, request: Request, secs: float, *, is_unasked: bool) -> bool:
        """Have the page of *request*, whose robots.txt cannot be had, wait *secs* by itself if its host has pages with
        another one, by http or https; return whether it does. That is no attempt at it; *is_unasked* as of captures.
        """
        capture = request.meta.get("winnow_capture")
        if capture is None or capture.done or not self.makes_again(request):
            return False
        if not self.store.has_other_scheme(capture):
            return False
        capture.fetched_at = datetime.now(UTC)
        capture.state, capture.retry_in_secs = QUEUED, secs
        capture.retries -= 1
        capture.is_unasked = is_unasked
        self.finish(capture)
        return True

    def _failure_reason(self, failure: Failure, capture: Capture) -> str:
        name = urlsplit(capture.url).hostname or ""
        reason = failure_reason(failure.value)  # type: ignore[arg-type]  # never None here
        # The other pages of a refused host are not asked for: its robots.txt cannot be had.
        return self.refused_hosts.get(name, reason) if reason in {"dns", "robots"} else reason

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

    def _address_refused(self, host: str, reason: str) -> None:
        self.refused_hosts[host] = reason
        if len(self.refused_hosts) > MAX_REFUSED_HOSTS:
            del self.refused_hosts[next(iter(self.refused_hosts))]
