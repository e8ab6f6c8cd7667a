"""Undeclared pages: texts of every encoding, few high bytes, and no text at all."""

from __future__ import annotations

import numpy as np
import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

from crawler.page.encoding.charsets import charset_of
from crawler.page.encoding.decoders import text_of
from crawler.page.encoding.guess import guess
from crawler.page.encoding.text import decode
from tests.encoding_texts import LANGUAGES, TEXTS, texts_of, written


@pytest.mark.parametrize("label", [label for label in LANGUAGES if label != "iso-8859-8-i"])
@pytest.mark.parametrize("n_chars", [200, 2000])
def test_undeclared_encodings_are_guessed(label, n_chars):
    for text in texts_of(label, n_chars, 12):
        body = written(text, label)
        expected = text_of(body, charset_of(label))
        if "ș" in text and label != "iso-8859-16":
            continue  # Romanian is read as ISO-8859-16, whose letters are the right ones
        found = decode(f"<p>{expected}</p>".encode(charset_of(label).codec, "replace"))
        assert expected in found.text, (found.charset, expected[:60])
        assert found.source == "guess"


@pytest.mark.parametrize("label", ["windows-1250", "iso-8859-2", "iso-8859-16"])
def test_romanian_has_commas_below_in_any_encoding(label):
    assert "orașul" in decode(written(TEXTS["ro"], label)).text


PLAIN = b"<p>Plain words of a page of 1997, and links to the people of the department.</p>" * 30


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        (b"G\xf6del", "Gödel"),
        (b"na\xefve", "naïve"),
        (b"\xa9 1996", "© 1996"),
        (b"the student\x92s work", "student’s"),
        (b"\x93quoted\x94 words", "“quoted”"),
        (b"ONLINE\xae</A>", "ONLINE®"),
        (b"Universit\xe4t Z\xfcrich", "Universität Zürich"),
        (b"20\xb0 C", "20° C"),
        (b"\xd2quoted\xd3 words", "“quoted”"),  # a Macintosh's
        (b"Mr. Gusfield\xd5s and Mr. Bishop\xd5s work", "Gusfield’s"),
    ],
)
def test_few_high_bytes_of_english_pages(word, expected):
    assert expected in decode(PLAIN + word + PLAIN).text


@pytest.mark.parametrize("n", [0, 1, 40])
@pytest.mark.parametrize(
    "words",
    [
        "costs £5",
        "costs £5, £12 and £7.50",
        "£20-£30",
        "© 2001",
        "ACME ® Ltd",
        "5 €",
        "€5",
        "§ 12",
        "½ cup",
        "¾ of it",
        "±5",
        "5 × 4",
        "10³",
        "\xa0\xa0\xa0 text",
        "le «Monde»",
        "10–20",
        "‘x’",
        "20° C",
        "n.º 5",
        "voilà à la carte",
        "caffè è buono",
        "1 ó 2",
        "5¢, 10¢ and 25¢",
        "¶ 12",
        "10 µm",
        "100 m² of",
        "don´t",
        "¡Hola!",
    ],
)
def test_signs_in_small_pages_are_no_letters(words, n):
    page = f"<html><body><p>A book of the shop: {words} and more.</p>{'<p>It is so.</p>' * n}"
    assert words in decode(page.encode("cp1252")).text


@pytest.mark.parametrize("label", ["windows-1250", "iso-8859-2"])
@pytest.mark.parametrize(
    "words",
    [
        "Łódź i Gdańsk, ulica Długa 5",
        "příští týden, číslo domu 12",
        "az árvíztűrő tükörfúrógép, 5 őr",
    ],
)
def test_letters_in_small_pages_of_central_europe(label, words):
    assert words in decode(f"<p>{words}</p>".encode(label)).text


@pytest.mark.parametrize(
    "words", ["歡迎來到圖書館", "學術資源", "聯絡我們", "他們給我們端來了熱茶和新鮮的蛋糕"]
)
def test_traditional_chinese_in_gbk(words):
    assert words in decode(b"<p>" + words.encode("gbk")).text


def test_what_is_no_text_is_windows_1252_by_default():
    body = np.random.default_rng(1).integers(0x80, 0xA0, 4000, np.uint8).tobytes()
    assert decode(body)[1:3] == ("windows-1252", "default")


@pytest.mark.parametrize("body", [b"\xe9", b"\x80" * 3, b"\xff" * 70_000, b"a" * 70_000 + b"\xe9"])
def test_guess_of_extreme_bytes(body):
    assert guess(body).cost >= 0
    assert decode(body).utf8


def test_undeclared_pages_of_1997(shared):
    """Known by eye: no page of the archive is in an encoding of another part of Europe."""
    found: dict[str, int] = {}
    with (shared / "data" / "warc" / "webkb-1997.warc.gz").open("rb") as stream:
        for record in ArchiveIterator(stream, record_types=WarcRecordType.response):
            body = record.reader.read()
            if not body.isascii():
                read = decode(body)
                if read.source in {"guess", "default"}:
                    found[read.charset] = found.get(read.charset, 0) + 1
    # Two pages have a byte each that no encoding explains.
    elsewhere = {"windows-1252", "macintosh", "gbk", "big5", "euc-jp", "euc-kr"}
    assert sum(n for charset, n in found.items() if charset not in elsewhere) <= 2
    assert found["windows-1252"] >= 60
    assert (found["big5"], found["euc-kr"]) == (4, 1)
