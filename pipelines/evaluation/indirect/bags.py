"""Bags of words of texts, as sparse rows: counts, and the lengths-free weights that are clustered.

::

    weight of word w in text d = tf(w, d) log(n / df(w)),  each row divided by its Euclidean length

n texts, df of them with w. Words are `evaluation_words`. Shapes: one row a text, one column a word, columns in the
order of the words. Of a text without words, or of words that all texts have, the row is 0.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from crawler.page.words import evaluation_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    Rows = sparse.csr_array


def word_counts(texts: Sequence[str]) -> Rows:
    """Return how often each text has each word, float64[n, words].

    >>> word_counts(["b a b", "a", ""]).toarray().tolist()
    [[1.0, 2.0], [1.0, 0.0], [0.0, 0.0]]
    """
    bags = [Counter(evaluation_words(text)) for text in texts]
    column = {word: place for place, word in enumerate(sorted(set().union(*bags)))}
    ends = np.cumsum([0, *map(len, bags)])
    columns = np.array([column[word] for bag in bags for word in bag], np.int64)
    counts = np.array([n for bag in bags for n in bag.values()], np.float64)
    rows = sparse.csr_array((counts, columns, ends), shape=(len(bags), len(column)))
    rows.sort_indices()
    return rows


def tf_idf(counts: Rows) -> Rows:
    """Return the weights of *counts*."""
    n_with = np.bincount(counts.indices, minlength=counts.shape[1])
    weights = counts * np.log(counts.shape[0] / np.maximum(n_with, 1))[None, :]
    lengths = np.sqrt(np.asarray((weights * weights).sum(axis=1)))
    return sparse.csr_array(weights * (1 / np.where(lengths > 0, lengths, 1))[:, None])
