"""The hosts of the journal, as one transaction reads and changes them.

*On disk.* A row of ``host_rows``: key u32 big-endian HostID, value u32 next LocalID (= pages known),
u32 queued, u32 fetched, u32 cursor (no page below it is queued), big-endian, then the host key in
UTF-8. ``hosts`` leads from the host key to the HostID. HostIDs are given from 0 in the order in
which hosts are found (``next_host`` in ``meta``); LocalIDs likewise within a host.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgpack

from crawler.durable.keys import text_key, u32_key, u32_of
from crawler.durable.transaction import lost_row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crawler.durable.transaction import Transaction

_ROW = struct.Struct(">IIII")


@dataclass(slots=True, eq=False)
class HostRow:
    """One host. *woken* are LocalIDs that this transaction made ready to be leased."""

    host_id: int
    key: str
    next_local: int = 0
    n_queued: int = 0
    n_fetched: int = 0
    cursor: int = 0
    n_woken: int = 0
    lowest_woken: int = 2**32

    def wake(self, local_id: int) -> None:
        """Note that the page *local_id* may now be leased."""
        self.n_woken += 1
        self.lowest_woken = min(self.lowest_woken, local_id)


class HostBatch:
    """The hosts that one transaction touches, each read once and written once."""

    __slots__ = ("_by_id", "_by_key", "_next_host", "_txn", "new")

    def __init__(self, txn: Transaction) -> None:
        self._txn = txn
        self._by_id: dict[int, HostRow] = {}
        self._by_key: dict[str, HostRow] = {}
        raw = txn.get("meta", b"next_host")
        self._next_host: int = msgpack.unpackb(raw) if raw else 0
        self.new: list[HostRow] = []

    def find(self, key: str) -> HostRow | None:
        """Return the host of *key*, None when it is not known."""
        if (row := self._by_key.get(key)) is not None:
            return row
        raw = self._txn.get("hosts", text_key(key))
        return None if raw is None else self.row(u32_of(raw))

    def add(self, key: str) -> HostRow:
        """Return the host of *key*, which gets the next HostID when it is new."""
        row = self.find(key)
        if row is None:
            row = HostRow(self._next_host, key)
            self._next_host += 1
            self._by_id[row.host_id] = self._by_key[key] = row
            self.new.append(row)
        return row

    def row(self, host_id: int) -> HostRow:
        """Return the host *host_id*, which is known."""
        row = self._by_id.get(host_id)
        if row is None:
            row = self._by_id[host_id] = read_host(self._txn, host_id)
            self._by_key[row.key] = row
        return row

    def rows(self) -> list[HostRow]:
        """Return the hosts touched, by HostID."""
        return [self._by_id[host_id] for host_id in sorted(self._by_id)]

    def write(self) -> None:
        """Write every host touched."""
        rows = self.rows()
        self._txn.put_many("host_rows", [(u32_key(row.host_id), _pack(row)) for row in rows])
        if self.new:
            pairs = ((text_key(row.key), u32_key(row.host_id)) for row in self.new)
            self._txn.put_many("hosts", sorted(pairs))
            self._txn.put("meta", b"next_host", msgpack.packb(self._next_host))


def read_host(txn: Transaction, host_id: int) -> HostRow:
    """Return the host *host_id*, which is known."""
    raw = txn.get("host_rows", u32_key(host_id))
    if raw is None:
        raise lost_row("host_rows", host_id)
    return _unpack(host_id, raw)


def scan_hosts(txn: Transaction) -> Iterator[HostRow]:
    """Yield all hosts in the order of their ids."""
    for key, raw in txn.scan("host_rows"):
        yield _unpack(u32_of(key), raw)


def add_categories(txn: Transaction, host_id: int, categories: set[str]) -> None:
    """Unite the categories of the host *host_id* with *categories*."""
    old = read_categories(txn, host_id)
    if not categories <= set(old):
        packed = msgpack.packb(sorted(categories | set(old)), unicode_errors="replace")
        txn.put("categories", u32_key(host_id), packed)


def read_categories(txn: Transaction, host_id: int) -> tuple[str, ...]:
    """Return the category paths of the host *host_id*, sorted."""
    raw = txn.get("categories", u32_key(host_id))
    return tuple(msgpack.unpackb(raw)) if raw else ()


def _pack(row: HostRow) -> bytes:
    head = _ROW.pack(row.next_local, row.n_queued, row.n_fetched, row.cursor)
    return head + row.key.encode("utf-8", "surrogatepass")


def _unpack(host_id: int, raw: bytes) -> HostRow:
    return HostRow(
        host_id, raw[_ROW.size :].decode("utf-8", "surrogatepass"), *_ROW.unpack_from(raw)
    )
