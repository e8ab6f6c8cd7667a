"""Whether one method is better than another on the same pages.

Both tests take the pairs of values that two methods have on each page, d being their difference:

- **paired bootstrap**: samples of as many pages, drawn with replacement; the interval that holds the
  middle 95% of the mean differences, and twice the smaller share of samples whose mean difference is
  on either side of 0. *Source: Efron and Tibshirani 1993, chapter 16; Koehn 2004.*
- **sign-flip permutation**: if neither is better, the signs of d are chance; the share of random
  signs whose mean difference is at least as far from 0. *Source: Fisher 1935; Noreen 1989.*

Of several sets the mean difference is the mean of theirs, and samples are drawn within each, as for standard errors.
The share p of n samples is (hits + 1) / (n + 1), so that it is never 0.
Cost: O(samples times pages). Invariant: both change sign, and no p changes, when the methods change
places. What they do not see: pages of one site are alike, so pages are fewer than they seem.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipelines.evaluation.measures.averages import interval, samples

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

N_SAMPLES = 10_000


class Comparison(NamedTuple):
    """The mean difference, its 95% interval, and the p-values of the two tests."""

    difference: float
    low: float
    high: float
    p_bootstrap: float
    p_permutation: float
    n_pages: int


def compare(
    first: Sequence[float],
    second: Sequence[float],
    *,
    n_samples: int = N_SAMPLES,
    seed: int = 0,
) -> Comparison:
    """Compare the values of two methods on the same pages, in the same order.

    A positive difference: the first has more. Raises ValueError for values of different lengths, for
    fewer than two, of which no sample would be another, and for those that are not finite.
    """
    return compare_sets([(first, second)], n_samples=n_samples, seed=seed)


def compare_sets(
    sets: Sequence[tuple[Sequence[float], Sequence[float]]],
    *,
    n_samples: int = N_SAMPLES,
    seed: int = 0,
) -> Comparison:
    """Compare the means over *sets*, one or more, of the means of each; as `compare`, which has one set."""
    differences = [_differences(*pair) for pair in sets]
    rng = np.random.default_rng(seed)
    means = np.mean([_resampled(of_set, n_samples, rng) for of_set in differences], axis=0)
    shares = [of_set / (len(of_set) * len(differences)) for of_set in differences]
    every = np.concatenate(shares)
    return Comparison(
        float(every.sum()),
        *interval(means),
        _two_sided(means),
        _permutation(every, n_samples, rng),
        len(every),
    )


def _differences(first: Sequence[float], second: Sequence[float]) -> npt.NDArray[np.float64]:
    ours, theirs = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if ours.shape != theirs.shape or ours.ndim != 1 or len(ours) < 2:
        raise ValueError(
            f"values must be of one length, 2 or more, got {ours.shape}, {theirs.shape}"
        )
    if not np.isfinite(ours - theirs).all():
        raise ValueError("values must be finite")
    return ours - theirs


def _resampled(
    differences: npt.NDArray[np.float64], n_samples: int, rng: np.random.Generator
) -> npt.NDArray[np.float64]:
    drawn = samples(len(differences), n_samples, rng)
    return np.array([differences[places].mean() for places in drawn])


def _two_sided(means: npt.NDArray[np.float64]) -> float:
    n_fewer = min(int((means <= 0).sum()), int((means >= 0).sum()))
    return min(1.0, 2 * (n_fewer + 1) / (len(means) + 1))


def _permutation(
    differences: npt.NDArray[np.float64], n_samples: int, rng: np.random.Generator
) -> float:
    # Sums differ by rounding when their terms are summed with other signs.
    limit = abs(differences.sum()) - 1e-12 * np.abs(differences).sum()
    n_hits = 0
    for _ in range(n_samples):
        flipped = rng.integers(0, 2, size=len(differences), dtype=np.int8).astype(np.bool_)
        n_hits += abs(differences.sum(where=flipped) - differences.sum(where=~flipped)) >= limit
    return (n_hits + 1) / (n_samples + 1)
