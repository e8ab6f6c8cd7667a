"""When the page table is sealed into runs, and when its snapshot is written."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from crawler.webgraph.address_space import trim_heap
from crawler.webgraph.pages.snapshot import FILE, write_snapshot
from crawler.webgraph.pages.sorting import sorted_pages
from crawler.webgraph.pages.table import page_memory

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from crawler.durable.journal import Journal
    from crawler.durable.transaction import Transaction
    from crawler.webgraph.pages.memory import PageMemory
    from crawler.webgraph.pages.sorting import SortedPages

# At the end of a crawl, a snapshot is worth its time from so many pages on: 0.1 s of replaying.
_END_PAGES = 500_000


class PageSealer:
    """Seals the log ``disc`` of *journal* when it holds *n_pages* pages.

    A snapshot is written when *snapshot_pages* pages, and an eighth of all, were found since the last
    one, and at the end when that saves time. Seals at the end would make many small runs: what is
    left stays in the log.

    A run of *thread_pages* pages or more is sorted and packed by a thread while pages are found
    further; they are part of the next one.
    """

    def __init__(
        self,
        journal: Journal,
        *,
        n_pages: int,
        snapshot_pages: int,
        thread_pages: int,
    ) -> None:
        self.n_pages = n_pages
        self.snapshot_pages = snapshot_pages
        self.thread_pages = thread_pages
        with journal.read() as txn:
            memory = page_memory(txn)
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="pages")
        self._waiting: Future[SortedPages] | None = None
        self._saved = memory.n_pages if memory.is_of_snapshot else 0
        if not memory.is_of_snapshot:
            (journal.folder / FILE).unlink(missing_ok=True)

    def __call__(self, journal: Journal, *, force: bool = False) -> int:
        """Seal what is due; return 0, for no shard is made."""
        with journal.read() as txn:
            memory, name = page_memory(txn), txn.get("meta", b"name")
        part = self._part(memory, force=force)
        if part is not None:
            journal.write(lambda txn: _seal(memory, txn, part))
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

    def _part(self, memory: PageMemory, *, force: bool) -> SortedPages | None:
        """Return what is to be sealed now, None when there is nothing or it is not yet packed."""
        if self._waiting is None:
            if memory.tail.n < self.n_pages:
                return None
            if memory.tail.n < self.thread_pages:
                return sorted_pages(memory.frozen())
            self._waiting = self._pool.submit(sorted_pages, memory.frozen())
        if not (force or self._waiting.done() or memory.tail.n >= 2 * self.n_pages):
            return None
        waiting, self._waiting = self._waiting, None
        return waiting.result()


def _seal(memory: PageMemory, txn: Transaction, part: SortedPages) -> None:
    sealed: Callable[[], None] = memory.seal(txn, part)
    txn.at_end.append(lambda committed: sealed() if committed else None)
