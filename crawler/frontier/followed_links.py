"""Which links are followed by the crawls whose pages still wait in a corpus.

The pages that wait are fetched by whatever crawl comes next. If it follows fewer links than the crawl that found them,
the others are lost for good, because the pages are done; if it follows more, they lead out of that crawl's reach. So
a new crawl is compared with those whose pages wait.

*On disk.* ``meta``, key ``followed``: msgpack list of what those crawls follow, in words and sorted; none in a journal
that no crawl of this version has opened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgpack
import numpy as np

from crawler.durable.journal import Journal
from crawler.durable.layout import journal_folder
from crawler.durable.page_state import PageState
from crawler.errors import InputError
from crawler.frontier.hosts.queue_kernels import summarise
from crawler.webgraph.pages.table import page_memory

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import numpy.typing as npt

    from crawler.durable.transaction import Transaction
    from crawler.frontier.policy import FrontierPolicy

_KEY = b"followed"


def note_followed(txn: Transaction, followed: str, *, has_waiting: bool) -> None:
    """Note that pages of a crawl which follows *followed* wait, or will; *has_waiting*: pages of earlier ones do, too."""
    known = _read(txn) if has_waiting else set()
    txn.put("meta", _KEY, msgpack.packb(sorted(known | {followed})))


def waiting_of_others(
    corpus_dir: Path, shards: Iterable[str], followed: str, policy: FrontierPolicy
) -> tuple[list[str], int]:
    """Return what other crawls than one that follows *followed* follow, and how many pages wait in their shards.

    Nothing is returned where *policy* lets none of these pages be fetched, by its limits of depth and of pages a host.
    A crawl that has had all its pages (``max_pages``) counts as the others do: what else is planted would be queued
    behind its pages, and be fetched with them when it goes on.
    Cost: where there is another crawl, a look at every page, as at the start of a crawl.
    """
    others: set[str] = set()
    n_waiting = 0
    may_fetch = False
    for shard in shards:
        try:
            journal = Journal.open_reader(journal_folder(corpus_dir, shard))
        except InputError:
            continue  # it only begins
        try:
            with journal.read() as txn:
                if not (its := _read(txn) - {followed}):
                    continue
                memory = page_memory(txn)
                queues = summarise(memory, policy.max_depth)
                hosts = memory.hosts.host_ids()
        finally:
            journal.close()
        others |= its
        n_waiting += n_waiting_of(queues.counts)
        ready, spent = queues.ready[hosts], queues.spent[hosts]
        has_room = spent < (policy.pages_per_host or np.inf)
        may_fetch |= bool(queues.counts[PageState.LATE]) or bool(((ready > 0) & has_room).any())
    return (sorted(others), n_waiting) if may_fetch else ([], 0)


def n_waiting_of(counts: npt.NDArray[np.int64]) -> int:
    """Return how many pages wait, of the *counts* of pages by state."""
    return int(counts[PageState.QUEUED] + counts[PageState.LATE])


def _read(txn: Transaction) -> set[str]:
    raw = txn.get("meta", _KEY)
    return set() if raw is None else set(msgpack.unpackb(raw))
