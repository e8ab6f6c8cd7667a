"""The light chain of spider middlewares does what Scrapy's does."""

from __future__ import annotations

import asyncio
import functools
from itertools import product

import pytest
from scrapy import Request
from scrapy.core.spidermw import SpiderMiddlewareManager
from scrapy.http import Response
from scrapy.settings.default_settings import SPIDER_MIDDLEWARES_BASE as BASE
from scrapy.utils.misc import load_object
from scrapy.utils.test import get_crawler

from crawler.light.spidermw import LightSpiderMiddlewares, OutputWatcher

# All that a crawl has, those next to the engine first.
SCRAPYS = [load_object(path) for path in sorted(BASE, key=BASE.__getitem__)]


settled_crawler = functools.cache(get_crawler)


class Watcher(OutputWatcher):
    def __init__(self, name):
        self.name = name
        self.seen = []

    def begin_output(self, response):
        self.seen.append((self.name, "begin"))

    def see_output(self, response, entry):
        self.seen.append((self.name, "saw", shown(entry)))

    def end_output(self, response):
        self.seen.append((self.name, "end"))


class Excusing:
    """Makes an item of an exception, or nothing, or another exception."""

    def __init__(self, answer):
        self.answer = answer

    def process_spider_exception(self, response, exception):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class Changing:
    """A project's, which is not known."""

    async def process_spider_output(self, response, result):
        async for entry in result:
            yield entry if isinstance(entry, Request) else {**entry, "changed": True}


class Refusing:
    def process_spider_input(self, response):
        raise ValueError("input")


def shown(entry):
    if isinstance(entry, Request):
        return entry.url, entry.meta.get("depth"), entry.headers.get("Referer")
    return entry


def outputs_of(parts, *, of_async):
    """Return the output of a callback: items, links to follow, an exception."""

    def entries():
        for part in parts:
            if isinstance(part, Exception):
                raise part
            yield Request(part) if isinstance(part, str) else part

    async def later():
        for entry in entries():
            yield entry

    return later() if of_async else entries()


def outcome(manager, middlewares, parts, *, depth, of_async):
    """What comes out of the chain, and what the watchers saw."""
    watchers = [Watcher("near"), Watcher("far")]
    crawler = settled_crawler()
    built = [kind.from_crawler(crawler) for kind in SCRAPYS]
    # As in a crawl: ours next to the engine, what a project has anywhere.
    chain = manager(watchers[0], *middlewares, *built, watchers[1], crawler=crawler)
    request = Request("http://a.example/", meta={} if depth is None else {"depth": depth})
    response = Response("http://a.example/", request=request)

    async def called(result, _):
        if not isinstance(result, Response):
            result.raiseException()
        return outputs_of(parts, of_async=of_async)

    async def collected():
        found = []
        try:
            async for entry in await chain.scrape_response_async(called, response, request):
                found += [shown(entry)]
        except Exception as error:  # noqa: BLE001  whatever it is, it is compared
            found.append(repr(error))
        return found

    found = asyncio.run(collected())
    # That the output begins may be told again.
    seen = [[each for each in watcher.seen if each[1] != "begin"] for watcher in watchers]
    return found, seen, [watcher.seen[:1] for watcher in watchers], response.meta


PARTS = (
    [],
    [{"n": 1}],
    [{"n": 1}, {"n": 2}, None],
    [{"n": 1}, "http://a.example/x", {"n": 2}],
    ["http://a.example/" + "x" * 3000, {"n": 1}],
    [{"n": 1}, ValueError("callback")],
    [ValueError("callback")],
    ["http://a.example/x", ValueError("callback")],
)


@pytest.mark.parametrize(
    "middlewares",
    [
        (),
        (Excusing(None),),
        (Excusing([{"instead": 1}]),),
        (Excusing(KeyError("other")),),
        (Changing(),),
        (Refusing(),),
        (Refusing(), Excusing([{"instead": 1}])),
    ],
)
def test_outputs(middlewares):
    for parts, depth, of_async in product(PARTS, (None, 0, 3), (False, True)):
        own, scrapys = (
            outcome(manager, middlewares, parts, depth=depth, of_async=of_async)
            for manager in (LightSpiderMiddlewares, SpiderMiddlewareManager)
        )
        assert own == scrapys, (parts, depth, of_async)


def test_a_chain_of_scrapys_is_light():
    crawler = get_crawler()
    built = [kind.from_crawler(crawler) for kind in SCRAPYS]
    watcher = Watcher("own")
    assert LightSpiderMiddlewares(*built, watcher, crawler=crawler)._watchers() == [watcher]
    assert LightSpiderMiddlewares(*built, Changing(), crawler=crawler)._watchers() is None
