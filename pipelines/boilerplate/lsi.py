"""LSI, the largest size increase: the node that adds most text to what its largest child has.

With size(m) the visible characters in the subtree of m, the node is kept with all that it holds for
which size(m) less the largest size of a child is the largest; the first in document order of those
that are alike, the root when all are 0.

*Source: Han, Buttler, Pu 2001 (XWRAP Elite); Gottron 2008, section 6.2, algorithm 6.1.* The listing
takes the largest of all descendants, which is that of the children, and counts text nodes among the
nodes. *text_nodes* False leaves them out, as nodes and as children. The thesis leaves out "superfluous" whitespace
here and all whitespace in :mod:`pipelines.boilerplate.largest_pagelet`, "just as" here: sizes have none, but with
*count_spaces* one between two words. It is not latent semantic indexing.

A block is kept when at least half of its words are in the node. Cost: O(elements).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.reasons import Reasons
from pipelines.boilerplate.tree_nodes import TreeNodes
from pipelines.boilerplate.tree_reasons import start_tag

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.page.limits import Inline

    I64 = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]


class LSI:
    """Keeps the node of the largest size increase."""

    inline: Inline = "gap"

    def __init__(self, *, text_nodes: bool = True, count_spaces: bool = False):
        self.text_nodes = text_nodes
        self.count_spaces = count_spaces

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        nodes = TreeNodes(page)
        return labels_of(nodes.kept(first_largest(nodes, *self._increases(nodes))))

    def reasons(self, page: PageModel) -> Reasons:
        """Return the element or text of *page* that is kept, and its size increase."""
        nodes = TreeNodes(page)
        note = "Kept is what adds most text to what its largest child has"
        return Reasons([largest_told(nodes, *self._increases(nodes), note)])

    def _increases(self, nodes: TreeNodes) -> tuple[I64, I64]:
        """Return the size increase of elements, int64[n], and of texts, int64[m] or none."""
        chars = nodes.chars_and_spaces if self.count_spaces else nodes.chars
        sizes = nodes.within(nodes.own(chars))
        largest = nodes.most_of_children(sizes)
        if self.text_nodes:
            np.maximum.at(largest, nodes.holder, chars)
        return sizes - largest, chars if self.text_nodes else chars[:0]


def largest_told(nodes: TreeNodes, of_elements: I64, of_texts: I64, note: str) -> str:
    """Return *note* with the element or text with the largest value, and how many characters that is."""
    picked = first_largest(nodes, of_elements, of_texts)
    if not len(nodes.holder):
        return f"{note}: nothing has text."
    text, element = int(np.argmax(picked)), int(np.argmax(of_elements))
    most = int(max(of_elements.max(), of_texts.max(initial=0)))
    is_text = of_elements[element] < most or picked.sum() < nodes.texts_in(element).sum()
    what = (
        f"a text in {start_tag(nodes, int(nodes.holder[text]))}"
        if is_text
        else start_tag(nodes, element)
    )
    return f"{note}: {what}, {most:,} characters."


def first_largest(nodes: TreeNodes, of_elements: I64, of_texts: I64) -> Bools:
    """Return the texts of the element or text with the largest value, bool[m].

    The first in document order wins; *of_texts* may be empty.
    """
    element = int(np.argmax(of_elements))
    if len(of_texts):
        text = int(np.argmax(of_texts))
        is_first = element <= nodes.after[text]
        if of_texts[text] > of_elements[element] or (
            of_texts[text] == of_elements[element] and not is_first
        ):
            only: Bools = np.arange(len(nodes.holder)) == text
            return only
    return nodes.texts_in(element)
