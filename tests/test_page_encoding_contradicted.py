"""Encodings that are declared, and that the bytes contradict."""

from __future__ import annotations

import pytest

from crawler.page.encoding.charsets import charset_of
from crawler.page.encoding.text import decode
from tests.encoding_texts import TEXTS, texts_of, written
from tests.test_page_encoding import declared


@pytest.mark.parametrize(
    ("wrong", "right", "text"),
    [
        ("iso-8859-2", "windows-1250", "Država želi zaščito – župan in učiteljica šele jutri."),
        (
            "iso-8859-2",
            "windows-1250",
            "Na początku „cisza” – później ślady źródła, świąteczny żal.",
        ),
        ("iso-8859-5", "windows-1251", "Всё это «правда» – сказал он “тихо” и ушёл домой…"),
        ("iso-8859-7", "windows-1253", "Αυτό είναι “καλό” και ωραίο – Άνθρωπος της Αθήνας."),
        ("iso-8859-13", "windows-1257", "Šiais metais „Lietuvos“ žmonės – gyvena geriau."),
        ("iso-8859-15", "windows-1252", "L’homme qu’il a vu n’était pas d’ici."),
        ("iso-8859-15", "windows-1252", "He didn’t say so."),
    ],
)
@pytest.mark.parametrize("how", ["header", "meta"])
def test_text_of_windows_is_read_so_where_iso_8859_has_controls(wrong, right, text, how):
    found = declared(text.encode(charset_of(right).codec), wrong, how)
    assert found.text.endswith(text)
    assert (found.charset, found.source) == (right, "guess")


def test_quotes_of_windows_pasted_into_iso_8859_leave_its_letters_as_declared():
    text = "Država \x84želi\x93 zaščito \x96 župan in učiteljica šele jutri."
    assert declared(text.encode("iso8859-2"), "iso-8859-2", "header")[:3] == (
        text.encode(),
        "iso-8859-2",
        "header",
    )


@pytest.mark.parametrize("wrong", ["iso-8859-1", "windows-1250"])
@pytest.mark.parametrize(
    ("label", "language"),
    [("windows-1251", "ru"), ("windows-1253", "el"), ("gbk", "zh-hans"), ("windows-874", "th")],
)
def test_other_scripts_are_read_where_latin_script_is_declared(label, language, wrong):
    text = TEXTS[language]
    found = declared(text.encode(charset_of(label).codec), wrong, "header")
    assert (found.text, found.source) == (text, "guess")


@pytest.mark.parametrize(
    "drawn",
    ["·" * 40 + "<br>" + "¯" * 30, "".join(map(chr, range(0xA0, 0x100))), "ÄÄÄÄÄ ÖÖÖÖÖ ÉÈÊËÉÈ"],
)
def test_lines_drawn_of_signs_are_no_other_script(drawn):
    body = f"<p>Plain words of a café, and no more.</p>{drawn}".encode("latin-1") * 3
    assert declared(body, "iso-8859-1", "header")[1:] == ("windows-1252", "header", 0)


@pytest.mark.parametrize(
    "meta", ["windows-1250", "iso-8859-2", "windows-1254", "koi8-r", "iso-8859-3"]
)
@pytest.mark.parametrize("header", ["iso-8859-1", "windows-1251"])
def test_of_header_and_page_the_bytes_decide(header, meta):
    # Romanian is read as ISO-8859-16.
    for text in (text for text in texts_of(meta, 400, 12) if "ș" not in text):
        body = f"<meta charset={meta}>".encode() + written(text, meta)
        found = decode(body, content_type=f"text/html; charset={header}")
        assert (found.text.endswith(text), found.charset, found.source) == (True, meta, "meta")
        # The header is right, and the page names an encoding that its text was in once.
        body = f"<meta charset={header}>".encode() + written(text, meta)
        assert decode(body, content_type=f"text/html; charset={meta}").charset == meta


@pytest.mark.parametrize(
    ("header", "text"),
    [
        ("windows-1257", "upės klausėmės"),
        ("windows-1254", "taze gerektiğini ekmek"),
        ("iso-8859-2", "erős eleredt"),
        ("windows-1250", "vroč medom prinesli"),
    ],
)
def test_few_bytes_do_not_make_windows_1252_of_a_page_whose_header_says_otherwise(header, text):
    body = b"<meta charset=iso-8859-1><p>" + written(text, header)
    found = decode(body, content_type=f"text/html; charset={header}")
    assert (found.text.endswith(text), found.charset, found.source) == (True, header, "header")


@pytest.mark.parametrize("text", ["© 2010", "café", "Straße 5 – hier"])
def test_one_sequence_of_utf_8_suffices_where_the_page_names_it(text):
    body = b"<meta charset=utf-8><p>" + text.encode()
    found = decode(body, content_type="text/html; charset=iso-8859-1")
    assert (found.text.endswith(text), found.charset, found.source) == (True, "utf-8", "meta")
    latin = b"<meta charset=utf-8><p>" + text.encode("cp1252")
    assert decode(latin, content_type="text/html; charset=iso-8859-1")[1:3] == (
        "windows-1252",
        "header",
    )


WIDE = ("gbk", "big5", "euc-jp", "shift_jis", "euc-kr")


@pytest.mark.parametrize("right", WIDE)
@pytest.mark.parametrize("wrong", WIDE)
@pytest.mark.parametrize("how", ["header", "meta"])
def test_chinese_japanese_and_korean_under_labels_of_each_other(right, wrong, how):
    for text in texts_of(right, 60, 6):
        assert text in declared(text.encode(charset_of(right).codec), wrong, how).text


@pytest.mark.parametrize("wrong", WIDE)
def test_few_bytes_leave_an_encoding_of_several_bytes_as_it_is_declared(wrong):
    body = b"<p>" + "오래된".encode("euc-kr")
    assert decode(body, content_type=f"text/html; charset={wrong}").charset == wrong


def test_traditional_chinese_in_gbk_is_believed():
    body = TEXTS["zh-hant"].encode("gb18030")
    assert decode(body, content_type="text/html; charset=gbk").charset == "gbk"


@pytest.mark.parametrize("wrong", WIDE[1:])
@pytest.mark.parametrize("how", ["header", "meta"])
def test_traditional_chinese_in_gbk_under_other_labels(wrong, how):
    for text in texts_of("big5", 60, 6):
        assert text in declared(text.encode("gbk"), wrong, how).text
