"""Designs of the page model that were weighed and left: small prototypes, kept to be measured.

Each reads bytes and gives the atomic blocks with their texts, words, linked words and wrapped lines,
and the references of links. They do less than the page model, and what they leave out only flatters
them: no choice of encoding (UTF-8 is taken), no gap sets, tag paths, pagelets, head or anchor texts,
and elements that are not closed may hide text. What they share is in :class:`Draft`, so that they
differ in how they get at the text.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

import numpy as np
import turbohtml
from lxml import etree
from selectolax.lexbor import LexborHTMLParser

from crawler.page.lines import line_counts
from crawler.page.tags import names
from crawler.page.words import density_tokens

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt
    from selectolax.lexbor import LexborNode

    Places = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]

DROPPED = names(
    "script style template iframe noembed textarea xmp noscript object applet select datalist svg "
    "canvas audio video title option"
)
_NO_ELEMENTS = frozenset({"-comment", "!doctype"})
_RAW = ("script", "style", "template", "textarea", "xmp", "noembed", "iframe", "noscript", "title")


class Draft:
    """Blocks made of pieces of text and gaps in page order: *texts*, *n_words*, *n_linked*, *hrefs*."""

    __slots__ = ("hrefs", "is_linked", "n_linked", "n_words", "parts", "pieces", "texts")

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.n_words: list[int] = []
        self.n_linked: list[int] = []
        self.hrefs: list[str] = []
        self.parts: list[str] = []
        self.pieces: list[str] = []
        self.is_linked = False

    def add(self, text: str) -> None:
        """Add a piece of text."""
        self.parts.append(text)
        if self.is_linked:
            self.pieces.append(text)

    def gap(self) -> None:
        """End the block at hand."""
        if not self.parts:
            return
        text = " ".join("".join(self.parts).split())
        self.parts = []
        n_words = len(density_tokens(text)) if text else 0
        if n_words:
            self.texts.append(text)
            self.n_words.append(n_words)
            n_linked = sum(len(density_tokens(piece)) for piece in self.pieces)
            self.n_linked.append(min(n_words, n_linked))
        self.pieces = []

    def done(self) -> Draft:
        """End the last block and wrap the lines, which is a part of the work."""
        self.gap()
        line_counts(self.texts)
        return self


def lexbor_walk(body: bytes) -> Draft:
    """Walk over the nodes of a tree that lexbor parsed (selectolax), by recursion."""
    draft = Draft()
    root = LexborHTMLParser(body).root
    if root is not None:
        _walk_inside(root, draft)
    return draft.done()


def _walk_inside(parent: LexborNode, draft: Draft) -> None:
    node = parent.child
    while node is not None:
        tag = node.tag
        if tag == "-text":
            draft.add(node.text_content or "")
        elif tag == "a":
            href = node.attributes.get("href")
            if href is not None:
                draft.hrefs.append(href)
            draft.is_linked = True
            _walk_inside(node, draft)
            draft.is_linked = False
        elif tag not in _NO_ELEMENTS:
            draft.gap()
            if tag not in DROPPED:
                _walk_inside(node, draft)
                draft.gap()
        node = node.next


def lxml_iterwalk(body: bytes) -> Draft:
    """Walk over the start and end events of a tree that libxml2 parsed (lxml)."""
    draft = Draft()
    n_dropped = 0
    for event, element in etree.iterwalk(etree.HTML(body), events=("start", "end")):
        name = element.tag
        is_start = event == "start"
        if name == "a":
            draft.is_linked = is_start
            href = element.get("href") if is_start else None
            if href is not None:
                draft.hrefs.append(href)
        elif isinstance(name, str):
            draft.gap()
            if name in DROPPED:
                n_dropped += 1 if is_start else -1
        text = element.text if is_start and isinstance(name, str) else None
        text = text if is_start else element.tail
        if text and not n_dropped:
            draft.add(text)
    return draft.done()


def turbohtml_tokens(body: bytes) -> Draft:
    """Take the tokens of a compiled WHATWG tokenizer in a Python loop (turbohtml)."""
    draft = Draft()
    kinds = turbohtml.TokenType
    waits_for = ""
    for token in turbohtml.tokenize(body.decode("utf-8", "replace")):
        kind = token.type
        if kind is kinds.TEXT:
            if not waits_for:
                draft.add(token.data or "")
        elif kind is kinds.START_TAG or kind is kinds.END_TAG:
            name = token.tag
            is_start = kind is kinds.START_TAG
            if name == "a":
                draft.is_linked = is_start
                href = token.attr("href") if is_start else None
                if href:
                    draft.hrefs.append(href)
                continue
            draft.gap()
            if is_start and not waits_for and name in DROPPED:
                waits_for = name
            elif waits_for == name and not is_start:
                waits_for = ""
    return draft.done()


def turbohtml_annotated(body: bytes) -> Draft:
    """Take the laid-out text of a compiled parser with the spans of its links (turbohtml).

    Its lines are those of the layout, not the blocks of the gap model, and inline tags are no gaps.
    """
    draft, document = Draft(), turbohtml.parse(body)
    text, spans = document.to_annotated_text({"a": ["a"]})
    draft.hrefs = [link.attr("href") or "" for link in document.select("a[href]")]
    places = iter([*spans, (len(text), len(text), "a")])
    start, end, _ = next(places)
    position = 0
    for line in text.splitlines(keepends=True):
        line_end = position + len(line)
        draft.add(line)
        while start < line_end:
            draft.pieces.append(text[max(start, position) : min(end, line_end)])
            if end > line_end:
                break
            start, end, _ = next(places)
        draft.gap()
        position = line_end
    return draft.done()


_TOKEN = re.compile(
    r"""<(?:!--.*?-->|(/?)([a-zA-Z][^\s/>]*)((?:[^>"']|"[^"]*"|'[^']*')*+)>|[!?/][^>]*>)""",
    re.DOTALL,
)
_HREF = re.compile(r"""\bhref\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)""", re.IGNORECASE)
_ENDS = {name: re.compile(rf"</{name}\b", re.IGNORECASE) for name in DROPPED}


def regex_tokens(body: bytes) -> Draft:
    """Take the matches of one expression in a Python loop; needs nothing but Python."""
    draft = Draft()
    source = body.decode("utf-8", "replace")
    last = 0
    for match in _TOKEN.finditer(source):
        start = match.start()
        if start < last:
            continue  # within an element that is skipped
        if start > last:
            draft.add(html.unescape(source[last:start]))
        last = match.end()
        name = (match[2] or "").lower()
        if name == "a":
            draft.is_linked = not match[1]
            href = _HREF.search(match[3]) if draft.is_linked else None
            if href:
                draft.hrefs.append(html.unescape(href[1].strip("\"'")))
        elif name:
            draft.gap()
            if name in DROPPED and not match[1]:
                end = _ENDS[name].search(source, last)
                last = end.start() if end else last
    draft.add(html.unescape(source[last:]))
    return draft.done()


def _key(name: str) -> int:
    return int.from_bytes(name.encode()[:4].ljust(4), "little")


def numpy_masks(body: bytes) -> Draft:
    """Find tags and words with array operations over the bytes, then cut the texts out.

    Four letters stand for a tag's name; a ``>`` in an attribute ends its tag; no reference of a link
    is taken.
    """
    data = np.frombuffer(body + b"<a >    ", dtype=np.uint8)
    starts = np.flatnonzero(data[:-7] == ord("<"))
    is_end = data[starts + 1] == ord("/")
    keys = _keys(data, starts + 1 + is_end)
    gts = np.flatnonzero(data == ord(">"))
    ends = gts[np.minimum(np.searchsorted(gts, starts), len(gts) - 1)] + 1
    is_kept = _without_raw_text(body, starts, ends, keys, is_end)
    last_end = np.maximum.accumulate(np.where(is_kept, ends, 0))
    is_kept &= np.r_[True, starts[1:] >= last_end[:-1]]
    starts, ends, keys, is_end = starts[is_kept], ends[is_kept], keys[is_kept], is_end[is_kept]
    is_a = keys == _key("a")
    # One row a piece of text: from the end of a tag to the start of the next one.
    rows = np.flatnonzero(ends[:-1] < starts[1:])
    block = np.cumsum(~is_a & (data[starts + 1] != ord("!")))[rows]
    linked = (np.cumsum(is_a & ~is_end) > np.cumsum(is_a & is_end))[rows]
    draft = Draft()
    previous = -1
    for row, number, is_linked in zip(rows.tolist(), block.tolist(), linked.tolist(), strict=True):
        if number != previous:
            draft.gap()
            previous = number
        draft.is_linked = is_linked
        draft.add(html.unescape(body[ends[row] : starts[row + 1]].decode("utf-8", "replace")))
    return draft.done()


def _without_raw_text(
    body: bytes, starts: Places, ends: Places, keys: Places, is_end: Flags
) -> Flags:
    """Let the tags of dropped elements, and comments, end where these do; return what is outside."""
    is_kept = np.ones(len(starts), dtype=np.bool_)
    names = [keys == _key(name) for name in _RAW]
    spans = [(starts[is_name & ~is_end], starts[is_name & is_end]) for is_name in names]
    marks = (b"<!--", b"-->")
    comments = [
        np.array([m.start() for m in re.finditer(mark, body)], dtype=np.int64) for mark in marks
    ]
    for opening, closing in ((comments[0], comments[1] + 3), *spans):
        if not len(opening) or not len(closing):
            continue
        place = np.searchsorted(closing, opening)
        until = np.where(place < len(closing), closing[np.minimum(place, len(closing) - 1)], 0)
        last = np.searchsorted(opening, starts) - 1
        is_kept &= (last < 0) | (starts >= until[last])
        opened = np.searchsorted(starts, opening)
        ends[opened] = np.maximum(ends[opened], until)
    return is_kept


def _keys(data: npt.NDArray[np.uint8], places: Places) -> Places:
    key = np.zeros(len(places), dtype=np.int64)
    within = np.ones(len(places), dtype=np.bool_)
    for offset in range(4):
        byte = data[np.minimum(places + offset, len(data) - 1)] | 32
        within &= (byte >= ord("a")) & (byte <= ord("z")) | (byte >= ord("0")) & (byte <= ord("9"))
        key |= np.where(within, byte, ord(" ")).astype(np.int64) << (8 * offset)
    return key


DESIGNS: dict[str, Callable[[bytes], Draft]] = {
    "lexbor walk": lexbor_walk,
    "lxml iterwalk": lxml_iterwalk,
    "turbohtml tokens": turbohtml_tokens,
    "turbohtml annotated text": turbohtml_annotated,
    "regex tokens": regex_tokens,
    "numpy masks": numpy_masks,
}
