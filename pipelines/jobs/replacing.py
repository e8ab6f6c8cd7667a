"""Moves what later visits replaced out of the shards of a corpus, into ``replaced``.

The change is one commit (pipelines.corpus.new_shards): a run that is killed changed nothing or everything.
Only shards that hold such a row are written anew. Memory: one row group, and some 800 bytes a stale row.

Their signatures (pipelines.duplicates.near_index) are forgotten with them; where a corpus has several journals all are,
for a page may have some in two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from crawler.durable.journals import Edit
from crawler.durable.parquet import read_parquet
from crawler.durable.sealing import read_shards
from crawler.durable.visits import STALE
from pipelines.corpus.corpus import Corpus, completed
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
from pipelines.duplicates.near_index.rows import FORGET_RULE, forget_edits
from pipelines.jobs.dedup.pages import page_ids

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from crawler.durable.journal import Journal
    from crawler.durable.sealing import Shard

    U64 = npt.NDArray[np.uint64]


def move_stale(corpus_dir: Path, journals: Sequence[Journal]) -> int:
    """Move the stale rows of *corpus_dir*, of whose *journals* this process is the writer.

    Returns their number. Everything that waits in the journals is sealed first. What names a row that is not there
    stays: on several machines a host may have come here without the rows of its pages, which are merged later.
    """
    named = {journal.shard: _named(journal) for journal in journals}
    stale = Stale(sorted(set().union(*named.values())))
    if not len(stale):
        return 0
    old: list[tuple[Shard, int]] = []
    found = np.zeros(len(stale), dtype=np.bool_)
    for journal in journals:
        ShardSealer(corpus_dir, rows=1, n_bytes=1)(journal, force=True)
        remove_strangers(corpus_dir, journal)
        with journal.read() as txn:
            shards = [shard for shard in read_shards(txn) if shard.kind in TABLES]
        held = [shard for shard in shards if _mark(corpus_dir, shard, stale, found)]
        serial = reserve_serials(journal, len(held))
        old += zip(held, range(serial + 1, serial + 1 + len(held)), strict=True)
    if not old:
        return 0
    new = [each for shard, serial in old for each in _divided(corpus_dir, shard, serial, stale)]
    done = {key.ljust(16, b"\0") for key in stale.keys[found].tolist()}
    changed = {shard.shard for shard, _ in old}
    pages = np.array([int.from_bytes(key[:8], "big") for key in done], np.uint64)
    kept = _documents(Corpus(corpus_dir, *journals), pages)

    def commit(journal: Journal, _: Sequence[str]) -> list[Edit]:
        edits = [Edit(STALE, key, None) for key, _ in named[journal.shard] if key in done]
        if not edits and journal.shard not in changed:
            return []
        if len(journals) > 1:
            return [*edits, FORGET_RULE]
        return [*edits, *forget_edits(journal, pages, kept)]

    take_place(corpus_dir, journals, [shard for shard, _ in old], new, commit)
    return int(found.sum())


def _documents(corpus: Corpus, pages: U64) -> U64:
    """Return those of *pages* that are documents of *corpus* as it is now."""
    found = [np.zeros(0, np.uint64)]
    for batch in corpus.batches("documents", ["host_id", "local_id"]):
        ids = page_ids(batch)
        found.append(ids[np.isin(ids, pages)])
    return np.concatenate(found)


def _named(journal: Journal) -> list[tuple[bytes, bytes]]:
    with journal.read() as txn:
        return list(txn.scan(STALE))


def _mark(corpus_dir: Path, shard: Shard, stale: Stale, found: npt.NDArray[np.bool_]) -> bool:
    """Mark in *found* which of *stale* are in *shard*; tell whether any is."""
    held = [np.zeros(0, dtype=np.int64)]
    held += [stale.places(batch) for batch in read_parquet(corpus_dir / shard.name, KEY)]
    places = np.concatenate(held)
    found[places[places >= 0]] = True
    return bool((places >= 0).any())


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
