"""Prints of a pagelet's content, most of which stay as they are when a little of it changes.

With S the set of the sequences of `WORDS` words of a pagelet (one of all its words where it has fewer), and
pi_1, pi_2, … permutations of their hashes, print i is a hash of `MINIMA` numbers::

    min pi_j(S),   j = MINIMA i + 1 … MINIMA (i + 1)

Two pagelets of resemblance r = |A & B| / |A | B| have a given print in common with probability
r^MINIMA, and one of all `PRINTS` with 1 - (1 - r^MINIMA)^PRINTS: .99 at r = .9, .42 at .6, .03 at .3.

*Source:* Bar-Yossef and Rajagopalan 2002, section 3.2: the pagelets of a template are almost alike, and
what they have in common is a shingle, "a text fingerprint that is invariant under small
perturbations", of Broder, Glassman, Manasse and Zweig 1997, whose supershingles these are. Neither
the number of words nor of minima is given there; the former is small as pagelets are.

Of a whole page it is one print, of `PAGE_MINIMA` minima of sequences of `PAGE_WORDS` words: pages that
have it in common, .75 of those of r = .98 and .23 at .9, are duplicates (section 3.2, figure 4, step 1).
With fewer minima those would be that share a large menu.

Cost: O(PRINTS MINIMA n) for n words, a few kilobytes of memory. Invariant: prints do not depend on
how often a sequence stands there, nor on the order of sequences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import xxhash

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    UInt64s = npt.NDArray[np.uint64]

WORDS = 4
MINIMA = 4
PRINTS = 4
PAGE_WORDS = 10
PAGE_MINIMA = 14
# odd: its powers tell the places of a sequence apart
_BASE = np.uint64(0x9E3779B97F4A7C15)
_SEED = 2002
_CHUNK = 4096
_RNG = np.random.Generator(np.random.PCG64(_SEED))
_FACTORS, _TERMS = _RNG.integers(0, 2**64, size=(2, PRINTS * MINIMA, 1), dtype=np.uint64)
_FACTORS |= np.uint64(1)


def word_hashes(words: Iterable[str]) -> UInt64s:
    """Return a hash of each of *words*."""
    hashes = [xxhash.xxh3_64_intdigest(word.encode("utf-8", "replace")) for word in words]
    return np.array(hashes, dtype=np.uint64)


def shingle_prints(words: UInt64s) -> UInt64s:
    """Return the `PRINTS` prints of a content of these *words*, hashes of one or more.

    >>> a, b = (shingle_prints(word_hashes(text.split())) for text in ("a b c", "a b c"))
    >>> bool((a == b).all())
    True
    """
    return _prints(words, WORDS, MINIMA, PRINTS)


def page_print(words: UInt64s) -> int:
    """Return the print of a page of these *words*, hashes of one or more."""
    return int(_prints(words, PAGE_WORDS, PAGE_MINIMA, 1)[0])


def _prints(words: UInt64s, most_words: int, n_minima: int, n_prints: int) -> UInt64s:
    """Return *n_prints* prints, of *n_minima* minima of sequences of *most_words* words."""
    width = min(most_words, len(words))
    n = len(words) - width + 1
    shingles = np.zeros(n, dtype=np.uint64)
    for place in range(width):
        shingles = shingles * _BASE + words[place : place + n]
    # of a product modulo 2^64 the low bits depend on low bits alone
    shingles ^= shingles >> np.uint64(32)
    n_all = n_prints * n_minima
    least = np.full(n_all, np.iinfo(np.uint64).max, dtype=np.uint64)
    for start in range(0, n, _CHUNK):
        permuted = _FACTORS[:n_all] * shingles[start : start + _CHUNK] + _TERMS[:n_all]
        np.minimum(least, permuted.min(axis=1), out=least)
    prints = [
        xxhash.xxh3_64_intdigest(minima.tobytes(), seed=number)
        for number, minima in enumerate(least.reshape(n_prints, n_minima))
    ]
    return np.array(prints, dtype=np.uint64)
