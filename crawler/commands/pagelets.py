"""``scrapy pagelets``: writes the pagelets' links and the templates of a crawl, for ``scrapy hits``."""

from __future__ import annotations

import json
import sys
import zlib
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import brotli
from scrapy.exceptions import IgnoreRequest

from crawler.commands.base import WinnowCommand, add_values, check_no_extras
from crawler.errors import InputError
from crawler.urls import page_key, page_url

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from crawler.page import PageLimits
    from crawler.ranking.corpus_pagelets import StoredPage

_OPTIONS = (
    ("corpus", None, "corpus folder (default: setting CORPUS_DIR)"),
    ("warc", None, "the WARC files of its pages, a glob (default: warc/ in the corpus folder)"),
)
_OK = 200
# What a body that is not coded as it says makes the decoders raise.
_UNDECODABLE = (
    *(IgnoreRequest, brotli.error, zlib.error, zstd.ZstdError),
    *(EOFError, OSError, ValueError),
)


class Command(WinnowCommand):
    """Options as in `_OPTIONS`; results on stdout, as a screen or with ``--json`` as an object."""

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Find the pagelets and templates of a crawl"

    def long_desc(self) -> str:
        return (
            "Divide the pages of a corpus folder into pagelets, find those that are templates "
            "(Bar-Yossef and Rajagopalan 2002, figure 5), and write the links of all to "
            "ranks/pagelets.parquet and the templates to ranks/templates.parquet there, for "
            "`scrapy hits --pagelets --templates`. Pages are read from WARC files: those of a crawl "
            "with WARC_ENABLED, or those that `crawl warc` read."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add_values(parser, _OPTIONS)
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        check_no_extras(args, allowed=0)
        from crawler.page import page_limits
        from crawler.ranking.corpus_pagelets import write_pagelets
        from crawler.seeds.warc import check_warc, find_warcs

        assert self.settings is not None
        corpus = Path(opts.corpus or self.settings["CORPUS_DIR"])
        if opts.warc:
            paths = find_warcs(opts.warc)
        elif not (paths := sorted((corpus / "warc").glob("*.warc.gz"))):
            raise InputError(
                f"no WARC files in {corpus / 'warc'}; give --warc, or crawl with WARC_ENABLED=1"
            )
        for path in paths:
            check_warc(path)
        try:
            limits = page_limits(self.settings)
        except ValueError as error:
            raise InputError(f"setting PAGE_…: {error}") from error
        report = write_pagelets(corpus, _stored_pages(paths, limits), limits=limits)
        print(json.dumps(asdict(report)) if opts.json else report.screen())


def _stored_pages(paths: list[Path], limits: PageLimits) -> Iterator[StoredPage]:
    """Yield the answers of status 200 in the files *paths*, decoded; what cannot be is left out."""
    from scrapy.crawler import Crawler
    from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
    from scrapy.http import Request, Response
    from scrapy.settings import Settings
    from scrapy.spiders import Spider
    from scrapy.statscollectors import DummyStatsCollector

    from crawler.downloadermiddlewares.warc import WarcMiddleware
    from crawler.ranking.corpus_pagelets import StoredPage
    from crawler.seeds.warc import WarcReader

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
            try:
                decoded = codings.process_response(request, answer)
            except _UNDECODABLE:
                continue
            assert isinstance(decoded, Response)
            content_type = decoded.headers.get("Content-Type")
            yield StoredPage(
                request.url,
                record.fetched_at.timestamp() if record.fetched_at else 0.0,
                None if content_type is None else content_type.decode("latin-1"),
                decoded.body,
            )
