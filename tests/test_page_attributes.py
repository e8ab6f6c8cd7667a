"""Attributes and character references as the HTML standard reads them."""

from __future__ import annotations

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page.attributes import attributes_of, decoded


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("", {}),
        (" HREF=x", {"href": "x"}),
        (""" a="1" b='2' c=3 d""", {"a": "1", "b": "2", "c": "3", "d": ""}),
        (' a = "1"\n b\t=\t2', {"a": "1", "b": "2"}),
        (" href=/a/b/>", {"href": "/a/b/"}),
        (' a="1"b="2"', {"a": "1", "b": "2"}),
        (" a=1 A=2", {"a": "1"}),  # the first counts
        (' alt="a>b" x', {"alt": "a>b", "x": ""}),
        (' a="it\'s"', {"a": "it's"}),
        (' href="unclosed x=1', {"href": '"unclosed', "x": "1"}),
        (" a=&quot;b&#39;&#x41", {"a": "\"b'A"}),
        (' href="?a=1&copy=2&reg;&lt=3&amp;x"', {"href": "?a=1&copy=2®&lt=3&x"}),
        (' href="?a&copy"', {"href": "?a©"}),
        (' href="?&unknown;&&#;"', {"href": "?&unknown;&&#;"}),
        (" /", {}),
        (" a/b=1", {"a": "", "b": "1"}),
    ],
)
def test_attributes(source, expected):
    assert attributes_of(source) == expected


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


@given(st.text(st.sampled_from("&#x41;ampltgnb 9 ")))
def test_references_agree_with_the_standard_library(text):
    assert decoded(text) == html.unescape(text)
