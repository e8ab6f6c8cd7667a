"""Duplicate n-grams of documents that lie apart: what each part does between two exchanges.

1. Each part sends its n-grams to the part of their hash, in its own order.
2. There those that occur twice or more are numbered, and their numbers go back, in that order: -1 for
   the others. An n-gram is henceforth its number, its *place*.
3. Documents with a duplicate n-gram go to the driver in ascending order of their shares, with the
   places of their n-grams; Algorithm 3.1 decides them one after the other.

The rules are those of :mod:`pipelines.jobs.dedup.blocks` and of :class:`BlockRemoval`.

Memory of a part: 8 bytes an n-gram, three times while it is exchanged. Of the driver: a byte a
duplicate n-gram, 20 bytes a document, and the documents of one part of the order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipelines.duplicates.block_removal import DocumentBlocks
from pipelines.duplicates.ngram_hashes import text_ngram_hashes
from pipelines.duplicates.ngram_partitions import ngrams_of_documents
from pipelines.duplicates.removal import DuplicateNgrams, by_duplicate_share, no_bits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import numpy.typing as npt

    F64 = npt.NDArray[np.float64]
    I32 = npt.NDArray[np.int32]
    I64 = npt.NDArray[np.int64]
    U64 = npt.NDArray[np.uint64]

CHUNK_DOCUMENTS = 250


class BlockChunk(NamedTuple):
    """Neighbouring documents: the number of the first, and of each its blocks' texts and classes."""

    first: int
    documents: list[tuple[Sequence[str], Sequence[str]]]


class NgramTable(NamedTuple):
    """The documents of a part: number, blocks, n-grams of each block, and these one after the other.

    ``ngrams`` are hashes first, then places (as the same 64 bits, signed).
    """

    numbers: I64
    n_blocks: I64
    classes: list[str]
    sizes: I64
    ngrams: U64
    n_words: int

    def n_ngrams(self) -> I64:
        """Return the number of n-grams of each document."""
        ends = np.concatenate([[0], np.cumsum(self.sizes)])
        of_documents: I64 = np.diff(ends[np.concatenate([[0], np.cumsum(self.n_blocks)])])
        return of_documents


class NumberedNgrams(NamedTuple):
    """How many of a part's hashes are duplicates, and the number of each hash, by who asked."""

    n_duplicates: int
    places: Mapping[int, I32]


class OrderedDocument(NamedTuple):
    """A document with its place in the order of shares."""

    position: int
    number: int
    blocks: DocumentBlocks


class PlacedNgrams(DuplicateNgrams):
    """G2+ and Gout of n-grams that are given by their places, *n_duplicates* in all."""

    def __init__(self, n_duplicates: int):
        super().__init__(np.empty(0, dtype=np.uint64))
        self.is_out = no_bits(n_duplicates)

    def places(self, hashes: U64) -> I64:
        """Return the places that *hashes* are."""
        return hashes.view(np.int64)


def block_chunks(
    blocks: Iterable[tuple[Sequence[str], Sequence[str]]],
) -> Iterator[tuple[int, BlockChunk]]:
    """Yield (place, chunk) of *blocks*, as `pipelines.jobs.dedup.blocks` has them."""
    waiting: list[tuple[Sequence[str], Sequence[str]]] = []
    n_sent = 0
    for document in blocks:
        waiting.append(document)
        if len(waiting) == CHUNK_DOCUMENTS:
            yield n_sent // CHUNK_DOCUMENTS, BlockChunk(n_sent, waiting)
            n_sent += len(waiting)
            waiting = []
    if waiting:
        yield n_sent // CHUNK_DOCUMENTS, BlockChunk(n_sent, waiting)


def ngram_table(chunks: Iterable[BlockChunk], n: int) -> NgramTable:
    """Return the table of one part, of *n*-grams of words."""
    numbers: list[int] = []
    n_blocks: list[int] = []
    classes: list[str] = []
    hashes: list[U64] = [np.empty(0, dtype=np.uint64)]
    for chunk in chunks:
        numbers += range(chunk.first, chunk.first + len(chunk.documents))
        for texts, names in chunk.documents:
            n_blocks.append(len(texts))
            classes += names
            hashes += [text_ngram_hashes(text, 1) for text in texts]
    bounds = np.cumsum([len(words) for words in hashes]).astype(np.int64)
    return NgramTable(
        np.array(numbers, dtype=np.int64),
        np.array(n_blocks, dtype=np.int64),
        classes,
        np.maximum(np.diff(bounds) - n + 1, 0),
        ngrams_of_documents(np.concatenate(hashes), bounds, n),
        int(bounds[-1]),
    )


