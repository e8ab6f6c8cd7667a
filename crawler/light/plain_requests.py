"""Requests that are plain: a GET to a URL that Twisted and Scrapy would write as it is.

Others (parameters of a path, parts that are empty, a Host of their own) are not written here, but told
apart: `crawler.light.http` leaves them to Scrapy.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from scrapy.http import Request

# A host in lower case; a path and a query in visible characters, without parameters, or any part that is empty.
_URL = re.compile(
    rb"(https?)://([a-z0-9.\-]+)(?::([0-9]{1,5}))?(/(?:[!-.0-:<->@-~][!-:<->@-~]*)?(?:\?[!-\"$-~]+)?)?"
)
_PORTS = {b"http": 80, b"https": 443}


class Address(NamedTuple):
    """Where a request is sent: *target* is its path and query."""

    scheme: bytes
    host: bytes
    port: int
    target: bytes


def address_of(url: bytes) -> Address | None:
    """Return where *url*, which has no fragment, leads as Twisted reads it; None if that is not plain.

    >>> address_of(b"http://a.com:8080/x?y")
    Address(scheme=b'http', host=b'a.com', port=8080, target=b'/x?y')
    """
    match = _URL.fullmatch(url)
    if match is None:
        return None
    scheme, host, port, target = match.groups()
    return Address(scheme, host, int(port) if port else _PORTS[scheme], target or b"/")


def written(request: Request, address: Address) -> bytes | None:
    """Return *request* as it is sent, None if Twisted would send it otherwise, or not at all."""
    host, port = address.host, address.port
    host = host if port == _PORTS[address.scheme] else b"%s:%d" % (host, port)
    if "Host" in request.headers:
        return None
    lines = [b"GET %s HTTP/1.1" % address.target]
    # As they are kept: Scrapy's own items() looks up each name by its title case once more.
    for name, values in dict.items(request.headers):
        lines += [b"%s: %s" % (name, value) for value in values]
    lines.append(b"Host: %s\r\n\r\n" % host)
    sent = b"\r\n".join(lines)
    is_clean = sent.count(b"\n") == sent.count(b"\r") == len(lines) + 1
    return sent if is_clean else None
