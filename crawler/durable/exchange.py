"""What went over the wire for one page, as far as Scrapy lets one have it."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from urllib.parse import SplitResult

REASONS = {status.value: status.phrase.encode() for status in HTTPStatus}


@dataclass(slots=True, eq=False)
class Exchange:
    """A request and its answer.

    *request* and *head* are the lines up to the blank one, each with its line end; *body* is as it came,
    content coding included, transfer coding undone. *truncated* is WARC's word for why it is not whole,
    or empty. *file* and *offset* are where the archive put it.
    """

    request: bytes
    head: bytes
    body: bytes
    ip: str = ""
    fetch_ms: int | None = None
    truncated: str = ""
    file: str | None = None
    offset: int | None = None

    @property
    def n_bytes(self) -> int:
        """The bytes that it holds in memory."""
        return len(self.request) + len(self.head) + len(self.body)


def request_head(url: SplitResult, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    r"""Return the request line and the headers of a GET of *url*, which is ASCII.

    >>> from urllib.parse import urlsplit
    >>> request_head(urlsplit("http://a.sample:81/b?c"), [(b"Accept", b"text/html")])
    b'GET /b?c HTTP/1.1\r\nHost: a.sample:81\r\nAccept: text/html\r\n'
    """
    path = (url.path or "/") + (f"?{url.query}" if url.query else "")
    host = url.netloc.rpartition("@")[2]
    return f"GET {path} HTTP/1.1\r\nHost: {host}\r\n".encode() + header_lines(headers)


def response_head(protocol: str, status: int, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    r"""Return the status line, with the usual reason phrase, and the headers of an answer.

    >>> response_head("HTTP/1.1", 404, [(b"Server", b"x")])
    b'HTTP/1.1 404 Not Found\r\nServer: x\r\n'
    """
    return b"%s %d %s\r\n" % (protocol.encode(), status, REASONS.get(status, b"")) + header_lines(
        headers
    )


def header_lines(headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return *headers* as lines; a line end within a value becomes a space."""
    return b"".join(
        b"%s: %s\r\n" % (name, b" ".join(value.split(b"\n")).replace(b"\r", b""))
        for name, value in headers
    )
