"""Simhash by the features that it may be made of, as scores of pairs.

*Features*: word n-grams, with or without words of a stop list; n-grams of characters, spaces
collapsed. *Weights*: the number of occurrences, or that times the logarithm of (1 + N / df), N texts
of the collection and df of them with the feature, which an index that grows with a crawl cannot have.

*Source:* Charikar 2002, section 3; Manku, Jain, Das Sarma 2007, section 2, whose distance 3 is the
default. Weighted majorities are exact in float64 for fewer than 2^53 occurrences.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.words import density_tokens
from pipelines.duplicates.fingerprints.rolling import code_points, window_hashes
from pipelines.duplicates.ngram_hashes import ngram_hashes, text_ngram_hashes
from pipelines.duplicates.simhash import N_BITS, simhash_of_hashes
from pipelines.evaluation.duplicates.method import Method
from pipelines.evaluation.duplicates.pair_scores import equal_bits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy.typing as npt

    from pipelines.evaluation.duplicates.method import F64, I64, PairScores

    U64 = npt.NDArray[np.uint64]
    Features = Callable[[str], U64]

# Manku, Jain, Das Sarma 2007, section 3: of 64 bits.
PUBLISHED_DISTANCE = 3
_DEFAULT = 1 - PUBLISHED_DISTANCE / N_BITS
# The words that stand in the most texts, of which each text's features are freed.
N_STOP_WORDS = 100


def simhash_methods() -> Iterator[Method]:
    """Yield simhash in all settings."""
    for n in (1, 2, 3, 5):
        yield Method("simhash", f"words n={n}", _DEFAULT, _counted(_word_ngrams(n)))
    for n in (4, 8, 16):
        yield Method("simhash", f"characters n={n}", _DEFAULT, _counted(_character_ngrams(n)))
    for n in (1, 2, 3):
        yield Method("simhash", f"words n={n} once", _DEFAULT, _counted(_once(_word_ngrams(n))))
    for n in (1, 2, 3):
        yield Method("simhash", f"words n={n} tf-idf", _DEFAULT, _tf_idf(_word_ngrams(n)))
    for n in (1, 2):
        yield Method("simhash", f"words n={n} no stop words", _DEFAULT, _without_stop_words(n))


def _word_ngrams(n: int) -> Features:
    return lambda text: text_ngram_hashes(text, n)


def _character_ngrams(n: int) -> Features:
    return lambda text: window_hashes(code_points(" ".join(text.lower().split())), n)


def _once(features: Features) -> Features:
    return lambda text: np.unique(features(text))


def _counted(features: Features) -> PairScores:
    def scores(texts: Sequence[str], pairs: I64) -> F64:
        values = [simhash_of_hashes(features(text)) for text in texts]
        return equal_bits(np.array(values, dtype=np.uint64), pairs)

    return scores


def _tf_idf(features: Features) -> PairScores:
    def scores(texts: Sequence[str], pairs: I64) -> F64:
        counted = [np.unique(features(text), return_counts=True) for text in texts]
        vocabulary, df = np.unique(
            np.concatenate([hashes for hashes, _ in counted]), return_counts=True
        )
        idf: F64 = np.log1p(len(texts) / df)
        values = []
        for hashes, counts in counted:
            weights: F64 = counts * idf[np.searchsorted(vocabulary, hashes)]
            values.append(weighted_simhash(hashes, weights))
        return equal_bits(np.array(values, dtype=np.uint64), pairs)

    return scores


def weighted_simhash(hashes: U64, weights: F64) -> int:
    """Return the value whose bits are set where more than half of the weight sets them."""
    bits = np.unpackbits(hashes.view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
    majority = weights @ bits > weights.sum() / 2
    return int(np.packbits(majority, bitorder="little").view(np.uint64)[0])


def _without_stop_words(n: int) -> PairScores:
    def scores(texts: Sequence[str], pairs: I64) -> F64:
        words = [density_tokens(text.lower()) for text in texts]
        df = Counter(word for each in words for word in set(each))
        stop = {word for word, _ in sorted(df.items(), key=lambda x: (-x[1], x[0]))[:N_STOP_WORDS]}
        values = [
            simhash_of_hashes(ngram_hashes([word for word in each if word not in stop], n))
            for each in words
        ]
        return equal_bits(np.array(values, dtype=np.uint64), pairs)

    return scores
