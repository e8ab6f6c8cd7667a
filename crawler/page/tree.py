"""An lxml tree of a page, and where in it the text of each block stands.

The tree is libxml2's: it closes and adds elements, drops end tags that match nothing, and reads some
raw text otherwise than the scan, so that text may be missing from it; the mapping says which. What
the scan does not count as text (scripts, forms) is in the tree, too.

Cost: O(n) beside the parse. Limits: libxml2 stops at 2,048 nested elements; the text from there on
is dropped. Not handled: ``noframes`` is raw text to libxml2, its tags and references stand in the
text as they are. Invariant: the pieces of a run that is not dropped are, in their order, its text,
with references decoded, and without the whitespace at its ends and control characters.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
from lxml import etree

from crawler.page.tree_markers import (
    MAX_RUNS,
    Marks,
    find_markers,
    has_markers,
    out_of_order,
    with_markers,
    without_markers,
)
from crawler.page.tree_source import parseable, with_ended_comments

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page.runs import TextRuns

    I64 = npt.NDArray[np.int64]
    U32 = npt.NDArray[np.uint32]
    Bools = npt.NDArray[np.bool_]

# Their content is no text in any tree.
_RAW = frozenset({"script", "style"})
# What libxml2 reads, but lxml does not let into a tree: XML 1.0, production 2.
_NOT_XML = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


class TextNode(NamedTuple):
    """A text of the tree: that before the first child of *element*, or that behind *element*."""

    element: etree._Element
    is_tail: bool

    @property
    def text(self) -> str:
        """The characters that the pieces count."""
        return (self.element.tail if self.is_tail else self.element.text) or ""


class Pieces(NamedTuple):
    """Parts of the text of runs, in the order of the tree: characters *start* to *end* of a node.

    Shapes: uint32[n] each; *run* and *block* are indices of the page's, *node* one of
    :attr:`PageTree.nodes`.
    """

    run: U32
    block: U32
    node: U32
    start: U32
    end: U32


@dataclass(eq=False)
class PageTree:
    """The tree of a page: *nodes* are the texts that hold *pieces*, in the order of the tree.

    ``moved`` and ``dropped``, bool[n_runs]: whether a run stands before one that it follows in the
    page, and whether some or all of it is missing. A text must not be changed before its pieces
    are read.
    """

    root: etree._Element
    nodes: list[TextNode]
    pieces: Pieces
    moved: Bools
    dropped: Bools

    def blocks_of(self, element: etree._Element) -> U32:
        """Return the blocks that have text within *element*, in page order.

        The first call takes time in proportion to the tree, the others to the answer.
        """
        first, last = self._spans.get(element, (0, 0))
        bounds = np.searchsorted(self.pieces.node, (first, last))
        return cast("U32", np.unique(self.pieces.block[bounds[0] : bounds[1]]))

    @cached_property
    def elements(self) -> list[etree._Element]:
        """The elements in the order of the tree, the root first."""
        return list(self.root.iter(etree.Element))

    @cached_property
    def parents(self) -> I64:
        """The place among `elements` of each one's parent, int64[n], -1 for the root."""
        return np.array([self._number[each.getparent()] for each in self.elements], np.int64)

    @cached_property
    def holders(self) -> I64:
        """The place among `elements` of the one that each of `nodes` is a child of, int64[m]."""
        number = self._number
        holders = [
            number[element.getparent() if is_tail else element] for element, is_tail in self.nodes
        ]
        return np.array(holders, np.int64)

    @cached_property
    def tail_of(self) -> I64:
        """The place of the element that each of `nodes` stands behind, int64[m], -1 behind none."""
        number = self._number
        tails = [number.get(element, -1) if is_tail else -1 for element, is_tail in self.nodes]
        return np.array(tails, np.int64)

    @cached_property
    def _number(self) -> dict[etree._Element | None, int]:
        return {None: -1} | {element: place for place, element in enumerate(self.elements)}

    @cached_property
    def _spans(self) -> dict[etree._Element, tuple[int, int]]:
        """First node and end of the nodes within each element that holds any."""
        spans: dict[etree._Element, tuple[int, int]] = {}
        path: list[tuple[etree._Element, int]] = []
        open_elements: set[etree._Element] = set()
        for place, (element, is_tail) in enumerate(self.nodes):
            holder = element.getparent() if is_tail else element
            entered = []
            while holder is not None and holder not in open_elements:
                entered.append(holder)
                holder = holder.getparent()
            while path and path[-1][0] is not holder:
                closed, first = path.pop()
                open_elements.remove(closed)
                spans[closed] = (first, place)
            path += [(holder, place) for holder in reversed(entered)]
            open_elements.update(entered)
        spans.update((element, (first, len(self.nodes))) for element, first in path)
        return spans


