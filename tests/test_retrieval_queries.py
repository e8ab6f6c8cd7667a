"""The words of a query: against what the pages hold, in scripts with and without blanks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page.words import search_spans, search_words, small_letters
from pipelines.retrieval.queries import query_words
from pipelines.retrieval.text_index import IndexedText, TextIndex, TextIndexWriter

TEXTS = (
    "他在学习机器翻译的方法",
    "机会和武器都在那里",
    "การแปลภาษาด้วยเครื่อง",
    "แมวกินปลา ภาพวาด ศาลา",
    "हिन्दी में मशीन अनुवाद",
    "A fox in the wood",
)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("机器", [0]),
        ("机器学习", [0]),  # a line of two words
        ("机", [0, 1]),
        ("机器 武器", [0, 1]),
        ('"机器人"', []),
        ("ภาษา", [2]),
        ("แปลภาษา", [2]),
        ("अनुवाद", [4]),
        ("अनु", []),
        ("fox机器", [0, 5]),
        ("wood-fire", [5]),
        ('"the wood" fox', [5]),
        ("cafe\u0301", [6]),
        ("istanbul", [7]),
        ("İSTANBUL", [7]),
        ("ΟΔΟΣ", [8]),
        ("οδός", [8]),
        ('"ΟΔΟΣ ΜΑΪΟΥ"', [8]),
        ("كتاب", [9]),
        ("كتـــاب", [9]),
        ('"ὁδός Μαΐου"', [8]),
        ("...", []),
    ],
)
def test_a_word_without_blanks_is_found_as_a_word(tmp_path, query, expected):
    writer = TextIndexWriter(tmp_path / "text")
    for number, text in enumerate(
        (*TEXTS, "caf\u00e9", "İstanbul'da bir gün", "Η ΟΔΟΣ Μαΐου", "هذا كتـاب")
    ):
        writer.add(IndexedText(number, 0, f"http://a.sample/{number}", "", text))
    writer.commit()
    assert sorted(TextIndex(tmp_path / "text").search(query, 10).page_ids.tolist()) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("机器翻译", ["机器", "器翻", "翻译"]),
        ("手机iPhone", ["手机", "iphone"]),
        ("ภาษา", ["ภาษา"]),
        ("ภาษาไทย", ["ภาษาไ", "าษาไท", "ษาไทย"]),
        ("日本ไทย", ["日本", "ไทย"]),
        ("သည်။", ["သည်"]),  # of a page that has the word within a sentence, too
    ],
)
def test_rows_of_about_a_word(query, expected):
    assert ["".join(word.words) for word in query_words(query)] == expected


def test_the_quotation_mark_of_hebrew_acronyms_quotes_nothing():
    """Pages had to have the end of the first and the beginning of the second in a row."""
    assert not any(word.is_quoted for word in query_words('ארה"ב צה"ל'))
    (quoted,) = query_words('"צבא ארה"ב"')
    assert quoted == (("צבא", "ארה", "ב"), True)


# The small letter of a sigma depends on what stands behind the word.
@given(st.text(st.characters(exclude_characters="Σ")))
def test_words_are_where_their_spans_say(text):
    found = [small_letters(text[start:end]) for start, end in search_spans(text)]
    assert found == search_words(text)
