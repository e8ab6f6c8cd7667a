"""The densitometric tree: main content by the text density of a block and its two neighbours.

With d the text density and ld the link density of the previous, current and next atomic block of
the page (zeros beyond its ends)::

    cur.ld <= 1/3
    |  prev.ld <= 5/9
    |  |  cur.d <= 9
    |  |  |  next.d <= 10
    |  |  |  |  prev.d <= 4: BOILERPLATE
    |  |  |  |  prev.d > 4: CONTENT
    |  |  |  next.d > 10: CONTENT
    |  |  cur.d > 9
    |  |  |  next.d = 0: BOILERPLATE
    |  |  |  next.d > 0: CONTENT
    |  prev.ld > 5/9
    |  |  next.d <= 11: BOILERPLATE
    |  |  next.d > 11: CONTENT
    cur.ld > 1/3: BOILERPLATE

*Source: Kohlschütter 2011, section 4.4.3, algorithm 4.2; Kohlschütter, Fankhauser, Nejdl 2010.*
Blocks have a word at least, so that next.d = 0 means the last block of the page, which is
boilerplate. Shapes: all arrays have one entry a block. Cost: O(n), vectorised.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.neighbours import following, previous
from pipelines.boilerplate.numwords_tree import MAX_LINK_DENSITY, MAX_PREVIOUS_LINK_DENSITY

if TYPE_CHECKING:
    from typing import Literal

    from crawler.page import PageModel


class DensitometricTree:
    """Algorithm 4.2."""

    inline: Literal["gap", "transparent"] = "gap"

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        text, links = page.blocks.text_density, page.blocks.link_density
        next_text = following(text)
        after_text = np.where(text <= 9, (next_text > 10) | (previous(text) > 4), next_text != 0)
        follows_text = previous(links) <= MAX_PREVIOUS_LINK_DENSITY
        kept = (links <= MAX_LINK_DENSITY) & np.where(follows_text, after_text, next_text > 11)
        return labels_of(kept)
