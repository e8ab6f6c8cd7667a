"""Text nodes of pages whose annotation stands in their mark-up.

A text node is the text between two tags or comments, without that of ``head``, ``script``, ``style``
and ``select``; nodes of whitespace only are none. Its annotation is that of the innermost element
around it that has one. The tree is libxml2's.
*Source: Pomikálek 2011, section 2.9; Kohlschütter 2011, section 4.4.3.*
Cost: O(n). Nodes below 2,048 nested elements are dropped, as libxml2 does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lxml import etree

from crawler.page.encoding.text import decode
from crawler.page.tags import TRANSPARENT
from crawler.page.tree_source import parseable
from crawler.page.words import collapsed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

# Section 2.9: what Victor's preprocessing removes, and so all others do.
_DROPPED = frozenset({"head", "script", "style", "select"})
_INLINE = TRANSPARENT | {"a", "kw"}


class AnnotatedNode(NamedTuple):
    """A text node: its text as it stands, its annotation, and whether a new line begins with it.

    Whitespace between two nodes is at the start of the second.
    """

    text: str
    annotation: str | None
    begins_line: bool


def annotated_nodes(
    body: bytes, annotation_of: Callable[[str], str | None]
) -> Iterator[AnnotatedNode]:
    """Give the text nodes of a page, in order.

    *annotation_of* tells what the value of a class attribute says, None when nothing.
    """
    source = parseable(decode(body).utf8)
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, recover=True)
    try:
        root = etree.fromstring(source, parser)
    except etree.XMLSyntaxError:
        return
    if root is None:
        return
    begins_line, space = True, ""
    for text, annotation in _pieces(root, annotation_of):
        if text is None:
            begins_line = True
        elif text.isspace():
            space = " "
        else:
            yield AnnotatedNode(space + text, annotation, begins_line)
            begins_line, space = False, ""


def _pieces(
    root: etree._Element, annotation_of: Callable[[str], str | None]
) -> Iterator[tuple[str | None, str | None]]:
    """Give each text with its annotation, and None where an element that is not inline has an edge."""
    around: list[str | None] = [None]
    n_dropped = 0
    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        name = element.tag if isinstance(element.tag, str) else None
        if event == "start":
            around.append(annotation_of(element.get("class") or "") or around[-1])
            n_dropped += name in _DROPPED
            if name not in _INLINE:
                yield None, None
            text = element.text
        else:
            if event == "end":
                around.pop()
                n_dropped -= name in _DROPPED
                if name not in _INLINE:
                    yield None, None
            text = element.tail if element is not root else None
        if text and not n_dropped:
            yield text, around[-1]


def text_of(nodes: Iterable[tuple[AnnotatedNode, bool]]) -> str:
    """Return the text of the nodes that are wanted; a line ends where a block or a gap does."""
    lines: list[list[str]] = [[]]
    begins_line = False
    for node, is_wanted in nodes:
        begins_line = begins_line or node.begins_line or not is_wanted
        if not is_wanted:
            continue
        if begins_line:
            lines.append([])
        lines[-1].append(node.text)
        begins_line = False
    texts = (collapsed("".join(line)) for line in lines)
    return "\n".join(text for text in texts if text)
