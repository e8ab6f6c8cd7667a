"""Reads the HTTP responses of WARC files (1.0 and 1.1, plain or gzip), one at a time.

A body longer than *max_bytes* is cut to it; a file that ends in the middle of a record, or is damaged
behind its first one, gives what can be read and then says so in ``WarcReader.broken``.
"""

from __future__ import annotations

import glob
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fastwarc.warc import ArchiveIterator, WarcRecordType

from crawler.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from typing import Any

# Twice the header that a crawl takes, and so writes.
HEADER_MAX_BYTES = 512 * 1024

# The line before a chunk: its size in hexadecimal, and extensions that mean nothing here.
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r\n")


@dataclass(frozen=True, slots=True)
class WarcResponse:
    """One stored answer: *headers* as they came, *source* names file and offset."""

    url: str
    fetched_at: datetime | None
    status: int
    headers: list[tuple[str, str]]
    body: bytes
    source: str
    truncated: bool


class WarcReader:
    """Iterates the responses of the file at *path*; ``skipped`` counts those that are no HTTP, or damaged."""

    def __init__(self, path: Path, *, max_bytes: int = 8 * 2**20):
        self.path = path
        self.max_bytes = max_bytes
        self.skipped = 0
        self.broken: str | None = None

    def __iter__(self) -> Iterator[WarcResponse]:
        with self.path.open("rb") as stream:
            kind = WarcRecordType.response
            records = ArchiveIterator(stream, record_types=kind, parse_http=False)
            while (record := self._next(records)) is not None:
                try:
                    record.parse_http(max_header_len=HEADER_MAX_BYTES)
                    response = self._response(record)
                except (OSError, ValueError):
                    response = None  # this record alone, or the next one says so
                if response is None:
                    self.skipped += 1
                else:
                    yield response

    def _next(self, records: Any) -> Any:
        try:
            return next(records, None)
        except (OSError, ValueError) as error:
            self.broken = str(error)
            return None

    def _response(self, record: Any) -> WarcResponse | None:
        url = record.headers.get("WARC-Target-URI")
        if url is None or record.http_headers is None or record.http_headers.status_code is None:
            return None
        # 1.0 files of old writers put the address between angle brackets.
        url = url.strip().removeprefix("<").removesuffix(">")
        expected = record.content_length
        body = record.reader.read(self.max_bytes + 1)
        truncated = len(body) != expected
        if len(body) < min(expected, self.max_bytes + 1):
            # Whether the file ends here or is damaged: no record behind this one is found.
            self.broken = "a record ends too early"
        headers = list(record.http_headers)
        if any(n.lower() == "transfer-encoding" and "chunked" in v.lower() for n, v in headers):
            body = dechunked(body)
        return WarcResponse(
            url=url,
            fetched_at=record.record_date,
            status=record.http_headers.status_code,
            headers=headers,
            body=body[: self.max_bytes],
            source=f"{self.path.name}:{record.stream_pos}",
            truncated=truncated,
        )


def dechunked(body: bytes) -> bytes:
    """Return *body* without the marks of its chunks (RFC 9112 section 7.1).

    Writers of WARC files keep the header whether or not they keep the marks, so a body that does not
    begin with a chunk is returned as it is; one that ends in the middle of a chunk, up to there.
    """
    parts = []
    position = 0
    while match := _CHUNK.match(body, position):
        size = int(match[1], 16)
        position = match.end() + size
        parts.append(body[match.end() : position])
        if size == 0 or position >= len(body):
            break
        position += 2  # the line end behind the chunk
    return b"".join(parts) if parts else body


def find_warcs(pattern: str) -> list[Path]:
    """Return the files that *pattern* (a glob) names, sorted; raise :exc:`InputError` for none."""
    paths = [Path(name) for name in sorted(glob.glob(pattern, recursive=True))]
    if not paths:
        raise InputError(f"no file matches paths={pattern}; give a WARC file or a glob")
    return paths


def check_warc(path: Path) -> None:
    """Raise :exc:`InputError` unless *path* can be read and begins with a WARC record."""
    try:
        with path.open("rb") as stream:
            first = next(ArchiveIterator(stream, parse_http=False), None)
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read as WARC: {error}; give a WARC file") from error
    # Where lines end in LF alone, all of the file is one header.
    if first is None or "\n" in (first.headers.get("WARC-Type") or "\n"):
        raise InputError(
            f"{path} holds no WARC record, of lines that end in CR LF; give a WARC file"
        )
