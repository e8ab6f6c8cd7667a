"""Sealing: the rows of a log become shard files, exactly once.

A seal writes its files under temporary names, flushes and renames them, flushes the folders, and
then records them in the journal in the one transaction that deletes the rows they hold. Wherever
it is cut, the rows are in the journal or in recorded shards, and never in both:

==========================  ============================================================
cut                         at the next start
==========================  ============================================================
before the rename           the temporary file is removed
between rename and commit   the file, which the journal does not name, is removed
after the commit            nothing is to be done
==========================  ============================================================

*On disk.* A shard is named ``<folder>/<prefix><shard>-<serial>.parquet``; the serial counts the
seals of a log, from 1. Its row in table ``shards``: key the name, value a msgpack map ``rows``,
``bytes``, ``log``, ``serial``, ``first`` and ``last`` (the sequences that it covers).

Invariant: a shard that the journal names is there, whole, until a transaction puts others in its place.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Protocol

import msgpack

from crawler.durable.files import TEMPORARY, make_folder, sync_file, temporary
from crawler.durable.journal import next_number
from crawler.durable.keys import u64_key, u64_of
from crawler.durable.layout import SHARD, not_named
from crawler.durable.records import count_rows
from crawler.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from crawler.durable.journal import Journal
    from crawler.durable.transaction import Transaction

_SHARD_NAME = re.compile(r"(?:[a-z]+-)?(\d{4})-\d{6,}\.parquet")


@dataclass(frozen=True, slots=True)
class Shard:
    """A sealed file: *name* in the corpus folder, what it holds, and the sequences it covers."""

    name: str
    rows: int
    bytes: int
    log: str
    serial: int
    first: int
    last: int

    @property
    def kind(self) -> str:
        """The folder, and the prefix of the file if it has one: ``documents``, ``graph/0000/arcs``."""
        folder, _, file = self.name.rpartition("/")
        prefix = file.rsplit("-", 2)[:-2]
        return "/".join([folder, *prefix])

    @property
    def shard(self) -> str:
        """The shard whose journal names the file."""
        return self.name.rsplit("-", 2)[-2].rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Backlog:
    """What a log holds: rows, compressed bytes, and the sequences of its records."""

    rows: int = 0
    bytes: int = 0
    first: int = 0
    last: int = 0


class Sealer(Protocol):
    """Seals what is due in *journal*, everything when *force*; returns the number of shards."""

    def __call__(self, journal: Journal, *, force: bool = False) -> int: ...


def append_record(txn: Transaction, log: str, sequence: int, record: bytes) -> None:
    """Append *record* to *log*."""
    txn.append(log, u64_key(sequence), record)


class BacklogMeter:
    """Measures *log* again and again, reading each record's size once."""

    def __init__(self, log: str) -> None:
        self.log = log
        self._backlog = Backlog()

    def measure(self, txn: Transaction) -> Backlog:
        """Return the backlog of the log."""
        first = txn.first_key(self.log)
        if first is None:
            self._backlog = Backlog()
            return self._backlog
        number = u64_of(first)
        if number != self._backlog.first:
            self._backlog = Backlog(first=number, last=number - 1)
        rows, n_bytes, last = self._backlog.rows, self._backlog.bytes, self._backlog.last
        for key, record in txn.scan(self.log, u64_key(last + 1)):
            rows += count_rows(record)
            n_bytes += len(record)
            last = u64_of(key)
        self._backlog = Backlog(rows, n_bytes, number, last)
        return self._backlog


def read_log(
    journal: Journal, log: str, *, last: int = 2**64 - 1, n_bytes: int = 2**24
) -> Iterator[bytes]:
    """Yield the records of *log* up to sequence *last*, *n_bytes* or one record held at a time.

    Records that are sealed meanwhile are left out: take a snapshot first where that matters.
    """
    start = 0
    while start <= last:
        chunk: list[bytes] = []
        size = 0
        with journal.read() as txn:
            for key, record in txn.scan(log, u64_key(start)):
                number = u64_of(key)
                if number > last or size >= n_bytes:
                    break
                chunk.append(record)
                size += len(record)
                start = number + 1
        if not chunk:
            return
        yield from chunk


