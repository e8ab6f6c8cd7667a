"""robots.txt as RFC 9309 wants it: what it says is in `crawler.frontier.robots.rules`, when it is asked
for in `crawler.frontier.robots.record`; here it is asked for, kept, and obeyed.
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy import signals
from scrapy.exceptions import IgnoreRequest
from scrapy.utils.asyncio import call_later

from crawler.deadlines import begin
from crawler.disk import ended_by_errors
from crawler.downloadermiddlewares.robots_fetch import RobotsFetcher, site_of
from crawler.downloadermiddlewares.robots_parser import KnownRobotParser
from crawler.downloadermiddlewares.robots_settings import robots_folder, robots_policy
from crawler.engine import scheduler_of
from crawler.failures import FetchStoppedError
from crawler.frontier.outcome import REFUSED, Outcome
from crawler.frontier.robots.cache import KnownRobots, RobotsCache
from crawler.frontier.robots.record import answered, failed, is_unreachable
from crawler.frontier.robots.rules import EVERYTHING, parse_robots
from crawler.frontier.robots.store import RobotsStore
from crawler.signals import crawl_delay
from crawler.urls import page_key

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Request
    from scrapy.utils.asyncio import CallLaterResult

    from crawler.frontier.robots.policy import RobotsPolicy
    from crawler.frontier.robots.record import RobotsRecord
    from crawler.frontier.robots.rules import RobotsRules

logger = logging.getLogger(__name__)

# Seconds that a file which was read may wait for being written: kill -9 has it fetched again.
FLUSH_SECS = 1.0

# A page that waits for its host no longer than this waits here: to hand it back costs more.
HAND_BACK_SECS = 0.25


class RobotsMiddleware:
    """Asks the site's robots.txt before each request of a crawl.

    A file that was read is kept in memory and, over restarts, in ``frontier/<shard>/robots``. Pages of a
    host wait while its file is fetched; other hosts do not.

    Settings: ``CORPUS_DIR``, ``HOST_DELAY_SECS``, ``CRAWL_DELAY_MAX_SECS``, ``FETCH_RETRY_SECS``, ``ROBOTS_…``,
    ``SIGNALS_OBEY``, Scrapy's ``DOWNLOAD_TIMEOUT``, ``USER_AGENT`` and ``ROBOTSTXT_USER_AGENT``. Stats: ``robots/kept``
    (read from disk), ``robots/unreachable``, ``robots/refused``, ``robots/refused_unreachable``,
    ``robots/refused_signal``, ``robots/handed_back``, ``robots/crawl_delay_cut``, and those of :class:`RobotsFetcher`.
    Meta: ``winnow_robots``, ``winnow_capture``; it sets ``winnow_signals`` (those of the site's robots.txt). Signals:
    ``crawl_delay``.

    Scrapy's ``robots_parsed`` is sent with a :class:`KnownRobotParser` when rules come to memory.
    """

    def __init__(self, crawler: Crawler, policy: RobotsPolicy, folder: Path):
        self.crawler = crawler
        self.policy = policy
        self.folder = folder
        self.cache = RobotsCache(policy.cache_hosts, policy.cache_bytes)
        self.pending: dict[str, asyncio.Future[tuple[KnownRobots, float]]] = {}
        self.fetcher = RobotsFetcher(
            crawler,
            self._kept,
            timeout_secs=policy.timeout_secs,
            host_delay_secs=policy.host_delay_secs,
            max_bytes=policy.max_bytes,
        )
        self._store: RobotsStore | None = None
        self._flush_call: CallLaterResult | None = None
        self._started = time.monotonic()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        middleware = cls(crawler, robots_policy(settings), robots_folder(settings))
        crawler.signals.connect(middleware.spider_closed, signals.spider_closed)
        return middleware

    def spider_closed(self) -> None:
        if self._flush_call is not None:
            self._flush_call.cancel()
        if self._store is not None:
            with ended_by_errors(self.folder):
                self._store.close(time.time())
            self._store = None

    async def process_request(self, request: Request) -> None:
        if request.meta.get("winnow_robots"):
            return
        site, wait = site_of(request.url), 0.0
        known = self.cache.get(site, time.time())
        if known is None:
            known, wait = await self._known(site)
            begin(request, self.policy.timeout_secs)
            self._tell(request, known)
        if known.record.forbids_all(time.time(), self.policy.times):
            self._unreachable(request, known)
        signal = min(self.policy.obeyed_signals.intersection(known.rules.signals), default="")
        is_allowed = not signal and known.rules.allows(request.url)
        if "winnow_capture" in request.meta:
            request.meta["winnow_capture"].is_unasked = not is_allowed and wait <= 0
        if signal:
            self._refuse_signal(request, signal)
        if not is_allowed:
            self.crawler.stats.inc_value("robots/refused")
            raise IgnoreRequest("robots")
        if known.rules.signals:
            request.meta["winnow_signals"] = known.rules.signals
        if wait > 0:
            await self._wait(request, wait)

    def _tell(self, request: Request, known: KnownRobots) -> None:
        if not known.record.forbids_all(time.time(), self.policy.times):
            parser = KnownRobotParser(known.rules)
            self.crawler.signals.send_catch_log(
                signals.robots_parsed, robotparser=parser, request=request
            )

    def _unreachable(self, request: Request, known: KnownRobots) -> None:
        """End *request*: a host without an answer is in trouble, one that answers badly parked, or the page put off."""
        self.crawler.stats.inc_value("robots/refused_unreachable")
        retry_in_secs = max(0.0, known.record.expires_at - time.time())
        capture = request.meta.get("winnow_capture")
        # An address that must not be reached does not become another by waiting.
        scheduler = scheduler_of(self.crawler)
        refused = urlsplit(request.url).hostname in getattr(scheduler, "refused_hosts", ())
        key = page_key(request.url)
        if refused or key is None:
            raise IgnoreRequest("robots")
        if known.failure and capture is not None:
            scheduler.failed(request, capture, known.failure, wait_secs=retry_in_secs)
        elif self.policy.unreachable == "park":
            rested_secs = time.time() - known.record.fetched_at
            is_unasked = rested_secs >= self.policy.host_delay_secs
            if not scheduler.puts_off(request, retry_in_secs, is_unasked=is_unasked):
                scheduler.store.back_off(key.host, retry_in_secs, time.monotonic())
                self._hand_back(request)
        raise IgnoreRequest("robots")

    def _refuse_signal(self, request: Request, signal: str) -> None:
        self.crawler.stats.inc_value("robots/refused_signal")
        capture = request.meta.get("winnow_capture")
        if capture is not None:
            scheduler_of(self.crawler).give_up(capture, Outcome(REFUSED, f"signal_{signal}"))
        raise IgnoreRequest("robots")

    async def _wait(self, request: Request, secs: float) -> None:
        """Let the host rest for *secs*; a page that waits long does so in the frontier."""
        if secs >= HAND_BACK_SECS and self._hand_back(request):
            raise IgnoreRequest("done")
        await asyncio.sleep(secs)
        begin(request, self.policy.timeout_secs)

    def _hand_back(self, request: Request) -> bool:
        """Give the page back as if it had not been asked for; its host keeps its delay.

        Returns False for a request that a spider made, which nobody would make again.
        """
        capture = request.meta.get("winnow_capture")
        if capture is None or not scheduler_of(self.crawler).makes_again(request):
            return False
        if not scheduler_of(self.crawler).hand_back(capture):
            return False
        self.crawler.stats.inc_value("robots/handed_back")
        return True

    # --- what is known of a site -------------------------------------------------------------

    async def _known(self, site: str) -> tuple[KnownRobots, float]:
        """Return what is known of *site*, and the seconds to wait before its first page.

        From disk or, once for all who ask, from the network.
        """
        if site in self.pending:
            return await asyncio.shield(self.pending[site])
        future = self.pending[site] = asyncio.get_running_loop().create_future()
        try:
            found = await self._find(site)
            future.set_result(found)
        except FetchStoppedError as error:
            future.set_exception(error)
            future.exception()  # there may be nobody else who asks
            raise
        finally:
            del self.pending[site]
            future.cancel()  # nothing when it has its result
        return found

    async def _find(self, site: str) -> tuple[KnownRobots, float]:
        earlier, failure = self._kept(site), ""
        is_kept = earlier is not None and earlier.is_fresh(time.time())
        if earlier is None or not is_kept:
            record, failure = await self._ask(site, earlier)
        else:
            record = earlier
            self.crawler.stats.inc_value("robots/kept")
        rules = self._rules(record)
        may_be_less = rules.crawl_delay is None and not is_kept
        if may_be_less and self._rules(earlier).crawl_delay is not None:
            rules = replace(rules, crawl_delay=0.0)  # what it asked for before is over
        known = KnownRobots(replace(record, body=b""), rules, failure)
        self.cache.put(site, known)
        return known, self._announce_delay(site, rules, record if is_kept else None)

    def _rules(self, record: RobotsRecord | None) -> RobotsRules:
        body = record.body if record is not None else b""
        return parse_robots(body, self.policy.user_agent) if body else EVERYTHING

    async def _ask(self, site: str, record: RobotsRecord | None) -> tuple[RobotsRecord, str]:
        """Fetch the robots.txt of *site*, of which *record* is known, and keep what came of it.

        Returns how the host itself failed to answer, "" if it did, beside the record.
        """
        answer = await self.fetcher.fetch(f"{site}/robots.txt")
        now, times = time.time(), self.policy.times
        if is_unreachable(answer.status):
            self.crawler.stats.inc_value("robots/unreachable")
            wait = self.policy.no_answer_secs if answer.failure else None
            record = failed(
                record, now, times, status=answer.status, wait_secs=wait,
                retry_after_secs=answer.retry_after_secs,
            )  # fmt: skip
        else:
            record = answered(
                answer.status, answer.body, now, times, cache_control=answer.cache_control
            )
        with ended_by_errors(self.folder):
            self.store.put(site, record)
            if answer.site and not record.n_failures:
                self.store.put(answer.site, record)
        if self._flush_call is None:
            self._flush_call = call_later(FLUSH_SECS, self._flush)
        return record, answer.failure

    def _announce_delay(self, site: str, rules: RobotsRules, kept: RobotsRecord | None) -> float:
        """Tell the frontier of a Crawl-delay; return the seconds to wait before the first page.

        What was fetched was a request of its own. What was *kept* on disk holds for the last request of
        the run before, which was over when this run began, or for that of another site in this run. Without
        a Crawl-delay the frontier knows of pages, and this of the file.
        """
        asked = rules.crawl_delay
        key = page_key(f"{site}/")
        if asked is None or key is None:
            rested_secs = time.time() - kept.fetched_at if kept else 0.0
            return self.policy.host_delay_secs - rested_secs
        secs = min(asked, self.policy.crawl_delay_max_secs)
        if secs < asked:
            self._say_cut(site, asked, secs)
        self.crawler.signals.send_catch_log(crawl_delay, host_key=key.host, secs=secs)
        secs = max(secs, self.policy.host_delay_secs)
        if kept is None:
            return secs
        rested_secs = min(time.time() - kept.fetched_at, time.monotonic() - self._started)
        return secs - rested_secs

    def _say_cut(self, site: str, asked: float, secs: float) -> None:
        stat = "robots/crawl_delay_cut"
        if not self.crawler.stats.get_value(stat):
            logger.info(
                "%(site)s asks for a Crawl-delay of %(asked)g s, and is asked after %(secs)g s: "
                "CRAWL_DELAY_MAX_SECS; further ones are counted as %(stat)s",
                {"site": site, "asked": asked, "secs": secs, "stat": stat},
                extra={"spider": self.crawler.spider},
            )
        self.crawler.stats.inc_value(stat)

    def _kept(self, site: str) -> RobotsRecord | None:
        with ended_by_errors(self.folder):
            return self.store.get(site)

    @property
    def store(self) -> RobotsStore:
        """The files on disk; opened when first asked, behind the lock of the crawl's journal."""
        if self._store is None:
            self._store = RobotsStore(self.folder, max_bytes=self.policy.store_bytes)
        return self._store

    def _flush(self) -> None:
        self._flush_call = None
        with ended_by_errors(self.folder):
            self.store.flush(time.time())
