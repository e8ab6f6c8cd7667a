"""Which tables are tables, and which are layout, whose cells are read one after the other.

A table has at least two wide rows, those with text in two cells. It is one of data when

- each cell is one paragraph; or
- a wide row has a ``th``, or three rows are wide, half of all; and each cell holds a few paragraphs, lists and short
  code. A heading beside something else in a cell needs a ``th``.

Quotes, tables in cells and long cells are layout: threads of forums, pages in columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipelines.boilerplate.renderers.nodes import Code, List, Paragraph, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipelines.boilerplate.renderers.nodes import Node

    Cell = list[Node]

# Of 28 tables with several paragraphs in a cell, on 22 pages of ../shared train, the 24 with cells of no more
# paragraphs hold records; the others are layout, which may have two rows, too. The six with lists in a cell hold
# records, and up to 15 items.
_MIN_ROWS, _MAX_NODES = 3, 4
_MAX_PARAGRAPHS, _MAX_CODE_LINES = 20, 4


def is_wide(row: Sequence[Cell]) -> bool:
    """Tell whether two cells of *row* hold something."""
    return sum(map(bool, row)) > 1


def nodes_of_table(rows: list[list[Cell]], *, has_header: bool) -> list[Node]:
    """Return *rows* as one table, or the nodes of their cells where it is layout.

    *has_header*: a wide row has a cell that heads others.
    """
    cells = [cell for row in rows for cell in row]
    n_wide = sum(map(is_wide, rows))
    is_plain = n_wide > 1 and all(map(_is_plain, cells))
    is_long = n_wide >= _MIN_ROWS and 2 * n_wide >= len(rows)
    is_headed = has_header and n_wide > 1
    fits = all(_fits_a_cell(cell, with_headings=is_headed) for cell in cells)
    if is_plain or ((is_long or is_headed) and fits):
        return [Table(rows)]
    return [node for cell in cells for node in cell]


def _is_plain(cell: Cell) -> bool:
    return len(cell) < 2 and all(isinstance(node, Paragraph) for node in cell)


def _fits_a_cell(cell: Cell, *, with_headings: bool) -> bool:
    if len(cell) > _MAX_NODES or _n_paragraphs(cell) > _MAX_PARAGRAPHS or not all(map(_fits, cell)):
        return False
    if len(cell) < 2 or with_headings:
        return True
    return not any(isinstance(node, Paragraph) and node.level for node in cell)


def _fits(node: Node) -> bool:
    if isinstance(node, List):
        return all(_fits(part) for item in node.items for part in item)
    if isinstance(node, Code):
        return node.text.count("\n") < _MAX_CODE_LINES
    return isinstance(node, Paragraph)


def _n_paragraphs(nodes: Sequence[Node]) -> int:
    """Return how many nodes, those in lists included, are no lists."""
    return sum(
        sum(map(_n_paragraphs, node.items)) if isinstance(node, List) else 1 for node in nodes
    )
