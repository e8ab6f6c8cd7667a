"""Near-duplicate pairs from tables of pages that lie apart: what each part does between two exchanges.

Pages lie in n parts by their number (:func:`part_of`). By shingles, in three exchanges: the keys of
bands go to the part of the key, where pages that share one become candidates; a candidate pair
goes to the part of its first page, and from there with that page's shingles to the part of its second,
where the two sets are compared. By simhash in one: values that agree in a block of bits meet.

The rules are those of :mod:`pipelines.jobs.dedup.candidates`, and so are the pairs. The two differ where keys
of different bands are equal by chance: then there is a candidate more, which is compared as any other.

Shapes: pairs are packed in one uint64, the smaller number in the upper half. Memory of a part: 8 bytes a
shingle, 16 bytes a page and band, 16 bytes a candidate pair, and the shingles that it is sent.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipelines.duplicates.lsh import band_keys, pairs_of_keys
from pipelines.duplicates.minhash import N_VALUES, sketch
from pipelines.duplicates.near_values import near_values
from pipelines.duplicates.packed_pairs import larger, packed, smaller
from pipelines.duplicates.simhash import simhash
from pipelines.jobs.dedup.candidates import bands_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy.typing as npt

    from pipelines.duplicates.verdicts import NearRule

    Bools = npt.NDArray[np.bool_]
    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]
    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]

# Pages with neighbouring numbers are in one part, so many of them, and the next in the next part.
CHUNK_PAGES = 1000
_HIGH = np.uint64(32)
# 2^64 over the golden ratio
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_BLOCK_BITS = np.uint64(4)


class PageChunk(NamedTuple):
    """Neighbouring pages: their numbers, their places in the order of digests, and their texts."""

    numbers: I64
    places: I64
    texts: list[str]


class ShingleTable(NamedTuple):
    """Pages ascending, those without a shingle left out; page k has ``whole[starts[k]:starts[k+1]]``."""

    numbers: I64
    places: I64
    starts: I64
    whole: U64

    def shingles(self, number: int) -> U64:
        """Return the shingles of page *number*, ascending and each once."""
        place = int(np.searchsorted(self.numbers, number))
        return self.whole[self.starts[place] : self.starts[place + 1]]


class BandKeys(NamedTuple):
    """One entry a page and band."""

    keys: U64
    numbers: U32
    places: U32


class AskedPairs(NamedTuple):
    """Pairs to be compared, packed, and the shingles of their first pages."""

    pairs: U64
    first: ShingleTable


class FoundPairs(NamedTuple):
    """Pairs that are near, packed, and how like they are."""

    pairs: U64
    likeness: F64


class SimhashBlocks(NamedTuple):
    """One entry a page and block of bits: key of the block, number, place, simhash."""

    keys: U64
    numbers: U32
    places: U32
    values: U64


def part_of(numbers: npt.NDArray[np.integer], n_parts: int) -> I64:
    """Return the part in which each of the pages *numbers* lies.

    >>> part_of(np.array([0, 999, 1000, 2000]), 2).tolist()
    [0, 0, 1, 0]
    """
    parts: I64 = numbers.astype(np.int64) // CHUNK_PAGES % n_parts
    return parts


def page_chunks(
    texts: Iterable[str], wanted: Bools, digests: U64
) -> Iterator[tuple[int, PageChunk]]:
    """Yield (place, chunk) of the pages that are *wanted*; *texts*, *digests* are of all.

    The part of a chunk is its place modulo the number of parts.
    """
    places = np.empty(len(digests), dtype=np.int64)
    places[np.argsort(digests)] = np.arange(len(digests))
    numbers: list[int] = []
    waiting: list[str] = []
    for number, text in enumerate(texts):
        if number % CHUNK_PAGES == 0 and numbers:
            yield _page_chunk(numbers, waiting, places)
            numbers, waiting = [], []
        if wanted[number]:
            numbers.append(number)
            waiting.append(text)
    if numbers:
        yield _page_chunk(numbers, waiting, places)


def _page_chunk(numbers: list[int], texts: list[str], places: I64) -> tuple[int, PageChunk]:
    of = np.array(numbers, dtype=np.int64)
    return numbers[0] // CHUNK_PAGES, PageChunk(of, places[of], texts)


def shingle_table(chunks: Iterable[PageChunk], rule: NearRule) -> ShingleTable:
    """Return the table of one part, *chunks* being ascending."""
    numbers: list[int] = []
    places: list[int] = []
    found: list[U64] = [np.empty(0, dtype=np.uint64)]
    for chunk in chunks:
        for number, place, text in zip(
            chunk.numbers.tolist(), chunk.places.tolist(), chunk.texts, strict=True
        ):
            hashes = np.unique(rule.shingles(text))
            if hashes.size:
                numbers.append(number)
                places.append(place)
                found.append(hashes)
    starts = np.cumsum([len(hashes) for hashes in found])
    return ShingleTable(
        np.array(numbers, dtype=np.int64),
        np.array(places, dtype=np.int64),
        starts.astype(np.int64),
        np.concatenate(found),
    )


def band_messages(
    table: ShingleTable, rule: NearRule, n_parts: int
) -> Iterator[tuple[int, BandKeys]]:
    """Yield (part, keys of bands for it)."""
    sketches = np.empty((len(table.numbers), N_VALUES), dtype=np.uint32)
    for page in range(len(table.numbers)):
        sketches[page] = sketch(table.whole[table.starts[page] : table.starts[page + 1]])
    bands = bands_of(rule)
    keys = band_keys(sketches, bands).ravel()
    numbers = np.repeat(table.numbers.astype(np.uint32), bands.n_bands)
    places = np.repeat(table.places.astype(np.uint32), bands.n_bands)
    for part, rows in _rows_by_part(keys % np.uint64(n_parts), n_parts):
        yield part, BandKeys(keys[rows], numbers[rows], places[rows])


def candidate_messages(messages: Iterable[BandKeys], n_parts: int) -> Iterator[tuple[int, U64]]:
    """Yield (part of the first page, candidate pairs)."""
    columns = list(zip(*messages, strict=True)) or [(), (), ()]
    keys = np.concatenate([np.empty(0, dtype=np.uint64), *columns[0]])
    numbers = np.concatenate([np.empty(0, dtype=np.uint32), *columns[1]]).astype(np.int64)
    places = np.concatenate([np.empty(0, dtype=np.uint32), *columns[2]])
    # By digests, so that the first of many is the same text however pages lie.
    order = np.argsort(places, kind="stable")
    pairs = np.unique(packed(numbers[order][pairs_of_keys(keys[order])]))
    for part, rows in _rows_by_part(part_of(smaller(pairs), n_parts), n_parts):
        yield part, pairs[rows]


def asked_messages(
    table: ShingleTable, messages: Iterable[U64], n_parts: int
) -> Iterator[tuple[int, AskedPairs]]:
    """Yield (part of the second page, pairs with the shingles of their first, which are of *table*)."""
    pairs = np.unique(np.concatenate([np.empty(0, dtype=np.uint64), *messages]))
    for part, rows in _rows_by_part(part_of(larger(pairs), n_parts), n_parts):
        asked = pairs[rows]
        firsts = np.unique(smaller(asked))
        shingles = [table.shingles(number) for number in firsts.tolist()]
        starts = np.cumsum([0, *map(len, shingles)]).astype(np.int64)
        yield (
            part,
            AskedPairs(asked, ShingleTable(firsts, firsts, starts, np.concatenate(shingles))),
        )


def near_of(table: ShingleTable, messages: Iterable[AskedPairs], rule: NearRule) -> FoundPairs:
    """Return those of the asked pairs that are near; their second pages are of *table*."""
    pairs: list[int] = []
    likeness: list[float] = []
    for asked in messages:
        for pair in asked.pairs.tolist():
            like = rule.measure(asked.first.shingles(pair >> 32), table.shingles(pair & 0xFFFFFFFF))
            if like >= rule.threshold:
                pairs.append(pair)
                likeness.append(like)
    return FoundPairs(np.array(pairs, dtype=np.uint64), np.array(likeness, dtype=np.float64))


def simhash_messages(
    chunks: Iterable[PageChunk], distance: int, n_parts: int
) -> Iterator[tuple[int, SimhashBlocks]]:
    """Yield (part, simhashes under a block of their bits): one of *distance* + 1 is equal."""
    found = [
        (number, place, simhash(text))
        for chunk in chunks
        for number, place, text in zip(chunk.numbers, chunk.places, chunk.texts, strict=True)
    ]
    rows = np.array(found, dtype=np.uint64).reshape(-1, 3)
    rows = rows[rows[:, 2] != 0]
    numbers, places = rows[:, :2].astype(np.uint32).T
    values = rows[:, 2]
    bounds = [64 * block // (distance + 1) for block in range(distance + 2)]
    for block, (low, high) in enumerate(pairwise(bounds)):
        bits = values << np.uint64(64 - high) >> np.uint64(64 - high + low)
        keys = bits << _BLOCK_BITS | np.uint64(block)
        parts = (keys * _GOLDEN >> _HIGH) % np.uint64(n_parts)
        for part, at in _rows_by_part(parts, n_parts):
            yield part, SimhashBlocks(keys[at], numbers[at], places[at], values[at])


def near_simhashes(messages: Iterable[SimhashBlocks], distance: int) -> FoundPairs:
    """Return the pairs that share a block and differ in *distance* bits or fewer, each once."""
    columns = list(zip(*messages, strict=True)) or [(), (), (), ()]
    keys = np.concatenate([np.empty(0, dtype=np.uint64), *columns[0]])
    numbers = np.concatenate([np.empty(0, dtype=np.uint32), *columns[1]]).astype(np.int64)
    places = np.concatenate([np.empty(0, dtype=np.uint32), *columns[2]])
    values = np.concatenate([np.empty(0, dtype=np.uint64), *columns[3]])
    # By digests, so that the first of many is the same text however pages lie.
    order = np.argsort(places, kind="stable")
    numbers, values = numbers[order], values[order]
    rows = near_values(keys[order], values, distance)
    pairs, first = np.unique(packed(numbers[rows]), return_index=True)
    differ = np.bitwise_count(values[rows[first, 0]] ^ values[rows[first, 1]])
    return FoundPairs(pairs, 1 - differ / 64)


def _rows_by_part(parts: npt.NDArray[np.integer], n_parts: int) -> Iterator[tuple[int, I64]]:
    """Yield each part that occurs, and the rows in it, ascending."""
    order = np.argsort(parts, kind="stable")
    ends = np.searchsorted(parts[order], np.arange(n_parts + 1))
    for part in np.flatnonzero(np.diff(ends)).tolist():
        yield part, order[ends[part] : ends[part + 1]]
