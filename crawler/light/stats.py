"""The stats collector, and the sizes of requests: Scrapy's, without what they do besides at each call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.downloadermiddlewares.stats import DownloaderStats, get_status_size
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.httpobj import urlparse_cached

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.http import Headers, Request, Response

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
    """Counts what Scrapy's does; it adds the sizes up, where Scrapy's writes the request and looks up each header."""

    def process_request(self, request: Request) -> None:  # type: ignore[override]  # its second argument is deprecated
        inc_value = self.stats.inc_value
        inc_value("downloader/request_count")
        inc_value(f"downloader/request_method_count/{request.method}")
        inc_value("downloader/request_bytes", request_size(request))

    def process_response(  # type: ignore[override]  # as above
        self,
        request: Request,  # noqa: ARG002  as above
        response: Response,
    ) -> Response:
        inc_value = self.stats.inc_value
        inc_value("downloader/response_count")
        inc_value(f"downloader/response_status_count/{response.status}")
        size, _ = _size_of(response.headers)
        size += 2 * (len(response.headers) - 1) + get_status_size(response.status) + 4
        inc_value("downloader/response_bytes", len(response.body) + size)
        return response


def request_size(request: Request) -> int:
    """Return the bytes of *request* as Scrapy's ``request_httprepr`` writes it."""
    url = urlparse_cached(request)
    size = len(request.method) + len(url.path or "/") + len(url.hostname or "") + len(request.body)
    for part in (url.params, url.query):
        size += len(part) + 1 if part else 0
    size_of_lines, n_lines = _size_of(request.headers)
    size += size_of_lines + 2 * max(0, n_lines - 1) + (2 if request.headers else 0)
    return size + _OF_EACH


def _size_of(headers: Headers) -> tuple[int, int]:
    """Return the bytes of the lines of *headers* without their ends, and their number."""
    # As they are kept: Scrapy's own items() looks up each name by its title case once more.
    lines = [
        len(name) + len(value) + _SEPARATOR
        for name, values in dict.items(headers)
        for value in values
    ]
    return sum(lines), len(lines)
