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
from crawler.page.greek_letters import without_tonos
from crawler.page.words import nfc, search_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from crawler.page import PageModel


class QueryMatches(NamedTuple):
    """What matches *query*: *pages*, uint64[n], ascending, and pagelets, *pagelet[i]* of page *owner[i]*."""

    query: str
    pages: npt.NDArray[np.uint64]
    owner: npt.NDArray[np.uint64]
    pagelet: npt.NDArray[np.uint32]


class Found(NamedTuple):
    """Of a page: whether all of it matches, and which of its pagelets do."""

    matches: bool
    pagelets: list[int]


class Query:
    """The words of a query; raises :exc:`InputError` when *text* has none."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._words = _words(text)
        if not self._words:
            raise InputError(f"--query {text!r} has no word; give one or more")

    def found(self, model: PageModel) -> Found:
        """Return what of the page *model* matches."""
        text, pagelets = model.blocks.text, model.pagelets
        ranges = zip(pagelets.first_block.tolist(), pagelets.end_block.tolist(), strict=True)
        matching = [n for n, (first, end) in enumerate(ranges) if self._is_in(text[first:end])]
        return Found(bool(matching) or self._is_in(text), matching)

    def matches(self, found: Mapping[int, Found]) -> QueryMatches:
        """Return what matches of pages of which that is *found*, by PageId; raise :exc:`InputError` for nothing."""
        matching = np.array([n for n, its in found.items() if its.matches], dtype=np.uint64)
        if not len(matching):
            raise InputError(
                f"no page has the words of --query {self.text!r} in a row; give others"
            )
        owner = [np.full(len(its.pagelets), n, dtype=np.uint64) for n, its in found.items()]
        pagelet = [np.array(its.pagelets, dtype=np.uint32) for its in found.values()]
        return QueryMatches(
            self.text, np.unique(matching), np.concatenate(owner), np.concatenate(pagelet)
        )

    def _is_in(self, blocks: Sequence[str]) -> bool:
        """Tell whether the words stand in *blocks* in a row."""
        return f" {' '.join(self._words)} " in f" {' '.join(_words(' '.join(blocks)))} "


def _words(text: str) -> list[str]:
    return search_words(without_tonos(nfc(text)))
