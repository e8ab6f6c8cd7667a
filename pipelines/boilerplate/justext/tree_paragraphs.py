"""The paragraphs of the released jusText, read off a page's tree.

One walk does what the package does in three (clean the tree, turn it to events, put paragraphs
together): texts that stand together once dropped elements and tags are gone are one text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from lxml import etree

from crawler.page.tags import names

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page.tree import PageTree

# Those of the thesis, and body.
_SPLITTING = names(
    "blockquote body caption center col colgroup dd div dl dt fieldset form h1 h2 h3 h4 h5 h6 legend "
    "li optgroup option p pre table td textarea tfoot th thead tr ul"
)
# lxml's cleaner with the package's options: elements that go whole, and tags that go alone.
_DROPPED = names("applet base button head input script select style textarea")
_UNWRAPPED = names("embed form iframe layer object param")
# Runs of whitespace that become one space, or one line feed where they have one or a return; not those that are that.
_CHANGED_WHITESPACE = re.compile(r"\s{2,}|[^\S \n]")
_HEADING = re.compile(r"\bh\d\b")


@dataclass(slots=True)
class TreeParagraph:
    """A paragraph: *linked_chars* count the whitespace at the ends of their texts."""

    is_heading: bool
    in_select: bool
    texts: list[str] = field(default_factory=list)
    linked_chars: int = 0
    text: str = ""


def tree_paragraphs(tree: PageTree) -> tuple[list[TreeParagraph], npt.NDArray[np.int64]]:
    """Return the paragraphs of *tree*, and the number of that of each of its nodes, -1 for none."""
    reader = _Reader(tree)
    dropped: etree._Element | None = None
    walk: Any = etree.iterwalk(tree.root, events=("start", "end", "comment", "pi"))
    for event, element in walk:
        if event == "start":
            name = reader.names[element.tag]
            if name.is_dropped or (name.is_reference and _is_style_sheet(element)):
                dropped = element
                walk.skip_subtree()
                continue
            if not name.is_unwrapped:
                reader.start(name)
            reader.read_text(element)
            continue
        if event == "pi":
            reader.flush()
        elif event == "end" and element is dropped:
            dropped = None
        elif event == "end":
            reader.end(reader.names[element.tag])
        if element is not tree.root:
            reader.read_tail(element)
    reader.split()
    return reader.paragraphs, np.array(reader.of_node, np.int64)


def _is_style_sheet(element: etree._Element) -> bool:
    return "stylesheet" in (element.get("rel") or "").lower()


class _Name:
    """What the name of an element says of it."""

    __slots__ = (
        "is_break",
        "is_dropped",
        "is_heading",
        "is_link",
        "is_reference",
        "is_select",
        "is_unwrapped",
        "splits",
    )

    def __init__(self, name: str):
        self.is_dropped = name in _DROPPED
        self.is_unwrapped = name in _UNWRAPPED
        self.is_reference = name == "link"
        self.is_heading = _HEADING.search(name) is not None
        self.is_select = "select" in name
        self.splits = name in _SPLITTING
        self.is_break = name == "br"
        self.is_link = name == "a"


class _Names(dict[str, _Name]):
    """What the names of a page say: few, where elements are many."""

    def __missing__(self, name: str) -> _Name:
        self[name] = found = _Name(name)
        return found


class _Reader:
    """What is open at one place of the walk."""

    def __init__(self, tree: PageTree):
        self.names = _Names()
        self.paragraphs: list[TreeParagraph] = []
        self.of_node = [-1] * len(tree.nodes)
        self._of_text: dict[etree._Element, int] = {}
        self._of_tail: dict[etree._Element, int] = {}
        for number, (element, is_tail) in enumerate(tree.nodes):
            (self._of_tail if is_tail else self._of_text)[element] = number
        self._pending: list[str] = []
        self._pending_nodes: list[int] = []
        self._members: list[int] = []
        self._open_headings = 0
        self._open_selects = 0
        self._in_link = False
        self._after_br = False
        self._current = TreeParagraph(is_heading=False, in_select=False)

    def start(self, name: _Name) -> None:
        self.flush()
        self._open_headings += name.is_heading
        self._open_selects += name.is_select
        if name.splits or (name.is_break and self._after_br):
            self.split()
            return
        self._after_br = name.is_break
        if name.is_break:
            self._current.texts.append(" ")
        elif name.is_link:
            self._in_link = True

    def end(self, name: _Name) -> None:
        if name.is_unwrapped:
            return
        self.flush()
        self._open_headings -= name.is_heading
        self._open_selects -= name.is_select
        if name.splits:
            self.split()
        if name.is_link:
            self._in_link = False

    def read_text(self, element: etree._Element) -> None:
        text = element.text
        if text:
            self._read(text, self._of_text.get(element))

    def read_tail(self, element: etree._Element) -> None:
        text = element.tail
        if text:
            self._read(text, self._of_tail.get(element))

    def _read(self, text: str, node: int | None) -> None:
        self._pending.append(text)
        if node is not None:
            self._pending_nodes.append(node)

    def flush(self) -> None:
        """Take what was read since the last event as one text."""
        if not self._pending:
            return
        content = "".join(self._pending)
        nodes = self._pending_nodes
        self._pending, self._pending_nodes = [], []
        if content.isspace():
            return
        text = _CHANGED_WHITESPACE.sub(_one_space, content)
        self._current.texts.append(text)
        self._members += nodes
        if self._in_link:
            self._current.linked_chars += len(text)
        self._after_br = False

    def split(self) -> None:
        """End the paragraph, if it has anything, and begin another."""
        self.flush()
        current = self._current
        if not current.texts:
            # Most tags follow one another: nothing was read since the last.
            current.is_heading = self._open_headings > 0
            current.in_select = self._open_selects > 0
            return
        text = _CHANGED_WHITESPACE.sub(_one_space, "".join(current.texts).strip())
        if text:
            current.text = text
            for node in self._members:
                self.of_node[node] = len(self.paragraphs)
            self.paragraphs.append(current)
        self._members.clear()
        self._current = TreeParagraph(self._open_headings > 0, self._open_selects > 0)


def _one_space(whitespace: re.Match[str]) -> str:
    run = whitespace[0]
    return "\n" if "\n" in run or "\r" in run else " "
