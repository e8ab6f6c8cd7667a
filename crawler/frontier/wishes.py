"""Wishes: what a link, a redirect or a seed asks of its target, and what becomes of the target.

A wish is a head (crawler.durable.page_state): queued at a depth after so many redirects, refused
because of too many, known with a depth because that is too deep, or 0 for a link that is not to be
followed. The rules, for a page and a wish:

=============================  ====================================================================
the wish                       changes
=============================  ====================================================================
queued                         what is known, or refused for its redirects: it takes the wish; what
                               waits and is deeper: it takes depth and redirects
refused                        what was never to be followed: it is refused, until a link leads there
known (too deep)               what was never to be followed, or only deeper: it takes the depth
=============================  ====================================================================

Of many wishes for one page the order does not matter, but between equal depths with other redirects.
The priority of a page is the highest that a link to be followed gave it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.durable.page_state import (
    DEPTH_SHIFT,
    MAX_DEPTH,
    MAX_HOPS,
    STATE_BITS,
    STATE_MASK,
    PageState,
)
from crawler.kernels.jit import lean_kernel, part
from crawler.webgraph.hosts.extents import UNIT_VALUES

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.frontier.policy import FrontierPolicy
    from crawler.webgraph.pages.memory import PageMemory

    U16 = npt.NDArray[np.uint16]
    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]

_KNOWN, _QUEUED, _LATE = int(PageState.KNOWN), int(PageState.QUEUED), int(PageState.LATE)
_REFUSED = int(PageState.REFUSED)
_NO_HEAD = 1 << 16

NOT_FOLLOWED = 0


class Settled(NamedTuple):
    """What wishes changed: *counts* int64[8] pages by state, more or fewer, and *queued* page ids."""

    counts: npt.NDArray[np.int64]
    queued: U64


def wish_heads(
    depths: npt.NDArray[np.int64],
    hops: npt.NDArray[np.int64],
    follow: npt.NDArray[np.bool_],
    policy: FrontierPolicy,
) -> U16:
    """Return the wishes to have pages of *depths* after *hops* redirects under *policy*."""
    depths, hops = np.minimum(depths, MAX_DEPTH), np.minimum(hops, MAX_HOPS)
    state = np.where(hops > policy.max_redirects, _REFUSED, _QUEUED)
    if policy.max_depth:
        state = np.where(depths > policy.max_depth, _KNOWN, state)
    heads = depths << DEPTH_SHIFT | hops << STATE_BITS | state
    return np.where(follow, heads, NOT_FOLLOWED).astype(np.uint16)


@part
def _answer(old: int, wish: int, max_hops: int) -> int:
    """Return the head that a page with head *old* takes by *wish*, `_NO_HEAD` for none."""
    state, wished = old & STATE_MASK, wish & STATE_MASK
    if wished == _QUEUED:
        if state in (_QUEUED, _LATE):
            if wish >> DEPTH_SHIFT < old >> DEPTH_SHIFT:
                return (wish & ~STATE_MASK) | state
            return _NO_HEAD
        too_far = state == _REFUSED and (old >> STATE_BITS) & MAX_HOPS > max_hops
        return wish if state == _KNOWN or too_far else _NO_HEAD
    if state != _KNOWN:
        return _NO_HEAD
    depth = old >> DEPTH_SHIFT
    if wished == _REFUSED:
        return wish if depth == 0 else _NO_HEAD
    return wish if depth == 0 or wish >> DEPTH_SHIFT < depth else _NO_HEAD


@lean_kernel
def _settle(  # noqa: PLR0913, PLR0917  a kernel: its arrays come one by one
    arena: U16,
    bases: U32,
    ids: U64,
    wishes: U16,
    max_hops: int,
    changed: U64,
    old_heads: U16,
    queued: U64,
    sizes: npt.NDArray[np.int64],
    counts: npt.NDArray[np.int64],
) -> None:
    for i in range(ids.size):
        if wishes[i] == NOT_FOLLOWED:
            continue
        host, local = ids[i] >> np.uint64(32), ids[i] & np.uint64(0xFFFFFFFF)
        place = np.uint64(UNIT_VALUES) * np.uint64(bases[host]) + local
        old = int(arena[place])
        head = _answer(old, int(wishes[i]), max_hops)
        if head == _NO_HEAD:
            continue
        arena[place] = np.uint16(head)
        changed[sizes[0]], old_heads[sizes[0]] = ids[i], np.uint16(old)
        sizes[0] += 1
        state, new = old & STATE_MASK, head & STATE_MASK
        if state != new:
            counts[state] -= 1
            counts[new] += 1
            if new == _QUEUED:
                queued[sizes[1]] = ids[i]
                sizes[1] += 1


def settle(memory: PageMemory, ids: U64, wishes: U16, policy: FrontierPolicy) -> Settled:
    """Apply *wishes* for the pages *ids* in order, and note in *memory* what changed."""
    changed, queued = np.empty(len(ids), dtype=np.uint64), np.empty(len(ids), dtype=np.uint64)
    old, sizes = np.empty(len(ids), dtype=np.uint16), np.zeros(2, dtype=np.int64)
    counts = np.zeros(STATE_MASK + 1, dtype=np.int64)
    heads = memory.heads
    max_hops = policy.max_redirects
    _settle(heads.arena, heads.bases, ids, wishes, max_hops, changed, old, queued, sizes, counts)
    n_changed, n_queued = sizes.tolist()
    memory.note_heads(changed[:n_changed], old[:n_changed])
    return Settled(counts, queued[:n_queued])
