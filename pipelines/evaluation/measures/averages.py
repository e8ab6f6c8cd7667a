"""Averages of the scores of pages, and how far they would differ on other pages.

**Macro**: the mean over pages of precision, recall and F1, each by itself (Gottron 2008, section
5.2.2), so that mean F1 is not the F1 of the means. Of several sets: the mean of the sets' means.
**Micro**: all pages as one, `counts.pooled`.

**Bootstrap standard error**: the standard deviation of the average over samples of as many pages,
drawn with replacement; of several sets within each. *Source: Efron and Tibshirani 1993, chapter 6.*
Cost: O(samples times pages) time, O(pages + samples) memory. Invariant: the error of equal values is 0.
"""

from __future__ import annotations

from math import fsum, nan
from typing import TYPE_CHECKING

import numpy as np

from pipelines.evaluation.gold import Scores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy.typing as npt

N_SAMPLES = 1000
_INTERVAL_PERCENT = (2.5, 97.5)


def macro(pages: Sequence[Scores]) -> Scores:
    """Return the means of the scores of *pages*; NaN without any."""
    if not pages:
        return Scores(nan, nan, nan)
    return Scores(*(fsum(column) / len(pages) for column in zip(*pages, strict=True)))


def standard_error(values: Sequence[float], *, n_samples: int = N_SAMPLES, seed: int = 0) -> float:
    """Return the bootstrap standard error of the mean of *values*; NaN without any."""
    return standard_error_of_sets([values], n_samples=n_samples, seed=seed)


def standard_error_of_sets(
    sets: Sequence[Sequence[float]], *, n_samples: int = N_SAMPLES, seed: int = 0
) -> float:
    """Return the bootstrap standard error of the mean of the means of *sets* of values."""
    groups = [np.asarray(values, dtype=np.float64) for values in sets if len(values)]
    if not groups:
        return nan
    rng = np.random.default_rng(seed)
    means = [
        np.array([group[places].mean() for places in samples(len(group), n_samples, rng)])
        for group in groups
    ]
    return float(np.mean(means, axis=0).std(ddof=1))


def standard_errors_of_pooled(
    counts: npt.ArrayLike,
    scores: Callable[[npt.NDArray[np.float64]], Scores],
    *,
    n_samples: int = N_SAMPLES,
    seed: int = 0,
) -> Scores:
    """Return the bootstrap standard errors of the *scores* of pages with these *counts*, `Counts` or float64[n, 3].

    NaN without any.
    """
    table = np.asarray(counts, np.float64)
    if not len(table):
        return Scores(nan, nan, nan)
    rng = np.random.default_rng(seed)
    values = [scores(table[places]) for places in samples(len(table), n_samples, rng)]
    return Scores(*np.std(values, axis=0, ddof=1).tolist())


def interval(values: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Return the bounds of the middle 95% of *values*, one or more."""
    low, high = np.percentile(values, _INTERVAL_PERCENT)
    return float(low), float(high)


def samples(
    n_pages: int, n_samples: int, rng: np.random.Generator
) -> Iterator[npt.NDArray[np.int64]]:
    """Give *n_samples* samples of the places of *n_pages* pages, drawn with replacement.

    Raises ValueError, at the first, for fewer than two samples.
    """
    if n_samples < 2:
        raise ValueError(f"n_samples must be at least 2, got {n_samples}")
    for _ in range(n_samples):
        yield rng.integers(n_pages, size=n_pages)
