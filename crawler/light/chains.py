"""Scrapy's chains of components, without what it does at each step to await what need not be awaited.

Scrapy 2.19 wraps the answer of every middleware and pipeline into a coroutine, names the method for a
warning that is never given, and starts a task for every download: of a page that is fetched by one request and
goes through eight stages that is half a millisecond. Here an answer is awaited when it is to be
awaited. Order, results, exceptions and signals are Scrapy's (tests/test_light_chains.py runs both).
"""

from __future__ import annotations

import asyncio
import logging
from time import monotonic
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.core.downloader import Downloader
from scrapy.core.downloader.middleware import DownloaderMiddlewareManager
from scrapy.exceptions import _InvalidOutput
from scrapy.http import Request, Response
from scrapy.logformatter import LogFormatter
from scrapy.pipelines import ItemPipelineManager
from scrapy.utils.defer import ensure_awaitable
from scrapy.utils.python import global_object_name

from crawler.errors import WorkCancelledError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Self

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.logformatter import LogFormatterResult
    from twisted.python.failure import Failure


class LightPipelines(ItemPipelineManager):
    """Hands an item from pipeline to pipeline (Scrapy's ``ITEM_PROCESSOR``)."""

    async def process_item_async(self, item: Any) -> Any:
        try:
            if self._mw_methods_requiring_spider:
                return await super().process_item_async(item)
            for method in self.methods["process_item"]:
                assert method is not None
                found = method(item)
                if found is not item:
                    found = await ensure_awaitable(found, _warn=global_object_name(method))
                item = found
        except asyncio.CancelledError as error:
            raise WorkCancelledError from error
        return item


class LightMiddlewares(DownloaderMiddlewareManager):
    """Asks the downloader middlewares; one that answers at once, and with nothing, costs a call."""

    async def _process_request(
        self,
        request: Request,
        download_func: Callable[[Request], Coroutine[Any, Any, Response]],
    ) -> Response | Request:
        if self._mw_methods_requiring_spider:
            return await super()._process_request(request, download_func)
        for method in self.methods["process_request"]:
            assert method is not None
            found = method(request=request)
            if found is not None:
                found = await ensure_awaitable(found, _warn=global_object_name(method))
            if found is None:
                continue
            if not isinstance(found, Request | Response):
                raise _InvalidOutput(
                    f"Middleware {method.__qualname__} must return None, Response or "
                    f"Request, got {found.__class__.__name__}"
                )
            return found
        return await download_func(request)

    async def _process_response(
        self, response: Response | Request, request: Request
    ) -> Response | Request:
        if self._mw_methods_requiring_spider or not isinstance(response, Response):
            return await super()._process_response(response, request)
        for method in self.methods["process_response"]:
            assert method is not None
            found = method(request=request, response=response)
            if not isinstance(found, Request | Response):
                found = await ensure_awaitable(found, _warn=global_object_name(method))
            if not isinstance(found, Request | Response):
                raise _InvalidOutput(
                    f"Middleware {method.__qualname__} must return Response or Request, "
                    f"got {type(found)}"
                )
            if isinstance(found, Request):
                return found
            response = found
        return response


class LightDownloader(Downloader):
    """Downloads a request at once, in the task that asks, where its host has nothing else under way."""

    def __init__(self, crawler: Crawler):
        super().__init__(crawler)
        # Scrapy has no setting for the manager; it holds nothing that ours would hold otherwise.
        self.middleware.__class__ = LightMiddlewares

    async def _enqueue_request(self, request: Request) -> Response:
        key, slot = self._get_slot(request)
        is_free = slot.free_transfer_slots() > 0 and not slot.queue
        if not is_free or slot.latercall or slot.download_delay():
            return await super()._enqueue_request(request)
        request.meta[self.DOWNLOAD_SLOT] = key
        slot.active.add(request)
        self.signals.send_catch_log(
            signal=signals.request_reached_downloader, request=request, spider=self.crawler.spider
        )
        slot.lastseen = monotonic()
        try:
            return await self._download(slot, request)
        finally:
            slot.active.remove(request)


class LightLogFormatter(LogFormatter):
    """Makes no message of a page that was fetched, or kept, when ``LOG_LEVEL`` lets none through."""

    def __init__(self, *, is_debug: bool):
        self.is_debug = is_debug

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        level = crawler.settings["LOG_LEVEL"]
        number = int(logging.getLevelNamesMapping().get(level, level))
        return cls(is_debug=crawler.settings.getbool("LOG_ENABLED") and number <= logging.DEBUG)

    # Scrapy's engine and scraper take None for no message, which its types do not say.
    def crawled(  # type: ignore[override]
        self, request: Request, response: Response, spider: Spider
    ) -> LogFormatterResult | None:
        return super().crawled(request, response, spider) if self.is_debug else None

    def scraped(  # type: ignore[override]
        self, item: Any, response: Response | Failure | None, spider: Spider
    ) -> LogFormatterResult | None:
        return super().scraped(item, response, spider) if self.is_debug else None
