"""The random writer and the stratified random writer: how many words a block has.

A writer ends a block after each word with probability p; the stratified one first chooses between
short and long text, which end with different probabilities::

    Pr(x) = (1-p)^(x-1) p,  x = 1, 2, ...                                             (4.20)
    Pr(x) = P_N(S) (1-P_S(N))^(x-1) P_S(N) + (1-P_N(S)) (1-P_L(N))^(x-1) P_L(N)       (4.21, 5.1)

*Source: Kohlschütter 2011, sections 4.4.4 and 5.2.2* (p = .3145; P_N(S) = .7586, P_S(N) = .3968,
P_L(N) = .04369). Fitted by least squares on the relative frequencies of all lengths up to the
*support*, empty ones included, as the figures were; RMSE falls with the support. Longer blocks
count in the total and in the last cell of chi2. Short text is the component that ends sooner.

By Bayes' rule on (5.1), P(long | x) rises with x; from `word_threshold` words on a block is
rather long text. Cost: a histogram and some dozen passes over the support.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from pipelines.linguistics.laws.fit import Curve, Fit, chi_square, fit_curve

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

# Kohlschütter 2011, section 4.4.4: the RMSE printed is that over about 200 lengths.
SUPPORT = 200
_P = 1e-6  # probabilities stay this far from 0 and 1


def writer_shares(x: npt.NDArray[np.float64], p: float) -> npt.NDArray[np.float64]:
    """Return the 1-displaced geometric probabilities of *x* words, at least 1 (eq. 4.20)."""
    return np.asarray(p * (1 - p) ** (x - 1), dtype=np.float64)


def stratified_shares(
    x: npt.NDArray[np.float64], share_short: float, p_short: float, p_long: float
) -> npt.NDArray[np.float64]:
    """Return the probabilities of *x* words in the mixture (eq. 4.21)."""
    short, long = writer_shares(x, p_short), writer_shares(x, p_long)
    return share_short * short + (1 - share_short) * long


_WRITER = Curve(
    "Random writer", "Kohlschütter 2011, eq. 4.20", writer_shares, ("p",), (_P,), (1 - _P,)
)
_STRATIFIED = Curve(
    "Stratified random writer",
    "Kohlschütter 2011, eq. 4.21, 5.1",
    stratified_shares,
    ("P_N(S)", "P_S(N)", "P_L(N)"),
    (0.0, _P, _P),
    (1.0, 1 - _P, 1 - _P),
)


def fit_random_writer(block_word_counts: npt.NDArray[np.int64], support: int | None = None) -> Fit:
    """Fit eq. 4.20 to the words of blocks (blocks without words do not count).

    *support*: lengths 1..support are fitted, by default `SUPPORT`. No blocks: no fit. Raises
    `ValueError` for a negative or fractional count, and a support below 2.
    """
    return _fit(_WRITER, block_word_counts, support, [(0.05,), (0.3,), (0.7,)])


def fit_stratified_random_writer(
    block_word_counts: npt.NDArray[np.int64], support: int | None = None
) -> Fit:
    """Fit eq. 4.21 to the words of blocks; as `fit_random_writer`, and the parameters are ordered:
    P_N(S) (share of short blocks), P_S(N), P_L(N) (probabilities to end), P_S(N) the larger.
    """
    starts = [(0.75, 0.4, 0.05), (0.5, 0.3, 0.02), (0.9, 0.8, 0.2)]
    fit = _fit(_STRATIFIED, block_word_counts, support, starts)
    if not fit.parameters:
        return fit
    share, short, long = fit.parameters.values()
    if short < long:
        share, short, long = 1 - share, long, short
    return replace(fit, parameters=dict(zip(_STRATIFIED.names, (share, short, long), strict=True)))


def sample_stratified(
    rng: np.random.Generator, n: int, *, share_short: float, p_short: float, p_long: float
) -> npt.NDArray[np.int64]:
    """Return the words, int64[*n*], of blocks that the stratified random writer writes.

    Raises `ValueError` for a probability outside 0..1 and a p of 0.
    """
    _check(share_short, p_short, p_long)
    ends = np.where(rng.random(n) < share_short, p_short, p_long)
    return np.asarray(rng.geometric(ends), dtype=np.int64)


def posterior_long(
    words: npt.NDArray[np.int64], *, share_short: float, p_short: float, p_long: float
) -> npt.NDArray[np.float64]:
    """Return P(long | x), float64[n], of blocks of *words* (at least 1), by Bayes' rule on eq. 5.1.

    Raises `ValueError` for a probability outside 0..1 and a p of 0.
    """
    _check(share_short, p_short, p_long)
    x = np.asarray(words, dtype=np.float64) - 1
    with np.errstate(all="ignore"):
        odds = np.log(1 - share_short) - np.log(share_short) + np.log(p_long) - np.log(p_short)
        # where p_short is 1, a first word decides; 0 * -inf is no evidence
        falls = np.where(x > 0, x * (np.log1p(-p_long) - np.log1p(-p_short)), 0.0)
        return np.asarray(1 / (1 + np.exp(-(odds + falls))), dtype=np.float64)


def word_threshold(*, share_short: float, p_short: float, p_long: float) -> int | None:
    """Return the least number of words from which P(long | x) is at least 1/2.

    None when no number is enough, and when long text is not the longer one. Raises as `posterior_long` does.

    >>> word_threshold(share_short=0.7586, p_short=0.3968, p_long=0.04369)
    9
    """
    _check(share_short, p_short, p_long)
    if share_short == 1 or p_long >= p_short:
        return None
    if share_short * p_short <= (1 - share_short) * p_long:
        return 1
    if p_short == 1:
        return 2
    against = math.log(share_short * p_short) - math.log((1 - share_short) * p_long)
    each = math.log1p(-p_long) - math.log1p(-p_short)
    return 1 + math.ceil(against / each)


def _check(share_short: float, p_short: float, p_long: float) -> None:
    named = {"share_short": share_short, "p_short": p_short, "p_long": p_long}
    for name, value in named.items():
        if not 0 <= value <= 1 or (value == 0 and name != "share_short"):
            raise ValueError(f"{name} must be a probability, and a p above 0, got {value}")


def _fit(
    curve: Curve,
    block_word_counts: npt.NDArray[np.int64],
    support: int | None,
    starts: Sequence[tuple[float, ...]],
) -> Fit:
    size = SUPPORT if support is None else support
    if size < 2:
        raise ValueError(f"support must be at least 2, got {size}")
    words = np.asarray(block_word_counts)
    if words.size and (words.min() < 0 or not np.issubdtype(words.dtype, np.integer)):
        raise ValueError("block_word_counts must be integers of at least 0")
    words = words[words > 0].astype(np.int64)
    counts = np.bincount(np.minimum(words, size + 1), minlength=size + 2)[1:].astype(np.float64)
    x = np.arange(1, size + 1, dtype=np.float64)
    fit = fit_curve(curve, x, counts[:-1] / max(len(words), 1), starts)
    if not fit.parameters:
        return replace(fit, note=fit.note if len(words) else "no blocks with words")
    above = max(0.0, 1 - float(fit.fitted.sum()))
    expected = len(words) * np.append(fit.fitted, above)
    chi2, df, p, c = chi_square(counts, expected, len(curve.names))
    return replace(fit, chi2=chi2, df=df, p=p, c=c)
