"""Pairs of pages that may be near-duplicates, and those that are, in bounded memory.

By shingles: every page gets a sketch of 128 values, cut into bands (`bands_of`). Pages that share a band
are candidates: by default, with 32 bands of 4, two pages of resemblance .6 are with a probability of .988,
of .7 with .9998. For lower thresholds bands have 3 values or 2, so that .95 of the pairs at the threshold are
found; at mutual containments below .36, or resemblances below .22, it is fewer.
Of a band that more than 64 pages share (templates) each is paired with the one of the
smallest digest. The candidates' sets of shingles are then compared by the measure of the rule.

By simhash: two values that differ in at most d bits agree in one of d + 1 blocks (pigeonhole), so the
values that share a block are compared, all of them: of n distinct values n^2 / 2^(b + 1) pairs a
block of b = 64 / (d + 1) bits. Of many that are near each other not all pairs are told, but enough for the
clusters (:mod:`pipelines.duplicates.near_values`).

*Source:* Broder 1997; Leskovec, Rajaraman, Ullman, section 3.4; Manku, Jain, Das Sarma 2007, section 3.1.

Memory: 24 bytes a page, one chunk of pairs of at most *memory* bytes, and 24 bytes for each
pair that is near. Temporary files: 512 bytes a page, 8 bytes a word of candidates, 8 bytes a candidate pair
and band. Invariant: the pairs are a function of the set of texts, whatever their order.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import lean_kernel
from pipelines.duplicates.lsh import (
    Bands,
    band_keys,
    candidate_probability,
    pairs_of_keys,
)
from pipelines.duplicates.minhash import N_VALUES, sketch
from pipelines.duplicates.near_values import near_values
from pipelines.duplicates.packed_pairs import larger, packed, smaller, unpacked
from pipelines.duplicates.simhash import simhash
from pipelines.jobs.dedup.spool import ArraySpool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import numpy.typing as npt

    from pipelines.duplicates.verdicts import NearRule
    from pipelines.jobs.dedup.options import DedupOptions

    Bools = npt.NDArray[np.bool_]
    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]
    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]
    Texts = Callable[[Bools], Iterator[str]]

# Fewer values find more and compare more in vain.
_BAND_VALUES = (4, 3)
_FEWEST_BAND_VALUES = 2
_FOUND = 0.95
_CHUNK = 100_000
_NOTHING: U64 = np.empty(0, dtype=np.uint64)
# A pair while it is verified: as it is read, sorted, cut in two, and its measure.
_PAIR_BYTES = 64


class NearPairs(NamedTuple):
    """Pairs of pages, i < j, and how like they are, 0 to 1."""

    pairs: I64
    likeness: F64


def bands_of(rule: NearRule) -> Bands:
    """Return the longest bands by which .95 of the pairs at the threshold of *rule* are candidates.

    They have 2 values at least: with 1 nearly all pages of a site would be candidates.

    >>> from pipelines.duplicates.verdicts import NearRule
    >>> bands_of(NearRule()), bands_of(NearRule(threshold=0.5))
    (Bands(n_bands=32, n_rows=4), Bands(n_bands=64, n_rows=2))
    """
    for n_rows in _BAND_VALUES:
        bands = Bands(N_VALUES // n_rows, n_rows)
        if candidate_probability(rule.least_resemblance, bands) >= _FOUND:
            return bands
    return Bands(N_VALUES // _FEWEST_BAND_VALUES, _FEWEST_BAND_VALUES)


def near_pairs(
    texts: Texts, first_of: Bools, digests: U64, options: DedupOptions, folder: Path | None
) -> NearPairs:
    """Return the near-duplicates among *texts*, which are read twice: asked for those that are wanted, bool[n].

    Of texts with one of *digests*, only that with *first_of* is compared.
    """
    rule, memory, wanted = options.rule, options.memory // 2, first_of
    if not rule.finds_near:
        return NearPairs(np.empty((0, 2), dtype=np.int64), np.empty(0))
    if rule.method == "simhash":
        return _simhash_pairs(texts, wanted, digests, rule.distance)
    with ArraySpool(np.uint64, folder) as candidates:
        with ArraySpool(np.uint32, folder) as sketches:
            for number, text in enumerate(texts(wanted)):
                hashes = rule.shingles(text) if wanted[number] else _NOTHING
                sketches.append(sketch(hashes) if hashes.size else np.empty(0, dtype=np.uint32))
            _find_candidates(sketches, digests, bands_of(rule), candidates)
        is_candidate = np.zeros(len(wanted), dtype=np.bool_)
        for chunk in _chunks(candidates.whole(), memory):
            is_candidate[smaller(chunk)] = True
            is_candidate[larger(chunk)] = True
        with ArraySpool(np.uint64, folder) as shingles:
            for number, text in enumerate(texts(is_candidate)):
                found = np.unique(rule.shingles(text)) if is_candidate[number] else _NOTHING
                shingles.append(found)
            return _verified(candidates.whole(), shingles, rule, memory)


def _find_candidates(
    sketches: ArraySpool[np.uint32], digests: U64, bands: Bands, candidates: ArraySpool[np.uint64]
) -> None:
    """Append the pairs that share a band, a band at a time, as i in the upper half and j below."""
    sizes = np.diff(sketches.starts())
    numbers = np.flatnonzero(sizes)
    rows = sketches.whole().reshape(-1, N_VALUES)
    # By digests, so that the first of many is the same text whatever the order of pages.
    order = np.argsort(digests[numbers])
    numbers = numbers[order]
    for band in range(bands.n_bands):
        candidates.append(packed(numbers[pairs_of_keys(_keys(rows, bands, band)[order])]))


def _keys(rows: U32, bands: Bands, band: int) -> U64:
    keys = np.empty(len(rows), dtype=np.uint64)
    columns = slice(band * bands.n_rows, (band + 1) * bands.n_rows)
    for start in range(0, len(rows), _CHUNK):
        part = np.array(rows[start : start + _CHUNK, columns])
        keys[start : start + _CHUNK] = band_keys(part, Bands(1, bands.n_rows))[:, 0]
    return keys


def _chunks(pairs: U64, memory: int) -> Iterator[U64]:
    """Yield the pairs, each once in its chunk, ascending."""
    n = max(memory // _PAIR_BYTES, 1)
    for start in range(0, len(pairs), n):
        yield np.unique(pairs[start : start + n])


def _verified(
    candidates: U64, shingles: ArraySpool[np.uint64], rule: NearRule, memory: int
) -> NearPairs:
    starts, whole = shingles.starts(), shingles.whole()
    pairs: list[U64] = [_NOTHING]
    likeness: list[F64] = [np.empty(0)]
    for chunk in _chunks(candidates, memory):
        found = np.empty(len(chunk))
        _measure(whole, starts, chunk, rule.method == "resemblance", found)
        is_near = found >= rule.threshold
        pairs.append(chunk[is_near])
        likeness.append(found[is_near])
    joined, first = np.unique(np.concatenate(pairs), return_index=True)
    return NearPairs(unpacked(joined), np.concatenate(likeness)[first])


@lean_kernel
def _measure(whole: U64, starts: I64, pairs: U64, is_resemblance: bool, found: F64) -> None:
    """Write how like the two sets of each pair are; `NearRule.measure`, many at a time."""
    for pair in range(pairs.size):
        first, second = pairs[pair] >> np.uint64(32), pairs[pair] & np.uint64(0xFFFFFFFF)
        i, i_end = starts[first], starts[first + np.uint64(1)]
        j, j_end = starts[second], starts[second + np.uint64(1)]
        n_first, n_second, n_common = i_end - i, j_end - j, 0
        while i < i_end and j < j_end:
            x, y = whole[i], whole[j]
            n_common += x == y
            i += x <= y
            j += y <= x
        n_all = n_first + n_second - n_common if is_resemblance else max(n_first, n_second)
        found[pair] = n_common / n_all


def _simhash_pairs(texts: Texts, wanted: Bools, digests: U64, distance: int) -> NearPairs:
    """Return the pairs of values within *distance*; of many equal values one stands for all."""
    values = np.zeros(len(wanted), dtype=np.uint64)
    for number, text in enumerate(texts(wanted)):
        if wanted[number]:
            values[number] = simhash(text)
    numbers = np.flatnonzero(values)
    # By digests, so that the first of many is the same text whatever the order of pages.
    numbers = numbers[np.argsort(digests[numbers])]
    ordered = values[numbers]
    found = [_NOTHING]
    for low, high in pairwise(64 * block // (distance + 1) for block in range(distance + 2)):
        blocks = ordered << np.uint64(64 - high) >> np.uint64(64 - high + low)
        found.append(packed(numbers[near_values(blocks, ordered, distance)]))
    pairs = unpacked(np.unique(np.concatenate(found)))
    differ = np.bitwise_count(values[pairs[:, 0]] ^ values[pairs[:, 1]])
    return NearPairs(pairs, 1 - differ / 64)
