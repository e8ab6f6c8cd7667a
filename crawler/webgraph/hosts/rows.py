"""The hosts of the journal, as one transaction finds and adds them.

HostIDs are those of crawler.webgraph.hosts.names; a host is recorded with its first page
(crawler.webgraph.pages.discoveries). Categories are in a table of their own, for few hosts have any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgpack

from crawler.durable.keys import u32_key
from crawler.webgraph.pages.table import page_memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crawler.durable.transaction import Transaction


class HostBatch:
    """The hosts in one transaction of the journal; *new* are the keys that it added."""

    __slots__ = ("_categories", "_memory", "_txn", "new")

    def __init__(self, txn: Transaction) -> None:
        self._txn = txn
        self._memory = page_memory(txn)
        self._categories: dict[int, set[str]] = {}
        self.new: list[str] = []

    def find(self, key: str) -> int | None:
        """Return the HostID of *key*, None when it is not known."""
        return self._memory.hosts.find(key)

    def add(self, key: str) -> int:
        """Return the HostID of *key*, which gets the next one when it is new.

        A new host is recorded only if a page of it is found in the same transaction.
        """
        host_id = self._memory.hosts.find(key)
        if host_id is None:
            host_id = self._memory.hosts.add([key])[0]
            self.new.append(key)
        return host_id

    def key(self, host_id: int) -> str:
        """Return the key of the host *host_id*; raise `KeyError` when it was never given."""
        return self._memory.hosts.key(host_id)

    def add_categories(self, host_id: int, categories: set[str]) -> None:
        """Unite the categories of the host *host_id* with *categories*."""
        self._categories.setdefault(host_id, set()).update(categories)

    def write(self) -> list[int]:
        """Write the categories that were added; return the hosts that have any now."""
        for host_id, categories in sorted(self._categories.items()):
            old = read_categories(self._txn, host_id)
            if not categories <= set(old):
                packed = msgpack.packb(sorted(categories | set(old)), unicode_errors="replace")
                self._txn.put("categories", u32_key(host_id), packed)
        hosts, self._categories = sorted(self._categories), {}
        return hosts


def scan_hosts(txn: Transaction) -> Iterator[tuple[int, str]]:
    """Yield (HostID, host key) of all hosts, in the order of their ids."""
    hosts = page_memory(txn).hosts
    for host_id in hosts.ascending().tolist():
        yield host_id, hosts.key(host_id)


def read_categories(txn: Transaction, host_id: int) -> tuple[str, ...]:
    """Return the category paths of the host *host_id*, sorted."""
    raw = txn.get("categories", u32_key(host_id))
    return tuple(msgpack.unpackb(raw)) if raw else ()
