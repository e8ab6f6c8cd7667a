"""The archive middleware: keeps what went over the wire with the page, for its WARC records.

It stands next to the downloader, before decompression, so that bodies are as they came.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy import signals
from scrapy.exceptions import NotConfigured

from crawler.durable.exchange import Exchange, request_head, response_head
from crawler.durable.warc_writer import WarcWriter
from crawler.engine import scheduler_of
from crawler.errors import InputError
from crawler.failures import CUT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Request, Response
    from scrapy.http.headers import Headers

    from crawler.durable.capture import Capture

DESCRIPTION = (
    "Payloads as they came, content coding included; chunks are undone, and their header left out; "
    "transfer codings that pack are told as content codings. Reason phrases and the case of header names are the usual ones. metadata records: "
    "pageId is the key of the page in the corpus, outcome the table that its row is in."
)


class ArchiveMiddleware:
    """Puts the :class:`Exchange` into the open capture; the store's archive writes it at the page's end.

    What is archived are the pages of the crawl: no robots.txt, sitemaps and feeds that are read for their links, or
    answers that came out of a WARC. Settings: ``WARC_ENABLED``, ``WARC_MAX_BYTES``, Scrapy's ``USER_AGENT``. Meta:
    ``winnow_capture``, ``winnow_warc``.
    """

    def __init__(self, crawler: Crawler, max_bytes: int, user_agent: str):
        self.crawler = crawler
        self.max_bytes = max_bytes
        self.user_agent = user_agent

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        if not settings.getbool("WARC_ENABLED"):
            raise NotConfigured("WARC_ENABLED is off")
        max_bytes = settings.getint("WARC_MAX_BYTES")
        if max_bytes < 1:
            raise InputError(f"WARC_MAX_BYTES is {max_bytes}; give 1 or more")
        archive = cls(crawler, max_bytes, settings["USER_AGENT"])
        crawler.signals.connect(archive.spider_opened, signals.spider_opened)
        return archive

    def spider_opened(self) -> None:
        # The scheduler opened the store before.
        store = scheduler_of(self.crawler).store
        info = [
            ("software", f"Winnow/{version('winnow-crawler')}"),
            ("robots", "obey, RFC 9309"),
            ("http-header-user-agent", self.user_agent),
            ("description", DESCRIPTION),
        ]
        store.archive = WarcWriter(
            store.corpus_dir, store.journal, max_bytes=self.max_bytes, info=info
        )

    def process_response(self, request: Request, response: Response) -> Response:
        capture: Capture | None = request.meta.get("winnow_capture")
        if capture is None or capture.done or "winnow_warc" in request.meta:
            return response
        secs = request.meta.get("winnow_took")
        capture.exchange = Exchange(
            request=request_head(urlsplit(request.url), header_pairs(request.headers)),
            head=response_head(
                # Readers know the name in capitals alone; the parser lets any pass.
                (response.protocol or "HTTP/1.1").upper(),
                response.status,
                header_pairs(response.headers),
            ),
            body=response.body,
            ip=str(response.ip_address or ""),
            fetch_ms=None if secs is None else round(1000 * secs),
            truncated="disconnect" if CUT in response.flags else "",
        )
        return response


def header_pairs(headers: Headers) -> Iterator[tuple[bytes, bytes]]:
    """Yield the name and the value of each line of *headers*."""
    for name, values in headers.items():
        for value in values or ():
            yield name, value
