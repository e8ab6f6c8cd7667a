"""The tree of a page as arrays, for the methods that work on its elements.

Elements are numbered in document order, so that a subtree is a range: node i has i to end[i] - 1.
Texts are those that a reader sees: the text of the page's blocks, and of it what libxml2's tree
holds. Text of scripts, forms and ``noscript``, and signs alone, are none; sizes count characters but
whitespace. *Source: Gottron 2008, sections 6.2.2 and 6.3.2, for what is visible.*

Shapes: n elements, m texts, p pieces of them that blocks were made of. A page without markup is one
element with one text. Cost: O(n + m) beside the parse; nothing recurs over the depth.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from lxml import etree

from crawler.page.words import density_tokens
from pipelines.boilerplate.picked import kept_blocks
from pipelines.boilerplate.tree_kernels import find_nearest, measure_tree

if TYPE_CHECKING:
    from collections.abc import Collection

    import numpy.typing as npt

    from crawler.page import PageModel

    I64 = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]


class TreeNodes:
    """The elements and the visible texts of *page*.

    Of elements: ``elements``, ``tag``, ``parent`` (-1 for the root), ``end``, ``depth``, ``is_link`` (an
    ``a`` with ``href``). Of texts: ``holder``, the element that it is a child of; ``after``, the last
    element that starts before it (behind a comment: the holder); ``chars``. Of pieces: ``piece_text``, ``piece_block``.
    """

    def __init__(self, page: PageModel):
        self.n_blocks = len(page.blocks)
        if len(page.found_runs):
            self._read_tree(page)
        else:
            self._read_blocks(page)
        self.end = np.empty(len(self.tag), np.int64)
        self.depth = np.empty(len(self.tag), np.int64)
        measure_tree(self.parent, self.end, self.depth)
        tails = self._tail_of >= 0
        self.after = np.where(tails, self.end[self._tail_of] - 1, self.holder)

    def _read_tree(self, page: PageModel) -> None:
        tree = page.tree
        self.elements, self.parent = tree.elements, tree.parents
        self.tag = [str(element.tag) for element in self.elements]
        self.is_link = np.array(
            [
                tag == "a" and "href" in element.attrib
                for tag, element in zip(self.tag, self.elements, strict=True)
            ],
            np.bool_,
        )
        self.holder, self._tail_of = tree.holders, tree.tail_of
        pieces = tree.pieces
        self.piece_text = pieces.node.astype(np.int64)
        self.piece_block = pieces.block.astype(np.int64)
        texts = [node.text for node in tree.nodes]
        self._texts = [
            texts[node][start:end]
            for node, start, end in zip(
                pieces.node.tolist(), pieces.start.tolist(), pieces.end.tolist(), strict=True
            )
        ]

    def _read_blocks(self, page: PageModel) -> None:
        self.elements = [etree.Element("body")]
        self.tag, self.parent = ["body"], np.array([-1])
        self.is_link = np.zeros(1, np.bool_)
        self._texts = page.blocks.text.strings
        n_texts = min(len(self._texts), 1)
        self.holder, self._tail_of = np.zeros(n_texts, np.int64), np.full(n_texts, -1)
        self.piece_text = np.zeros(self.n_blocks, np.int64)
        self.piece_block = np.arange(self.n_blocks)

    @cached_property
    def chars(self) -> I64:
        """Characters of each text but whitespace, int64[m]."""
        sizes = [sum(map(len, text.split())) for text in self._texts]
        return np.bincount(self.piece_text, sizes, len(self.holder)).astype(np.int64)

    @cached_property
    def chars_and_spaces(self) -> I64:
        """Characters of each text, runs of whitespace between its words as one, int64[m]."""
        sizes = [len(" ".join(text.split())) for text in self._texts]
        return np.bincount(self.piece_text, sizes, len(self.holder)).astype(np.int64)

    @cached_property
    def words(self) -> I64:
        """Words of each text, int64[m]."""
        sizes = [len(density_tokens(text)) for text in self._texts]
        return np.bincount(self.piece_text, sizes, len(self.holder)).astype(np.int64)

    def has_tag(self, names: Collection[str]) -> Bools:
        """Return which elements have one of *names*, bool[n]."""
        return np.fromiter((tag in names for tag in self.tag), np.bool_, len(self.tag))

    def nearest(self, marked: Bools) -> I64:
        """Return of each element the nearest *marked* one of it and those above, int64[n], else -1."""
        nearest = np.empty(len(marked), np.int64)
        find_nearest(self.parent, marked, nearest)
        return nearest

    def own(self, values: I64) -> I64:
        """Return the sum of *values* of the texts that are children of each element, int64[n]."""
        return np.bincount(self.holder, values, len(self.tag)).astype(np.int64)

    def own_text(self, max_chars: int) -> dict[int, str]:
        """Return the text of the texts that are children of each element with any, cut short."""
        found: dict[int, str] = {}
        for text, number in zip(self._texts, self.piece_text.tolist(), strict=True):
            holder = int(self.holder[number])
            before = found.get(holder, "")
            if len(before) < max_chars:
                found[holder] = f"{before} {text[:max_chars]}"
        return found

    def within(self, values: I64 | Bools) -> I64:
        """Return the sum of *values* of each element and of those in it, int64[n]."""
        sums = np.concatenate(([0], np.cumsum(values)))
        inside: I64 = sums[self.end] - sums[:-1]
        return inside

    def most_of_children(self, values: I64) -> I64:
        """Return the largest of *values* among the child elements of each element, at least 0."""
        most = np.zeros(len(self.tag), np.int64)
        np.maximum.at(most, self.parent[1:], values[1:])
        return most

    def texts_in(self, element: int) -> Bools:
        """Return which texts are in the subtree of *element*, bool[m]."""
        inside: Bools = (self.holder >= element) & (self.holder < self.end[element])
        return inside

    def kept(self, picked: Bools, *, otherwise: bool = False) -> Bools:
        """Return the blocks of which at least half the words are in *picked* texts.

        *otherwise*: whether a block is kept that libxml2's tree has no text of.
        """
        is_picked = picked[self.piece_text]
        ones = np.ones(len(is_picked), np.int64)
        n_pieces = np.bincount(self.piece_block, minlength=self.n_blocks)
        n_picked = np.bincount(self.piece_block, is_picked, self.n_blocks)
        is_mixed = ((n_picked > 0) & (n_picked < n_pieces))[self.piece_block]
        # Words are counted only where they decide.
        for place in np.flatnonzero(is_mixed).tolist():
            ones[place] = len(density_tokens(self._texts[place]))
        kept = kept_blocks(self.piece_block, is_picked * ones, ones, self.n_blocks)
        return kept | (n_pieces == 0) if otherwise else kept
