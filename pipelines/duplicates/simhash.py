"""Charikar's simhash of a text: 64 bits, close for texts that share most word 3-grams.

Features are the word 3-grams of the text, words being those of
`crawler.page.words.density_tokens` of the lower-cased text, joined by one space; a text of one or
two words has one feature, all of it. The weight of a feature is its number of occurrences. With
h(f) the xxh3-64 of the feature's UTF-8, bit j of the value is 1 when

    sum of the weights of the features with bit j of h(f) set  >  half of the sum of all weights.

*Source:* Charikar 2002, section 3; Manku, Jain, Das Sarma 2007, section 2. Deviations: hash bits
stand for the random vectors; a tie is 0, as in the PyPI package `simhash`, where Charikar's sign
makes it 1. The value of a text without words is 0, as there.

Shapes: ``hashes: uint64[g]``. Cost: linear in the words. Invariant: equal to
``simhash.Simhash(features, hashfunc=xxhash.xxh3_64_intdigest).value``, where `features` may be the
list with repetitions, a list of (feature, weight) or a dict; the order does not matter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel
from pipelines.duplicates.ngram_hashes import text_ngram_hashes

if TYPE_CHECKING:
    import numpy.typing as npt

N_BITS = 64

# Manku 2007 and the issue that set it: 3-grams keep word order, and stay common to near-duplicates
NGRAM_WORDS = 3


def simhash(text: str) -> int:
    """Return the simhash of *text*, 0 to 2^64 - 1; 0 for a text without words."""
    return simhash_of_hashes(text_ngram_hashes(text, NGRAM_WORDS))


def simhash_of_hashes(hashes: npt.NDArray[np.uint64]) -> int:
    """Return the bitwise majority of *hashes*, each occurrence of a feature counted."""
    return int(_majority(hashes, np.zeros(N_BITS, dtype=np.uint64)))


@lean_kernel
def _majority(hashes: npt.NDArray[np.uint64], n_set: npt.NDArray[np.uint64]) -> np.uint64:
    one = np.uint64(1)
    for i in range(hashes.size):
        # this order of loops becomes vector instructions
        for bit in range(N_BITS):
            n_set[bit] += (hashes[i] >> np.uint64(bit)) & one
    value = np.uint64(0)
    for bit in range(N_BITS):
        if 2 * np.int64(n_set[bit]) > hashes.size:
            value |= one << np.uint64(bit)
    return value
