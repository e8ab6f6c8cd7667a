"""The light chains of components do what Scrapy's do."""

from __future__ import annotations

import asyncio
import logging
from itertools import product

import pytest
from scrapy import Request
from scrapy.core.downloader.middleware import DownloaderMiddlewareManager
from scrapy.exceptions import DropItem, IgnoreRequest
from scrapy.http import Response
from scrapy.logformatter import LogFormatter
from scrapy.pipelines import ItemPipelineManager
from scrapy.utils.test import get_crawler

from crawler.light.chains import LightLogFormatter, LightMiddlewares, LightPipelines

PAGE = Response("http://a.example/")
OTHER = Response("http://a.example/other")
AGAIN = Request("http://a.example/again")
REQUEST = Request("http://a.example/")


class Component:
    """Answers *answer*, or raises it, at once or as a coroutine; notes what it was asked."""

    def __init__(self, answer, *, waits=False):
        self.answer = answer
        self.waits = waits

    def _answer(self, given):
        if isinstance(self.answer, Exception):
            raise self.answer
        return given if self.answer == "same" else self.answer

    async def _later(self, given):
        await asyncio.sleep(0)
        return self._answer(given)

    def _ask(self, given):
        return self._later(given) if self.waits else self._answer(given)


class Asked(Component):
    def process_request(self, request):
        return self._ask(None)


class Answering(Component):
    def process_response(self, request, response):
        return self._ask(response)


class Excusing(Component):
    def process_exception(self, request, exception):
        return self._ask(None)


class Pipeline(Component):
    def process_item(self, item):
        return self._ask(item)


def outcome(coroutine):
    """What came of it: a value, or the type and the text of an exception."""
    try:
        return asyncio.run(coroutine)
    except TypeError:  # Scrapy's of a wrong answer; the words are its own
        return TypeError
    except Exception as error:  # noqa: BLE001  whatever it is, it is compared
        return type(error), str(error)


async def fetched(request):
    assert request is REQUEST
    return PAGE


async def refused(_):
    raise OSError("refused")


ANSWERS = [None, "same", OTHER, AGAIN, "wrong", IgnoreRequest("robots")]


@pytest.mark.parametrize("kind", [Asked, Answering, Excusing])
@pytest.mark.parametrize("download", [fetched, refused])
def test_middlewares(kind, download):
    crawler = get_crawler()
    for first, second, waits in product(ANSWERS, ANSWERS, [False, True]):
        chain = [kind(first, waits=waits), kind(second), Answering("same", waits=waits)]
        own, scrapys = (
            outcome(manager(*chain, crawler=crawler).download_async(download, REQUEST))
            for manager in (LightMiddlewares, DownloaderMiddlewareManager)
        )
        assert own == scrapys, (first, second, waits)


def test_pipelines():
    crawler = get_crawler()
    answers = ["same", {"other": 1}, None, DropItem("short_text"), ValueError("broken")]
    for first, second, waits in product(answers, answers, [False, True]):
        chain = [Pipeline(first, waits=waits), Pipeline(second), Pipeline("same", waits=waits)]
        own, scrapys = (
            outcome(manager(*chain, crawler=crawler).process_item_async({"item": 0}))
            for manager in (LightPipelines, ItemPipelineManager)
        )
        assert own == scrapys, (first, second, waits)


@pytest.mark.parametrize(
    ("settings", "is_made"),
    [
        ({"LOG_LEVEL": "DEBUG"}, True),
        ({"LOG_LEVEL": logging.DEBUG}, True),
        ({"LOG_LEVEL": "INFO"}, False),
        ({"LOG_LEVEL": "DEBUG", "LOG_ENABLED": False}, False),
    ],
)
def test_messages_of_pages(settings, is_made):
    formatter = LightLogFormatter.from_crawler(get_crawler(settings_dict=settings))
    scrapys = LogFormatter()
    for own, other in (
        (formatter.crawled(REQUEST, PAGE, None), scrapys.crawled(REQUEST, PAGE, None)),
        (formatter.scraped({}, PAGE, None), scrapys.scraped({}, PAGE, None)),
    ):
        assert own == (other if is_made else None)
