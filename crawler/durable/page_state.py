"""The state of a page, as the journal's table ``pages`` holds it.

*On disk.* A row of ``pages``: key u64 big-endian page id (HostID * 2^32 + LocalID), value u8 state,
u16 depth, u8 hops, u8 retries (big-endian), then the local key in UTF-8.

A lease is no state: it lives in memory and is void after a crash.
"""

from __future__ import annotations

import struct
from enum import IntEnum
from typing import NamedTuple

MAX_DEPTH = 2**16 - 1
MAX_COUNT = 2**8 - 1

_HEAD = struct.Struct(">BHBB")
HEAD_BYTES = _HEAD.size


class PageState(IntEnum):
    """*known*: has an id, not to be fetched; *late*: to be tried again when its time has come."""

    KNOWN = 0
    QUEUED = 1
    LATE = 2
    FETCHED = 3
    GONE = 4
    REFUSED = 5


class PageHead(NamedTuple):
    """State, links from a seed, redirects in a row, attempts that failed."""

    state: int
    depth: int
    hops: int
    retries: int


def pack_head(state: int, depth: int, hops: int, retries: int = 0) -> bytes:
    """Return the first bytes of a row; numbers beyond their field become its largest value."""
    return _HEAD.pack(state, min(depth, MAX_DEPTH), min(hops, MAX_COUNT), min(retries, MAX_COUNT))


def unpack_head(row: bytes) -> PageHead:
    """Return the head of *row*."""
    return PageHead(*_HEAD.unpack_from(row))


def local_text(row: bytes) -> str:
    """Return the local key of *row*."""
    return row[HEAD_BYTES:].decode("utf-8", "surrogatepass")


def local_bytes(local: str) -> bytes:
    """Return the bytes of a *local* key."""
    return local.encode("utf-8", "surrogatepass")


def split_id(page_id: int) -> tuple[int, int]:
    """Return (HostID, LocalID) of *page_id*."""
    return page_id >> 32, page_id & 0xFFFFFFFF
