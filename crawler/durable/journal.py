"""The journal: the one commit point of a crawl.

One process writes, through :meth:`Journal.write`; any number read snapshots of what is committed. All that came of a
group of pages changes in one transaction, so after any ``kill -9`` the journal is as it was after some group.

*On disk* (format 4). An LMDB environment, ``data.mdb`` and ``lock.mdb``, the lock file of the writer, and a
snapshot that only saves time (crawler.webgraph.pages.snapshot). Its tables, integers big-endian where they are keys:

==============  ==================================  ================================================
table           key                                 value
==============  ==================================  ================================================
``meta``        name                                ``format``, ``sequence``, ``serial:<log>`` (msgpack);
                                                    ``name``, 16 random bytes; ``totals`` (crawler.frontier.store.totals);
                                                    ``followed`` (crawler.frontier.followed_links)
``disc``        u64 sequence                        record: hosts and pages found
                                                    (crawler.webgraph.pages.discoveries)
``runs``        u32 number                          record: sealed ``disc`` (crawler.webgraph.pages.runs)
``texts``       u32 number, u32 group               local keys of a run, compressed
``flog``        u64 sequence                        record: ``ids`` u64[n], ``heads`` u16[n] of pages
                                                    whose state changed; ``levels`` u8[n], their
                                                    priorities, where any is not the default
``arcs``        u64 sequence                        record: arcs (crawler.webgraph.arcs.records)
``docs``        u64 sequence                        record: [[table, row], ...]
``categories``  u32 HostID                          msgpack list of category paths, sorted
``politeness``  u32 HostID                          crawler.frontier.hosts.politeness
``late``        u64 due (ms since 1970), u64 page   nothing
``retries``     u64 page                            u8 attempts that failed, of pages that wait
``shards``      path in the corpus folder           msgpack map (crawler.durable.sealing)
``steering``    crawler.frontier.steering.store     what was learned of traps and yield
``claims``      crawler.frontier.store.claims             nothing, or the capture that has the page
``out``         u16 shard, u64 number               record: links for the owner of other hosts
                                                    (crawler.fleet.hand_over)
``taken``       u16 shard                           u64 number of the last record taken from its ``out``
``visited``     u64 page id                         the last visit (crawler.durable.visits)
``stale``       u64 page id, u64 microseconds       why this capture counts no more (the same)
``sitemaps``    u64 page id                         what was last read there is a sitemap: nothing, or
                                                    ``failed`` when the last visit did; or ``feed``
``moved``       u32 HostID                          u16 shard that the host went to, and what was known
                                                    of it (crawler.frontier.shards.returns)
``returned``    u32 HostID                          nothing: it was a lost shard's (the same)
``warcs``       path in the corpus folder           u64 committed bytes (crawler.durable.warc_files)
``crashes``     u64 page                            u8 deaths (crawler.frontier.leases.crashes)
``extra``       of whoever writes it                of whoever writes it
==============  ==================================  ================================================

``disc``, ``flog``, ``arcs`` and ``docs`` are logs: one compressed record (crawler.durable.records) a
group, appended; all but ``flog`` are deleted when the shard or run that holds their rows is recorded.
"""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import lmdb
import msgpack

from crawler.durable.environment import FIRST_MAP_BYTES, Environment
from crawler.durable.files import WriterLock, make_folder
from crawler.durable.layout import SHARD
from crawler.durable.transaction import Transaction
from crawler.errors import FormatError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

T = TypeVar("T")

# 3 is read, too, and becomes 4 when a crawl goes on with it: its ``visited`` has found pages alone.
FORMAT, OLDEST_FORMAT = 4, 3

_SHARD_FOLDER = re.compile(r"\d{4}")

TABLES = (
    "meta",
    "disc",
    "runs",
    "texts",
    "flog",
    "arcs",
    "docs",
    "categories",
    "politeness",
    "late",
    "retries",
    "shards",
    "steering",
    "claims",
    "out",
    "taken",
    "visited",
    "stale",
    "sitemaps",
    "moved",
    "returned",
    "warcs",
    "crashes",
    "extra",
)


def no_failure(error: Exception) -> None:
    """Do nothing at *error*, which is raised too: the ``on_failure`` of all but a crawl."""


def no_step(step: str) -> None:
    """Do nothing at *step*: the ``on_step`` of everything but a test."""


