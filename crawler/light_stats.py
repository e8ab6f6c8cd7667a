"""The stats collector, and the sizes of requests: Scrapy's, without what they do besides at each call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.downloadermiddlewares.stats import DownloaderStats
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.httpobj import urlparse_cached

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.http import Request

# Of a request: two spaces, the version, the name of the header Host, the ends of lines. Of a header: colon and space.
_OF_EACH = len(b"  HTTP/1.1\r\nHost: \r\n\r\n")
_SEPARATOR = len(b": ")


class LightStats(MemoryStatsCollector):
    """Scrapy 2.19 wraps every method at every access, to warn of an argument *spider*: 1.5 us a number.

    A page counts about sixty numbers. The argument is taken as before, and means nothing, as before.
    """

    __getattribute__ = object.__getattribute__

    def inc_value(
        self,
        key: str,
        count: float = 1,
        start: float = 0,
        spider: Spider | None = None,  # noqa: ARG002  Scrapy's interface
    ) -> None:
        """Add *count* to the number *key*, which begins at *start*."""
        stats: dict[str, Any] = self._stats
        stats[key] = stats.get(key, start) + count


class LightDownloaderStats(DownloaderStats):
    """Counts what Scrapy's does; it adds the sizes of a request up, where Scrapy's writes the request."""

    def process_request(self, request: Request) -> None:  # type: ignore[override]  # its second argument is deprecated
        inc_value = self.stats.inc_value
        inc_value("downloader/request_count")
        inc_value(f"downloader/request_method_count/{request.method}")
        inc_value("downloader/request_bytes", request_size(request))


def request_size(request: Request) -> int:
    """Return the bytes of *request* as Scrapy's ``request_httprepr`` writes it."""
    url = urlparse_cached(request)
    size = len(request.method) + len(url.path or "/") + len(url.hostname or "") + len(request.body)
    for part in (url.params, url.query):
        size += len(part) + 1 if part else 0
    lines = [
        len(name) + len(value) + _SEPARATOR
        for name, values in request.headers.items()
        for value in values
    ]
    size += sum(lines) + 2 * max(0, len(lines) - 1) + (2 if request.headers else 0)
    return size + _OF_EACH
