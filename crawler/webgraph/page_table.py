"""The page table: page key → page id = HostID * 2^32 + LocalID, given at first sight, for ever.

Contents: every page that was fetched, linked to, or named as a seed. Guarantee: equal keys have one
id and an id has one key; ids are given in the order of the keys of a batch, are never given twice,
and change only inside the commit of the journal, so nobody sees an id that a crash could take back.

A key is found by its HostID and 96 bits of its fingerprint, which stand for it: of n pages of one
host two share them with probability n^2 / 2^97 (6e-16 at 10^7). Pages of a host lie together, as
do most links of a page, so a commit changes few leaves of the table.

*On disk.* Table ``ids``: u32 big-endian HostID and 12 bytes of the fingerprint → u32 LocalID. Tables
``pages``, ``hosts``, ``host_rows``. Log ``disc``: a record is a map ``hosts`` ([[HostID, host key],
...]), ``ids`` (u64 little-endian page ids) and ``locals`` (their local keys), in the order of ids
within each host; replaying it is the table.

Cost: no memory for a known page; a look-up is one B-tree descent, in sorted batches. On disk about
200 bytes a page, its text (42 bytes) twice until the log is sealed, then once;
tests/test_webgraph_page_table.py holds it below 220.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from crawler.durable.keys import u32_key, u64_key
from crawler.durable.page_state import (
    PageState,
    local_bytes,
    local_text,
    pack_head,
    split_id,
    unpack_head,
)
from crawler.durable.records import pack_record
from crawler.durable.sealing import append_record
from crawler.durable.transaction import lost_row
from crawler.urls import PageKey, fingerprint
from crawler.webgraph.host_rows import HostBatch, read_host

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    from crawler.durable.transaction import Transaction
    from crawler.webgraph.host_rows import HostRow

# 8 bytes would do for hosts of 10^7 pages (n^2 / 2^65 = 3e-6); 12 leave no doubt.
_PRINT_BYTES = 12

_PRINT = np.dtype([("host", ">u4"), ("print", f"V{_PRINT_BYTES}")])

_KNOWN = pack_head(PageState.KNOWN, 0, 0)


@dataclass(frozen=True, slots=True)
class Found:
    """Ids (0 where not known), a mask of what is known, and states (KNOWN where not known)."""

    ids: npt.NDArray[np.uint64]
    known: npt.NDArray[np.bool_]
    states: npt.NDArray[np.uint8]


class PageTable:
    """The page table inside one transaction of the journal.

    *hosts* are those of the same transaction.
    """

    __slots__ = ("_hosts", "_locals", "_new_ids", "_txn")

    def __init__(self, txn: Transaction, hosts: HostBatch | None = None) -> None:
        self._txn = txn
        self._hosts = HostBatch(txn) if hosts is None else hosts
        self._new_ids: list[int] = []
        self._locals: list[str] = []

    def ids(
        self, keys: Sequence[PageKey], heads: Sequence[bytes] | None = None
    ) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.bool_]]:
        """Return the ids of *keys*, giving new ones, and a mask of those that are new.

        A new page begins with its head in *heads* (crawler.durable.page_state), one for each key, or
        as known. A key that stands twice in *keys* is new at its first place only.
        """
        prints = self._prints(keys)
        found = self._read(prints)
        is_new = np.zeros(len(keys), dtype=np.bool_)
        fresh: list[tuple[bytes, bytes]] = []
        pages: list[tuple[bytes, bytes]] = []
        for index, fp in enumerate(prints):
            if fp in found:
                continue
            key = keys[index]
            is_new[index] = True
            page_id = found[fp] = self._give(key)
            fresh.append((fp, u32_key(page_id & 0xFFFFFFFF)))
            head = _KNOWN if heads is None else heads[index]
            pages.append((u64_key(page_id), head + local_bytes(key.local)))
        if fresh:
            self._txn.put_many("ids", sorted(fresh))
            self._txn.put_many("pages", sorted(pages))
        return np.array([found[fp] for fp in prints], dtype=np.uint64), is_new

    def _prints(self, keys: Sequence[PageKey]) -> list[bytes]:
        hosts = {host: u32_key(self._hosts.add(host).host_id) for host in _hosts_of(keys)}
        return [hosts[key.host] + fingerprint(key)[:_PRINT_BYTES] for key in keys]

    def _read(self, prints: Iterable[bytes]) -> dict[bytes, int]:
        rows = self._txn.get_many("ids", sorted(set(prints)))
        hosts = np.frombuffer(b"".join(rows), dtype=_PRINT)["host"].astype(np.uint64)
        locals_ = np.frombuffer(b"".join(rows.values()), dtype=">u4").astype(np.uint64)
        return dict(zip(rows, (hosts << np.uint64(32) | locals_).tolist(), strict=True))

    def _give(self, key: PageKey) -> int:
        host = self._hosts.add(key.host)
        page_id = host.host_id << 32 | host.next_local
        host.next_local += 1
        self._new_ids.append(page_id)
        self._locals.append(key.local)
        return page_id

    def find(self, keys: Sequence[PageKey]) -> Found:
        """Look *keys* up; ids and states come together."""
        hosts = [self._hosts.find(key.host) for key in keys]
        prints = [
            None if host is None else _print(host, key)
            for host, key in zip(hosts, keys, strict=True)
        ]
        found = self._read(fp for fp in prints if fp is not None)
        pages = self._txn.get_many("pages", sorted(map(u64_key, found.values())))
        ids = np.zeros(len(keys), dtype=np.uint64)
        known = np.zeros(len(keys), dtype=np.bool_)
        states = np.zeros(len(keys), dtype=np.uint8)
        for index, fp in enumerate(prints):
            if fp is None or (page_id := found.get(fp)) is None:
                continue
            row = pages.get(u64_key(page_id))
            if row is None:
                raise lost_row("pages", page_id)
            ids[index], known[index], states[index] = page_id, True, unpack_head(row).state
        return Found(ids, known, states)

    def find_one(self, key: PageKey) -> int | None:
        """Return the id of *key*, None when it is not known."""
        host = self._hosts.find(key.host)
        return None if host is None else self._read([_print(host, key)]).get(_print(host, key))

    def key_of(self, page_id: int) -> PageKey:
        """Return the key of *page_id*; raise `KeyError` when it was never given."""
        raw = self._txn.get("pages", u64_key(page_id))
        if raw is None:
            raise KeyError(page_id)
        return PageKey(read_host(self._txn, split_id(page_id)[0]).key, local_text(raw))

    def write_log(self, sequence: int) -> None:
        """Append what is new since the beginning of the transaction to the log ``disc``."""
        if not self._new_ids:
            return
        record = {
            "hosts": [[row.host_id, row.key] for row in self._hosts.new],
            "ids": np.array(self._new_ids, dtype="<u8").tobytes(),
            "locals": self._locals,
        }
        append_record(self._txn, "disc", sequence, pack_record(record, len(self._new_ids)))


def _hosts_of(keys: Sequence[PageKey]) -> dict[str, None]:
    """Return the host keys of *keys*, each once, in the order of their first page."""
    return dict.fromkeys([key.host for key in keys])


def _print(host: HostRow, key: PageKey) -> bytes:
    return u32_key(host.host_id) + fingerprint(key)[:_PRINT_BYTES]
