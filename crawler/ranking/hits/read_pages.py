"""What HITS takes of the pages' answers, all of it in one reading: what matches a query, and the weights of anchors."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from crawler.page import build_page
from crawler.ranking.corpus.pagelets import page_number
from crawler.ranking.hits.anchor_weights import Anchors, page_anchors, weigh_anchors
from crawler.ranking.hits.query_pages import Found, Query
from crawler.webgraph.graph import Graph

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable
    from pathlib import Path

    from crawler.page import PageModel
    from crawler.ranking.corpus.pagelets import MadeBy, StoredPage
    from crawler.ranking.hits.anchor_weights import WeighedAnchors
    from crawler.ranking.hits.query_pages import QueryMatches

_Taken = TypeVar("_Taken")


class _OfPage(NamedTuple):
    found: Found | None
    anchors: Anchors | None


def taken_of_pages(
    folder: Path,
    pages: Iterable[StoredPage],
    made_by: MadeBy,
    take: Callable[[Graph, PageModel], _Taken],
    *,
    only: Container[int] | None = None,
) -> dict[int, _Taken]:
    """Return what *take* gives of each of *pages* of the corpus in *folder*, by PageId; the last answer of a page counts.

    *only*: of these pages alone, None for all. Raises :exc:`InputError` when there is no graph.
    """
    taken: dict[int, tuple[float, _Taken]] = {}
    with Graph.open(folder) as graph:
        for page in pages:
            number = page_number(graph, page.url)
            if number is None or page.body is None or not (only is None or number in only):
                continue
            if number in taken and page.when < taken[number][0]:
                continue
            model = build_page(
                page.body,
                url=page.url,
                content_type=page.content_type,
                limits=made_by.limits,
                rules=made_by.rules,
            )
            taken[number] = page.when, take(graph, model)
    return {number: each for number, (_, each) in taken.items()}


def read_pages(
    folder: Path,
    pages: Iterable[StoredPage],
    made_by: MadeBy,
    *,
    query: str | None = None,
    with_anchors: bool = False,
) -> tuple[QueryMatches | None, WeighedAnchors | None]:
    """Return what of *pages* matches *query*, and *with_anchors* the weights of their anchors.

    Raises :exc:`InputError` when there is no graph, *query* has no word, or no page matches.
    """
    asked = None if query is None else Query(query)

    def take(graph: Graph, model: PageModel) -> _OfPage:
        return _OfPage(
            None if asked is None else asked.found(model),
            page_anchors(graph, model) if with_anchors else None,
        )

    taken = taken_of_pages(folder, pages, made_by, take)
    found = {number: each.found for number, each in taken.items() if each.found is not None}
    anchors = {number: each.anchors for number, each in taken.items() if each.anchors is not None}
    return (
        None if asked is None else asked.matches(found),
        weigh_anchors(anchors) if with_anchors else None,
    )
