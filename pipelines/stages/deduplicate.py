"""Stage ``deduplicate``: drops pages whose main text is stored already, or nearly so."""

from __future__ import annotations

import logging
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import DropItem

from crawler.engine import scheduler_of, was_told_before
from crawler.errors import InputError, StoppedError, interruptible, tell
from crawler.telling import MANY_DOCUMENTS, ReadingTeller, Teller
from pipelines.corpus.corpus import Corpus
from pipelines.corpus.rows import stored_row
from pipelines.duplicates.exact import bytes_digest, text_digest
from pipelines.duplicates.near_index.rows import TABLE, KeptPage, KnownDigests, put_digests
from pipelines.duplicates.near_index.store import StoredIndex
from pipelines.duplicates.simhash import NGRAM_WORDS, simhash, simhash_of_hashes
from pipelines.jobs.dedup.crawl_blocks import MARK, CrawlBlocks, cleaned_text
from pipelines.jobs.dedup.crawl_end import NOT_RANKED, can_close, close_crawl
from pipelines.jobs.dedup.options import DedupOptions
from pipelines.stages.base import Stage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

    import numpy as np
    import numpy.typing as npt
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from crawler.durable.capture import Capture
    from crawler.durable.journal import Journal
    from crawler.items import Page
    from crawler.page import PageModel
    from pipelines.duplicates.near_index.store import Copy

    U64 = npt.NDArray[np.uint64]

logger = logging.getLogger(__name__)

_DECIDING = "deciding over duplicates"
_REMAKING = "reading the documents of before"


