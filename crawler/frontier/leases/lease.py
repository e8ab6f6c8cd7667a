"""A page that is out to be fetched, and why a page is not."""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple


class NoLease(Enum):
    """Why a page is not leased: its host is busy or not due, it is done or out, a limit is reached."""

    BUSY = "busy"
    SEEN = "seen"
    LIMIT = "limit"


Busy: Final = NoLease.BUSY
Seen: Final = NoLease.SEEN
Limit: Final = NoLease.LIMIT


class Lease(NamedTuple):
    """A page that is out to be fetched; *host* is the name in its URL, *retries* its past failures.

    *visited* is the journal's row of the last visit (crawler.frontier.revisits), None for none.
    """

    page_id: int
    url: str
    host: str
    depth: int
    hops: int
    retries: int
    categories: tuple[str, ...]
    visited: bytes | None = None

    @property
    def host_id(self) -> int:
        return self.page_id >> 32

    @property
    def local_id(self) -> int:
        return self.page_id & 0xFFFFFFFF
