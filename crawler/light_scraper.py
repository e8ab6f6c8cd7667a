"""Scrapy's scraper and signals, without a task for what can be called.

Scrapy 2.19 starts two tasks and a queue for the output of a callback, and one task for each listener to
the signal that an item has left the pipelines. Here what need not be awaited is called. Order, results,
exceptions and log lines are Scrapy's (tests/test_light_scraper.py runs both).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from inspect import isawaitable
from typing import TYPE_CHECKING, Any

from pydispatch import dispatcher  # type: ignore[import-untyped]  # it has no types
from pydispatch.robustapply import robustApply  # type: ignore[import-untyped]
from scrapy.core.scraper import Scraper
from scrapy.signalmanager import SignalManager
from scrapy.utils.defer import ensure_awaitable
from scrapy.utils.python import global_object_name
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy.crawler import Crawler
    from scrapy.http import Request, Response

# Scrapy's own, whose lines these are.
logger = logging.getLogger("scrapy.utils.signal")


class LightSignals(SignalManager):
    """Calls the listeners to a signal, and awaits an answer that is to be awaited."""

    def send_catch_log(self, signal: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        if not _is_heard(kwargs.get("sender", self.sender), signal):
            return []
        return super().send_catch_log(signal, **kwargs)

    async def send_catch_log_async(self, signal: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        sender = kwargs.pop("sender", self.sender)
        quiet = kwargs.pop("dont_log", ())
        quiet = tuple(quiet) if isinstance(quiet, Sequence) else (quiet,)
        listeners = list(dispatcher.liveReceivers(dispatcher.getAllReceivers(sender, signal)))
        answers: list[Any] = []
        for listener in listeners:
            try:
                answer = robustApply(listener, signal=signal, sender=sender, **kwargs)
            except Exception as error:  # noqa: BLE001  whatever a listener raises is its answer
                answer = _noted(listener, error, quiet, kwargs.get("spider"))
            else:
                if answer is not None and (isawaitable(answer) or isinstance(answer, Deferred)):
                    answer = _awaited(listener, answer, quiet, kwargs.get("spider"))
            answers.append(answer)
        later = [place for place, answer in enumerate(answers) if asyncio.iscoroutine(answer)]
        if later:
            found = await asyncio.gather(*(answers[place] for place in later))
            for place, answer in zip(later, found, strict=True):
                answers[place] = answer
        return list(zip(listeners, answers, strict=True))


def _is_heard(sender: Any, signal: Any) -> bool:
    """Tell whether anything listens to *signal* of *sender*."""
    for key in (id(sender), id(dispatcher.Any)):
        signals = dispatcher.connections.get(key)
        if signals and (signal in signals or dispatcher.Any in signals):
            return True
    return False


async def _awaited(listener: Any, answer: Any, quiet: tuple[Any, ...], spider: Any) -> Any:
    try:
        return await ensure_awaitable(answer, _warn=global_object_name(listener))
    except Exception as error:  # noqa: BLE001  whatever a listener raises is its answer
        return _noted(listener, error, quiet, spider)


def _noted(listener: Any, error: Exception, quiet: tuple[Any, ...], spider: Any) -> Exception:
    if not isinstance(error, quiet):
        logger.error(
            "Error caught on signal handler: %(receiver)s",
            {"receiver": listener},
            exc_info=error,
            extra={"spider": spider},
        )
    return error


class LightScraper(Scraper):
    """Hands the output of a callback on, one after the other, where ``CONCURRENT_ITEMS`` is 1."""

    async def handle_spider_output_async(
        self,
        result: Iterable[Any] | AsyncIterator[Any],
        request: Request,
        response: Response | Failure,
    ) -> None:
        if self.concurrent_items != 1 or not isinstance(result, AsyncIterator):
            await super().handle_spider_output_async(result, request, response)
            return
        while True:
            try:
                output = await anext(result)
            except StopAsyncIteration:
                return
            except Exception:  # noqa: BLE001  of the spider; Scrapy logs and counts it
                self.handle_spider_error(Failure(), request, response)  # type: ignore[no-untyped-call]  # Twisted's
                continue
            await self._process_spidermw_output_async(output, response)


def lighten(crawler: Crawler) -> None:
    """Give the engine's signals and scraper, where they are Scrapy's, these classes: it has no setting."""
    if type(crawler.signals) is SignalManager:
        crawler.signals.__class__ = LightSignals
    assert crawler.engine is not None
    if type(crawler.engine.scraper) is Scraper:
        crawler.engine.scraper.__class__ = LightScraper
