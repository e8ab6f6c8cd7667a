"""I-Match: one digest of the words that are neither too common nor too rare in the collection.

The distinct words of a document whose inverse document frequency lies between two quantiles of the
collection's are sorted and digested; equal digests are near-duplicates. *Randomised* I-Match adds
digests over random parts of the vocabulary, each leaving out a share of its words: documents that
share one of them are near-duplicates.

*Source:* Chowdhury, Frieder, Grossman, McCabe 2002, section 3.2; Kołcz, Chowdhury, Alspector 2004,
section 4. Words are :func:`crawler.page.words.alpha_words`, lower-cased. Which words a random part
leaves out is decided by a hash of the word, and so the same in every run.

Shapes: digests ``uint64[1 + n_random]``, 0 where no word is left; 0 matches none.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import xxhash

from crawler.page.words import alpha_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

# Kołcz 2004, section 5: random parts, ten there, each without a third of the words.
LEFT_OUT = 1 / 3
NOTHING = 0


class IMatch:
    """The lexicon of a collection, and the digests of documents by it.

    Of the collection's distinct words those are taken whose document frequency, by rank, is from
    quantile *low* to quantile *high*. Memory: the vocabulary of the collection.
    """

    def __init__(
        self, documents: Iterable[str], *, low: float = 0.25, high: float = 0.75, n_random: int = 0
    ):
        if not 0 <= low < high <= 1:
            raise ValueError(f"low and high must be 0 <= low < high <= 1, got {low} and {high}")
        frequency: Counter[str] = Counter()
        for text in documents:
            frequency.update(_distinct(text))
        # Words of one document tell nothing of another.
        ranked = sorted((n, word) for word, n in frequency.items() if n > 1)
        self.lexicon = {
            word for _, word in ranked[int(low * len(ranked)) : int(high * len(ranked))]
        }
        self.n_random = n_random

    def digests(self, text: str) -> npt.NDArray[np.uint64]:
        """Return the digest of *text* by the lexicon, and one by each random part of it."""
        words = sorted(_distinct(text) & self.lexicon)
        parts = (
            [word for word in words if not _is_left_out(word, part)]
            for part in range(self.n_random)
        )
        return np.array([_digest(words), *map(_digest, parts)], dtype=np.uint64)


def is_match(a: npt.NDArray[np.uint64], b: npt.NDArray[np.uint64]) -> bool:
    """Tell whether a digest is equal at the same place."""
    return bool(((a == b) & (a != NOTHING)).any())


def _distinct(text: str) -> set[str]:
    return set(alpha_words(text.lower()))


def _digest(words: list[str]) -> int:
    return xxhash.xxh3_64_intdigest(" ".join(words).encode("utf-8")) or 1 if words else NOTHING


def _is_left_out(word: str, part: int) -> bool:
    return xxhash.xxh3_64_intdigest(word.encode("utf-8"), seed=part + 1) < int(LEFT_OUT * 2**64)
