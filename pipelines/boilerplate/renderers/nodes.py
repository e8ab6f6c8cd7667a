"""What the outline of a page is made of: pieces of text, and the nodes that hold them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Piece(NamedTuple):
    """Text in one style, whitespace collapsed but for line breaks; *href* when it is a link.

    *raised*: ``sup``, ``sub`` or nothing; *formula*: of TeX, the mark on both sides of it, ``$`` or, on a line of its
    own, ``$$``; else nothing.
    """

    text: str
    strong: bool = False
    emphasis: bool = False
    code: bool = False
    href: str | None = None
    raised: str = ""
    struck: bool = False
    formula: str = ""


@dataclass(slots=True)
class Paragraph:
    """Running text; a heading when *level*, 1 to 6, is not 0; *is_done* of a task in a list, None for other text."""

    pieces: list[Piece]
    level: int = 0
    is_done: bool | None = None


@dataclass(slots=True)
class Code:
    """Preformatted *text*, its whitespace as it stands; *language* is a name or empty."""

    text: str
    language: str = ""


@dataclass(slots=True)
class Quote:
    """A quotation."""

    children: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class List:
    """A list; each item holds nodes. *first* is the number of its first item, None without numbers."""

    items: list[list[Node]] = field(default_factory=list)
    first: int | None = None


@dataclass(slots=True)
class Table:
    """Rows of cells; each holds nodes but quotes and tables, none where it is empty."""

    rows: list[list[list[Node]]]


Node = Paragraph | Code | Quote | List | Table
