"""Minimum words: every block of at least so many words is content.

*Source: Kohlschütter 2011, section 4.4.3*, which marks blocks of at least 10 words, the feature of
the highest information gain, as the simple strategy that CleanEval's contestants hardly surpass.
Cost: O(n).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.option_ranges import check_least
from pipelines.boilerplate.reasons import comparisons, of_blocks

if TYPE_CHECKING:
    from crawler.page import PageModel
    from crawler.page.limits import Inline
    from pipelines.boilerplate.reasons import Reasons


class MinimumWords:
    """Keeps blocks of *min_words* words and more; at least 1, which keeps them all."""

    inline: Inline = "gap"

    def __init__(self, *, min_words: int = 10):
        check_least(1, min_words=min_words)
        self.min_words = min_words

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        return labels_of(page.blocks.n_words >= self.min_words)

    def reasons(self, page: PageModel) -> Reasons:
        """Return the words of each block of *page* against the limit."""
        n_words = page.blocks.n_words.tolist()
        told = comparisons("words", n_words, self.min_words, or_equal=True)
        return of_blocks("Long blocks are kept.", told)
