"""The light scraper does what Scrapy's does; so does the decompression."""

from __future__ import annotations

import asyncio
import gzip
import logging
import zlib

import pytest
from scrapy import Request, signals
from scrapy.core.scraper import Scraper, Slot
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse, Response, TextResponse
from scrapy.utils.test import get_crawler

from crawler.downloadermiddlewares.compression import CompressionMiddleware
from crawler.light.scraper import LightScraper

REQUEST = Request("http://a.example/")
PAGE = Response("http://a.example/", request=REQUEST)


class Callback:
    """The output of a callback: items, requests, an error after some of them."""

    def __init__(self, *outputs):
        self.outputs = outputs

    async def __call__(self):
        for output in self.outputs:
            if isinstance(output, Exception):
                raise output
            yield output


def handled(kind, callback, drop):
    """What a scraper of class *kind* did with the output of *callback*, in order."""
    crawler = get_crawler(settings_dict={"CONCURRENT_ITEMS": 1})
    crawler.spider = crawler._create_spider("a")
    crawler.engine = Engine()
    scraper = kind(crawler)
    scraper.slot = Slot()
    scraper.itemproc = Pipelines(drop)
    heard = []

    def hear(item, response, signal):
        heard.append((signal is signals.item_scraped, item, response is PAGE))

    def hear_error(failure):
        heard.append(repr(failure.value))

    crawler.signals.connect(hear, signals.item_scraped)
    crawler.signals.connect(hear, signals.item_dropped)
    crawler.signals.connect(hear, signals.item_error)
    crawler.signals.connect(hear_error, signals.spider_error)
    asyncio.run(scraper.handle_spider_output_async(callback(), REQUEST, PAGE))
    counts = {k: v for k, v in crawler.stats.get_stats().items() if "exceptions" in k}
    # Scrapy tells of an error of the callback before the items that were yielded before it.
    return sorted(map(repr, heard)), crawler.engine.requests, counts, scraper.slot.itemproc_size


class Engine:
    def __init__(self):
        self.requests = []

    def crawl(self, request):
        self.requests.append(request.url)


class Pipelines:
    def __init__(self, drop):
        self.drop = drop

    async def process_item_async(self, item):
        await asyncio.sleep(0)
        if item == self.drop:
            raise self.drop["error"]
        return item


AGAIN = Request("http://a.example/again")
ITEMS = ({"n": 1}, {"n": 2}, {"n": 3})


@pytest.mark.parametrize(
    "callback",
    [
        Callback(),
        Callback(*ITEMS, AGAIN, None, *ITEMS),
        Callback(ITEMS[0], ValueError("broken")),
        Callback(ValueError("broken")),
    ],
)
@pytest.mark.parametrize("drop", [None, {"n": 2, "error": IgnoreRequest("x")}])
def test_output_of_a_callback(callback, drop, caplog):
    caplog.set_level(logging.CRITICAL)
    assert handled(LightScraper, callback, drop) == handled(Scraper, callback, drop)


BODY = "<p>Straße</p>".encode("latin-1")
HTML = {"Content-Type": "text/html"}
DEFLATED = zlib.compress(BODY)


@pytest.mark.parametrize("kind", [Response, TextResponse, HtmlResponse])
@pytest.mark.parametrize(
    ("body", "encoding", "headers"),
    [
        (gzip.compress(BODY), "gzip", HTML),
        (gzip.compress(BODY), "X-GZIP", {"Content-Type": "text/html; charset=latin-1"}),
        (gzip.compress(DEFLATED), "deflate, gzip", HTML),
        (gzip.compress(BODY), "gzip", {}),
        (BODY, None, HTML),
        (b"no gzip\0", "gzip", HTML),  # what can be read is taken as it is
        (gzip.compress(b"x" * 100_000), "gzip", HTML),
    ],
)
def test_decompression(kind, body, encoding, headers):
    if encoding is not None:
        headers = {**headers, "Content-Encoding": encoding}
    crawler = get_crawler(settings_dict={"DOWNLOAD_MAXSIZE": 50_000})

    def outcome(middleware):
        response = kind("http://a.example/x", headers=headers, body=body, flags=["f"])
        response.request, response.protocol = REQUEST, "HTTP/1.1"
        try:
            found = middleware.from_crawler(crawler).process_response(REQUEST, response)
        except (IgnoreRequest, OSError) as error:
            return type(error), str(error)
        values = {name: getattr(found, name) for name in found.attributes}
        return type(found), values

    own, scrapys = outcome(CompressionMiddleware), outcome(HttpCompressionMiddleware)
    assert own == scrapys
