"""Progress while a crawl works, on stderr, and one screen of summary at its end, on stdout."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.utils.asyncio import create_looping_call

from crawler.engine import scheduler_of
from crawler.errors import print_lines, tell
from crawler.extensions.summary import (
    corpus_lines,
    limit_lines,
    parked_lines,
    progress_line,
    summary,
    why_nothing,
)
from crawler.telling import where_more_is
from crawler.wording import counted

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler

NOTHING_STAT = "finish/nothing_fetched"
# What a signal ended after Scrapy's engine had finished (pipelines.stages.deduplicate).
STOPPED_STAT = "finish/stopped_while"


class Progress:
    """Prints pages, hosts, kept, rejected by reason and pages a second.

    Settings: ``PROGRESS_SECS``. Reads the stats of all other components. Stats: ``finish/nothing_fetched``,
    why, which is no number.
    """

    def __init__(self, crawler: Crawler, secs: float):
        self.crawler = crawler
        self.secs = secs
        self.started = time.monotonic()
        self.last = (self.started, 0)
        self.loop: Any = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        progress = cls(crawler, crawler.settings.getfloat("PROGRESS_SECS"))
        crawler.signals.connect(progress.spider_opened, signals.spider_opened)
        crawler.signals.connect(progress.spider_closed, signals.spider_closed)
        return progress

    def spider_opened(self) -> None:
        if self.secs:
            self.loop = create_looping_call(self._print_line)
            self.loop.start(self.secs, now=False)

    def spider_closed(self, reason: str) -> None:
        if self.loop is not None and self.loop.running:
            self.loop.stop()
        stats = self.crawler.stats.get_stats()
        scheduler = scheduler_of(self.crawler)
        store = scheduler.store
        # Kernels that were compiled before it are no time of the crawl.
        secs = time.monotonic() - self.started - stats.get("kernels/secs", 0.0)
        stopped = stats.get(STOPPED_STAT)
        ended = f"stopped while {stopped}" if stopped else reason
        lines = summary(stats, store.counts(), ended, secs)
        lines += corpus_lines(stats, store.counts(), ended, store.corpus_dir)
        lines += parked_lines(store.parked(time.monotonic()))
        lines += limit_lines(limit := store.limit_reached)
        print_lines(lines)
        more = where_more_is(self.crawler.settings)
        why = why_nothing(stats, store.counts(), reason, limit, more=more)
        if scheduler.fleet is None and why:
            self.crawler.stats.set_value(NOTHING_STAT, why)

    def _print_line(self) -> None:
        stats = self.crawler.stats.get_stats()
        store = scheduler_of(self.crawler).store
        counts = store.counts()
        if not counts["pages"]:
            # The first seeds wait, for kernels that are compiled or services that are asked.
            if n_asked := stats.get("searches/asked", 0):
                tell(f"{counted(n_asked, 'search')} asked")
            return
        now, fetched = time.monotonic(), stats.get("fetch/pages", 0)
        rate = (fetched - self.last[1]) / max(now - self.last[0], 1e-9)
        self.last = (now, fetched)
        tell(progress_line(stats, counts, rate))
