"""Which blocks to keep, of their probabilities: those with the largest expected F.

Blocks are taken in order of their probability p. Of the first k, with n words a block, the expected
F_beta is close to::

    (1 + beta^2) sum_{i<=k} n_i p_i / (sum_{i<=k} n_i + beta^2 sum_i n_i p_i)

*Source: Nan, Chai, Lee, Chieu 2012, "Optimizing F-measures: a tale of two approaches"* (decision by
expected F; the quotient of expectations for the expectation of the quotient). Ties are broken by place;
1 - p is told apart to seven digits.
With a *doubt*, that much, of each block or of all, is first taken off the log odds of each probability below 1.

The blocks of a page are not independent: their odds are all too high, or all too low. With a *spread*, one normal
deviate of that standard deviation is added to all log odds of the page, and the k is taken that has the largest mean
of the expected F over it, by five points of Gauss and Hermite. At other values of beta than 1 as many blocks are kept
as without a spread, but no fewer than at 1 above, and no more below: then a larger beta never keeps less.

Of nothing the page shows a main text when even the best choice promises less than *least*: none is kept. At beta below
1 that is asked of the choice at 1. Above, one promises enough that does at 1, with the spread or without, or at beta:
what does so at beta alone takes more than is expected to be found, and the larger beta is, the more it promises.
Shapes: float[n] in, bool[n] out. Cost: O(n log n).
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.kernels.jit import lean_kernel, part, with_first_types

if TYPE_CHECKING:
    import numpy.typing as npt

    Bools = npt.NDArray[np.bool_]
    F64 = npt.NDArray[np.float64]
    U64 = npt.NDArray[np.uint64]

# Of beta: the preset at either end weighs recall against precision, or precision against recall, so much.
MOST_BETA = 2.5
PRESETS = {"precision": 0.0, "balanced": 0.5, "recall": 1.0}
_DEVIATES, _SHARES = np.polynomial.hermite_e.hermegauss(5)
_SHARES /= _SHARES.sum()
# Factors of the odds, and their shares in the mean.
_AS_IT_IS = np.ones((2, 1))
_HALF_BITS, _LOW_HALF = 32, 0xFFFFFFFF


def beta_of(preset: str | float) -> float:
    """Return beta for a *preset*: one of PRESETS, or a number from 0 (precision) to 1 (recall).

    Raises ValueError for any other.

    >>> beta_of("balanced"), beta_of(1)
    (1.0, 2.5)
    """
    number = PRESETS.get(preset) if isinstance(preset, str) else float(preset)
    if number is None or not 0 <= number <= 1:
        raise ValueError(f"preset must be {', '.join(PRESETS)} or 0 to 1, got {preset!r}")
    return float(MOST_BETA ** (2 * number - 1))


def best_blocks(
    probability: F64,
    n_words: F64,
    *,
    beta: float = 1.0,
    least: float = 0.0,
    doubt: float | F64 = 0.0,
    spread: float = 0.0,
) -> Bools:
    """Return which blocks make the largest expected F, of probabilities from 0 to 1.

    >>> best_blocks(np.array([0.9, 0.2, 0.8]), np.array([50.0, 10.0, 40.0]))
    array([ True, False,  True])
    """
    return best_by_odds(
        np.ascontiguousarray(probability, np.float64),
        np.ascontiguousarray(n_words, np.float64),
        odds_of(doubt),
        beta=beta,
        least=least,
        spread=spread,
    )


def best_by_odds(
    probability: F64, n_words: F64, odds: F64, *, beta: float, least: float, spread: float
) -> Bools:
    """Return what :func:`best_blocks` does where *odds*, of :func:`odds_of`, doubt the probabilities."""
    n = len(probability)
    kept = np.zeros(n, np.bool_)
    if not n:
        return kept
    doubted = np.empty(n)
    # One number for both keys is sorted in half the time of a stable order.
    keys = np.empty(n, np.uint64)
    _weigh_all(probability, odds, doubted, keys)
    keys.sort()
    points, least = _points(spread) if spread else _AS_IT_IS, float(least)
    n_kept = balanced = _n_of(keys, doubted, n_words, 1.0, least, points, np.zeros(points.shape))
    if beta != 1:
        plainly = partial(_n_of, keys, doubted, n_words)
        is_enough = balanced or beta < 1 or plainly(1.0, least, _AS_IT_IS, np.zeros((2, 1)))
        asked = 0.0 if is_enough else least
        n_kept = plainly(beta**2, asked, _AS_IT_IS, np.zeros((2, 1)))
        n_kept = min(n_kept, balanced) if beta < 1 else max(n_kept, balanced)
    _keep_first(keys, n_kept, kept)
    return kept


@cache
def _points(spread: float) -> F64:
    """Return what all odds are multiplied by, and the shares of these in the mean."""
    return np.stack((np.exp(spread * _DEVIATES), _SHARES))


def odds_of(doubt: float | F64) -> F64:
    """Return what divides the odds of all blocks, one number, or of each, where *doubt* comes off their logarithms."""
    return np.exp(doubt) if isinstance(doubt, np.ndarray) else _same_odds(doubt)


@cache
def _same_odds(doubt: float) -> F64:
    return np.exp(np.array([doubt], np.float64))


@lean_kernel
def _weigh(probability: F64, odds: F64, doubted: F64, keys: U64) -> None:
    """Fill in *doubted*, float64[n], and the keys: 1 - p in their high halves, the place in the low ones.

    *odds*, one for all or one a block, divide those of the probabilities.
    """
    is_doubted = False
    for i in range(len(odds)):
        is_doubted |= odds[i] != 1
    each = len(odds) > 1
    for i in range(len(probability)):
        p = probability[i]
        if is_doubted:
            p /= p + (1 - p) * odds[i if each else 0]
        doubted[i] = p
        # Numbers that are not negative are in the order of their bits.
        high = np.uint64(np.float32(1 - p).view(np.uint32))
        keys[i] = high << np.uint64(_HALF_BITS) | np.uint64(i)


_weigh_all = with_first_types(_weigh)


@part
def _place(key: Any) -> Any:
    return np.uint32(key & np.uint64(_LOW_HALF))


@lean_kernel
def _keep(keys: U64, n_kept: int, kept: Bools) -> None:
    for k in range(n_kept):
        kept[_place(keys[k])] = True


_keep_first = with_first_types(_keep)


@lean_kernel
def _n_best(  # noqa: PLR0913, PLR0917 - room comes from outside
    keys: U64,
    probability: F64,
    n_words: F64,
    weight: float,
    least: float,
    points: F64,
    counts: F64,
) -> int:
    """Return how many blocks make the largest mean of the expected F.

    *keys* have the places of the blocks, from the likeliest on. *points*: float64[2, f], what all odds are multiplied
    by, and the shares of these in the mean; *counts*: as many zeros.
    """
    factors, shares, all_found, found = points[0], points[1], counts[0], counts[1]
    n = len(probability)
    for k in range(n):
        i = _place(keys[k])
        for j in range(len(factors)):
            all_found[j] += _with_odds(probability[i], factors[j]) * n_words[i]
    taken = 0.0
    most = -1.0
    best = 0
    for k in range(n):
        i = _place(keys[k])
        taken += n_words[i]
        expected = 0.0
        for j in range(len(factors)):
            found[j] += _with_odds(probability[i], factors[j]) * n_words[i]
            its = (1 + weight) * found[j] / max(taken + weight * all_found[j], 1e-9)
            expected += shares[j] * its
        if expected > most:
            most = expected
            best = k + 1
    return best if most >= least else 0


_n_of = with_first_types(_n_best)


@part
def _with_odds(probability: float, factor: float) -> float:
    """Return the probability of odds that are *factor* times as large."""
    if factor == 1:
        return probability
    return probability * factor / (probability * factor + 1 - probability)
