"""The state of a page in one number, its *head*.

*On disk.* A head is a u16: 3 bits state (the lowest), 4 bits hops, 9 bits depth.

A page that is *known* with a depth above 0 was linked to at that depth, which was too deep; with
depth 0 it is not to be followed. A lease is no state: it lives in memory and is void after a crash.
"""

from __future__ import annotations

from enum import IntEnum

MAX_DEPTH = 2**9 - 1
MAX_HOPS = 2**4 - 1

STATE_BITS = 3
HOPS_BITS = 4
DEPTH_SHIFT = STATE_BITS + HOPS_BITS
STATE_MASK = (1 << STATE_BITS) - 1


class PageState(IntEnum):
    """*known*: has an id, not to be fetched; *late*: to be tried again when its time has come."""

    KNOWN = 0
    QUEUED = 1
    LATE = 2
    FETCHED = 3
    GONE = 4
    REFUSED = 5


# By the names that captures use.
STATES = {state.name.lower(): state for state in PageState}


def split_id(page_id: int) -> tuple[int, int]:
    """Return (HostID, LocalID) of *page_id*."""
    return page_id >> 32, page_id & 0xFFFFFFFF
