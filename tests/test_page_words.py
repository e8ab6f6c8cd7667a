"""The word units, each on what tells it from the others."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page.words import (
    GRAPHEME_JOINER,
    alpha_words,
    block_words,
    collapsed,
    columns,
    corpus_tokens,
    density_tokens,
    evaluation_words,
    has_spaceless_script,
    nfc,
    search_words,
    ws_tokens,
)

texts = st.text(st.sampled_from("aé1 \t\u00a0.,-_'@:/数カกខ\u0301ー\u3000x"), max_size=40)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \t\n\u00a0\u3000", []),
        ("one two", ["one", "two"]),
        ("a\u00a0b", ["a", "b"]),  # a no-break space is whitespace
        ("- | … ©", []),  # neither letter nor digit
        ("_ __", []),  # the underscore is no word character
        ("(well) don't _x_", ["(well)", "don't", "_x_"]),
        ("½ Ⅷ ٣", ["½", "Ⅷ", "٣"]),  # all of N*
        ("数据科学家", ["数据", "科学", "家"]),
        ("東京タワー", ["東京", "タワ", "ー"]),
        ("数据，科学。", ["数据", "科学"]),  # full-width marks are no words
        ("ใช้เวลานาน", ["ใช้เว", "ลานาน"]),
        ("ខ្មែរ", ["ខ្មែរ"]),
        ("GPT模型v2", ["GPT", "模型", "v2"]),
        ("한국어 낱말", ["한국어", "낱말"]),  # Korean has spaces
    ],
)
def test_density_tokens(text, expected):
    assert density_tokens(text) == expected
    assert block_words(text)[1] == expected


@given(texts)
def test_block_words_agree_with_their_parts(text):
    shown, words, full_width = block_words(text)
    assert shown == collapsed(text)
    assert words == density_tokens(shown)
    assert full_width == has_spaceless_script(shown)


@given(texts)
def test_density_tokens_equal_the_definition_where_there_are_spaces(text):
    if not has_spaceless_script(text):
        expected = [
            run
            for run in text.split()
            if any(unicodedata.category(character)[0] in "LN" for character in run)
        ]
        assert density_tokens(text) == expected


@given(texts)
def test_no_letter_is_lost(text):
    kept = [c for token in density_tokens(text) for c in token if c.isalnum()]
    assert kept == [c for c in text if c.isalnum()]


def test_collapsed_is_nfc_with_single_spaces():
    assert collapsed(" e\u0301 \n\u00a0 x\u2003y ") == "é x y"


def test_long_rows_of_combining_marks_stay_cheap_and_whole():
    # Normalising this row in one piece takes minutes: each mark is sorted into its place.
    row = "a" + "\u0301\u0316" * 100_000
    shown = nfc(row)
    assert len(shown.replace(GRAPHEME_JOINER, "")) in {len(row), len(row) - 1}
    # Rows of other signs are left alone.
    for signs in ("😀" * 100, "—" * 100, "。" * 100, "\u0301" * 20):
        assert nfc(signs) == unicodedata.normalize("NFC", signs)


def test_columns():
    assert [columns(token) for token in ("ab", "数据", "カ", "ใช้")] == [2, 4, 2, 3]


@pytest.mark.parametrize(
    ("function", "text", "expected"),
    [
        (ws_tokens, " a  - b\u00a0c\n", ["a", "-", "b", "c"]),
        (alpha_words, "well-known -x- don't 3D _a_", ["well-known", "x", "don", "t", "D", "a"]),
        (
            corpus_tokens,
            "See http://a.de/x?y=1 or me@a.de: 3.5, 12:30 it's co-op (x)...",
            [
                *("See", "http://a.de/x?y=1", "or", "me@a.de", ":", "3.5", ",", "12:30", "it's"),
                *("co-op", "(", "x", ")", ".", ".", "."),
            ],
        ),
        (
            corpus_tokens,
            "A ¾-inch bolt, 1½-hour 10²-fach Ⅳ-x ½; 5 m²-Preis CO₂ a½b",
            [
                *(
                    "A",
                    "¾",
                    "-",
                    "inch",
                    "bolt",
                    ",",
                    "1½",
                    "-",
                    "hour",
                    "10²",
                    "-",
                    "fach",
                    "Ⅳ",
                    "-",
                    "x",
                ),
                *("½", ";", "5", "m²-Preis", "CO₂", "a½b"),
            ],
        ),
        (
            evaluation_words,
            "The THE_x, 数据 ไทย é",
            ["the", "the_x", "数", "据", "ไ", "ท", "ย", "é"],
        ),
    ],
)
def test_other_units(function, text, expected):
    assert function(text) == expected


# Hindi, Tamil, Bengali; Arabic and Hebrew with vowels; Persian with a joiner; Turkish, lower-cased; IPA
WORDS_WITH_MARKS = [
    "हिन्दी",
    "राजभाषा",
    "தமிழ்",
    "বাংলা",
    "الطاحونةُ",
    "بُنيت",
    "שָׁלוֹם",
    "می\u200cخواهم",
    "i̇stanbul",
    "ə̃",
]


@pytest.mark.parametrize("function", [alpha_words, corpus_tokens, search_words])
def test_marks_belong_to_their_letters(function):
    assert function(" ".join(WORDS_WITH_MARKS)) == WORDS_WITH_MARKS
    for word in WORDS_WITH_MARKS:
        assert function(f"{word}, {word}.")[0] == word


@given(texts)
def test_without_marks_words_are_runs_of_letters(text):
    text = "".join(c for c in text if unicodedata.category(c)[0] != "M" and c not in "\u200c\u200d")
    assert alpha_words(text) == re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", text)
    if len(text.lower()) == len(text):
        assert search_words(text) == evaluation_words(text)


def test_words_of_a_search_are_the_same_in_plain_text():
    """Beside a letter of Hindi with its mark no text is plain; where a character stands alone most are."""
    for point in range(0x20D0):
        text = f"a{chr(point)}b"
        assert search_words(f"हि {text}")[1:] == search_words(text), hex(point)


@pytest.mark.parametrize("function", [density_tokens, ws_tokens, alpha_words, corpus_tokens])
def test_long_runs_are_linear(function):
    for run in ("a" * 200_000, "-" * 200_000, "a-" * 100_000, "a@" * 100_000, "1." * 100_000):
        assert set("".join(function(run)).lower()) <= set(run)
