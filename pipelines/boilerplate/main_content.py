"""Main Content Filter: the Largest Content Filter between the title and the comments.

Of the content that another method finds, all is dropped from the first block on that begins a comment
section, and all before the first block that shows the title of the page; of the rest the largest
region is kept (:mod:`pipelines.boilerplate.largest_content`).

*Source: Kohlschütter 2011, section 4.4.3*; the indicator strings and the forms of a title are in
:mod:`pipelines.boilerplate.boilerpipe.markers`. A link to the comments at the head of a page, or a
title that is repeated at its foot, would delete the page: there must be *min_words* words of content
before a comment section (the released boilerpipe's condition), and as many below a title.
Cost: that of the base, and O(n).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate import registry
from pipelines.boilerplate.boilerpipe.markers import (
    comparable,
    indicates_end_of_text,
    title_candidates,
)
from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.largest_content import largest_region, with_losses
from pipelines.boilerplate.option_ranges import check_least

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.page.limits import Inline
    from pipelines.boilerplate.reasons import Reasons


class MainContent:
    """The filter on top of the method called *base*, with the blocks that this one wants."""

    inline: Inline = "gap"

    def __init__(self, *, base: str = "numwords-tree", max_gap: int = 1, min_words: int = 60):
        check_least(0, max_gap=max_gap, min_words=min_words)
        self.base = registry.get(base)
        self.inline = self.base.inline
        self.max_gap = max_gap
        self.min_words = min_words

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        return labels_of(self._decide(page)[0])

    def reasons(self, page: PageModel) -> Reasons:
        """Return the base's reasons, and why which of its content of *page* is dropped."""
        kept, title, comments = self._decide(page)
        lost = {}
        for place in np.flatnonzero(self.base.label(page).kept & ~kept).tolist():
            if place >= comments:
                lost[place] = "from the comments on"
            else:
                lost[place] = (
                    "before the title" if place < title else "outside of the largest region"
                )
        return with_losses(self.base, page, lost)

    def _decide(self, page: PageModel) -> tuple[npt.NDArray[np.bool_], int, int]:
        """Return what is kept of *page*, bool[n], and the places of its title and of its comments."""
        kept = self.base.label(page).kept.copy()
        comments = self._comments_start(page, kept)
        kept[comments:] = False
        title = self._title_place(page, kept)
        kept[:title] = False
        return largest_region(kept, page.blocks.n_words, self.max_gap), title, comments

    def _comments_start(self, page: PageModel, kept: npt.NDArray[np.bool_]) -> int:
        """Return the number of the block that begins the comments; of all blocks, if none does."""
        blocks = page.blocks
        content_before = np.cumsum(blocks.n_words * kept) - blocks.n_words * kept
        for number in np.flatnonzero(content_before >= self.min_words).tolist():
            if indicates_end_of_text(blocks.text[number], int(blocks.n_words[number])):
                return int(number)
        return len(blocks)

    def _title_place(self, page: PageModel, kept: npt.NDArray[np.bool_]) -> int:
        """Return the number of the block that shows the title; 0 if none does."""
        blocks = page.blocks
        candidates = title_candidates(page.title)
        longest = max(map(len, candidates), default=0)
        content_from = np.cumsum((blocks.n_words * kept)[::-1])[::-1]
        for number, text in enumerate(blocks.text):
            if content_from[number] < self.min_words:
                break
            # apostrophes are dropped: a text that is much longer need not be looked at
            if len(text) <= 2 * longest and comparable(text) in candidates:
                return number
        return 0
