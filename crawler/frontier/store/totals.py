"""What a crawl has cost in all its runs, and the limits of that: bytes and hours.

Bytes are those of the bodies of answers, unpacked. Time is that during which a run had the corpus
open, by a steady clock. Both are committed with each group, so that a crash takes back the bytes of
pages that are fetched again, and the time since the last commit. The limit of bytes counts answers as they
arrive: pages may wait long for their stages.

*On disk.* Table ``meta``, key ``totals``: u64 bytes, u64 milliseconds (big-endian).
"""

from __future__ import annotations

import struct
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crawler.durable.transaction import Transaction
    from crawler.frontier.policy import FrontierPolicy

_KEY = b"totals"
_ROW = struct.Struct(">QQ")
_SECS_PER_HOUR = 3600.0


class CrawlTotals:
    """The totals that *txn* holds, and what this run adds to them."""

    def __init__(self, txn: Transaction, policy: FrontierPolicy) -> None:
        raw = txn.get("meta", _KEY)
        n_ms: int
        self.n_bytes, n_ms = (0, 0) if raw is None else _ROW.unpack(raw)
        self._at_work: dict[int, int] = {}
        self._began = time.monotonic() - n_ms / 1000
        self._max_bytes = policy.max_bytes
        self._max_secs = policy.max_hours * _SECS_PER_HOUR
        self._is_stopped = False

    @property
    def secs(self) -> float:
        """Seconds that the crawl has run."""
        secs: float = time.monotonic() - self._began
        return secs

    @property
    def is_reached(self) -> bool:
        """Tell whether a limit is reached."""
        if self._is_stopped:
            return True
        if self._max_bytes and self.n_bytes + sum(self._at_work.values()) >= self._max_bytes:
            return True
        return bool(self._max_secs) and self.secs >= self._max_secs

    @property
    def reached(self) -> str:
        """Return the name of the limit that is reached, "" for none."""
        if self._max_bytes and self.n_bytes >= self._max_bytes:
            return "max_bytes"
        return "max_hours" if self._max_secs and self.secs >= self._max_secs else ""

    def stop(self) -> None:
        """Take a limit as reached: nothing more is leased in this run."""
        self._is_stopped = True

    def arrive(self, page_id: int, n_bytes: int) -> None:
        """Count the answer of a page that is leased."""
        self._at_work[page_id] = n_bytes

    def end(self, page_id: int, n_bytes: int = 0) -> None:
        """Count what the page, whose lease ends, has cost: nothing if it is fetched again."""
        self._at_work.pop(page_id, None)
        self.n_bytes += n_bytes

    def write(self, txn: Transaction) -> None:
        """Store the totals as they are now."""
        txn.put("meta", _KEY, _ROW.pack(self.n_bytes, round(self.secs * 1000)))
