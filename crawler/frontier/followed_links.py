"""Which links the crawls follow whose pages wait in a corpus.

Whatever crawl comes next fetches the pages that wait; a link that it does not follow is left for good then, as
the page is done, and one that the earlier crawl would have left leads out of its reach. So a crawl is held
against those whose pages wait.

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
    """Note that pages wait, or will, of a crawl which follows *followed*; *has_waiting*: of those before it as well."""
    known = _read(txn) if has_waiting else set()
    txn.put("meta", _KEY, msgpack.packb(sorted(known | {followed})))


def waiting_of_others(
    corpus_dir: Path, shards: Iterable[str], followed: str, policy: FrontierPolicy
) -> tuple[list[str], int]:
    """Return what crawls follow that are not like one which follows *followed*, and how many pages wait of them.

    No crawl counts where depth and host keep all of the pages from being fetched by *policy*: those of a host that has
    had its pages may stay. A crawl that has had all its pages, ``max_pages``, counts as others do: what else is planted
    would be queued behind its pages, and be fetched with them when it goes on.
    Cost: where there is another, a look at every page, as at the start of a crawl.
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
