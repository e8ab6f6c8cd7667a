"""How good the results of a category's own ranking are: the other half of the study of Kohlschütter 2011, section 3.3.

People judge results of queries of a category: relevant to both the query and the category, or not. Of each ranking, by
the category's rank and by the unbiased one, the average precision of the best `BEST` results is taken (section 2.3;
:mod:`pipelines.retrieval.measures`), over all that a judge found relevant: the thesis does not say whether that, or
what is relevant in the list. Figures of a category are means over its queries, those of a query over its judges.
What the thesis found: precision rises to level 5 and drops then; it goes with neither the size of the biasing set
nor Kendall's tau.

*On disk*, UTF-8, read only: lines ``CATEGORY<tab>QUERY<tab>PAGE<tab>GRADE``, with a fifth column for the name of the
judge where there are several. A page is named by its URL; a grade above 0 is relevant. Empty lines and those that begin
with ``#`` are left out, as are other categories than the corpus's topics.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from crawler.categories import clean_category
from crawler.errors import InputError, cause
from crawler.ranking.kendall import kendall_tau
from crawler.ranking.topics.sets import ancestors
from crawler.urls import page_key, page_url
from pipelines.jobs.facets.search import FacetSearch
from pipelines.jobs.index.vectors import UNBIASED
from pipelines.retrieval.measures import average_precision

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

BEST = 10


class Question(NamedTuple):
    """A query of a category."""

    category: str
    query: str


# Question → judge → page → grade.
Judgements = dict[Question, dict[str, dict[str, int]]]


@dataclass(frozen=True, slots=True)
class Precision:
    """Mean average precision over the judged *queries* of a *category*, and its share of the unbiased one.

    *ratio*: NaN where the unbiased one is 0. *tau*: of the rankings by category and unbiased, NaN where it is unknown.
    """

    category: str
    level: int
    pages: int
    queries: int
    biased: float
    unbiased: float
    ratio: float
    tau: float


@dataclass(frozen=True, slots=True)
class LevelPrecision:
    """Means over the categories of a level."""

    level: int
    categories: int
    biased: float
    unbiased: float


@dataclass(frozen=True, slots=True)
class PrecisionStudy:
    """All of it; Kendall's tau-b, over the categories, between precision and level, size, and tau."""

    categories: list[Precision]
    levels: list[LevelPrecision]
    with_level: float
    with_pages: float
    with_tau: float


def study_precision(
    folder: Path, judged: Path, sizes: Mapping[str, int], taus: Mapping[str, float]
) -> PrecisionStudy:
    """Return the precision of the topics of the corpus in *folder* by the file *judged*.

    *sizes*: pages of each topic. *taus*: of topics with the unbiased ranking. Raises :exc:`InputError` when the file is
    none of judgements, or judges no result.
    """
    judgements = read_judgements(judged, sizes)
    search = FacetSearch(folder)
    scores: dict[str, list[tuple[float, float]]] = defaultdict(list)
    is_met = False
    for (category, query), judges in judgements.items():
        rankings = [_results(search, query, name) for name in (category, UNBIASED)]
        is_met = is_met or any(
            page in grades for pages in rankings for page in pages for grades in judges.values()
        )
        biased, unbiased = (
            fmean(average_precision(pages, grades) for grades in judges.values())
            for pages in rankings
        )
        scores[category].append((biased, unbiased))
    if not is_met:
        raise InputError(
            f"none of the pages that {judged} judges is a result; name them by their URLs in {folder}"
        )
    found = [
        _precision(name, sizes[name], scores[name], taus.get(name, math.nan))
        for name in sorted(scores)
    ]
    return _study(found)


def _results(search: FacetSearch, query: str, topic: str) -> list[str]:
    """Return the URLs of the best results of *query* ranked by *topic*."""
    found = search.candidates(query)
    places = search.best(found, [search.number(topic)], BEST)
    return [search.index.shown(page)[0] for page in found.page_ids[places].tolist()]


def _precision(
    category: str, pages: int, scores: Sequence[tuple[float, float]], tau: float
) -> Precision:
    biased, unbiased = (fmean(column) for column in zip(*scores, strict=True))
    ratio = biased / unbiased if unbiased else math.nan
    level = len(ancestors(category)) + 1
    return Precision(category, level, pages, len(scores), biased, unbiased, ratio, tau)


def _study(found: list[Precision]) -> PrecisionStudy:
    levels = []
    for level in sorted({each.level for each in found}):
        of_level = [each for each in found if each.level == level]
        biased, unbiased = fmean(p.biased for p in of_level), fmean(p.unbiased for p in of_level)
        levels.append(LevelPrecision(level, len(of_level), biased, unbiased))
    told = [each for each in found if not math.isnan(each.tau)]
    return PrecisionStudy(
        found,
        levels,
        kendall_tau([each.level for each in found], [each.biased for each in found]),
        kendall_tau([each.pages for each in found], [each.biased for each in found]),
        kendall_tau([each.tau for each in told], [each.biased for each in told]),
    )


def read_judgements(file: Path, topics: Mapping[str, int]) -> Judgements:
    """Return what *file* judges of queries of *topics*.

    Raises :exc:`InputError` for one that cannot be read, has a line of another form, two grades of a page by one judge,
    or no line of a topic.
    """
    judgements: Judgements = {}
    for number, question, judge, page, grade in _lines(file):
        if question.category not in topics:
            continue
        grades = judgements.setdefault(question, {}).setdefault(judge, {})
        if grades.setdefault(page, grade) != grade:
            raise InputError(
                f"{file}, line {number} gives {page} another grade than a line before it; keep one of them, or "
                "name the judges in a fifth column"
            )
    if not judgements:
        raise InputError(
            f"{file} judges no query of a topic; write CATEGORY<tab>QUERY<tab>PAGE<tab>GRADE lines"
        )
    return judgements


def _lines(file: Path) -> Iterator[tuple[int, Question, str, str, int]]:
    """Give the number, the question, the judge, the page and the grade of each line."""
    try:
        lines = file.read_bytes().decode("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{file} cannot be read as UTF-8 ({cause(error)}); give another file"
        ) from error
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        try:
            category, query, page, grade, judge = cells if len(cells) == 5 else [*cells, ""]
            value = int(grade)
        except ValueError:
            raise InputError(
                f"{file}, line {number} is no judgement; write CATEGORY<tab>QUERY<tab>PAGE<tab>GRADE, and a judge's "
                "name behind it if there are several"
            ) from None
        key = page_key(page)
        address = page if key is None else page_url(key)
        yield number, Question(clean_category(category), query), judge, address, value
