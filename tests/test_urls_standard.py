"""References resolved as the URL standard's state machine does, one state after the other."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from crawler.urls import page_key, page_keys, page_url, resolve

STRIPPED = "".join(map(chr, range(0x21)))
DROPPED = str.maketrans("", "", "\t\n\r")
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*):")
# Scheme, authority, path and query.
BASES = [
    ("http", "a.com", "/b/c", "d=1"),
    ("https", "s.de", "/", None),
    ("http", "a.com:8080", "/x/y/", None),
]
PIECES = [
    *("http:", "https:", "HTTP:", "javascript:", "mailto:", "data:", "http", ":", "/", "//", "\\"),
    *("a", "b.com", "bücher.de", "A.COM", "a_b.com", "..", ".", "%2e", "%2E", "%", "%41", "%2f"),
    *("?", "#", "x=1", "&", "=", "+", "%20", ";p", "|", "^", "é", "中", "\ud800", "\u200d", "\x00"),
    *("@", "user:pw@", ":80", ":0080", ":443", ":8080", "[::1]", "[::1%25x]", "127.1", "0x7f.1"),
    *(" ", "\t", "\n", "\r", "\u3000", "\x7f"),
]


def parts_of(base, reference):
    """Return the parts of *reference* (section 4.4, from "scheme start" on), None for another scheme."""
    text = reference.strip(STRIPPED).translate(DROPPED).partition("#")[0]
    scheme = SCHEME.match(text)
    if scheme is None:
        return relative(base, text)
    name, rest = scheme[1].lower(), text[scheme.end() :]
    if name not in {"http", "https"}:
        return None
    # "Special relative or authority": only two slashes make an authority of the same scheme.
    if name == base[0] and not rest.startswith("//"):
        return relative(base, rest)
    return with_authority(name, rest)


def with_authority(scheme, text):
    authority, rest = re.fullmatch(r"[/\\]*([^/\\?]*)(.*)", text, re.DOTALL).groups()
    return (scheme, authority, *path_and_query(rest))


def relative(base, text):
    scheme, authority, path, _ = base
    if re.match(r"[/\\]{2}", text):
        return with_authority(scheme, text)
    if not text:
        return base
    new_path, new_query = path_and_query(text)
    if not new_path:
        return scheme, authority, path, new_query
    folder = "" if new_path[0] == "/" else path[: path.rindex("/") + 1]
    return scheme, authority, folder + new_path, new_query


def path_and_query(text):
    path, mark, query = text.partition("?")
    return path.replace("\\", "/"), query if mark else None


def written(parts):
    scheme, authority, path, query = parts
    return f"{scheme}://{authority}{path}" + ("" if query is None else f"?{query}")


@hypothesis_settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(BASES),
    st.lists(st.lists(st.sampled_from(PIECES), max_size=6).map("".join), min_size=1, max_size=12),
)
def test_references_mean_what_the_standard_says(base, references):
    parts = [parts_of(base, reference) for reference in references]
    expected = [each and page_key(written(each)) for each in parts]
    # One by one, and as many at once as the kernel takes.
    for times in (1, 9):
        assert page_keys(references * times, written(base)) == expected * times
    for key in filter(None, expected):
        assert page_url(key).isascii()
        assert page_key(page_url(key)) == key


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        # web-platform-tests, url/resources/urltestdata.json, on "http://example.org/foo/bar"
        ("http:/example.com/", "http://example.org/example.com/"),
        ("http:example.com/", "http://example.org/foo/example.com/"),
        ("https:/example.com/", "https://example.com/"),
        ("https:example.com/", "https://example.com/"),
        ("\\\\x\\hello", "http://x/hello"),
        ("http://[www.google.com]/", None),
        ("http://f:00000000000080/c", "http://f/c"),
        ("http://f:999999/c", None),
        ("///x/", "http://x/"),
        ("http::@c:29", "http://example.org/foo/:@c:29"),
        # Of the same kind.
        ("http:/", "http://example.org/"),
        ("http://[::1]:00080/b", "http://[::1]/b"),
    ],
)
def test_of_the_web_platform(reference, expected):
    url = resolve("http://example.org/foo/bar", reference)
    key = url and page_key(url)
    assert (key and page_url(key)) == expected
