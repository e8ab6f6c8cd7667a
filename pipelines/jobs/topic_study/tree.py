"""How much the rankings of related categories differ: the study of Kohlschütter 2011, section 3.3.

Pairs are category and parent, siblings, and category and unbiased rank. For each pair: Kendall's tau
of the two lists of the best `BEST` pages (`crawler.ranking.kendall.top_k_tau`, with pages that a list lacks behind its
last, and over common pages alone: the thesis does not say which), their overlap, and tau-b over all pages that either
topic reaches.

Lists are the best pages by rank alone; given queries (``CATEGORY<tab>QUERY`` lines), they are the
best results of each query by text score times rank, as published, and figures are means over the
queries of both categories (published: each query is searched by its own category, its parent and
each of its children). What the thesis found: tau with the
unbiased rank about 0, parent and child below 0.2, siblings below 0.2, no correlation of tau with
level or size of the biasing set. How precise results are, by pages that people judged, is told by
`pipelines.jobs.topic_study.precision`. Top-level domains (``scrapy pagerank --topics tld``) are no categories: there is
no tree of them, and of 48 there are 1,128 pairs, which would be most of the siblings that are sampled.

Which of many pairs are computed does not depend on the order of categories: pairs are sampled with
a seed when a relation has more than `MAX_PAIRS`.
"""

from __future__ import annotations

import itertools
import math
import random
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from crawler.categories import clean_category
from crawler.errors import InputError
from crawler.ranking.corpus.job_texts import OF_TLDS
from crawler.ranking.kendall import kendall_tau, overlap, top_k_tau
from crawler.ranking.topics.sets import ancestors
from crawler.ranking.topics.store import TOPICS_FILE, TopicFile, dimension_of
from pipelines.jobs.facets.search import FacetSearch
from pipelines.jobs.index.vectors import UNBIASED
from pipelines.jobs.topic_study.precision import study_precision

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from pipelines.jobs.topic_study.precision import PrecisionStudy

BEST = 30
MAX_PAIRS = 500
# Kohlschütter 2011, section 3.3.1: "generally very low (< 0.2)".
LOW = 0.2
RELATIONS = ("parent", "sibling", "unbiased")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two rankings compared. *level*: of the first, its components without ``Top``."""

    relation: str
    first: str
    second: str
    level: int
    pages: int
    tau: float
    tau_common: float
    overlap: float
    tau_b: float
    queries: int


@dataclass(frozen=True, slots=True)
class Relation:
    """Figures over the pairs of one relation; NaN where there are none."""

    relation: str
    pairs: int
    mean_tau: float
    median_tau: float
    low_share: float
    """pairs whose tau is below 0.2"""
    mean_tau_common: float
    mean_overlap: float
    mean_tau_b: float
    tau_with_level: float
    """Kendall's tau-b between level and tau over the pairs"""
    tau_with_pages: float


@dataclass(frozen=True, slots=True)
class TreeStudy:
    """The study of one corpus; *precision*: None without judgements."""

    corpus: str
    topics: int
    best: int
    queries: int
    relations: list[Relation]
    pairs: list[Pair]
    precision: PrecisionStudy | None


def study_tree(
    folder: Path,
    *,
    best: int = BEST,
    queries: Path | None = None,
    judgements: Path | None = None,
    seed: int = 1,
) -> TreeStudy:
    """Compare the rankings of the topics of the corpus in *folder*.

    Raises :exc:`InputError` when it has no topic ranks, or *queries* holds none for its topics, or *judgements* is no
    file as of :mod:`pipelines.jobs.topic_study.precision`.
    """
    if best < 2:
        raise ValueError(f"best must be at least 2, got {best}")
    file = TopicFile(folder / TOPICS_FILE)
    names = [topic.name for topic in file.topics]
    asked = {} if queries is None else read_category_queries(queries, names)
    lists: _RankLists | _QueryLists = (
        _RankLists(file, best) if queries is None else _QueryLists(folder, best)
    )
    sizes = {topic.name: topic.pages for topic in file.topics}
    pairs = []
    for relation, first, second in related(names, seed):
        texts = [*asked.get(first, []), *asked.get(second, [])]
        if queries is None or texts:
            compared = [lists.compare(first, second, text) for text in texts or [""]]
            tau, common, shared = (_mean(figures) for figures in zip(*compared, strict=True))
            level, tau_b = len(ancestors(first)) + 1, file_tau_b(file, first, second)
            figures = (level, sizes[first], tau, common, shared, tau_b, len(texts))
            pairs.append(Pair(relation, first, second, *figures))
    n_queries = sum(len(texts) for texts in asked.values())
    summaries = [_summary(name, [p for p in pairs if p.relation == name]) for name in RELATIONS]
    precision = None
    if judgements is not None:
        taus = {pair.first: pair.tau for pair in pairs if pair.relation == "unbiased"}
        precision = study_precision(folder, judgements, sizes, taus)
    return TreeStudy(str(folder), len(names), best, n_queries, summaries, pairs, precision)


