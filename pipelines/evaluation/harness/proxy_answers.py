"""The answer of a proxy that may be anybody's: a head, and a body by its length, in chunks, or to the end.

Nothing is packed: that was not asked for. *Source: RFC 9112, sections 4 to 7.*
"""

from __future__ import annotations

import asyncio
import re
from email.parser import BytesHeaderParser
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from email.message import Message

NO_HTTP, TOO_LARGE, NOT_TEXT = "NoHTTP", "TooLarge", "NotText"
_STATUS = re.compile(rb"HTTP/1\.\d ([1-9]\d\d)(?: [^\r\n]*)?\r?\n")
_N_BYTES = re.compile(r"\d{1,18}")
_CHUNK_SIZE = re.compile(rb"([0-9A-Fa-f]{1,16})[ \t]*(?:;[^\r\n]*)?\r?\n")
_READ_BYTES = 2**16
# Status codes without a body: RFC 9110, sections 15.3.5 and 15.4.5.
_WITHOUT_BODY = (204, 304)


class Answer(NamedTuple):
    """What came, whole."""

    status: int
    content_type: str | None
    body: bytes


class BadAnswerError(Exception):
    """An answer that cannot be read; *reason* is the name it is counted by."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


async def read_answer(reader: asyncio.StreamReader, max_bytes: int) -> Answer:
    """Read the answer behind interim ones, with a body of at most *max_bytes*.

    Raises BadAnswerError, EOFError for one that ends before its time, OSError for a broken connection.
    """
    try:
        status, head = await _head(reader)
        while status < 200:
            status, head = await _head(reader)
        body = b"" if status in _WITHOUT_BODY else await _body(reader, head, max_bytes)
    except asyncio.LimitOverrunError as error:
        raise BadAnswerError(NO_HTTP) from error
    return Answer(status, head["Content-Type"], body)


async def _head(reader: asyncio.StreamReader) -> tuple[int, Message]:
    try:
        status = _STATUS.fullmatch(await _line(reader))
    except asyncio.IncompleteReadError as ended:
        if not ended.partial or ended.partial.startswith(b"HTTP/"[: len(ended.partial)]):
            raise
        status = None
    if status is None:
        raise BadAnswerError(NO_HTTP)
    lines: list[bytes] = []
    n_bytes = 0
    while (line := await _line(reader)).strip(b"\r\n"):
        lines.append(line)
        n_bytes += len(line)
        if n_bytes > _READ_BYTES:
            raise BadAnswerError(NO_HTTP)
    return int(status[1]), BytesHeaderParser().parsebytes(b"".join(lines))


async def _body(reader: asyncio.StreamReader, head: Message, max_bytes: int) -> bytes:
    packed, coding = head.get("Content-Encoding", ""), head.get("Transfer-Encoding", "")
    if packed.strip().lower() not in {"", "identity"}:
        raise BadAnswerError(NOT_TEXT)
    if coding.strip().lower() == "chunked":
        return await _chunks(reader, max_bytes)
    if coding.strip():
        raise BadAnswerError(NOT_TEXT)
    length = head["Content-Length"]
    if length is None:
        return await _to_the_end(reader, max_bytes)
    if not _N_BYTES.fullmatch(length.strip()):
        raise BadAnswerError(NO_HTTP)
    return await _exactly(reader, int(length), max_bytes)


async def _chunks(reader: asyncio.StreamReader, max_bytes: int) -> bytes:
    body = bytearray()
    while True:
        size = _CHUNK_SIZE.fullmatch(await _line(reader))
        if size is None:
            raise BadAnswerError(NO_HTTP)
        if not int(size[1], 16):
            # What trails behind is of no use, nor its end.
            return bytes(body)
        body += await _exactly(reader, int(size[1], 16), max_bytes - len(body))
        if (await _line(reader)).strip(b"\r\n"):
            raise BadAnswerError(NO_HTTP)


async def _exactly(reader: asyncio.StreamReader, n_bytes: int, max_bytes: int) -> bytes:
    if n_bytes > max_bytes:
        raise BadAnswerError(TOO_LARGE)
    return await reader.readexactly(n_bytes)


async def _to_the_end(reader: asyncio.StreamReader, max_bytes: int) -> bytes:
    body = bytearray()
    while piece := await reader.read(_READ_BYTES):
        body += piece
        if len(body) > max_bytes:
            raise BadAnswerError(TOO_LARGE)
    return bytes(body)


async def _line(reader: asyncio.StreamReader) -> bytes:
    """Return the next line with its end; raises EOFError where none is whole."""
    return await reader.readuntil(b"\n")
