"""The encodings of the sample web: what the bytes are, and what is said of them."""

from __future__ import annotations

import re

import pytest

from crawler.sampleweb import charsets, names
from crawler.sampleweb.charsets import encode
from crawler.sampleweb.text import LANGUAGES
from crawler.sampleweb.web import SampleWeb


@pytest.fixture(scope="module")
def web():
    return SampleWeb()


def home(web, label, declared):
    """The home page of a host with the charset *label*, *declared* so: Content-Type and bytes."""
    for host in web.hosts():
        if (host.charset.label, host.charset.declared) == (label, declared):
            return web.page(host.name, "/").content_type, web.page(host.name, "/").body
    raise AssertionError((label, declared))


def is_in(codec, body):
    try:
        body.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


@pytest.mark.parametrize(
    ("label", "declared", "codec", "said"),
    [
        ("utf-8", "header", "utf-8", ""),
        ("utf-8", "none", "utf-8", ""),
        ("windows-1252", "none", "cp1252", ""),
        ("windows-1252", "wrong", "cp1252", "utf-8"),
        ("iso-8859-1", "meta", "cp1252", "iso-8859-1"),
        ("shift_jis", "meta", "cp932", "shift_jis"),
        ("gb18030", "header", "gb18030", ""),
    ],
)
def test_charsets_and_what_pages_say_of_them(web, label, declared, codec, said):
    media_type, body = home(web, label, declared)
    assert is_in(codec, body)
    assert is_in("utf-8", body) == (codec == "utf-8" or body.isascii())
    assert not body.isascii() or label in ("utf-8", "iso-8859-1")
    assert media_type == ("text/html" if declared != "header" else f"text/html; charset={label}")
    assert re.findall(rb"charset=\"?([\w-]+)", body) == ([said.encode()] if said else [])


def test_utf_16_begins_with_its_mark_alone(web):
    media_type, body = home(web, "utf-16", "bom")
    assert media_type == "text/html"
    assert body.startswith(b"\xff\xfe")
    assert "charset" not in body.decode("utf-16")


def test_every_charset_is_of_a_language_of_the_web():
    assert set(charsets._OF_LANGUAGE) == set(LANGUAGES)
    assert set(names._WORLD) == set(LANGUAGES) - {"en"}


def test_unencodable_letters_become_references(web):
    german = next(h for h in web.hosts() if h.charset.codec == "cp1252")
    assert encode("Ж", german.charset) == b"&#1046;"
