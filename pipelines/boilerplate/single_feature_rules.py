"""The rules with one feature and one threshold, as the simplest classifiers of news pages.

With n the words, ld the link density and rho the text density of a block, it is content iff

- ``WordsRule``: n > 15;
- ``LinkDensityRule``: ld <= .33;
- ``TextDensityRule``: rho >= 10.5, the only rule that 1R learned from all features.

*Source: Kohlschütter 2011, section 4.4.3, table 4.9* ("@15", "@0.33", "1R: text density @10.5"). The
published classifier of link density alone has 16 leaves in the two-class problem; the rule is its
main threshold. Cost: O(n).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.option_ranges import check_least, check_shares
from pipelines.boilerplate.reasons import comparisons, of_blocks

if TYPE_CHECKING:
    from crawler.page import PageModel
    from crawler.page.limits import Inline
    from pipelines.boilerplate.reasons import Reasons


class WordsRule:
    """Keeps blocks of more than *words* words."""

    inline: Inline = "gap"

    def __init__(self, *, words: int = 15):
        check_least(0, words=words)
        self.words = words

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        return labels_of(page.blocks.n_words > self.words)

    def reasons(self, page: PageModel) -> Reasons:
        """Return the words of each block of *page* against the limit."""
        told = comparisons("words", page.blocks.n_words.tolist(), self.words)
        return of_blocks("Long blocks are kept.", told)


class LinkDensityRule:
    """Keeps blocks of a link density of at most *max_link_density*, 0 to 1."""

    inline: Inline = "gap"

    def __init__(self, *, max_link_density: float = 0.33):
        check_shares(max_link_density=max_link_density)
        self.max_link_density = max_link_density

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        return labels_of(page.blocks.link_density <= self.max_link_density)

    def reasons(self, page: PageModel) -> Reasons:
        """Return the link density of each block of *page* against the limit."""
        told = comparisons("link density", page.blocks.link_density.tolist(), self.max_link_density)
        return of_blocks("Blocks of few links are kept.", told)


class TextDensityRule:
    """Keeps blocks of a text density of at least *min_density* words a line."""

    inline: Inline = "gap"

    def __init__(self, *, min_density: float = 10.5):
        check_least(0, min_density=min_density)
        self.min_density = min_density

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        return labels_of(page.blocks.text_density >= self.min_density)

    def reasons(self, page: PageModel) -> Reasons:
        """Return the text density of each block of *page* against the limit."""
        density = page.blocks.text_density.tolist()
        told = comparisons("text density", density, self.min_density, or_equal=True)
        return of_blocks("Dense blocks are kept.", told)
