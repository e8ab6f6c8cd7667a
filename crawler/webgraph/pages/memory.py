"""The page table in memory: keys → ids and states, and the keys by their ids.

Truth is the journal: the sealed runs, the log ``disc`` of what was found since, and the log
``flog`` of heads that changed. :meth:`PageMemory.follow` replays what it has not seen, so that the
writer starts, and a reader keeps up, in the same way. A snapshot (crawler.webgraph.pages.snapshot)
only saves time.

A transaction changes the memory at once and notes what it changed; when it fails, :meth:`undo` takes
that back. So nobody sees an id, or a head, that a crash could take back, as long as the writer's
process asks outside of its transactions.

Memory, a known page: 12 bytes for its fingerprint and LocalID, 2.4 for its head, up to 1.3 for the
index of the runs; a known host: 32 to 36 bytes (12 for its fingerprint, as many for its key; next
LocalID, extent). And 33 MB at most for what is not sealed. Measured by tests/benchmarks/bench_webgraph.py.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.durable.keys import u32_key, u64_key, u64_of
from crawler.durable.records import count_rows, pack_record, unpack_record
from crawler.durable.sealing import append_record
from crawler.errors import FormatError
from crawler.webgraph.hosts.extents import HostExtents
from crawler.webgraph.pages.discoveries import (
    Discoveries,
    are_among,
    distinct,
    id_runs,
    pack_discoveries,
)
from crawler.webgraph.pages.runs import read_run_prints, write_run
from crawler.webgraph.pages.sorting import Unsealed
from crawler.webgraph.pages.texts import PageTexts
from crawler.webgraph.prints.audit import PrintAudit
from crawler.webgraph.prints.table import PrintTable
from crawler.webgraph.prints.text_prints import text_prints
from crawler.webgraph.texts import Texts, concatenated, joined_texts, split_texts

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from crawler.durable.transaction import Transaction
    from crawler.webgraph.pages.sorting import SortedPages

    U16 = npt.NDArray[np.uint16]
    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]

_LOW = np.uint64(0xFFFFFFFF)
_HIGH_BITS = np.uint64(32)


class _Given(NamedTuple):
    """New pages of one call: ids, fingerprints, and their texts."""

    ids: U64
    prints: U64
    texts: Texts


class PageMemory(PageTexts):
    """See the module."""

    def __init__(self) -> None:
        super().__init__()
        self.table = PrintTable()
        self.heads = HostExtents()
        self.levels: HostExtents | None = None
        self.covered = 0  # the last sequence of the log disc that is in the table
        self.flog_covered = 0
        self.is_of_snapshot = False
        self.audit = PrintAudit()
        self._given: list[_Given] = []
        self._changed: list[tuple[U64, U16]] = []
        self._first_new_host = 0

    @property
    def n_bytes(self) -> int:
        """Return the bytes in use for pages: fingerprints, heads, and the index of the runs."""
        return self.table.n_bytes + self.heads.n_bytes + self.runs.n_bytes

    @property
    def has_given(self) -> bool:
        """Tell whether the transaction has given ids, whose texts are not kept yet."""
        return bool(self._given)

    def find(self, host_ids: U32, texts: Texts) -> npt.NDArray[np.int64]:
        """Return the LocalIDs of the pages with local keys *texts*, -1 where they are not known.

        Of a host that is not known there is no page, but one of it may have a fingerprint that is.
        """
        return self.table.find(text_prints(texts, host_ids))

    # --- changing, within a transaction ----------------------------------------------------------

    def give(self, host_ids: U32, texts: Texts) -> tuple[U64, npt.NDArray[np.bool_]]:
        """Return the ids of the pages with local keys *texts*, giving new ones, and which are new."""
        prints = text_prints(texts, host_ids)
        locals_, is_new = self.table.number(prints, host_ids, self.next_local)
        ids = host_ids.astype(np.uint64) << _HIGH_BITS | locals_.astype(np.uint64)
        if is_new.any():
            new = ids[is_new]
            self.heads.reach(new)
            if self.levels is not None:
                self.levels.reach(new)
            kept = Texts(texts.data, texts.starts[is_new], texts.ends[is_new])
            self._given.append(_Given(new, prints[is_new], kept))
        return ids, is_new

    def set_heads(self, ids: U64, heads: U16) -> None:
        """Set the heads of the pages *ids*, each once."""
        self._changed.append((ids, self.heads.get(ids)))
        self.heads.set(ids, heads)

    def note_heads(self, ids: U64, old: U16) -> None:
        """Note that the heads of *ids*, which were *old*, have been set in place."""
        if len(ids):
            self._changed.append((ids, old))

    def levels_of(self, ids: U64) -> U16:
        """Return the priorities of the pages *ids*, 0 where none was set."""
        return np.zeros(len(ids), np.uint16) if self.levels is None else self.levels.get(ids)

    def set_levels(self, ids: U64, levels: U16) -> None:
        """Set the priorities of the pages *ids*; they stay when the transaction fails."""
        self._changed.append((ids, self.heads.get(ids)))
        self.put_levels(ids, levels)

    def put_levels(self, ids: U64, levels: U16) -> None:
        """Set the priorities of the pages *ids* without a note for the log.

        They take memory only once a page has one.
        """
        if self.levels is None:
            self.levels = HostExtents()
            for known in self.all_ids():
                self.levels.reach(known)
        self.levels.reach(ids)
        self.levels.set(ids, levels)

    def write(self, txn: Transaction, sequence: int) -> Discoveries | None:
        """Append what the transaction found and changed to the logs; return what it found."""
        new = self._found()
        if new is not None:
            append_record(txn, "disc", sequence, pack_discoveries(new))
        parts = [np.zeros(0, dtype=np.uint64), *(ids for ids, _ in self._changed)]
        old = distinct(np.concatenate(parts))
        if new is not None:
            old = old[~are_among(old, new.ids)]
        if len(old):
            record = {"ids": old.astype("<u8").tobytes(), "heads": self.heads.get(old).tobytes()}
            if (levels := self._small_levels(old)) is not None:
                record["levels"] = levels.tobytes()
            append_record(txn, "flog", sequence, pack_record(record, len(old)))
        return new

    def _found(self) -> Discoveries | None:
        if not self._given:
            return None
        ids = np.concatenate([given.ids for given in self._given])
        texts = concatenated([given.texts for given in self._given])
        ids = ids[order := np.argsort(ids)]
        return Discoveries(
            host_ids=self.hosts.host_ids(self._first_new_host),
            hosts=self.hosts.texts(self._first_new_host),
            ids=ids,
            runs=id_runs(ids),
            heads=self.heads.get(ids),
            levels=self._small_levels(ids),
            locals=split_texts(joined_texts(texts, order)),
        )

    def _small_levels(self, ids: U64) -> npt.NDArray[np.uint8] | None:
        return None if self.levels is None else self.levels.get(ids).astype(np.uint8)

    def keep(self, found: Discoveries | None, sequence: int) -> None:
        """Take what :meth:`write` returned as committed."""
        if found is not None:
            self.tail.add(found.ids, found.locals)
        self.covered = self.flog_covered = max(self.covered, sequence)
        self._tail_covered = self.covered
        self._forget()

    def undo(self) -> None:
        """Take back what the transaction changed."""
        for ids, old in reversed(self._changed):
            self.heads.set(ids, old)
        for given in self._given:
            self.table.remove(given.prints)
            self.heads.set(given.ids, np.zeros(len(given.ids), dtype=np.uint16))
            np.subtract.at(self.next_local, (given.ids >> _HIGH_BITS).astype(np.int64), 1)
        self.hosts.truncate(self._first_new_host)
        self._forget()

    def _forget(self) -> None:
        self._given, self._changed = [], []
        self.hosts.settle()
        self._first_new_host = len(self.hosts)

    def follow(self, txn: Transaction) -> None:
        """Replay what the journal holds beyond what is known."""
        self.table.expect(self._n_waiting(txn))
        super().follow(txn)
        for key, record in txn.scan("flog", u64_key(self.flog_covered + 1)):
            self._replay_heads(record)
            self.flog_covered = u64_of(key)
        self._first_new_host = len(self.hosts)

    def _n_waiting(self, txn: Transaction) -> int:
        """Return the number of pages in the journal that are not known, or a few less."""
        runs = sum(count_rows(record) for _, record in txn.scan("runs", u32_key(len(self.runs))))
        log = sum(count_rows(record) for _, record in txn.scan("disc", u64_key(self.covered + 1)))
        return max(0, runs + log - len(self.table)) if not len(self.runs) else log

    def is_behind(self, txn: Transaction) -> bool:
        """Tell whether :meth:`follow` has something to do."""
        flog = txn.last_key("flog")
        return super().is_behind(txn) or (flog is not None and u64_of(flog) > self.flog_covered)

    def _learn_run(self, txn: Transaction, number: int, found: Discoveries, last: int) -> None:
        if last > self.covered:
            self._replay(found, read_run_prints(txn, number, found.seeds), last)

    def _learn(self, found: Discoveries, sequence: int) -> None:
        if sequence > self.covered:
            self._replay(found, text_prints(found.locals, found.seeds), sequence)

    def _replay(self, found: Discoveries, prints: U64, sequence: int) -> None:
        """Add those pages of *found*, with fingerprints *prints*, that are not known."""
        hosts, firsts, counts = found.runs
        try:
            is_new = self.table.put(prints, (found.ids & _LOW).astype(np.uint32))
        except ValueError as error:
            raise FormatError(
                f"the log of pages is damaged ({error}); restore the journal from a copy"
            ) from error
        np.maximum.at(self.next_local, hosts, firsts + counts)
        ids = found.ids[is_new]
        self.heads.reach(ids)
        self.heads.set(ids, found.heads[is_new])
        if found.levels is not None:
            self.put_levels(ids, found.levels[is_new].astype(np.uint16))
        elif self.levels is not None:
            self.levels.reach(ids)
        self.covered = sequence

    def frozen(self) -> Unsealed:
        """Return what is not sealed as of the last commit, the pages in views of their arrays."""
        return Unsealed(self.tail.ids, self.tail.texts, len(self.hosts), self._tail_covered)

    def seal(self, txn: Transaction, part: SortedPages) -> Callable[[], None]:
        """Write *part* as a run and delete its log; return what to call after the commit."""
        first, hosts = self._sealed_hosts, self.hosts.texts(self._sealed_hosts)
        n_hosts = part.n_hosts - first
        found = Discoveries(
            host_ids=self.hosts.host_ids(first)[:n_hosts],
            hosts=Texts(hosts.data, hosts.starts[:n_hosts], hosts.ends[:n_hosts]),
            ids=part.ids,
            runs=id_runs(part.ids),
            heads=self.heads.get(part.ids),
            levels=self._small_levels(part.ids),
            locals=split_texts(b""),
        )
        write_run(txn, len(self.runs), found, part.groups, part.last)
        for key in list(txn.keys("disc")):
            if u64_of(key) <= part.last:
                txn.delete("disc", key)
        return partial(self._sealed_part, found, part)

    def _sealed_part(self, found: Discoveries, part: SortedPages) -> None:
        self.runs.add(found, part.last)
        self.tail.drop(len(part.ids))
        self._sealed_hosts = part.n_hosts

    def _replay_heads(self, record: bytes) -> None:
        value = unpack_record(record)
        try:
            ids = np.frombuffer(value["ids"], dtype="<u8").astype(np.uint64)
            heads = np.frombuffer(value["heads"], dtype="<u2").astype(np.uint16)
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError(
                f"a record of states is damaged ({error}); restore the journal from a copy"
            ) from error
        self.heads.set(ids, heads)
        if (levels := value.get("levels")) is not None:
            self.put_levels(ids, np.frombuffer(levels, dtype=np.uint8).astype(np.uint16))
