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
from crawler.page.tree import TextNode

if TYPE_CHECKING:
    from collections.abc import Iterator

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
_WHITESPACE = re.compile(r"\s+")
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
    for event, element in _events(tree.root):
        if event == "start":
            if _is_dropped(element):
                dropped = element
                continue
            if element.tag not in _UNWRAPPED:
                reader.start(str(element.tag))
            reader.read(element, is_tail=False)
            continue
        if event == "pi":
            reader.flush()
        elif event == "end" and element is dropped:
            dropped = None
        elif event == "end" and element.tag not in _UNWRAPPED:
            reader.end(str(element.tag))
        if element is not tree.root:
            reader.read(element, is_tail=True)
    reader.split()
    return reader.paragraphs, reader.of_node


def _events(root: etree._Element) -> Iterator[tuple[str, etree._Element]]:
    """Yield the events of the tree, none from within an element that is dropped."""
    walk: Any = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    for event, element in walk:
        if event == "start" and _is_dropped(element):
            walk.skip_subtree()
        yield event, element


def _is_dropped(element: etree._Element) -> bool:
    if element.tag == "link":
        return "stylesheet" in (element.get("rel") or "").lower()
    return element.tag in _DROPPED


class _Reader:
    """What is open at one place of the walk."""

    def __init__(self, tree: PageTree):
        self.paragraphs: list[TreeParagraph] = []
        self.of_node = np.full(len(tree.nodes), -1, np.int64)
        self._numbers = {node: number for number, node in enumerate(tree.nodes)}
        self._pending: list[tuple[str, int | None]] = []
        self._members: list[int] = []
        self._open_headings = 0
        self._open_selects = 0
        self._in_link = False
        self._after_br = False
        self._current = TreeParagraph(is_heading=False, in_select=False)

    def start(self, name: str) -> None:
        self.flush()
        self._open_headings += _HEADING.search(name) is not None
        self._open_selects += "select" in name
        if name in _SPLITTING or (name == "br" and self._after_br):
            self.split()
            return
        self._after_br = name == "br"
        if self._after_br:
            self._current.texts.append(" ")
        elif name == "a":
            self._in_link = True

    def end(self, name: str) -> None:
        self.flush()
        self._open_headings -= _HEADING.search(name) is not None
        self._open_selects -= "select" in name
        if name in _SPLITTING:
            self.split()
        if name == "a":
            self._in_link = False

    def read(self, element: etree._Element, *, is_tail: bool) -> None:
        text = element.tail if is_tail else element.text
        if text:
            node = self._numbers.get(TextNode(element, is_tail=is_tail))
            self._pending.append((text, node))

    def flush(self) -> None:
        """Take what was read since the last event as one text."""
        if not self._pending:
            return
        content = "".join(text for text, _ in self._pending)
        nodes = [node for _, node in self._pending if node is not None]
        self._pending.clear()
        if content.isspace():
            return
        text = _WHITESPACE.sub(_one_space, content)
        self._current.texts.append(text)
        self._members += nodes
        if self._in_link:
            self._current.linked_chars += len(text)
        self._after_br = False

    def split(self) -> None:
        """End the paragraph, if it has anything, and begin another."""
        self.flush()
        text = _WHITESPACE.sub(_one_space, "".join(self._current.texts).strip())
        if text:
            self._current.text = text
            self.of_node[self._members] = len(self.paragraphs)
            self.paragraphs.append(self._current)
        self._members.clear()
        self._current = TreeParagraph(self._open_headings > 0, self._open_selects > 0)


def _one_space(whitespace: re.Match[str]) -> str:
    run = whitespace[0]
    return "\n" if "\n" in run or "\r" in run else " "
