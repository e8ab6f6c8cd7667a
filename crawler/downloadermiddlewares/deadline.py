"""The deadline of each request begins where it leaves the scheduler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

from crawler.deadlines import begin

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Request


class DeadlineMiddleware:
    """Begins the time of a request (crawler.deadlines); the download handler ends it.

    Settings: Scrapy's ``DOWNLOAD_TIMEOUT``. Meta: Scrapy's ``download_timeout``; it sets ``winnow_deadline``.
    """

    def __init__(self, timeout_secs: float):
        self.timeout_secs = timeout_secs

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        timeout_secs = crawler.settings.getfloat("DOWNLOAD_TIMEOUT")
        if not timeout_secs:
            raise NotConfigured("DOWNLOAD_TIMEOUT is 0")
        return cls(timeout_secs)

    def process_request(self, request: Request) -> None:
        begin(request, self.timeout_secs)