def seal(
    journal: Journal,
    corpus_dir: Path,
    *,
    logs: Mapping[str, Backlog],
    files: Mapping[str, str],
    write: Callable[[Mapping[str, Path]], Mapping[str, int]],
) -> list[Shard]:
    """Write the records of *logs* into shards and forget them; return the shards.

    *logs* are the backlogs to be sealed, at least one and sealed together. *files* names each kind
    of shard (``documents/`` or ``graph/0000/arcs-``: what comes before shard and serial) for
    *write*, which gets the path of each by its key, writes the file and returns the rows of those
    that it wrote; a kind without rows makes no shard.
    """
    log = next(iter(logs))
    with journal.read() as txn:
        raw = txn.get("meta", _serial_name(log).encode())
    serial = 1 + (msgpack.unpackb(raw) if raw else 0)
    shard = journal.shard
    names = {kind: f"{prefix}{shard}-{serial:06}.parquet" for kind, prefix in files.items()}
    for name in names.values():
        make_folder((corpus_dir / name).parent)
    rows = write({kind: temporary(corpus_dir / name) for kind, name in names.items()})
    held = [backlog for backlog in logs.values() if backlog.last]
    first, last = min(b.first for b in held), max(b.last for b in held)
    shards = []
    for kind, n_rows in rows.items():
        path = temporary(corpus_dir / names[kind])
        sync_file(path)
        n_bytes = path.stat().st_size
        shards.append(Shard(names[kind], n_rows, n_bytes, log, serial, first, last))
    journal.on_step("seal written")
    _rename(corpus_dir, shards)
    journal.on_step("seal renamed")
    journal.write(lambda txn: _record(txn, logs, shards))
    journal.on_step("seal committed")
    return shards


def _rename(corpus_dir: Path, shards: Sequence[Shard]) -> None:
    for shard in shards:
        path = corpus_dir / shard.name
        temporary(path).replace(path)
    for folder in sorted({(corpus_dir / shard.name).parent for shard in shards}):
        sync_file(folder)


def _record(txn: Transaction, logs: Mapping[str, Backlog], shards: Sequence[Shard]) -> None:
    next_number(txn, _serial_name(next(iter(logs))))
    for shard in shards:
        row = asdict(shard)
        txn.put("shards", row.pop("name").encode(), msgpack.packb(row))
    for log, backlog in logs.items():
        keys = []
        for key in txn.keys(log):
            if u64_of(key) > backlog.last:
                break
            keys.append(key)
        for key in keys:
            txn.delete(log, key)


def _serial_name(log: str) -> str:
    return f"serial:{log}"


def read_shards(txn: Transaction) -> list[Shard]:
    """Return the recorded shards, in the order of their names."""
    return [_shard(key, value) for key, value in txn.scan("shards")]


def _shard(key: bytes, value: bytes) -> Shard:
    try:
        row: dict[str, Any] = msgpack.unpackb(value)
        return Shard(name=key.decode(), **row)
    except (ValueError, TypeError) as error:
        raise FormatError(
            f"the journal's row of shard {key!r} is damaged ({error}); restore it from a copy"
        ) from error


def check_shards(corpus_dir: Path, shards: Sequence[Shard]) -> None:
    """Raise `FormatError` when a recorded shard is missing or not as long as it was."""
    for shard in shards:
        path = corpus_dir / shard.name
        if not path.is_file():
            raise FormatError(f"shard {path} is missing; restore it from a copy")
        if (n_bytes := path.stat().st_size) != shard.bytes:
            raise FormatError(
                f"shard {path} has {n_bytes} bytes instead of {shard.bytes}; restore it from a copy"
            )


def recover(journal: Journal, corpus_dir: Path, folders: Sequence[str]) -> list[str]:
    """Check the recorded shards and remove the files of seals that were cut; return their names.

    Only files in *folders* that bear the name of the journal's own shard are touched. Raises `FormatError` when
    they cannot come of a seal that was cut: the journal is then not the one of this corpus.
    """
    with journal.read() as txn:
        shards = read_shards(txn)
        serials = [msgpack.unpackb(row) for key, row in txn.scan("meta") if key[:7] == b"serial:"]
    check_shards(corpus_dir, shards)
    recorded = {shard.name for shard in shards}
    files = shard_files(corpus_dir, folders, journal.shard)
    strangers = [name for name in files if name not in recorded]
    for name in strangers:
        if not name.endswith(TEMPORARY) and _serial(name) > max(serials, default=0) + 1:
            raise not_named(corpus_dir / name, journal.folder)
    for name in strangers:
        (corpus_dir / name).unlink()
    return strangers


def check_no_shards(corpus_dir: Path, folders: Sequence[str], journal_dir: Path) -> None:
    """Raise `FormatError` when *folders* hold files of a shard that has no journal to name them."""
    for name in shard_files(corpus_dir, folders, journal_dir.name):
        raise not_named(corpus_dir / name, journal_dir)


def shard_files(corpus_dir: Path, folders: Sequence[str], shard: str = SHARD) -> list[str]:
    """Return the names of all files in *folders* that are named as of *shard*, unfinished ones too."""
    return [
        f"{folder}/{path.name}"
        for folder in folders
        for path in sorted((corpus_dir / folder).glob("*.parquet*"))
        if (name := _SHARD_NAME.fullmatch(path.name.removesuffix(TEMPORARY))) and name[1] == shard
    ]


def _serial(name: str) -> int:
    return int(name.removesuffix(TEMPORARY).removesuffix(".parquet").rsplit("-", 1)[1])
