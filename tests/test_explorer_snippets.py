"""The part of a text that shows words of a query."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from crawler.explorer.snippets import snippet

LETTERS = "abAB 他学,"


@given(
    st.text(LETTERS, max_size=400),
    st.text(LETTERS, max_size=20),
    st.integers(1, 60),
)
def test_a_snippet_is_a_part_of_the_text(text, query, n_chars):
    line = " ".join(text.split())
    shown = "".join(piece.text for piece in snippet(text, query, n_chars))
    part = shown.removeprefix("… ").removesuffix(" …")
    assert part in line
    assert len(part) == min(n_chars, len(line)) or line.endswith(part)


@given(st.text(LETTERS, max_size=400), st.text(LETTERS, max_size=20))
def test_words_of_the_query_are_marked(text, query):
    words = set(re.findall(r"\w+", query.lower()))
    found = [piece.text.lower() for piece in snippet(text, query, 100) if piece.is_found]
    assert set(found) <= words
    assert bool(found) == any(word in text.lower() for word in words)


def test_a_snippet_of_a_script_without_blanks():
    assert [p.text for p in snippet("他在学习机器翻译的方法", "机器") if p.is_found] == ["机器"]
