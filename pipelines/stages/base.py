"""The base of the stages: what each does with a page, and how it drops one."""

from __future__ import annotations

import logging
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.exceptions import DropItem

from crawler.items import Page

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector

    from crawler.page import PageModel


class Stage:
    """One item pipeline; subclasses implement :meth:`work`.

    Stats: ``<name>/pages``, ``<name>/secs``, ``<name>/dropped/<reason>``.
    """

    name: ClassVar[str]

    stats: StatsCollector

    def attach(self, crawler: Crawler) -> None:
        """Take from *crawler* what every stage needs."""
        self.stats = crawler.stats

    def process_item(self, item: Any) -> Any:
        if not isinstance(item, Page) or item.model is None:
            return item
        if item.model.capture is not None:
            item.model.capture.begin_work()
        self.stats.inc_value(f"{self.name}/pages")
        began = perf_counter()
        try:
            self.work(item, item.model)
        finally:
            # As `crawler.timing.timed` does, at half the cost: a page passes eight stages.
            secs: Any = perf_counter() - began  # Scrapy's type knows whole numbers only
            self.stats.inc_value(f"{self.name}/secs", secs)
        return item

    def work(self, page: Page, model: PageModel) -> None:
        """Decide and write into *page* what was decided; raise what :meth:`drop` returns."""
        raise NotImplementedError

    def drop(self, page: Page, reason: str, *, duplicate_of: str | None = None) -> DropItem:
        """Return the exception that drops *page*; its row in ``rejected`` is written here."""
        self.stats.inc_value(f"{self.name}/dropped/{reason}")
        model = page.model
        if model is not None and model.capture is not None:
            model.capture.reject(stage=self.name, reason=reason, duplicate_of=duplicate_of)
        page.attach(None)
        return DropItem(reason, log_level=logging.getLevelName(logging.DEBUG))
