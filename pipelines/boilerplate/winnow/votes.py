"""Sums over elements, and over the blocks that have a key in common: votes, repeated texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.kernels.jit import cold_part, part
from pipelines.boilerplate.winnow.measures import GOOD

if TYPE_CHECKING:
    from pipelines.boilerplate.winnow.measures import F32, F64, U32, Measures


@part
def sum_of(m: Measures, column: int, element: int) -> float:
    """Return the sum of a column over the blocks of an element."""
    return float(
        m.sums[column, m.elements.end_block[element]]
        - m.sums[column, m.elements.first_block[element]]
    )


@part
def size_of(m: Measures, element: int) -> int:
    """Return how many blocks an element holds."""
    return int(m.elements.end_block[element]) - int(m.elements.first_block[element])


@cold_part
def find(table: U32, keys: U32, key: Any) -> int:
    """Return the number of *key* in an open table, a new one when it is not there.

    *keys* holds the keys by number, keys[0] how many there are.
    """
    mask = len(table) - 1
    slot = (np.uint32(key) * np.uint32(2654435769) >> np.uint32(7)) & np.uint32(mask)
    while table[slot] != 0 and keys[table[slot]] != key:
        slot = (slot + np.uint32(1)) & np.uint32(mask)
    if table[slot] == 0:
        keys[0] += 1
        table[slot] = keys[0]
        keys[keys[0]] = key
    return int(table[slot])


@part
def _group(m: Measures, kind: int, rings: U32, table: U32, keys: U32, groups: U32) -> None:
    """Number the keys of the blocks in the order of their first ones."""
    keys[0] = 0
    for i in range(len(m.n_words)):
        element = m.block_element[i]
        if kind == 0:
            key = m.path_number[i]
        elif kind == 1:
            key = m.elements.signature[element]
        else:
            key = m.elements.signature[rings[element]]
        group = find(table, keys, key) - 1
        groups[i] = group


@part
def _count(m: Measures, keys: U32, votes: F64, groups: U32) -> None:
    """Count what votes: blocks, words, linked and good words, the first block and the last one."""
    for group in range(keys[0]):
        for row in range(6):
            votes[row, group] = 0
    for i in range(len(m.n_words)):
        group = groups[i]
        if votes[0, group] == 0:
            votes[4, group] = i
        votes[0, group] += 1
        votes[1, group] += m.n_words[i]
        votes[2, group] += m.linked_words[i]
        votes[3, group] += m.sums[GOOD, i + 1] - m.sums[GOOD, i]
        votes[5, group] = i


@cold_part
def vote(  # noqa: PLR0913, PLR0917 - room comes from outside
    m: Measures,
    kind: int,
    rings: U32,
    table: U32,
    keys: U32,
    votes: F64,
    groups: U32,
    x: F32,
    at: int,
) -> None:
    """Fill in the votes of one kind: 0 the tag path, 1 the signature, 2 that of the next ring, of *rings*."""
    n = len(m.n_words)
    _group(m, kind, rings, table, keys, groups)
    _count(m, keys, votes, groups)
    total_good = max(m.sums[GOOD, n], 1.0)
    for i in range(n):
        group = groups[i]
        words = max(votes[1, group], 1.0)
        x[at, i] = votes[0, group]
        x[at + 1, i] = votes[1, group] / votes[0, group]
        x[at + 2, i] = votes[2, group] / words
        x[at + 3, i] = votes[3, group] / words
        x[at + 4, i] = votes[3, group] / total_good
        x[at + 5, i] = (votes[5, group] - votes[4, group] + 1) / n


@cold_part
def repetitions(  # noqa: PLR0913, PLR0917 - room comes from outside
    m: Measures, table: U32, keys: U32, votes: F64, groups: U32, x: F32, at: int
) -> None:
    """How often a block's text stands on the page, and whether it stands there first."""
    n = len(m.n_words)
    keys[0] = 0
    for i in range(n):
        groups[i] = find(table, keys, np.uint32(m.digest[i] >> np.uint64(32))) - 1
    for group in range(keys[0]):
        votes[0, group] = 0
    for i in range(n):
        x[at + 1, i] = votes[0, groups[i]] == 0
        votes[0, groups[i]] += 1
    for i in range(n):
        x[at, i] = votes[0, groups[i]]
