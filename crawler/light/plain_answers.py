"""Answers that are plain: one regular header, which says how long the body is.

What else there is (interim answers, folded or broken lines, lengths said twice, chunks, no length) is not
read here, but told apart from what is: `crawler.light.http` leaves it to Scrapy.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from scrapy.http import Response
from scrapy.http.headers import Headers
from scrapy.responsetypes import responsetypes

# More is left to the bounds of crawler.http_client.
_HEAD_MAX_BYTES = 16_384
_HEAD = re.compile(
    rb"HTTP/1\.1 ([2-5][0-9]{2})(?: [^\r\n]*)?((?:\r\n[A-Za-z0-9-]+:[^\r\n]*)*)\r\n\r\n"
)
_LINE = re.compile(rb"\r\n([A-Za-z0-9-]+):([^\r\n]*)")
_LENGTH = re.compile(rb"[0-9]{1,15}")
_NO_BODY = (204, 304)
# What is of the connection is not of the answer, as Twisted has it.
_OF_CONNECTION = frozenset(
    b"content-length connection keep-alive te trailers transfer-encoding upgrade "
    b"proxy-connection".split()
)


class Head(NamedTuple):
    """The header of a plain answer; *size* are its bytes with the empty line."""

    status: int
    headers: Headers
    length: int
    is_last: bool
    size: int


def read_head(data: bytes, max_bytes: int) -> Head | None:
    r"""Return the header that *data* begin with, None where it is not plain.

    A body longer than *max_bytes* (0: no limit) is not.

    >>> read_head(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nETag: x\r\n\r\nabc", 0)[:3]
    (200, {b'Content-Length': [b'3'], b'Etag': [b'x']}, 3)
    """
    match = _HEAD.match(data, 0, _HEAD_MAX_BYTES)
    if match is None or int(match[1]) in _NO_BODY:
        return None
    of_connection: dict[bytes, bytes] = {}
    others: dict[bytes, list[bytes]] = {}
    for name, value in _LINE.findall(match[2]):
        lower = name.lower()
        if lower in _OF_CONNECTION:
            if lower in of_connection:
                return None
            of_connection[lower] = value.strip()
        else:
            others.setdefault(lower, []).append(value.strip())
    length = of_connection.get(b"content-length", b"")
    if b"transfer-encoding" in of_connection or _LENGTH.fullmatch(length) is None:
        return None
    if 0 < max_bytes < int(length):
        return None
    headers = Headers()
    # The names and values are as `Headers.update` would make them.
    dict.__setitem__(headers, b"Content-Length", [b"%d" % int(length)])
    dict.update(headers, {name.title(): values for name, values in others.items()})
    is_last = b"close" in of_connection.get(b"connection", b"").lower()
    return Head(int(match[1]), headers, int(length), is_last, match.end())


def answer_kind(headers: Headers, url: str, body: bytes) -> type[Response]:
    """Return the class of an answer as Scrapy chooses it: by its header, if that says enough."""
    kind = Response
    if content_type := headers.get(b"Content-Type"):
        kind = _declared_kind(content_type, headers.get(b"Content-Encoding"))
    if kind is Response:
        kind = responsetypes.from_args(headers=headers, url=url, body=body)
    return kind


@lru_cache(maxsize=256)
def _declared_kind(content_type: bytes, content_encoding: bytes | None) -> type[Response]:
    return responsetypes.from_content_type(content_type, content_encoding)
