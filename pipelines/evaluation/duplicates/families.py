"""What a family of methods is worth when its setting is chosen on other pairs, not only its threshold.

A table of many rows flatters whoever takes the best of them: the row was picked on the pairs that it is scored on. Here
one half of the pairs picks the row *and* the threshold of each family, and the other half scores that choice, as a mean
over random halves with equal shares of duplicates. The halves are the same for all families, so that differences are of
pairs of values. Halves overlap: their spread is no confidence interval. What it cannot undo is that a method was
thought of, or a default set, by somebody who had seen the pairs.

A family is what its methods' names begin with. Shapes: ``scores: float64[p]`` a method.
Cost: O(splits times methods times p log p).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipelines.evaluation.duplicates import measures
from pipelines.evaluation.measures.averages import interval

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    Bools = npt.NDArray[np.bool_]
    F64 = npt.NDArray[np.float64]


class FamilyScore(NamedTuple):
    """F1 on halves that picked nothing: mean, the middle 95% of halves, and what was picked most."""

    family: str
    n_methods: int
    f1: float
    low: float
    high: float
    picked: str
    picked_share: float


def family_scores(
    scores: Mapping[str, F64],
    is_duplicate: Bools,
    families: Mapping[str, Sequence[str]],
    *,
    seed: int = 0,
) -> tuple[list[FamilyScore], dict[str, F64]]:
    """Return the score of each of *families*, names of methods in *scores*, and F1 of each half."""
    halves = list(measures.halves(is_duplicate, seed=seed))
    found, by_half = [], {}
    for family, names in families.items():
        f1 = np.empty(len(halves))
        picked: Counter[str] = Counter()
        for place, is_first in enumerate(halves):
            bests = {
                name: measures.best(scores[name][is_first], is_duplicate[is_first])
                for name in names
            }
            name = max(names, key=lambda name, bests=bests: bests[name].f1)  # type: ignore[misc]
            picked[name] += 1
            f1[place] = measures.at(
                scores[name][~is_first], is_duplicate[~is_first], bests[name].threshold
            ).f1
        low, high = interval(f1)
        most, count = picked.most_common(1)[0]
        found.append(
            FamilyScore(family, len(names), float(f1.mean()), low, high, most, count / len(halves))
        )
        by_half[family] = f1
    return found, by_half
