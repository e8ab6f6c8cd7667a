"""The disk guard: a crawl pauses while its disk is nearly full, and goes on by itself."""

from __future__ import annotations

import logging
from pathlib import Path
from shutil import disk_usage
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from crawler.engine import end_pause, pause
from crawler.telling import Teller

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

# At 100 MB a second, which no crawl writes, the default room lasts longer.
CHECK_SECS = 2.0


class DiskGuard:
    """Pauses the engine while less than *min_bytes* are free on the disk of the corpus.

    Pages that are out are taken, no more are asked for. Settings: ``DISK_MIN_FREE_BYTES``,
    ``CORPUS_DIR``. Stats: ``disk/pauses``.
    """

    def __init__(self, crawler: Crawler, folder: Path, min_bytes: int):
        self.crawler = crawler
        self.folder = folder
        self.min_bytes = min_bytes
        self.is_paused = False
        self.teller = Teller(crawler.settings, logger)
        self.loop: Any = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        min_bytes = crawler.settings.getint("DISK_MIN_FREE_BYTES")
        if not min_bytes:
            raise NotConfigured("DISK_MIN_FREE_BYTES is 0")
        guard = cls(crawler, Path(crawler.settings["CORPUS_DIR"]), min_bytes)
        crawler.signals.connect(guard.spider_opened, signals.spider_opened)
        crawler.signals.connect(guard.spider_closed, signals.spider_closed)
        return guard

    def spider_opened(self) -> None:
        self.loop = create_looping_call(self.check)
        self.loop.start(CHECK_SECS, now=True)

    def spider_closed(self) -> None:
        if self.loop is not None and self.loop.running:
            self.loop.stop()

    def check(self) -> None:
        """Pause or go on as the free bytes say."""
        try:
            free = disk_usage(self.folder).free
        except OSError:
            return  # there is no corpus, of which its writer will tell
        if (free < self.min_bytes) is self.is_paused:
            return
        self.is_paused = not self.is_paused
        if self.is_paused:
            pause(self.crawler, "disk")
            self.crawler.stats.inc_value("disk/pauses")
            free_mib, least_mib = free >> 20, self.min_bytes >> 20
            self.teller.tell(
                f"Only {free_mib} MiB are free for {self.folder}: the crawl pauses until there are {least_mib}"
            )
        else:
            end_pause(self.crawler, "disk")
            self.teller.tell("There is room on the disk: the crawl goes on")
