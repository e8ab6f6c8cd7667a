"""Scrapy's chain of spider middlewares, without a generator for each where they have nothing to say.

Scrapy 2.19 hands each output of a callback through two generators a middleware; its own look at requests
only. Here an item goes past them. The first request or None, and an exception, go Scrapy's way, and so does what
comes after; so does everything where a middleware is not known. Order, results and exceptions are
Scrapy's (tests/test_light_spidermw.py runs both), but for ``asyncio.CancelledError``, which Scrapy's chain lets
through: it becomes a `WorkCancelledError`, which the middlewares are asked of as of any other.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from scrapy.core.spidermw import SpiderMiddlewareManager
from scrapy.http import Request
from scrapy.spidermiddlewares.depth import DepthMiddleware
from scrapy.spidermiddlewares.metacopy import MetaCopyDetectionMiddleware
from scrapy.spidermiddlewares.referer import RefererMiddleware
from scrapy.spidermiddlewares.start import StartSpiderMiddleware
from scrapy.spidermiddlewares.urllength import UrlLengthMiddleware
from scrapy.utils.asyncgen import as_async_generator
from scrapy.utils.defer import _process_pending_io

from crawler.errors import WorkCancelledError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scrapy.core.spidermw import ScrapeFunc
    from scrapy.http import Response
    from scrapy.utils.python import MutableAsyncChain

# Scrapy's that leave items as they are. The first sets the depth of an answer that has none.
_OF_REQUESTS = {
    DepthMiddleware,
    MetaCopyDetectionMiddleware,
    RefererMiddleware,
    StartSpiderMiddleware,
    UrlLengthMiddleware,
}


class OutputWatcher:
    """A spider middleware that sees the output of a callback and hands all of it on."""

    def begin_output(self, response: Response) -> None:
        """Take notice, perhaps more than once, that the output for *response* is asked for."""

    def see_output(self, response: Response, entry: Any) -> None:
        """Take notice of *entry*."""

    def end_output(self, response: Response) -> None:
        """Take notice that there is no more, and that no exception ended it."""

    async def process_spider_output(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        self.begin_output(response)
        async for entry in result:
            self.see_output(response, entry)
            yield entry
        self.end_output(response)


class LightSpiderMiddlewares(SpiderMiddlewareManager):
    """Hands items past middlewares that look at requests only, or only look."""

    async def scrape_response_async(
        self, scrape_func: ScrapeFunc[Any], response: Response, request: Request
    ) -> Any:
        watchers = self._watchers()
        if watchers is None or "depth" not in response.meta:
            return await super().scrape_response_async(scrape_func, response, request)
        try:
            outputs = await self._process_spider_input(scrape_func, response, request)
            if isinstance(outputs, AsyncIterator):
                return await self._process_callback_output(response, outputs)
        except Exception as error:  # noqa: BLE001  whatever it is, the middlewares are asked
            await _process_pending_io()
            return self._process_spider_exception(response, error)
        return self._handed_on(response, outputs, watchers)

    async def _process_spider_input(
        self, scrape_func: ScrapeFunc[Any], response: Response, request: Request
    ) -> Iterable[Any] | AsyncIterator[Any]:
        try:
            return await super()._process_spider_input(scrape_func, response, request)
        except asyncio.CancelledError as error:
            raise WorkCancelledError from error

    def _evaluate_iterable(
        self,
        response: Response,
        iterable: AsyncIterator[Any],
        exception_processor_index: int,
        recover_to: MutableAsyncChain[Any],
    ) -> AsyncIterator[Any]:
        outputs = uncancelled(iterable)
        return super()._evaluate_iterable(response, outputs, exception_processor_index, recover_to)

    def _process_spider_exception(
        self, response: Response, exception: Exception, start_index: int = 0
    ) -> MutableAsyncChain[Any]:
        try:
            return super()._process_spider_exception(response, exception, start_index)
        except asyncio.CancelledError as error:
            raise WorkCancelledError from error

    def _watchers(self) -> list[OutputWatcher] | None:
        """Return those that watch, the spider's next first; None where others must be asked."""
        found = []
        for method in self.methods["process_spider_output"]:
            middleware = getattr(method, "__self__", None)
            if isinstance(middleware, OutputWatcher):
                found.append(middleware)
            elif method is not None and type(middleware) not in _OF_REQUESTS:
                return None
        return found

    async def _handed_on(
        self, response: Response, outputs: Iterable[Any], watchers: list[OutputWatcher]
    ) -> AsyncIterator[Any]:
        for watcher in watchers:
            watcher.begin_output(response)
        entries = iter(outputs)
        while True:
            try:
                entry = next(entries)
            except StopIteration:
                break
            except Exception as error:  # noqa: BLE001  whatever it is, the middlewares are asked
                rest = failing(error)
            else:
                if entry is not None and not isinstance(entry, Request):
                    for watcher in watchers:
                        watcher.see_output(response, entry)
                    yield entry
                    continue
                rest = chain([entry], entries)
            async for entry in await self._process_callback_output(
                response, as_async_generator(rest)
            ):
                yield entry
            return
        for watcher in watchers:
            watcher.end_output(response)


async def uncancelled(outputs: AsyncIterator[Any]) -> AsyncIterator[Any]:
    """Yield *outputs*; raise `WorkCancelledError` where they raise ``asyncio.CancelledError``."""
    try:
        async for output in outputs:
            yield output
    except asyncio.CancelledError as error:
        raise WorkCancelledError from error


def failing(error: Exception) -> Iterator[Any]:
    """Yield nothing, and raise *error*."""
    yield from ()
    raise error
