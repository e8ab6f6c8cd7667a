"""Changes the shards of a corpus in one commit: all of them, or none.

Every shard that changes is written anew under a serial of its own; what does not change stays as it
is. The new files are written, flushed and renamed; then one transaction of the journal puts them in
the place of the old ones; then the old files are removed. Wherever that is cut, the corpus is as
it was before or as it is after, and the files that the journal does not name are removed when it is
opened next.

Disk: the shards that change, twice until the end. Memory: one row group.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import msgpack
import pyarrow as pa

from crawler.durable.files import make_folder, sync_file, temporary
from crawler.durable.parquet import ParquetSink, read_parquet
from crawler.durable.sealing import Shard, read_shards, shard_files
from pipelines.corpus.schema import DOCUMENTS, REJECTED, SCHEMAS
from pipelines.corpus.shards import GROUP_ROWS, LOG

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from crawler.durable.journal import Journal
    from crawler.durable.transaction import Transaction
    from pipelines.jobs.dedup.changes import Changer

_KINDS = {"documents": DOCUMENTS, "rejected": REJECTED}


class _Rewrite(NamedTuple):
    """A shard that changes, the number of its first page, and the serial of what takes its place."""

    shard: Shard
    first: int
    serial: int


def rewrite(
    corpus_dir: Path,
    journal: Journal,
    changer: Changer,
    *,
    commit: Callable[[Transaction], None] | None = None,
) -> int:
    """Change the shards of *corpus_dir*, of which nothing waits in *journal* to be sealed.

    *commit* is part of the transaction. Returns the number of shards that were written anew.
    """
    remove_strangers(corpus_dir, journal)
    with journal.read() as txn:
        shards = read_shards(txn)
    sources = _sources(corpus_dir, shards, changer)
    plan = _numbered(journal, sources)
    written: list[Shard] = []
    for each in plan:
        if each.shard.kind == "rejected":
            written += _write_renamed(corpus_dir, each, changer)
        else:
            written += _write_changed(corpus_dir, each, changer)
    journal.on_step("rewrite written")
    for shard in written:
        temporary(corpus_dir / shard.name).replace(corpus_dir / shard.name)
    for folder in sorted({(corpus_dir / shard.name).parent for shard in written}):
        sync_file(folder)
    journal.on_step("rewrite renamed")
    old = [each.shard for each in plan]
    journal.write(partial(_replace, old=old, new=written, commit=commit))
    journal.on_step("rewrite committed")
    for shard in old:
        (corpus_dir / shard.name).unlink()
    return len(plan)


def remove_strangers(corpus_dir: Path, journal: Journal) -> None:
    """Remove the files of rows that the journal does not name, left by a run that was killed."""
    with journal.read() as txn:
        recorded = {shard.name for shard in read_shards(txn)}
    for name in shard_files(corpus_dir, tuple(SCHEMAS)):
        if name not in recorded:
            (corpus_dir / name).unlink()


def _sources(
    corpus_dir: Path, shards: Sequence[Shard], changer: Changer
) -> list[tuple[Shard, int]]:
    by_serial = sorted(shards, key=lambda shard: shard.serial)
    found, first = [], 0
    for kind in ("documents", "provisional"):
        for shard in by_serial:
            if shard.kind == kind:
                is_provisional = kind == "provisional"
                if (
                    changer.decides_provisional
                    if is_provisional
                    else changer.touches(first, shard.rows)
                ):
                    found.append((shard, first))
                first += shard.rows
    rejected = (shard for shard in by_serial if shard.kind == "rejected")
    found += [(each, 0) for each in rejected if _names_changed(corpus_dir / each.name, changer)]
    return found


def _names_changed(path: Path, changer: Changer) -> bool:
    """Tell whether a row of the shard names a page that is kept no more."""
    for batch in read_parquet(path, ["duplicate_of"]):
        named = batch["duplicate_of"].to_pylist()
        if changer.renamed(named) != named:
            return True
    return False


def _numbered(journal: Journal, sources: Sequence[tuple[Shard, int]]) -> list[_Rewrite]:
    """Give each shard that changes a serial that no other has, nor will after a crash."""
    name = f"serial:{LOG}".encode()

    def reserve(txn: Transaction) -> int:
        raw = txn.get("meta", name)
        serial: int = msgpack.unpackb(raw) if raw else 0
        txn.put("meta", name, msgpack.packb(serial + len(sources)))
        return serial

    serial = journal.write(reserve) if sources else 0
    return [
        _Rewrite(shard, first, serial + place)
        for place, (shard, first) in enumerate(sources, start=1)
    ]


def _write_changed(corpus_dir: Path, source: _Rewrite, changer: Changer) -> Iterator[Shard]:
    first = source.first
    with ExitStack() as stack:
        sinks = {kind: stack.enter_context(_sink(corpus_dir, kind, source)) for kind in _KINDS}
        for batch in read_parquet(corpus_dir / source.shard.name, batch_rows=GROUP_ROWS):
            change = changer.change(first, batch)
            first += batch.num_rows
            if change.documents.num_rows:
                sinks["documents"].write(change.documents)
            if change.rejected:
                sinks["rejected"].write(pa.RecordBatch.from_pylist(change.rejected, REJECTED))
    for kind, sink in sinks.items():
        yield from _finished(corpus_dir, kind, source, sink.n_rows)


def _write_renamed(corpus_dir: Path, source: _Rewrite, changer: Changer) -> Iterator[Shard]:
    with _sink(corpus_dir, "rejected", source) as sink:
        for batch in read_parquet(corpus_dir / source.shard.name, batch_rows=GROUP_ROWS):
            rows = batch.to_pylist()
            named = changer.renamed([row["duplicate_of"] for row in rows])
            for row, url in zip(rows, named, strict=True):
                row["duplicate_of"] = url
            sink.write(pa.RecordBatch.from_pylist(rows, REJECTED))
    yield from _finished(corpus_dir, "rejected", source, sink.n_rows)


def _name(kind: str, source: _Rewrite) -> str:
    return f"{kind}/{source.shard.shard}-{source.serial:06}.parquet"


def _sink(corpus_dir: Path, kind: str, source: _Rewrite) -> ParquetSink:
    path = corpus_dir / _name(kind, source)
    make_folder(path.parent)
    return ParquetSink(temporary(path), _KINDS[kind], group_rows=GROUP_ROWS)


def _finished(corpus_dir: Path, kind: str, source: _Rewrite, n_rows: int) -> Iterator[Shard]:
    if n_rows:
        name = _name(kind, source)
        path = temporary(corpus_dir / name)
        sync_file(path)
        n_bytes = path.stat().st_size
        yield replace(source.shard, name=name, rows=n_rows, bytes=n_bytes, serial=source.serial)


def _replace(
    txn: Transaction,
    old: Sequence[Shard],
    new: Sequence[Shard],
    commit: Callable[[Transaction], None] | None,
) -> None:
    for shard in old:
        txn.delete("shards", shard.name.encode())
    for shard in new:
        row = asdict(shard)
        txn.put("shards", row.pop("name").encode(), msgpack.packb(row))
    if commit is not None:
        commit(txn)
