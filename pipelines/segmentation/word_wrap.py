"""WordWrap: all text of the page wrapped at w_max columns; every line is a segment.

Lines straddle blocks: the first word of a block follows the last one of the block before. A word that
is longer than w_max stands alone on its line.

*Source: Kohlschütter 2011, section 4.2.3 (WORDWRAP).* Cost: O(characters), in Python's time. There
is no number of a block, only labels of words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.page.lines import W_MAX
from crawler.page.words import columns, density_tokens, has_spaceless_script

if TYPE_CHECKING:
    import numpy.typing as npt

    from pipelines.segmentation.segmenter import WrappedBlocks


class WordWrap:
    """Takes a line of *w_max* columns (at least 1) for a segment."""

    name = "WordWrap"

    def __init__(self, *, w_max: int = W_MAX):
        if w_max < 1:
            raise ValueError(f"w_max must be at least 1, got {w_max}")
        self.w_max = w_max

    def token_labels(self, blocks: WrappedBlocks) -> npt.NDArray[np.uint32]:
        """Return the line that each density token of *blocks* stands on."""
        widths = [width for text in blocks.text for width in _widths(text)]
        # ends[i]: column behind word i if all words stood on one line, with a space after each.
        ends = np.cumsum(np.array(widths, dtype=np.int64) + 1)
        labels = np.zeros(len(widths), dtype=np.uint32)
        first = 0
        while first < len(widths):
            start = int(ends[first - 1]) if first else 0
            fits = int(np.searchsorted(ends, start + self.w_max + 1, side="right"))
            first = max(fits, first + 1)
            labels[first : first + 1] = 1
        return np.cumsum(labels, dtype=np.uint32)


def _widths(text: str) -> list[int]:
    width = columns if has_spaceless_script(text) else len
    return [width(word) for word in density_tokens(text)]
