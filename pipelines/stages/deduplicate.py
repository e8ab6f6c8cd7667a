"""Stage ``deduplicate``: drops pages whose main text is stored already, or nearly so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipelines.duplicates.exact import text_digest
from pipelines.duplicates.simhash import simhash
from pipelines.duplicates.simhash_index import SimhashIndex
from pipelines.stages.base import Stage

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler

    from crawler.durable.capture import Capture
    from crawler.items import Page
    from crawler.page import PageModel


class DeduplicateStage(Stage):
    """Compares the main text with everything stored so far, over restarts too.

    Exact copies are found in the journal's table ``digests``, near ones by simhash in memory (see
    :class:`SimhashIndex` for its bytes a document), which is filled from table ``simhashes`` at
    start. What a page adds to both is part of its own commit; ``pending`` holds it until then.

    Settings: ``DEDUP_SIMHASH_DISTANCE``. Reasons: ``duplicate``, ``near_duplicate``.
    """

    name = "deduplicate"

    def __init__(self, crawler: Crawler, distance: int):
        self.crawler = crawler
        self.distance = distance
        self.index = SimhashIndex(distance)
        self.pending: dict[bytes, int] = {}
        self.digests: dict[int, bytes] = {}  # the other way round

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        stage = cls(crawler, crawler.settings.getint("DEDUP_SIMHASH_DISTANCE"))
        stage.attach(crawler)
        return stage

    def open_spider(self) -> None:
        # The scheduler opens the store before any pipeline is opened.
        self.store: Any = self.crawler.engine.scheduler.store  # type: ignore[union-attr]
        self.store.on_commit.append(self._committed)
        if self.distance:
            for page_id, value in self.store.simhashes():
                self.index.add(value, page_id)

    def _committed(self, captures: list[Capture]) -> None:
        for capture in captures:
            # Not by the capture's digest: a later stage may have rejected the page, and cleared it.
            digest = self.digests.pop(capture.page_id, None)
            if digest is not None:
                self.pending.pop(digest, None)

    def work(self, page: Page, model: PageModel) -> None:
        assert page.text is not None
        digest = text_digest(page.text)
        page_id = page.host_id << 32 | page.local_id
        original = self.pending.get(digest)
        if original is None:
            original = self.store.find_digest(digest)
        if original is not None and original != page_id:
            raise self.drop(page, "duplicate", duplicate_of=self.store.url_of(original))
        value = simhash(page.text)
        # A text without words has simhash 0 and is like no other.
        comparable = self.distance > 0 and value != 0
        near = self.index.nearest(value) if comparable else None
        if near is not None and near != page_id:
            raise self.drop(page, "near_duplicate", duplicate_of=self.store.url_of(near))
        self.pending[digest] = page_id
        self.digests[page_id] = digest
        if comparable:
            self.index.add(value, page_id)
        page.digest, page.simhash = digest.hex(), value
        if model.capture is not None:
            model.capture.digest, model.capture.simhash = digest, value
