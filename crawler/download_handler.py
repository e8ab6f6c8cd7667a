"""The download handler of http and https: Scrapy's, with connections that do not idle for long.

Scrapy keeps an idle connection of each host for four minutes. A crawl of many hosts would hold
thousands of them open, each with its buffers, until the descriptors end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class BriefIdleHandler(HTTP11DownloadHandler):
    """Closes a connection that was idle for *CONNECTION_IDLE_SECS*; reuses it before.

    Settings: ``CONNECTION_IDLE_SECS``.
    """

    def __init__(self, crawler: Crawler):
        super().__init__(crawler)
        # Scrapy has no setting for the pool's time-out; tests/test_addon.py holds this attribute.
        idle_secs = crawler.settings.getfloat("CONNECTION_IDLE_SECS")
        self._pool.cachedConnectionTimeout = idle_secs  # type: ignore[assignment]  # float will do
