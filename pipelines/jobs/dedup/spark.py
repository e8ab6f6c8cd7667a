"""Duplicates by Spark: the engine ``spark`` of ``scrapy dedup``, for documents and for blocks.

The driver reads the corpus and sends texts in chunks; what grows with their words is done by the
executors (:mod:`pipelines.jobs.dedup.page_tables`, :mod:`pipelines.jobs.dedup.ngram_tables`), and what
comes back are pairs, or documents with duplicates in the order in which they are decided. Clusters,
the kept copies, and Algorithm 3.1, each step of which depends on those before, are the driver's, by
the same functions as of the local engine. The results are equal.

Memory: of the driver that of the local engine, without what it spools; of an executor several times
`crawler.ranking.cluster.spark.PART_BYTES` a processor. Spark stores and spills the rest.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from crawler.ranking.cluster.spark import cut_lineage, in_partitions, place, spark_context
from pipelines.duplicates.block_removal import BlockRemoval
from pipelines.duplicates.packed_pairs import unpacked
from pipelines.jobs.dedup.blocks import BlockFindings, Decided, Decisions
from pipelines.jobs.dedup.candidates import NearPairs
from pipelines.jobs.dedup.ngram_tables import (
    PlacedNgrams,
    block_chunks,
    ngram_messages,
    ngram_table,
    numbered,
    ordered_documents,
    positions,
    shares,
    with_places,
)
from pipelines.jobs.dedup.page_tables import (
    asked_messages,
    band_messages,
    candidate_messages,
    near_of,
    near_simhashes,
    page_chunks,
    shingle_table,
    simhash_messages,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    import numpy.typing as npt
    from pyspark import RDD, Broadcast, SparkContext

    from pipelines.duplicates.verdicts import NearRule
    from pipelines.jobs.dedup.blocks import Blocks, Classify
    from pipelines.jobs.dedup.ngram_tables import NgramTable, NumberedNgrams, OrderedDocument
    from pipelines.jobs.dedup.options import DedupOptions
    from pipelines.jobs.dedup.page_tables import AskedPairs, FoundPairs, PageChunk, ShingleTable

    F64 = npt.NDArray[np.float64]
    I32 = npt.NDArray[np.int32]
    I64 = npt.NDArray[np.int64]
    U64 = npt.NDArray[np.uint64]

# Documents that the driver holds while it decides over them.
ORDERED_DOCUMENTS = 5_000


def near_pairs(
    texts: Callable[[npt.NDArray[np.bool_]], Iterator[str]],
    first_of: npt.NDArray[np.bool_],
    digests: U64,
    options: DedupOptions,
    folder: Path | None = None,  # noqa: ARG001 (the local engine's)
) -> NearPairs:
    """Return what :func:`pipelines.jobs.dedup.candidates.near_pairs` does; *texts* are read once."""
    rule = options.rule
    if not rule.finds_near:
        return NearPairs(np.empty((0, 2), dtype=np.int64), np.empty(0))
    with spark_context() as context:
        chunks = place(context, page_chunks(texts(first_of), first_of, digests))
        try:
            if rule.method == "simhash":
                found = _near_simhashes(chunks, rule.distance)
            else:
                found = _near_shingles(chunks, rule)
        finally:
            chunks.unpersist()
    pairs = np.concatenate([np.empty(0, dtype=np.uint64), *(each.pairs for each in found)])
    likeness = np.concatenate([np.empty(0), *(each.likeness for each in found)])
    # A pair of simhashes is found in each block that the two share.
    pairs, first = np.unique(pairs, return_index=True)
    return NearPairs(unpacked(pairs), likeness[first])


def _near_simhashes(chunks: RDD[list[PageChunk]], distance: int) -> list[FoundPairs]:
    n = chunks.getNumPartitions()
    blocks = chunks.flatMap(partial(simhash_messages, distance=distance, n_parts=n))
    return in_partitions(blocks, n).map(partial(near_simhashes, distance=distance)).collect()


def _near_shingles(chunks: RDD[list[PageChunk]], rule: NearRule) -> list[FoundPairs]:
    n = chunks.getNumPartitions()
    tables = chunks.map(partial(shingle_table, rule=rule))
    cut_lineage(tables)
    try:
        keys = in_partitions(tables.flatMap(partial(band_messages, rule=rule, n_parts=n)), n)
        pairs = in_partitions(keys.flatMap(partial(candidate_messages, n_parts=n)), n)
        asked = in_partitions(tables.zip(pairs).flatMap(partial(_asked, n_parts=n)), n)
        return tables.zip(asked).map(partial(_near, rule=rule)).collect()
    finally:
        tables.unpersist()


def _asked(both: tuple[ShingleTable, list[U64]], n_parts: int) -> Iterator[tuple[int, AskedPairs]]:
    return asked_messages(*both, n_parts)


def _near(both: tuple[ShingleTable, list[AskedPairs]], rule: NearRule) -> FoundPairs:
    return near_of(*both, rule)


def remove_blocks(
    blocks: Blocks,
    ties: Callable[[I64], Sequence[str]],
    options: DedupOptions,
    *,
    folder: Path | None = None,  # noqa: ARG001 (the local engine's)
    classify: Classify | None = None,
) -> BlockFindings:
    """Return what :func:`pipelines.jobs.dedup.blocks.remove_blocks` does."""
    with spark_context() as context:
        run = _BlockRun(context, blocks, options.ngram_words)
        try:
            removal = BlockRemoval(
                PlacedNgrams(run.n_duplicates),
                n=options.ngram_words,
                t=options.coverage,
                commit=options.commit,
                classify=classify,
            )
            decided = Decisions(run.n_documents)
            for number, found in _decided(removal, run.ordered(ties)):
                decided[number] = found
            return BlockFindings(decided, run.n_words, run.n_ngrams, run.n_duplicates)
        finally:
            run.close()


def _decided(
    removal: BlockRemoval, documents: Iterable[OrderedDocument]
) -> Iterator[tuple[int, Decided]]:
    """Yield what becomes of the documents that have a duplicate block, by number."""
    for document in documents:
        (found,) = removal.decide([document.blocks])
        if any(found.is_duplicate):
            kept, is_duplicate = (np.array(flags, dtype=np.bool_) for flags in found)
            yield document.number, Decided(kept, is_duplicate)


class _BlockRun:
    """The documents on the cluster, their n-grams told apart by whether they are duplicates."""

    def __init__(self, context: SparkContext, blocks: Blocks, n: int):
        self._context = context
        chunks = place(context, block_chunks(blocks))
        n_parts = chunks.getNumPartitions()
        tables = chunks.map(partial(ngram_table, n=n))
        cut_lineage(tables)
        asked = tables.mapPartitionsWithIndex(partial(_asked_ngrams, n_parts=n_parts))
        numbers = in_partitions(asked, n_parts).map(numbered)
        cut_lineage(numbers)
        counts = numbers.map(_n_duplicates).collect()
        offsets = np.concatenate([[0], np.cumsum(counts)]).tolist()
        replies = in_partitions(numbers.mapPartitionsWithIndex(_replies), n_parts).map(dict)
        self._tables = tables.zip(replies).map(partial(_placed, offsets=offsets[:-1]))
        cut_lineage(self._tables)
        self._figures = self._tables.map(_table_figures).collect()
        for stored in (chunks, tables, numbers):
            stored.unpersist()
        self.n_duplicates: int = offsets[-1]
        self.n_documents = sum(len(numbers) for numbers, _, _, _ in self._figures)
        self.n_words = sum(n_words for _, _, n_words, _ in self._figures)
        self.n_ngrams = sum(n_ngrams for _, _, _, n_ngrams in self._figures)

    def ordered(self, ties: Callable[[I64], Sequence[str]]) -> Iterator[OrderedDocument]:
        """Yield the documents with duplicates in the order in which they are decided."""
        shares_of = np.zeros(self.n_documents)
        for numbers, found, _, _ in self._figures:
            shares_of[numbers] = found
        places = positions(shares_of, ties)
        n_parts = int(places.max(initial=-1)) // ORDERED_DOCUMENTS + 1
        if not n_parts:
            return
        sent = self._context.broadcast(places)
        try:
            documents = in_partitions(self._tables.flatMap(partial(_by_position, sent)), n_parts)
            for part in documents.toLocalIterator():
                yield from sorted(part, key=_position)
        finally:
            sent.destroy()

    def close(self) -> None:
        """Let go of what the executors hold."""
        self._tables.unpersist()


def _asked_ngrams(
    number: int, tables: Iterable[NgramTable], n_parts: int
) -> Iterator[tuple[int, tuple[int, U64]]]:
    for table in tables:
        for part, hashes in ngram_messages(table, n_parts):
            yield part, (number, hashes)


def _replies(number: int, parts: Iterable[NumberedNgrams]) -> Iterator[tuple[int, tuple[int, I32]]]:
    for part in parts:
        for asker, places in part.places.items():
            yield asker, (number, places)


def _n_duplicates(part: NumberedNgrams) -> int:
    return part.n_duplicates


def _placed(both: tuple[NgramTable, Mapping[int, I32]], offsets: Sequence[int]) -> NgramTable:
    return with_places(*both, offsets)


def _table_figures(table: NgramTable) -> tuple[I64, F64, int, int]:
    return (*shares(table), table.n_words, len(table.ngrams))


def _by_position(sent: Broadcast[I64], table: NgramTable) -> Iterator[tuple[int, OrderedDocument]]:
    for document in ordered_documents(table, sent.value):
        yield document.position // ORDERED_DOCUMENTS, document


def _position(document: OrderedDocument) -> int:
    return document.position
