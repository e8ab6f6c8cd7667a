"""A downloader middleware that times each request by the reactor's own clock.

That clock ticks when the reactor comes round to it: while the reactor is kept from it, by work of its own
or by other processes, it stands still. Lines of ``REACTOR_CLOCK``: URL, ticks from where the request left the
scheduler to where it was over.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from scrapy import signals
from scrapy.exceptions import NotConfigured

TICK_SECS = 0.05
# Next to the engine.
MIDDLEWARES = '{"tests.reactor_clock.ReactorClock": 1}'


class ReactorClock:
    """Settings: ``REACTOR_CLOCK``, the file that is written."""

    def __init__(self, path):
        self.path = Path(path)
        self.lines = []
        self.n_ticks = 0
        self.ticking = None

    @classmethod
    def from_crawler(cls, crawler):
        if not crawler.settings["REACTOR_CLOCK"]:
            raise NotConfigured("REACTOR_CLOCK is empty")
        clock = cls(crawler.settings["REACTOR_CLOCK"])
        crawler.signals.connect(clock.spider_opened, signals.spider_opened)
        crawler.signals.connect(clock.engine_stopped, signals.engine_stopped)
        return clock

    def spider_opened(self):
        self.ticking = asyncio.get_running_loop().call_later(TICK_SECS, self._tick)

    def engine_stopped(self):
        self.ticking.cancel()
        self.path.write_text("".join(self.lines), encoding="utf-8")

    def _tick(self):
        self.n_ticks += 1
        self.spider_opened()

    def process_request(self, request):
        request.meta["test_began"] = self.n_ticks

    def process_response(self, request, response):
        self._over(request)
        return response

    def process_exception(self, request, exception):
        self._over(request)

    def _over(self, request):
        self.lines.append(f"{request.url}\t{self.n_ticks - request.meta['test_began']}\n")


class MuteResolver:
    """An extension: names that begin with "mute" are asked for, and nobody ever answers."""

    def __init__(self, crawler):
        crawler.signals.connect(self.engine_started, signals.engine_started)

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    def engine_started(self):
        from twisted.internet import reactor

        self.inner = reactor.nameResolver
        reactor.installNameResolver(self)

    def resolveHostName(self, receiver, hostName, *rest, **more):
        if not hostName.startswith("mute"):
            self.inner.resolveHostName(receiver, hostName, *rest, **more)
