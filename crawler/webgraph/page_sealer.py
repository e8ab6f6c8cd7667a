"""When the page table is sealed into runs, and when its snapshot is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.webgraph.address_space import trim_heap
from crawler.webgraph.page_snapshot import FILE, write_snapshot
from crawler.webgraph.page_table import page_memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from crawler.durable.journal import Journal
    from crawler.durable.transaction import Transaction
    from crawler.webgraph.page_memory import PageMemory

# At the end of a crawl, a snapshot is worth its time from so many pages on: 0.1 s of replaying.
_END_PAGES = 500_000


class PageSealer:
    """Seals the log ``disc`` of *journal* when it holds *n_pages* pages.

    A snapshot is written when *snapshot_pages* pages, and an eighth of all, were found since the last
    one, and at the end when that saves time. Seals at the end would make many small runs: what is
    left stays in the log.
    """

    def __init__(
        self,
        journal: Journal,
        *,
        n_pages: int,
        snapshot_pages: int,
    ) -> None:
        self.n_pages = n_pages
        self.snapshot_pages = snapshot_pages
        with journal.read() as txn:
            memory = page_memory(txn)
        self._saved = memory.n_pages if memory.is_of_snapshot else 0
        if not memory.is_of_snapshot:
            (journal.folder / FILE).unlink(missing_ok=True)

    def __call__(self, journal: Journal, *, force: bool = False) -> int:
        """Seal what is due; return 0, for no shard is made."""
        with journal.read() as txn:
            memory, name = page_memory(txn), txn.get("meta", b"name")
        if memory.tail.n >= self.n_pages:
            journal.write(lambda txn: _seal(memory, txn))
            trim_heap()
            journal.on_step("pages sealed")
        least = max(self.snapshot_pages, memory.n_pages // 8)
        if force:
            least = min(self.snapshot_pages, _END_PAGES)
        if name is not None and memory.n_pages - self._saved >= least:
            write_snapshot(journal.folder, memory, name)
            self._saved = memory.n_pages
            journal.on_step("snapshot written")
        return 0


def _seal(memory: PageMemory, txn: Transaction) -> None:
    sealed: Callable[[], None] = memory.seal(txn)
    txn.at_end.append(lambda committed: sealed() if committed else None)
