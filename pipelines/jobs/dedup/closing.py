"""The closing pass: decides over all pages of a crawl which duplicates are kept.

What a crawl decides about duplicates depends on which page came first, and on an estimate. At its end
all pages that reached the filter, documents and provisional duplicates with their texts, are
compared anew, by a rule that order cannot change (:mod:`pipelines.jobs.dedup.clusters`). Documents that
are not kept become rows of ``rejected``, provisional duplicates that are kept become documents, and
every row names in ``duplicate_of`` the page that is kept.

The changes are one commit (:mod:`pipelines.jobs.dedup.rewriting`): a pass that is killed changed
nothing or everything, and the next one comes to the same. With it the texts of duplicates are gone. A
crawl that goes on later is compared with what was kept.

*On disk.* Journal, table ``extra``, key ``closed``: digest of the options and of the names of the
shards that the last pass left. ``duplicates/`` has the evidence.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from xxhash import xxh3_128_digest

from crawler.durable.sealing import read_shards
from crawler.durable.visits import forget_validators
from pipelines.corpus.corpus import Corpus
from pipelines.corpus.schema import SCHEMAS
from pipelines.corpus.shards import ShardSealer
from pipelines.duplicates.near_index_rows import (
    TABLE,
    digests_of_bytes,
    forget_rule,
    put_digests_of_bytes,
)
from pipelines.jobs.dedup.changes import KeepOne, raw_digests
from pipelines.jobs.dedup.clusters import decided
from pipelines.jobs.dedup.crawl_blocks import MARK, RestoreBlocks
from pipelines.jobs.dedup.findings import cluster_rows, write_findings
from pipelines.jobs.dedup.removing import find_blocks, take_out
from pipelines.jobs.dedup.rewriting import rewrite
from pipelines.jobs.replacing import move_stale

if TYPE_CHECKING:
    from pathlib import Path

    from crawler.durable.journal import Journal
    from crawler.durable.transaction import Transaction
    from pipelines.jobs.dedup.clusters import Decided
    from pipelines.jobs.dedup.options import DedupOptions
    from pipelines.jobs.dedup.removing import Lost

_CLOSED, _CLOSED_BLOCKS = b"closed", b"closed blocks"


@dataclass(frozen=True, slots=True)
class Closed:
    """What a pass changed: pages *taken_back* and *dropped*, *reasons* by how many more they have now."""

    pages: int = 0
    clusters: int = 0
    taken_back: int = 0
    dropped: int = 0
    reasons: tuple[tuple[str, int], ...] = ()


def close_duplicates(
    corpus_dir: Path, journal: Journal, options: DedupOptions, *, temporary: Path | None = None
) -> Closed | None:
    """Decide over all pages of *corpus_dir*, of whose *journal* this process is the writer.

    Returns None when the last pass decided over the same pages by the same options. *temporary* is the
    folder of temporary files.
    """
    ShardSealer(corpus_dir, rows=1, n_bytes=1)(journal, force=True)
    move_stale(corpus_dir, journal)
    with journal.read() as txn:
        if txn.get(TABLE, MARK) is None and txn.get(TABLE, _CLOSED) == _state(txn, options):
            return None
    corpus = restored(Corpus(corpus_dir, journal), journal)
    with decided(corpus, options, temporary) as found:
        if len(found.near.pairs):
            # A pass that is killed and done again has the same name.
            name = f"crawl-clusters-{_now(journal, options).hex()[:16]}"
            write_findings(corpus_dir, name, cluster_rows(found), options)
        return keep_one(corpus, journal, found, options)


def close_blocks(
    corpus_dir: Path, journal: Journal, options: DedupOptions, *, temporary: Path | None = None
) -> Lost | None:
    """Take duplicate blocks out of the documents that :func:`close_duplicates` left.

    Returns None when the last pass decided over the same documents by the same options.
    """
    state = _now(journal, options)
    with journal.read() as txn:
        if txn.get(TABLE, _CLOSED_BLOCKS) == state:
            return None
    corpus = Corpus(corpus_dir, journal)
    name = f"crawl-blocks-{state.hex()[:16]}"
    removed = find_blocks(corpus, options, folder=corpus_dir, name=name, temporary=temporary)

    def commit(txn: Transaction) -> None:
        if removed.lost.n_blocks:
            forget_rule(txn)
        state = _state(txn, options)
        txn.put(TABLE, _CLOSED_BLOCKS, state)
        if txn.get(TABLE, _CLOSED) is not None:
            txn.put(TABLE, _CLOSED, _state(txn, replace(options, unit="document")))

    take_out(corpus, journal, removed, commit)
    return removed.lost


def restored(corpus: Corpus, journal: Journal) -> Corpus:
    """Put the blocks back that a crawl left out, in *corpus* itself; return it as it is then."""
    with journal.read() as txn:
        if txn.get(TABLE, MARK) is None:
            return corpus

    def commit(txn: Transaction) -> None:
        txn.delete(TABLE, MARK)

    rewrite(corpus.corpus_dir, journal, RestoreBlocks(corpus), commit=commit)
    return Corpus(corpus.corpus_dir, journal)


def keep_one(corpus: Corpus, journal: Journal, found: Decided, options: DedupOptions) -> Closed:
    """Keep of each cluster what was *found*, in *corpus* itself; everything in it is sealed."""
    provisional = list(corpus.batches("provisional", ["host_id", "local_id", "raw_digest"]))
    keeper = KeepOne(found, raw_digests(digests_of_bytes(journal), provisional))
    closed = _counted(corpus, found, keeper)

    not_kept = found.pages.page_ids[found.kept != np.arange(len(found.kept))].tolist()

    def commit(txn: Transaction) -> None:
        # Their texts are gone: should the kept page change, they must be fetched whole.
        forget_validators(txn, not_kept)
        if closed.taken_back or closed.dropped:
            forget_rule(txn)
            put_digests_of_bytes(txn, keeper.taken_back())
        txn.put(TABLE, _CLOSED, _state(txn, options))

    rewrite(corpus.corpus_dir, journal, keeper, commit=commit)
    return closed


def _counted(corpus: Corpus, found: Decided, keeper: KeepOne) -> Closed:
    n = found.pages.n_documents
    is_kept = found.kept == np.arange(len(found.kept))
    reasons: Counter[str] = Counter()
    for batch in corpus.batches("provisional", ["reason"]):
        reasons.subtract(map(str, batch["reason"].to_pylist()))
    reasons.update(map(keeper.reason, np.flatnonzero(~is_kept).tolist()))
    return Closed(
        pages=len(is_kept),
        clusters=len(np.unique(found.kept[found.members()])),
        taken_back=int(is_kept[n:].sum()),
        dropped=int((~is_kept[:n]).sum()),
        reasons=tuple(sorted(reasons.items())),
    )


def _now(journal: Journal, options: DedupOptions) -> bytes:
    with journal.read() as txn:
        return _state(txn, options)


def _state(txn: Transaction, options: DedupOptions) -> bytes:
    names = [shard.name for shard in read_shards(txn) if shard.kind in SCHEMAS]
    return xxh3_128_digest(json.dumps([names, asdict(options)], sort_keys=True).encode())
