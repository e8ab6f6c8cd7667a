"""Pairs of 64-bit values that differ in few bits, among many that share a key, in bounded memory.

Rows with one key are compared, each with each. Where all are alike (the pages of a template) the pairs would be
n^2 / 2, so a row is paired with the first `MOST_NEAR` of those before it that are near, and beyond these
only with one that no pair joins to it, even by others: the clusters stay the same. Of more than `MAX_GROUP` equal
values of one key the first stands for all, which spares the comparisons.

*Source:* Manku, Jain, Das Sarma 2007, section 3.1 (values within d bits agree in one of d + 1 blocks, the key).

Shapes: ``keys, values: uint64[n]``; pairs int64[p, 2], rows i < j. Memory: 60 bytes a row, and 8 bytes a pair, of
which there are at most ``(MOST_NEAR + 2) n``. Time: a comparison for each two rows of one key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.bits import n_set_bits
from crawler.kernels.jit import lean_kernel
from crawler.kernels.union_find import root_of
from pipelines.duplicates.lsh import MAX_GROUP

if TYPE_CHECKING:
    import numpy.typing as npt

    Bools = npt.NDArray[np.bool_]
    I64 = npt.NDArray[np.int64]
    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]

MOST_NEAR = 16


def near_values(keys: U64, values: U64, distance: int) -> I64:
    """Return the pairs of rows of one key whose values differ in at most *distance* bits.

    What comes first decides which pairs are told of many; rows are in an order that does not depend on chance.
    """
    first, is_other = _of_many_equal(keys, values)
    rows = np.flatnonzero(~is_other)
    rows = rows[np.argsort(keys[rows], kind="stable")]
    counts, parents = np.empty((2, len(rows)), np.uint32)
    # Pages of memory that no pair is written to are never taken.
    room = np.empty((len(rows) * (MOST_NEAR + 1), 2), np.uint32)
    n_pairs = _pairs_of_groups(keys[rows], values[rows], distance, counts, parents, room)
    equal = np.stack((first, np.flatnonzero(is_other)), axis=1)
    return np.concatenate((equal, rows[room[:n_pairs]]))


def _of_many_equal(keys: U64, values: U64) -> tuple[I64, Bools]:
    """Return the first of more than `MAX_GROUP` equal rows for each other one, and which those are."""
    order = np.lexsort((values, keys))
    differs = (np.diff(keys[order]) != 0) | (np.diff(values[order]) != 0)
    starts = np.flatnonzero(np.append(len(keys) > 0, differs))
    sizes = np.diff(np.append(starts, len(keys)))
    first = np.empty(len(keys), np.int64)
    first[order] = order[np.repeat(starts, sizes)]
    size = np.empty(len(keys), np.int64)
    size[order] = np.repeat(sizes, sizes)
    is_other = (size > MAX_GROUP) & (first != np.arange(len(keys)))
    return first[is_other], is_other


@lean_kernel
def _pairs_of_groups(
    keys: U64, values: U64, distance: int, counts: U32, parents: U32, room: U32
) -> int:
    """Write the pairs of near rows of one key, keys being ascending; return how many there are."""
    n_pairs = 0
    for row in range(keys.size):
        counts[row], parents[row] = 0, row
    start = 0
    for row in range(keys.size):
        if keys[row] != keys[start]:
            start = row
        for before in range(start, row):
            if n_set_bits(values[row] ^ values[before]) > distance:
                continue
            mine, theirs = root_of(parents, row), root_of(parents, before)
            if counts[row] < MOST_NEAR or mine != theirs:
                room[n_pairs, 0], room[n_pairs, 1] = before, row
                n_pairs += 1
                counts[row] += 1
                parents[max(mine, theirs)] = min(mine, theirs)
    return n_pairs
