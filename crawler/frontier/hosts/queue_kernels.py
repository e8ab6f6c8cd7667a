"""What the frontier reads off the heads of a host's pages: its queue is their interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.durable.page_state import DEPTH_SHIFT, STATE_MASK, PageState
from crawler.frontier.priorities import ZERO_LEVEL
from crawler.kernels.jit import lean_kernel
from crawler.webgraph.address_space import reserve
from crawler.webgraph.hosts.extents import MAX_HOSTS, UNIT_VALUES

if TYPE_CHECKING:
    from collections.abc import Collection

    import numpy.typing as npt

    from crawler.webgraph.pages.memory import PageMemory

    U16 = npt.NDArray[np.uint16]
    U32 = npt.NDArray[np.uint32]

_KNOWN, _QUEUED = int(PageState.KNOWN), int(PageState.QUEUED)
_FETCHED, _GONE = int(PageState.FETCHED), int(PageState.GONE)


class Queues(NamedTuple):
    """By HostID: pages queued, pages done, the first that is queued; and *counts* of all by state.

    *ready*, *spent* and *cursor* are uint32 with room for all hosts, *counts* int64[8].
    """

    ready: U32
    spent: U32
    cursor: U32
    counts: npt.NDArray[np.int64]


def no_queues() -> Queues:
    """Return the queues of no hosts."""
    ready, spent, cursor = (reserve(MAX_HOSTS, np.uint32) for _ in range(3))
    return Queues(ready, spent, cursor, np.zeros(STATE_MASK + 1, dtype=np.int64))


@lean_kernel
def _summarise(
    arena: U16, bases: U32, next_local: U32, host_ids: U32, max_depth: int, queues: Queues
) -> None:
    for i in range(host_ids.size):
        host = int(host_ids[i])
        base = UNIT_VALUES * int(bases[host])
        n = next_local[host]
        queues.cursor[host] = n
        for local in range(n):
            head = int(arena[np.uint64(base + local)])
            state, depth = head & STATE_MASK, head >> DEPTH_SHIFT
            is_near = max_depth == 0 or depth <= max_depth
            # What stays is not written: it may be a mapped file's.
            if depth > 0 and state == (_KNOWN if is_near else _QUEUED):
                state = _QUEUED if is_near else _KNOWN
                arena[np.uint64(base + local)] = np.uint16(head & ~STATE_MASK | state)
            queues.counts[state] += 1
            if state == _QUEUED:
                queues.ready[host] += np.uint32(1)
                queues.cursor[host] = min(queues.cursor[host], np.uint32(local))
            elif state in (_FETCHED, _GONE):
                queues.spent[host] += np.uint32(1)


def summarise(memory: PageMemory, max_depth: int) -> Queues:
    """Return the queues of all hosts, of the pages that are not too deep: for an earlier crawl others may have been."""
    queues = no_queues()
    heads = memory.heads
    host_ids = memory.hosts.host_ids()
    _summarise(heads.arena, heads.bases, memory.next_local, host_ids, max_depth, queues)
    return queues


@lean_kernel
def first_queued(arena: U16, base: int, start: int, n: int, skip: U32) -> int:
    """Return the first LocalID from *start* on that is queued and not in *skip*, *n* if none is."""
    for local in range(start, n):
        if int(arena[np.uint64(base + local)]) & STATE_MASK == _QUEUED:
            is_out = False
            for i in range(skip.size):
                is_out |= np.int64(skip[i]) == local
            if not is_out:
                return local
    return n


@lean_kernel
def _best_queued(
    arena: U16,
    base: int,
    levels: U16,
    level_base: int,
    bounds: tuple[int, int],
    skip: U32,
) -> int:
    """Return the LocalID within *bounds* of the highest priority, the first of equals."""
    best, found = -1, bounds[1]
    for local in range(bounds[0], bounds[1]):
        if int(arena[np.uint64(base + local)]) & STATE_MASK == _QUEUED:
            level = int(levels[np.uint64(level_base + local)]) or ZERO_LEVEL
            if level > best:
                is_out = False
                for i in range(skip.size):
                    is_out |= np.int64(skip[i]) == local
                if not is_out:
                    best, found = level, local
    return found


def best_level(memory: PageMemory, host_id: int, cursor: int) -> int:
    """Return the highest priority of the pages queued from *cursor* on, the default for none."""
    local = next_queued(memory, host_id, cursor, None)
    if local is None:
        return ZERO_LEVEL
    page = np.array([host_id << 32 | local], dtype=np.uint64)
    return int(memory.levels_of(page)[0]) or ZERO_LEVEL


_NOTHING_OUT = np.zeros(0, dtype=np.uint32)


def next_queued(
    memory: PageMemory, host_id: int, cursor: int, out: Collection[int] | None
) -> int | None:
    """Return the LocalID of the page to be fetched next from a host, None when there is none.

    It is the one of the highest priority, among equals the one found first; those in *out* are
    passed over. Cost: with priorities, a look at every page from *cursor* on, 1 ns each.
    """
    skip = np.fromiter(out, np.uint32, len(out)) if out else _NOTHING_OUT
    heads, levels = memory.heads, memory.levels
    n = int(memory.next_local[host_id])
    base = heads.begin_of(host_id)
    if levels is None:
        local = first_queued(heads.arena, base, cursor, n, skip)
    else:
        level_base = levels.begin_of(host_id)
        local = _best_queued(heads.arena, base, levels.arena, level_base, (cursor, n), skip)
    return None if local == n else local
