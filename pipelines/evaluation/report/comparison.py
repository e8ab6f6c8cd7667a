"""Whether one subject of a run is better than another, on the pages that both were scored on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pipelines.evaluation.measures import POOLED
from pipelines.evaluation.measures.significance import Comparison, compare_sets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipelines.evaluation.harness.results import Run

MACRO = "macro"


@dataclass(frozen=True, slots=True)
class SetComparison:
    """The tests on one set, and on how many pages the first subject's F1 is above the second's."""

    result: Comparison
    n_better: int
    n_equal: int
    n_worse: int


@dataclass(frozen=True, slots=True)
class MethodComparison:
    """*first* minus *second* under *measure*, by set of two pages or more; `MACRO` is that of all sets, where each
    is.
    """

    first: str
    second: str
    measure: str
    sets: dict[str, SetComparison]

    def as_json(self) -> dict[str, Any]:
        """Return it as an object."""
        return {
            "first": self.first,
            "second": self.second,
            "measure": self.measure,
            "sets": {
                name: {
                    **one.result._asdict(),
                    "n_better": one.n_better,
                    "n_equal": one.n_equal,
                    "n_worse": one.n_worse,
                }
                for name, one in self.sets.items()
            },
        }


def compare_subjects(run: Run, first: str, second: str) -> MethodComparison:
    """Compare two subjects of *run* by its first measure that is an average over pages.

    In the macro average each set weighs the same, whatever its pages. Raises ValueError when one of
    them was not evaluated, or no set of two pages or more was.
    """
    run.row(first), run.row(second)
    averaged = [name for name in run.measures if name not in POOLED]
    both = (name for name in averaged if run.scores(first, name) and run.scores(second, name))
    measure = next(both, None)
    if measure is None:
        raise ValueError(
            "--compare: no page has a score that is averaged over pages; give other --measures"
        )
    ours, theirs = run.scores(first, measure), run.scores(second, measure)
    pairs = {name: (ours[name][:, 2].tolist(), theirs[name][:, 2].tolist()) for name in ours}
    long = {name: pair for name, pair in pairs.items() if len(pair[0]) > 1}
    if not long:
        raise ValueError(
            "--compare takes sets of two pages or more; give a larger --limit, or more pages"
        )
    sets = {name: _compared([pair]) for name, pair in long.items()}
    if len(long) == len(pairs):
        sets[MACRO] = _compared(list(pairs.values()))
    return MethodComparison(first, second, measure, sets)


def _compared(pairs: Sequence[tuple[Sequence[float], Sequence[float]]]) -> SetComparison:
    differences = np.concatenate([np.subtract(*pair) for pair in pairs])
    equal = np.isclose(differences, 0, atol=1e-12)
    return SetComparison(
        compare_sets(pairs),
        int((~equal & (differences > 0)).sum()),
        int(equal.sum()),
        int((~equal & (differences < 0)).sum()),
    )
