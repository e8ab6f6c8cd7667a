"""Moves what later visits replaced out of the shards of a corpus, into ``replaced``.

The change is one commit (pipelines.corpus.new_shards): a run that is killed changed nothing or everything.
Only shards that hold such a row are written anew. Memory: one row group, and 17 bytes a stale row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from crawler.durable.journals import Edit
from crawler.durable.parquet import read_parquet
from crawler.durable.sealing import read_shards
from crawler.durable.visits import STALE
from pipelines.corpus.corpus import completed
from pipelines.corpus.new_shards import (
    finished,
    new_sink,
    remove_strangers,
    reserve_serials,
    take_place,
)
from pipelines.corpus.schema import SCHEMAS
from pipelines.corpus.shards import GROUP_ROWS, ShardSealer
from pipelines.corpus.stale import KEY, TABLES, Stale, as_replaced
from pipelines.duplicates.near_index.rows import FORGET_RULE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from crawler.durable.journal import Journal
    from crawler.durable.sealing import Shard


def move_stale(corpus_dir: Path, journal: Journal) -> int:
    """Move the stale rows of *corpus_dir*, of whose *journal* this process is the writer.

    Returns their number. Everything that waits in the journal is sealed first.
    """
    with journal.read() as txn:
        stale = Stale.read(txn)
    if not len(stale):
        return 0
    ShardSealer(corpus_dir, rows=1, n_bytes=1)(journal, force=True)
    remove_strangers(corpus_dir, journal)
    with journal.read() as txn:
        shards = [shard for shard in read_shards(txn) if shard.kind in TABLES]
    old = [shard for shard in shards if _holds(corpus_dir, shard, stale)]
    serial = reserve_serials(journal, len(old))
    new: list[Shard] = []
    for number, shard in enumerate(old, start=serial + 1):
        new += _divided(corpus_dir, shard, number, stale)

    edits = [Edit(STALE, key.ljust(16, b"\0"), None) for key in stale.keys.tolist()]
    take_place(corpus_dir, [journal], old, new, lambda *_: [*edits, FORGET_RULE])
    return len(stale)


def _holds(corpus_dir: Path, shard: Shard, stale: Stale) -> bool:
    batches = read_parquet(corpus_dir / shard.name, KEY)
    return any((stale.places(batch) >= 0).any() for batch in batches)


def _divided(corpus_dir: Path, shard: Shard, serial: int, stale: Stale) -> Iterator[Shard]:
    """Write the rows of *shard* anew, those that are stale into ``replaced``; yield the new shards."""
    kind, names = shard.kind, SCHEMAS[shard.kind].names
    with (
        new_sink(corpus_dir, kind, shard, serial) as kept,
        new_sink(corpus_dir, "replaced", shard, serial) as gone,
    ):
        for read in read_parquet(corpus_dir / shard.name, names, batch_rows=GROUP_ROWS):
            batch = completed(read, kind, names)
            places = stale.places(batch)
            is_stale = pa.array(places >= 0)
            kept.write(batch.filter(pa.array(places < 0)))
            if (places >= 0).any():
                gone.write(as_replaced(batch.filter(is_stale), stale.reasons(places[places >= 0])))
    yield from finished(corpus_dir, kind, shard, serial, kept.n_rows)
    yield from finished(corpus_dir, "replaced", shard, serial, gone.n_rows)
