"""The NumWords/LinkDensity tree: main content by the words of a block and its two neighbours.

With n the words and ld the link density of the previous, current and next atomic block of the page
(zeros beyond its ends), the decision tree that C4.8 learned on the L3S-GN1 news pages, reduced::

    cur.ld <= 1/3
    |  prev.ld <= 5/9
    |  |  cur.n <= 16
    |  |  |  next.n <= 15
    |  |  |  |  prev.n <= 4: BOILERPLATE
    |  |  |  |  prev.n > 4: CONTENT
    |  |  |  next.n > 15: CONTENT
    |  |  cur.n > 16: CONTENT
    |  prev.ld > 5/9
    |  |  cur.n <= 40
    |  |  |  next.n <= 17: BOILERPLATE
    |  |  |  next.n > 17: CONTENT
    |  |  cur.n > 40: CONTENT
    cur.ld > 1/3: BOILERPLATE

*Source: Kohlschütter 2011, section 4.4.3, algorithm 4.3; Kohlschütter, Fankhauser, Nejdl 2010.*
The thresholds are the printed decimals, which puts a link density of exactly 1/3 above the first
and one of 5/9 below the second. Shapes: all arrays have one entry a block. Cost: O(n), vectorised.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.neighbours import following, previous

if TYPE_CHECKING:
    from typing import Literal

    from crawler.page import PageModel

# The printed thresholds of both published trees.
MAX_LINK_DENSITY = 0.333333
MAX_PREVIOUS_LINK_DENSITY = 0.555556


class NumWordsTree:
    """Algorithm 4.3."""

    inline: Literal["gap", "transparent"] = "gap"

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        n, density = page.blocks.n_words, page.blocks.link_density
        next_n = following(n)
        after_text = (n > 16) | (next_n > 15) | (previous(n) > 4)
        after_links = (n > 40) | (next_n > 17)
        follows_text = previous(density) <= MAX_PREVIOUS_LINK_DENSITY
        kept = (density <= MAX_LINK_DENSITY) & np.where(follows_text, after_text, after_links)
        return labels_of(kept)
