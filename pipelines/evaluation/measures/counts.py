"""What the scores of a page, and of many pages taken as one, are computed from."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipelines.evaluation.gold import Scores, scores

if TYPE_CHECKING:
    import numpy.typing as npt


class Counts(NamedTuple):
    """How much of *n_extracted* is right (*found*), and how much of *n_gold* that is.

    The unit is the measure's: words, characters, segments.
    """

    found: float
    n_extracted: float
    n_gold: float

    @property
    def scores(self) -> Scores:
        """Precision, recall and F1, with the conventions for empty sets of `gold.scores`."""
        return scores(*self)


def pooled(counts: npt.ArrayLike) -> Counts:
    """Return the sum of *counts*, `Counts` or float64[n, 3]: all pages as one, which is micro-averaging.

    >>> pooled([Counts(1, 2, 2), Counts(9, 10, 18)]).scores.recall
    0.5
    """
    return Counts(*np.asarray(counts, np.float64).reshape(-1, 3).sum(axis=0).tolist())


def f_beta(precision: float, recall: float, beta: float = 1.0) -> float:
    """Return (1 + beta^2) P R / (beta^2 P + R), 0 where that is 0/0; beta 0.5 favours precision.

    >>> round(f_beta(99.41, 96.99, 0.5), 2)
    98.92
    """
    if beta <= 0:
        raise ValueError(f"beta must be positive, got {beta}")
    divisor = beta * beta * precision + recall
    return (1 + beta * beta) * precision * recall / divisor if divisor else 0.0
