"""Stage ``clean`` for cleaners of other projects: in a process of their own, while the crawl goes on."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from crawler.errors import InputError
from crawler.items import Page
from crawler.timing import timed
from pipelines.boilerplate.labels import CleaningFailed
from pipelines.evaluation.foreign_cleaner import Limits, foreign_cleaner
from pipelines.stages.clean import CleanStage

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler

    from crawler.page import PageModel
    from pipelines.boilerplate.labels import Labels
    from pipelines.evaluation.foreign_cleaner import ForeignCleaner


class ForeignCleanStage(CleanStage):
    """Drops pages that the cleaner does not survive, too.

    Settings: ``CLEAN_METHOD``, ``CLEAN_WORKER_SECS``, ``CLEAN_WORKER_BYTES``. Reasons, beside those of
    :class:`CleanStage`: ``cleaner_timeout``, ``cleaner_memory``, ``cleaner_died``, ``cleaner_error``.
    Stats: ``clean/worker_secs``.
    """

    def __init__(self, method: str, cleaner: ForeignCleaner):
        super().__init__(method, cleaner)
        self.worker = cleaner
        # One thread, for the one process: it waits there, not in the reactor.
        self.thread = ThreadPoolExecutor(1)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        method = settings["CLEAN_METHOD"]
        if settings.getdict("CLEAN_OPTIONS"):
            raise InputError(f"{method} takes no CLEAN_OPTIONS; leave them out")
        try:
            limits = Limits(
                page_secs=settings.getfloat("CLEAN_WORKER_SECS"),
                memory_bytes=settings.getint("CLEAN_WORKER_BYTES"),
            )
            stage = cls(method, foreign_cleaner(method, limits))
        except ValueError as error:
            raise InputError(
                f"CLEAN_METHOD, CLEAN_WORKER_…: {error}; change the setting"
            ) from error
        except ImportError as error:
            raise InputError(f"CLEAN_METHOD {error}; install winnow-crawler[peers]") from error
        stage.attach(crawler)
        return stage

    async def process_item(self, item: Any) -> Any:
        if not isinstance(item, Page) or item.model is None:
            return item
        self.stats.inc_value(f"{self.name}/pages")
        if item.model.capture is not None:
            item.model.capture.end_work()
        loop = asyncio.get_running_loop()
        labels = await loop.run_in_executor(self.thread, self._labels, item.model)
        self.stats.set_value("clean/worker_secs", self.worker.secs)
        if item.model.capture is not None:
            item.model.capture.begin_work()
        if isinstance(labels, str):
            raise self.drop(item, labels)
        with timed(self.stats, self.name):
            item.model.kept, item.model.labels = labels.kept, labels.label
            self.take(item, item.model)
        return item

    def _labels(self, model: PageModel) -> Labels | str:
        """Return the labels of the blocks, or why there are none."""
        try:
            return self.worker.label(model)
        except CleaningFailed as error:
            return error.reason

    def close_spider(self) -> None:
        self.thread.shutdown()
        self.worker.close()
