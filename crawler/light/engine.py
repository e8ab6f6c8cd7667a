"""Scrapy's engine, with one task for a request: from the scheduler to the end of its callback.

Scrapy 2.19 starts a task to download a request, another for its callback, and hands the answer from one to
the other through six Deferreds and two queues that hold one entry. Here one coroutine does it all. Order,
results, exceptions and log lines are Scrapy's (tests/test_light_engine.py runs both).
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.core.engine import ExecutionEngine
from scrapy.core.scraper import Scraper
from scrapy.core.spidermw import SpiderMiddlewareManager
from scrapy.http import Request, Response
from scrapy.signalmanager import SignalManager
from scrapy.utils.asyncgen import as_async_generator
from scrapy.utils.log import logformatter_adapter
from twisted.python.failure import Failure

from crawler.errors import WorkCancelledError
from crawler.light.chains import LightDownloader
from crawler.light.scraper import LightScraper
from crawler.light.signals import LightSignals
from crawler.light.spidermw import LightSpiderMiddlewares, failing

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

# Scrapy's own, whose lines these are.
logger = logging.getLogger("scrapy.core.engine")


class LightEngine(ExecutionEngine):
    """Serves each request in a task of its own, which *serving* holds; its downloader and scraper are light."""

    serving: dict[Request, asyncio.Task[None]]
    downloader: LightDownloader
    scraper: LightScraper

    def _start_scheduled_request(self) -> bool:
        slot: Any = self._slot
        request: Request | None = slot.scheduler.next_request()
        if request is None:
            self.signals.send_catch_log(signals.scheduler_empty)
            return False
        request = self._of_its_own(request)
        slot.add_request(request)
        # Before the task begins: the engine asks for no more requests than may be active.
        self.downloader.active.add(request)
        self.serving[request] = asyncio.get_running_loop().create_task(self._serve(request))
        return True

    async def _process_start_next(self) -> None:
        try:
            await super()._process_start_next()
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise  # the engine stops
            # Scrapy takes it for that, too, and waits for the rest of the start for ever.
            cancelled = WorkCancelledError()
            cancelled.__cause__ = error
            self._start = as_async_generator(failing(cancelled))
            await super()._process_start_next()

    async def download_async(self, request: Request) -> Response:
        return await super().download_async(self._of_its_own(request))

    def _of_its_own(self, request: Request) -> Request:
        """Return *request*, a copy where it is under way: Scrapy would hold both as one, and let it go twice."""
        is_under_way = self._slot is not None and request in self._slot.inprogress
        return request.copy() if is_under_way else request

    async def _serve(self, request: Request) -> None:
        slot: Any = self._slot
        try:
            result = await self._answer(request)
            if isinstance(result, Request):
                self.crawl(result)
            else:
                await self.scraper.scrape(result, request)
        except Exception:
            extra = {"spider": self.spider}
            logger.info("Error while handling downloader output", exc_info=True, extra=extra)
        finally:
            self.serving.pop(request, None)
            slot.remove_request(request)
            slot.nextcall.schedule()

    async def _answer(self, request: Request) -> Response | Request | Failure:
        """Return what the download of *request* gave, an exception as a failure."""
        slot: Any = self._slot
        downloader = self.downloader
        try:
            try:
                fetch = downloader.middleware.download_async
                result = await fetch(downloader._enqueue_request, request)
            finally:
                downloader.active.remove(request)
            if not isinstance(result, Response | Request):
                raise TypeError(
                    f"Incorrect type: expected Response or Request, got {type(result)}: {result!r}"
                )
            if isinstance(result, Response):
                self._received(result, request)
        except (Exception, asyncio.CancelledError):  # noqa: BLE001  of any component; the errback judges it
            return Failure()  # type: ignore[no-untyped-call]  # Twisted's
        finally:
            slot.nextcall.schedule()
        return result

    async def close_async(self, *, reason: str = "shutdown") -> None:
        """Close the engine. Of a spider whose scheduler did not open nobody was told, and nobody is now."""
        if self.scraper.slot is None:
            self._slot = self.spider = None
        await super().close_async(reason=reason)

    def _received(self, response: Response, request: Request) -> None:
        if response.request is None:
            response.request = request
        assert self.spider is not None
        told = self.logformatter.crawled(response.request, response, self.spider)
        if told is not None:
            logger.log(*logformatter_adapter(told), extra={"spider": self.spider})
        self.signals.send_catch_log(
            signal=signals.response_received,
            response=response,
            request=response.request,
            spider=self.spider,
        )


def lighten(crawler: Crawler) -> None:
    """Give the engine and its parts, where they are Scrapy's, the light classes: it has no setting."""
    if type(crawler.signals) is SignalManager:
        crawler.signals.__class__ = LightSignals
    engine = crawler.engine
    assert engine is not None
    scraper = engine.scraper
    if type(scraper.spidermw) is SpiderMiddlewareManager:
        scraper.spidermw.__class__ = LightSpiderMiddlewares
    if type(scraper) is Scraper:
        scraper.__class__ = LightScraper
    has_light_parts = type(scraper) is LightScraper and type(engine.downloader) is LightDownloader
    if type(engine) is ExecutionEngine and has_light_parts:
        engine.__class__ = LightEngine
        engine.serving = {}  # type: ignore[attr-defined]  # it is a LightEngine now
