"""Paragraphs that two line breaks part, as pages write them without tags of their own."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pipelines.boilerplate.renderers.nodes import List, Paragraph, Quote, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipelines.boilerplate.renderers.nodes import Node, Piece

PARAGRAPH_END = "\n\n"
_BREAKS = re.compile("\n+")


def divided(nodes: Iterable[Node]) -> list[Node]:
    """Return *nodes* with their paragraphs divided where two line breaks stand, but for headings and cells of
    tables.
    """
    found: list[Node] = []
    for node in nodes:
        if isinstance(node, Paragraph) and not node.level:
            first, *others = map(Paragraph, _parts(node.pieces))
            found += [replace(first, is_done=node.is_done), *others]
        elif isinstance(node, Quote):
            found.append(Quote(divided(node.children)))
        elif isinstance(node, List):
            found.append(List([divided(item) for item in node.items], node.first))
        else:
            found.append(_in_one(node))
    return found


def _parts(pieces: Sequence[Piece]) -> list[list[Piece]]:
    parts: list[list[Piece]] = [[]]
    for piece in pieces:
        for place, text in enumerate(piece.text.split(PARAGRAPH_END)):
            if place:
                parts.append([])
            if text:
                parts[-1].append(piece._replace(text=text))
    return [part for part in parts if part]


def _in_one(node: Node) -> Node:
    """Return *node* with single line breaks."""
    if isinstance(node, Paragraph):
        pieces = [piece._replace(text=_BREAKS.sub("\n", piece.text)) for piece in node.pieces]
        return replace(node, pieces=pieces)
    if isinstance(node, List):
        return List([[_in_one(part) for part in item] for item in node.items], node.first)
    if isinstance(node, Table):
        return Table([[[_in_one(part) for part in cell] for cell in row] for row in node.rows])
    return node
