"""What React sends behind a page, put in its place.

Where a part of a streamed page is still missing it has a ``template``, mostly with a stopgap to look at. The part
follows behind the page, hidden, for a script to put it in its place: the main text of many a page that Next.js makes::

    <!--$?--><template id="B:0"></template>Loading<!--/$--> ... <div hidden id="S:0">The text</div>

*Source*: react-dom 19.0, ReactFizzConfigDOM.js (writeStartSegment, writePlaceholder,
writeCompletedBoundaryInstruction). Part S:n belongs to the placeholder B:n, whose stopgap goes, or P:n. One without a
placeholder is shown where it stands. What may stand in a table alone comes in one; parts of drawings and formulas, in
``svg`` and ``math``, are not looked for::

    <table hidden id="S:1"><tbody>..</tbody></table> <table hidden><tbody id="S:2"><tr>..</tr></tbody></table>
    <table hidden><tr id="S:3"><td>..</td></tr></table>

Cost: O(n) in bytes. Needed for pages on which the scan has met such a part alone.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import NamedTuple

# Comments, and what holds no tags whatever it looks like, to the end where they have none. Pages that are streamed have
# most of their bytes in scripts.
_MARKUP = re.compile(
    rb"<(?:!--(?P<comment>(?>(?:[^-]++|-(?!->))*))"
    rb"|(?P<raw>script|style|textarea|title)\b(?>(?:[^<]++|<(?!/(?P=raw)))*)"
    rb"|(?P<name>div|template)\b(?P<attributes>[^<>]*+)>(?:</template>)?"
    rb"|(?P<table>table\b[^<>]*+)>(?P<row><(?:tbody|tr)\b[^<>]*+>)?"
    rb"|(?P<row_end>/(?:tbody|tr)><)?(?P<end>/(?:div|table)\b)[^<>]*+>?)",
    re.IGNORECASE,
)
_ID = re.compile(rb"""\sid\s*+=\s*+["']?([BPS]):([0-9a-f]++)(?![^\s"'/])""")
_HIDDEN = re.compile(rb"\shidden(?![\w-])")


class _Part(NamedTuple):
    """A part: what it comes in, where its tag begins and ends, and its end tag."""

    name: bytes
    start: int
    inside: int
    inside_end: int
    end: int


class _Event(NamedTuple):
    """*text*, and the inside of the part numbered *part*, stand in place of what does from *start* to *end*."""

    start: int
    end: int
    text: bytes = b""
    part: bytes | None = None


class _Open(NamedTuple):
    """A part whose end is yet to come; *has_row*: what it comes in has a row, or rows, around it."""

    name: bytes
    number: bytes
    start: int
    inside: int
    has_row: bool = False


class _Reader:
    """The *parts* of a page by their numbers, and its *placeholders*, which a stopgap may make longer.

    What is open: the part at hand, elements within it that are named as what it comes in, and for each boundary the
    number of its placeholder.
    """

    def __init__(self, source: bytes):
        self.parts: dict[bytes, _Part] = {}
        self.placeholders: dict[bytes, tuple[int, int]] = {}
        self._open: _Open | None = None
        self._depth = 0
        self._boundaries: list[bytes | None] = []
        for match in _MARKUP.finditer(source):
            if match["comment"] is not None:
                self._take_comment(match)
            elif match["end"] is not None:
                self._take_end(match)
            elif match["table"] is not None:
                self._take_table(match)
            elif match["name"] is not None:
                self._take_tag(match)
        if self._open is not None:
            # Of a page that was cut.
            self._close(len(source), len(source))

    def _take_comment(self, match: re.Match[bytes]) -> None:
        said = match["comment"]
        if said.startswith(b"/$") and self._boundaries:
            number = self._boundaries.pop()
            if number is not None:
                self.placeholders[number] = self.placeholders[number][0], match.start()
        elif said.startswith(b"$"):
            self._boundaries.append(None)

    def _take_tag(self, match: re.Match[bytes]) -> None:
        kind, number = _said(match["attributes"])
        if match["name"].lower() == b"div":
            if kind != b"S" or _HIDDEN.search(match["attributes"]) is None:
                number = b""
            self._take_start(_Open(b"div", number, *match.span()))
        elif kind in {b"B", b"P"} and number not in self.placeholders:
            self.placeholders[number] = match.span()
            if kind == b"B" and self._boundaries:
                self._boundaries[-1] = number

    def _take_table(self, match: re.Match[bytes]) -> None:
        kind, number = _said(match["table"])
        has_row = not kind and match["row"] is not None
        if has_row:
            kind, number = _said(match["row"])
        if kind != b"S" or _HIDDEN.search(match["table"]) is None:
            number = b""
        inside = match.end() if has_row else match.end("table") + 1
        self._take_start(_Open(b"table", number, match.start(), inside, has_row))

    def _take_start(self, found: _Open) -> None:
        if self._open is not None:
            self._depth += found.name == self._open.name
        elif found.number and found.number not in self.parts:
            self._open = found

    def _take_end(self, match: re.Match[bytes]) -> None:
        if self._open is None or not match["end"].lower().endswith(self._open.name):
            return
        if self._depth:
            self._depth -= 1
            return
        self._close(match.start() if self._open.has_row else match.start("end") - 1, match.end())

    def _close(self, inside_end: int, end: int) -> None:
        assert self._open is not None
        name, number, start, inside, _ = self._open
        self.parts[number] = _Part(name, start, inside, inside_end, end)
        self._open = None


def _said(attributes: bytes) -> tuple[bytes, bytes]:
    """Return the kind and number that an ``id`` among *attributes* says, empty for none."""
    said = _ID.search(attributes)
    return (said[1], said[2]) if said else (b"", b"")


def in_place(source: bytes) -> bytes:
    r"""Return *source* with the parts that stand behind it in their places.

    >>> in_place(b'<p><template id="B:0"></template></p><div hidden id="S:0">text</div>')
    b'<p>text</p>'
    """
    reader = _Reader(source)
    parts, placeholders = reader.parts, reader.placeholders
    events = [
        _Event(start, end, part=number)
        for number, (start, end) in placeholders.items()
        if number in parts
    ]
    for number, part in parts.items():
        is_placed = number in placeholders
        events.append(
            _Event(part.start, part.end)
            if is_placed
            else _Event(part.start, part.inside, b"<%b>" % part.name)
        )
    events.sort(key=lambda event: event.start)
    return b"".join(_woven(source, events, parts))


def _woven(source: bytes, events: list[_Event], parts: dict[bytes, _Part]) -> list[bytes]:
    """Return the pieces of *source* in the order in which they are shown."""
    starts = [event.start for event in events]
    # Each part is shown once, whatever a page says.
    left = dict(parts)
    woven, ranges = [], [(0, len(source))]
    while ranges:
        start, end = ranges.pop()
        place = bisect_left(starts, start)
        if place == len(events) or starts[place] >= end:
            woven.append(source[start:end])
            continue
        event = events[place]
        woven += [source[start : event.start], event.text]
        ranges.append((event.end, end))
        part = left.pop(event.part, None) if event.part is not None else None
        if part is not None:
            ranges.append((part.inside, part.inside_end))
    return woven
