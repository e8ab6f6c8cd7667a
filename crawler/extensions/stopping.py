"""An orderly stop does not wait for sites: fetches that take too long are broken off."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from crawler.engine import is_closing
from crawler.signals import fetches_stopped

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler

# Scrapy says nowhere that it is closing: it is asked this often.
ASK_SECS = 0.25


class Stopping:
    """Sends ``fetches_stopped`` when a crawl that closes still waits for fetches after a while.

    Settings: ``STOP_WAIT_SECS``.
    """

    def __init__(self, crawler: Crawler, wait_secs: float):
        self.crawler = crawler
        self.wait_secs = wait_secs
        self.closing_at: float | None = None
        self.loop: Any = create_looping_call(self._ask)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        wait_secs = crawler.settings.getfloat("STOP_WAIT_SECS")
        if not wait_secs:
            raise NotConfigured("STOP_WAIT_SECS is 0")
        extension = cls(crawler, wait_secs)
        crawler.signals.connect(extension.spider_opened, signals.spider_opened)
        crawler.signals.connect(extension.spider_closed, signals.spider_closed)
        return extension

    def spider_opened(self) -> None:
        self.loop.start(ASK_SECS, now=False)

    def spider_closed(self) -> None:
        if self.loop.running:
            self.loop.stop()

    def _ask(self) -> None:
        if not is_closing(self.crawler):
            return
        now = time.monotonic()
        if self.closing_at is None:
            self.closing_at = now
        elif now - self.closing_at >= self.wait_secs:
            self.crawler.signals.send_catch_log(fetches_stopped)
            self.loop.stop()
