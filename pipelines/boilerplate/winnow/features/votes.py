"""Sums over elements, and over the blocks that have a key in common: votes, repeated texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.kernels.jit import cold_part, part
from pipelines.boilerplate.winnow.features.measures import GOOD
from pipelines.boilerplate.winnow.features.rows import gather

if TYPE_CHECKING:
    from pipelines.boilerplate.winnow.features.measures import F32, F64, U32, Measures

# Numbers kept of each group of blocks.
N_VOTES = 8


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


@cold_part
def number_paths(m: Measures, table: U32, keys: U32, groups: U32) -> int:
    """Number the tag paths of the blocks; return how many there are."""
    table[:] = 0
    keys[0] = 0
    for i in range(len(groups)):
        groups[i] = find(table, keys, m.path_number[i]) - 1
    return int(keys[0])


@part
def _count(m: Measures, votes: F64, groups: U32) -> None:
    """Count what votes: blocks, words, linked and good words, the first block and the last one."""
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
def vote(m: Measures, n_groups: int, votes: F64, groups: U32, x: F32, at: int) -> None:
    """Fill in what each of *n_groups* groups of blocks says. Room: *votes*, float64[N_VOTES, n_groups]."""
    n = len(m.n_words)
    for row in range(6):
        votes[row, :n_groups] = 0
    _count(m, votes, groups)
    total_good = max(m.sums[GOOD, n], 1.0)
    for group in range(n_groups):
        blocks, words = max(votes[0, group], 1.0), max(votes[1, group], 1.0)
        votes[6, group] = votes[1, group] / blocks
        votes[2, group] /= words
        votes[7, group] = votes[3, group] / total_good
        votes[3, group] /= words
        votes[5, group] = (votes[5, group] - votes[4, group] + 1) / n
    gather(votes[0], groups, x[at])
    gather(votes[6], groups, x[at + 1])
    gather(votes[2], groups, x[at + 2])
    gather(votes[3], groups, x[at + 3])
    gather(votes[7], groups, x[at + 4])
    gather(votes[5], groups, x[at + 5])


@cold_part
def repetitions(  # noqa: PLR0913, PLR0917 - room comes from outside
    m: Measures, table: U32, keys: U32, votes: F64, groups: U32, x: F32, at: int
) -> None:
    """How often a block's text stands on the page, and whether it stands there first."""
    n = len(m.n_words)
    table[:] = 0
    keys[0] = 0
    for i in range(n):
        groups[i] = find(table, keys, np.uint32(m.digest[i] >> np.uint64(32))) - 1
    for group in range(keys[0]):
        votes[0, group] = 0
    for i in range(n):
        x[at + 1, i] = votes[0, groups[i]] == 0
        votes[0, groups[i]] += 1
    gather(votes[0], groups, x[at])
