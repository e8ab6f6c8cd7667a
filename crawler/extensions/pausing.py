"""What guards have in common that pause a crawl: they look again and again, and let it go on, or end."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy import signals
from scrapy.utils.asyncio import create_looping_call

from crawler.engine import end_pause, pause
from crawler.telling import Teller

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class PausingGuard:
    """Calls :meth:`check` every ``CHECK_SECS`` of a crawl, which is to call :meth:`turn`.

    *WHAT* names what is waited for, in the stat ``<WHAT>/pauses`` too.
    """

    WHAT: ClassVar[str]
    CHECK_SECS: ClassVar[float]
    LOOKS_AT_ONCE: ClassVar[bool]

    def __init__(self, crawler: Crawler):
        self.crawler = crawler
        self.is_paused = False
        self.teller = Teller(crawler.settings, logging.getLogger(type(self).__module__))
        self.loop: Any = None
        crawler.signals.connect(self.spider_opened, signals.spider_opened)
        crawler.signals.connect(self.spider_closed, signals.spider_closed)

    def spider_opened(self) -> None:
        self.loop = create_looping_call(self.check)
        self.loop.start(self.CHECK_SECS, now=self.LOOKS_AT_ONCE)

    def spider_closed(self) -> None:
        if self.loop is not None and self.loop.running:
            self.loop.stop()

    def check(self) -> None:
        """Pause or go on as what is looked at says."""
        raise NotImplementedError

    def turn(self, *, is_wanted: bool, why: str, why_not: str) -> None:
        """Pause the crawl if that *is_wanted*, else have it go on; tell *why* or *why_not* if that is new.

        One that has had its hours is not paused: nothing more is asked for, and it ends.
        """
        is_over = self._are_hours_over()
        if (is_wanted and not is_over) is self.is_paused:
            return
        self.is_paused = not self.is_paused
        if self.is_paused:
            pause(self.crawler, self.WHAT)
            self.crawler.stats.inc_value(f"{self.WHAT}/pauses")
            self.teller.tell(why)
        else:
            end_pause(self.crawler, self.WHAT)
            self.teller.tell("The paused crawl has had its hours: it ends" if is_over else why_not)

    def _are_hours_over(self) -> bool:
        store = getattr(getattr(self.crawler.engine, "scheduler", None), "store", None)
        return store is not None and store.totals.reached == "max_hours"
