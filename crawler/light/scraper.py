"""Scrapy's scraper, without a task for what can be called.

Scrapy 2.19 starts two tasks and a queue for the output of a callback. Here what need not be awaited is called.
Order, results, exceptions and log lines are Scrapy's (tests/test_light_scraper.py runs both).
"""

from __future__ import annotations

import asyncio
import logging
import warnings
from collections.abc import AsyncIterator
from itertools import count
from types import GeneratorType
from typing import TYPE_CHECKING, Any

from scrapy.core.scraper import Scraper
from scrapy.exceptions import ScrapyDeprecationWarning
from scrapy.http import Response
from scrapy.utils.defer import ensure_awaitable
from scrapy.utils.spider import iterate_spider_output
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from crawler.errors import WorkCancelledError
from crawler.light.spidermw import uncancelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scrapy.http import Request

# Scrapy's own, whose lines these are.
scraper_logger = logging.getLogger("scrapy.core.scraper")

# Outputs of one callback after which other requests have their turn: it may have a hundred thousand.
_OUTPUTS_A_TURN = 16


class LightScraper(Scraper):
    """Hands the output of a callback on, one after the other, where ``CONCURRENT_ITEMS`` is 1.

    A method of the spider is looked through once for a return value that Scrapy warns of. Scrapy does so for
    every answer: it forgets what it found with the method, which Python makes anew at each access.
    """

    seen_callbacks: frozenset[Any] = frozenset()

    async def scrape(self, result: Response | Failure, request: Request) -> None:
        """Call the callback or errback for *result*, in the task that asks, and wait for its items."""
        slot = self.slot
        assert slot is not None
        slot.add_response_request(result, request)
        slot.next_response_request_deferred()
        try:
            await self._scrape(result, request)
        except (Exception, asyncio.CancelledError):
            scraper_logger.exception(
                "Scraper bug processing %(request)s",
                {"request": request},
                extra={"spider": self.crawler.spider},
            )
        finally:
            slot.finish_response(result, request)
            self._check_if_closing()

    async def call_spider_async(
        self, result: Response | Failure, request: Request
    ) -> Iterable[Any] | AsyncIterator[Any]:
        try:
            found = await self._output(result, request)
        except asyncio.CancelledError as error:
            if isinstance(result, Failure) and error is result.value:
                raise
            raise WorkCancelledError from error
        return uncancelled(found) if isinstance(found, AsyncIterator) else _outputs(found)

    async def _output(
        self, result: Response | Failure, request: Request
    ) -> Iterable[Any] | AsyncIterator[Any]:
        spider = self.crawler.spider
        assert spider is not None
        if not isinstance(result, Response) or result.request is None:
            return await super().call_spider_async(result, request)
        callback: Any = result.request.callback or spider._parse
        function = getattr(callback, "__func__", None)
        if function not in self.seen_callbacks:
            if getattr(callback, "__self__", None) is spider:
                self.seen_callbacks |= {function}
            return await super().call_spider_async(result, request)
        await asyncio.sleep(0)  # Scrapy's own way looks for the reactor each time
        output = callback(result, **result.request.cb_kwargs)
        if isinstance(output, Deferred):
            warnings.warn(
                f"{callback} returned a Deferred."
                f" Returning Deferreds from spider callbacks is deprecated.",
                ScrapyDeprecationWarning,
                stacklevel=2,
            )
        found = iterate_spider_output(output)
        return found if isinstance(found, GeneratorType) else await ensure_awaitable(found)

    async def handle_spider_output_async(
        self,
        result: Iterable[Any] | AsyncIterator[Any],
        request: Request,
        response: Response | Failure,
    ) -> None:
        if self.concurrent_items != 1 or not isinstance(result, AsyncIterator):
            await super().handle_spider_output_async(result, request, response)
            return
        for number in count(1):
            try:
                output = await anext(result)
            except StopAsyncIteration:
                return
            except Exception:  # noqa: BLE001  of the spider; Scrapy logs and counts it
                self.handle_spider_error(Failure(), request, response)  # type: ignore[no-untyped-call]  # Twisted's
                continue
            await self._process_spidermw_output_async(output, response)
            if number % _OUTPUTS_A_TURN == 0:
                await asyncio.sleep(0)


def _outputs(found: Iterable[Any]) -> Iterator[Any]:
    try:
        yield from found
    except asyncio.CancelledError as error:
        raise WorkCancelledError from error
