"""Puts shards in the place of others, in one commit: all of them, or none.

The new files are written under serials of their own, flushed and renamed; then the journals of all
shards put them in the place of the old ones, all or none (crawler.durable.journals); then the old files
are removed. Wherever that is cut, the corpus is as it was before or as it is after, and the files that
no journal names are removed when it is opened next.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import msgpack

from crawler.durable.files import make_folder, sync_file, temporary
from crawler.durable.journals import Edit, change_all, recorded_files
from crawler.durable.parquet import ParquetSink
from crawler.durable.sealing import read_shards, shard_files
from pipelines.corpus.schema import DISTINCT, SCHEMAS
from pipelines.corpus.shards import GROUP_ROWS, LOG

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from crawler.durable.journal import Journal
    from crawler.durable.sealing import Shard
    from crawler.durable.transaction import Transaction

    # What is to be changed besides in a journal, given the names that the files of rows will then have.
    Commit = Callable[[Journal, Sequence[str]], Sequence[Edit]]


def remove_strangers(corpus_dir: Path, journal: Journal) -> None:
    """Remove the files of rows that the journal does not name, left by a run that was killed."""
    with journal.read() as txn:
        recorded = {shard.name for shard in read_shards(txn)}
    for name in shard_files(corpus_dir, tuple(SCHEMAS), journal.folder.name):
        if name not in recorded:
            (corpus_dir / name).unlink()


def reserve_serials(journal: Journal, n_serials: int) -> int:
    """Return the number below *n_serials* serials that no other shard has, nor will after a crash."""
    name = f"serial:{LOG}".encode()

    def reserve(txn: Transaction) -> int:
        raw = txn.get("meta", name)
        serial: int = msgpack.unpackb(raw) if raw else 0
        txn.put("meta", name, msgpack.packb(serial + n_serials))
        return serial

    return journal.write(reserve) if n_serials else 0


def new_sink(corpus_dir: Path, kind: str, source: Shard, serial: int) -> ParquetSink:
    """Return where rows of *kind* that were *source*'s are written to, under *serial*."""
    path = corpus_dir / _name(kind, source, serial)
    make_folder(path.parent)
    return ParquetSink(temporary(path), SCHEMAS[kind], group_rows=GROUP_ROWS, distinct=DISTINCT)


def finished(
    corpus_dir: Path, kind: str, source: Shard, serial: int, n_rows: int
) -> Iterator[Shard]:
    """Yield the shard of a sink of *n_rows* that was closed, if it has any."""
    if n_rows:
        name = _name(kind, source, serial)
        path = temporary(corpus_dir / name)
        sync_file(path)
        n_bytes = path.stat().st_size
        yield replace(source, name=name, rows=n_rows, bytes=n_bytes, serial=serial)


def _name(kind: str, source: Shard, serial: int) -> str:
    return f"{kind}/{source.shard}-{serial:06}.parquet"


def take_place(
    corpus_dir: Path,
    journals: Sequence[Journal],
    old: Sequence[Shard],
    new: Sequence[Shard],
    commit: Commit = lambda *_: (),
) -> None:
    """Put the shards *new*, which are written, in the place of *old*; *commit* is part of it."""
    on_step = journals[0].on_step
    on_step("rewrite written")
    for shard in new:
        temporary(corpus_dir / shard.name).replace(corpus_dir / shard.name)
    for folder in sorted({(corpus_dir / shard.name).parent for shard in new}):
        sync_file(folder)
    on_step("rewrite renamed")
    recorded = {shard.name for shard in recorded_files(journals) if shard.kind in SCHEMAS}
    names = recorded - {shard.name for shard in old} | {shard.name for shard in new}
    edits = _replaced(old, new)
    for journal in journals:
        edits[journal.shard] += commit(journal, sorted(names))
    change_all(corpus_dir, journals, edits)
    on_step("rewrite committed")
    for shard in old:
        (corpus_dir / shard.name).unlink()


def _replaced(old: Sequence[Shard], new: Sequence[Shard]) -> defaultdict[str, list[Edit]]:
    """Return what puts *new* in the place of *old*, by shard."""
    edits: defaultdict[str, list[Edit]] = defaultdict(list)
    for shard in old:
        edits[shard.shard].append(Edit("shards", shard.name.encode(), None))
    for shard in new:
        row = asdict(shard)
        name = row.pop("name").encode()
        edits[shard.shard].append(Edit("shards", name, msgpack.packb(row)))
    return edits
