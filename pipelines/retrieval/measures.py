"""Measures of a ranking: P@k, average precision, NDCG with the discount of the thesis.

With rel_i the gain of the page at rank i, from 1, and r_i whether it is relevant (a grade above 0)::

    P@k    = sum of r_i for i <= k / k, also where fewer than k pages are found
    AvP    = sum of P@i r_i over the ranking / number of relevant pages of the query
    DCG_k  = rel_1 + sum over 2 <= i <= k of rel_i / log2(i);   NDCG_k = DCG_k / ideal DCG_k

The ideal order is that of all judged pages of the query by gain. MAP is the mean of AvP over the queries.
*Source: Kohlschütter 2011, section 2.3.* Its discount is that of Järvelin and Kekäläinen 2000, which leaves the
second rank whole; today's log2(i + 1) does not. A query without relevant pages has 0 in all of them.
Pages that were not judged are not relevant. Cost: O(ranking).
"""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class RankingScores(NamedTuple):
    """P@k, NDCG_k and average precision of one query, or their means over queries, each 0 to 1."""

    precision: float
    ndcg: float
    average_precision: float


def precision_at(k: int, ranking: Sequence[str], grades: Mapping[str, int]) -> float:
    """Return the share of relevant pages among the first *k*; ValueError for *k* below 1.

    >>> precision_at(10, ["a", "b"], {"a": 1, "c": 1})
    0.1
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, got {k}")
    return sum(grades.get(page, 0) > 0 for page in ranking[:k]) / k


def average_precision(ranking: Sequence[str], grades: Mapping[str, int]) -> float:
    """Return the mean, over the relevant pages, of the precision at their ranks.

    >>> average_precision(["a", "x", "b"], {"a": 1, "b": 2, "c": 0})
    0.8333333333333333
    """
    n_relevant = sum(grade > 0 for grade in grades.values())
    total = 0.0
    n_found = 0
    for rank, page in enumerate(ranking, 1):
        if grades.get(page, 0) > 0:
            n_found += 1
            total += n_found / rank
    return total / n_relevant if n_relevant else 0.0


def dcg(gains: Sequence[float]) -> float:
    """Return the discounted cumulative gain of *gains* in order of rank.

    >>> round(dcg([3, 2, 3, 0, 1, 2]), 4)
    8.0972
    """
    return sum(gain / max(1.0, log2(rank)) for rank, gain in enumerate(gains, 1))


def ndcg_at(
    k: int,
    ranking: Sequence[str],
    grades: Mapping[str, int],
    gains: Mapping[int, float] | None = None,
) -> float:
    """Return the normalised gain of the first *k*; ValueError for *k* below 1.

    *gains*: that of each grade; the grade itself where it is not said, 0 for grades below 0.
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, got {k}")

    def gain(grade: int) -> float:
        return (gains or {}).get(grade, float(max(0, grade)))

    ideal = dcg(sorted(map(gain, grades.values()), reverse=True)[:k])
    return dcg([gain(grades.get(page, 0)) for page in ranking[:k]]) / ideal if ideal else 0.0


def ranking_scores(
    ranking: Sequence[str],
    grades: Mapping[str, int],
    *,
    k: int = 10,
    gains: Mapping[int, float] | None = None,
) -> RankingScores:
    """Return the scores of the *ranking* of one query."""
    return RankingScores(
        precision_at(k, ranking, grades),
        ndcg_at(k, ranking, grades, gains),
        average_precision(ranking, grades),
    )


def mean_scores(scores: Sequence[RankingScores]) -> RankingScores:
    """Return the means over queries; 0 for none."""
    if not scores:
        return RankingScores(0.0, 0.0, 0.0)
    return RankingScores(*(sum(column) / len(scores) for column in zip(*scores, strict=True)))
