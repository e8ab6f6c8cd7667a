"""How many hosts and pages the journals of a corpus know, and the pages by state: as of now, also while a crawl
runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.durable.page_state import STATE_MASK, PageState
from crawler.webgraph.pages.table import page_memory

if TYPE_CHECKING:
    from collections.abc import Iterable

    from crawler.durable.journal import Journal


def page_counts(journals: Iterable[Journal]) -> dict[str, int]:
    """Return the numbers by the names of a manifest's counts: ``hosts``, ``pages``, and each state.

    *queued* are those to be tried again later, too. Memory: the page table of one journal at a time.
    """
    n_hosts, by_state = 0, np.zeros(STATE_MASK + 1, np.int64)
    for journal in journals:
        with journal.read() as txn:
            memory = page_memory(txn)
            n_hosts += len(memory.hosts)
            for ids in memory.all_ids():
                states = memory.heads.get(ids) & STATE_MASK
                by_state += np.bincount(states, minlength=len(by_state))
    counts = {state.name.lower(): int(by_state[state]) for state in PageState}
    counts["queued"] += counts["late"]
    return counts | {"hosts": n_hosts, "pages": int(by_state.sum())}
