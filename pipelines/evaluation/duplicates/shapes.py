"""The relations that the thesis's tables show, looked for in what a study measured.

Each is one sentence and whether it holds. They are of any corpus of the web, the figures are not
(Pomikálek 2011: tables 3.1, 3.3 to 3.6, figure 3.6).
"""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

from pipelines.evaluation.duplicates.removal_study import LENGTHS, THRESHOLDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pipelines.duplicates.spex import Iteration
    from pipelines.evaluation.duplicates.ngram_study import HostRow, PairCounts
    from pipelines.evaluation.duplicates.removal_study import Configuration, Removed

# A step of n that takes so little of the types that are left tells nothing of language any more.
_NEGLIGIBLE_STEP = 0.1
_COLLAPSE = 0.5
_HARDLY, _MOSTLY = 0.9, 0.1
# Of the duplicates before: that many come of a few blocks that repeat within one page, which no
# configuration counts against it, and are more or fewer by chance.
_CHANCE = 0.002


class Shape(NamedTuple):
    """A relation, and whether it holds."""

    table: str
    relation: str
    holds: bool


def spex_shapes(rows: Sequence[Iteration], n_documents: int) -> list[Shape]:
    """Return the relations of table 3.1."""
    stored = [row.stored for row in rows]
    pruned = [row.n_pruned / max(row.n_unique, 1) for row in rows]
    positions = [row.n_unique + row.n_duplicates for row in rows]
    peak = rows[stored.index(max(stored))].m
    return [
        Shape("3.1", f"most entries are stored at 2 to 4 words ({peak})", 2 <= peak <= 4),
        Shape(
            "3.1", "from the second n on, more of what occurs once is pruned", _rises(pruned[1:])
        ),
        Shape(
            "3.1", "occurrences of duplicates fall with n", _falls(_column(rows, "n_duplicates"))
        ),
        Shape("3.1", "n-grams that occur once rise with n", _rises(_column(rows, "n_unique"))),
        Shape(
            "3.1",
            "each step has a position a document less",
            all(a - b == n_documents for a, b in pairwise(positions)),
        ),
    ]


def negligible_from(rows: Sequence[HostRow]) -> int:
    """Return the n from which a word more takes few of the cross-host types: those left are copies."""
    for place in range(len(rows) - 1):
        if all(
            b.cross_host >= (1 - _NEGLIGIBLE_STEP) * a.cross_host for a, b in pairwise(rows[place:])
        ):
            return rows[place].n
    return rows[-1].n


def host_shapes(rows: Iterable[HostRow]) -> list[Shape]:
    """Return the relations of table 3.3."""
    kinds = [list(group) for _, group in groupby(rows, key=lambda row: row.tokens)]
    starts = [negligible_from(kind) for kind in kinds]
    told = ", ".join(str(start) for start in starts)
    return [
        Shape(
            "3.3",
            "cross-host types fall with n",
            all(_falls([row.cross_host for row in kind]) for kind in kinds),
        ),
        Shape(
            "3.3",
            "single-host types rise to a length above 3, and fall slowly behind it",
            all(_has_inner_peak([row.single_host for row in kind]) for kind in kinds),
        ),
        Shape(
            "3.3",
            f"natural repetition ends at shorter n-grams without punctuation, and stop words ({told})",
            starts[0] >= starts[1] >= starts[2] and starts[0] > starts[2],
        ),
        Shape(
            "3.3",
            "without punctuation, then without stop words, there are fewer types",
            all(
                a.cross_host + a.single_host > b.cross_host + b.single_host
                for more, fewer in pairwise(kinds)
                for a, b in zip(more[1:], fewer[1:], strict=True)
            ),
        ),
    ]


def pair_shapes(counts: PairCounts) -> list[Shape]:
    """Return the relation of figure 3.6."""
    above = dict(zip(counts.thresholds, counts.n_pairs, strict=True))
    holds = above[0.5] >= 5 * max(above[0.9], 1)
    told = f"({above[0.5]} and {above[0.9]})"
    return [Shape("fig. 3.6", f"many more pairs are above .5 than above .9 {told}", holds)]


def removal_shapes(found: Mapping[Configuration, Removed], by_clusters: Removed) -> list[Shape]:
    """Return the relations of tables 3.4 to 3.6, of *found* for all 48 configurations."""
    by_n = [[found[each._replace(n=n)] for n in LENGTHS] for each in found if each.n == LENGTHS[0]]
    by_t = [
        [found[each._replace(t=t)] for t in THRESHOLDS] for each in found if each.t == THRESHOLDS[0]
    ]
    base = next(each for each in found if not each.no_stop_words and not each.no_punctuation)
    ten, three = (found[base._replace(n=n, t=THRESHOLDS[0])] for n in (10, 3))
    return [
        Shape("3.4-3.6", "shorter n-grams: more are stored", _all_rise(by_n, "n_ngrams")),
        Shape("3.4-3.6", "shorter n-grams: fewer tokens stay", _all_fall(by_n, "n_tokens")),
        Shape("3.4-3.6", "shorter n-grams: fewer duplicates stay", _all_clear(by_n)),
        Shape("3.4-3.6", "lower threshold: fewer tokens stay", _all_fall(by_t, "n_tokens")),
        Shape("3.4-3.6", "lower threshold: fewer duplicates stay", _all_clear(by_t)),
        Shape(
            "3.4",
            f"3-grams with stop words take the corpus ({three.tokens_left:.1%} stay)",
            three.tokens_left < _COLLAPSE,
        ),
        Shape(
            "3.4",
            f"clusters above .9 leave most duplicates ({by_clusters.duplicates_left:.1%}), "
            f"10-grams few ({ten.duplicates_left:.1%})",
            by_clusters.duplicates_left > _HARDLY and ten.duplicates_left < _MOSTLY,
        ),
    ]


def order_shape(ordered: Removed, as_they_come: Removed) -> Shape:
    """Return what the order of documents is for (3.5): articles before the pages that quote them."""
    told = f"({ordered.tokens_left:.2%} and {as_they_come.tokens_left:.2%})"
    holds = ordered.n_tokens > as_they_come.n_tokens
    return Shape("3.5", f"more text stays when clean documents come first {told}", holds)


def _column(rows: Sequence[Iteration], name: str) -> list[int]:
    return [getattr(row, name) for row in rows]


def _rises(values: Sequence[float]) -> bool:
    return all(a <= b for a, b in pairwise(values))


def _falls(values: Sequence[float]) -> bool:
    return _rises([-value for value in values])


def _has_inner_peak(values: Sequence[int]) -> bool:
    peak = values.index(max(values))
    return peak > 0 and _rises(values[: peak + 1]) and _falls(values[peak:])


def _all_rise(rows: Iterable[Sequence[Removed]], name: str) -> bool:
    return all(_rises([getattr(each, name) for each in row]) for row in rows)


def _all_fall(rows: Iterable[Sequence[Removed]], name: str) -> bool:
    return all(_falls([getattr(each, name) for each in row]) for row in rows)


def _all_clear(rows: Iterable[Sequence[Removed]]) -> bool:
    """Tell whether the duplicates that are left fall in each row, but for chance."""
    return all(
        b.duplicates_left <= a.duplicates_left + _CHANCE for row in rows for a, b in pairwise(row)
    )