def related(names: Sequence[str], seed: int) -> Iterator[tuple[str, str, str]]:
    """Yield (relation, first, second) of the categories *names*; see the module."""
    names = [name for name in names if dimension_of(name) != OF_TLDS]
    known = set(names)
    parents = {name: next((a for a in ancestors(name) if a in known), None) for name in names}
    # Siblings have one parent, which may be no topic itself; those without are of one dimension.
    children: dict[tuple[str, str], list[str]] = {}
    for name in sorted(names):
        parent = next(iter(ancestors(name)), "")
        children.setdefault((dimension_of(name), parent), []).append(name)
    found = {
        "parent": [(name, parent) for name, parent in sorted(parents.items()) if parent],
        "sibling": [pair for each in children.values() for pair in itertools.combinations(each, 2)],
        "unbiased": [(name, UNBIASED) for name in sorted(names)],
    }
    for relation, pairs in found.items():
        if len(pairs) > MAX_PAIRS:
            pairs = sorted(random.Random(seed).sample(pairs, MAX_PAIRS))  # noqa: PLW2901
        for first, second in pairs:
            yield relation, first, second


def read_category_queries(path: Path, names: Sequence[str]) -> dict[str, list[str]]:
    """Return category → queries, from lines ``CATEGORY<tab>QUERY``; those of other categories are left out."""
    try:
        # Not splitlines(), which parts categories at U+0085 and U+2028, too.
        with path.open(encoding="utf-8-sig") as file:
            lines = list(file)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read as UTF-8 ({error}); give another file") from error
    queries: dict[str, list[str]] = {}
    for line in lines:
        named, _, query = line.partition("\t")
        category = clean_category(named)
        if category in names and query.strip():
            queries.setdefault(category, []).append(query.strip())
    if not queries:
        raise InputError(f"{path} has no query of a topic; write CATEGORY<tab>QUERY lines")
    return queries


class _RankLists:
    """The best pages by rank alone."""

    def __init__(self, file: TopicFile, best: int) -> None:
        self._file = file
        self._best = best
        self._lists: dict[str, npt.NDArray[np.int64]] = {}

    def compare(self, first: str, second: str, query: str) -> tuple[float, float, float]:  # noqa: ARG002
        """Return tau, tau of common pages, and overlap of the two lists."""
        lists = [self._list(name) for name in (first, second)]
        return _compared(*lists)

    def _list(self, name: str) -> npt.NDArray[np.int64]:
        if name not in self._lists:
            rank = self._file.column(None if name == UNBIASED else name)
            # ties by page; pages that the topic does not reach are on no list
            order = np.argsort(-rank, kind="stable")[: self._best]
            self._lists[name] = order[rank[order] > 0]
        return self._lists[name]


class _QueryLists:
    """The best results of queries, by text score times rank."""

    def __init__(self, folder: Path, best: int) -> None:
        self._search = FacetSearch(folder)
        self._best = best

    def compare(self, first: str, second: str, query: str) -> tuple[float, float, float]:
        """Return the same of the results of *query* ranked by the two topics."""
        found = self._search.candidates(query)
        lists = [
            self._search.best(found, [self._search.number(name)], self._best)
            for name in (first, second)
        ]
        return _compared(*lists)


def _compared(
    first: npt.NDArray[np.int64], second: npt.NDArray[np.int64]
) -> tuple[float, float, float]:
    common = top_k_tau(first, second, missing="common")
    return top_k_tau(first, second), common, overlap(first, second)


def file_tau_b(file: TopicFile, first: str, second: str) -> float:
    """Return tau-b between the ranks of two topics over the pages that either reaches."""
    one, two = (file.column(None if name == UNBIASED else name) for name in (first, second))
    # the unbiased rank reaches all pages: there, those of the topic alone
    reached = (one > 0) if second == UNBIASED else (one > 0) | (two > 0)
    return kendall_tau(one[reached], two[reached])


def _summary(relation: str, pairs: list[Pair]) -> Relation:
    taus = [pair.tau for pair in pairs if not math.isnan(pair.tau)]
    told = [pair for pair in pairs if not math.isnan(pair.tau)]
    return Relation(
        relation,
        len(pairs),
        _mean(taus),
        statistics.median(taus) if taus else math.nan,
        _mean([tau < LOW for tau in taus]),
        _mean([pair.tau_common for pair in pairs]),
        _mean([pair.overlap for pair in pairs]),
        _mean([pair.tau_b for pair in pairs]),
        kendall_tau([pair.level for pair in told], taus),
        kendall_tau([pair.pages for pair in told], taus),
    )


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return statistics.fmean(known) if known else math.nan