class Journal:
    """The journal in *folder*; the folder's name is its *shard*.

    *on_step* is called with the name of each step of a commit and of a seal, so that a test can end
    the process there. *map_bytes* is the first size of the memory map. *on_failure* is called with what
    keeps a transaction from being written, and with the damage that one meets.
    """

    def __init__(
        self,
        folder: Path,
        *,
        writer: bool,
        map_bytes: int = FIRST_MAP_BYTES,
        on_step: Callable[[str], None] = no_step,
    ) -> None:
        self.folder = folder
        self.shard = folder.name if _SHARD_FOLDER.fullmatch(folder.name) else SHARD
        self.on_step = on_step
        self.on_failure: Callable[[Exception], None] = no_failure
        self.is_new = False
        self._lock = WriterLock(folder) if writer else None
        try:
            self._env = Environment.share(folder, map_bytes=map_bytes)
        except FormatError:
            self._unlock()
            raise
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    @classmethod
    def open_writer(cls, folder: Path, **options: Any) -> Journal:
        """Open the journal for its one writer, creating it when *folder* has none.

        Raises `InputError` when another process writes it, `FormatError` when it is damaged or of
        another format.
        """
        make_folder(folder)
        return cls(folder, writer=True, **options)

    @classmethod
    def open_reader(cls, folder: Path) -> Journal:
        """Open the journal for reading; raise `InputError` when there is none."""
        if not has_journal(folder):
            raise InputError(f"no journal in {folder}; run a crawl first or give its CORPUS_DIR")
        return cls(folder, writer=False)

    def _start(self) -> None:
        if self._lock is None:
            self._start_reading()
            return
        self._check_length()
        self._env.open_tables(TABLES[:1], create=True)
        self.is_new = self._version() is None
        self._env.open_tables(TABLES, create=True)
        self._env.forget_dead_readers()
        if self.is_new:
            self.write(_put_first)

    def _start_reading(self) -> None:
        if self._env.missing_bytes() and self._env.n_users == 1:
            raise FormatError(f"{self._env.data_file} is shorter than its pages; {_RESTORE}")
        complete = self._env.open_tables(TABLES[:1], create=False) and self._version()
        if not complete or not self._env.open_tables(TABLES, create=False):
            raise InputError(f"the journal in {self.folder} is empty; run a crawl first")

    def _version(self) -> int | None:
        with self.read() as txn:
            raw = txn.get("meta", b"format")
        if raw is None:
            return None
        version: int = msgpack.unpackb(raw)
        if not OLDEST_FORMAT <= version <= FORMAT:
            raise FormatError(
                f"the journal in {self.folder} has format {version}, this program reads {OLDEST_FORMAT} to {FORMAT}; "
                "use the release that wrote it or give another CORPUS_DIR"
            )
        return version

    def _check_length(self) -> None:
        """Refuse a data file that lost its end, by reading all of it when it is short."""
        missing = self._env.missing_bytes()
        if not missing:
            return
        self._env.pad(self.on_failure)
        try:
            self._env.open_tables(TABLES, create=False)
            with self.read() as txn:
                for table in TABLES:
                    for _ in txn.scan(table):
                        pass
        except FormatError:
            self._env.shorten(missing)
            raise

    def upgrade(self) -> None:
        """Name the format that is written from now on: a program that reads an older one alone refuses it."""
        if self._version() != FORMAT:
            self.write(lambda txn: txn.put("meta", b"format", msgpack.packb(FORMAT)))

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Run *work* in one transaction, commit it, and return what it returned.

        *work* may run twice (the map had to grow), so it changes nothing but the transaction. What
        it raises ends the transaction without a trace.
        """
        while True:
            self._env.make_room()
            at_end: list[Callable[[bool], None]] = []
            try:
                with self._env.begin(write=True) as txn:
                    transaction = Transaction(txn, self._env)
                    at_end = transaction.at_end
                    result = work(transaction)
                    self.on_step("before commit")
            except BaseException as error:
                _tell(at_end, committed=False)
                if isinstance(error, InputError | FormatError):
                    self.on_failure(error)
                if not isinstance(error, lmdb.MapFullError):
                    raise
                self._env.grow()
                continue
            _tell(at_end, committed=True)
            self.on_step("after commit")
            self._env.pad(self.on_failure)
            return result

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        """Yield a snapshot of what is committed; keep it short, as it holds old pages in use."""
        try:
            with self._env.begin(write=False) as txn:
                yield Transaction(txn, self._env)
        except FormatError as error:
            self.on_failure(error)
            raise

    def sync(self) -> None:
        """Flush everything committed to the disk."""
        self._env.sync()

    def copy(self, folder: Path) -> None:
        """Write a copy of the journal, as of one transaction and without free pages, to *folder*."""
        self._env.copy(folder)

    def close(self) -> None:
        """Flush to the disk and let go of the folder; a second call does nothing."""
        if self._env.n_users:
            if self._lock is not None:
                self._env.sync()
            self._env.release()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.release()


def _put_first(txn: Transaction) -> None:
    txn.put("meta", b"format", msgpack.packb(FORMAT))
    txn.put("meta", b"name", os.urandom(16))


def _tell(listeners: Sequence[Callable[[bool], None]], *, committed: bool) -> None:
    for listener in listeners:
        listener(committed)


_RESTORE = "restore the corpus folder from a copy"


def has_journal(folder: Path) -> bool:
    """Tell whether *folder* holds a journal with something in it."""
    data_file = folder / "data.mdb"
    return data_file.is_file() and data_file.stat().st_size > 0


def next_number(txn: Transaction, name: str) -> int:
    """Return the number *name* of ``meta`` plus one, and store it; the first is 1."""
    raw = txn.get("meta", name.encode())
    number: int = 1 + (msgpack.unpackb(raw) if raw else 0)
    txn.put("meta", name.encode(), msgpack.packb(number))
    return number
