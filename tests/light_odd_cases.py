"""Spiders in which a component does what it should not (tests/light_oddities.py crawls with them)."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from scrapy import Request, Spider, signals
from scrapy.http import HtmlResponse

SITE = "http://a.example"


class Handler:
    """Answers after a turn of the loop; counts what is under way."""

    lazy = False

    def __init__(self, crawler):
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    async def download_request(self, request):
        spider = self.crawler.spider
        spider.enter("downloads")
        spider.note("begun")
        if (event := request.meta.get("until")) is not None:
            await event.wait()
        await asyncio.sleep(0)
        spider.leave("downloads")
        if "refused" in request.url:
            raise OSError("refused")
        return HtmlResponse(request.url, body=b"x" * 3000)

    async def close(self):
        pass


class Pipeline:
    async def process_item(self, item):
        if item.get("cancels") == "pipeline":
            raise asyncio.CancelledError
        return item


class Case(Spider):
    """Notes what it sees."""

    def __init__(self, **arguments):
        super().__init__(**arguments)
        self.seen = []
        self.n = {}
        self.most = {}

    def enter(self, what):
        self.n[what] = self.n.get(what, 0) + 1
        self.most[what] = max(self.most.get(what, 0), self.n[what])

    def leave(self, what):
        self.n[what] -= 1

    def note(self, *told):
        self.seen.append(" ".join(map(str, told)))


class Cancelled(Case):
    """A component awaits what was cancelled."""

    name = "cancelled"

    async def start(self):
        self.crawler.signals.connect(self.hear, signals.item_scraped)
        for name in ("at-once", "later", "outputs", "in-generator", "pipeline", "listener", "none"):
            yield Request(f"{SITE}/{name}", getattr(self, name.replace("-", "_")))
        yield Request(f"{SITE}/refused", errback=self.refused)

    def at_once(self, response):
        raise asyncio.CancelledError

    async def later(self, response):
        task = asyncio.create_task(asyncio.sleep(1))
        task.cancel()
        await task

    async def outputs(self, response):
        yield {"n": "outputs 1"}
        raise asyncio.CancelledError

    def in_generator(self, response):
        yield {"n": "generator 1"}
        raise asyncio.CancelledError

    def pipeline(self, response):
        yield {"n": "pipeline 1", "cancels": "pipeline"}
        yield {"n": "pipeline 2"}

    def listener(self, response):
        yield {"n": "listener 1", "cancels": "listener"}
        yield {"n": "listener 2"}

    def none(self, response):
        yield {"n": "none"}

    async def refused(self, failure):
        raise asyncio.CancelledError

    async def hear(self, item):
        self.note(item["n"])
        if item.get("cancels") == "listener":
            raise asyncio.CancelledError


class Starting(Case):
    """The start awaits what was cancelled."""

    name = "starting"

    async def start(self):
        yield Request(f"{SITE}/0")
        raise asyncio.CancelledError

    async def parse(self, response):
        self.note("answer")


class Many(Case):
    """A callback has many outputs: the others have their turn between them."""

    name = "many"

    async def start(self):
        yield Request(f"{SITE}/many")

    def parse(self, response):
        asyncio.get_running_loop().call_soon(self.note, "turn")
        for n in range(10_000):
            if "turn" in self.seen:
                break
            yield {"n": n} if n % 2 else Request(f"{SITE}/{n}", self.other)
        self.note("outputs, few" if n < 1000 else "outputs, all")

    def other(self, response):
        pass


class Same(Case):
    """One Request, several times at once."""

    name = "same"

    async def start(self):
        request = Request(f"{SITE}/same", dont_filter=True)
        for _ in range(5):
            yield request

    async def parse(self, response):
        self.note("answer")
        await asyncio.sleep(0.01)


class Itself(Case):
    """Callbacks ask for their own request once more, twice at once."""

    name = "itself"

    async def start(self):
        for n in range(3):
            yield Request(f"{SITE}/{n}")

    async def parse(self, response):
        again = self.crawler.engine.download_async
        for answer in await asyncio.gather(again(response.request), again(response.request)):
            self.note(answer.url[-1])
        await asyncio.sleep(0.01)


class Closing(Case):
    """The crawl is closed while there are downloads and callbacks under way, and requests that wait."""

    name = "closing"

    async def start(self):
        self.has_three, self.has_closed = asyncio.Event(), asyncio.Event()
        for n in range(10):
            event = self.has_closed if n else self.has_three
            yield Request(f"{SITE}/{n}", meta={"until": event})

    def enter(self, what):
        super().enter(what)
        if self.n[what] == 3:
            self.has_three.set()

    def hear(self, item):
        self.note("item")

    async def parse(self, response):
        self.crawler.signals.connect(self.hear, signals.item_scraped)
        name = response.url.rsplit("/", 1)[1]
        if name == "0":
            engine = self.crawler.engine
            self.closing = asyncio.create_task(engine.close_spider_async(reason="enough"))
            asyncio.get_running_loop().call_soon(self.has_closed.set)
        await asyncio.sleep(0.02)
        yield {"n": name}
        yield Request(f"{SITE}/after-{name}")

    def closed(self, reason):
        self.note("closed", reason)


class Pressed(Case):
    """Callbacks are slower than downloads."""

    name = "pressed"
    custom_settings: ClassVar = {"SCRAPER_SLOT_MAX_ACTIVE_SIZE": 5000}

    async def start(self):
        for n in range(20):
            yield Request(f"{SITE}/{n}")

    async def parse(self, response):
        self.enter("callbacks")
        await asyncio.sleep(0.02)
        self.leave("callbacks")


class Asking(Case):
    """A callback waits for another download, and for what takes too long."""

    name = "asking"

    async def start(self):
        yield Request(f"{SITE}/0")

    async def parse(self, response):
        other = await self.crawler.engine.download_async(Request(f"{SITE}/other"))
        self.note(other.url)
        try:
            async with asyncio.timeout(0.01):
                await asyncio.sleep(5)
        except TimeoutError:
            self.note("timeout")
