"""Pages as WARC files hold them, decoded by the components that a crawl decodes answers with."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from scrapy.crawler import Crawler
from scrapy.http import Request, Response
from scrapy.settings import Settings
from scrapy.spiders import Spider
from scrapy.statscollectors import DummyStatsCollector

from crawler.downloadermiddlewares.compression import UNDECODABLE, CompressionMiddleware
from crawler.downloadermiddlewares.warc import WarcMiddleware
from crawler.errors import InputError
from crawler.ranking.corpus.answers import StoredPage
from crawler.seeds.warc import WarcReader
from crawler.urls import page_key, page_url

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from crawler.page import PageLimits
    from crawler.seeds.warc import WarcResponse


def stored_pages(paths: list[Path], limits: PageLimits) -> Iterator[StoredPage]:
    """Yield the answers of status 2xx, which a crawl takes for pages, in the files *paths*, decoded, without a body
    where it cannot be.
    """
    decoder = _Decoder(limits)
    for path in paths:
        for record in WarcReader(path, max_bytes=limits.max_bytes):
            if (page := decoder.page(record)) is not None:
                yield page


def stored_page(path: Path, offset: int, limits: PageLimits) -> StoredPage | None:
    """Return the answer whose record begins at *offset* in the file *path*, as `stored_pages` does."""
    record = next(iter(WarcReader(path, max_bytes=limits.max_bytes, start=offset)), None)
    return None if record is None else _Decoder(limits).page(record)


class StoredAnswers:
    """The answers of status 2xx in the files *paths*, read again by their places.

    Memory: 12 bytes an answer, once :meth:`urls` has named it.
    """

    def __init__(self, paths: list[Path], limits: PageLimits) -> None:
        self._paths = paths
        self._limits = limits
        self._decoder = _Decoder(limits)
        self._files, self._offsets = array("I"), array("Q")

    def urls(self) -> Iterator[tuple[str, float]]:
        """Yield canonical URL and time of each answer; their places, from 0 on, are what :meth:`page` takes.

        Raises :exc:`InputError` where an answer cannot be read again by its place alone.
        """
        del self._files[:], self._offsets[:]
        for number, path in enumerate(self._paths):
            is_first = True
            for record in WarcReader(path, max_bytes=self._limits.max_bytes):
                if (url := _url(record)) is not None:
                    self._files.append(number)
                    self._offsets.append(_offset(record, path))
                    if is_first:
                        self._check_again(url, path)
                    is_first = False
                    yield url, _when(record)

    def _check_again(self, url: str, path: Path) -> None:
        again = self.page(len(self._offsets) - 1)
        if again is None or again.url != url:
            raise _packed_together(path)

    def page(self, place: int) -> StoredPage | None:
        """Return the answer at *place*, decoded; None if its file has changed since it was named."""
        reader = WarcReader(
            self._paths[self._files[place]],
            max_bytes=self._limits.max_bytes,
            start=self._offsets[place],
        )
        record = next(iter(reader), None)
        return None if record is None else self._decoder.page(record)


def _url(record: WarcResponse) -> str | None:
    """Return the canonical URL of *record*, None when it has another status than 2xx or no address of the web."""
    key = page_key(record.url) if 200 <= record.status < 300 else None
    return None if key is None else page_url(key)


def _offset(record: WarcResponse, path: Path) -> int:
    place = record.source.rpartition(":")[2]
    if not place.isdigit():  # it stands behind another one that is read from there
        raise _packed_together(path)
    return int(place)


def _packed_together(path: Path) -> InputError:
    return InputError(
        f"{path} is packed as a whole, so none of its pages can be read alone; pack each record by itself, as `warcio recompress` does"
    )


def _when(record: WarcResponse) -> float:
    return record.fetched_at.timestamp()


class _Decoder:
    """What a crawl decodes answers with."""

    def __init__(self, limits: PageLimits) -> None:
        crawler = Crawler(Spider, Settings({"DOWNLOAD_MAXSIZE": limits.max_bytes}))
        crawler.stats = DummyStatsCollector(crawler)
        self._answers, self._codings = WarcMiddleware(), CompressionMiddleware(crawler=crawler)

    def page(self, record: WarcResponse) -> StoredPage | None:
        """Return the page of *record*, None when it has another status than 2xx or no address of the web."""
        if (url := _url(record)) is None:
            return None
        request = Request(url, meta={"winnow_warc": record})
        answer = self._answers.process_request(request)
        assert answer is not None
        content_type = answer.headers.get("Content-Type")
        return StoredPage(
            url,
            _when(record),
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