def build_tree(source: bytes, runs: TextRuns, *, is_xml: bool = False) -> PageTree:  # noqa: ARG001  as for the scan
    """Return the tree of *source*, valid UTF-8, in which *runs* of text are found again.

    Never raises on any source. *is_xml* changes nothing: libxml2's reader of HTML takes ``<div/>`` as
    closed in any page, and its reader of XML drops too much of pages with errors.

    >>> import numpy as np
    >>> from crawler.page.runs import TextRuns
    >>> start, end, block = np.array([[3, 8], [5, 9], [0, 1]], np.uint32)
    >>> tree = build_tree(b"<p>hi<p>!", TextRuns(start, end, block))
    >>> [(node.element.tag, node.text) for node in tree.nodes]
    [('p', 'hi'), ('p', '!')]
    """
    root = _parse(parseable(with_markers(with_ended_comments(source), runs)))
    nodes, texts = _texts(root)
    if any(map(_NOT_XML.search, texts)):
        texts = [_NOT_XML.sub("", text) for text in texts]
    n_marked = min(len(runs), MAX_RUNS)
    marks = find_markers(texts, n_marked)
    texts = _unmark(nodes, texts, marks)
    if len(marks.number) < 2 * n_marked:
        _unmark_the_rest(root)
    return _page_tree(root, nodes, texts, marks, runs)


def _parse(source: bytes) -> etree._Element:
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, recover=True)
    try:
        root = etree.fromstring(source, parser)
    except etree.XMLSyntaxError:
        root = None
    return etree.Element("html") if root is None else root


def _texts(root: etree._Element) -> tuple[list[TextNode], list[str]]:
    """Return all texts in the order of the tree but those of comments, scripts and styles."""
    nodes: list[TextNode] = []
    texts: list[str] = []
    ancestors: list[etree._Element] = []
    element = root
    while True:
        text = element.text
        if text and _is_read(element):
            nodes.append(TextNode(element, is_tail=False))
            texts.append(text)
        if len(element):
            ancestors.append(element)
            element = element[0]
            continue
        while True:
            if not ancestors:
                return nodes, texts
            text = element.tail
            if text:
                nodes.append(TextNode(element, is_tail=True))
                texts.append(text)
            following = element.getnext()
            if following is not None:
                element = following
                break
            element = ancestors.pop()


def _is_read(element: etree._Element) -> bool:
    return isinstance(element.tag, str) and element.tag not in _RAW


def _unmark(nodes: list[TextNode], texts: list[str], marks: Marks) -> list[str]:
    """Take the markers out of the texts that have some; return the texts."""
    texts = texts.copy()
    for place in np.unique(marks.text).tolist():
        text = texts[place] = without_markers(texts[place])
        element, is_tail = nodes[place]
        if is_tail:
            element.tail = text
        else:
            element.text = text
    return texts


def _unmark_the_rest(root: etree._Element) -> None:
    """Take the markers out of comments, scripts, styles and attributes."""
    around = (root.itersiblings(preceding=True), root.itersiblings())
    for element in chain(root.iter(), *around):
        text = element.text
        if text and not _is_read(element) and has_markers(text):
            element.text = _NOT_XML.sub("", without_markers(text))
        attributes = [(str(name), str(value)) for name, value in element.items()]
        if any(has_markers(name) or has_markers(value) for name, value in attributes):
            # lxml takes no name back that is none in XML, nor deletes it.
            element.attrib.clear()
            for name, value in attributes:
                if not has_markers(name):
                    with suppress(ValueError):
                        element.set(name, _NOT_XML.sub("", without_markers(value)))


def _page_tree(
    root: etree._Element, nodes: list[TextNode], texts: list[str], marks: Marks, runs: TextRuns
) -> PageTree:
    """Put the pieces between markers together; *texts* are those of *nodes*, without markers."""
    first = np.full(2 * len(runs), -1, np.int64)
    # The first marker of a number counts.
    first[marks.number[::-1]] = np.arange(len(marks.number))[::-1]
    begin, end = first[0::2], first[1::2]
    run = np.flatnonzero((begin >= 0) & (begin < end))
    begun, ended = begin[run], end[run]
    is_whole = marks.text[begun] == marks.text[ended]
    whole = np.stack((run, marks.text[begun], marks.place[begun], marks.place[ended]), axis=1)[
        is_whole
    ]
    divided = _divided(run[~is_whole], begun[~is_whole], ended[~is_whole], marks, texts)
    found = np.concatenate((whole, divided))
    found = found[np.lexsort((found[:, 2], found[:, 1]))]
    used, node = np.unique(found[:, 1], return_inverse=True)
    is_missing = (begin < 0) | (end < begin)
    moved = np.zeros(len(runs), np.bool_)
    moved[~is_missing] = out_of_order(begin[~is_missing])
    columns = (found[:, 0], runs.block[found[:, 0]], node, found[:, 2], found[:, 3])
    return PageTree(
        root=root,
        nodes=[nodes[place] for place in used.tolist()],
        pieces=Pieces(*(column.astype(np.uint32) for column in columns)),
        moved=moved,
        dropped=is_missing,
    )


def _divided(run: I64, begun: I64, ended: I64, marks: Marks, texts: list[str]) -> I64:
    """Return the pieces of runs that the parser divided between texts: run, text, start, end."""
    found: list[tuple[int, int, int, int]] = []
    for number, begin, end in zip(run.tolist(), begun.tolist(), ended.tolist(), strict=True):
        first, last = int(marks.text[begin]), int(marks.text[end])
        for text in range(first, last + 1):
            start = int(marks.place[begin]) if text == first else 0
            stop = int(marks.place[end]) if text == last else len(texts[text])
            if texts[text][start:stop].strip():
                found.append((number, text, start, stop))
    return np.array(found, np.int64).reshape(-1, 4)
