"""The part of a text that shows words of a query."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.explorer.snippets import snippet
from crawler.page.words import search_words
from pipelines.retrieval.queries import query_words

LETTERS = 'abAB 他学ก,"'


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
    assert len(part) <= n_chars
    assert len(part) >= min(n_chars - 30, len(line)) or line.endswith(part)


@given(st.text(LETTERS, max_size=400), st.text(LETTERS, max_size=20))
def test_words_of_the_query_are_marked(text, query):
    words = search_words(text)
    rows = [row for row, _ in query_words(query)]
    marked = [
        any(
            [*row] == words[first : first + len(row)]
            for row in rows
            for first in range(max(0, place - len(row) + 1), place + 1)
        )
        for place in range(len(words))
    ]
    found = [piece.text for piece in snippet(text, query, 1000) if piece.is_found]
    last = [word for word, is_marked in zip(words, marked, strict=True) if is_marked]
    # What stands further than a little before the first of them is not shown.
    assert [word for piece in found for word in search_words(piece)] == last


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("他在学习机器翻译的方法", "机器", ["机器"]),
        ("他在学习机器翻译的方法", "学习 机器翻译", ["学习机器翻译"]),
        ("machine 和机器", "machine 机器", ["machine", "机器"]),
        ("การแปลภาษาด้วยเครื่อง", "ภาษา", ["ภาษา"]),
        ("हिन्दी में मशीन अनुवाद", "हिन्दी", ["हिन्दी"]),
        ("हिन्दी में मशीन अनुवाद", "हिन्", []),
        ("كُتُب جديدة", "كُتُب", ["كُتُب"]),
        ("هذا كتـــاب جديد، كتاب", "كتاب", ["كتـــاب", "كتاب"]),
        ("هذا كتاب جديد", "كتــاب", ["كتاب"]),
        ("Die Auf\u200clage", "auflage", ["Auf\u200clage"]),
        ("İstanbul'da bir gün", "istanbul'DA", ["İstanbul", "da"]),
        ("Fox and foxes", "fox", ["Fox"]),
        ("Η ΟΔΟΣ, η οδός και οδοί", "οδός", ["ΟΔΟΣ", "οδός"]),
    ],
)
def test_words_are_marked_whole(text, query, expected):
    assert [piece.text for piece in snippet(text, query) if piece.is_found] == expected


def test_no_word_is_cut_at_the_end():
    text = "The fox " + "and " * 20 + "then went home"
    n_chars = text.index("then") + 3
    pieces = snippet(text, "the", n_chars)
    assert [piece.text for piece in pieces if piece.is_found] == ["The"]
    assert "".join(piece.text for piece in pieces).endswith("and and …")
    # Scripts without blanks have none to cut at.
    assert "".join(piece.text for piece in snippet("学" * 60, "", 50)) == "学" * 50 + " …"
