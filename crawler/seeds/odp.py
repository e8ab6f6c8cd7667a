"""Reads the records of an ODP content dump (``content.rdf.u8``) out of a stream of bytes.

The dumps were written by a program that escaped by hand: real ones hold illegal UTF-8, control
characters and broken tags, and an XML parser stops at the first. This reader looks for records
only, between ``<ExternalPage about="URL">`` and whatever ends one: its end tag, the next record,
the next ``<Topic``. A damaged record harms no other one.

What is read: the attribute ``about`` and each ``<topic>``. ``<Topic>`` elements repeat the same
URLs in ``<link>`` and are passed over. Comments and the document type are passed over; entities
other than XML's own five and character numbers are left as they stand, so nothing expands.
The text is taken for UTF-8, whatever the XML declaration says: ODP wrote nothing else.

Reasons for skipping a record: ``no_url``, ``no_topic``, ``illegal_utf8`` (in the URL; elsewhere it
becomes U+FFFD), ``scheme``, ``bad_url``, ``too_long``.

Memory: one chunk and one record, at most `CHUNK_BYTES` + `RECORD_MAX_BYTES`, at any file size.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from crawler.categories import clean_category
from crawler.seeds.seed import Seed, url_problem

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator
    from io import BufferedIOBase

CHUNK_BYTES = 256 * 1024
# The longest record of the dump of 2016 has under 8 kB; one that has no end is given up here.
RECORD_MAX_BYTES = 256 * 1024
# A comment or document type that has no end after so many bytes is taken for a stray mark.
OPAQUE_MAX_BYTES = 16 * 1024
# The longest mark that the end of a chunk may cut in two.
_MARK_BYTES = 16

_START = re.compile(
    rb"<(?:(?P<page>ExternalPage)(?=[\s/>])|(?P<comment>!--)|(?P<doctype>!DOCTYPE))"
)
_PAGE_END = re.compile(rb"</ExternalPage|<ExternalPage[\s/>]|<Topic[\s/>]|</RDF")
_COMMENT_END = re.compile(rb"-->")
_DOCTYPE_STOP, _SUBSET_END = re.compile(rb"[\[>]"), re.compile(rb"\]\s*>")
_ABOUT = re.compile(rb"""\babout\s*=\s*(?:"([^"<]*)"|'([^'<]*)')""")
_TOPIC = re.compile(rb"<topic\s*>([^<]*)<")
_ENTITY = re.compile(r"&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos));")
_XML_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


def read_odp(stream: BufferedIOBase, skipped: Counter[str]) -> Iterator[Seed]:
    """Yield the seeds of an ODP dump in file order; count in *skipped* what is left out, by reason."""
    buffer = b""
    at_end = False
    while not at_end:
        # What comes before the damage of a packed file: `read` would raise and keep it.
        chunk = stream.read1(CHUNK_BYTES)
        at_end = not chunk
        records, buffer = _cut(buffer + chunk, at_end, skipped)
        for record in records:
            seed = _seed(record)
            if isinstance(seed, str):
                skipped[seed] += 1
            else:
                yield seed


def _cut(buffer: bytes, at_end: bool, skipped: Counter[str]) -> tuple[list[bytes], bytes]:
    """Return the whole records of *buffer*, and what is left for the next chunk to complete."""
    records: list[bytes] = []
    position = 0
    opaque = _Opaque(buffer, at_end)
    while start := _START.search(buffer, position):
        if start["page"] is None:
            after = opaque.after(start)
            if after is None:
                return records, buffer[start.start() :]
            position = after
            continue
        end = _PAGE_END.search(buffer, start.end())
        stop = end.start() if end else len(buffer)
        if stop - start.start() > RECORD_MAX_BYTES:
            skipped["too_long"] += 1
            position = stop if end else stop - _MARK_BYTES
        elif end is None and not at_end:
            return records, buffer[start.start() :]
        else:
            # with the "<" that ends it, so that a topic cut off by the end of the file shows
            records.append(buffer[start.start() : stop + 1])
            position = stop
    return records, buffer[max(position, len(buffer) - _MARK_BYTES) :]


class _Opaque:
    """Finds the ends of the comments and document types of *buffer*, whose starts ascend.

    Each mark is looked for once, however many starts there are before it.
    """

    def __init__(self, buffer: bytes, at_end: bool) -> None:
        self._buffer = buffer
        self._at_end = at_end
        self._next: dict[re.Pattern[bytes], re.Match[bytes] | None] = {}

    def after(self, start: re.Match[bytes]) -> int | None:
        """Return where the comment or document type at *start* ends; None: in the next chunk."""
        limit = start.end() + OPAQUE_MAX_BYTES
        if start["comment"]:
            end = self._find(_COMMENT_END, start.end())
        else:
            end = self._find(_DOCTYPE_STOP, start.end())
            if end is not None and end[0] == b"[":
                end = self._find(_SUBSET_END, end.end())
        if end is not None and end.end() <= limit:
            return end.end()
        return start.end() if self._at_end or len(self._buffer) >= limit else None

    def _find(self, mark: re.Pattern[bytes], position: int) -> re.Match[bytes] | None:
        """Return the first *mark* from *position* on."""
        found = self._next.get(mark) if mark in self._next else mark.search(self._buffer, position)
        if found is not None and found.start() < position:
            found = mark.search(self._buffer, position)
        self._next[mark] = found
        return found


def _seed(record: bytes) -> Seed | str:
    """Return the seed of one record, or the reason why it has none."""
    about = _ABOUT.search(record)
    if about is None:
        return "no_url"
    url = _unescape((about[1] or about[2] or b"").decode(errors="replace")).strip()
    problem = url_problem(url)
    if problem:
        return problem
    found = (_unescape(topic.decode(errors="replace")) for topic in _TOPIC.findall(record))
    # a record may repeat a topic: the first of each stays
    categories = tuple(dict.fromkeys(filter(None, map(clean_category, found))))
    return Seed(url, categories) if categories else "no_topic"


def _unescape(text: str) -> str:
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(entity: re.Match[str]) -> str:
    if entity[3]:
        return _XML_ENTITIES[entity[3]]
    number = int(entity[1]) if entity[1] else int(entity[2], 16)
    return chr(number) if number <= 0x10FFFF else "\ufffd"
