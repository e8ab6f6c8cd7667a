"""Whether one subject of a run is better than another, on the pages that both were scored on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pipelines.evaluation.measures import POOLED
from pipelines.evaluation.measures.significance import Comparison, compare

if TYPE_CHECKING:
    import numpy.typing as npt

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
    """*first* minus *second* under *measure*, by set of two pages or more; `MACRO` is that of all sets."""

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
    them was not evaluated, or fewer pages than two were.
    """
    run.row(first), run.row(second)
    averaged = [name for name in run.measures if name not in POOLED]
    both = (name for name in averaged if run.scores(first, name) and run.scores(second, name))
    measure = next(both, None)
    if measure is None:
        raise ValueError("no page has a score that is averaged over pages")
    ours, theirs = run.scores(first, measure), run.scores(second, measure)
    pairs = {name: (ours[name][:, 2], theirs[name][:, 2]) for name in ours}
    n_pages = sum(len(pair[0]) for pair in pairs.values())
    if n_pages < 2:
        raise ValueError("methods are compared on two pages or more, got 1")
    sets = {name: _compared(*pair) for name, pair in pairs.items() if len(pair[0]) > 1}
    weights = {name: n_pages / (len(pairs) * len(pair[0])) for name, pair in pairs.items()}
    every = [
        np.concatenate([pair[side] * weights[name] for name, pair in pairs.items()])
        for side in (0, 1)
    ]
    return MethodComparison(first, second, measure, {**sets, MACRO: _compared(*every)})


def _compared(ours: npt.NDArray[np.float64], theirs: npt.NDArray[np.float64]) -> SetComparison:
    differences = ours - theirs
    equal = np.isclose(differences, 0, atol=1e-12)
    return SetComparison(
        compare(ours.tolist(), theirs.tolist()),
        int((~equal & (differences > 0)).sum()),
        int(equal.sum()),
        int((~equal & (differences < 0)).sum()),
    )
