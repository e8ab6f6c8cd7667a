"""The text blocks of boilerpipe: atomic ones, and those that its filters fuse.

A fused block adds up words, linked words, words in full lines and full lines of its parts; its
density is the quotient of the last two, so that a wrapped part gives it more than a short one. Blocks
know the offsets, among the blocks of the page, of their first and last part.

*Source: the released boilerpipe 1.1 (Kohlschütter 2009-2011), document model.* Atomic blocks are those
of ``PageRules(inline="transparent")``; what stands in ``noscript`` is no text there. The program
numbers a separator such as ``-`` as a block without words, which our page model does not have.
Cost: O(n) for all fusions together. Invariant: each atomic block is in at most one block of a document.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipelines.boilerplate.boilerpipe.markers import (
    comparable,
    indicates_end_of_text,
    title_candidates,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from crawler.page import PageModel


@dataclass(slots=True, eq=False)
class TextBlock:
    """An atomic or fused block; *parts* are the numbers of its atomic blocks on the page."""

    parts: list[int]
    first: int
    last: int
    n_words: int
    linked_words: int
    full_line_words: int
    full_lines: int
    is_content: bool = False
    is_title: bool = False
    ends_text: bool = False
    might_be_content: bool = False

    @property
    def text_density(self) -> float:
        """Words a full line; all lines are full in a block of one line."""
        return self.full_line_words / self.full_lines

    def fuse(self, following: TextBlock) -> None:
        """Make *following* a part of this block; a label of either is one of both."""
        self.parts += following.parts
        self.first = min(self.first, following.first)
        self.last = max(self.last, following.last)
        self.n_words += following.n_words
        self.linked_words += following.linked_words
        self.full_line_words += following.full_line_words
        self.full_lines += following.full_lines
        self.is_content |= following.is_content
        self.is_title |= following.is_title
        self.ends_text |= following.ends_text
        self.might_be_content |= following.might_be_content


class Features(NamedTuple):
    """What the published trees ask of blocks, for those of a document; one entry a block."""

    n_words: npt.NDArray[np.uint32]
    link_density: npt.NDArray[np.float64]
    text_density: npt.NDArray[np.float64]


def text_blocks(page: PageModel) -> list[TextBlock]:
    """Return the atomic blocks of *page* that boilerpipe sees."""
    blocks = page.blocks
    is_muted = np.array(["/noscript" in path for path in blocks.paths.strings], dtype=np.bool_)
    numbers = np.flatnonzero(~is_muted[blocks.path_number]) if len(blocks) else np.arange(0)
    is_wrapped = blocks.n_lines > 1
    columns = (
        numbers,
        blocks.n_words[numbers],
        blocks.linked_words[numbers],
        (blocks.n_words - blocks.last_line_tokens * is_wrapped)[numbers],
        (blocks.n_lines - is_wrapped)[numbers],
    )
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [
        TextBlock([number], offset, offset, *counts)
        for offset, (number, *counts) in enumerate(rows)
    ]


def features(blocks: Sequence[TextBlock]) -> Features:
    """Return the features of *blocks*."""
    n_words = np.array([block.n_words for block in blocks], dtype=np.uint32)
    linked = np.array([block.linked_words for block in blocks], dtype=np.uint32)
    density = np.array([block.text_density for block in blocks], dtype=np.float64)
    return Features(n_words, linked / n_words, density)


def mark_ends_of_text(blocks: Sequence[TextBlock], page: PageModel) -> None:
    """Mark the atomic *blocks* that begin a comment section or the like."""
    for block in blocks:
        text = page.blocks.text[block.parts[0]]
        block.ends_text = indicates_end_of_text(text, block.n_words)


def mark_titles(blocks: Sequence[TextBlock], page: PageModel) -> None:
    """Mark the atomic *blocks* that show the title of *page*."""
    candidates = title_candidates(page.title)
    longest = max(map(len, candidates), default=0)
    for block in blocks:
        text = page.blocks.text[block.parts[0]]
        # a text that is much longer is no title, apostrophes or not
        block.is_title = len(text) <= 2 * longest and comparable(text) in candidates


def kept_parts(blocks: Sequence[TextBlock], n_blocks: int) -> npt.NDArray[np.bool_]:
    """Return which of the *n_blocks* atomic blocks of a page are in content blocks; bool[n]."""
    kept = np.zeros(n_blocks, dtype=np.bool_)
    kept[[part for block in blocks if block.is_content for part in block.parts]] = True
    return kept
