"""The open lists, quotes and tables of an outline."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from crawler.page.attributes import written_values
from crawler.page.tags import names
from pipelines.boilerplate.renderers.nodes import List, Quote
from pipelines.boilerplate.renderers.numbered import numbered_lists, numbers_of
from pipelines.boilerplate.renderers.tables import is_wide, nodes_of_table

if TYPE_CHECKING:
    from crawler.page.markup_events import Tag
    from pipelines.boilerplate.renderers.nodes import Node

# Deeper ones are rare, and a line in a list is as far indented as the list is deep.
MAX_DEPTH = 24
# A cell that reaches over more columns is taken as reaching over so many; cells further to the right than the second
# do not reach into rows below.
_MAX_SPAN, _MAX_COLUMNS = 20, 50

CELLS = frozenset({"td", "th"})
_ROWS = frozenset({"tr", "thead", "tbody", "tfoot"})
_KINDS = {
    **dict.fromkeys(("ul", "ol", "menu", "dir", "dl"), "list"),
    **dict.fromkeys(("li", "dt", "dd"), "item"),
    **dict.fromkeys(_ROWS, "row"),
    **dict.fromkeys(CELLS, "cell"),
    "table": "table",
    "blockquote": "quote",
}
# Whose end closes the lists and quotes in them: HTML standard, 13.2.6.4.7, "in body".
_BOXES = names(
    "address article aside center details div fieldset figcaption figure footer header main nav "
    "search section summary"
)
# Open at once; the ends of further ones close nothing.
_MAX_BOXES = 250
# What numbers a list, an item of it, and the columns and rows of a cell.
_NUMBERED_BY = {"list": b"start", "item": b"value", "cell": b"colspan", "rows": b"rowspan"}
_NUMBER = re.compile(rb"\s*+(-?[0-9]{1,9})(?![0-9])")


@dataclass(slots=True)
class _Frame:
    """An open element, by the *kind* it is treated as: root, quote, list, item, table, row, cell.

    *children*: its nodes; *items*: of a list, its items; of a row, its cells; *rows*: of a table. *has_header*: a cell
    of the row, or of a wide row of the table, heads others. *n_rows*: those that a cell reaches over. *covered*: by
    column, how many rows below a row are covered by cells of it; of a table, below the last row. *values*: of a list,
    the numbers that its items say, those without text, too; *places*: those of its *items* among them.
    """

    kind: str
    name: str = ""
    number: int | None = None
    children: list[Node] = field(default_factory=list)
    items: list[list[Node]] = field(default_factory=list)
    rows: list[list[list[Node]]] = field(default_factory=list)
    has_header: bool = False
    n_rows: int = 1
    covered: dict[int, int] = field(default_factory=dict)
    is_reversed: bool = False
    values: list[int | None] = field(default_factory=list)
    places: list[int] = field(default_factory=list)

    def add_item(self, nodes: list[Node], value: int | None = None) -> None:
        """Add an item to a list; one without *nodes* has a number, too."""
        if nodes:
            self.items.append(nodes)
            self.places.append(len(self.values))
        self.values.append(value)


class Frames:
    """A stack of open elements; a closed one becomes a node of that around it, if it holds any."""

    def __init__(self) -> None:
        self._stack = [_Frame("root")]
        # The names of open boxes, and how many elements were open when they began.
        self._boxes: list[tuple[str, int]] = []
        self._n_open: Counter[str] = Counter()
        self._n_deeper: Counter[str] = Counter()

    def add(self, node: Node) -> None:
        """Add *node* to the innermost open element."""
        frame = self._stack[-1]
        if frame.kind == "list" and not frame.name:
            self._close()  # items that stand in no list are one, which ends with them
            self.add(node)
        elif frame.kind == "list" and frame.name != "ol":
            frame.add_item([node])
        elif frame.kind == "list" and frame.items:
            frame.items[-1].append(node)  # it has no number
        else:
            # Of a table, captions and text that no cell holds, of a numbered list that before its items: shown before
            # it.
            frame.children.append(node)

    @property
    def is_closed(self) -> bool:
        """Whether no element is open."""
        return len(self._stack) == 1

    @property
    def is_in_empty_item(self) -> bool:
        """Whether the innermost open element is an item that holds nothing yet."""
        frame = self._stack[-1]
        return frame.kind == "item" and not frame.children

    def change(self, tag: Tag) -> None:
        """Open or close what *tag* does; others change nothing."""
        name = tag.name
        if name in _BOXES:
            self._change_box(name, is_end=tag.is_end)
            return
        kind = _KINDS.get(name)
        if kind is None or (name in _ROWS and name != "tr"):
            return
        if tag.is_end:
            self._end(kind)
        elif kind == "item":
            self._start_item(tag)
        elif kind in {"row", "cell"}:
            self._start_in_table(kind, tag)
        else:
            self._open(kind, tag)

    def close_all(self) -> list[Node]:
        """Close all; return the nodes of the page."""
        while len(self._stack) > 1:
            self._close()
        return self._stack[0].children

    def _change_box(self, name: str, *, is_end: bool) -> None:
        if not is_end and len(self._boxes) < _MAX_BOXES:
            self._boxes.append((name, len(self._stack)))
        elif not is_end:
            self._n_deeper[name] += 1
        elif self._n_deeper[name]:
            self._n_deeper[name] -= 1
        else:
            self._end_box(name)

    def _end_box(self, name: str) -> None:
        """Close the innermost box called *name*, and what is in it; a table keeps what is in it."""
        least = max(
            place
            for place, frame in enumerate(self._stack)
            if place == 0 or frame.kind in {"table", "row", "cell"}
        )
        for place in range(len(self._boxes) - 1, -1, -1):
            its, n_open = self._boxes[place]
            if n_open <= least:
                return
            if its == name:
                while len(self._stack) > n_open:
                    self._close()
                del self._boxes[place:]
                return

    def _open(self, kind: str, tag: Tag | None = None) -> bool:
        """Open an element; tell whether there was room."""
        if len(self._stack) > MAX_DEPTH:
            self._n_deeper[kind] += 1
            return False
        frame = _Frame(kind)
        if tag is not None:
            frame.name, frame.number = tag.name, _number(kind, tag.attributes)
            frame.is_reversed = kind == "list" and _is_reversed(tag.attributes)
        self._n_open[kind] += 1
        self._stack.append(frame)
        return True

    def _start_item(self, tag: Tag) -> None:
        if self._stack[-1].kind == "item":
            self._close()
        if self._stack[-1].kind == "list" or self._open("list"):
            self._open_within("item", tag)

    def _start_in_table(self, kind: str, tag: Tag) -> None:
        if not self._n_open["table"] or self._n_deeper["table"]:
            return
        around = {"table"} if kind == "row" else {"table", "row"}
        while self._stack[-1].kind not in around:
            self._close()
        if kind == "cell" and self._stack[-1].kind == "table":
            self._open_within("row", tag)
        self._open_within(kind, tag)
        if kind == "cell":
            self._stack[-1].n_rows = _number("rows", tag.attributes) or 1

    def _open_within(self, kind: str, tag: Tag) -> None:
        """Open a part of a list or table, for which there is room wherever there was for that."""
        self._n_open[kind] += 1
        self._stack.append(_Frame(kind, tag.name, _number(kind, tag.attributes)))

    def _end(self, kind: str) -> None:
        if self._n_deeper[kind]:
            self._n_deeper[kind] -= 1
        elif self._is_in_reach(kind):
            while self._stack[-1].kind != kind:
                self._close()
            self._close()

    def _is_in_reach(self, kind: str) -> bool:
        """Tell whether an element of *kind* is open; the cells of a table hold what is in them."""
        for frame in reversed(self._stack):
            if frame.kind == kind:
                return True
            if frame.kind == "cell" and kind not in {"row", "table"}:
                return False
        return False

    def _close(self) -> None:
        frame = self._stack.pop()
        self._n_open[frame.kind] -= 1
        while self._boxes and self._boxes[-1][1] > len(self._stack):
            self._boxes.pop()
        parent = self._stack[-1]
        if frame.kind == "item":
            _add_item(parent, frame)
        elif frame.kind == "cell":
            _add_cell(self._stack[-2], parent, frame)
        elif frame.kind == "row":
            parent.children += frame.children
            below = {column: n_rows - 1 for column, n_rows in parent.covered.items() if n_rows > 1}
            parent.covered = below | frame.covered
            if any(frame.items):
                parent.rows.append(frame.items)
                parent.has_header |= frame.has_header and is_wide(frame.items)
        else:
            self._add_closed(frame)

    def _add_closed(self, frame: _Frame) -> None:
        if frame.kind == "quote" and frame.children:
            self.add(Quote(frame.children))
        elif frame.kind == "list":
            for node in (*frame.children, *_lists(frame)):
                self._add_part_of_list(node)
        elif frame.kind == "table":
            cells = nodes_of_table(frame.rows, has_header=frame.has_header)
            for node in (*frame.children, *cells):
                self.add(node)

    def _add_part_of_list(self, node: Node) -> None:
        parent = self._stack[-1]
        if parent.kind == "list" and parent.items:
            # Of a list in a list, beside the item that it belongs to.
            parent.items[-1].append(node)
        else:
            self.add(node)


def _add_cell(table: _Frame, row: _Frame, cell: _Frame) -> None:
    """Add *cell* to its row, behind columns that cells of rows above reach into."""
    while len(row.items) in table.covered:
        row.items.append([])
    first = len(row.items)
    spare: list[list[Node]] = [[] for _ in range(min(cell.number or 1, _MAX_SPAN) - 1)]
    row.items += [cell.children, *spare]
    row.has_header |= cell.name == "th" and bool(cell.children)
    if cell.n_rows > 1:
        columns = range(first, min(len(row.items), _MAX_COLUMNS))
        row.covered |= dict.fromkeys(columns, cell.n_rows - 1)


def _lists(frame: _Frame) -> list[List]:
    if frame.name != "ol":
        return [List(frame.items)] if frame.items else []
    numbers = numbers_of(frame.values, frame.number, is_reversed=frame.is_reversed)
    return numbered_lists(frame.items, [numbers[place] for place in frame.places])


def _add_item(parent: _Frame, frame: _Frame) -> None:
    items = parent.items
    if frame.name == "dd" and items and all(isinstance(node, List) for node in frame.children):
        # Tables of contents: what is in a chapter stands below its name.
        items[-1] += frame.children
    else:
        parent.add_item(frame.children, frame.number)


def _number(kind: str, attributes: bytes) -> int | None:
    its = _NUMBERED_BY.get(kind)
    if its is None or its not in attributes.lower():
        return None
    written = next((value for name, value in written_values(attributes) if name == its), b"")
    match = _NUMBER.match(written)
    return int(match[1]) if match else None


def _is_reversed(attributes: bytes) -> bool:
    is_near = b"reversed" in attributes.lower()
    return is_near and any(name == b"reversed" for name, _ in written_values(attributes))
