"""Encodings: declared, undeclared, and declared wrongly."""

from __future__ import annotations

import codecs
import gzip
import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page import build_page
from crawler.page.encoding.charsets import charset_of
from crawler.page.encoding.decoders import text_of
from crawler.page.encoding.text import decode
from tests.encoding_texts import LANGUAGES, TEXTS, texts_of, written

ENCODINGS = [
    *("utf-8", "utf-16le", "utf-16be", "ibm866", "koi8-r", "koi8-u", "macintosh", "windows-874"),
    *(f"iso-8859-{n}" for n in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)),
    *(f"windows-125{n}" for n in range(9)),
    *("x-mac-cyrillic", "gbk", "gb18030", "big5", "euc-jp", "iso-2022-jp", "shift_jis", "euc-kr"),
]


def declared(body, label, how):
    if how == "header":
        return decode(body, content_type=f"text/html; charset={label.upper()}")
    return decode(f"<!doctype html><meta charset='{label}'>".encode() + body)


@pytest.mark.parametrize("how", ["header", "meta"])
@pytest.mark.parametrize("label", ENCODINGS)
def test_declared_encodings_are_read_without_a_wrong_character(label, how):
    for text in texts_of(label, 400, 20):
        body = written(text, label)
        expected = text_of(body, charset_of(label))
        if label != "windows-1258" and "\ufffd" not in expected:
            # What the encoding cannot say is left out of the bytes, and nothing else.
            assert expected.encode(charset_of(label).codec) == body
        found = declared(body, label, how)
        if label.startswith("utf-16") and how == "meta":
            continue  # a meta element in ASCII before UTF-16 is no page
        assert found.text.removeprefix(f"<!doctype html><meta charset='{label}'>") == expected
        assert (found.charset, found.source, found.replacement_share) == (label, how, 0)


@pytest.mark.parametrize("label", ENCODINGS)
def test_text_survives_its_encoding(label):
    codec = charset_of(label).codec
    for text in TEXTS.values():
        try:
            body = text.encode(codec)
        except UnicodeEncodeError:
            continue
        assert declared(body, label, "header").text == text


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_undeclared_utf8_and_utf16(text):
    body = text.encode()
    found = decode(body)
    assert (found.text, found.charset, found.source) == (text, "utf-8", "guess")
    assert found.utf8 is body
    assert decode(codecs.BOM_UTF8 + body)[:3] == (body, "utf-8", "bom")
    for mark, name in ((codecs.BOM_UTF16_LE, "utf-16le"), (codecs.BOM_UTF16_BE, "utf-16be")):
        # A mark is stronger than a header.
        marked = decode(mark + text.encode(name), content_type="text/html;charset=latin1")
        assert marked[:3] == (body, name, "bom")
        page = f"<p class=x>{text}</p>"
        assert decode(page.encode(name))[:3] == (page.encode(), name, "guess")


@pytest.mark.parametrize("name", ["utf-16le", "utf-16be"])
def test_declared_utf16_whose_bytes_are_all_ascii(name):
    """Those of Devanagari are below 128; the page was read as UTF-8, two characters for each letter."""
    page = f"<p>{'पानी पत्थर के बाँध के ऊपर से बहता था ' * 9}</p>"
    assert declared(page.encode(name), name, "header")[:3] == (page.encode(), name, "header")
    stray = b"<p>some\0 words</p>"
    assert declared(stray, name, "header").charset == "utf-8"


@pytest.mark.parametrize(
    ("label", "language"),
    [
        ("windows-1252", "de"),
        ("windows-1252", "fr"),
        ("windows-1251", "ru"),
        ("koi8-r", "ru"),
        ("iso-8859-2", "pl"),
        ("windows-1253", "el"),
        ("shift_jis", "ja"),
        ("euc-jp", "ja"),
        ("iso-2022-jp", "ja"),
        ("gb18030", "zh-hans"),
        ("big5", "zh-hant"),
        ("euc-kr", "ko"),
        ("windows-874", "th"),
    ],
)
@pytest.mark.parametrize("wrong", ["utf-8", "utf-16"])
def test_wrongly_declared(label, language, wrong):
    text = TEXTS[language]
    found = declared(text.encode(charset_of(label).codec), wrong, "header")
    assert (found.text, found.source) == (text, "guess")
    assert found.replacement_share == 0


@pytest.mark.parametrize("wrong", ["windows-1252", "iso-8859-2", "gbk", "shift_jis", "utf-16"])
@pytest.mark.parametrize("language", ["ru", "de", "ja", "th"])
def test_valid_utf8_is_utf8_whatever_was_declared(wrong, language):
    body = TEXTS[language].encode()
    assert declared(body, wrong, "header")[:3] == (body, "utf-8", "guess")
    # And if somebody pasted a few bytes of another encoding into it.
    assert declared(body * 2 + b"\xe9 " + body, wrong, "header").charset == "utf-8"


@pytest.mark.parametrize("damage", [b"\xff", b"\xe2\x80", b"\xc0\xaf"])
@pytest.mark.parametrize("language", ["en", "de", "ru", "ascii"])
def test_few_damaged_characters_do_not_overrule_utf8(damage, language):
    text = "Plain words, and no more. " if language == "ascii" else TEXTS[language]
    body = text.encode() + b" <p>x\x03" + damage + b"\x04y</p> " + text.encode()
    found = declared(body, "utf-8", "header")
    assert (found.charset, found.source) == ("utf-8", "header")
    assert found.text == body.decode("utf-8", "replace")
    assert found.replacement_share == found.text.count("\ufffd") / len(found.text) > 0


