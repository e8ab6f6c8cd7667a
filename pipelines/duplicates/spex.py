"""SPEX: the n-grams that occur twice or more, grown from shorter ones.

An m-gram can be a duplicate only when both (m-1)-grams in it are. So the words that occur twice are
counted first, then, for m = 2 … n, only those m-grams of which both parts are known duplicates.
N-grams never cross documents; twice means anywhere, in one document too.

*Source:* Bernstein and Zobel 2004; Pomikálek 2011, 3.4.1 and table 3.1. Deviation: where SPEX
looks parts up in hash tables, and so may count a few n-grams too many, every position keeps the
number of the duplicate (m-1)-gram that begins there, which is exact: an m-gram is a pair of such
numbers.

Shapes: ``ids: uint32[t]``, the words of all documents one after the other as numbers;
``starts: int64[d + 1]``, where documents begin, and t at the end. Memory: about 40 bytes a token.
Time: n sorts of what is left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    U32 = npt.NDArray[np.uint32]
    I64 = npt.NDArray[np.int64]

_NONE = -1


class Iteration(NamedTuple):
    """One row of Pomikálek's table 3.1, for m-grams.

    *n_unique* m-grams occur once, of which *n_pruned* were not counted; *types* of duplicates occur
    *n_duplicates* times; *stored* is the number of entries that hash tables would hold at most,
    ``n_unique - n_pruned + types + types of the iteration before``.
    """

    m: int
    n_unique: int
    n_pruned: int
    types: int
    n_duplicates: int
    stored: int


class Spex(NamedTuple):
    """Where the duplicate n-grams begin, their numbers (equal n-grams, equal numbers), and the rows."""

    positions: I64
    numbers: I64
    iterations: list[Iteration]


def spex(ids: U32, starts: I64, n: int) -> Spex:
    """Return the duplicate *n*-grams of the documents; ValueError for *n* below 1."""
    if n < 1:
        raise ValueError(f"n must be at least 1, got {n}")
    room = _room(starts, ids.size)
    candidates = np.arange(ids.size)
    keys = ids.astype(np.int64)
    numbers = np.full(ids.size + 1, _NONE, dtype=np.int64)
    iterations: list[Iteration] = []
    for m in range(1, n + 1):
        if m > 1:
            candidates, keys = _grown(numbers, room, m)
        _, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
        is_duplicate = counts[inverse] > 1
        types = int((counts > 1).sum())
        renumbered = np.cumsum(counts > 1) - 1
        numbers = np.full(ids.size + 1, _NONE, dtype=np.int64)
        numbers[candidates[is_duplicate]] = renumbered[inverse[is_duplicate]]
        iterations.append(_row(m, room, counts, types, iterations))
    positions = np.flatnonzero(numbers != _NONE)
    return Spex(positions, numbers[positions], iterations)


def _room(starts: I64, n_tokens: int) -> I64:
    """Return for each token how many of its document are left, itself with them."""
    return np.repeat(starts[1:], np.diff(starts)) - np.arange(n_tokens)


def _grown(numbers: I64, room: I64, m: int) -> tuple[I64, I64]:
    """Return where an m-gram may be a duplicate, and its two parts as one number."""
    here, following = numbers[:-1], numbers[1:]
    candidates = np.flatnonzero((room >= m) & (here != _NONE) & (following != _NONE))
    n_types = int(numbers.max(initial=0)) + 1
    return candidates, here[candidates] * n_types + following[candidates]


def _row(m: int, room: I64, counts: I64, types: int, before: list[Iteration]) -> Iteration:
    n_grams = int((room >= m).sum())
    n_duplicates = int(counts[counts > 1].sum())
    n_unique = n_grams - n_duplicates
    counted_once = int((counts == 1).sum())
    stored = counted_once + types + (before[-1].types if before else 0)
    return Iteration(m, n_unique, n_unique - counted_once, types, n_duplicates, stored)
