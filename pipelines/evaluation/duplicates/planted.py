"""Methods against duplicates that were planted with a known resemblance, level by level.

Texts fall into clusters of equal ones (level 1), and some clusters are near-duplicates of another,
planted with a resemblance below 1. With the pairs that a method reports at its default threshold::

    recall at level l     share of the pairs of level l that are reported
    precision at level l  share of the reported pairs that are of level l or above

Pairs that were not planted have level 0. Shapes: ``levels: float64[p]``, one a pair.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipelines.evaluation.duplicates.judged import all_pairs
from pipelines.evaluation.report.tables import aligned

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy.typing as npt

    from pipelines.evaluation.duplicates.method import F64, I64, Method


class Planted(NamedTuple):
    """Texts, all pairs of them, and the level of each pair."""

    texts: list[str]
    pairs: I64
    levels: F64


class LevelScore(NamedTuple):
    """What a method's reported pairs are worth at a level."""

    method: str
    level: float
    n_pairs: int
    precision: float
    recall: float


def planted_pairs(
    texts: Sequence[str], clusters: Sequence[str], elders: Mapping[str, tuple[str, float]]
) -> Planted:
    """Return the levels of all pairs of *texts*, of which each has the name of its cluster.

    *elders* names for a cluster the one that it is a near-duplicate of, and the resemblance.
    """
    numbers = {name: number for number, name in enumerate(dict.fromkeys(clusters))}
    places: list[list[int]] = [[] for _ in numbers]
    for place, name in enumerate(clusters):
        places[numbers[name]].append(place)
    first_of_row = np.append(0, np.cumsum(np.arange(len(texts) - 1, 0, -1)))
    pairs = all_pairs(len(texts))
    levels = np.zeros(len(pairs))
    related = [(name, name, 1.0) for name in numbers]
    related += [(a, b, level) for a, (b, level) in elders.items() if {a, b} <= numbers.keys()]
    for a, b, level in related:
        for x in places[numbers[a]]:
            for y in places[numbers[b]]:
                i, j = min(x, y), max(x, y)
                if i < j:
                    levels[first_of_row[i] + j - i - 1] = level
    return Planted(list(texts), pairs, levels)


def by_level(planted: Planted, methods: Iterable[Method]) -> list[LevelScore]:
    """Return the scores of *methods* at each level that was planted, the highest first."""
    levels = [level for level in np.unique(planted.levels)[::-1].tolist() if level > 0]
    found = []
    for method in methods:
        reported = method.scores(planted.texts, planted.pairs) >= method.default
        found += [_score(method.title, reported, planted.levels, level) for level in levels]
    return found


def _score(title: str, reported: npt.NDArray[np.bool_], levels: F64, level: float) -> LevelScore:
    is_level = levels == level
    n_reported, n_right = int(reported.sum()), int((reported & (levels >= level)).sum())
    return LevelScore(
        method=title,
        level=level,
        n_pairs=int(is_level.sum()),
        precision=n_right / n_reported if n_reported else 0.0,
        recall=float(reported[is_level].mean()),
    )


def level_table(scores: Sequence[LevelScore]) -> str:
    """Return *scores* as text: a row a method, precision and recall a level."""
    of_method: dict[str, list[LevelScore]] = {}
    for score in scores:
        of_method.setdefault(score.method, []).append(score)
    levels = next(iter(of_method.values()), [])
    lines = [["", *(f"{each.level:g}" for each in levels)]]
    lines.append(["pairs", *(str(each.n_pairs) for each in levels)])
    for title, row in of_method.items():
        lines.append([title, *(f"{each.precision:.3f}/{each.recall:.3f}" for each in row)])
    return "\n".join(["precision/recall at each level of resemblance", *aligned(lines)])
