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
from typing import TYPE_CHECKING, BinaryIO

from crawler.seeds.seed import Seed, clean_category, url_problem

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator

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
_OPAQUE_END = {
    "comment": re.compile(rb"-->"),
    "doctype": re.compile(rb"\A[^\[>]*>|\]\s*>"),
}
_ABOUT = re.compile(rb"""\babout\s*=\s*(?:"([^"<]*)"|'([^'<]*)')""")
_TOPIC = re.compile(rb"<topic\s*>([^<]*)<")
_ENTITY = re.compile(r"&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos));")
_XML_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


def read_odp(stream: BinaryIO, skipped: Counter[str]) -> Iterator[Seed]:
    """Yield the seeds of an ODP dump in file order; count in *skipped* what is left out, by reason."""
    buffer = b""
    at_end = False
    while not at_end:
        chunk = stream.read(CHUNK_BYTES)
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
    while start := _START.search(buffer, position):
        if start["page"] is None:
            after = _after_opaque(buffer, start, at_end)
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


def _after_opaque(buffer: bytes, start: re.Match[bytes], at_end: bool) -> int | None:
    """Return where the comment or document type at *start* ends; None: in the next chunk."""
    limit = start.end() + OPAQUE_MAX_BYTES
    end = _OPAQUE_END[str(start.lastgroup)].search(buffer[start.end() : limit])
    if end is not None:
        return start.end() + end.end()
    return start.end() if at_end or len(buffer) >= limit else None


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
