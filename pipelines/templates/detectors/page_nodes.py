"""The elements and the text nodes of a page as template detectors see them.

Elements are numbered in document order. Texts are the nodes of libxml2's tree that hold text of the
page's blocks: scripts, styles and forms are none. A page without markup is one element with all of its text, each of
its blocks a text in it. Cost: O(n + m) beside the parse, for n elements and m texts.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import xxhash
from lxml import etree

from crawler.page.words import density_tokens
from pipelines.templates.detectors.kept import Kept

if TYPE_CHECKING:
    from collections.abc import Collection

    import numpy.typing as npt

    from crawler.page import PageModel

    I64 = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]


class PageNodes:
    """The nodes of *page*.

    ``elements``, and the *parent* of each, int64[n], -1 of the root; ``texts``, runs of whitespace as one
    space, and the *holder* of each, int64[m], the element that it is a child of.
    """

    def __init__(self, page: PageModel) -> None:
        self._n_blocks = len(page.blocks)
        if len(page.found_runs):
            self._read_tree(page)
        else:
            self._read_blocks(page)
        self.texts = [" ".join(text.split()) for text in self._nodes]

    def _read_tree(self, page: PageModel) -> None:
        tree = page.tree
        self.elements, self.parent, self.holder = tree.elements, tree.parents, tree.holders
        self._nodes = [node.text for node in tree.nodes]
        pieces = tree.pieces
        self._piece_text = pieces.node.astype(np.int64)
        self._piece_block = pieces.block.astype(np.int64)
        self._bounds = np.stack((pieces.start, pieces.end), axis=1).tolist()

    def _read_blocks(self, page: PageModel) -> None:
        body = etree.Element("body")
        body.text = " ".join(page.blocks.text)
        self.elements = [body]
        self.parent = np.array([-1])
        self._nodes = list(page.blocks.text)
        self.holder = np.zeros(self._n_blocks, np.int64)
        self._piece_text = self._piece_block = np.arange(self._n_blocks)
        self._bounds = [[0, len(text)] for text in self._nodes]

    @cached_property
    def hashes(self) -> list[int]:
        """A hash of 64 bits of each text."""
        return [text_hash(text) for text in self.texts]

    def within(self, marked: Bools) -> Bools:
        """Return which elements are *marked* or in an element that is, bool[n]."""
        inside = marked.tolist()
        for number, parent in enumerate(self.parent.tolist()):
            inside[number] = inside[number] or (parent >= 0 and inside[parent])
        return np.array(inside, np.bool_)

    def nearest(self, tags: Collection[str]) -> I64:
        """Return the innermost element with one of *tags* around each text, int64[m], -1 for none."""
        found: list[int] = []
        for number, (element, parent) in enumerate(
            zip(self.elements, self.parent.tolist(), strict=True)
        ):
            above = found[parent] if parent >= 0 else -1
            found.append(number if element.tag in tags else above)
        return np.array(found, np.int64)[self.holder]

    def kept_by_blocks(self, stays: Bools) -> Kept:
        """Return what stays where the blocks that stay are known, bool[n]: texts that such a block has of."""
        n_stay = np.bincount(self._piece_text, stays[self._piece_block], len(self.texts))
        return Kept(n_stay > 0, stays)

    def kept(self, removed: Bools) -> Kept:
        """Return what stays without the texts *removed*, bool[m].

        A block that the tree has no text of stays.
        """
        is_removed = removed[self._piece_text]
        n_pieces = np.bincount(self._piece_block, minlength=self._n_blocks)
        n_removed = np.bincount(self._piece_block, is_removed, self._n_blocks)
        weight = np.ones(len(is_removed), np.int64)
        # Words are counted only where they decide.
        is_mixed = ((n_removed > 0) & (n_removed < n_pieces))[self._piece_block]
        for place in np.flatnonzero(is_mixed).tolist():
            start, end = self._bounds[place]
            text = self._nodes[int(self._piece_text[place])][start:end]
            weight[place] = len(density_tokens(text))
        gone = np.bincount(self._piece_block, weight * is_removed, self._n_blocks)
        whole = np.bincount(self._piece_block, weight, self._n_blocks)
        return Kept(~removed, (n_pieces == 0) | (2 * gone <= whole) & (n_removed < n_pieces))


def text_hash(text: str) -> int:
    """Return a hash of 64 bits of *text*, that of :class:`pipelines.templates.documents.Texts`."""
    return int(xxhash.xxh3_64_intdigest(text.encode("utf-8", "replace")))
