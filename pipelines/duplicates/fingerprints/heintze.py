"""Heintze's fingerprints of 100 substrings: those of the lowest hashes, and those that begin rarest.

* *lowest*: the 100 lowest hashes of all substrings of k characters, all of them if there are fewer.
* *rarest*: the 100 substrings whose first five letters are rarest in the collection, which takes a
  first pass over it (:class:`PrefixCounts`); ties go to the lower hash.

*Source:* Heintze 1996, sections 3 and 4; Pomikálek 2011, 3.2.4. k is not published: 30 characters,
about five words. Substrings are of the text's letters, lower-cased, without anything else.

Shapes: fingerprints ``uint64[at most 100]``, ascending, each once. Memory of the counts: 8 bytes
times 2^22, whatever the collection; five letters of scripts other than a-z share counters by hash.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.page.words import alpha_words
from pipelines.duplicates.fingerprints.rolling import code_points, window_hashes

if TYPE_CHECKING:
    import numpy.typing as npt

    U64 = npt.NDArray[np.uint64]

N_SUBSTRINGS = 100
SUBSTRING_CHARS = 30
PREFIX_LETTERS = 5
_COUNTER_BITS = 22


def lowest_hashes(text: str, *, k: int = SUBSTRING_CHARS, size: int = N_SUBSTRINGS) -> U64:
    """Return the *size* lowest hashes of the substrings of *k* letters of *text*."""
    hashes = np.unique(window_hashes(_letters(text), k))
    return hashes[:size]


class PrefixCounts:
    """How often each five letters begin a substring, over a collection of texts."""

    def __init__(self) -> None:
        self.counts: npt.NDArray[np.int64] = np.zeros(2**_COUNTER_BITS, dtype=np.int64)

    def add(self, text: str) -> None:
        """Count the five letters at each place of *text*."""
        np.add.at(self.counts, _prefixes(_letters(text)), 1)

    def rarest(self, text: str, *, k: int = SUBSTRING_CHARS, size: int = N_SUBSTRINGS) -> U64:
        """Return the hashes of the *size* substrings of *k* letters that begin rarest."""
        letters = _letters(text)
        hashes, first = np.unique(window_hashes(letters, k), return_index=True)
        if not hashes.size:
            return hashes
        frequency = self.counts[_prefixes(letters)[first]]
        kept: U64 = np.sort(hashes[np.lexsort((hashes, frequency))[:size]])
        return kept


def _letters(text: str) -> npt.NDArray[np.uint32]:
    return code_points("".join(alpha_words(text.lower())).replace("-", ""))


def _prefixes(letters: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
    shifted = window_hashes(letters, PREFIX_LETTERS) >> np.uint64(64 - _COUNTER_BITS)
    return shifted.astype(np.int64)
