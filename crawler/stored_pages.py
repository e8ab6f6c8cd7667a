"""Pages as WARC files hold them, decoded by the components that a crawl decodes answers with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.crawler import Crawler
from scrapy.http import Request, Response
from scrapy.settings import Settings
from scrapy.spiders import Spider
from scrapy.statscollectors import DummyStatsCollector

from crawler.downloadermiddlewares.compression import UNDECODABLE, CompressionMiddleware
from crawler.downloadermiddlewares.warc import WarcMiddleware
from crawler.ranking.corpus_pagelets import StoredPage
from crawler.seeds.warc import WarcReader
from crawler.urls import page_key, page_url

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from crawler.page import PageLimits
    from crawler.seeds.warc import WarcResponse

_OK = 200


def stored_pages(paths: list[Path], limits: PageLimits) -> Iterator[StoredPage]:
    """Yield the answers of status 200 in the files *paths*, decoded, without a body where it cannot be."""
    decoder = _Decoder(limits)
    for path in paths:
        for record in WarcReader(path, max_bytes=limits.max_bytes):
            if (page := decoder.page(record)) is not None:
                yield page


def stored_page(path: Path, offset: int, limits: PageLimits) -> StoredPage | None:
    """Return the answer whose record begins at *offset* in the file *path*, as `stored_pages` does."""
    record = next(iter(WarcReader(path, max_bytes=limits.max_bytes, start=offset)), None)
    return None if record is None else _Decoder(limits).page(record)


class _Decoder:
    """What a crawl decodes answers with."""

    def __init__(self, limits: PageLimits) -> None:
        crawler = Crawler(Spider, Settings({"DOWNLOAD_MAXSIZE": limits.max_bytes}))
        crawler.stats = DummyStatsCollector(crawler)
        self._answers, self._codings = WarcMiddleware(), CompressionMiddleware(crawler=crawler)

    def page(self, record: WarcResponse) -> StoredPage | None:
        """Return the page of *record*, None when it has another status than 200 or no address of the web."""
        if record.status != _OK or (key := page_key(record.url)) is None:
            return None
        request = Request(page_url(key), meta={"winnow_warc": record})
        answer = self._answers.process_request(request)
        assert answer is not None
        content_type = answer.headers.get("Content-Type")
        return StoredPage(
            request.url,
            record.fetched_at.timestamp() if record.fetched_at else 0.0,
            None if content_type is None else content_type.decode("latin-1"),
            self._decoded(request, answer),
        )

    def _decoded(self, request: Request, answer: Response) -> bytes | None:
        try:
            decoded = self._codings.process_response(request, answer)
        except UNDECODABLE:
            return None
        assert isinstance(decoded, Response)
        return decoded.body
