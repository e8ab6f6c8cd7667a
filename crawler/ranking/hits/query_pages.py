"""The pages and the pagelets of a crawl whose text has the words of a query: what ``scrapy hits --query`` leaves.

The words must stand in the text one behind the other; case does not count, nor what stands between words. *Source:
Bar-Yossef and Rajagopalan 2002, section 5, whose FNM filters what "the query term does not occur in"; how they compare
is not told.* A page's text is that of all its pagelets, menus too, so that a page may match by its template
alone; with pagelets as hubs, and without templates, such ones are gone.

Memory: 20 bytes a pagelet that matches, and some 200 a page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.errors import InputError
from crawler.page import build_page
from crawler.page.words import nfc, search_words
from crawler.ranking.corpus.pagelets import page_number
from crawler.webgraph.graph import Graph

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from crawler.page import PageLimits, PageModel
    from crawler.ranking.corpus.pagelets import StoredPage


class QueryMatches(NamedTuple):
    """What matches *query*: *pages*, uint64[n], ascending, and pagelets, *pagelet[i]* of page *owner[i]*."""

    query: str
    pages: npt.NDArray[np.uint64]
    owner: npt.NDArray[np.uint64]
    pagelet: npt.NDArray[np.uint32]


class _Found(NamedTuple):
    """Of the answer of a page: whether all of it matches, and which of its pagelets do."""

    when: float
    matches: bool
    pagelets: list[int]


def query_matches(
    folder: Path, pages: Iterable[StoredPage], query: str, *, limits: PageLimits
) -> QueryMatches:
    """Return what of *pages* of the corpus in *folder* matches *query*; the last answer of a page counts.

    Raises :exc:`InputError` when there is no graph, *query* has no word, or no page matches.
    """
    words = search_words(nfc(query))
    if not words:
        raise InputError(f"--query {query!r} has no word; give one or more")
    found: dict[int, _Found] = {}
    with Graph.open(folder) as graph:
        for page in pages:
            number = page_number(graph, page.url)
            if number is None or page.body is None:
                continue
            if number in found and page.when < found[number].when:
                continue
            model = build_page(
                page.body, url=page.url, content_type=page.content_type, limits=limits
            )
            found[number] = _found(page.when, model, words)
    matching = np.array([n for n, its in found.items() if its.matches], dtype=np.uint64)
    if not len(matching):
        raise InputError(f"no page has the words of --query {query!r} in a row; give others")
    owner = [np.full(len(its.pagelets), n, dtype=np.uint64) for n, its in found.items()]
    pagelet = [np.array(its.pagelets, dtype=np.uint32) for its in found.values()]
    return QueryMatches(query, np.unique(matching), np.concatenate(owner), np.concatenate(pagelet))


def _found(when: float, model: PageModel, words: list[str]) -> _Found:
    text, pagelets = model.blocks.text, model.pagelets
    ranges = zip(pagelets.first_block.tolist(), pagelets.end_block.tolist(), strict=True)
    matching = [n for n, (first, end) in enumerate(ranges) if _has(text[first:end], words)]
    return _Found(when, bool(matching) or _has(text, words), matching)


def _has(blocks: Sequence[str], words: list[str]) -> bool:
    """Tell whether *words* stand in *blocks* in a row."""
    return f" {' '.join(words)} " in f" {' '.join(search_words(' '.join(blocks)))} "
