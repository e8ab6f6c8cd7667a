"""onion's removal of duplicate paragraphs: a paragraph goes for the words it has in known n-grams.

The paragraphs of each document are judged in order. A word is *covered* when it stands in an n-gram
that occurred before: in a paragraph of an earlier document that was kept, in a paragraph before it
that passed, or earlier in the paragraph itself. A paragraph of which more than t of the words are
covered is a duplicate. *Smoothing* then removes stubs: kept paragraphs between two duplicates that
have at most *max_stub* words together. Of a document only the n-grams of what is kept become known.

The n-grams run across the paragraphs of a document and never across documents; one belongs to the
paragraph that it begins in, and covers words of both. Against Algorithm 3.1
(:mod:`pipelines.duplicates.removal`): repeats within a document count, the threshold must be
exceeded, all n-grams of a document count and not only those of good blocks.

*Source:* the manual and the usage text of the released onion 1.2 (Pomikálek 2011), which name the
options; the thesis, 3.5. Stated choices, where they are silent: what a paragraph that failed had new
is forgotten at once, so that it can be kept further down; stubs at the ends of a document stay.

Shapes: ``ngrams: uint64[g]``, those of a document in order, by
:func:`pipelines.duplicates.ngram_partitions.ngrams_of_documents`; ``bounds: int64[p + 1]``, the first
word of each paragraph; result ``bool[p]``. Memory: 9 bytes an n-gram that occurs twice or more in
the collection. Invariant: n-grams become known by paragraphs that are kept, and by no others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel
from pipelines.duplicates.removal import DuplicateNgrams

if TYPE_CHECKING:
    import numpy.typing as npt

    Bools = npt.NDArray[np.bool_]
    I64 = npt.NDArray[np.int64]
    U8 = npt.NDArray[np.uint8]
    U64 = npt.NDArray[np.uint64]

# The defaults of the released tool.
NGRAM_WORDS = 5
MAX_COVERAGE = 0.5
MAX_STUB_WORDS = 20
_UNKNOWN, _KNOWN, _PASSED, _TRIED = 0, 1, 2, 3


class OnionParagraphs:
    """Judges the paragraphs of documents, in the order in which these are given.

    *duplicates* are the n-grams that occur twice or more, ascending. Raises ValueError for others,
    for *n* below 1, *t* outside 0 to 1, and *max_stub* below 0; 0 is no smoothing.
    """

    def __init__(
        self,
        duplicates: U64,
        *,
        n: int = NGRAM_WORDS,
        t: float = MAX_COVERAGE,
        max_stub: int = MAX_STUB_WORDS,
    ):
        if n < 1:
            raise ValueError(f"n must be at least 1, got {n}")
        if not 0 <= t <= 1:
            raise ValueError(f"t must be between 0 and 1, got {t}")
        if max_stub < 0:
            raise ValueError(f"max_stub must be at least 0, got {max_stub}")
        self.n = n
        self.t = t
        self.max_stub = max_stub
        self._ngrams = DuplicateNgrams(duplicates)
        self._states: U8 = np.zeros(len(duplicates), dtype=np.uint8)

    def judge(self, ngrams: U64, bounds: I64) -> Bools:
        """Return which paragraphs of the next document are duplicates."""
        places = self._ngrams.places(ngrams)
        is_duplicate = np.zeros(len(bounds) - 1, dtype=np.bool_)
        # No n-gram ends beyond the document.
        is_covered = np.zeros(int(bounds[-1]), dtype=np.bool_)
        _judge(places, bounds, self._states, (self.n, self.t), is_covered, is_duplicate)
        if self.max_stub:
            is_duplicate |= stubs(np.diff(bounds), is_duplicate, self.max_stub)
        _commit(places, bounds, self._states, is_duplicate)
        return is_duplicate


def stubs(n_words: I64, is_duplicate: Bools, max_stub: int) -> Bools:
    """Return the paragraphs in runs of kept ones of at most *max_stub* words between duplicates.

    >>> stubs(np.array([9, 3, 4, 9, 2]), np.array([True, False, False, True, False]), 7)
    array([False,  True,  True, False, False])
    """
    found = np.zeros_like(is_duplicate)
    duplicates = np.flatnonzero(is_duplicate)
    for before, after in zip(duplicates[:-1].tolist(), duplicates[1:].tolist(), strict=True):
        if n_words[before + 1 : after].sum() <= max_stub:
            found[before + 1 : after] = True
    return found


@lean_kernel
def _judge(
    places: I64,
    bounds: I64,
    states: U8,
    limits: tuple[int, float],
    is_covered: Bools,
    is_duplicate: Bools,
) -> None:
    n, t = limits
    end = 0
    for paragraph in range(is_duplicate.size):
        first, last = bounds[paragraph], bounds[paragraph + 1]
        for i in range(first, min(last, places.size)):
            if places[i] < 0:
                continue
            if states[places[i]] != _UNKNOWN:
                for word in range(max(i, end), i + n):
                    is_covered[word] = True
                end = i + n
            else:
                states[places[i]] = _TRIED
        n_covered = 0
        for word in range(first, last):
            n_covered += is_covered[word]
        # Divided, as .29 * 100 is a little less than 29.
        is_duplicate[paragraph] = n_covered > 0 and n_covered / (last - first) > t
        for i in range(first, min(last, places.size)):
            if places[i] >= 0 and states[places[i]] == _TRIED:
                states[places[i]] = _UNKNOWN if is_duplicate[paragraph] else _PASSED


@lean_kernel
def _commit(places: I64, bounds: I64, states: U8, is_duplicate: Bools) -> None:
    """Make the n-grams of kept paragraphs known, and forget what else was passed."""
    for kept in (True, False):
        for paragraph in range(is_duplicate.size):
            if is_duplicate[paragraph] == kept:
                continue
            for i in range(bounds[paragraph], min(bounds[paragraph + 1], places.size)):
                if places[i] >= 0 and states[places[i]] == _PASSED:
                    states[places[i]] = _KNOWN if kept else _UNKNOWN
