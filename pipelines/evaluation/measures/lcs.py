"""The longest common subsequence of two sequences: its length, and one of them.

Bit-parallel, see `measures.lcs_kernels`; sequences are texts, whose symbols are their code points, or
lists of words. What both begin and end with is in every such subsequence, and is not searched.

Cost: O(m n / 64) time, O(m + n) memory for the length; O((m + n) sqrt(n)) bits besides for the
subsequence. Invariant: the length is that of the quadratic table, and no longer than either.
"""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipelines.evaluation.measures.lcs_kernels import Places, Space, last_vector, write_partners

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Symbols = npt.NDArray[np.int64]


class Pairs(NamedTuple):
    """The places of a common subsequence in both sequences, ascending; int64[length] each."""

    first: Symbols
    second: Symbols


def numbered(*sequences: str | Sequence[str]) -> list[Symbols]:
    """Return *sequences* with a number for each symbol, from 0 on, the same in all of them.

    The symbols of a text are its characters, those of a list its words.
    """
    numbers: dict[str, int] = {}
    lists = [[numbers.setdefault(symbol, len(numbers)) for symbol in s] for s in sequences]
    return [np.array(symbols, dtype=np.int64) for symbols in lists]


def lcs_length(first: str | Sequence[str], second: str | Sequence[str]) -> int:
    """Return the length of the longest common subsequence.

    >>> lcs_length("stone", "longest"), lcs_length(["a", "cat"], ["the", "cat"])
    (3, 1)
    """
    longer, shorter = sorted(numbered(first, second), key=len, reverse=True)
    n_start, n_end = _common_ends(longer, shorter)
    longer = longer[n_start : len(longer) - n_end]
    shorter = shorter[n_start : len(shorter) - n_end]
    if not len(shorter):
        return n_start + n_end
    places = _places(longer, int(max(longer.max(), shorter.max())) + 1)
    vector = np.empty(_n_words(len(longer)), dtype=np.uint64)
    last_vector(places, shorter, vector)
    # Behind the last bit of the sequence carries may have come in.
    vector[-1] |= ~np.uint64(0) << np.uint64((len(longer) - 1) % 64) << np.uint64(1)
    n_ones = int(np.bitwise_count(vector).sum())
    return n_start + n_end + 64 * len(vector) - n_ones


def lcs_pairs(first: str | Sequence[str], second: str | Sequence[str]) -> Pairs:
    """Return the places of one longest common subsequence.

    >>> pairs = lcs_pairs("stone", "longest")
    >>> pairs.first.tolist(), pairs.second.tolist()
    ([2, 3, 4], [1, 2, 4])
    """
    ours, theirs = numbered(first, second)
    n_start, n_end = _common_ends(ours, theirs)
    inner = ours[n_start : len(ours) - n_end]
    other = theirs[n_start : len(theirs) - n_end]
    partner = np.full(len(ours), -1, dtype=np.int64)
    partner[:n_start] = np.arange(n_start)
    partner[len(ours) - n_end :] = np.arange(len(theirs) - n_end, len(theirs))
    if len(inner) and len(other):
        found = np.empty(len(inner), dtype=np.int64)
        places = _places(inner, int(max(inner.max(), other.max())) + 1)
        write_partners(places, inner, other, space_for(len(inner), len(other)), found)
        partner[n_start : len(ours) - n_end] = np.where(found >= 0, found + n_start, -1)
    matched = np.flatnonzero(partner >= 0)
    return Pairs(matched, partner[matched])


def space_for(n_first: int, n_second: int) -> Space:
    """Return working space for sequences of up to these lengths."""
    n_words, n_columns = _n_words(n_first), max(isqrt(n_second), 64)
    shapes = (n_words,), (n_columns, n_words), (n_second // n_columns + 1, n_words)
    return Space(*(np.empty(shape, dtype=np.uint64) for shape in shapes))


def _n_words(n_bits: int) -> int:
    return (n_bits + 63) // 64


def _common_ends(first: Symbols, second: Symbols) -> tuple[int, int]:
    """Return how many symbols both begin with, and how many of the rest both end with."""
    n_both = min(len(first), len(second))
    n_start = _n_equal(first[:n_both], second[:n_both])
    n_rest = n_both - n_start
    return n_start, _n_equal(first[::-1][:n_rest], second[::-1][:n_rest])


def _n_equal(first: Symbols, second: Symbols) -> int:
    different = np.flatnonzero(first != second)
    return int(different[0]) if len(different) else len(first)


def _places(symbols: Symbols, n_symbols: int) -> Places:
    n_words = _n_words(len(symbols))
    by_symbol = np.argsort(symbols, kind="stable")
    is_same = np.diff(symbols[by_symbol], prepend=-1) == 0
    before = np.empty(len(symbols), dtype=np.int64)
    before[by_symbol] = np.where(is_same, np.roll(by_symbol, 1), -1)
    head = np.full(n_symbols, -1, dtype=np.int64)
    ends = np.append(np.flatnonzero(~is_same)[1:], len(symbols)) - 1
    head[symbols[by_symbol[ends]]] = by_symbol[ends]
    frequent = np.flatnonzero(np.bincount(symbols, minlength=n_symbols) > n_words)
    row_of = np.full(n_symbols, -1, dtype=np.int64)
    row_of[frequent] = np.arange(len(frequent))
    rows = np.zeros((len(frequent) + 1, n_words), dtype=np.uint64)
    at = np.flatnonzero(row_of[symbols] >= 0)
    bits = np.uint64(1) << (at % 64).astype(np.uint64)
    np.bitwise_or.at(rows, (row_of[symbols[at]], at // 64), bits)
    return Places(head, before, row_of, rows)
