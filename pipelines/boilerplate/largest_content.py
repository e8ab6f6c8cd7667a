"""Largest Content Filter: of the content that another method finds, the largest region only.

Content blocks with at most *max_gap* other blocks between one and the next make a region; of the
region with the most words in content blocks, the first of equals, the content blocks are kept.

*Source: Kohlschütter 2011, section 4.4.3*, which applies it to the two trees and leaves out that
neighbouring content blocks are merged before: of atomic blocks the largest is one paragraph. The
merging is that of the program that its author released, boilerpipe's BlockProximityFusion of
distance 1. Cost: that of the base, and O(n).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate import registry
from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.option_ranges import check_least
from pipelines.boilerplate.reasons import Reason, Reasons

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.page.limits import Inline
    from pipelines.boilerplate.labels import Cleaner


class LargestContent:
    """The filter on top of the method called *base*, with the blocks that this one wants."""

    inline: Inline = "gap"

    def __init__(self, *, base: str = "numwords-tree", max_gap: int = 1):
        check_least(0, max_gap=max_gap)
        self.base = registry.get(base)
        self.inline = self.base.inline
        self.max_gap = max_gap

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        kept = self.base.label(page).kept
        return labels_of(largest_region(kept, page.blocks.n_words, self.max_gap))

    def reasons(self, page: PageModel) -> Reasons:
        """Return the base's reasons, and which of its content lies outside of the largest region of *page*."""
        lost = self.base.label(page).kept & ~self.label(page).kept
        outside = dict.fromkeys(np.flatnonzero(lost).tolist(), "outside of the largest region")
        return with_losses(self.base, page, outside)


def with_losses(base: Cleaner, page: PageModel, lost: Mapping[int, str]) -> Reasons:
    """Return the reasons of *base* for the blocks of *page*, and why a filter dropped those that are *lost*."""
    tell = getattr(base, "reasons", None)
    of_base: Reasons = Reasons([]) if tell is None else tell(page)
    told = of_base.blocks or [Reason("")] * len(page.blocks)
    blocks = [
        reason._replace(said=", but ".join(filter(None, (reason.said, lost.get(place)))))
        for place, reason in enumerate(told)
    ]
    return Reasons(of_base.page, blocks)


def largest_region(
    kept: npt.NDArray[np.bool_], n_words: npt.NDArray[np.uint32], max_gap: int
) -> npt.NDArray[np.bool_]:
    """Return which of the *kept* blocks belong to the region with the most words; bool[n]."""
    largest = np.zeros_like(kept)
    numbers = np.flatnonzero(kept)
    if numbers.size:
        region = np.concatenate(([0], np.cumsum(np.diff(numbers) > max_gap + 1)))
        words = np.bincount(region, weights=n_words[numbers])
        largest[numbers[region == words.argmax()]] = True
    return largest
