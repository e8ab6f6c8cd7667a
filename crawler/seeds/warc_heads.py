"""The heads of answers in records of WARC files; interim ones (1xx) are passed over, as those who write what came keep
them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from fastwarc.warc import WarcRecordType

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

# Twice the header that a crawl takes, and so writes.
HEADER_MAX_BYTES = 512 * 1024

# RFC 9110, 15.2: all but 101, behind which no HTTP comes.
_INTERIM = frozenset(range(100, 200)) - {101}
# As browsers take it: in any case, with any blanks, without a version, and of servers of streams (ICY).
_STATUS = re.compile(rb"\s*(?:HTTP(?:/[0-9.]+)?|ICY)[ \t]+([0-9]{3})(?![0-9])", re.IGNORECASE)
_FOLD = re.compile(rb"\r?\n[ \t]+")


class Head(NamedTuple):
    """Status and headers of an answer, and how many bytes of the record are its body."""

    status: int | None
    headers: list[tuple[bytes, bytes]]
    n_body_bytes: int


def head_of(record: Any) -> Head | None:
    """Return the head of the answer in *record*, whose reader stands before the body then; None if it is not HTTP.

    That of a resource is made. Raises `ValueError` for one that is longer than HEADER_MAX_BYTES.
    """
    if record.record_type == WarcRecordType.resource:
        media_type = record.headers.get_bytes(b"Content-Type")
        headers = [(b"Content-Type", media_type)] if media_type else []
        return Head(200, headers, record.content_length)
    # Some servers end the lines of a head in LF alone, as some writers keep it.
    record.parse_http(max_header_len=HEADER_MAX_BYTES, quirks_mode=True)
    first = record.http_headers
    if first is None:
        return None
    # fastwarc knows that of a line which keeps to the rules.
    status = first.status_code
    if status is None:
        status = _status_of((first.status_line or "").encode("latin-1", "replace"))
    head = Head(status, list(first.items_bytes()), record.content_length)
    n_bytes = 0
    while head.status in _INTERIM and n_bytes < record.content_length:
        lines = list(_lines(record.reader, HEADER_MAX_BYTES - n_bytes))
        n_bytes += sum(map(len, lines))
        head = _parsed(b"".join(lines), record.content_length - n_bytes)
    return head


def _lines(reader: Any, max_bytes: int) -> Iterator[bytes]:
    """Yield the lines that *reader* has up to an empty one; raise `ValueError` where they have more than
    *max_bytes*.
    """
    is_last = False
    while not is_last:
        line: bytes = reader.readline(max_line_len=max_bytes + 1)
        max_bytes -= len(line)
        if max_bytes < 0:
            raise ValueError("a header is too long")
        yield line
        is_last = not line.strip()


def _status_of(line: bytes) -> int | None:
    status = _STATUS.match(line)
    return int(status[1]) if status else None


def _parsed(lines: bytes, n_body_bytes: int) -> Head:
    """Return the head that *lines* are, as fastwarc would: what has no colon is none of its headers."""
    pairs = (line.partition(b":") for line in _FOLD.sub(b" ", lines).splitlines()[1:])
    headers = [(name.strip(), value.strip()) for name, colon, value in pairs if colon]
    return Head(_status_of(lines), headers, n_body_bytes)
