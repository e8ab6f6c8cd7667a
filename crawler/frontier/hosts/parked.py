"""The hosts that are left alone for long, and those that have given enough."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.durable.page_state import STATE_MASK, PageState
from crawler.webgraph.hosts.ids import BLOCK_HOSTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from crawler.frontier.hosts.queues import HostQueues
    from crawler.webgraph.pages.memory import PageMemory


class Parked(NamedTuple):
    """Hosts that wait for long, or pages of them, these pages, and the seconds until the first is due."""

    hosts: int
    pages: int
    secs: float


def together(parts: Iterable[Parked]) -> Parked:
    """Return what *parts*, of several shards, are together."""
    waiting = [part for part in parts if part.hosts]
    return Parked(
        sum(part.hosts for part in waiting),
        sum(part.pages for part in waiting),
        min((part.secs for part in waiting), default=0.0),
    )


def count_parked(hosts: HostQueues, memory: PageMemory, now: float, late_secs: float) -> Parked:
    """Count the hosts with work that wait at *now* for longer than the delay of any host, and their pages.

    The pages that met with a host's trouble are most often to be tried again: late, as *memory* knows them. The first
    of all late pages is due in *late_secs*; where no crawl waits for so long, those of other hosts count, too.
    """
    due, ready, *_ = hosts.arrays()
    found = [np.zeros(0, dtype=np.int64)]
    for block in hosts.blocks:
        part = due[block * BLOCK_HOSTS : (block + 1) * BLOCK_HOSTS]
        found.append(np.flatnonzero(part > now + hosts.longest_delay) + block * BLOCK_HOSTS)
    waiting = np.concatenate(found)
    counts = ready[waiting].astype(np.int64) + _count_late(memory, waiting)
    parked = waiting[counts > 0]
    parts = [Parked(len(parked), int(counts.sum()), float(due[parked].min(initial=np.inf)) - now)]
    if late_secs > max(hosts.policy.idle_end_secs, hosts.longest_delay):
        late = _count_late(memory, np.setdiff1d(memory.hosts.ascending(), waiting))
        parts.append(Parked(int(np.count_nonzero(late)), int(late.sum()), late_secs))
    return together(parts)


def _count_late(memory: PageMemory, hosts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the numbers of late pages of *hosts*, which ascend."""
    counts = np.zeros(len(hosts), dtype=np.int64)
    for ids in memory.all_ids(hosts.astype(np.uint32)):
        late = ids[memory.heads.get(ids) & STATE_MASK == PageState.LATE]
        places = np.searchsorted(hosts, (late >> np.uint64(32)).astype(np.int64))
        counts += np.bincount(places, minlength=len(hosts))
    return counts


def have_full(hosts: HostQueues) -> bool:
    """Tell whether the limit of pages of a host keeps any that has more."""
    limit = hosts.policy.pages_per_host
    _, ready, spent, *_ = hosts.arrays()
    parts = [slice(block * BLOCK_HOSTS, (block + 1) * BLOCK_HOSTS) for block in hosts.blocks]
    return bool(limit) and any(((ready[part] > 0) & (spent[part] >= limit)).any() for part in parts)
