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
from pipelines.boilerplate.reasons import Reasons
from pipelines.boilerplate.tree_nodes import TreeNodes
from pipelines.boilerplate.tree_reasons import start_tag

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.page.limits import Inline

    I64 = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]


class HighestFanout:
    """HF: keeps the element with most children."""

    inline: Inline = "gap"

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        nodes = TreeNodes(page)
        return labels_of(nodes.kept(nodes.texts_in(int(np.argmax(_fanout(nodes))))))

    def reasons(self, page: PageModel) -> Reasons:
        """Return the element of *page* that is kept, and how many children it has."""
        nodes = TreeNodes(page)
        fanout = _fanout(nodes)
        kept = start_tag(nodes, int(np.argmax(fanout)))
        return Reasons(
            [f"Kept is the element with most children: {kept}, {fanout.max():,} with text."]
        )


class LargestTagCount:
    """LTC: keeps the element with most tags, and most children of one tag among those around it."""

    inline: Inline = "gap"

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        nodes = TreeNodes(page)
        return labels_of(nodes.kept(nodes.texts_in(_winner(nodes)[0])))

    def reasons(self, page: PageModel) -> Reasons:
        """Return the element of *page* that is kept, its tags and its children of one tag."""
        nodes = TreeNodes(page)
        winner, n_tags, n_alike = _winner(nodes)
        note = f"Kept is {start_tag(nodes, winner)}, with {n_tags:,} tags in all"
        return Reasons([f"{note} and {n_alike:,} children of one tag, more than those around it."])


def _winner(nodes: TreeNodes) -> tuple[int, int, int]:
    """Return LTC's element, its tags and its children of one tag."""
    has_text = _has_text(nodes)
    n_tags = nodes.within(has_text)
    alike = _children_of_one_tag(nodes, has_text)
    end = nodes.end.tolist()
    winner = 0
    for node in np.argsort(-n_tags, kind="stable").tolist():
        if winner < node < end[winner] and alike[node] > alike[winner]:
            winner = node
    return winner, int(n_tags[winner]), int(alike[winner])


def _fanout(nodes: TreeNodes) -> I64:
    """Return how many children with text each element has, int64[n]."""
    children = nodes.parent[1:][_has_text(nodes)[1:]]
    return np.bincount(np.concatenate((children, nodes.holder)), minlength=len(nodes.tag))


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
