"""Claims of what a host shares with those of other processes: its address, and its domain where they have it too."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from scrapy.exceptions import IgnoreRequest, NotConfigured

from crawler.deadlines import begin
from crawler.engine import is_closing, scheduler_of
from crawler.failures import FetchStoppedError

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Request

# Seconds after which one that waits looks whether the crawl is closing.
_LOOK_SECS = 0.5


class ClaimMiddleware:
    """Claims from the other processes of the crawl what a host shares with theirs; hands the page back if they have it.

    A request that a spider made waits instead, and its time begins anew. Settings: ``FLEET_ADDRESS``,
    ``CLUSTER_URL``, Scrapy's ``DOWNLOAD_TIMEOUT``. Stats: ``gaps/taken`` (by another process). Meta:
    ``winnow_capture``.
    """

    def __init__(self, crawler: Crawler, timeout_secs: float):
        self.crawler = crawler
        self.timeout_secs = timeout_secs

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        if not settings["FLEET_ADDRESS"] and not settings["CLUSTER_URL"]:
            raise NotConfigured("the crawl is of one process")
        return cls(crawler, settings.getfloat("DOWNLOAD_TIMEOUT"))

    async def process_request(self, request: Request) -> None:
        capture = request.meta.get("winnow_capture")
        store = getattr(scheduler_of(self.crawler), "store", None)
        if capture is None or store is None or "winnow_warc" in request.meta:
            return
        groups = store.frontier.groups
        if groups is None:
            return
        while any(waits := await groups.claim(capture.host_id, time.monotonic())):
            self.crawler.stats.inc_value("gaps/taken")
            is_ours = scheduler_of(self.crawler).makes_again(request)
            if is_ours and scheduler_of(self.crawler).hand_back(capture, waits=waits):
                raise IgnoreRequest("done")
            await asyncio.sleep(min(_LOOK_SECS, max(waits)))
            if is_closing(self.crawler):
                raise FetchStoppedError
            if self.timeout_secs:
                begin(request, self.timeout_secs)
