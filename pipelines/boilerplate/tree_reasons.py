"""What the methods that work on a page's elements tell of its blocks: by the first text of each."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipelines.boilerplate.tree_nodes import TreeNodes

_MAX_CHARS = 40
NO_TEXT = "the page's tree has nothing of it"


def told_by_text(nodes: TreeNodes, say: Callable[[int], str]) -> list[str]:
    """Return what *say* says of the first text of each block; of one without any, that the tree has none."""
    first = np.full(nodes.n_blocks, -1)
    first[nodes.piece_block[::-1]] = nodes.piece_text[::-1]
    saying = cache(say)
    return [saying(text) if text >= 0 else NO_TEXT for text in first.tolist()]


def start_tag(nodes: TreeNodes, element: int) -> str:
    """Return the start tag of *element* with its id, or else its class, cut short."""
    attributes = nodes.elements[element].attrib
    for name in ("id", "class"):
        value = " ".join(str(attributes.get(name) or "").split())
        if value:
            shown = value if len(value) <= _MAX_CHARS else f"{value[: _MAX_CHARS - 1]}…"
            return f'<{nodes.tag[element]} {name}="{shown}">'
    return f"<{nodes.tag[element]}>"
