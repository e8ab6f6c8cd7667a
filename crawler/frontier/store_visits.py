"""Pages that were fetched and are due again."""

from __future__ import annotations

from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from crawler.durable.keys import u64_key, u64_of
from crawler.durable.visits import VISITED, unpack_visit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    import numpy.typing as npt

    from crawler.durable.journal import Journal
    from crawler.frontier.changes import Changes
    from crawler.frontier.frontier import Frontier

    U64 = npt.NDArray[np.uint64]

# Rows that are looked at in one transaction.
CHUNK = 50_000


class StoreVisits:
    """Queues pages again whose last visit, in *journal*, is long ago; part of the store."""

    journal: Journal
    frontier: Frontier
    _transact: Callable[[Callable[[Changes], Any]], Any]

    def queue_again(self, before_us: int) -> int:
        """Queue the fetched pages whose last visit was before *before_us*; return how many.

        Limits count them as not fetched. Cost: a look at every page that was fetched, some 2 us each.
        """
        n_queued = 0
        for ids in self._visited_before(before_us):
            queued: list[int] = self._transact(partial(_queue_again, ids=ids))
            for host_id, pages in groupby(queued, lambda page_id: page_id >> 32):
                self.frontier.hosts.unspend(host_id, len(list(pages)))
            n_queued += len(queued)
        return n_queued

    def _visited_before(self, before_us: int) -> Iterator[U64]:
        """Yield the pages, ascending, of some rows at a time."""
        start = b""
        while True:
            n_rows, due = 0, []
            with self.journal.read() as txn:
                for key, row in txn.scan(VISITED, start):
                    if n_rows == CHUNK:
                        break
                    n_rows += 1
                    start = u64_key(u64_of(key) + 1)
                    if unpack_visit(row).visited_us < before_us:
                        due.append(u64_of(key))
            if due:
                yield np.array(due, dtype=np.uint64)
            if n_rows < CHUNK:
                return


def _queue_again(changes: Changes, ids: U64) -> list[int]:
    return changes.queue_again(ids)
