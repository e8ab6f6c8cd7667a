"""A page as the events that a reader of XML tells: where elements start and end, attributes, and texts.

The attributes of an element stand behind its start, in the order of the page, each with its value; an element without
an end tag ends, too. Texts are those of the page's blocks, whitespace collapsed; comments and scripts' contents are
none. *Source: Gottron 2008, section 3.5.3, of Lindholm, Kangasharju and Tarkoma 2006 (XAS).*

Shapes: uint64[2 n + a + t] of n elements, a attributes and t texts. Cost: O(page), and a sort. Invariant: two events
have the same hash iff they are the same (but for collisions of 64 bits).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import xxhash

from pipelines.templates.labels import END

if TYPE_CHECKING:
    import numpy.typing as npt
    from lxml import etree

    from crawler.page.tree import PageTree
    from pipelines.templates.documents import Texts, Tree

    I64 = npt.NDArray[np.int64]
    U64 = npt.NDArray[np.uint64]

# A text that is the name of a tag, or looks like an attribute, is neither.
_TEXT, _ATTRIBUTE_SEED = np.uint64(0x9E3779B97F4A7C15), 1


def event_hashes(page: PageTree, tree: Tree, texts: Texts) -> U64:
    """Return the events of *page*, whose elements are *tree*, in its order."""
    place = np.arange(len(tree.label))
    # As many elements start before each one as it has a place; these end before it:
    n_ended = np.cumsum(np.bincount(place + tree.size, minlength=len(place) + 1))[:-1]
    start = place + n_ended
    end = start + 2 * tree.size - 1
    attribute, owner = _attributes(page)
    tail = _elements_before(page, texts.node)
    behind = np.where(tail >= 0, end[tail], start[texts.holder])
    # What stands behind a tag: its attributes, then a text.
    order = np.concatenate((3 * start, 3 * end, 3 * start[owner] + 1, 3 * behind + 2))
    found = (tree.label, tree.label | END, attribute, texts.hash ^ _TEXT)
    hashes: U64 = np.concatenate(found)[np.argsort(order, kind="stable")]
    return hashes


def _attributes(page: PageTree) -> tuple[U64, I64]:
    """Return the hash of each attribute of *page*, and the place of its element."""
    hashes, owners = [], []
    for place, element in enumerate(page.elements):
        for pair in element.items():
            named = "\0".join(map(str, pair)).encode("utf-8", "replace")
            hashes.append(xxhash.xxh3_64_intdigest(named, _ATTRIBUTE_SEED))
            owners.append(place)
    return np.array(hashes, np.uint64), np.array(owners, np.int64)


def _elements_before(page: PageTree, nodes: I64) -> I64:
    """Return the place of the element that each of *nodes* follows among its siblings, -1 for none."""
    tails = page.tail_of[nodes]
    behind_comments = [
        at for at in np.flatnonzero(tails < 0).tolist() if page.nodes[nodes[at]].is_tail
    ]
    if not behind_comments:
        return tails
    known: dict[etree._Element | None, int] = {None: -1}
    known |= {element: place for place, element in enumerate(page.elements)}
    for at in behind_comments:
        comment = sibling = page.nodes[nodes[at]].element
        while sibling not in known:
            sibling = sibling.getprevious()
        # Comments are looked back from once, however many follow each other.
        tails[at] = known[comment] = known[sibling]
    return tails
