"""Attributes and character references as the HTML standard reads them."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from crawler.page import build_page
from crawler.page.attributes import decoded, decoded_value
from crawler.page.words import collapsed


def hrefs(source):
    model = build_page(source.encode(), url="http://a.sample/", content_type="text/html")
    return model.references.href


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ("", []),
        (" HREF=x", ["x"]),
        (""" a="1" b='2' c=3 d href='y'""", ["y"]),
        (' a = "1"\n href\t=\t2', ["2"]),
        (" href=/a/b/", ["/a/b/"]),
        (' a="1"href="2"', ["2"]),
        (" href=1 HREF=2", ["1"]),  # the first counts
        (' alt="a>b" href', [""]),
        (' href="it\'s"', ["it's"]),
        (' href="unclosed x=1', ['"unclosed']),
        (" href=&quot;b&#39;&#x41", ["\"b'A"]),
        (' href="?a=1&copy=2&reg;&lt=3&amp;x"', ["?a=1&copy=2®&lt=3&x"]),
        (' href="?a&copy"', ["?a©"]),
        (' href="?&unknown;&&#;"', ["?&unknown;&&#;"]),
        (" /", []),
        (" a/href=1", ["1"]),
        (" =href=1 href=2", ["2"]),
        (' href=" a\nb\t "', ["ab"]),
    ],
)
def test_attributes(attributes, expected):
    assert hrefs(f"<a{attributes}>text") == expected


@given(st.text(st.sampled_from("&#x41;ampltgnb=9 ")))
@example("1&#1=")
@example("&#1;a")
@example("1&#xffff;4")
@example("1&#9=")
def test_references_in_values_are_read_alike(value):
    # C0 controls and spaces around a URL do not count, nor tabs and newlines in it (WHATWG URL, 4.4).
    expected = decoded_value(value).strip("".join(map(chr, range(33))))
    expected = re.sub("[\t\n\r]", "", expected)
    found = hrefs(f'<a href="{value}">')
    assert found == ([] if expected.startswith("#") else [expected])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a &amp; b &nbsp;&#150;", "a & b \u00a0–"),
        ("&lt;p&gt;", "<p>"),
        ("&copyright &notit;", "©right ¬it;"),  # old names need no semicolon in text
        ("&#0; &#xD800; &#x110000;", "\ufffd \ufffd \ufffd"),
        ("&#" + "9" * 10_000 + ";", "\ufffd"),  # int() refuses so many digits
    ],
)
def test_references_in_text(text, expected):
    assert decoded(text) == expected
    model = build_page(f"{text} x".encode(), url="http://a.sample/", content_type="text/html")
    assert model.blocks.text == [collapsed(f"{expected} x")]


@given(st.text(st.sampled_from("&#x41;ampltgnb 9 ")))
def test_references_agree_with_the_standard_library(text):
    assert decoded(text) == html.unescape(text)
