"""What a crawl must remember of a host's patience over restarts.

*On disk.* Table ``politeness``: u32 big-endian HostID → f32 seconds between fetches that the host
asked for, u64 time (ms since 1970) before which it is not to be asked, u16 fetches in a row that
failed (big-endian). A host without a row has zeros.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

from crawler.durable.keys import u32_key, u32_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crawler.durable.transaction import Transaction

MAX_ERRORS = 2**16 - 1

_ROW = struct.Struct(">fQH")


@dataclass(frozen=True, slots=True)
class Patience:
    """*delay_secs* between fetches, *not_before_ms* since 1970, *errors* in a row."""

    delay_secs: float = 0.0
    not_before_ms: int = 0
    errors: int = 0


def read_patience(txn: Transaction, host_id: int) -> Patience:
    """Return what is known of the host *host_id*."""
    raw = txn.get("politeness", u32_key(host_id))
    return Patience() if raw is None else Patience(*_ROW.unpack(raw))


def write_patience(txn: Transaction, host_id: int, patience: Patience) -> None:
    """Store *patience* of the host *host_id*."""
    if patience == Patience():
        txn.delete("politeness", u32_key(host_id))
        return
    errors = min(patience.errors, MAX_ERRORS)
    row = _ROW.pack(patience.delay_secs, patience.not_before_ms, errors)
    txn.put("politeness", u32_key(host_id), row)


def scan_patience(txn: Transaction) -> Iterator[tuple[int, Patience]]:
    """Yield (HostID, patience) of the hosts that have any."""
    for key, raw in txn.scan("politeness"):
        yield u32_of(key), Patience(*_ROW.unpack(raw))
