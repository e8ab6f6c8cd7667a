"""Tokens of the vertical format: the text that they give back, addresses and numbers, signs that are not seen."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.linguistics.tokens import placed_tokens, seen_text


def glued_tokens(text):
    return [token for _, token in placed_tokens(seen_text(text))]


@given(st.text() | st.text("aZé.,'-@:/ w0\u0301्数ั"))
def test_tokens_give_the_text_back(text):
    found = "".join(f"{'' if token.glued else ' '}{token.text}" for token in glued_tokens(text))
    unseen = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
    if not unseen.search(text):
        assert found.strip() == " ".join(text.split())
    assert unseen.sub("", "".join(found.split())) == unseen.sub("", "".join(text.split()))


@pytest.mark.parametrize("text", [
    "R&D", "AT&T", "snake_case", "http://a.org/x?b=1", "me@a-b.example.com", "1,000.50", "2019-05-03",
    "नमस्ते", "l’eau", "...", "U.S.A.", "\u2764\ufe0f", "\U0001f44d\U0001f3fd", "\U0001f1e9\U0001f1ea",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\u0645\u06cc\u200c\u0631\u0648\u062f",
    "https://de.wikipedia.org/wiki/Mühle", "www.bücher.de", "HTTP://A.ORG/x", "https://hi.wikipedia.org/wiki/हिन्दी",
    "EU:n", "USA:ssa", "s:t", "Kindergärtner:innen", "צה״ל", 'ארה"ב', "ג׳ורג׳", "me@bücher.de", "१२,५००.५", "\u06f1\u06f2\u066c\u06f5\u06f0\u06f0", "๒๓๗๗", "๑,๒๕๐.๕๐",
])  # fmt: skip
def test_one_token(text):
    assert [token.text for token in glued_tokens(text)] == [text]


def test_numbers_and_addresses_end_where_chinese_begins():
    """A sentence with a mail address was one token, and 12,500 three."""
    found = [token.text for token in glued_tokens("发到me@a.org或www.a.org，12,500人，3.5%")]
    assert found == [
        "发",
        "到",
        "me@a.org",
        "或",
        "www.a.org",
        "，",
        "12,500",
        "人",
        "，",
        "3.5",
        "%",
    ]


def test_a_colon_before_another_word_is_a_token():
    text = "Lehrer:in: std::n key:value 10:n (a:b)"
    assert [token.text for token in glued_tokens(text)] == [
        "Lehrer:in", ":", "std", "::", "n", "key", ":", "value", "10", ":", "n", "(", "a", ":", "b", ")",
    ]  # fmt: skip


def test_signs_of_direction_are_in_no_token():
    text = "\u200f\u0645\u0631\u062d\u0628\u0627\u200f, \u202ba\u202c b\u200bc d \u200b \u200e"
    assert glued_tokens(text) == [
        ("\u0645\u0631\u062d\u0628\u0627", False), (",", True), ("a", False), ("b", False), ("c", True),
        ("d", False),
    ]  # fmt: skip


def test_joiners_that_join_nothing_are_in_no_token():
    text = "Auf\u200clage (c)\u200d \u0645\u06cc \u200c \u0631"
    found = [token.text for token in glued_tokens(text)]
    assert glued_tokens("ex\u00adam\u2060ple \u00ad") == [("example", False)]
    assert found == ["Auflage", "(", "c", ")", "\u0645\u06cc", "\u0631"]


def test_several_tokens():
    assert [token.text for token in glued_tokens("end.Start <br> 50% a😀 (http://a.org/).")] == [
        "end", ".", "Start", "<", "br", ">", "50", "%", "a", "😀", "(", "http://a.org/", ")", ".",
    ]  # fmt: skip
