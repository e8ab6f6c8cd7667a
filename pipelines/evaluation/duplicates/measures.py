"""Precision, recall and F1 of scores against judged pairs, at a threshold and at the best one.

A pair is reported when its score is at least the threshold. The *best* threshold is picked on the
pairs that are scored, so its F1 is an upper bound; the *held-out* F1 picks the threshold on half of
the pairs and scores the other half, as a mean over random halves of equal shares of duplicates.

Degenerate: without reported pairs precision is 0; without duplicates recall is 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipelines.evaluation.measures.averages import interval

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    Bools = npt.NDArray[np.bool_]
    F64 = npt.NDArray[np.float64]

N_SPLITS = 100
# Of many pairs fewer halves tell as much.
_PAIRS_IN_ALL = 2_000_000
_MIN_SPLITS = 4
N_SAMPLES = 2000


class Measured(NamedTuple):
    """What pairs of *threshold* or more are worth."""

    threshold: float
    precision: float
    recall: float
    f1: float


class Difference(NamedTuple):
    """A difference of F1, and the interval that holds 95% of the bootstrap's."""

    difference: float
    low: float
    high: float


def at(scores: F64, is_duplicate: Bools, threshold: float) -> Measured:
    """Return what the pairs that score *threshold* or more are worth."""
    reported = scores >= threshold
    n_true = int((reported & is_duplicate).sum())
    return _measured(threshold, n_true, int(reported.sum()), int(is_duplicate.sum()))


def best(scores: F64, is_duplicate: Bools) -> Measured:
    """Return the threshold of the highest F1, the highest of equal ones; 1 without pairs.

    It lies halfway to the next lower score, for the ends of a gap are chance.
    """
    if not len(scores):
        return Measured(1.0, 0.0, 0.0, 0.0)
    values, places = np.unique(-scores, return_inverse=True)
    n_true = np.cumsum(np.bincount(places, weights=is_duplicate))
    n_reported = np.cumsum(np.bincount(places))
    f1 = 2 * n_true / (n_reported + is_duplicate.sum())
    top = int(f1.argmax())
    lower = -values[top + 1] if top + 1 < len(values) else -values[top]
    threshold = float(-values[top] + lower) / 2
    n_found, n_all = int(n_true[top]), int(n_reported[top])
    return _measured(threshold, n_found, n_all, int(is_duplicate.sum()))


def held_out(scores: F64, is_duplicate: Bools, *, seed: int = 0) -> float:
    """Return the mean F1 of halves at the best threshold of the other halves."""
    n_splits = min(max(_PAIRS_IN_ALL // max(len(scores), 1), _MIN_SPLITS), N_SPLITS)
    found = []
    for is_first in halves(is_duplicate, n_splits, seed=seed):
        threshold = best(scores[is_first], is_duplicate[is_first]).threshold
        found.append(at(scores[~is_first], is_duplicate[~is_first], threshold).f1)
    return float(np.mean(found))


def halves(is_duplicate: Bools, n_splits: int = N_SPLITS, *, seed: int = 0) -> Iterator[Bools]:
    """Yield which pairs are in the first of two halves, with half the duplicates in each, *n_splits* times."""
    rng = np.random.default_rng(seed)
    groups = [np.flatnonzero(is_duplicate), np.flatnonzero(~is_duplicate)]
    for _ in range(n_splits):
        is_first = np.zeros(len(is_duplicate), dtype=np.bool_)
        for group in groups:
            is_first[rng.permutation(group)[: len(group) // 2]] = True
        yield is_first


def f1_difference(
    first: Bools, second: Bools, is_duplicate: Bools, *, n_samples: int = N_SAMPLES, seed: int = 0
) -> Difference:
    """Return F1 of what *first* reports less that of *second*, by a paired bootstrap over pairs.

    Pairs that neither reports and that are no duplicates change nothing and are left out.
    """
    counts = first | second | is_duplicate
    reported = np.stack((first, second))[:, counts].astype(np.int64)
    truth = is_duplicate[counts]
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, max(len(truth), 1), size=(n_samples, len(truth)))
    drawn_truth = truth[drawn]
    found = []
    for row in reported:
        drawn_row = row[drawn]
        n_true = (drawn_row * drawn_truth).sum(axis=1)
        total = np.maximum(drawn_row.sum(axis=1) + drawn_truth.sum(axis=1), 1)
        found.append(2 * n_true / total)
    observed = [
        2 * int((row * truth).sum()) / max(int(row.sum() + truth.sum()), 1) for row in reported
    ]
    return Difference(observed[0] - observed[1], *interval(found[0] - found[1]))


def _measured(threshold: float, n_true: int, n_reported: int, n_duplicates: int) -> Measured:
    precision = n_true / n_reported if n_reported else 0.0
    recall = n_true / n_duplicates if n_duplicates else 0.0
    total = n_reported + n_duplicates
    return Measured(threshold, precision, recall, 2 * n_true / total if total else 0.0)
