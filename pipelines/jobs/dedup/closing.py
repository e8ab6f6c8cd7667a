"""The closing pass: decides over all pages of a crawl which duplicates are kept.

What a crawl decides about duplicates depends on which page came first, and on an estimate. At its end
all pages that reached the filter, documents and provisional duplicates with their texts, are
compared anew, by a rule that order cannot change (:mod:`pipelines.jobs.dedup.clusters`). Documents that
are not kept become rows of ``rejected``, provisional duplicates that are kept become documents, and
every row names in ``duplicate_of`` the page that is kept.

The changes are one commit (:mod:`pipelines.jobs.dedup.rewriting`), which also seals what waits: a pass that is killed
changed nothing or everything, and the next one comes to the same.

With it the texts of duplicates are gone: a re-crawl fetches them again. Those out of WARC files stay, since a file
that is added may replace what they are copies of, and theirs need not be given again. The next pass decides over them
as over all pages, so that files added one by one come to what all at once come to. Where blocks are taken out of
documents none stay: beside those they would be pages of their own. What a crawl fetches later is compared with what
was kept.

*On disk.* Every journal, table ``extra``, key ``closed``: digest of the options and of the names of the
files that the last pass left, those of all shards. ``duplicates/`` has the evidence.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from xxhash import xxh3_128_digest

from crawler.durable.journals import Edit
from crawler.durable.sealing import BacklogMeter, read_shards
from crawler.durable.visits import pages_of_warcs, validator_edits
from pipelines.corpus.corpus import Corpus
from pipelines.corpus.schema import SCHEMAS
from pipelines.corpus.shards import LOG, ShardSealer
from pipelines.duplicates.near_index.rows import (
    FORGET_RULE,
    TABLE,
    digest_edits,
    digests_of_bytes,
)
from pipelines.jobs.dedup.changes import KeepOne, raw_digests
from pipelines.jobs.dedup.clusters import decided
from pipelines.jobs.dedup.crawl_blocks import MARK, RestoreBlocks
from pipelines.jobs.dedup.findings import cluster_rows, write_findings
from pipelines.jobs.dedup.pages import COLUMNS, TABLES, page_ids
from pipelines.jobs.dedup.removing import find_blocks, take_out
from pipelines.jobs.dedup.rewriting import rewrite
from pipelines.jobs.replacing import move_stale

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from crawler.durable.journal import Journal
    from pipelines.corpus.corpus import Progress
    from pipelines.jobs.dedup.clusters import Decided
    from pipelines.jobs.dedup.options import DedupOptions
    from pipelines.jobs.dedup.removing import Lost

# What a pass reads again and again; and what the keep rule looks at.
_DECIDED_BY = ("host_id", "local_id", "url", "digest", "text", "reason", "raw_digest")
# Of the memory that a pass may take, what the rows that wait may have unpacked to be kept as they are written: they
# are unpacked once then, and else twice. Measured on 2,178 pages of 176 kB, which have 65 MB: the process grows by
# 175 MB, where it grew by 49.
_SHARE_OF_MEMORY = 32
_CLOSED, _CLOSED_BLOCKS = b"closed", b"closed blocks"

# What waits in a crawl of one process at most (SEAL_BYTES).
MOST_WAITING_BYTES = 2**26


@dataclass(frozen=True, slots=True)
class Closed:
    """What a pass changed: pages *taken_back* and *dropped*, *reasons* by how many more they have now."""

    pages: int = 0
    clusters: int = 0
    taken_back: int = 0
    dropped: int = 0
    reasons: tuple[tuple[str, int], ...] = ()


def close_duplicates(
    corpus_dir: Path,
    journals: Sequence[Journal],
    options: DedupOptions,
    *,
    with_blocks: bool = False,
    progress: Progress | None = None,
    waiting_bytes: int = MOST_WAITING_BYTES,
) -> Closed | None:
    """Decide over all pages of *corpus_dir*, of all whose *journals* this process is the writer.

    Returns None when the last pass decided over the same pages by the same options. *with_blocks*: blocks are taken
    out afterwards. *progress* is told, each time that the documents are read, how far the reading is. Rows that wait
    are held, compressed, if they take no more than *waiting_bytes*.
    """
    is_left_out = any(mark is not None for mark in _values(journals, MARK))
    # What waits is sealed as it is to be, once, unless it would take too much memory.
    if is_left_out or _waiting_bytes(journals) > waiting_bytes:
        seal_waiting(corpus_dir, journals)
    move_stale(corpus_dir, journals)
    if not is_left_out and set(_values(journals, _CLOSED)) == {_now(journals, options)}:
        return None
    corpus = restored(Corpus(corpus_dir, *journals), journals).told(progress)
    columns = (*_DECIDED_BY, *COLUMNS[options.keep])
    n_bytes = options.memory // _SHARE_OF_MEMORY
    for tail in corpus.tails.values():
        n_bytes -= tail.hold(TABLES, columns, n_bytes=n_bytes)
    with decided(corpus, options) as found:
        if len(found.near.pairs):
            # A pass that is killed and done again has the same name.
            name = f"crawl-clusters-{_now(journals, options).hex()[:16]}"
            write_findings(corpus_dir, name, cluster_rows(found), options)
        loses_blocks = with_blocks or any(_values(journals, _CLOSED_BLOCKS))
        return keep_one(corpus, journals, found, options, holds_copies=not loses_blocks)


def seal_waiting(corpus_dir: Path, journals: Sequence[Journal]) -> None:
    """Seal the rows that wait in *journals*, as they are."""
    for journal in journals:
        ShardSealer(corpus_dir, rows=1, n_bytes=1)(journal, force=True)


def _waiting_bytes(journals: Sequence[Journal]) -> int:
    """Return the compressed bytes of the rows that wait in *journals*."""
    n_bytes = 0
    for journal in journals:
        with journal.read() as txn:
            n_bytes += BacklogMeter(LOG).measure(txn).bytes
    return n_bytes


def close_blocks(
    corpus_dir: Path,
    journals: Sequence[Journal],
    options: DedupOptions,
    *,
    temporary: Path | None = None,
) -> Lost | None:
    """Take duplicate blocks out of the documents that :func:`close_duplicates` left.

    Returns None when the last pass decided over the same documents by the same options.
    """
    state = _now(journals, options)
    if set(_values(journals, _CLOSED_BLOCKS)) == {state}:
        return None
    is_closed = None not in _values(journals, _CLOSED)
    corpus = Corpus(corpus_dir, *journals)
    name = f"crawl-blocks-{state.hex()[:16]}"
    removed = find_blocks(corpus, options, folder=corpus_dir, name=name, temporary=temporary)

    def commit(_journal: Journal, names: Sequence[str]) -> list[Edit]:
        edits = [Edit(TABLE, _CLOSED_BLOCKS, _state(names, options))]
        if removed.lost.n_blocks:
            edits.append(FORGET_RULE)
        if is_closed:
            state = _state(names, replace(options, unit="document"))
            edits.append(Edit(TABLE, _CLOSED, state))
        return edits

    take_out(corpus, journals, removed, commit)
    return removed.lost


def restored(corpus: Corpus, journals: Sequence[Journal]) -> Corpus:
    """Put the blocks back that a crawl left out, in *corpus* itself; return it as it is then."""
    if not any(mark is not None for mark in _values(journals, MARK)):
        return corpus
    commit = [Edit(TABLE, MARK, None)]
    rewrite(corpus.corpus_dir, journals, RestoreBlocks(corpus), commit=lambda *_: commit)
    return Corpus(corpus.corpus_dir, *journals)


def keep_one(
    corpus: Corpus,
    journals: Sequence[Journal],
    found: Decided,
    options: DedupOptions,
    *,
    holds_copies: bool = False,
) -> Closed:
    """Keep of each cluster what was *found*, in *corpus* itself; everything in it is sealed then.

    With *holds_copies* the others stay whole, if they are out of WARC files.
    """
    not_kept = found.pages.page_ids[found.kept != np.arange(len(found.kept))].tolist()
    held: set[int] = set()
    for journal in journals if holds_copies else ():
        held |= pages_of_warcs(journal, not_kept)
    provisional = list(corpus.batches("provisional", ["host_id", "local_id", "raw_digest"]))
    of_journals = [digests_of_bytes(journal) for journal in journals]
    ids, digests = (np.concatenate(column) for column in zip(*of_journals, strict=True))
    keeper = KeepOne(found, raw_digests((ids, digests), provisional), held)
    closed = _counted(corpus, found, keeper)
    taken_back = dict(keeper.taken_back())
    lost = [page_id for page_id in not_kept if page_id not in held]

    def commit(journal: Journal, names: Sequence[str]) -> list[Edit]:
        edits = [Edit(TABLE, _CLOSED, _state(names, options))]
        # Their texts are gone: should the kept page change, they must be fetched whole.
        edits += validator_edits(journal, lost)
        if closed.taken_back or closed.dropped:
            own = corpus if len(journals) == 1 else Corpus(corpus.corpus_dir, journal)
            its = _ids_in(own, "provisional")
            pages = [(page_id, raw) for page_id, raw in taken_back.items() if page_id in its]
            edits += [FORGET_RULE, *digest_edits(journal, pages)]
        return edits

    rewrite(corpus.corpus_dir, journals, keeper, commit=commit, tails=corpus.tails)
    return closed


def _ids_in(corpus: Corpus, table: str) -> set[int]:
    batches = corpus.batches(table, ["host_id", "local_id"])
    return {page_id for batch in batches for page_id in page_ids(batch).tolist()}


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


def _values(journals: Sequence[Journal], key: bytes) -> list[bytes | None]:
    """Return the values of *key* in all journals."""
    found = []
    for journal in journals:
        with journal.read() as txn:
            found.append(txn.get(TABLE, key))
    return found


def _now(journals: Sequence[Journal], options: DedupOptions) -> bytes:
    """Return the state of *journals*: that of their files, and no other while rows wait to be sealed."""
    names: list[str] = []
    for journal in journals:
        with journal.read() as txn:
            names += [shard.name for shard in read_shards(txn) if shard.kind in SCHEMAS]
            if (last := txn.last_key(LOG)) is not None:
                names.append(f"{journal.shard} {last.hex()}")
    return _state(sorted(names), options)


def _state(names: Sequence[str], options: DedupOptions) -> bytes:
    text = json.dumps([list(names), asdict(options)], sort_keys=True)
    return xxh3_128_digest(text.encode())
