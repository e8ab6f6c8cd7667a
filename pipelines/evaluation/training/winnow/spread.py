"""How far the odds of all blocks of a page are off at once: ``method.SPREAD``.

A block's log odds, less winnow's doubt, are taken to be off by a normal deviate that the page's blocks share. Its
standard deviation is the one that makes the labels of pages which the forests have not seen likeliest, blocks
weighing as in training (a mixed-effects logistic model with a random intercept, the integral by Gauss and Hermite).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate.winnow.method import doubts

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from pipelines.evaluation.training.winnow.pages import TrainingPage

    F64 = npt.NDArray[np.float64]

SPREADS = (0.0, 0.5, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)
_N_POINTS = 21
# Of the odds of a probability that is 0 or 1 to a float.
_MOST_LOG_ODDS = 30.0


def likeliest_spread(pages: Sequence[TrainingPage], probability: Sequence[F64 | None]) -> float:
    """Return the one of SPREADS that makes the labels of *pages* with gold text likeliest.

    *probability*: of the blocks of each page, by forests that have not seen it, or None.
    """
    judged = [
        (page, its)
        for page, its in zip(pages, probability, strict=True)
        if its is not None and page.gold is not None
    ]
    likelihoods = [
        sum(_log_likelihood(page, its, spread) for page, its in judged) for spread in SPREADS
    ]
    return SPREADS[int(np.argmax(likelihoods))]


def _log_likelihood(page: TrainingPage, probability: F64, spread: float) -> float:
    deviates, shares = np.polynomial.hermite_e.hermegauss(_N_POINTS)
    with np.errstate(divide="ignore"):
        log_odds = np.log(probability) - np.log1p(-probability)
    log_odds = log_odds.clip(-_MOST_LOG_ODDS, _MOST_LOG_ODDS) - doubts(
        page.x, manual=page.is_manual
    )
    sign = np.where(page.main.wanted, -1.0, 1.0)
    # log(1 + e^x) is what a label costs whose log odds are -x.
    costs = np.logaddexp(0.0, sign * (log_odds + spread * deviates[:, None]))
    of_deviates = np.log(shares / shares.sum()) - costs @ page.main.weight
    return float(np.logaddexp.reduce(of_deviates))
