"""Which blocks to keep, of their probabilities: those with the largest expected F.

Blocks are taken in order of their probability p. Of the first k, with n words a block, the expected
F_beta is close to::

    (1 + beta^2) sum_{i<=k} n_i p_i / (sum_{i<=k} n_i + beta^2 sum_i n_i p_i)

*Source: Nan, Chai, Lee, Chieu 2012, "Optimizing F-measures: a tale of two approaches"* (decision by
expected F; the quotient of expectations for the expectation of the quotient). Ties are broken by place;
1 - p is told apart to seven digits.
With a *doubt*, that much, of each block or of all, is first taken off the log odds of each probability below 1.
Of nothing the page shows a main text when even the best choice promises less than *least*: none is kept.
Shapes: float[n] in, bool[n] out. Cost: O(n log n).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel

if TYPE_CHECKING:
    import numpy.typing as npt

    Bools = npt.NDArray[np.bool_]
    F64 = npt.NDArray[np.float64]
    U32 = npt.NDArray[np.uint32]

# Of beta: the preset at either end weighs recall against precision, or precision against recall, so much.
MOST_BETA = 2.5
PRESETS = {"precision": 0.0, "balanced": 0.5, "recall": 1.0}


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
) -> Bools:
    """Return which blocks make the largest expected F, of probabilities from 0 to 1.

    >>> best_blocks(np.array([0.9, 0.2, 0.8]), np.array([50.0, 10.0, 40.0]))
    array([ True, False,  True])
    """
    kept = np.zeros(len(probability), np.bool_)
    if not len(kept):
        return kept
    if np.any(doubt):
        probability = probability / (probability + (1 - probability) * np.exp(doubt))
    # One number for both keys is sorted in half the time of a stable order.
    keys = (1 - probability).astype(np.float32).view(np.uint32).astype(np.uint64) << 32
    keys |= np.arange(len(keys), dtype=np.uint64)
    keys.sort()
    _keep(keys.astype(np.uint32), probability, n_words, beta**2, least, kept)
    return kept


@lean_kernel
def _keep(
    order: U32, probability: F64, n_words: F64, weight: float, least: float, kept: Bools
) -> None:
    all_found = 0.0
    for i in order:
        all_found += probability[i] * n_words[i]
    found = taken = 0.0
    most = -1.0
    best = 0
    for k in range(len(order)):
        i = order[k]
        found += probability[i] * n_words[i]
        taken += n_words[i]
        expected = (1 + weight) * found / max(taken + weight * all_found, 1e-9)
        if expected > most:
            most = expected
            best = k
    if most >= least:
        for i in order[: best + 1]:
            kept[i] = True
