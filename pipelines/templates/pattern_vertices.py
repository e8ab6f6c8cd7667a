"""The vertices of node extraction patterns (`pipelines.templates.ne_patterns`), and those of pages.

Of a page there are the texts and the elements that hold any: what differs in others tells nothing of texts.
"""

from __future__ import annotations

from collections import defaultdict
from math import inf
from operator import itemgetter
from typing import TYPE_CHECKING

import xxhash

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipelines.templates.detectors.page_nodes import PageNodes

_WILDCARDS = {(1, 1.0): ".", (0, 1.0): "?", (1, inf): "+", (0, inf): "*"}
_TEXT = "#text"


class Vertex:
    """An element, a text or a wildcard, with its *children*.

    *label*: the name of an element, ``#text`` and what a text says, or a wildcard's sign; *place*: of a text among
    those of its page, or -1; *least*, *most*: how many subtrees it stands for; *weight*: its vertices but wildcards;
    *subtree*: the same for equal subtrees (but for collisions of 64 bits).
    """

    __slots__ = ("children", "has_wildcard", "label", "least", "most", "place", "subtree", "weight")

    has_wildcard: bool
    weight: int
    subtree: int

    def __init__(
        self,
        label: str,
        children: Sequence[Vertex] = (),
        *,
        place: int = -1,
        span: tuple[int, float] | None = None,
    ) -> None:
        self.label = label
        self.children = tuple(children)
        self.place = place
        self.least, self.most = span or (1, 1.0)
        self.has_wildcard = span is not None or any(each.has_wildcard for each in children)
        self.weight = (span is None) + sum(each.weight for each in children)
        parts = (f"{'*' if span else '='}{label}", *(str(each.subtree) for each in children))
        self.subtree = xxhash.xxh3_64_intdigest("\0".join(parts).encode("utf-8", "replace"))

    @property
    def is_wildcard(self) -> bool:
        """Whether it stands for any subtrees."""
        return self.has_wildcard and not self.children

    def texts(self) -> list[int]:
        """Return the places of the texts in its subtree, in order."""
        found, waiting = [], [self]
        while waiting:
            vertex = waiting.pop()
            if vertex.place >= 0:
                found.append(vertex.place)
            waiting.extend(reversed(vertex.children))
        return found


def is_literal(vertex: Vertex) -> bool:
    """Tell whether there is no wildcard in the subtree of *vertex*."""
    return not vertex.has_wildcard


def wildcard(least: int, most: float) -> Vertex:
    """Return a wildcard for *least*, 0 or 1, to *most*, 1 or infinite, subtrees."""
    return Vertex(_WILDCARDS[least, most], span=(least, most))


def text_vertex(text: str, place: int) -> Vertex:
    """Return the vertex of *text*, that at *place* of its page."""
    return Vertex(f"{_TEXT} {text}", place=place)


def page_vertex(nodes: PageNodes, max_texts: int) -> Vertex | None:
    """Return the tree of the first *max_texts* texts of the page of *nodes*; None without any."""
    # Siblings by the first text in each: texts are in tree order.
    held: defaultdict[int, list[tuple[int, Vertex]]] = defaultdict(list)
    texts = zip(nodes.texts[:max_texts], nodes.holder.tolist(), strict=False)
    for place, (text, holder) in enumerate(texts):
        held[holder].append((place, text_vertex(text, place)))
    root = None
    parents = nodes.parent.tolist()
    for element in range(len(parents) - 1, -1, -1):
        children = sorted(held.pop(element, []), key=itemgetter(0))
        if children:
            root = Vertex(str(nodes.elements[element].tag), [vertex for _, vertex in children])
            held[parents[element]].append((children[0][0], root))
    return root
