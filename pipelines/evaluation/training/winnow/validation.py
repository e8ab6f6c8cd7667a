"""How well the forests do on sites, and on sets, that they have not seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate.winnow.choice import best_blocks
from pipelines.boilerplate.winnow.method import LEAST_EXPECTED
from pipelines.evaluation.gold import scores
from pipelines.evaluation.training.winnow.pages import words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from pipelines.evaluation.training.winnow.pages import TrainingPage

    F64 = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SetScore:
    """Mean token F1 over the pages of a set, and its standard error."""

    dataset: str
    n_pages: int
    f1: float
    error: float


def set_scores(pages: Sequence[TrainingPage], probability: Sequence[F64 | None]) -> list[SetScore]:
    """Return the scores of each set by the *probability* of its pages' blocks."""
    f1: dict[str, list[float]] = {}
    for page, its in zip(pages, probability, strict=True):
        if its is not None and page.gold is not None:
            f1.setdefault(page.dataset, []).append(page_f1(its, page))
    return [_set_score(dataset, values) for dataset, values in sorted(f1.items())]


def page_f1(probability: F64, page: TrainingPage) -> float:
    """Return the token F1 of the balanced choice, without winnow's doubt, on *page*, which has gold text."""
    kept = best_blocks(probability, page.n_words, least=LEAST_EXPECTED)
    words, gold = words_of(page, kept), page.gold or words_of(page, kept)
    return scores((words & gold).total(), words.total(), gold.total()).f1


def _set_score(dataset: str, values: list[float]) -> SetScore:
    error = float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0
    return SetScore(dataset, len(values), float(np.mean(values)), error)


def table(title: str, found: Sequence[SetScore]) -> str:
    """Return *found* as lines, with their mean and its spread over the sets."""
    if not found:
        return f"{title}: all pages with main text are of one part; nothing is held out"
    means = [score.f1 for score in found]
    return "\n".join(
        [
            title,
            *(f"  {s.dataset:20} {s.n_pages:4} pages  {s.f1:.3f} ± {s.error:.3f}" for s in found),
            f"  {'mean of the sets':20} {'':10}  {np.mean(means):.3f}, {min(means):.3f} to {max(means):.3f}",
        ]
    )
