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

_OK = 200


def stored_pages(paths: list[Path], limits: PageLimits) -> Iterator[StoredPage]:
    """Yield the answers of status 200 in the files *paths*, decoded, without a body where it cannot be."""
    settings = Settings({"DOWNLOAD_MAXSIZE": limits.max_bytes})
    crawler = Crawler(Spider, settings)
    crawler.stats = DummyStatsCollector(crawler)
    answers, codings = WarcMiddleware(), CompressionMiddleware(crawler=crawler)
    for path in paths:
        for record in WarcReader(path, max_bytes=limits.max_bytes):
            if record.status != _OK or (key := page_key(record.url)) is None:
                continue
            request = Request(page_url(key), meta={"winnow_warc": record})
            answer = answers.process_request(request)
            assert answer is not None
            content_type = answer.headers.get("Content-Type")
            yield StoredPage(
                request.url,
                record.fetched_at.timestamp() if record.fetched_at else 0.0,
                None if content_type is None else content_type.decode("latin-1"),
                _decoded(codings, request, answer),
            )


def _decoded(codings: CompressionMiddleware, request: Request, answer: Response) -> bytes | None:
    try:
        decoded = codings.process_response(request, answer)
    except UNDECODABLE:
        return None
    assert isinstance(decoded, Response)
    return decoded.body
