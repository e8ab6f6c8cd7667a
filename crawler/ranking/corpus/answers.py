"""Answers as they were stored, and what is taken of the pages that they are: of several of a page the last one
counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from crawler.page import build_page
from crawler.urls import page_key
from crawler.webgraph.graph import Graph

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Container, Hashable, Iterable
    from pathlib import Path

    from crawler.page import PageLimits, PageModel, PageRules

_Key = TypeVar("_Key", bound="Hashable")
_Taken = TypeVar("_Taken")


class StoredPage(NamedTuple):
    """An answer as it was stored, its *body* None if it cannot be decoded; *when* orders those of a page."""

    url: str
    when: float
    content_type: str | None
    body: bytes | None


class MadeBy(NamedTuple):
    """What pages are made by, among it the k of their pagelets."""

    limits: PageLimits
    rules: PageRules

    def page(self, stored: StoredPage) -> PageModel:
        """Return the page that *stored*, which has a body, is."""
        assert stored.body is not None
        return build_page(
            stored.body,
            url=stored.url,
            content_type=stored.content_type,
            limits=self.limits,
            rules=self.rules,
        )


def last_of_each(
    pages: Iterable[StoredPage],
    key: Callable[[StoredPage], _Key | None],
    take: Callable[[_Key, StoredPage], _Taken],
) -> dict[_Key, _Taken]:
    """Return what *take* gives of the last answer of each *key*, None for an answer that does not count.

    Of two answers of one time the later one in *pages* is the last. Those that come in order are all taken, and let go.
    """
    taken: dict[_Key, tuple[float, _Taken]] = {}
    for page in pages:
        name = key(page)
        if name is not None and (name not in taken or page.when >= taken[name][0]):
            taken[name] = page.when, take(name, page)
    return {name: each for name, (_, each) in taken.items()}


def taken_of_pages(
    folder: Path,
    pages: Iterable[StoredPage],
    made_by: MadeBy,
    take: Callable[[Graph, int, PageModel], _Taken],
    *,
    only: Container[int] | None = None,
    left: Counter[str] | None = None,
) -> dict[int, _Taken]:
    """Return what *take* gives of each of *pages* of the corpus in *folder*, by PageId.

    *only*: of these pages alone, None for all. *left* counts the answers that are ``unknown`` to the graph, and those
    that are ``undecodable``. Raises :exc:`InputError` when there is no graph.
    """
    with Graph.open(folder) as graph:

        def number_of(page: StoredPage) -> int | None:
            number = page_number(graph, page.url)
            if number is None or page.body is None:
                if left is not None:
                    left["unknown" if number is None else "undecodable"] += 1
                return None
            return number if only is None or number in only else None

        return last_of_each(
            pages, number_of, lambda number, page: take(graph, number, made_by.page(page))
        )


def page_number(graph: Graph, url: str) -> int | None:
    """Return the id of the page *url*, None where it is not known."""
    key = page_key(url)
    if key is None:
        return None
    ids, known = graph.find([key])
    return int(ids[0]) if known[0] else None
