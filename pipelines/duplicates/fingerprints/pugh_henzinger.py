"""Pugh and Henzinger's fingerprints: the words of a text dealt to lists, a hash of each list.

Two documents are near-duplicates when the hashes of lists of the same place are equal, one or more. A
change of few words spoils few lists. Two forms:

* *partition*: a word goes to list h(w) modulo n;
* *independent*: a word enters list i with the probability p, decided by a hash H_i(w); it may be in
  several, or none. k changed words leave a list as it was with the probability ::

      P(n, p, k) = 1 - (1 - (1 - p)^k)^n

  Longer documents need a smaller p: ``p = min(p, words_a_list / |D|)``, rounded down to a power of
  two so that documents of nearly one length get the same (the law is not published).

*Source:* Pugh and Henzinger 2003 (US patent 6,658,423); Pomikálek 2011, 3.2.3. An empty list
matches none, else all short documents would be alike.

Shapes: ``words``, a sequence in page order; fingerprints ``uint64[n]``, 0 for an empty list.
Cost: O(m + n) and O(m n).
"""

from __future__ import annotations

from math import floor, log2
from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel, part
from pipelines.duplicates.ngram_hashes import ngram_hashes

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    U64 = npt.NDArray[np.uint64]

N_LISTS = 4
# Pomikálek 2011, figure 3.3: one of ten words.
SHARE = 0.1
WORDS_A_LIST = 50
EMPTY = 0
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xFF51AFD7ED558CCD)
_MIX_2 = np.uint64(0xC4CEB9FE1A85EC53)


def partition_lists(words: Sequence[str], n: int = N_LISTS) -> U64:
    """Return the hash of each of *n* lists that the words are divided into."""
    _check_lists(n)
    hashes = ngram_hashes(words, 1)
    lists = np.full(n, EMPTY, dtype=np.uint64)
    _hash_partition(hashes, lists)
    return lists


def independent_lists(
    words: Sequence[str], n: int = N_LISTS, *, p: float = SHARE, words_a_list: int = WORDS_A_LIST
) -> U64:
    """Return the hash of each of *n* lists that a word enters with probability *p* or less.

    Raises ValueError for a *p* that is not above 0 and at most 1.
    """
    _check_lists(n)
    if not 0 < p <= 1:
        raise ValueError(f"p must be above 0 and at most 1, got {p}")
    hashes = ngram_hashes(words, 1)
    lists = np.full(n, EMPTY, dtype=np.uint64)
    if hashes.size:
        fitting = 2.0 ** floor(log2(words_a_list / hashes.size))
        # Of 2^64 values those below the limit.
        limit = np.uint64(min(int(min(p, fitting) * 2**64), 2**64 - 1))
        _hash_independent(hashes, limit, lists)
    return lists


def n_equal_lists(a: U64, b: U64) -> int:
    """Return the number of lists, not empty, that are equal at the same place."""
    return int(((a == b) & (a != EMPTY)).sum())


def equal_list_probability(n: int, p: float, k: int) -> float:
    """Return P(n, p, k).

    >>> round(equal_list_probability(4, 0.1, 10), 4)
    0.82
    """
    return 1 - (1 - (1 - p) ** k) ** n


def _check_lists(n: int) -> None:
    if n < 1:
        raise ValueError(f"n must be at least 1, got {n}")


@part
def _mixed(value: np.uint64) -> np.uint64:
    value = (value ^ (value >> np.uint64(33))) * _MIX_1
    value = (value ^ (value >> np.uint64(33))) * _MIX_2
    return value ^ (value >> np.uint64(33))


@lean_kernel
def _hash_partition(hashes: U64, lists: U64) -> None:
    for i in range(hashes.size):
        place = hashes[i] % np.uint64(lists.size)
        lists[place] = _mixed(lists[place] ^ hashes[i]) + _GOLDEN | np.uint64(1)


@lean_kernel
def _hash_independent(hashes: U64, limit: np.uint64, lists: U64) -> None:
    for i in range(hashes.size):
        for place in range(lists.size):
            if _mixed(hashes[i] + np.uint64(place + 1) * _GOLDEN) <= limit:
                lists[place] = _mixed(lists[place] ^ hashes[i]) + _GOLDEN | np.uint64(1)
