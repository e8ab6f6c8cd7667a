"""The crawl of WARC files: the same middleware and pipelines, no network."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.http import Request
from scrapy.settings import SETTINGS_PRIORITIES

from crawler.engine import scheduler_of
from crawler.errors import InputError, tell
from crawler.policies import robots_agent
from crawler.seeds.named_warcs import check_warcs, find_warcs, record_kinds
from crawler.seeds.warc import WarcReader, WarcResponse, withdrawal
from crawler.seeds.warc_revisits import WarcRevisit
from crawler.spiders.base import WinnowSpider, require
from crawler.urls import page_key, page_url
from crawler.wording import counted

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping
    from pathlib import Path

    from scrapy.settings import BaseSettings

    from crawler.urls import PageKey

    Record = WarcResponse | WarcRevisit

# Pages whose ids are given in one transaction, and the bytes of bodies they may hold meanwhile.
CHUNK_PAGES = 100
CHUNK_BYTES = 32 * 2**20

# Seconds to wait while the engine has enough to do.
BACKOUT_SECS = 0.002


class WarcSpider(WinnowSpider):
    """``crawl warc -a paths=GLOB`` and the limits of every spider; links become arcs, none is followed.

    Of several captures of one canonical URL the latest counts (crawler.frontier.store.claims). One that is read after
    an earlier one is processed, too, and takes the place of its row, which goes to ``replaced/``; one that is read
    before is listed there, and costs no more. So files are read from the last, by name, to the first, and no record is
    read twice: to choose before would cost all archives a second pass, and do nothing for files that are added. But for
    revisits: all is read again at the end if one makes an answer the latest that was passed over before, or names one
    by its digest alone, of a page that was met before. One that withdraws its page (a 304 with ``noindex``) is a
    capture itself. What a crawl of ours noted of an answer is read with it: the page's depth, and the categories that
    its host had, which are the host's here, too.

    Stats: ``warc/responses``, ``warc/new`` (those of them that are processed), ``warc/revisits``,
    ``warc/revisits_of_others`` (that name no answer of their page by date or digest: they say nothing),
    ``warc/same_url``, ``warc/no_key``, ``warc/not_http``, ``warc/segmented``, ``warc/truncated``,
    ``warc/broken_files``, ``warc/unread_files``.
    """

    name = "warc"
    arguments = ("paths",)
    follow_links: ClassVar[bool] = False

    def __init__(self, paths: str = "", **arguments: Any):
        super().__init__(**arguments)
        self.paths = paths
        # Whether a revisit names an answer that was read before it, when another one had the page.
        self._names_earlier = False
        # Files that were read to their end, while some of their answers were not handed out yet.
        self._n_ended = 0

    @classmethod
    def check(cls, arguments: Mapping[str, str], settings: BaseSettings) -> None:
        super().check(arguments, settings)
        # In the settings of a project it is for its other crawls.
        asked = settings.getpriority("WARC_ENABLED") == SETTINGS_PRIORITIES["cmdline"]
        if asked and settings.getbool("WARC_ENABLED"):
            raise InputError(
                "crawl warc keeps no WARC files of what it reads; leave WARC_ENABLED out"
            )
        check_warcs(find_warcs(require(arguments, "paths", "GLOB")))

    async def start(self) -> AsyncIterator[Any]:
        """Yield one Request a stored response, never more than the engine can take."""
        self.crawler.stats.set_value("warc/unread_files", len(find_warcs(self.paths)))
        async for request in self._requests(is_again=False):
            yield request
        if self._names_earlier:
            scheduler = scheduler_of(self.crawler)
            scheduler.foreign.n_beyond = 0  # it is offered once more
            async for request in self._requests(is_again=True):
                yield request

    async def _requests(self, *, is_again: bool) -> AsyncIterator[Request]:
        engine: Any = self.crawler.engine
        for chunk in self._chunks(is_again=is_again):
            revisits = [(key, each) for key, each in chunk if isinstance(each, WarcRevisit)]
            answers = [(key, each) for key, each in chunk if isinstance(each, WarcResponse)]
            keys = [key for key, _ in answers]
            while engine.scheduler.is_at_work_on(keys):
                await asyncio.sleep(BACKOUT_SECS)
            if revisits and engine.scheduler.note_revisits(revisits):
                self._names_earlier = True
            taken = engine.scheduler.claim(answers, is_again=is_again)
            self.crawler.stats.inc_value("warc/new", 0 if is_again else len(taken))
            for key, record in taken:
                while engine.needs_backout() or engine.scheduler.foreign:
                    await asyncio.sleep(BACKOUT_SECS)
                yield warc_request(key, record)
            self.crawler.stats.inc_value("warc/unread_files", -self._n_ended)
            self._n_ended = 0
            await asyncio.sleep(0)

    def _chunks(self, *, is_again: bool) -> Iterator[list[tuple[PageKey, Record]]]:
        chunk: list[tuple[PageKey, Record]] = []
        n_bytes = 0
        for record in self._records(is_again=is_again):
            key = page_key(record.url)
            if key is None:
                self.crawler.stats.inc_value("warc/no_key", int(not is_again))
                continue
            chunk.append((key, record))
            n_bytes += len(record.body) if isinstance(record, WarcResponse) else 0
            if len(chunk) >= CHUNK_PAGES or n_bytes >= CHUNK_BYTES:
                yield chunk
                chunk, n_bytes = [], 0
        yield chunk

    def _records(self, *, is_again: bool) -> Iterator[Record]:
        settings = self.crawler.settings
        # 0 is no limit of Scrapy's.
        max_bytes = settings.getint("DOWNLOAD_MAXSIZE") or settings.getint("PAGE_MAX_BYTES")
        for path in reversed(find_warcs(self.paths)):
            reader = WarcReader(path, max_bytes=max_bytes)
            if is_again:
                yield from (each for each in reader.records() if isinstance(each, WarcResponse))
            else:
                yield from self._counted(reader)

    def _counted(self, reader: WarcReader) -> Iterator[Record]:
        """Yield the records of *reader*; count them, and say what is wrong with the file."""
        stats, n_read = self.crawler.stats, 0
        agent = robots_agent(self.crawler.settings)
        for record in reader.records():
            withdrawn = withdrawal(record, agent)
            if isinstance(record, WarcResponse):
                n_read += 1
                stats.inc_value("warc/responses")
                stats.inc_value("warc/truncated", int(record.truncated))
            else:
                stats.inc_value("warc/revisits")
                says_nothing = withdrawn is None and record.refers_to is None and not record.digest
                stats.inc_value("warc/revisits_of_others", int(says_nothing))
            yield withdrawn or record
        self._n_ended += 1
        stats.inc_value("warc/not_http", reader.skipped)
        stats.inc_value("warc/segmented", reader.segmented)
        if reader.broken is not None:
            stats.inc_value("warc/broken_files")
            where = counted(reader.n_damages, "place")
            self._tell(reader.path, f"is damaged in {where}: {reader.broken}")
        elif not n_read + reader.segmented:
            kinds = ", ".join(record_kinds(reader.path))
            self._tell(reader.path, f"holds no answer to a request, only records of type {kinds}")

    def _tell(self, path: Path, what: str) -> None:
        """Log what a file is; without a log it stands between the lines of progress, in a fleet once."""
        settings = self.crawler.settings
        if settings.getbool("LOG_ENABLED"):
            self.logger.error("%(path)s %(what)s", {"path": path, "what": what})
        elif not settings.getint("FLEET_SHARD"):  # every process of a fleet reads all files
            tell(f"{path} {what}")


def warc_request(key: PageKey, record: WarcResponse) -> Request:
    """Return the Request that the WARC middleware answers with *record*."""
    return Request(page_url(key), meta={"winnow_warc": record}, dont_filter=True)
