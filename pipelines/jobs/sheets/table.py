"""A table of texts, for the screen and for a page."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

# Columns that a cell fills on a screen; it goes on in the next line.
CELL_COLUMNS = 52


class Table(NamedTuple):
    """A table of texts. *left*: the columns that hold words, the others hold numbers.

    *cell_columns*: how wide a cell may be on a screen.
    """

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: frozenset[int] = frozenset({0})
    cell_columns: int = CELL_COLUMNS


def number(value: float | None) -> str:
    """Return *value* in at most 9 characters, "-" for none.

    >>> [number(value) for value in (None, 0.99812, 0.0000321, 12345.6, 17.0)]
    ['-', '0.9981', '3.21e-05', '1.235e+04', '17']
    """
    if value is None or math.isnan(value):
        return "-"
    return f"{value:.4g}"


def lines_of(table: Table) -> str:
    """Return *table* as lines for people; long cells go on in the next line."""
    wrapped = [_wrapped_cells(row, table.cell_columns) for row in table.rows]
    lines = [list(table.header), *(line for row in wrapped for line in row)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(table.header))]
    shown = [
        "  ".join(
            cell.ljust(width) if i in table.left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    return "\n".join([table.title, *(line for line in shown if line)])


def _wrapped_cells(row: Sequence[str], cell_columns: int) -> list[list[str]]:
    cells = [textwrap.wrap(cell, cell_columns) or [""] for cell in row]
    height = max(len(cell) for cell in cells)
    return [[cell[i] if i < len(cell) else "" for cell in cells] for i in range(height)]
