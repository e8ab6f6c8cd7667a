"""Plain requests, beside what Twisted makes of their URLs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy.http import Request
from twisted.web.client import URI

from crawler.light.plain_requests import Address, address_of, written

URLS = st.from_regex(r"https?://[a-z0-9.\-]{1,8}(:[0-9]{1,5})?[/?][!-~]{0,20}", fullmatch=True)


@given(URLS)
def test_addresses_are_those_of_twisted(url):
    url = url.partition("#")[0].encode()
    address = address_of(url)
    if address is not None:
        uri = URI.fromBytes(url)
        assert address == Address(uri.scheme, uri.host, uri.port, uri.originForm)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (b"http://a.com", Address(b"http", b"a.com", 80, b"/")),
        (b"https://a.com/", Address(b"https", b"a.com", 443, b"/")),
        (b"http://a.com:8080/x/y.html?z=1&z=2", Address(b"http", b"a.com", 8080, b"/x/y.html?z=1&z=2")),
        (b"http://a.com/a//b:c@d?/;?", Address(b"http", b"a.com", 80, b"/a//b:c@d?/;?")),
        # What Twisted writes otherwise, or reads as another host, is not plain.
        (b"http://a.com//x", None),
        (b"http://a.com/x?", None),
        (b"http://a.com/x;", None),
        (b"http://a.com/x;y", None),
        (b"http://a.com/x y", None),
        (b"http://[::1]/", None),
        (b"http://user@a.com/", None),
        (b"ftp://a.com/", None),
    ],
)  # fmt: skip
def test_addresses(url, expected):
    assert address_of(url) == expected


def test_written():
    request = Request("http://a.com:8080/x?y=1", headers={"Accept": ["a", "b"], "X-Y": "z"})
    address = address_of(request.url.encode())
    assert written(request, address) == (
        b"GET /x?y=1 HTTP/1.1\r\nAccept: a\r\nAccept: b\r\nX-Y: z\r\nHost: a.com:8080\r\n\r\n"
    )
    assert written(request.replace(headers={"Host": "b.com"}), address) is None
    assert written(request.replace(headers={"X": "a\r\nB: c"}), address) is None
