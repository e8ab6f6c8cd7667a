"""The rule learned from CleanEval: dense blocks with few links are content.

A block is content iff its text density is at least 7 and its link density at most .35.

*Source: Kohlschütter 2011, section 4.4.3*: what C4.8 learned from CleanEval's 58 training pages.
Cost: O(n).
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


class CleanEvalRule:
    """Keeps blocks of at least *min_density* words a line and at most *max_link_density*, 0 to 1."""

    inline: Inline = "gap"

    def __init__(self, *, min_density: float = 7.0, max_link_density: float = 0.35):
        check_least(0, min_density=min_density)
        check_shares(max_link_density=max_link_density)
        self.min_density = min_density
        self.max_link_density = max_link_density

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        blocks = page.blocks
        is_dense = blocks.text_density >= self.min_density
        return labels_of(is_dense & (blocks.link_density <= self.max_link_density))

    def reasons(self, page: PageModel) -> Reasons:
        """Return the densities of each block of *page* against their limits."""
        text, links = page.blocks.text_density.tolist(), page.blocks.link_density.tolist()
        told = zip(
            comparisons("text density", text, self.min_density, or_equal=True),
            comparisons("link density", links, self.max_link_density),
            strict=True,
        )
        return of_blocks("Dense blocks of few links are kept.", map(", ".join, told))
