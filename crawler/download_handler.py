"""The download handler of http and https: Scrapy's, with bounds that a hostile web makes necessary.

Scrapy keeps an idle connection of each host for four minutes. A crawl of many hosts would hold
thousands of them open, each with its buffers, until the descriptors end. And it lets a stop wait for
every fetch that is under way, until its time-out.
"""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.exceptions import DownloadTimeoutError
from scrapy.utils.httpobj import urlparse_cached
from twisted.web.client import HTTPConnectionPool

from crawler.deadlines import secs_left
from crawler.failures import BadAnswer, FetchStoppedError
from crawler.http_client import BriefPool, GuardedFactory
from crawler.light.http import LightClient
from crawler.policies import crawl_reach
from crawler.signals import address_refused, fetches_stopped
from crawler.urls.addresses import NO_CONTACT, PRIVATE_ADDRESS

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Request, Response

# Scrapy takes 0 for no limit.
MIN_SECS = 0.001

# What a fetch that is broken off may take to close its connection.
CLOSE_SECS = 0.5


class BriefIdleHandler(HTTP11DownloadHandler):
    """Closes a connection that was idle for *CONNECTION_IDLE_SECS*; reuses it before.

    Refuses peers that must not be reached, and headers without end (crawler.http_client). A request is over by its
    deadline (crawler.deadlines) and CLOSE_SECS, whatever it waits for. Settings: ``CONNECTION_IDLE_SECS``,
    ``ALLOWED_PRIVATE_NETWORKS``, ``USER_AGENT``. Stats: ``connect/refused``. Signals: ``address_refused``; heard:
    ``fetches_stopped``, upon which it breaks off what is under way. Meta: it sets ``winnow_took``, the seconds from the
    request to the end of its answer.
    """

    def __init__(self, crawler: Crawler):
        super().__init__(crawler)
        # Scrapy has no setting for the pool's time-out; tests/test_addon.py holds these attributes.
        idle_secs = crawler.settings.getfloat("CONNECTION_IDLE_SECS")
        if type(self._pool) is HTTPConnectionPool:
            self._pool.__class__ = BriefPool
        self._pool.cachedConnectionTimeout = idle_secs  # type: ignore[assignment]  # float will do
        factory = partial(GuardedFactory, crawl_reach(crawler.settings), self._refused)
        self._pool._factory = factory  # type: ignore[assignment]  # is called like the class
        self._light = LightClient(self)
        self._is_stopped = False
        self._fetching: set[asyncio.Task[Any]] = set()
        crawler.signals.connect(self._stop, fetches_stopped)

    async def download_request(self, request: Request) -> Response:
        if self._is_stopped:
            raise FetchStoppedError
        task = asyncio.current_task()
        assert task is not None
        self._fetching.add(task)
        began_at = time.monotonic()
        try:
            response = await self._download(request)
            # Scrapy's ``download_latency`` ends with the header.
            request.meta["winnow_took"] = time.monotonic() - began_at
            return response
        except BadAnswer as error:
            if error.reason in {PRIVATE_ADDRESS, NO_CONTACT}:
                host = urlparse_cached(request).hostname
                told = {"host": host, "reason": error.reason}
                self._crawler.signals.send_catch_log(address_refused, **told)
            raise
        except asyncio.CancelledError:
            if not self._is_stopped:
                raise
            task.uncancel()
            raise FetchStoppedError from None
        finally:
            self._fetching.discard(task)

    async def _download(self, request: Request) -> Response:
        left = secs_left(request)
        asked = request.meta.get("download_timeout")
        request.meta["download_timeout"] = asked if left is None else left or MIN_SECS
        until = None if left is None else asyncio.get_running_loop().time() + left + CLOSE_SECS
        try:
            # This keeps to the time by itself.
            if response := await self._light.fetch(request):
                return response
            async with asyncio.timeout_at(until):
                return await super().download_request(request)
        except TimeoutError:
            raise DownloadTimeoutError(f"Getting {request.url} took too long.") from None
        finally:
            request.meta["download_timeout"] = asked

    def _stop(self) -> None:
        self._is_stopped = True
        for task in list(self._fetching):
            task.cancel()

    def _refused(self, address: str, reason: str) -> None:  # noqa: ARG002  counted, not named
        self._crawler.stats.inc_value("connect/refused")
