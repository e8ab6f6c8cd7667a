"""4-gram shingle F1: the bags of runs of four words.

A text of n words has n - 3 shingles; one of 1 to 3 words has one, all of them. P and R are those of
the bags, page by page. The benchmark then takes the mean precision of the pages with something
extracted, the mean recall of those with a gold text, and the F1 of the two means
(:func:`benchmark_scores`), which is not the mean of F1.
*Source: Zyte's article extraction benchmark, 2019.* Our words are lower-cased, its are not; and each
character of a script without spaces is a word, while it takes a run of them as one.
Cost: linear. Invariant: a shingle that one text has k times more than the other is wrong k times.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from pipelines.evaluation.gold import Scores
from pipelines.evaluation.measures.counts import Counts, f_beta
from pipelines.evaluation.measures.token_f1 import compared_words

if TYPE_CHECKING:
    import numpy.typing as npt

SHINGLE_WORDS = 4


def shingle_f1(extracted: str, gold: str) -> Scores:
    """Return the scores of the bags of shingles of two texts.

    >>> shingle_f1("a b c d e", "a b c d").precision
    0.5
    """
    return shingle_counts(extracted, gold).scores


def shingle_counts(extracted: str, gold: str) -> Counts:
    """Return the counts of the bags of shingles of two texts."""
    ours, theirs = _shingles(extracted), _shingles(gold)
    return Counts((ours & theirs).total(), ours.total(), theirs.total())


def benchmark_scores(counts: npt.ArrayLike) -> Scores:
    """Return the benchmark's scores of pages, `Counts` or float64[n, 3]; 0 where no page counts.

    >>> benchmark_scores([Counts(1, 2, 4), Counts(0, 0, 4)])[:2]
    (0.5, 0.125)
    """
    found, n_extracted, n_gold = np.asarray(counts, np.float64).reshape(-1, 3).T
    precision, recall = (
        float(np.mean(found[n > 0] / n[n > 0])) if n.any() else 0.0 for n in (n_extracted, n_gold)
    )
    return Scores(precision, recall, f_beta(precision, recall))


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    words = compared_words(text)
    if 0 < len(words) < SHINGLE_WORDS:
        return Counter([tuple(words)])
    return Counter(zip(*(words[k:] for k in range(SHINGLE_WORDS)), strict=False))
