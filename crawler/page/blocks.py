"""Atomic blocks: the text between two gaps.

A gap is a run of one or more tags of which at least one is not ``a``; it keeps the set of all their
names, ``a`` included. *Source: Kohlschütter 2011, section 4.2.1.* Comments and processing
instructions are no tags. Text without a word makes no block: the gaps around it become one.
A word is linked when its first letter or digit stands inside an ``a``; one that has a ``name`` and no ``href`` is no
link, for old pages do not close it (deviation: the theses count any).

Shapes: all of :class:`Blocks` has one entry a block, in page order. Invariant: every block has at
least one word, and at most as many linked words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.joined_texts import JoinedTexts
from crawler.page.tags import KINDS, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    import numpy.typing as npt


class TagPaths:
    """The tag paths of a page, as ``body/div/p``, and the kinds of the blocks under them.

    Both are made when they are asked for, by *make*: the strings, and of each its kind's number in KINDS, uint8[n].
    """

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], tuple[JoinedTexts, npt.NDArray[np.uint8]]]):
        self._make = make
        self._made: tuple[JoinedTexts, npt.NDArray[np.uint8]] | None = None

    @classmethod
    def of(cls, *paths: str) -> Self:
        """Return the *paths* that are given."""
        numbers = [KINDS.index(kind_of(path)) for path in paths]
        return cls(lambda: (JoinedTexts.of(paths), np.array(numbers, np.uint8)))

    @property
    def joined(self) -> JoinedTexts:
        """All of them, by number, in one piece."""
        return self._both[0]

    @property
    def strings(self) -> list[str]:
        """All of them, by number."""
        return self.joined.strings

    @property
    def kind_number(self) -> npt.NDArray[np.uint8]:
        """The kind of the blocks of each, by its number in KINDS."""
        return self._both[1]

    @property
    def kinds(self) -> list[str]:
        """The kind of the blocks of each."""
        return [KINDS[number] for number in self.kind_number.tolist()]

    @property
    def _both(self) -> tuple[JoinedTexts, npt.NDArray[np.uint8]]:
        if self._made is None:
            self._made = self._make()
        return self._made


@dataclass(slots=True, eq=False)
class Blocks:
    """The atomic blocks of a page, as a struct of arrays over n blocks.

    ``text`` has whitespace collapsed and is in NFC. ``gap_mask`` holds the gap before the block as
    bits of :data:`crawler.page.tags.GAP_BITS`, for the first one that from the start of the document.
    ``hidden``: the page's own markup or style attribute hides the element that the block stands in.
    ``path_number``: number of the tag path in ``paths``.
    """

    text: JoinedTexts
    n_words: npt.NDArray[np.uint32]
    linked_words: npt.NDArray[np.uint32]
    n_lines: npt.NDArray[np.uint32]
    last_line_tokens: npt.NDArray[np.uint32]
    gap_mask: npt.NDArray[np.uint64]
    hidden: npt.NDArray[np.bool_]
    path_number: npt.NDArray[np.uint32]
    paths: TagPaths

    def __len__(self) -> int:
        return len(self.text)

    @property
    def utf8(self) -> bytes:
        """The texts in UTF-8, a line feed behind each; no text holds one."""
        return self.text.utf8

    @property
    def n_tokens(self) -> npt.NDArray[np.uint32]:
        """Words of all wrapped lines: those of the block."""
        return self.n_words

    @property
    def link_density(self) -> npt.NDArray[np.float64]:
        """Share of the words that are linked, 0 to 1."""
        return self.linked_words / self.n_words

    @property
    def text_density(self) -> npt.NDArray[np.float64]:
        """Words a wrapped line, the last line left out unless it is the only one."""
        full_lines = self.n_lines > 1
        return (self.n_words - self.last_line_tokens * full_lines) / (self.n_lines - full_lines)

    @property
    def path(self) -> list[str]:
        """The tag path of each block, as ``body/div/p``."""
        strings = self.paths.strings
        return [strings[number] for number in self.path_number.tolist()]

    @property
    def kind(self) -> list[str]:
        """The kind of each block: paragraph, heading1 to heading6, item, cell, code or quote."""
        kinds = self.paths.kinds
        return [kinds[number] for number in self.path_number.tolist()]

    @property
    def heading_level(self) -> npt.NDArray[np.uint8]:
        """The level of the heading that each block is, 1 to 6, or 0; uint8[n]."""
        levels = [
            int(kind.removeprefix("heading")) if kind.startswith("heading") else 0
            for kind in self.kind
        ]
        return np.array(levels, dtype=np.uint8)
