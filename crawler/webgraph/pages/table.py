"""The page table: page key → page id = HostID * 2^32 + LocalID, given at first sight, for ever.

Contents: every page that was fetched, linked to, or named as a seed. Guarantee: equal keys have one
id and an id has one key; ids are given in the order of the keys of a batch, are never given twice,
and last only if the journal's transaction is committed, so nobody sees an id that a crash could take
back.

A key is found by its HostID and 64 bits of its fingerprint, which stand for it: of n pages two share
one with probability n^2 / 2^65 (7e-5 at 5·10^7); the later one then has no id of its own. Some hits
are held against the text (`PageTable.audit`). One look-up gives the id and the state. The table itself is in memory
(crawler.webgraph.pages.memory), the truth in the journal.

Cost and bytes: tests/benchmarks/bench_webgraph.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgpack
import numpy as np

from crawler.durable.keys import u64_of
from crawler.durable.page_state import STATE_MASK
from crawler.urls import PageKey
from crawler.webgraph.address_space import trim_heap
from crawler.webgraph.pages.memory import PageMemory
from crawler.webgraph.pages.snapshot import read_snapshot
from crawler.webgraph.prints.audit import AUDIT_KEYS
from crawler.webgraph.texts import texts_of_pairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from crawler.durable.transaction import Transaction
    from crawler.webgraph.hosts.rows import HostBatch
    from crawler.webgraph.pages.texts import PageTexts


# From so many pages on their texts are read by kernels; of fewer, blocks that were unpacked are kept.
MANY_PAGES = 16
# Pages whose texts are read together: their blocks take 4 MB.
_PART_PAGES = 2048


@dataclass(frozen=True, slots=True)
class Found:
    """Ids (0 where not known), a mask of what is known, and states (KNOWN where not known)."""

    ids: npt.NDArray[np.uint64]
    known: npt.NDArray[np.bool_]
    states: npt.NDArray[np.uint8]


class PageTable:
    """The page table inside one transaction of the journal.

    *hosts* are those of the same transaction, if it has them already.
    """

    __slots__ = ("_txn", "memory")

    def __init__(self, txn: Transaction, hosts: HostBatch | None = None) -> None:  # noqa: ARG002  both share the memory
        self._txn = txn
        self.memory = page_memory(txn)

    def ids(self, keys: Sequence[PageKey]) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.bool_]]:
        """Return the ids of *keys*, giving new ones, and a mask of those that are new.

        A new page begins as known. A key that stands twice in *keys* is new at its first place only.
        Some keys of some calls are audited.
        """
        if not self.memory.has_given and self.memory.audit.is_due():
            self.audit(keys[:AUDIT_KEYS])
        hosts, locals_ = texts_of_pairs(keys)
        return self.memory.give(self.memory.hosts.ids(hosts, add=True), locals_)

    def find(self, keys: Sequence[PageKey]) -> Found:
        """Look *keys* up; ids and states come together."""
        hosts, locals_ = texts_of_pairs(keys)
        host_ids = self.memory.hosts.ids(hosts)
        local_ids = self.memory.find(host_ids, locals_)
        return Found(*self.memory.heads.look(host_ids, local_ids, STATE_MASK))

    def audit(self, keys: Sequence[PageKey]) -> list[PageKey]:
        """Hold those of *keys* that are known against the text; return those of another page.

        `PageMemory.audit` counts both.
        """
        found = self.find(keys)
        known = np.flatnonzero(found.known).tolist()
        wrong = [
            keys[place]
            for place, key in zip(known, self.keys_of(found.ids[found.known]), strict=True)
            if key != keys[place]
        ]
        self.memory.audit.n_checked += len(known)
        self.memory.audit.n_wrong += len(wrong)
        return wrong

    def find_one(self, key: PageKey) -> int | None:
        """Return the id of *key*, None when it is not known."""
        found = self.find([key])
        return int(found.ids[0]) if found.known[0] else None

    def keys_of(self, ids: npt.NDArray[np.uint64]) -> list[PageKey]:
        """Return the keys of *ids*; raise `KeyError` for one that was never given."""
        return read_keys(self.memory, self._txn, ids)

    def key_of(self, page_id: int) -> PageKey:
        """Return the key of *page_id*; raise `KeyError` when it was never given."""
        local = self.memory.text(self._txn, page_id)
        return PageKey(self.memory.hosts.key(page_id >> 32), local)

    def write_log(self, sequence: int) -> None:
        """Append what is new or changed since the beginning of the transaction to the logs."""
        found = self.memory.write(self._txn, sequence)

        def end(committed: bool) -> None:
            if committed:
                self.memory.keep(found, sequence)

        self._txn.at_end.insert(0, end)


def page_memory(txn: Transaction) -> PageMemory:
    """Return the page table in memory, as of *txn*; loaded when this process has not yet done it."""
    kept = txn.environment.memory
    memory: PageMemory | None = kept.get("pages")
    if memory is None:
        memory = kept["pages"] = _load(txn)
        trim_heap()
    if not txn.is_watched:
        if memory.is_behind(txn):
            memory.follow(txn)
        txn.is_watched = True
        txn.at_end.append(lambda committed: memory.undo())  # noqa: ARG005  undoes what was not kept
    return memory


def _load(txn: Transaction) -> PageMemory:
    name = txn.get("meta", b"name")
    memory = None if name is None else read_snapshot(txn.environment.folder, name)
    if memory is not None and memory.covered <= _last_sequence(txn):
        memory.follow(txn)
        if int(memory.next_local[memory.hosts.host_ids()].sum(dtype=np.int64)) == memory.n_pages:
            memory.is_of_snapshot = True
            return memory
    memory = PageMemory()
    memory.follow(txn)
    return memory


def _last_sequence(txn: Transaction) -> int:
    last, raw = txn.last_key("disc"), txn.get("meta", b"sequence")
    return max(u64_of(last) if last else 0, msgpack.unpackb(raw) if raw else 0)


def read_keys(memory: PageTexts, txn: Transaction, ids: npt.NDArray[np.uint64]) -> list[PageKey]:
    """Return the keys of *ids*; raise `KeyError` for one that was never given."""
    if len(ids) < MANY_PAGES:
        locals_ = memory.texts(txn, ids)
        hosts = memory.hosts.keys((ids >> np.uint64(32)).tolist())
        return list(map(PageKey, hosts, locals_))
    keys: list[PageKey] = []
    for start in range(0, len(ids), _PART_PAGES):
        part = ids[start : start + _PART_PAGES]
        texts = memory.gather(txn, part)
        host_ids, places = np.unique(part >> np.uint64(32), return_inverse=True)
        names = memory.hosts.gather(host_ids.astype(np.int64)).strings()
        keys += map(PageKey, map(names.__getitem__, places.tolist()), texts.strings())
    return keys
