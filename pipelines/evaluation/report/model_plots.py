"""Gottron's charts: the scores of one set under each of his document models, a curve a subject.

A line of three for each set: recall, precision, F1. From left to right the models ask for less: characters in their
order, words in their order, words as often, words at all. A curve that rises has the words, and has them elsewhere.
*Source: Gottron 2008, figures 5.13 to 5.21 and 6.9 to 6.11.* Their lines between the models have no meaning but to
show what belongs together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from pipelines.evaluation.report.summary import Row, SetScore, Summary

MODELS = {"cs": "CS", "ws": "WS", "bow": "BoW", "sow": "SoW"}
SCORES = ("recall", "precision", "f1")
# As many as Gottron's packages; more make a figure that no viewer shows.
MAX_SETS = 14
_FONT = 8


def sets_of_models(summary: Summary) -> list[str]:
    """Return the sets that have scores under all four models, at most `MAX_SETS`; none where a model was not asked
    for.
    """
    if not MODELS.keys() <= summary.rows.keys():
        return []
    rows = [row for model in MODELS for row in summary.rows[model]]
    return [name for name in summary.run.datasets if all(name in row.sets for row in rows)][
        :MAX_SETS
    ]


def curves(summary: Summary, subject: str, dataset: str) -> dict[str, list[float]]:
    """Return the scores of *subject* on *dataset* by name, one for each of the models."""
    found = [_score(summary.rows[model], subject, dataset) for model in MODELS]
    return {name: [getattr(score, name) for score in found] for name in SCORES}


def draw_models(
    places: Sequence[Axes],
    summary: Summary,
    dataset: str,
    *,
    subjects: Sequence[str],
    colours: Sequence[str],
) -> None:
    """Draw the charts of *dataset* to the three *places*."""
    for number, subject in enumerate(subjects):
        for axes, y in zip(places, curves(summary, subject, dataset).values(), strict=True):
            axes.plot(range(len(MODELS)), y, marker="o", markersize=4, color=colours[number])
    for axes, name in zip(places, SCORES, strict=True):
        axes.set_xticks(range(len(MODELS)), list(MODELS.values()), fontsize=_FONT)
        # Room for the marks of what is all right.
        axes.set_ylim(0, 1.03)
        axes.set_ylabel("F1" if name == "f1" else name)


def _score(rows: Sequence[Row], subject: str, dataset: str) -> SetScore:
    return next(row for row in rows if row.subject == subject).sets[dataset]
