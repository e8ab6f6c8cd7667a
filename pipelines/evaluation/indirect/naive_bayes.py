"""Multinomial naive Bayes, and its judgement of texts by cross-validation.

With n(w, c) the occurrences of word w in the training texts of category c, and V words in all of them::

    score of c for d = log(share of c among the training texts) + sum over w of tf(w, d) log((n(w, c) + 1) / (n(c) + V))

Words that no training text has count nothing. Of equal scores the first category. *Source: Gottron 2008, section 5.1
(Yi, Liu, Li 2003 had a naive Bayes classifier; of which kind is not told); Laplace's rule for what was not seen.* Cost:
O(words of all texts) a fold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    import numpy.typing as npt

    I64 = npt.NDArray[np.int64]
    F64 = npt.NDArray[np.float64]


def stratified_folds(label: I64, n_folds: int, seed: int) -> I64:
    """Return the fold of each text, int64[n]: of each category as many in one fold as in another, but for one.

    Raises ValueError for fewer than two folds.
    """
    if n_folds < 2:
        raise ValueError(f"n_folds must be at least 2, got {n_folds}")
    rng = np.random.default_rng(seed)
    fold = np.empty(len(label), np.int64)
    n_dealt = 0
    for category in np.unique(label):
        members = rng.permutation(np.flatnonzero(label == category))
        # Each category goes on where the last one ended, so that folds are of one size, too.
        fold[members] = (n_dealt + np.arange(len(members))) % n_folds
        n_dealt += len(members)
    return fold


def judged_by_folds(counts: sparse.csr_array, label: I64, fold: I64) -> I64:
    """Return the category that each text is taken for, int64[n], by what the texts of the other folds say.

    *label* are numbers from 0 on. A category that the other folds have not is never chosen.
    """
    answer = np.zeros(len(label), np.int64)
    for number in np.unique(fold):
        is_judged = fold == number
        answer[is_judged] = _judged(counts[~is_judged], label[~is_judged], counts[is_judged])
    return answer


def _judged(known: sparse.csr_array, label: I64, asked: sparse.csr_array) -> I64:
    n_categories = int(label.max(initial=0)) + 1
    shares = np.bincount(label, minlength=n_categories) / len(label)
    is_in = sparse.csr_array(
        (np.ones(len(label)), (label, np.arange(len(label)))), (n_categories, len(label))
    )
    occurrences: F64 = (is_in @ known).toarray()
    is_known = occurrences.sum(axis=0) > 0
    totals = occurrences.sum(axis=1, keepdims=True) + is_known.sum()
    weights = np.where(is_known, np.log((occurrences + 1) / np.maximum(totals, 1)), 0.0)
    with np.errstate(divide="ignore"):
        scores: F64 = asked @ weights.T + np.log(shares)
    return np.asarray(scores.argmax(axis=1), np.int64)
