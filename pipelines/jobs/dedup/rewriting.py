"""Changes the files of a corpus in one commit: all of them, or none.

Every shard that changes is written anew (pipelines.corpus.new_shards); what does not change stays as it
is.

Disk: the shards that change, twice until the end. Memory: one row group.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

from crawler.durable.parquet import read_parquet
from crawler.durable.sealing import Shard, read_shards
from pipelines.corpus.corpus import in_order
from pipelines.corpus.new_shards import (
    finished,
    new_sink,
    remove_strangers,
    reserve_serials,
    take_place,
)
from pipelines.corpus.schema import REJECTED
from pipelines.corpus.shards import GROUP_ROWS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from crawler.durable.journal import Journal
    from pipelines.corpus.new_shards import Commit
    from pipelines.jobs.dedup.changes import Changer

_KINDS = ("documents", "rejected")


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
) -> int:
    """Change the files of *corpus_dir*, of which nothing waits in any of *journals* to be sealed.

    *commit* is part of the change. Returns the number of files that were written anew.
    """
    shards: list[Shard] = []
    for journal in journals:
        remove_strangers(corpus_dir, journal)
        with journal.read() as txn:
            shards += read_shards(txn)
    plan = _numbered(journals, _sources(corpus_dir, shards, changer))
    written: list[Shard] = []
    for each in plan:
        if each.shard.kind == "rejected":
            written += _write_renamed(corpus_dir, each, changer)
        else:
            written += _write_changed(corpus_dir, each, changer)
    take_place(corpus_dir, journals, [each.shard for each in plan], written, commit)
    return len(plan)


def _sources(
    corpus_dir: Path, shards: Sequence[Shard], changer: Changer
) -> list[tuple[Shard, int]]:
    ordered = sorted(shards, key=in_order)
    found, first = [], 0
    for kind in ("documents", "provisional"):
        for shard in ordered:
            if shard.kind == kind:
                is_provisional = kind == "provisional"
                if (
                    changer.decides_provisional
                    if is_provisional
                    else changer.touches(first, shard.rows)
                ):
                    found.append((shard, first))
                first += shard.rows
    rejected = (shard for shard in ordered if shard.kind == "rejected")
    found += [(each, 0) for each in rejected if _names_changed(corpus_dir / each.name, changer)]
    return found


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
            change = changer.change(first, batch)
            first += batch.num_rows
            if change.documents.num_rows:
                sinks["documents"].write(change.documents)
            if change.rejected:
                sinks["rejected"].write(pa.RecordBatch.from_pylist(change.rejected, REJECTED))
    for kind, sink in sinks.items():
        yield from finished(corpus_dir, kind, source.shard, source.serial, sink.n_rows)


def _write_renamed(corpus_dir: Path, source: _Rewrite, changer: Changer) -> Iterator[Shard]:
    with new_sink(corpus_dir, "rejected", source.shard, source.serial) as sink:
        for batch in read_parquet(corpus_dir / source.shard.name, batch_rows=GROUP_ROWS):
            rows = batch.to_pylist()
            named = changer.renamed([row["duplicate_of"] for row in rows])
            for row, url in zip(rows, named, strict=True):
                row["duplicate_of"] = url
            sink.write(pa.RecordBatch.from_pylist(rows, REJECTED))
    yield from finished(corpus_dir, "rejected", source.shard, source.serial, sink.n_rows)
