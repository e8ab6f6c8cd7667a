"""What HITS takes of the pages' answers, all of it in one reading: what matches a query, and the weights of anchors."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from crawler.ranking.corpus.answers import taken_of_pages
from crawler.ranking.hits.anchor_weights import Anchors, page_anchors, weigh_anchors
from crawler.ranking.hits.query_pages import Found, Query

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from crawler.page import PageModel
    from crawler.ranking.corpus.answers import MadeBy, StoredPage
    from crawler.ranking.hits.anchor_weights import WeighedAnchors
    from crawler.ranking.hits.query_pages import QueryMatches
    from crawler.webgraph.graph import Graph


class _OfPage(NamedTuple):
    found: Found | None
    anchors: Anchors | None


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

    def take(graph: Graph, _number: int, model: PageModel) -> _OfPage:
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
