"""Pomikálek's removal of duplicates: a text is dropped for the words of it that were kept elsewhere.

Algorithm 3.1. G2+ are the n-grams that occur twice or more in the collection, Gout those of them
that a kept text has::

    Gout = {}
    for each text D:
        I = the words of D that stand in an n-gram of D that is in Gout
        if |I| / |D| < t: keep D, and move its n-grams of G2+ to Gout

A text of no words, and one of fewer than n, has nothing in common with any and is kept. What stands
twice in one text only does not count against it. *The printed promise, that no kept text shares more
than t with the others that are kept, holds for earlier ones only: A, ten words, then B, which holds A
and ninety more, are both kept.*

The order decides (section 3.5): :func:`by_duplicate_share` sorts texts by the share of their
n-grams that are in G2+, so that cleaner texts come first and articles before the pages that quote
them; ties keep the order given.

The two naive filters that the thesis compares: :func:`keep_new` (a text is dropped when more than
t of its *n-grams* were seen in a kept one) and :func:`keep_unique` (when more than t are in G2+: it
loses every copy).

*Source:* Pomikálek 2011, 3.5, algorithm 3.1. Stated choices: n-grams are words' after whatever tokens
were left out; coverage of exactly t drops the text (``<`` as in the algorithm; the prose says more
than t), ``inclusive`` keeps it.

Shapes: ``hashes: uint64[g]`` are the n-grams of one text in order, at least one, fewer n-grams than
words by n - 1; ``duplicates: uint64[m]``, ascending. Memory: 8 bytes an n-gram of G2+, one bit for
where it is, and at most half a byte to find it. Invariant: |Gout| + |G2+| is constant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel, read_only

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy.typing as npt

    U64 = npt.NDArray[np.uint64]
    I64 = npt.NDArray[np.int64]
    U8 = npt.NDArray[np.uint8]

# Pomikálek 2011, 3.6.4: 0.5, 0.25 and 0.1 were tried; onion's default is the first.
MAX_COVERAGE = 0.5
NGRAM_WORDS = 10
# Hashes with one beginning, of which one search takes the rest: a few lines of the processor's cache.
_BUCKET = 32


class DuplicateNgrams:
    """G2+ and Gout: a sorted array, and one bit an n-gram for which of the two it is in.

    Raises ValueError for *duplicates* that are not ascending.
    """

    def __init__(self, duplicates: U64):
        self.duplicates = read_only(duplicates)
        if not _is_ascending(self.duplicates):
            raise ValueError("duplicates must be ascending, each once")
        self.is_out = no_bits(len(duplicates))
        n_bits = max((len(duplicates) // _BUCKET).bit_length(), 1)
        self._shift = np.uint64(64 - n_bits)
        lowest = np.arange(2**n_bits, dtype=np.uint64) << self._shift
        self._starts = np.append(np.searchsorted(duplicates, lowest), len(duplicates))

    def places(self, hashes: U64) -> I64:
        """Return the place of each of *hashes* in the array, -1 for those that are no duplicates."""
        places = np.empty(len(hashes), dtype=np.int64)
        _find(hashes, self.duplicates, self._starts, self._shift, places)
        return places

    def coverage(self, places: I64, n: int, n_words: int) -> float:
        """Return the share of *n_words* words that stand in an *n*-gram of Gout."""
        return int(_n_covered(places, self.is_out, n)) / n_words if n_words else 0.0

    def move(self, places: I64) -> None:
        """Move the n-grams of a kept text to Gout."""
        _set_bits(places, self.is_out)


def no_bits(n: int) -> U8:
    """Return room for a bit of each of *n* n-grams, none of them set: uint8[n // 8 + 1]."""
    return np.zeros(n // 8 + 1, dtype=np.uint8)


def is_kept(coverage: float, t: float, *, inclusive: bool = False) -> bool:
    """Tell whether a text of that *coverage* stays at threshold *t*."""
    return coverage < t or (inclusive and coverage == t)


def remove_duplicates(
    texts: Iterable[U64],
    ngrams: DuplicateNgrams,
    *,
    n: int = NGRAM_WORDS,
    t: float = MAX_COVERAGE,
    inclusive: bool = False,
) -> Iterator[bool]:
    """Yield for each of *texts*, given by its n-grams, whether it is kept (algorithm 3.1)."""
    for hashes in texts:
        places = ngrams.places(hashes)
        n_words = len(hashes) + n - 1 if len(hashes) else 0
        kept = is_kept(ngrams.coverage(places, n, n_words), t, inclusive=inclusive)
        if kept:
            ngrams.move(places)
        yield kept


def duplicate_share(hashes: U64, ngrams: DuplicateNgrams) -> float:
    """Return the share of the n-grams of a text that are in G2+ or Gout, 0 for a text of none."""
    return float((ngrams.places(hashes) >= 0).mean()) if len(hashes) else 0.0


def by_duplicate_share(shares: Sequence[float] | npt.NDArray[np.float64]) -> I64:
    """Return the order of the thesis: ascending shares, ties as they are given."""
    return np.argsort(np.asarray(shares, dtype=np.float64), kind="stable")


def keep_new(texts: Iterable[U64], *, t: float = MAX_COVERAGE) -> Iterator[bool]:
    """Yield whether at most *t* of the n-grams of a text were seen in one that was kept.

    Memory: a set of all n-grams of what is kept. *Source:* Pomikálek 2011, 3.5, first filter.
    """
    seen: set[int] = set()
    for hashes in texts:
        ngrams = hashes.tolist()
        n_seen = sum(ngram in seen for ngram in ngrams)
        kept = not n_seen or n_seen / len(ngrams) <= t
        if kept:
            seen.update(ngrams)
        yield kept


def keep_unique(
    texts: Iterable[U64], ngrams: DuplicateNgrams, *, t: float = MAX_COVERAGE
) -> Iterator[bool]:
    """Yield whether at most *t* of the n-grams of a text are duplicates: no copy is kept.

    *Source:* Pomikálek 2011, 3.5, second filter.
    """
    for hashes in texts:
        yield duplicate_share(hashes, ngrams) <= t


@lean_kernel
def _is_ascending(values: U64) -> bool:
    n_ascending = 0
    for i in range(1, values.size):
        n_ascending += values[i] > values[i - 1]
    return n_ascending >= values.size - 1


@lean_kernel
def _find(hashes: U64, duplicates: U64, starts: I64, shift: np.uint64, places: I64) -> None:
    for i in range(hashes.size):
        value = hashes[i]
        bucket = value >> shift
        place, end = starts[bucket], starts[bucket + np.uint64(1)]
        last = end
        while place < end:
            middle = (place + end) >> 1
            if duplicates[middle] < value:
                place = middle + 1
            else:
                end = middle
        places[i] = place if place < last and duplicates[place] == value else -1


@lean_kernel
def _set_bits(places: I64, bits: U8) -> None:
    for place in places:
        if place >= 0:
            bits[place >> 3] |= np.uint8(1 << (place & 7))


@lean_kernel
def _n_covered(places: I64, is_out: U8, n: int) -> int:
    n_covered = end = 0
    for i in range(places.size):
        if places[i] >= 0 and is_out[places[i] >> 3] >> (places[i] & 7) & 1:
            n_covered += i + n - max(i, end)
            end = i + n
    return n_covered
