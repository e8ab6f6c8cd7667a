"""Markdown of the kept blocks of a page.

CommonMark 0.31 with the tables, task lists and strikethrough of GitHub's dialect (GFM 0.29, sections 4.10, 5.3, 6.5).
Powers and indices keep their tags (``sup``, ``sub``), for which Markdown has no marks; formulas are TeX between ``$``
or, on a line of their own, ``$$``. Lists keep their nesting and numbers (one that does not count up by one is divided,
:mod:`.numbered`), code its whitespace and, where the page names it, its language; a line break is two spaces at the end
of a line. A cell of a table may hold no blocks: its paragraphs, lines, items (with their marks) and lines of code are
parted by ``<br>``, and a heading beside them is bold. Text is escaped so that it reads as it stands on the page, where
that could be taken for markup (:mod:`.markdown_inline`).

Cost: O(n). Invariant: read by a CommonMark reader, the words and signs are those of the kept blocks, formulas apart,
and the marks and numbers of lists in cells.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from crawler.page.words import nfc
from pipelines.boilerplate.renderers.markdown_inline import code_lines, fence, inline
from pipelines.boilerplate.renderers.nodes import Code, List, Paragraph, Quote, Table
from pipelines.boilerplate.renderers.outline import outline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from crawler.page import PageModel
    from pipelines.boilerplate.labels import Labels
    from pipelines.boilerplate.renderers.nodes import Node, Piece

# CommonMark 0.31, sections 4 and 5: what may begin a block at the start of a line.
_LINE_START = re.compile(r"^(?:([#>+=|-]|:(?=-))|([0-9]{1,9})([.)])(?=\s|$))", re.MULTILINE)
_ITEM_MARKS = (("-", "*"), (".", ")"))


def markdown(page: PageModel, labels: Labels, *, with_links: bool = False) -> str:
    """Return the kept blocks of *page* as Markdown, without a line break at the end.

    *with_links* keeps the links, absolute where the page has a web address.
    """
    text = markdown_of(outline(page, labels.kept, with_links=with_links))
    # An accent may stand in another element than its letter.
    return text if text.isascii() else nfc(text)


def markdown_of(nodes: Sequence[Node]) -> str:
    """Return the *nodes* of an outline as Markdown."""
    return "\n\n".join(_blocks(nodes))


def _blocks(nodes: Sequence[Node]) -> list[str]:
    blocks = []
    n_lists = 0
    for node in nodes:
        # Two lists side by side would be one, did they not have other marks.
        n_lists = n_lists + 1 if isinstance(node, List) else 0
        blocks.append(_list(node, n_lists) if isinstance(node, List) else _block(node))
    return blocks


def _block(node: Paragraph | Code | Quote | Table) -> str:
    if isinstance(node, Paragraph):
        if node.level:
            return f"{'#' * node.level} {_closed(_one_line(node.pieces))}"
        return _task(node) + _at_line_starts(inline(node.pieces)).replace("\n", "  \n")
    if isinstance(node, Code):
        ticks = fence(node.text, at_least=3)
        return f"{ticks}{node.language}\n{node.text}\n{ticks}"
    if isinstance(node, Quote):
        lines = markdown_of(node.children).split("\n")
        return "\n".join(f"> {line}" if line else ">" for line in lines)
    return _table(node)


def _task(node: Paragraph) -> str:
    return "" if node.is_done is None else "[x] " if node.is_done else "[ ] "


def _closed(heading: str) -> str:
    # Number signs at the end of a heading are part of its mark.
    return f"{heading[:-1]}\\#" if heading.endswith("#") else heading


def _list(node: List, n_lists: int) -> str:
    marks = _ITEM_MARKS[node.first is not None]
    mark = marks[(n_lists - 1) % 2]
    items = []
    for place, item in enumerate(node.items):
        start = f"{mark} " if node.first is None else f"{node.first + place}{mark} "
        items.append(start + _indented(_item(item), " " * len(start)))
    is_tight = all(map(_is_tight, node.items))
    return ("\n" if is_tight else "\n\n").join(items)


def _is_tight(item: Sequence[Node]) -> bool:
    # Section 5.3: of numbered lists only those from 1 on end a paragraph without a blank line.
    return isinstance(item[0], Paragraph) and all(
        isinstance(node, List) and node.first in {None, 1} for node in item[1:]
    )


def _item(item: Sequence[Node]) -> str:
    return ("\n" if _is_tight(item) else "\n\n").join(_blocks(item))


def _indented(text: str, blanks: str) -> str:
    return re.sub(r"\n(?=[^\n])", f"\n{blanks}", text)


def _table(node: Table) -> str:
    width = max(map(len, node.rows))
    rows = ["| " + " | ".join(map(_cell, row)) + " |" for row in node.rows]
    rows[0] += " |" * (width - len(node.rows[0]))
    return "\n".join((rows[0], "|" + " --- |" * width, *rows[1:]))


def _cell(nodes: Sequence[Node]) -> str:
    return "<br>".join(_cell_lines(nodes)).replace("|", "\\|")


def _cell_lines(nodes: Sequence[Node]) -> list[str]:
    """Return the lines of a cell, which may hold no blocks."""
    lines: list[str] = []
    for node in nodes:
        if isinstance(node, Paragraph):
            is_head = node.level and len(nodes) > 1
            pieces = [p._replace(strong=True) for p in node.pieces] if is_head else node.pieces
            first, *others = map(inline, _divided(pieces))
            lines += [_task(node) + first, *others]
        elif isinstance(node, Code):
            lines += code_lines(node.text).split("\n")
        elif isinstance(node, List):
            for place, item in enumerate(node.items):
                mark = "-" if node.first is None else f"{node.first + place}."
                first, *others = _cell_lines(item)
                lines += [f"{mark} {first}", *(f"  {line}" for line in others)]
    return lines


def _divided(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Return *pieces* line by line."""
    lines: list[list[Piece]] = [[]]
    for piece in pieces:
        first, *others = (piece._replace(text=text) for text in piece.text.split("\n"))
        lines[-1].append(first)
        lines += [[other] for other in others]
    return lines


def _one_line(pieces: Sequence[Piece]) -> str:
    return inline(pieces).replace("\n", " ")


def _at_line_starts(text: str) -> str:
    return _LINE_START.sub(
        lambda match: f"\\{match[1]}" if match[1] else f"{match[2]}\\{match[3]}", text
    )