def ngram_messages(table: NgramTable, n_parts: int) -> Iterator[tuple[int, U64]]:
    """Yield (part, hashes of n-grams for it), in their order."""
    for part, rows in _rows_by_part(table.ngrams, n_parts):
        yield part, table.ngrams[rows]


def numbered(messages: Iterable[tuple[int, U64]]) -> NumberedNgrams:
    """Return the numbers of the n-grams of *messages*, pairs of the asker and its hashes."""
    asked = dict(messages)
    hashes = np.sort(np.concatenate([np.empty(0, dtype=np.uint64), *asked.values()]))
    is_second = hashes[1:] == hashes[:-1]
    duplicates = DuplicateNgrams(np.unique(hashes[1:][is_second]))
    places = {asker: duplicates.places(each).astype(np.int32) for asker, each in asked.items()}
    return NumberedNgrams(len(duplicates.duplicates), places)


def with_places(
    table: NgramTable, replies: Mapping[int, I32], offsets: Sequence[int]
) -> NgramTable:
    """Return *table* with places for hashes; numbers of the part k begin at ``offsets[k]``."""
    places = np.full(len(table.ngrams), -1, dtype=np.int64)
    for part, rows in _rows_by_part(table.ngrams, len(offsets)):
        found = replies[part].astype(np.int64)
        found[found >= 0] += offsets[part]
        places[rows] = found
    return table._replace(ngrams=places.view(np.uint64))


def shares(table: NgramTable) -> tuple[I64, F64]:
    """Return the numbers of the documents, and the share of their n-grams that are duplicates."""
    n_ngrams = table.n_ngrams()
    owners = np.repeat(np.arange(len(n_ngrams)), n_ngrams)
    is_duplicate = table.ngrams.view(np.int64) >= 0
    n_found = np.bincount(owners[is_duplicate], minlength=len(n_ngrams))
    found = np.divide(n_found, n_ngrams, out=np.zeros(len(n_ngrams)), where=n_ngrams > 0)
    return table.numbers, found


def positions(shares_of: F64, ties: Callable[[I64], Sequence[str]]) -> I64:
    """Return the place of each document in the order of decisions, -1 for one without duplicates."""
    involved = np.flatnonzero(shares_of > 0)
    urls = ties(involved)
    by_url = np.array(sorted(range(len(involved)), key=urls.__getitem__), dtype=np.int64)
    ordered = involved[by_url][by_duplicate_share(shares_of[involved][by_url])]
    places = np.full(len(shares_of), -1, dtype=np.int64)
    places[ordered] = np.arange(len(ordered))
    return places


def ordered_documents(table: NgramTable, places: I64) -> Iterator[OrderedDocument]:
    """Yield the documents of *table* that have a place in the order."""
    block_ends = np.concatenate([[0], np.cumsum(table.n_blocks)]).tolist()
    ends = np.concatenate([[0], np.cumsum(table.sizes)])
    for row, number in enumerate(table.numbers.tolist()):
        if places[number] >= 0:
            first, last = block_ends[row], block_ends[row + 1]
            ngrams = [table.ngrams[ends[k] : ends[k + 1]] for k in range(first, last)]
            blocks = DocumentBlocks(table.classes[first:last], ngrams)
            yield OrderedDocument(int(places[number]), number, blocks)


def _rows_by_part(hashes: U64, n_parts: int) -> Iterator[tuple[int, I64]]:
    """Yield each part that has a hash, and the rows of these, ascending."""
    parts = hashes % np.uint64(n_parts)
    order = np.argsort(parts, kind="stable")
    ends = np.searchsorted(parts[order], np.arange(n_parts + 1))
    for part in np.flatnonzero(np.diff(ends)).tolist():
        yield part, order[ends[part] : ends[part + 1]]
