"""The source of a page as text and tags, in order: runs of blocks, text of no block, tags.

Between two runs stand tags, comments, and text that makes no block: text without a word, that of
drawings and selections, what the page hides. Those parts are read here, each by itself, so that an
error in one does not reach the next. The content of raw text elements (scripts, styles, ``title``)
and of ``template`` is neither text nor tags, but for a template that is a shadow root.

A plain text page has no tags; it is read as one in which each block is a ``p``.

Cost: O(n). Invariant: the texts that belong to a block are the page's runs.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.page.runs import TextRuns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crawler.page.model import PageModel

NO_BLOCK = -1

_ATTRIBUTES = rb"""(?>(?:[^>"'=]++|=\s*+(?:"[^"]*+"?|'[^']*+'?)?|["'])*)"""
# Those of an end tag: a quotation that is never closed is none.
_OF_END = rb"""(?>(?:[^>"'=]++|=\s*+(?:"[^"]*+"|'[^']*+')?|["'])*)"""
_SCRIPTS = (b"script", b"style")
_RAW_SCRIPTS = b"|".join(_SCRIPTS)
_RAW = (
    _RAW_SCRIPTS
    + rb"|textarea|title|xmp|iframe|noembed|noframes|annotation-xml|template(?![^<>]*shadowrootmode)"
)


def _markup(raw: bytes) -> re.Pattern[bytes]:
    """Return a pattern of all markup, in which *raw* are the elements of raw text."""
    # HTML standard, section 13.2.5: a comment; another declaration or a broken end tag; raw text; a tag.
    return re.compile(
        rb"<(?:!--(?:-?>|(?P<comment>.*?)(?:--!?>|(?P<open_comment>\Z)))"
        rb"|/(?P<end>[a-z][^\s/>]*+)" + _OF_END + rb">?"
        rb"|[!?/][^>]*+>?"
        rb"|(?P<raw>"
        + raw
        + rb")(?=[\s/>])(?P<raw_attributes>"
        + _ATTRIBUTES
        + rb")>?(?P<content>.*?)(?:</(?P=raw)(?=[\s/>])[^>]*+>?|(?P<open_raw>\Z))"
        rb"|(?P<name>[a-z][^\s/>]*+)(?P<attributes>" + _ATTRIBUTES + rb")(?P<closed>>)?)",
        re.DOTALL | re.IGNORECASE,
    )


_MARKUP = _markup(_RAW)
# Behind an element of raw text that is never closed: to the page model it is one like others.
_MARKUP_OF_OPEN = _markup(_RAW_SCRIPTS)


class Text(NamedTuple):
    """Bytes *start* to *end* of the source; *block* is an index of the page's or ``NO_BLOCK``."""

    start: int
    end: int
    block: int


class Tag(NamedTuple):
    """A tag: its *name* in small letters, its attributes as they are written, and where it begins in the source."""

    name: str
    is_end: bool
    attributes: bytes
    start: int


class Markup(NamedTuple):
    """A page as it is shown: its *source* and the *runs* of text in it."""

    source: bytes
    runs: TextRuns


def markup_of(page: PageModel) -> Markup:
    """Return the source of *page* with its runs; a source is made for a page without tags."""
    runs = page.runs
    if len(runs) or not len(page.blocks):
        return Markup(page.source, runs)
    parts = [b"<!DOCTYPE html>"]
    starts, ends = [], []
    place = len(parts[0])
    for text in page.blocks.text:
        written = escape(text, quote=False).encode()
        starts.append(place + len("\n<p>"))
        ends.append(starts[-1] + len(written))
        place = ends[-1] + len("</p>")
        parts.append(b"\n<p>" + written + b"</p>")
    blocks = np.arange(len(starts), dtype=np.uint32)
    made = TextRuns(np.array(starts, np.uint32), np.array(ends, np.uint32), blocks)
    return Markup(b"".join(parts), made)


def events(markup: Markup) -> Iterator[Text | Tag]:
    """Yield all texts of *markup*, also those of whitespace alone, and all tags.

    >>> from crawler.page import build_page
    >>> page = build_page(b"<p>One</p> - <br>two", url="", content_type=None)
    >>> [event.block if isinstance(event, Text) else event.name for event in events(markup_of(page))]
    ['p', 0, 'p', -1, 'br', 1]
    """
    source, runs = markup
    place = 0
    for start, end, block in zip(
        runs.start.tolist(), runs.end.tolist(), runs.block.tolist(), strict=True
    ):
        yield from events_between(source, place, start)
        yield Text(start, end, block)
        place = end
    yield from events_between(source, place, len(source))


def events_between(source: bytes, place: int, end: int) -> Iterator[Text | Tag]:
    """Yield the texts, of no block, and the tags of *source* from *place* to *end*, where no block has a run."""
    for match in markup_matches(source, place, end):
        start = match.start()
        if place < start:
            yield Text(place, start, NO_BLOCK)
        place = match.end()
        if match["name"] is not None:
            yield Tag(_name(match["name"]), False, match["attributes"], start)
        elif match["end"] is not None:
            yield Tag(_name(match["end"]), True, b"", start)
    if place < end:
        yield Text(place, end, NO_BLOCK)


def markup_matches(source: bytes, place: int, end: int) -> Iterator[re.Match[bytes]]:
    """Yield all that is markup in *source* from *place* to *end*, in order.

    By its groups a match is a start tag (``name``, ``attributes``), an end tag (``end``), an element of raw text
    (``raw``, ``raw_attributes``, ``content``), a ``comment``, or, without any of them, another declaration.
    """
    for match in _MARKUP.finditer(source, place, end):
        is_open = match["open_raw"] is not None
        if is_open and match["raw"].lower() not in _SCRIPTS:
            yield from _MARKUP_OF_OPEN.finditer(source, place, end)
            return
        yield match
        place = match.end()


def _name(name: bytes) -> str:
    return name.decode("utf-8", "replace").lower()


def end_of_body(markup: Markup) -> int:
    """Return where markup may be added behind all text: before what ends the page or swallows it."""
    source, runs = markup
    last = int(runs.end[-1]) if len(runs) else 0
    for match in _MARKUP.finditer(source, last):
        is_open = match["open_comment"] is not None or match["open_raw"] is not None
        if match["name"] is not None:
            is_open = match["closed"] is None
        if is_open or source[match.end() - 1] != ord(">"):
            return match.start()
        if match["end"] is not None and match["end"].lower() in {b"body", b"html"}:
            return match.start()
    return len(source)
