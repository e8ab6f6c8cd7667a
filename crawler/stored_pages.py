"""Pages as WARC files hold them, decoded by the components that a crawl decodes answers with."""

from __future__ import annotations

import sys
import zlib
from typing import TYPE_CHECKING

import brotli
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Request, Response
from scrapy.settings import Settings
from scrapy.spiders import Spider
from scrapy.statscollectors import DummyStatsCollector

from crawler.downloadermiddlewares.warc import WarcMiddleware
from crawler.ranking.corpus_pagelets import StoredPage
from crawler.seeds.warc import WarcReader
from crawler.urls import page_key, page_url

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from crawler.page import PageLimits

_OK = 200
# What a body that is not coded as it says makes the decoders raise.
_UNDECODABLE = (
    *(IgnoreRequest, brotli.error, zlib.error, zstd.ZstdError),
    *(EOFError, OSError, ValueError),
)


def stored_pages(paths: list[Path], limits: PageLimits) -> Iterator[StoredPage]:
    """Yield the answers of status 200 in the files *paths*, decoded, without a body where it cannot be."""
    settings = Settings({"DOWNLOAD_MAXSIZE": limits.max_bytes})
    crawler = Crawler(Spider, settings)
    crawler.stats = DummyStatsCollector(crawler)
    answers, codings = WarcMiddleware(), HttpCompressionMiddleware(crawler=crawler)
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


def _decoded(
    codings: HttpCompressionMiddleware, request: Request, answer: Response
) -> bytes | None:
    try:
        decoded = codings.process_response(request, answer)
    except _UNDECODABLE:
        return None
    assert isinstance(decoded, Response)
    return decoded.body
