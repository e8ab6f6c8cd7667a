"""The search for jusText's parameters on annotated pages: one after the other, twice.

*Source: Pomikálek 2011, section 2.9.5, table 2.4.* From the least to the most influential of the
five parameters, each is set to the value of its grid that scores best while the others stay as they
are. The thesis takes a value between when its two scores (nodes that all annotators agree on; all
nodes) have different maxima, and follows a second maximum by hand; here *score* is one number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

ORDER = ("max_link_density", "length_low", "stopwords_low", "length_high", "stopwords_high")
# The thesis names neither its grids nor the value of the first parameter before the search.
GRIDS: Mapping[str, Sequence[float]] = {
    "max_link_density": (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5),
    "length_low": (0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20),
    "stopwords_low": tuple(percent / 100 for percent in range(10, 42, 2)),
    "length_high": tuple(range(14, 52, 2)),
    "stopwords_high": tuple(percent / 100 for percent in range(20, 52, 2)),
}
START: Mapping[str, float] = {
    "max_link_density": 0.2,
    "length_low": 10,
    "stopwords_low": 0.2,
    "length_high": 40,
    "stopwords_high": 0.4,
}


def tune(
    score: Callable[[Mapping[str, float]], float],
    *,
    start: Mapping[str, float] = START,
    grids: Mapping[str, Sequence[float]] = GRIDS,
    rounds: int = 2,
) -> tuple[dict[str, float], list[tuple[dict[str, float], float]]]:
    """Return the parameters that coordinate ascent on *score* ends at, and (parameters, score) a step.

    A parameter keeps its value unless another scores higher; of equal ones the first in its grid is
    taken. Raises ValueError when *start* and *grids* name other parameters than jusText has.

    >>> tune(lambda p: -abs(p["length_low"] - 12), rounds=1)[0]["length_low"]
    12
    """
    if set(start) != set(ORDER) or set(grids) != set(ORDER):
        raise ValueError(f"start and grids must name {', '.join(ORDER)}")
    best = dict(start)
    best_score = score(best)
    trace = []
    for _ in range(rounds):
        for name in ORDER:
            for value in grids[name]:
                tried = {**best, name: value}
                tried_score = score(tried)
                if tried_score > best_score:
                    best, best_score = tried, tried_score
            trace.append((best, best_score))
    return dict(best), trace
