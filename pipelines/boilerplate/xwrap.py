"""LTC and HF: the nodes of a page with the most tags, and with the most children.

- :class:`HighestFanout` keeps the element with most children, the first of those that are alike.
- :class:`LargestTagCount` ranks elements by the tags in their subtree. The root has most of all; so
  between an element and one within it the higher number of children of one tag decides: from the root,
  the next element in rank takes its place when it is within and has more such children.

*Source: Han, Buttler, Pu 2001 (XWRAP Elite); Gottron 2008, section 6.2.1,* who tells of them, but
evaluates neither, for they look for lists of records, not for text. The thesis says nothing of the
rule between an element and one within: it is our reading, without which LTC keeps every page whole.
Only elements with visible text in them count, as children and as tags: else a list of options or
the scripts of the head would be taken. Texts are children, but have no tag.

A block is kept when at least half of its words are in the node. Cost: O(n log n) for n elements.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.tree_nodes import TreeNodes

if TYPE_CHECKING:
    from typing import Literal

    import numpy.typing as npt

    from crawler.page import PageModel

    I64 = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]


class HighestFanout:
    """HF: keeps the element with most children."""

    inline: Literal["gap", "transparent"] = "gap"

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        nodes = TreeNodes(page)
        children = nodes.parent[1:][_has_text(nodes)[1:]]
        fanout = np.bincount(np.concatenate((children, nodes.holder)), minlength=len(nodes.tag))
        return labels_of(nodes.kept(nodes.texts_in(int(np.argmax(fanout)))))


class LargestTagCount:
    """LTC: keeps the element with most tags, and most children of one tag among those around it."""

    inline: Literal["gap", "transparent"] = "gap"

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        nodes = TreeNodes(page)
        has_text = _has_text(nodes)
        n_tags = nodes.within(has_text)
        alike = _children_of_one_tag(nodes, has_text)
        end = nodes.end.tolist()
        winner = 0
        for node in np.argsort(-n_tags, kind="stable").tolist():
            if winner < node < end[winner] and alike[node] > alike[winner]:
                winner = node
        return labels_of(nodes.kept(nodes.texts_in(winner)))


def _has_text(nodes: TreeNodes) -> Bools:
    has_text: Bools = nodes.within(nodes.own(nodes.chars)) > 0
    return has_text


def _children_of_one_tag(nodes: TreeNodes, has_text: Bools) -> I64:
    """Return how many children of its most frequent tag each element has, int64[n]."""
    _, tag = np.unique(nodes.tag, return_inverse=True)
    children = np.flatnonzero(has_text[1:]) + 1
    pairs = nodes.parent[children] * (tag.max() + 1) + tag[children]
    pair, count = np.unique(pairs, return_counts=True)
    alike = np.zeros(len(nodes.tag), np.int64)
    np.maximum.at(alike, pair // (tag.max() + 1), count)
    return alike