def test_one_byte_of_windows_1252_is_mended_where_it_makes_a_word():
    body = b"<p>Plain words of a caf\xe9 in the old town, and no more.</p>" * 3
    assert "café" in declared(body, "utf-8", "meta").text
    # With valid sequences beside it the page is UTF-8 with a fault.
    assert "caf\ufffd" in declared(body[:58] + "“cafés”".encode(), "utf-8", "meta").text


def test_utf8_cut_within_a_character_is_still_utf8():
    body = TEXTS["ru"].encode()[:-2] + b"\xd0"
    assert decode(body).charset == "utf-8"
    assert decode(body).text.endswith("\ufffd")
    assert decode("Plain words of a café – all ASCII but one".encode()[:-24]).charset == "utf-8"


def test_wrong_declarations_are_noticed():
    found = declared(TEXTS["el"].encode("cp1253") + b"\xd2\xd2\xd2", "windows-1253", "header")
    assert found.charset == "windows-1253"
    assert found.replacement_share == pytest.approx(3 / len(found.text))


def test_replacement_encodings_are_one_character():
    for body in (b"plain", "Straße".encode("latin-1")):
        assert declared(body, "iso-2022-kr", "header")[:3] == (
            "\ufffd".encode(),
            "replacement",
            "header",
        )


def test_late_meta_of_a_page_that_is_not_utf8():
    late = b"<script>" + b"x" * 20_000 + b"</script><meta charset=koi8-r>"
    assert decode(late + "слово".encode("koi8-r"))[1:3] == ("koi8-r", "meta")
    assert decode(late + "слово".encode())[1:3] == ("utf-8", "guess")


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("text/html; charset=koi8-r", "koi8-r"),
        ('text/html;CHARSET="koi8-r"', "koi8-r"),
        ("text/html; charset='koi8-r", "koi8-r"),
        ("text/html; charset = koi8-r ; x=y", "koi8-r"),
        ("text/html; charset=koi8-r, text/html", "koi8-r"),
        ("text/html; charset=nonsense", "utf-8"),
        ("text/html; charset=", "utf-8"),
        ("text/html", "utf-8"),
        ("", "utf-8"),
        (None, "utf-8"),
        ("text/html; charset=\u0441", "utf-8"),
    ],
)
def test_header(header, expected):
    assert decode(b"plain", content_type=header).charset == expected


def test_ascii_is_utf8_by_default_and_the_same_object():
    for body in (b"plain", b"", b"a\0b", b"\x1b$B is no Japanese"):
        assert decode(body) == (body, "utf-8", "default", 0)
        assert decode(body).utf8 is body
    found = decode(body, content_type="text/html; charset=shift_jis")
    assert found == (body, "shift_jis", "header", 0)


@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(ENCODINGS))
def test_declared_text_comes_back(text, label):
    codec = charset_of(label).codec
    body = text.encode(codec, "ignore")
    expected = text_of(body, charset_of(label))
    found = declared(body, label, "header")
    if found.source == "header":
        assert found.text == expected.removeprefix("\ufeff") or found.text == expected
    else:
        assert found.source in {"bom", "guess", "default"}


@given(st.binary(max_size=300), st.sampled_from([None, *ENCODINGS, "no-such"]))
def test_never_raises_and_gives_encodable_text(body, label):
    found = decode(body, content_type=None if label is None else f"text/html; charset={label}")
    assert found.utf8.decode().encode() == found.utf8
    assert 0 <= found.replacement_share <= 1


@pytest.mark.parametrize("label", ["utf-8", "utf-16le", "gb18030"])
def test_blocks_are_the_same_in_whatever_encoding(label):
    page = "".join(f"<p>{unicodedata.normalize('NFD', text)}<p>" for text in TEXTS.values())
    model = build_page(
        page.encode(charset_of(label).codec),
        url="http://a.sample/",
        content_type=f"text/html; charset={label}",
    )
    assert model.blocks.text == [unicodedata.normalize("NFC", text) for text in TEXTS.values()]


@pytest.mark.parametrize("label", LANGUAGES)
def test_blocks_are_the_same_in_the_encodings_of_a_language(label):
    texts = [text_of(written(text, label), charset_of(label)) for text in texts_of(label, 300, 4)]
    page = "".join(f"<p>{text}</p>" for text in texts)
    as_utf8, as_label = (
        build_page(
            page.encode(charset_of(name).codec),
            url="http://a.sample/",
            content_type=f"text/html; charset={name}",
        )
        for name in ("utf-8", label)
    )
    assert as_label.blocks.text == as_utf8.blocks.text
    assert (as_label.blocks.n_tokens == as_utf8.blocks.n_tokens).all()


def test_real_pages_that_declare_another_encoding_than_theirs(shared):
    n_pages = 0
    for manifest in sorted((shared / "data" / "extraction").glob("*/*/manifest.jsonl")):
        for line in manifest.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            if not entry.get("charset_conflict"):
                continue
            page = manifest.parent / "pages" / f"{entry['id']}.html.gz"
            found = decode(gzip.decompress(page.read_bytes()))
            assert (found.charset, found.replacement_share < 0.001) == ("utf-8", True), page
            n_pages += 1
    assert n_pages == 6


@pytest.mark.parametrize("body", [b"010", b"0/0", b"0" * 50, b"<a\0><a\0>", b"10 20 30 40"])
def test_ascii_is_not_utf_16(body):
    for content_type in (None, "text/html; charset=utf-8"):
        assert decode(body, content_type=content_type).utf8 == body
