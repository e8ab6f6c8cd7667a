"""Stage ``store``: completes the page's row and hands it to the commit."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from crawler.durable.sealing import read_shards
from crawler.engine import scheduler_of
from crawler.signals import shard_joins
from pipelines.corpus.manifest import settings_digest, write_manifest
from pipelines.corpus.rows import stored_row
from pipelines.corpus.rules import MAY_CHANGE, disagreement
from pipelines.corpus.shards import ShardSealer
from pipelines.jobs.replacing import move_stale
from pipelines.stages.base import Stage
from pipelines.stages.rules import rules_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from scrapy.crawler import Crawler

    from crawler.durable.journal import Journal
    from crawler.items import Page
    from crawler.page import PageModel


# Seconds between two manifests of a running crawl.
MANIFEST_SECS = 60.0


class StoreStage(Stage):
    """Fills ``blocks``, writes the document row into the open capture, and lets the page go.

    The commit itself is the scheduler's; what seals the shards and writes the manifest after it is
    registered here. A crawl whose settings are other rules than those of its corpus does not start
    (:mod:`pipelines.corpus.rules`). Settings: ``SEAL_ROWS``, ``SEAL_BYTES``, ``FLEET_ADDRESS``, and those of
    :mod:`pipelines.stages.rules`.
    """

    name = "store"

    def __init__(self, crawler: Crawler, rules: list[dict[str, Any]]):
        self.crawler = crawler
        self.rules = rules

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        is_of_fleet = crawler.settings["FLEET_ADDRESS"]  # its parent knows them, and writes them
        stage = cls(crawler, [] if is_of_fleet else rules_of(crawler.settings))
        stage.attach(crawler)
        crawler.signals.connect(stage.join, shard_joins)
        return stage

    def join(self, share_rules: Callable[..., dict[str, Any]]) -> str | None:
        """Return why this shard cannot join others, whose rules may be other ones; None if it can."""
        own = self.rules[-1]["settings"]
        may_change = self.crawler.settings.getbool(MAY_CHANGE)
        return disagreement(share_rules(own, may_change=may_change), own)

    def open_spider(self) -> None:
        store = scheduler_of(self.crawler).store
        settings = self.crawler.settings
        self.shards = ShardSealer(
            store.corpus_dir,
            rows=settings.getint("SEAL_ROWS"),
            n_bytes=settings.getint("SEAL_BYTES"),
        )
        manifest = ManifestWriter(store, settings_digest(settings.copy_to_dict()), self.rules)
        store.sealers.append(self._seal)
        if not settings["FLEET_ADDRESS"]:  # else its parent writes the one manifest
            store.sealers.append(manifest)
            manifest(store.journal, force=True)

    def _seal(self, journal: Journal, *, force: bool = False) -> int:
        """Seal what is due, and at the crawl's end move what later visits replaced; return the shards sealed."""
        scheduler = scheduler_of(self.crawler)
        if force and scheduler.is_ended_by_parent:
            return 0  # which seals what waits as its closing pass leaves it: written once
        n_shards = self.shards(journal, force=force)
        if force and not scheduler.store.has_pending():
            move_stale(scheduler.store.corpus_dir, [journal])
        return n_shards

    def work(self, page: Page, model: PageModel) -> None:
        row = stored_row(page, model)
        if model.capture is not None:
            model.capture.keep(row)
        page.attach(None)


class ManifestWriter:
    """Writes the manifest of *store* at most each minute, and when forced."""

    def __init__(self, store: Any, settings: str, rules: list[dict[str, Any]]):
        self.store = store
        self.settings = settings
        self.rules = rules
        self.written = time.monotonic()

    def __call__(self, journal: Journal, *, force: bool = False) -> int:
        """Write the manifest if it is due; return 0, the number of shards sealed."""
        if force or time.monotonic() - self.written >= MANIFEST_SECS:
            self.written = time.monotonic()
            with journal.read() as txn:
                shards = read_shards(txn)
            write_manifest(
                self.store.corpus_dir,
                settings=self.settings,
                counts=self.store.counts(),
                shards=shards,
                rules=self.rules,
            )
        return 0
