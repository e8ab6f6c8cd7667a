"""Pomikálek's removal over a corpus: blocks, or whole documents, by duplicate n-grams.

Four passes: the hashes of the words of all units go to a temporary file and their n-grams through
:class:`NgramPartitions`; each document's share of duplicate n-grams is counted; documents are decided
in ascending order of it (ties by URL); findings are written. Every block has a context-free class:
jusText's, or, of other methods, good when it is kept and bad when it is not. N-grams do not cross
blocks.

Memory: five bits a duplicate n-gram, 60 bytes a document, a byte a block of documents with duplicates, and
half of *memory* for n-grams. Temporary files: 8 bytes a word, 8 bytes a duplicate n-gram, and for the
first pass 8 bytes an n-gram beyond that half.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipelines.duplicates.block_removal import BlockRemoval, DocumentBlocks
from pipelines.duplicates.ngram_hashes import text_ngram_hashes
from pipelines.duplicates.ngram_partitions import NgramPartitions, ngrams_of_documents
from pipelines.duplicates.removal import DuplicateNgrams, by_duplicate_share, duplicate_share
from pipelines.jobs.dedup.spool import ArraySpool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from pipelines.duplicates.block_removal import DecidedBlocks
    from pipelines.jobs.dedup.options import DedupOptions

    Bools = npt.NDArray[np.bool_]
    I64 = npt.NDArray[np.int64]
    U64 = npt.NDArray[np.uint64]
    # Of each document the texts of its blocks, "" of what is no unit, and their context-free classes.
    Blocks = Iterable[tuple[Sequence[str], Sequence[str]]]
    Classify = Callable[[Sequence[str]], Sequence[bool]]

_CLASSES = ("good", "neargood", "short", "bad")


class Decided(NamedTuple):
    """What became of the blocks of a document that has duplicates; the others stay as they are."""

    kept: Bools
    is_duplicate: Bools


class Decisions:
    """The decided documents, by number: 8 bytes a document, and one a block of those decided."""

    def __init__(self, n_documents: int):
        self._starts = np.full(n_documents, -1, dtype=np.int64)
        self._sizes = np.zeros(n_documents, dtype=np.int32)
        self._flags = bytearray()

    def take(self, found: Iterable[tuple[int, DecidedBlocks]]) -> None:
        """Note those of *found*, documents by number, that have duplicates."""
        for number, each in found:
            if any(each.is_duplicate):
                kept, is_duplicate = (np.array(flags, np.bool_) for flags in each)
                self[number] = Decided(kept, is_duplicate)

    def __setitem__(self, number: int, decided: Decided) -> None:
        self._starts[number] = len(self._flags)
        self._sizes[number] = len(decided.kept)
        self._flags += (decided.kept | decided.is_duplicate.astype(np.uint8) << 1).tobytes()

    def __contains__(self, number: int) -> bool:
        return bool(self._starts[number] >= 0)

    def __getitem__(self, number: int) -> Decided:
        start = int(self._starts[number])
        flags = np.frombuffer(bytes(self._flags[start : start + self._sizes[number]]), np.uint8)
        return Decided((flags & 1).astype(np.bool_), (flags & 2).astype(np.bool_))


class BlockFindings(NamedTuple):
    """The documents that have duplicates, by number, and counts of the run."""

    decided: Decisions
    n_words: int
    n_ngrams: int
    n_duplicate_ngrams: int


def remove_blocks(
    blocks: Blocks,
    ties: Callable[[I64], Sequence[str]],
    options: DedupOptions,
    *,
    folder: Path | None = None,
    classify: Classify | None = None,
) -> BlockFindings:
    """Decide the blocks of all documents. *ties* gives the URLs of documents, for equal shares.

    *classify* is as for :class:`BlockRemoval`.
    """
    n = options.ngram_words
    with (
        ArraySpool(np.uint64, folder) as words,
        ArraySpool(np.int64, folder) as starts,
        ArraySpool(np.uint8, folder) as classes,
        ArraySpool(np.uint64, folder) as duplicates,
    ):
        with NgramPartitions(n, memory=options.memory // 2, folder=folder) as partitions:
            for hashes, bounds in _spooled(blocks, words, starts, classes):
                partitions.add(hashes, bounds)
            for part in partitions.duplicate_parts():
                duplicates.append(part)
        ngrams = DuplicateNgrams(duplicates.whole())

        document = partial(_document, words, starts, classes, n)
        order = _order(len(words), document, ngrams, ties)
        removal = BlockRemoval(
            ngrams, n=n, t=options.coverage, commit=options.commit, classify=classify
        )
        decided = Decisions(len(words))
        found = removal.decide(document(int(number)) for number in order)
        decided.take(zip(order, found, strict=True))
        return BlockFindings(decided, words.ends[-1], partitions.n_ngrams, len(ngrams.duplicates))


def _document(
    words: ArraySpool[np.uint64],
    starts: ArraySpool[np.int64],
    classes: ArraySpool[np.uint8],
    n: int,
    number: int,
) -> DocumentBlocks:
    """Return the classes of the blocks of document *number*, and the duplicate n-grams of each."""
    names = [_CLASSES[cls] for cls in classes[number].tolist()]
    bounds = starts[number]
    hashes = ngrams_of_documents(words[number], bounds, n)
    sizes = np.maximum(np.diff(bounds) - n + 1, 0)
    return DocumentBlocks(names, np.split(hashes, np.cumsum(sizes)[:-1])[: len(names)])


def _spooled(
    blocks: Blocks,
    words: ArraySpool[np.uint64],
    starts: ArraySpool[np.int64],
    classes: ArraySpool[np.uint8],
) -> Iterator[tuple[U64, I64]]:
    """Write what is asked for of documents again; yield the word hashes of each, and where blocks begin."""
    for texts, names in blocks:
        hashes, bounds = _word_hashes(texts)
        words.append(hashes)
        starts.append(bounds)
        classes.append(np.array([_CLASSES.index(cls) for cls in names], dtype=np.uint8))
        yield hashes, bounds


def _word_hashes(texts: Sequence[str]) -> tuple[U64, I64]:
    """Return the hashes of the words of *texts*, one text after the other, and where each begins."""
    hashes = [text_ngram_hashes(text, 1) for text in texts]
    bounds = np.cumsum([0, *map(len, hashes)])
    return np.concatenate([np.empty(0, dtype=np.uint64), *hashes]), bounds


def _order(
    n_documents: int,
    document: Callable[[int], DocumentBlocks],
    ngrams: DuplicateNgrams,
    ties: Callable[[I64], Sequence[str]],
) -> I64:
    """Return the documents with duplicates in ascending order of shares, those of equal ones by URL."""
    shares = np.zeros(n_documents)
    for number in range(n_documents):
        hashes = document(number).hashes
        joined = np.concatenate([np.empty(0, dtype=np.uint64), *hashes])
        shares[number] = duplicate_share(joined, ngrams)
    # A document without a duplicate n-gram changes nothing, wherever it comes.
    involved = np.flatnonzero(shares > 0)
    by_url = np.array(sorted(range(len(involved)), key=ties(involved).__getitem__), dtype=np.int64)
    involved = involved[by_url]
    return involved[by_duplicate_share(shares[involved])]
