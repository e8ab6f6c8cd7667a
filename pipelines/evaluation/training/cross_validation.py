"""Cross-validation of classifiers of blocks, by page or by site, and the scores of a table.

The groups (pages, or sites) are dealt to the folds in an order drawn by a seed, so that no block is judged by
a classifier that saw its neighbours. Scores are made of all blocks at once, each once judged, and
weighted by words. With w(c) the weight of class c, and P, R, F1, FP and AUC those of c against the rest,
a score is the mean of the classes by w(c), as Weka prints it::

    FP(c) = weight of others taken for c / weight of others
    AUC(c) = chance that a random word of c has a higher score than one of the others, ties half

*Source: Kohlschütter 2011, section 4.4.3 and table 4.9*: ten folds, scores "normalized based on the number
of words in a block". The text does not say what the folds are made of; by block, context leaks.
Cost: that of the classifier for each fold, and O(n log n).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipelines.evaluation.training.classifiers import weighed

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from pipelines.evaluation.training.classifiers import Classifier, Instances

N_FOLDS = 10


class ClassScores(NamedTuple):
    """Means over the classes, each 0 to 1."""

    precision: float
    recall: float
    f1: float
    false_positives: float
    auc: float


def cross_validated(
    make: Callable[[], Classifier], instances: Instances, *, n_folds: int = N_FOLDS, seed: int = 0
) -> ClassScores:
    """Return the scores of the classifiers that *make* gives, each taught *n_folds* - 1 folds.

    Raises ValueError when there are fewer groups than two.
    """
    fold = folds(instances.group, n_folds, seed)
    scores = np.zeros((len(instances.label), instances.n_classes))
    for number in range(int(fold.max(initial=0)) + 1):
        classifier = make()
        classifier.fit(instances.taken(fold != number))
        scores[fold == number] = classifier.scores(instances.features[fold == number])
    return class_scores(scores, instances)


def folds(group: npt.NDArray[np.int64], n_folds: int, seed: int) -> npt.NDArray[np.int64]:
    """Return the fold of each instance: int64[n], each group in one fold, no fold empty."""
    groups, member = np.unique(group, return_inverse=True)
    if len(groups) < 2 or n_folds < 2:
        raise ValueError(f"need 2 groups and 2 folds at least, got {len(groups)} and {n_folds}")
    drawn = np.random.default_rng(seed).permutation(len(groups))
    dealt = np.empty(len(groups), dtype=np.int64)
    dealt[drawn] = np.arange(len(groups)) % n_folds
    return dealt[member]


def class_scores(scores: npt.NDArray[np.float64], instances: Instances) -> ClassScores:
    """Return the means over the classes of what *scores*, float64[n, k], are worth."""
    k = instances.n_classes
    answer = scores.argmax(axis=1)
    confusion = weighed(instances.label * k + answer, instances.weight, k * k).reshape(k, k)
    of_class, answered, right = confusion.sum(axis=1), confusion.sum(axis=0), confusion.diagonal()
    others = of_class.sum() - of_class
    precision = _quotient(right, answered)
    recall = _quotient(right, of_class)
    auc = [
        weighted_auc(scores[:, number], instances.label == number, instances.weight)
        for number in range(k)
    ]
    columns = (
        precision,
        recall,
        _quotient(2 * precision * recall, precision + recall),
        _quotient(answered - right, others),
        np.array(auc),
    )
    share = of_class / of_class.sum()
    return ClassScores(*(float(column @ share) for column in columns))


def weighted_auc(
    score: npt.NDArray[np.float64], is_such: npt.NDArray[np.bool_], weight: npt.NDArray[np.float64]
) -> float:
    """Return the chance that *score* puts one that *is_such* above one that is not; ties are half.

    .5 when there is nothing to compare.

    >>> weighted_auc(np.array([.9, .5, .5]), np.array([True, True, False]), np.array([1., 3., 1.]))
    0.625
    """
    _, rank = np.unique(score, return_inverse=True)
    n_ranks = int(rank.max(initial=-1)) + 1
    such = weighed(rank, weight * is_such, n_ranks)
    other = weighed(rank, weight * ~is_such, n_ranks)
    pairs = such.sum() * other.sum()
    if not pairs:
        return 0.5
    below = np.cumsum(other) - other
    return float((such * (below + other / 2)).sum() / pairs)


def _quotient(of: npt.NDArray[np.float64], by: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.divide(of, by, out=np.zeros_like(of), where=by > 0)
