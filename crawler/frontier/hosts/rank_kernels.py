"""Many hosts that fall due in a crawl with priorities, put by their best pages by one kernel call.

Invariant: as :meth:`crawler.frontier.hosts.queues.HostQueues.rank_due` does it; a test holds it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.durable.page_state import STATE_MASK, PageState
from crawler.frontier.hosts.group_kernels import GroupArrays, HeapArrays, pass_on
from crawler.frontier.hosts.heap import pop_entry, push_entry
from crawler.frontier.hosts.ranked import FALLEN_STEP, MAX_LEVEL
from crawler.frontier.priorities import ZERO_LEVEL
from crawler.kernels.jit import lean_kernel, part
from crawler.webgraph.hosts.extents import UNIT_VALUES

if TYPE_CHECKING:
    import numpy.typing as npt

    F64 = npt.NDArray[np.float64]
    U16 = npt.NDArray[np.uint16]
    U32 = npt.NDArray[np.uint32]

_QUEUED = int(PageState.QUEUED)


class WaitingHosts(NamedTuple):
    """By HostID: ready and spent pages, and pages that are out."""

    ready: U32
    spent: U32
    out: U16


class WaitingPages(NamedTuple):
    """Heads and levels of pages, and by HostID where they begin and which are looked at."""

    heads: U16
    head_bases: U32
    levels: U16
    level_bases: U32
    cursor: U32
    next_local: U32


class RankedArrays(NamedTuple):
    """The heap of ranked hosts, and the key of each by HostID."""

    times: F64
    hosts: U32
    keys: F64


@part
def _best_level(pages: WaitingPages, host: int) -> int:
    """Return the highest level of the host's queued pages, the default for none."""
    head = UNIT_VALUES * int(pages.head_bases[host])
    level_base = UNIT_VALUES * int(pages.level_bases[host])
    best = 0
    for local in range(int(pages.cursor[host]), int(pages.next_local[host])):
        if int(pages.heads[np.uint64(head + local)]) & STATE_MASK == _QUEUED:
            level = int(pages.levels[np.uint64(level_base + local)])
            best = max(best, level or ZERO_LEVEL)
    return best or ZERO_LEVEL


@lean_kernel
def rank_all(
    heap: HeapArrays,
    sizes: tuple[int, int, int],
    of_hosts: tuple[WaitingHosts, GroupArrays, WaitingPages],
    ranked: RankedArrays,
    now: float,
    per_host: int,
) -> tuple[int, int, int]:
    """Move the hosts due at *now* to *ranked*; return the *sizes* of both heaps, and how many ever fell due."""
    hosts, groups, pages = of_hosts
    n, n_ranked, n_fallen = sizes
    while n and heap.times[0] <= now:
        host = pop_entry(heap.times, heap.hosts, n)
        n -= 1
        full = per_host != 0 and np.int64(hosts.spent[host]) >= per_host
        may_lease = not hosts.out[host] and hosts.ready[host] and not full
        if may_lease and heap.due[host] <= now:
            n_fallen += 1
            key = MAX_LEVEL - _best_level(pages, host) + n_fallen * FALLEN_STEP
            ranked.keys[host] = key
            push_entry(ranked.times, ranked.hosts, n_ranked, key, host)
            n_ranked += 1
            continue
        heap.in_heap[host] = np.uint8(0)
        if may_lease:
            heap.in_heap[host] = np.uint8(1)
            push_entry(heap.times, heap.hosts, n, heap.due[host], host)
            n += 1
        if groups.held.size:
            n = pass_on(heap, n, groups, host)
    return n, n_ranked, n_fallen
