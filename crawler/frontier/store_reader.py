"""What a crawl asks its journal while it works."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.durable.keys import u64_key, u64_of
from crawler.durable.sealing import read_shards
from crawler.urls import page_url
from crawler.webgraph.page_table import PageTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from crawler.durable.journal import Journal
    from crawler.durable.sealing import Shard
    from crawler.frontier.frontier import Frontier
    from crawler.urls import PageKey
    from crawler.webgraph.page_table import Found

# Rows of a table that are copied in one read transaction.
COPY_ROWS = 10_000


class StoreReader:
    """Look-ups in *journal*: what is committed, and for `is_seen` what is out as well."""

    journal: Journal
    frontier: Frontier

    def lookup(self, keys: Sequence[PageKey]) -> Found:
        """Return ids and states of *keys*."""
        with self.journal.read() as txn:
            return PageTable(txn).find(keys)

    def is_seen(self, key: PageKey) -> bool:
        """Tell whether the page of *key* is done, refused, leased, or waits for its commit."""
        with self.journal.read() as txn:
            page_id = PageTable(txn).find_one(key)
        return page_id is not None and self.frontier.is_seen(page_id)

    def url_of(self, page_id: int) -> str:
        """Return the URL of *page_id*; raise `KeyError` when it was never given."""
        with self.journal.read() as txn:
            return page_url(PageTable(txn).key_of(page_id))

    def find_digest(self, digest: bytes) -> int | None:
        """Return the page that is kept with the main text of *digest*, None when there is none."""
        with self.journal.read() as txn:
            raw = txn.get("digests", digest)
        return None if raw is None else u64_of(raw)

    def simhashes(self) -> Iterator[tuple[int, int]]:
        """Yield (page id, simhash) of all pages kept, by page id."""
        start = b""
        while True:
            rows = []
            with self.journal.read() as txn:
                for row in txn.scan("simhashes", start):
                    rows.append(row)
                    if len(rows) == COPY_ROWS:
                        break
            for key, value in rows:
                yield u64_of(key), u64_of(value)
            if len(rows) < COPY_ROWS:
                return
            start = u64_key(u64_of(rows[-1][0]) + 1)

    def shards(self) -> list[Shard]:
        """Return the recorded shards, in the order of their names."""
        with self.journal.read() as txn:
            return read_shards(txn)
