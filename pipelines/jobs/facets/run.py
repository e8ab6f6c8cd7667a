"""Answers one query: what ``scrapy facets`` prints."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from crawler.errors import InputError
from crawler.ranking.topics.facets import HIGHLIGHT_SHARE
from crawler.ranking.topics.sets import ancestors
from crawler.wording import counted
from pipelines.jobs.facets.search import Candidates, FacetOptions, FacetSearch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

# Facets on the screen, and of each page.
SHOWN = 15
SHOWN_OF_PAGE = 5


@dataclass(frozen=True, slots=True)
class Facet:
    """A suggested facet: its share of the samples, highlighted from 25 % on."""

    name: str
    share: float
    highlighted: bool


@dataclass(frozen=True, slots=True)
class Result:
    """A page that was found, and the facets that it is of."""

    host_id: int
    local_id: int
    url: str
    title: str
    score: float
    text_score: float
    memberships: dict[str, float]

    def topics(self) -> list[tuple[str, float]]:
        """Return the facets that are shown of the page with its memberships, the surest first."""
        by_membership = sorted(self.memberships.items(), key=lambda item: (-item[1], item[0]))
        return by_membership[:SHOWN_OF_PAGE]


@dataclass(frozen=True, slots=True)
class FacetAnswer:
    """Facets and results of a query. *found*: pages that have its words; *seconds*: without opening.

    *is_stale*: the ranks of the corpus are others than those that were indexed.
    """

    query: str
    ranked_by: list[str]
    found: int
    facets: list[Facet]
    results: list[Result]
    sampled: list[str]
    rounds: int
    seconds: float
    is_stale: bool

    def screen(self) -> str:
        """Return the answer as lines for people."""
        lines = [
            f"found       {counted(self.found, 'page')}, in {1000 * self.seconds:.1f} ms",
            f"ranked by   {' + '.join(self.ranked_by)}",
            *(["            not the ranks that are there now; run `scrapy index`"] * self.is_stale),
            "",
            *(
                f"{'*' if facet.highlighted else ' '} {facet.share:4.0%}  {facet.name}"
                for facet in self.facets[:SHOWN]
            ),
        ]
        if len(self.facets) > SHOWN:
            lines.append(f"        and {len(self.facets) - SHOWN} more")
        for place, result in enumerate(self.results, 1):
            named = ", ".join(f"{name} {membership:.2f}" for name, membership in result.topics())
            lines += ["", f"{place:3}. {result.title or '(no title)'}  ({result.score:.2f})"]
            lines += [f"     {result.url}", f"     {named or 'not categorized'}"]
        return "\n".join(lines)


def facet_tree(facets: Sequence[Facet]) -> list[tuple[int, Facet]]:
    """Return *facets* as a tree, depth first: each behind the nearest facet above it, with its level there, from 0 on.

    Of one level they stay in the order of *facets*.
    """
    below: dict[str, list[Facet]] = {}
    names = {facet.name for facet in facets}
    for facet in facets:
        above = next((name for name in ancestors(facet.name) if name in names), "")
        below.setdefault(above, []).append(facet)
    found = []
    waiting = [(0, facet) for facet in reversed(below.get("", []))]
    while waiting:
        level, facet = waiting.pop()
        found.append((level, facet))
        waiting += [(level + 1, child) for child in reversed(below.get(facet.name, []))]
    return found


def answer(
    folder: Path,
    query: str,
    options: FacetOptions | None = None,
    *,
    chosen: Sequence[str] = (),
    n_results: int = 10,
) -> FacetAnswer:
    """Return facets and the *n_results* best results of *query* over the corpus in *folder*.

    *chosen*: facets by which the results are ranked, unbiased rank where there are none. Raises
    `InputError` when there is no index, no rank vectors, or no such facet.
    """
    search = FacetSearch(folder)
    return answer_with(search, query, options, chosen=chosen, n_results=n_results)


def answer_with(
    search: FacetSearch,
    query: str,
    options: FacetOptions | None = None,
    *,
    chosen: Sequence[str] = (),
    n_results: int = 10,
) -> FacetAnswer:
    """Answer as `answer` does, with a *search* that is open."""
    wanted = options or FacetOptions()
    names = search.vectors.names
    ranked_by = sorted({search.number(name) for name in chosen}) or [0]
    _check_weights(search, ranked_by, wanted.weights)
    started = time.perf_counter()
    found = search.candidates(query, wanted.candidates)
    shares = search.facets(found, ranked_by, wanted)
    products = search.products(found, ranked_by, wanted.weights)
    results = [
        _result(search, found, place, float(products[place]), theta=wanted.theta)
        for place in search.best(found, ranked_by, n_results, wanted.weights).tolist()
    ]
    return FacetAnswer(
        query=query,
        ranked_by=[names[facet] for facet in ranked_by],
        found=found.n_found,
        facets=[
            Facet(names[facet], share, share >= HIGHLIGHT_SHARE)
            for facet, share in shares.suggested()
        ],
        results=results,
        sampled=[names[facet] for facet in shares.sampled],
        rounds=shares.rounds,
        seconds=time.perf_counter() - started,
        is_stale=search.is_stale,
    )


def _check_weights(
    search: FacetSearch, ranked_by: Sequence[int], weights: Mapping[str, float]
) -> None:
    dimensions = dict.fromkeys(search.vectors.dimensions[facet] for facet in ranked_by)
    for name in weights:
        if name not in dimensions:
            raise InputError(
                f"--weight has {name!r}, a dimension of no facet that ranks the results; they are of "
                f"{', '.join(dimensions)}"
            )


def _result(
    search: FacetSearch, found: Candidates, place: int, product: float, *, theta: float
) -> Result:
    """Return what is shown of the page at *place* of *found*, with its memberships of *theta* or more."""
    page_id = int(found.page_ids[place])
    url, title = search.index.shown(page_id)
    members = search.vectors.table.of_page(int(found.rows[place]))
    names = search.vectors.names
    shares = {names[f]: round(m, 6) for f, m in members.items() if f and m >= theta}
    score = float(found.scores[place])
    return Result(page_id >> 32, page_id & 0xFFFFFFFF, url, title, product, score, shares)
