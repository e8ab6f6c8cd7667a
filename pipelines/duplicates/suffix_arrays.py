"""Duplicate n-grams by suffix arrays of chunks, and a merge of what the chunks give.

The words of the collection are cut into chunks that overlap by n - 1 words; a chunk gives the
n-grams that begin in its own part, sorted, with their counts. Sorting goes to depth n only, by
doubling: places are ranked by their first word, by pairs of ranks of 1, 2, 4 … words. A chunk's
n-grams are written as the number of words that each has in common with the one before it, the
others, and the count, in Elias' gamma code. The merge adds the counts of equal n-grams.

*Source:* Pomikálek 2011, 3.4.2; Manber and Myers 1993. The thesis sorts by qsufsort, all suffixes.
N-grams never cross documents. This is the exact method, to hold others against;
:mod:`pipelines.duplicates.ngram_partitions` is the fast one, equal up to hashes.

On disk: one temporary file a chunk, removed at the end. Memory: about 60 bytes a word of a chunk, and
of the merge 8,192 n-grams a chunk. Time: log2 n sorts of a chunk; the merge is in Python, about a
million n-grams a second.
"""

from __future__ import annotations

import heapq
import tempfile
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pipelines.duplicates.elias import decode, encode

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]
    I64 = npt.NDArray[np.int64]
    Ngram = tuple[int, ...]

CHUNK_WORDS = 2**24
_BATCH = 8192


def duplicate_ngrams(
    ids: U32, starts: I64, n: int, *, chunk_words: int = CHUNK_WORDS, folder: Path | None = None
) -> Iterator[tuple[Ngram, int]]:
    """Yield each *n*-gram of word numbers that occurs twice or more, ascending, and its count.

    *ids* are the words of all documents, *starts* where documents begin, with the end at last.
    Raises ValueError for *n* or *chunk_words* below 1.
    """
    if n < 1 or chunk_words < 1:
        raise ValueError(f"n and chunk_words must be at least 1, got {n} and {chunk_words}")
    room = np.repeat(starts[1:], np.diff(starts)) - np.arange(ids.size)
    with tempfile.TemporaryDirectory(dir=folder) as place:
        files = []
        for number, first in enumerate(range(0, ids.size, chunk_words)):
            last = first + chunk_words
            ngrams, counts = sorted_ngrams(ids[first : last + n - 1], room[first:last], n)
            files.append(Path(place) / f"{number}.ngrams")
            _write(files[-1], ngrams, counts)
        chunks = [_read(file, n) for file in files]
        for ngram, found in groupby(heapq.merge(*chunks), key=itemgetter(0)):
            count = sum(map(itemgetter(1), found))
            if count > 1:
                yield ngram, count


def sorted_ngrams(ids: U32, room: I64, n: int) -> tuple[U32, I64]:
    """Return the distinct *n*-grams that begin where *room* has *n* words, sorted, and their counts.

    Shapes: uint32[m, n] and int64[m].
    """
    begin = np.flatnonzero(room >= n)
    ranks, depth = np.unique(ids, return_inverse=True)[1].astype(np.int64), 1
    while 2 * depth <= n:
        ranks, depth = _ranks_of_pairs(ranks[:-depth], ranks[depth:]), 2 * depth
    # The two parts overlap, which changes neither order nor equality.
    ranks = _ranks_of_pairs(ranks[begin], ranks[begin + n - depth])
    _, first, counts = np.unique(ranks, return_index=True, return_counts=True)
    return ids[begin[first][:, None] + np.arange(n)], counts


def _ranks_of_pairs(first: I64, second: I64) -> I64:
    pairs = first * (int(second.max(initial=0)) + 1) + second
    ranks: I64 = np.unique(pairs, return_inverse=True)[1].astype(np.int64)
    return ranks


def _write(file: Path, ngrams: U32, counts: I64) -> None:
    """Write batches: the number of n-grams and of bytes, then for each what it shares, the rest, the count."""
    n = ngrams.shape[1]
    with file.open("wb") as out:
        for start in range(0, len(ngrams), _BATCH):
            batch = ngrams[start : start + _BATCH]
            shared = np.zeros(len(batch), dtype=np.int64)
            differs = batch[1:] != batch[:-1]
            shared[1:] = differs.argmax(axis=1)
            row = np.empty((len(batch), n + 2), dtype=np.uint64)
            row[:, 0], row[:, 1:-1] = shared, batch
            row[:, -1] = counts[start : start + _BATCH]
            is_written = np.arange(n + 2) - 1 >= shared[:, None]
            is_written[:, 0] = True
            code = encode(row[is_written])
            sizes = np.array([len(batch), is_written.sum(), len(code)], dtype=np.int64)
            out.write(sizes.tobytes() + code.tobytes())


def _read(file: Path, n: int) -> Iterator[tuple[Ngram, int]]:
    with file.open("rb") as source:
        while head := source.read(24):
            n_ngrams, n_values, n_bytes = np.frombuffer(head, dtype=np.int64).tolist()
            code = np.frombuffer(source.read(n_bytes), dtype=np.uint8)
            values = decode(code, n_values).tolist()
            ngram: Ngram = ()
            place = 0
            for _ in range(n_ngrams):
                shared = values[place]
                end = place + 1 + n - shared
                ngram = ngram[:shared] + tuple(values[place + 1 : end])
                yield ngram, values[end]
                place = end + 1
