"""Page partitioning as a template detector: pagelets that several pages of a site have.

A page is divided into pagelets (`crawler.page.pagelets`); one is a template when *min_pages* of the training pages or
more have one that has a print of its shingles in common with it (`crawler.page.pagelet_prints`), whether or not these
pages are linked; the blocks of templates go. Pagelets without words are none.

*Source: Bar-Yossef and Rajagopalan 2002, figures 3 and 4 (local template detection),* as a method that removes text:
Yi, Liu and Li 2003 set it beside theirs, and Gottron 2008, 8.2, would have it learn from the pages of his bootstrap.

Cost: O(w) for w words. Memory: 400 bytes a pagelet of the training pages.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Self

import numpy as np

from crawler.page.pagelet_prints import shingle_prints, word_hashes
from pipelines.templates.detectors.document_frequency import checked_count
from pipelines.templates.detectors.page_nodes import PageNodes
from pipelines.templates.detectors.training import Learner

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from crawler.page import PageModel
    from pipelines.templates.detectors.kept import Kept


class PagePartitioning(Learner):
    """Drops pagelets that *min_pages* training pages have almost alike."""

    def __init__(self, *, min_pages: int = 2, max_pages: int = 200):
        self.min_pages = checked_count("min_pages", min_pages)
        self.max_pages = checked_count("max_pages", max_pages)
        self._counts: Counter[tuple[int, int]] = Counter()

    def read(self, page: PageModel) -> set[tuple[int, int]]:
        """Return the prints of the pagelets of *page*."""
        return {each for _, prints in _pagelets(page) for each in prints}

    def learn(self, readings: Iterable[set[tuple[int, int]]]) -> Self:
        """Count the prints of the pagelets of pages."""
        self._counts = Counter()
        for prints in readings:
            self._counts.update(prints)
        return self

    def extract(self, page: PageModel) -> Kept:
        """Return what stays of *page*."""
        stays = np.ones(len(page.blocks), np.bool_)
        for blocks, prints in _pagelets(page):
            if any(self._counts[each] >= self.min_pages for each in prints):
                stays[blocks] = False
        return PageNodes(page).kept_by_blocks(stays)


def _pagelets(page: PageModel) -> Iterator[tuple[slice, list[tuple[int, int]]]]:
    """Yield the blocks of each pagelet with words, and its prints, each with its number."""
    pagelets, text = page.pagelets, page.blocks.text
    for first, end in zip(pagelets.first_block.tolist(), pagelets.end_block.tolist(), strict=True):
        words = word_hashes(" ".join(text[first:end]).split())
        if len(words):
            yield slice(first, end), list(enumerate(shingle_prints(words).tolist()))
