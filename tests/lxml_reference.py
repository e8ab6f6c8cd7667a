"""Atomic blocks from an lxml tree of a page: slow, obvious, and without the scanner's code.

Walks the tree and ends a block at each tag but ``a`` (Kohlschütter 2011, section 4.2.1), by the
policy that crawler/page/scanning states for text that is none. The tree has tags that the source has
not (implied ones), and lacks others (end tags that match nothing), so a processing instruction,
which no element minds, is put before each tag of the source, and a gap is where the tree has one of
those. Whether a tag is one (and not part of a comment, a script or an attribute), where elements end,
and what references mean, is libxml2's opinion. The end tags of ``html`` are renamed, as libxml2 drops
what follows them, and the tags of ``noframes``, in which it reads none: its text is a page's own.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from lxml import etree

_TAG = re.compile(r"(?=<(/?[a-z][^\s/<>]*))", re.IGNORECASE)
_RENAMED = re.compile(r"<(/html|/?noframes)(?=[\s/>])", re.IGNORECASE)
_GAP = re.compile(r"\??gap (/?)(\S*?)\??")
_NO_TEXT = {
    *("script", "style", "template", "iframe", "noembed", "textarea", "xmp", "title", "noscript"),
    *("object", "applet", "select", "option", "datalist", "svg", "canvas", "audio", "video"),
}
# Categories Cc but for whitespace, and noncharacters of the first plane.
_CONTROLS = re.compile("[\0-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ufdd0-\ufdef\ufffe\uffff]")
_HIDES = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_MIN_SCRIPTED_WORDS = 25


class ReferenceBlock(NamedTuple):
    """*gap*: the names of the tags before it, opening and closing alike."""

    text: str
    gap: frozenset[str]


def reference_blocks(source: str) -> list[ReferenceBlock]:
    """Return the atomic blocks of *source*."""
    root = _tree(source)
    if root is None:
        return []
    blocks = _Walk(_NO_TEXT).over(root)
    has_noscript = next(root.iter("noscript"), None) is not None
    shown = _Walk(_NO_TEXT, drops_hidden=True).over(root) if has_noscript else []
    if has_noscript and sum(_n_words(block.text) for block in shown) < _MIN_SCRIPTED_WORDS:
        blocks = _Walk(_NO_TEXT - {"noscript"}).over(root)
    return blocks


def _tree(source: str):
    marked = _TAG.sub(lambda match: f"<?gap {match[1].lower()}?>", _CONTROLS.sub("", source))
    marked = _RENAMED.sub(lambda match: f"<{match[1]}-renamed", marked)
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, recover=True)
    return etree.fromstring(marked.encode(), parser) if marked.strip() else None


class _Walk:
    def __init__(self, no_text: set[str], *, drops_hidden: bool = False):
        self.no_text = no_text
        self.drops_hidden = drops_hidden
        self.blocks: list[ReferenceBlock] = []
        self.parts: list[str] = []
        self.gap: set[str] = set()
        # "a" tags behind the text at hand: of the gap after it, if no text follows.
        self.pending: set[str] = set()
        self.after_a = False

    def over(self, root) -> list[ReferenceBlock]:
        for node in reversed(list(root.itersiblings(preceding=True))):
            self.take_mark(node)
        depth_without_text = depth_in_template = 0
        for event, node in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
            if event == "start":
                depth_without_text += self.has_no_text(node)
                depth_in_template += node.tag == "template"
                text = node.text
            else:
                text = node.tail
            if event == "end":
                depth_without_text -= self.has_no_text(node)
                depth_in_template -= node.tag == "template"
            # The mark before an end tag stands within the element.
            elif event != "start" and (not depth_in_template or node.text.endswith("/template?")):
                self.take_mark(node)
            if not depth_without_text:
                self.add(text or "")
        self.end_block()
        return self.blocks

    def has_no_text(self, element) -> bool:
        hides = "hidden" in element.attrib or _HIDES.search(element.get("style", ""))
        return element.tag in self.no_text or bool(self.drops_hidden and hides)

    def take_mark(self, node) -> None:
        # A parser that knows HTML has comments for processing instructions.
        mark = _GAP.fullmatch(f"gap {node.text}" if node.tag is etree.PI else node.text)
        if mark is None:
            return
        if mark[2] != "a":
            self.end_block()
            self.gap.add(mark[2])
            return
        if self.after_a and not mark[1]:
            self.parts.append(" ")
        self.after_a = bool(mark[1])
        (self.pending if "".join(self.parts).strip() else self.gap).add("a")

    def add(self, text: str) -> None:
        text = _CONTROLS.sub("", text)
        if text:
            self.parts.append(text)
            self.after_a = False
        if text.strip():
            self.pending.clear()

    def end_block(self) -> None:
        text = unicodedata.normalize("NFC", " ".join("".join(self.parts).split()))
        if _n_words(text):
            self.blocks.append(ReferenceBlock(text, frozenset(self.gap)))
            self.gap.clear()
        self.gap |= self.pending
        self.pending.clear()
        self.parts.clear()
        self.after_a = False


def _n_words(text: str) -> int:
    """Count the runs of non-whitespace that hold a letter or digit."""
    return sum(map(_has_letter_or_digit, text.split()))


def _has_letter_or_digit(word: str) -> bool:
    return any(unicodedata.category(character)[0] in "LN" for character in word)
