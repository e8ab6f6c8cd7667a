"""Changes the files of a corpus in one commit: all of them, or none.

Every shard that changes is written anew (pipelines.corpus.new_shards); what does not change stays as it
is. What waits in the journals to be sealed is sealed as it is to be, by the same commit: written once.

Disk: the shards that change, twice until the end. Memory: one row group, and what waits where it is held.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

from crawler.durable.journals import Edit
from crawler.durable.keys import u64_of
from crawler.durable.parquet import read_parquet
from crawler.durable.sealing import BacklogMeter, Shard, read_log, read_shards
from pipelines.corpus.corpus import in_order
from pipelines.corpus.new_shards import (
    finished,
    new_sink,
    remove_strangers,
    reserve_serials,
    take_place,
)
from pipelines.corpus.schema import REJECTED, SCHEMAS
from pipelines.corpus.shards import GROUP_ROWS, LOG, row_groups

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from crawler.durable.journal import Journal
    from crawler.durable.parquet import ParquetSink
    from pipelines.corpus.new_shards import Commit
    from pipelines.corpus.tail import Tail
    from pipelines.jobs.dedup.changes import Change, Changer

_KINDS = ("documents", "rejected", "provisional")


class _Rewrite(NamedTuple):
    """A shard that changes, the number of its first page, and the serial of what takes its place."""

    shard: Shard
    first: int
    serial: int


def rewrite(
    corpus_dir: Path,
    journals: Sequence[Journal],
    changer: Changer,
    *,
    commit: Commit = lambda *_: (),
    tails: Mapping[str, Tail] | None = None,
) -> int:
    """Change the files of *corpus_dir*, and seal what waits in *journals*: the *tails* of their shards, where given.

    The pages of *changer* are numbered as `Corpus` yields them: those that wait come last of their table.
    *commit* is part of the change. Returns the number of files that were written anew.
    """
    shards: list[Shard] = []
    for journal in journals:
        remove_strangers(corpus_dir, journal)
        with journal.read() as txn:
            shards += read_shards(txn)
    sources, next_number = _sources(corpus_dir, shards, changer)
    waiting = {journal.shard: backlog for journal in journals if (backlog := _backlog(journal))}
    plan = _numbered(journals, [*sources, *((source, 0) for source in waiting.values())])
    written: list[Shard] = []
    for each in plan[: len(sources)]:
        if each.shard.kind == "rejected":
            written += _write_renamed(corpus_dir, each, changer)
        else:
            written += _write_changed(corpus_dir, each, changer)
    own = {journal.shard: journal for journal in journals}
    for each in plan[len(sources) :]:
        shard = each.shard.shard
        log = tails and tails[shard].row_groups()
        groups = log or row_groups(read_log(own[shard], LOG, last=each.shard.last))
        written += _write_waiting(corpus_dir, groups, each, changer, next_number)

    def both(journal: Journal, names: Sequence[str]) -> list[Edit]:
        last = waiting[journal.shard].last if journal.shard in waiting else 0
        return [*commit(journal, names), *_forget(journal, last)]

    take_place(corpus_dir, journals, [shard for shard, _ in sources], written, both)
    return len(plan)


def _sources(
    corpus_dir: Path, shards: Sequence[Shard], changer: Changer
) -> tuple[list[tuple[Shard, int]], dict[str, int]]:
    """Return the shards that change, each with the number of its first page, and those of what waits."""
    ordered = sorted(shards, key=in_order)
    found: list[tuple[Shard, int]] = []
    next_number = {"documents": 0}
    if changer.first_provisional is not None:
        next_number["provisional"] = changer.first_provisional
    for shard in ordered:
        if shard.kind in next_number:
            first = next_number[shard.kind]
            if shard.kind == "provisional" or changer.touches(first, shard.rows):
                found.append((shard, first))
            next_number[shard.kind] += shard.rows
    rejected = (shard for shard in ordered if shard.kind == "rejected")
    found += [(each, 0) for each in rejected if _names_changed(corpus_dir / each.name, changer)]
    return found, next_number


def _names_changed(path: Path, changer: Changer) -> bool:
    """Tell whether a row of the shard names a page that is kept no more."""
    for batch in read_parquet(path, ["duplicate_of"]):
        named = batch["duplicate_of"].to_pylist()
        if changer.renamed(named) != named:
            return True
    return False


def _numbered(journals: Sequence[Journal], sources: Sequence[tuple[Shard, int]]) -> list[_Rewrite]:
    """Give each file that changes a serial that no other has, nor will after a crash."""
    last = {}
    for journal in journals:
        n_files = sum(shard.shard == journal.shard for shard, _ in sources)
        last[journal.shard] = reserve_serials(journal, n_files)
    plan = []
    for shard, first in sources:
        last[shard.shard] += 1
        plan.append(_Rewrite(shard, first, last[shard.shard]))
    return plan


def _write_changed(corpus_dir: Path, source: _Rewrite, changer: Changer) -> Iterator[Shard]:
    first = source.first
    with ExitStack() as stack:
        sinks = {
            kind: stack.enter_context(new_sink(corpus_dir, kind, source.shard, source.serial))
            for kind in _KINDS
        }
        for batch in read_parquet(corpus_dir / source.shard.name, batch_rows=GROUP_ROWS):
            _take(changer.change(first, batch), sinks)
            first += batch.num_rows
    for kind, sink in sinks.items():
        yield from finished(corpus_dir, kind, source.shard, source.serial, sink.n_rows)


def _take(change: Change, sinks: Mapping[str, ParquetSink]) -> None:
    for batch in change.documents:
        sinks["documents"].write(batch)
    for batch in change.provisional:
        sinks["provisional"].write(batch)
    if change.rejected:
        sinks["rejected"].write(pa.RecordBatch.from_pylist(change.rejected, REJECTED))


def _write_renamed(corpus_dir: Path, source: _Rewrite, changer: Changer) -> Iterator[Shard]:
    with new_sink(corpus_dir, "rejected", source.shard, source.serial) as sink:
        for batch in read_parquet(corpus_dir / source.shard.name, batch_rows=GROUP_ROWS):
            sink.write(_renamed(batch, changer))
    yield from finished(corpus_dir, "rejected", source.shard, source.serial, sink.n_rows)


def _renamed(batch: pa.RecordBatch, changer: Changer) -> pa.RecordBatch:
    """Return a batch of ``rejected`` that names the pages that are kept now."""
    rows = batch.to_pylist()
    named = changer.renamed([row["duplicate_of"] for row in rows])
    for row, url in zip(rows, named, strict=True):
        row["duplicate_of"] = url
    return pa.RecordBatch.from_pylist(rows, REJECTED)


def _backlog(journal: Journal) -> Shard | None:
    """Return what waits in *journal* as a shard that has no file; None for nothing."""
    with journal.read() as txn:
        found = BacklogMeter(LOG).measure(txn)
    if not found.rows:
        return None
    name = f"{LOG}/{journal.shard}-{0:06}.parquet"
    return Shard(name, found.rows, found.bytes, LOG, 0, found.first, found.last)


def _write_waiting(
    corpus_dir: Path,
    groups: Iterable[tuple[str, pa.RecordBatch]],
    source: _Rewrite,
    changer: Changer,
    next_number: dict[str, int],
) -> Iterator[Shard]:
    """Write what waits; *next_number*, by table, are those of its first pages, and are counted up."""
    with ExitStack() as stack:
        sinks = {
            kind: stack.enter_context(new_sink(corpus_dir, kind, source.shard, source.serial))
            for kind in SCHEMAS
        }
        for table, batch in groups:
            if table in next_number:
                _take(changer.change(next_number[table], batch), sinks)
                next_number[table] += batch.num_rows
            else:
                sinks[table].write(_renamed(batch, changer) if table == "rejected" else batch)
    for kind, sink in sinks.items():
        yield from finished(corpus_dir, kind, source.shard, source.serial, sink.n_rows)


def _forget(journal: Journal, last: int) -> list[Edit]:
    """Return what takes the rows up to sequence *last*, which have a file, out of *journal*."""
    with journal.read() as txn:
        return [Edit(LOG, key, None) for key in txn.keys(LOG) if u64_of(key) <= last]
