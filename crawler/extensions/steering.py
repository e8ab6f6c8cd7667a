"""Steering: hears what pages were worth, and tells the frontier what not to fetch."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from scrapy import signals

from crawler.durable.files import write_atomic
from crawler.engine import close_spider, scheduler_of
from crawler.errors import InputError, print_lines
from crawler.frontier.revisits import STEERED
from crawler.frontier.steering.fleet_stop import BYTES_STAT, WORDS_STAT
from crawler.frontier.steering.host_yields import HostYields
from crawler.frontier.steering.report import closed_counts, closed_lines, summary_lines
from crawler.frontier.steering.steering import Steering
from crawler.frontier.steering.stop_rule import MEGABYTE, StopRule
from crawler.frontier.steering.store import SteeringSealer, load
from crawler.frontier.steering.traps import Traps
from crawler.frontier.steering.url_filter import UrlFilter
from crawler.signals import pages_committed

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from crawler.durable.capture import Capture

logger = logging.getLogger(__name__)

STOP_REASON = "few_new_words"


class SteeringExtension:
    """Leaves out what is denied, closes traps, drops hosts of low yield, and stops the crawl when told to.

    Left out are URLs by their settings, and hosts that the spider names as ``excluded_hosts``.

    What is closed and dropped is listed in ``closed-<shard>.tsv`` of the corpus folder at the end of a crawl
    (crawler.frontier.steering.report), the queued pages are in ``rejected`` (stage ``frontier``).

    In a fleet the parent says when to stop (crawler.frontier.steering.fleet_stop). On several machines a shard that has
    given what it had fetches nothing more, and stays until all have come to their end.

    Settings: ``URLS_ALLOW``, ``URLS_DENY``, ``TRAP_EVIDENCE``, ``YIELD_FLOOR``, ``STOP_WORDS_PER_MB``,
    ``STOP_WINDOW_MB``. Stats: ``frontier/dropped/<reason>`` (queued pages that are refused), ``recrawl/<reason>``
    (pages due again that are), ``steering/not_queued`` (links to what was learned to be refused), ``steering/left_out``
    (to URLs that are denied or not allowed), ``steering/failed/<exception>`` (pages that nothing was learned from),
    ``steering/closed``, ``steering/words_per_mb``, those of `closed_counts`, ``steering/bytes`` and ``steering/words``
    (new ones). Signals heard: ``pages_committed``.
    """

    def __init__(self, crawler: Crawler, steering: Steering):
        self.crawler = crawler
        self.steering = steering
        self.is_over = False
        self.is_told = True
        self._n_closed = -1

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls(crawler, steering_of(crawler.settings))
        crawler.signals.connect(extension.spider_opened, signals.spider_opened)
        crawler.signals.connect(extension.pages_committed, pages_committed)
        crawler.signals.connect(extension.spider_closed, signals.spider_closed)
        return extension

    def spider_opened(self) -> None:
        store = self._store
        with store.journal.read() as txn:
            load(txn, self.steering)
        spider = self.crawler.spider
        self.steering.excluded = getattr(spider, "excluded_hosts", ())
        # Of WARC files all is read, whatever would be closed to a crawl of links.
        self.is_told = getattr(spider, "follow_links", True)
        store.frontier.steering = self.steering
        store.sealers.append(SteeringSealer(self.steering))

    def pages_committed(self, captures: list[Capture]) -> None:
        """Learn from *captures*, and count those of them that were refused."""
        stats = self.crawler.stats
        if self.steering.yields is not None:
            self.steering.yields.changed.clear()  # the commit has those of the groups before
        for capture in captures:
            self._learn(capture)
            if capture.row is not None and capture.row.get("stage") == STEERED:
                stats.inc_value(f"frontier/dropped/{capture.row['reason']}")
        stats.set_value("steering/closed", self.steering.n_closed)
        for reason, number in self.steering.visits_refused.items():
            stats.set_value(f"recrawl/{reason}", number)
        stats.set_value("steering/not_queued", self.steering.n_not_queued)
        stats.set_value("steering/left_out", self.steering.n_left_out)
        stats.set_value(BYTES_STAT, self.steering.n_bytes)
        stats.set_value(WORDS_STAT, self.steering.n_new_words)
        if self.is_told and self._n_closed != self.steering.n_closed:
            self._n_closed = self.steering.n_closed
            for name, number in closed_counts(self.steering).items():
                stats.set_value(name, number)
        stop = self.steering.stop
        if stop is None or stop.rate is None:
            return
        stats.set_value("steering/words_per_mb", stop.rate)
        if stop.is_over() and not self.is_over and not self.crawler.settings["FLEET_ADDRESS"]:
            self.is_over = True
            logger.info(
                "Stopping: %(rate).0f new words a megabyte",
                {"rate": stop.rate},
                extra={"spider": self.crawler.spider},
            )
            if self.crawler.settings["CLUSTER_URL"]:
                self._store.totals.stop()
            else:
                close_spider(self.crawler, STOP_REASON)

    def _learn(self, capture: Capture) -> None:
        """Learn from *capture*; what cannot be learned from is counted, and the next one is not lost for it."""
        try:
            self.steering.learn([capture])
        except Exception as error:
            name = f"steering/failed/{type(error).__name__}"
            self.crawler.stats.inc_value(name)
            if self.crawler.stats.get_value(name) == 1:
                logger.exception(
                    "Nothing is learned from %(url)s, nor from others that fail so (%(stat)s counts them)",
                    {"url": capture.url, "stat": name},
                    extra={"spider": self.crawler.spider},
                )

    def spider_closed(self) -> None:
        store = self._store
        counts: dict[str, int] = {}
        lines: list[str] = []
        if self.is_told:
            counts = closed_counts(self.steering)
            lines = closed_lines(self.steering, store.frontier.memory.hosts.key)
        if lines:
            path = store.corpus_dir / f"closed-{store.journal.shard}.tsv"
            write_atomic(path, "".join(line + "\n" for line in lines).encode("utf-8", "replace"))
        counts["steering/not_queued"] = self.steering.n_not_queued
        counts["steering/left_out"] = self.steering.n_left_out
        print_lines(summary_lines(counts, self.steering.stop))

    @property
    def _store(self) -> Any:
        return scheduler_of(self.crawler).store


def steering_of(settings: BaseSettings) -> Steering:
    """Return the rules that *settings* ask for; `InputError` for a value that is out of range."""
    try:
        evidence = settings.getfloat("TRAP_EVIDENCE")
        return Steering(
            Traps(evidence) if evidence else None,
            HostYields(settings.getfloat("YIELD_FLOOR")),
            stop_rule_of(settings),
            UrlFilter(settings["URLS_ALLOW"], settings["URLS_DENY"]),
        )
    except ValueError as error:
        raise InputError(f"TRAP_… or YIELD_…: {error}; change the setting") from error


def stop_rule_of(settings: BaseSettings) -> StopRule:
    """Return the stop rule that *settings* ask for; `InputError` for a value that is out of range."""
    try:
        window_bytes = int(settings.getfloat("STOP_WINDOW_MB") * MEGABYTE)
        return StopRule(settings.getfloat("STOP_WORDS_PER_MB"), window_bytes)
    except ValueError as error:
        raise InputError(f"STOP_WORDS_PER_MB or STOP_WINDOW_MB: {error}; change it") from error