class DeduplicateStage(Stage):
    """Compares the main text with everything stored so far, over restarts too.

    With ``DEDUP_BLOCKS_COVERAGE`` blocks of the page that others have are left out too, as long as
    nothing else is decided (:mod:`pipelines.jobs.dedup.crawl_blocks`).

    The verdict is provisional: a page that is dropped is committed whole, to table ``provisional``. When
    the crawl is at its end, nothing being left to fetch, the closing pass decides over all pages
    (:mod:`pipelines.jobs.dedup.closing`); after an interruption it waits for the end. Copies are found by
    :class:`StoredIndex`, see there for its bytes a document.

    One process of a fleet decides nothing at its end: its parent does, over all.

    Settings: ``FLEET_ADDRESS``, ``DEDUP_METHOD``, ``DEDUP_THRESHOLD``, ``DEDUP_SHINGLE_WORDS``,
    ``DEDUP_SIMHASH_DISTANCE``, ``DEDUP_KEEP``, ``DEDUP_MEMORY_BYTES``, ``DEDUP_BLOCKS_COVERAGE``,
    ``DEDUP_BLOCKS_BYTES``. Reasons: ``duplicate_bytes`` (the same page to the byte), ``duplicate`` (the same main
    text), ``near_duplicate``. Stats, besides: ``deduplicate/pages_with_blocks_left_out``; of the closing pass
    ``deduplicate/taken_back``, ``deduplicate/dropped_late`` and ``deduplicate/blocks_removed``, or, where a signal
    ended it, ``finish/stopped_while``. It also corrects the numbers of reasons and ``store/pages``.
    """

    name = "deduplicate"

    def __init__(self, crawler: Crawler, options: DedupOptions, blocks: CrawlBlocks | None):
        self.crawler = crawler
        self.options = options
        self.rule = options.rule
        self.blocks = blocks
        self.is_idle = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        options = dedup_options(crawler.settings)
        stage = cls(crawler, options, _crawl_blocks(crawler.settings, options))
        stage.attach(crawler)
        crawler.signals.connect(stage.spider_idle, signals.spider_idle)
        return stage

    def open_spider(self) -> None:
        # The scheduler opens the store before any pipeline is opened.
        self.store: Any = scheduler_of(self.crawler).store
        self.index = StoredIndex(self.store.journal, self.rule)
        if self.index.is_stale:
            self._remake()
        if self.blocks is not None:
            self._read_blocks(self.blocks)
        self.store.on_commit.append(self._committed)
        self.store.sealers.append(self._seal)

    def spider_idle(self) -> None:
        self.is_idle = True  # the last time before the spider closes, if no page comes after it

    def work(self, page: Page, model: PageModel) -> None:
        assert page.text is not None
        self.is_idle = False
        digest, shingles = text_digest(page.text), self.rule.shingles(page.text)
        kept = KeptPage(
            page.host_id << 32 | page.local_id,
            int.from_bytes((model.body_digest or bytes_digest(model.source))[:8], "little"),
            self.rule.signature(page.text, digest, shingles),
        )
        copy, likeness = self.index.find(kept)
        if copy is None and self.blocks is not None and self.blocks.leave_out(model):
            self._leave_out(page, model)
            digest, shingles = text_digest(page.text), self.rule.shingles(page.text)
        page.digest, page.simhash = digest.hex(), self._simhash(page.text, shingles)
        if copy is not None:
            raise self._drop_provisionally(page, model, copy, kept.raw)
        if model.capture is not None:
            model.capture.likeness = likeness
            model.capture.puts.append(self.index.add(kept))

    def _simhash(self, text: str, shingles: npt.NDArray[np.uint64]) -> int:
        is_same = self.rule.shingle_words == NGRAM_WORDS
        return simhash_of_hashes(shingles) if is_same else simhash(text)

    def _leave_out(self, page: Page, model: PageModel) -> None:
        """Take the blocks out of *page* that were found to be duplicates."""
        assert model.kept is not None
        page.text = model.main_text(model.kept)
        page.n_words = int(model.blocks.n_words[model.kept].sum())
        self.stats.inc_value("deduplicate/pages_with_blocks_left_out")
        if model.capture is not None:
            model.capture.puts.append((TABLE, MARK, b""))

    def _drop_provisionally(
        self, page: Page, model: PageModel, copy: Copy, raw_digest: int
    ) -> DropItem:
        self.stats.inc_value(f"{self.name}/dropped/{copy.reason}")
        if model.capture is not None:
            model.capture.table = "provisional"
            model.capture.row = {
                **stored_row(page, model),
                "reason": copy.reason,
                "duplicate_of": self.store.url_of(copy.page_id),
                "raw_digest": raw_digest,
            }
        page.attach(None)
        return DropItem(copy.reason, log_level=logging.getLevelName(logging.DEBUG))

    def _committed(self, captures: list[Capture]) -> None:
        for capture in captures:
            self.index.committed(capture.page_id, kept=capture.table == "documents")

    def _remake(self) -> None:
        """Make the signatures of what is kept, of a corpus that has none of this rule; a signal ends it."""
        corpus = Corpus(self.store.corpus_dir, self.store.journal)
        n_documents = corpus.n_rows("documents")
        if not n_documents:
            self.index.remake(())
            return
        _tell_of(n_documents, "copies of them")
        # Read first: making the index anew begins by forgetting the rows that these stand in.
        digests = KnownDigests([self.store.journal])
        try:
            # It takes minutes for a million pages, and the engine hears no signal before its end.
            with interruptible(_REMAKING, was_told_before):
                self.index.remake(self._kept_pages(corpus, digests))
        except StoppedError:
            put_digests(self.store.journal, digests)
            raise

    def _read_blocks(self, blocks: CrawlBlocks) -> None:
        """Have *blocks* know those that are kept; a signal ends it."""
        corpus = Corpus(self.store.corpus_dir, self.store.journal)
        _tell_of(corpus.n_rows("documents"), "copies of their blocks")
        with interruptible(_REMAKING, was_told_before):
            blocks.read(corpus)

    def _kept_pages(self, corpus: Corpus, digests: KnownDigests) -> Iterator[KeptPage]:
        for row in corpus.documents(["host_id", "local_id", "text", "blocks"]):
            text = cleaned_text(row["blocks"] or ()) or row["text"] or ""
            page_id = row["host_id"] << 32 | row["local_id"]
            signature = self.rule.signature(text, text_digest(text))
            yield KeptPage(page_id, digests.of(page_id), signature)

    def _seal(self, journal: Journal, *, force: bool = False) -> int:
        """Close the crawl when it is at its end; return 0, the number of shards sealed."""
        if not force:
            return 0
        if not (self._is_end() and self._close(journal)):
            self.index.save()
        return 0

    def _is_end(self) -> bool:
        """Tell whether nothing is left to fetch, and the keep rule can be asked."""
        settings = self.crawler.settings
        if settings["FLEET_ADDRESS"] or settings["CLUSTER_URL"]:
            return False  # its parent, or who merges them, decides over all shards together
        if not self.is_idle or self.store.has_pending(time.monotonic()):
            return False
        if not can_close(self.store.corpus_dir, self.options):
            logger.warning(NOT_RANKED, extra={"spider": self.crawler.spider})
            return False
        return True

    def _close(self, journal: Journal) -> bool:
        """Run the closing pass; tell whether it changed what is kept, or may have."""
        logger.info("Deciding over duplicates", extra={"spider": self.crawler.spider})
        with_blocks = self.blocks is not None
        folder = self.store.corpus_dir
        teller = Teller(self.crawler.settings, logger)
        progress = ReadingTeller(_DECIDING.capitalize(), partial(teller.tell, level=logging.INFO))
        try:
            # It takes minutes for a million pages, and nothing else hears of a signal meanwhile.
            with interruptible(_DECIDING):
                end = close_crawl(
                    folder, [journal], self.options, with_blocks=with_blocks, progress=progress
                )
        except StoppedError as error:
            tell(f"winnow: {error}")
            self.stats.set_value("finish/stopped_while", _DECIDING)
            return True  # the index is made anew, as after a crash: a part may be committed
        for name, n_more in end.stats.items():
            self.stats.inc_value(name, n_more)
        return end.has_changed


