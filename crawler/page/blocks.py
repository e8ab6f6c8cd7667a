"""Atomic blocks: the text between two gaps.

A gap is a run of one or more tags of which at least one is not ``a``; it keeps the set of all their
names, ``a`` included. *Source: Kohlschütter 2011, section 4.2.1.* Comments and processing
instructions are no tags. Text without a word makes no block: the gaps around it become one.
A word is linked when its first letter or digit stands inside an ``a``.

Shapes: all of :class:`Blocks` has one entry a block, in page order. Cost: O(characters).
Invariant: every block has at least one word, and at most as many linked words.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.lines import W_MAX, wrap_counts
from crawler.page.tags import GAP_BITS, kind_of
from crawler.page.words import block_words, density_tokens, has_spaceless_script

if TYPE_CHECKING:
    import numpy.typing as npt

A_BIT = GAP_BITS["a"]
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
_cached_kind_of = lru_cache(maxsize=4096)(kind_of)


@dataclass(slots=True, eq=False)
class Blocks:
    """The atomic blocks of a page, as a struct of arrays over n blocks.

    ``text`` has whitespace collapsed and is in NFC. ``n_tokens`` counts the words of all wrapped
    lines and equals ``n_words``. ``gap_mask`` holds the gap before the block as bits of
    :data:`crawler.page.tags.GAP_BITS`, for the first one that from the start of the document.
    ``kind``: paragraph, heading1 to heading6, item, cell, code or quote. ``path``: ``body/div/p``.
    """

    text: list[str]
    n_words: npt.NDArray[np.uint32]
    linked_words: npt.NDArray[np.uint32]
    n_tokens: npt.NDArray[np.uint32]
    n_lines: npt.NDArray[np.uint32]
    last_line_tokens: npt.NDArray[np.uint32]
    gap_mask: npt.NDArray[np.uint64]
    kind: list[str]
    path: list[str]

    def __len__(self) -> int:
        return len(self.text)

    @property
    def link_density(self) -> npt.NDArray[np.float64]:
        """Share of the words that are linked, 0 to 1."""
        return self.linked_words / np.maximum(self.n_words, 1).astype(np.float64)

    @property
    def text_density(self) -> npt.NDArray[np.float64]:
        """Words a wrapped line, the last line left out unless it is the only one."""
        full_lines = self.n_lines > 1
        n_counted = self.n_tokens - np.where(full_lines, self.last_line_tokens, 0)
        return n_counted / np.where(full_lines, self.n_lines - full_lines, 1).astype(np.float64)


class BlockBuilder:
    """Takes text and gaps in page order and makes the blocks of them.

    The scan writes *parts* (text with its references decoded), *flags* (whether a part is linked),
    *has_text* (whether a part is more than whitespace) and *gap* itself, once a tag or text.
    """

    __slots__ = (
        *("counts", "cut", "flags", "gap", "gaps", "has_text", "max_blocks", "parts", "paths"),
        *("pending_a", "texts"),
    )

    def __init__(self, max_blocks: int) -> None:
        self.max_blocks = max_blocks
        self.cut = False
        self.texts: list[str] = []
        self.paths: list[str] = []
        self.gaps: list[int] = []
        # words, linked words, lines, words of the last line
        self.counts = array("I")
        self.parts: list[str] = []
        self.flags: list[bool] = []
        self.gap = 0
        self.has_text = False
        self.pending_a = 0

    def __len__(self) -> int:
        return len(self.texts)

    def add_a(self) -> None:
        """Note an ``a`` tag: it makes no gap, and belongs to the one that it stands in."""
        if self.has_text:
            self.pending_a = A_BIT
        else:
            self.gap |= A_BIT

    def end_block(self, path: str) -> None:
        """End the block at hand, which stood under *path*; the gap after it begins."""
        parts = self.parts
        text, words, full_width = block_words(parts[0] if len(parts) == 1 else "".join(parts))
        if words and len(self.texts) >= self.max_blocks:
            self.cut = True
        elif words:
            n_linked = self._n_linked(words) if True in self.flags else 0
            # Most blocks are one line; their text is at least as long as their words.
            one_line = len(text) <= W_MAX and not full_width
            lines = (1, len(words)) if one_line else wrap_counts(words, full_width=full_width)
            self.texts.append(text)
            self.paths.append(path)
            self.gaps.append(self.gap)
            self.counts.extend((len(words), n_linked, *lines))
            self.gap = 0
        self.gap |= self.pending_a
        self.pending_a = 0
        self.has_text = False
        self.parts = []
        self.flags = []

    def _n_linked(self, words: list[str]) -> int:
        if False not in self.flags:
            return len(words)
        return min(len(words), _n_linked_words(self.parts, self.flags))

    def blocks(self) -> Blocks:
        """Return the blocks made so far."""
        counts = np.array(self.counts, dtype=np.uint32).reshape(-1, 4).T.copy()
        return Blocks(
            text=self.texts,
            n_words=counts[0],
            linked_words=counts[1],
            n_tokens=counts[0],
            n_lines=counts[2],
            last_line_tokens=counts[3],
            gap_mask=np.array(self.gaps, dtype=np.uint64),
            kind=[_cached_kind_of(path) for path in self.paths],
            path=self.paths,
        )


def _n_linked_words(parts: list[str], flags: list[bool]) -> int:
    """Count the words whose first letter or digit stands in a part that is flagged."""
    n_linked = 0
    open_word = False  # the part before ends in a word that goes on
    for part, linked in zip(parts, flags, strict=True):
        words = density_tokens(part)
        goes_on = bool(part) and not part[0].isspace()
        if linked:
            first = part.split(None, 1)[0] if goes_on and open_word else ""
            continues = bool(first) and _LETTER_OR_DIGIT.search(first) is not None
            n_linked += len(words) - (continues and not has_spaceless_script(first))
        if part and part[-1].isspace():
            open_word = False
        elif part:
            last = part.rsplit(None, 1)[-1]
            starts_here = _LETTER_OR_DIGIT.search(last) is not None
            alone = goes_on and len(last) == len(part)
            open_word = starts_here or (alone and open_word)
    return n_linked
