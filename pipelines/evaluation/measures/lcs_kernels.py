"""The compiled loops of longest common subsequences; `measures.lcs` tells what they compute.

The m symbols of the first sequence stand in a vector V of m bits, W words. After the first j symbols
of the second, bit i of V is 0 where L(i + 1, j) = L(i, j) + 1, L(i, j) being the length of the LCS
of the first i and the first j. With M the bits where the first has symbol j + 1::

    V = all ones at the start;  U = V & M;  V = (V + U) | (V & ~M)

*Source: Crochemore, Iliopoulos, Pinzon and Reid 2001; Hyyrö 2004.*

M of a symbol that is frequent (more than W places) is kept; the others are at most 64 rows of W
words, of all others M is made when it is needed, from the list of its places. Where M is 0 and no
carry comes in, V stays as it is, and is not looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import lean_kernel, part

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]
    Bits = npt.NDArray[np.uint64]

_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
# Of symbols that have more places than there are words of 64 there are fewer.
MOST_ROWS = 64


class Places(NamedTuple):
    """The places of each of k symbols among m.

    *head*: int64[k], the last place of a symbol or -1; *before*: int64[m], the next one before it.
    *row_of*: int64[k], the row of *rows* that holds a symbol's bits, or -1; *rows*: uint64[r + 1, W],
    the last one is working space, all 0.
    """

    head: Integers
    before: Integers
    row_of: Integers
    rows: Bits


@part
def _advance(places: Places, vector: Bits, n_words: int, symbol: int) -> None:
    """Take V over one symbol of the second sequence."""
    if places.head[symbol] < 0:
        return
    rows = places.rows
    scratch = len(rows) - 1
    row = places.row_of[symbol]
    low = 0
    high = n_words - 1
    if row < 0:
        row = scratch
        place = places.head[symbol]
        high = place >> 6
        while place >= 0:
            low = place >> 6
            rows[row, low] |= _ONE << np.uint64(place & 63)
            place = places.before[place]
    carry = _ZERO
    word = low
    while word < n_words and (word <= high or carry != _ZERO):
        old = vector[word]
        matches = rows[row, word]
        total = old + (old & matches)
        with_carry = total + carry
        carry = _ONE if total < old or with_carry < total else _ZERO
        vector[word] = with_carry | (old & ~matches)
        word += 1
    if row == scratch:
        for word in range(low, high + 1):
            rows[row, word] = _ZERO


class Space(NamedTuple):
    """Working space: *vector*, uint64[W], *columns*, uint64[K, W], *checkpoints*, uint64[C, W].

    K is about the square root of the length n of the second sequence, C at least (n - 1) // K + 1.
    """

    vector: Bits
    columns: Bits
    checkpoints: Bits


class Run(NamedTuple):
    """The symbols from *start* to *end* of a sequence."""

    symbols: Integers
    start: int
    end: int


class Lines(NamedTuple):
    """The symbols of a text, line after line, where each line ends, and how often it stands in the text.

    Shapes: int64[m], int64[lines] twice.
    """

    symbols: Integers
    ends: Integers
    repeats: Integers


@lean_kernel
def last_vector(places: Places, second: Integers, vector: Bits) -> None:
    """Write V after all of *second*, int64[n], to *vector*, uint64[W]."""
    for word in range(len(vector)):
        vector[word] = _ALL
    for j in range(len(second)):
        _advance(places, vector, len(vector), second[j])


@part
def _copy(source: Bits, row: int, target: Bits, n_words: int) -> None:
    """Copy a row of *source* to *target*."""
    for word in range(n_words):
        target[word] = source[row, word]


@part
def _keep(source: Bits, target: Bits, row: int, n_words: int) -> None:
    """Copy *source* to a row of *target*."""
    for word in range(n_words):
        target[row, word] = source[word]


@part
def _partners(places: Places, first: Run, second: Run, space: Space, partner: Integers) -> None:
    """Write the partners of the symbols of *first* in *second*, of those that have one.

    From the ends of both: equal symbols are partners; else one step back in the first sequence,
    unless the LCS gets shorter by that and not by one in the second. V is kept at each K-th column;
    those between are made again, so that memory is W sqrt(n) words.
    """
    vector, columns = space.vector, space.columns
    n_words = (first.end - first.start + 63) >> 6
    step = len(columns)
    last_block = (second.end - second.start - 1) // step
    for word in range(n_words):
        vector[word] = _ALL
    for j in range(last_block * step):
        if j % step == 0:
            _keep(vector, space.checkpoints, j // step, n_words)
        _advance(places, vector, n_words, second.symbols[second.start + j])
    _keep(vector, space.checkpoints, last_block, n_words)
    i = first.end - first.start - 1
    j = second.end - second.start - 1
    for block in range(last_block, -1, -1):
        if i < 0:
            break
        base = block * step
        _copy(space.checkpoints, block, vector, n_words)
        for k in range(base, j + 1):
            _advance(places, vector, n_words, second.symbols[second.start + k])
            _keep(vector, columns, k - base, n_words)
        while i >= 0 and j >= base:
            if first.symbols[first.start + i] == second.symbols[second.start + j]:
                partner[i] = second.start + j
                i -= 1
                j -= 1
            elif (columns[j - base, i >> 6] >> np.uint64(i & 63)) & _ONE == _ZERO:
                j -= 1
            else:
                i -= 1


@lean_kernel
def write_partners(
    places: Places, first: Integers, second: Integers, space: Space, partner: Integers
) -> None:
    """Write the partner of each symbol of *first* in an LCS, or -1, to *partner*, int64[m].

    Neither sequence is empty.
    """
    for i in range(len(first)):
        partner[i] = -1
    _partners(places, Run(first, 0, len(first)), Run(second, 0, len(second)), space, partner)


@part
def _begin_line(places: Places, line: Run, partner: Integers, n_of: Integers) -> None:
    """Put the symbols of a line of the gold text into *places*; *n_of*: all 0, is left so."""
    n = line.end - line.start
    for i in range(n):
        symbol = line.symbols[line.start + i]
        places.before[i] = places.head[symbol]
        places.head[symbol] = i
        partner[i] = -1
        n_of[symbol] += 1
    n_words = (n + 63) >> 6
    n_rows = 0
    for i in range(n):
        symbol = line.symbols[line.start + i]
        if n_of[symbol] > n_words and places.row_of[symbol] < 0:
            places.row_of[symbol] = n_rows
            for word in range(n_words):
                places.rows[n_rows, word] = _ZERO
            n_rows += 1
        row = places.row_of[symbol]
        if row >= 0:
            places.rows[row, i >> 6] |= _ONE << np.uint64(i & 63)
    for i in range(n):
        n_of[line.symbols[line.start + i]] = 0


@part
def _has_common(places: Places, line: Run) -> bool:
    j = line.start
    while j < line.end and places.head[line.symbols[j]] < 0:
        j += 1
    return j < line.end


@part
def _end_line(places: Places, line: Run, partner: Integers, left: Integers, repeats: int) -> int:
    """Count the hits of a line of the gold text, and take its symbols out of *places*."""
    hits = 0
    for i in range(line.end - line.start):
        symbol = line.symbols[line.start + i]
        places.head[symbol] = -1
        places.row_of[symbol] = -1
        if partner[i] >= 0:
            found = min(left[0, symbol], left[1, symbol], repeats)
            left[0, symbol] -= found
            left[1, symbol] -= found
            hits += found
    return hits


@lean_kernel
def union_hits(
    gold: Lines, extracted: Lines, places: Places, space: Space, partner: Integers, left: Integers
) -> int:
    """Count the hits of ROUGE-LSum.

    *places*: without any, with rows for 64 symbols; *partner*: int64 of the longest gold line, of any
    content; *left*: int64[3, k], how often each symbol stands in either text, and 0, which is changed.
    """
    hits = 0
    gold_start = 0
    for gold_line in range(len(gold.ends)):
        line = Run(gold.symbols, gold_start, gold.ends[gold_line])
        gold_start = line.end
        _begin_line(places, line, partner, left[2])
        start = 0
        for extracted_line in range(len(extracted.ends)):
            other = Run(extracted.symbols, start, extracted.ends[extracted_line])
            start = other.end
            if _has_common(places, other):
                _partners(places, line, other, space, partner)
        hits += _end_line(places, line, partner, left, gold.repeats[gold_line])
    return hits
