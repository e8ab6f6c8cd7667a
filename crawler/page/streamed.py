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

from crawler.page.scanning.stream_marks import COMMENT, TABLE, TEMPLATE, Mark, stream_marks

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


class _Reader:
    """The *parts* of a page by their numbers, and its *placeholders*, which a stopgap may make longer.

    What is open: for each boundary the number of its placeholder.
    """

    def __init__(self, source: bytes):
        self.parts: dict[bytes, _Part] = {}
        self.placeholders: dict[bytes, tuple[int, int]] = {}
        self._source = source
        self._boundaries: list[bytes | None] = []
        end_of_part = 0
        for mark in stream_marks(source):
            if mark.kind == COMMENT:
                self._take_comment(mark.start)
            elif mark.kind == TEMPLATE:
                self._take_template(mark)
            elif mark.start >= end_of_part and self._is_part(mark):
                end_of_part = mark.closed

    def _take_comment(self, start: int) -> None:
        """Take one that begins with a sign of React's."""
        if self._source.startswith(b"$", start + len(b"<!--")):
            self._boundaries.append(None)
        elif self._boundaries:
            number = self._boundaries.pop()
            if number is not None:
                self.placeholders[number] = self.placeholders[number][0], start

    def _take_template(self, mark: Mark) -> None:
        kind, number = _said(self._tag(mark))
        if kind in {b"B", b"P"} and number not in self.placeholders:
            self.placeholders[number] = mark.start, mark.end
            if kind == b"B" and self._boundaries:
                self._boundaries[-1] = number

    def _is_part(self, mark: Mark) -> bool:
        """Take what may be a part, if it is one, the first of its number; tell whether it is."""
        tag = self._tag(mark)
        kind, number = _said(tag)
        is_table = mark.kind == TABLE
        has_row = is_table and not kind and mark.row < mark.end
        if has_row:
            kind, number = _said(self._source[mark.row : mark.end])
        if kind != b"S" or number in self.parts or _HIDDEN.search(tag) is None:
            return False
        self.parts[number] = _Part(
            b"table" if is_table else b"div",
            mark.start,
            mark.row if is_table and not has_row else mark.end,
            mark.end_row if has_row else mark.end_tag,
            mark.closed,
        )
        return True

    def _tag(self, mark: Mark) -> bytes:
        """Return the tag that *mark* begins with, without its last sign."""
        return self._source[mark.start : self._source.index(b">", mark.start)]


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
