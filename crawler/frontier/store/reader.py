"""What a crawl asks its journal while it works."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.durable.page_state import PageState
from crawler.durable.sealing import read_shards
from crawler.urls import page_url
from crawler.webgraph.pages.table import PageTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from crawler.durable.journal import Journal
    from crawler.durable.sealing import Shard
    from crawler.frontier.frontier import Frontier
    from crawler.urls import PageKey
    from crawler.webgraph.pages.table import Found


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

    def shards(self) -> list[Shard]:
        """Return the recorded shards, in the order of their names."""
        with self.journal.read() as txn:
            return read_shards(txn)

    def counts(self) -> dict[str, int]:
        """Return the numbers of hosts, of pages, of pages by state, and of those that are out.

        All but the last two are of what is committed; ``queued`` are the pages yet to be leased,
        late ones included. Answers after :meth:`close` too.
        """
        self.frontier.batch.give_back()
        by_state = self.frontier.counts.tolist()
        counts = {state.name.lower(): by_state[state] for state in PageState}
        counts["queued"] = self.frontier.hosts.n_ready + counts["late"]
        return counts | {
            "hosts": len(self.frontier.memory.hosts),
            "pages": sum(by_state),
            "leased": len(self.frontier.leases),
        }