def _tell_of(n_documents: int, what: str) -> None:
    """Tell that *n_documents* are read to find *what*, if it takes its time."""
    if n_documents >= MANY_DOCUMENTS:
        tell(f"Reading {n_documents:,} documents of before, to find {what}")


def _crawl_blocks(settings: BaseSettings, options: DedupOptions) -> CrawlBlocks | None:
    if not settings.getfloat("DEDUP_BLOCKS_COVERAGE"):
        return None
    try:
        n_bytes = settings.getint("DEDUP_BLOCKS_BYTES")
        return CrawlBlocks(options.ngram_words, options.coverage, n_bytes=n_bytes)
    except ValueError as error:
        raise InputError(f"DEDUP_BLOCKS_BYTES: {error}; change it") from error


def dedup_options(settings: BaseSettings) -> DedupOptions:
    """Return what *settings* say of duplicates; `InputError` for a value that is out of range."""
    try:
        return DedupOptions(
            method=settings["DEDUP_METHOD"],
            threshold=settings.getfloat("DEDUP_THRESHOLD"),
            shingle_words=settings.getint("DEDUP_SHINGLE_WORDS"),
            distance=settings.getint("DEDUP_SIMHASH_DISTANCE"),
            keep=settings["DEDUP_KEEP"],
            coverage=settings.getfloat("DEDUP_BLOCKS_COVERAGE") or DedupOptions().coverage,
            memory=settings.getint("DEDUP_MEMORY_BYTES"),
        )
    except ValueError as error:
        raise InputError(f"{error}; change the setting DEDUP_…") from error


def is_on(settings: BaseSettings) -> bool:
    """Tell whether *settings*, a project's own, leave the stage in the row of stages."""
    own = settings.getdict("ITEM_PIPELINES")
    names = (DeduplicateStage, f"{DeduplicateStage.__module__}.{DeduplicateStage.__name__}")
    return all(own.get(name, 0) is not None for name in names)
