"""``light_crawl.py KIND``: one crawl of made answers, with Scrapy's engine (*scrapys*) or the light one.

Prints a JSON object: what the components saw of each request, the log lines, and the counts. The answers
come without a socket. Callbacks, errbacks and middlewares do whatever a path says.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from urllib.parse import urlsplit

from scrapy import Request, Spider, signals
from scrapy.core.engine import ExecutionEngine
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.exceptions import DropItem, IgnoreRequest
from scrapy.http import HtmlResponse

from crawler.light.engine import LightEngine, lighten

SITE = "http://a.example"
PATHS = (
    *(
        "item",
        "items",
        "nothing",
        "fails",
        "fails-later",
        "fails-at-once",
        "drop",
        "pipeline-fails",
    ),
    *(
        "refused",
        "refused-quietly",
        "refused-loudly",
        "cancelled",
        "again",
        "wrong-answer",
        "follow",
    ),
    *("coroutine", "generator", "status-500", "input-fails", "middleware-fails", "own-callback"),
)


class Handler:
    """Answers by path, at once or after a turn of the loop."""

    lazy = False

    def __init__(self, crawler):
        self.n_active = 0

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    async def download_request(self, request):
        await asyncio.sleep(0)
        name = path(request)
        if name.startswith("refused"):
            raise OSError("refused")
        if name == "cancelled":
            raise asyncio.CancelledError
        status = 500 if name == "status-500" else 200
        return HtmlResponse(request.url, status=status, body=b"<p>x</p>" * 500, request=request)

    async def close(self):
        pass


def path(told):
    """Return the path of a request or response, or of the request that failed."""
    return urlsplit(getattr(told, "url", None) or told.request.url).path.strip("/")


class Middleware:
    """Between engine and downloader."""

    def process_response(self, request, response):
        if path(request) == "middleware-fails":
            raise KeyError("middleware")
        if path(request) == "again":
            return request.replace(url=f"{SITE}/item?again", dont_filter=True)
        if path(request) == "wrong-answer":
            return "wrong"
        return response


class InputMiddleware:
    """Between engine and spider."""

    def process_spider_input(self, response):
        if path(response) == "input-fails":
            raise IgnoreRequest("input")


class Pipeline:
    def process_item(self, item):
        if item["path"] == "drop":
            raise DropItem("dropped")
        if item["path"] == "pipeline-fails":
            raise ValueError("pipeline")
        return item


class Light(Spider):
    """Asks for each of PATHS, and notes what it hears."""

    name = "light"

    async def start(self):
        for name in PATHS:
            callback = self.own if name == "own-callback" else None
            errback = {"refused": None, "refused-loudly": self.loud}.get(name, self.quiet)
            yield Request(f"{SITE}/{name}", callback=callback, errback=errback)

    def quiet(self, failure):
        self.note("errback", failure.request, failure.type.__name__)
        return [{"path": "errback"}]

    def loud(self, failure):
        raise RuntimeError("errback")

    def own(self, response):
        return {"path": "own-callback"}

    def parse(self, response):
        name = path(response)
        if name == "fails-at-once":
            raise ValueError("callback")
        if name == "coroutine":
            return self.later(response)
        if name == "nothing":
            return None
        if name == "item":
            return {"path": "item"}
        return self.outputs(response, name)

    async def later(self, response):
        await asyncio.sleep(0)
        return [{"path": "coroutine"}]

    def outputs(self, response, name):
        if name == "fails":
            raise ValueError("generator")
        yield {"path": name}
        if name == "fails-later":
            raise ValueError("generator, later")
        if name == "follow":
            yield Request(f"{SITE}/followed")
            yield Request(f"{SITE}/item")  # a duplicate
            yield Request(f"{SITE}/ignored")
        if name == "items":
            yield from ({"path": f"items {number}"} for number in range(3))

    def note(self, event, request, *told):
        self.events.append([path(request), event, *told])


HEARD = {
    "request_scheduled": lambda told: (told["request"],),
    "request_dropped": lambda told: (told["request"],),
    "request_reached_downloader": lambda told: (told["request"],),
    "request_left_downloader": lambda told: (told["request"],),
    "response_downloaded": lambda told: (told["request"],),
    "response_received": lambda told: (told["request"], told["response"].status),
    "item_scraped": lambda told: (told["response"], told["item"]["path"]),
    "item_dropped": lambda told: (told["response"], str(told["exception"])),
    "item_error": lambda told: (told["response"], repr(told["failure"].value)),
    "spider_error": lambda told: (told["response"], repr(told["failure"].value)),
}


class Lines(logging.Handler):
    """Keeps the log lines; a traceback by its last line."""

    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        error = repr(record.exc_info[1]) if record.exc_info else ""
        self.lines.append([record.name, record.levelname, record.getMessage(), error])


SETTINGS = {
    "DOWNLOAD_HANDLERS": {"http": Handler},
    "DOWNLOADER": "crawler.light.chains.LightDownloader",
    "DOWNLOADER_MIDDLEWARES": {Middleware: 100},
    "SPIDER_MIDDLEWARES": {InputMiddleware: 100},
    "ITEM_PIPELINES": {Pipeline: 1},
    "CONCURRENT_ITEMS": 1,
    "DOWNLOAD_DELAY": 0,
    "RETRY_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "LOG_ENABLED": False,
    "CONCURRENT_REQUESTS": 3,
}


def main(kind):
    """Crawl and print."""
    process = AsyncCrawlerProcess(SETTINGS)
    crawler = process.create_crawler(Light)
    events, lines = [], Lines()
    logging.getLogger().addHandler(lines)
    logging.getLogger("scrapy").setLevel(logging.DEBUG)
    listeners = []
    for name, of in HEARD.items():

        def hear(signal, sender, name=name, of=of, **told):
            request, *rest = of(told)
            events.append([path(request), name, *rest])
            if (name, path(request)) == ("request_scheduled", "ignored"):
                raise IgnoreRequest

        listeners.append(hear)
        crawler.signals.connect(hear, getattr(signals, name))

    def opened():
        if kind == "light":
            lighten(crawler)
        expected = LightEngine if kind == "light" else ExecutionEngine
        assert type(crawler.engine) is expected

    crawler.signals.connect(opened, signals.spider_opened)
    process.crawl(crawler, events=events)
    process.start()
    counts = {name: n for name, n in crawler.stats.get_stats().items() if isinstance(n, int)}
    engine = crawler.engine
    left = [len(engine.downloader.active), len(getattr(engine, "serving", ()))]
    report = {"events": events, "lines": lines.lines, "counts": counts, "left": left}
    sys.stdout.write(json.dumps(report))


if __name__ == "__main__":
    main(sys.argv[1])
