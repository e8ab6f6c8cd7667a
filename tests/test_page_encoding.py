"""Encodings: declared, undeclared, and declared wrongly."""

from __future__ import annotations

import codecs
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page import build_page
from crawler.page.charsets import charset_of
from crawler.page.encoding import decode, prescan

TEXTS = {
    "en": "Plain words of English text with “quotes”, a dash – and a café.",
    "de": "Die Straße führt über Äcker, Öfen und grüne Hügel nach Süden.",
    "fr": "Où êtes-vous né ? L’été dernier, à Besançon, près du cœur de la forêt.",
    "pl": "Zażółć gęślą jaźń, a potem idź nad rzekę i wróć późno.",
    "cs": "Příliš žluťoučký kůň úpěl ďábelské ódy na konci ulice.",
    "tr": "Işık şimdi güneşin doğduğu yerden değil, başka bir yönden geliyor.",
    "lt": "Įlinkdama fechtuotojo špaga sublykčiojusi pragręžė apvalų arbūzą.",
    "ru": "Съешь ещё этих мягких французских булок, да выпей чаю с друзьями.",
    "uk": "Жебракують філософи при ґанку церкви в Гадячі, ще й шатро їхнє п’яне.",
    "el": "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία με πολλά λόγια και τραγούδια.",
    "he": "דג סקרן שט בים מאוכזב ולפתע מצא חברה נעימה ליד החוף.",
    "ar": "نص عربي قصير عن المدينة القديمة وشوارعها الضيقة وأسواقها.",
    "th": "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์เดรัจฉาน",
    "zh-cn": "数据科学是一门研究如何从数据中提取知识的学科，它和统计学有关。",
    "zh-tw": "資料科學是一門研究如何從資料中提取知識的學科，與統計學有關。",
    "ja": "いろはにほへと ちりぬるを、吾輩は猫である。名前はまだ無い。カタカナも。",
    "ko": "키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다.",
    "vi": "Tiếng Việt có nhiều dấu thanh và được viết bằng chữ La-tinh.",
    "et": "Põdur Zagrebi tšellomängija-följetonist Ciqo külmetas kehvas garaažis.",
    "is": "Kæmi ný öxi hér ykist þjófum nú bæði víl og ádrepa.",
}
ENCODINGS = [
    *("utf-8", "utf-16le", "utf-16be", "ibm866", "koi8-r", "koi8-u", "macintosh", "windows-874"),
    *(f"iso-8859-{n}" for n in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)),
    *(f"windows-125{n}" for n in range(9)),
    *("x-mac-cyrillic", "gbk", "gb18030", "big5", "euc-jp", "iso-2022-jp", "shift_jis", "euc-kr"),
]


def pairs():
    for label in ENCODINGS:
        for language, text in TEXTS.items():
            try:
                body = text.encode(charset_of(label).codec)
            except UnicodeEncodeError:
                continue
            yield pytest.param(label, text, body, id=f"{label}-{language}")


@pytest.mark.parametrize(("label", "text", "body"), list(pairs()))
def test_declared_encodings(label, text, body):
    header = decode(body, content_type=f"text/html; charset={label.upper()}")
    assert (header.text, header.charset, header.source) == (text, label, "header")
    if not label.startswith("utf-16"):
        meta = decode(f"<meta charset='{label}'>".encode() + body)
        assert (meta.text.partition(">")[2], meta.charset, meta.source) == (text, label, "meta")


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_undeclared_utf8_and_marked_utf16(text):
    assert decode(text.encode())[:3] == (text, "utf-8", "guess")
    assert decode(codecs.BOM_UTF8 + text.encode())[:3] == (text, "utf-8", "bom")
    for mark, name in ((codecs.BOM_UTF16_LE, "utf-16le"), (codecs.BOM_UTF16_BE, "utf-16be")):
        body = mark + text.encode(name)
        # A mark is stronger than a header.
        assert decode(body, content_type="text/html;charset=latin1")[:3] == (text, name, "bom")
    assert decode(f"<p>{text}".encode("utf-16-le"))[:3] == (f"<p>{text}", "utf-16le", "guess")
    assert decode(f"<p>{text}".encode("utf-16-be"))[:3] == (f"<p>{text}", "utf-16be", "guess")


@pytest.mark.parametrize(
    ("label", "language"),
    [
        ("windows-1252", "de"),
        ("windows-1252", "fr"),
        ("windows-1251", "ru"),
        ("koi8-r", "ru"),
        ("windows-1253", "el"),
        ("shift_jis", "ja"),
        ("euc-jp", "ja"),
        ("gb18030", "zh-cn"),
        ("big5", "zh-tw"),
        ("euc-kr", "ko"),
        ("windows-874", "th"),
    ],
)
@pytest.mark.parametrize("wrong", [None, "utf-8"])
def test_undeclared_and_wrongly_declared(label, language, wrong):
    body = (f"<p>{TEXTS[language]}</p>\n" * 8).encode(charset_of(label).codec)
    declared = None if wrong is None else f"text/html; charset={wrong}"
    found = decode(body, content_type=declared)
    assert TEXTS[language] in found.text
    assert found.source in {"guess", "default"}
    assert found.replacement_share == 0


def test_undeclared_iso_2022_jp():
    # Wrongly declared, it is plain ASCII, and nothing contradicts the declaration.
    assert decode(TEXTS["ja"].encode("iso2022-jp"))[:3] == (TEXTS["ja"], "iso-2022-jp", "guess")


@pytest.mark.parametrize("declared", ["windows-1252", "iso-8859-2", "gbk", "shift_jis", "utf-16"])
def test_valid_utf8_is_utf8_whatever_was_declared(declared):
    text = TEXTS["ru"]
    found = decode(text.encode(), content_type=f"text/html; charset={declared}")
    assert found[:3] == (text, "utf-8", "guess")


def test_few_damaged_characters_do_not_overrule_a_declaration():
    body = TEXTS["ru"].encode() + b"\xff" + TEXTS["de"].encode()
    found = decode(body, content_type="text/html; charset=utf-8")
    assert (found.charset, found.source) == ("utf-8", "header")
    assert found.text.count("\ufffd") == 1
    assert found.replacement_share == 1 / len(found.text)


def test_utf8_cut_within_a_character_is_still_utf8():
    assert decode(TEXTS["ru"].encode()[:-2]).charset == "utf-8"


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"<meta charset=utf-8>", "utf-8"),
        (b"<META CHARSET='GB2312'>", "gbk"),
        (b'<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">', "koi8-r"),
        (b'<meta content="text/html; charset=koi8-r" http-equiv=content-type />', "koi8-r"),
        (b'<meta name=x content="charset=koi8-r">', None),
        (b"<!-- <meta charset=koi8-r> --><meta charset=big5>", "big5"),
        (b"<meta charset=nonsense><meta charset=big5>", "big5"),
        (b"<meta charset=utf-16>", "utf-8"),  # it was read as ASCII
        (b"<meta charset=utf-7>", None),
        (b"<?xml version='1.0' encoding='euc-jp'?><html>", "euc-jp"),
        (b"<title>charset=koi8-r</title>", None),
        (b"<!--" * 2000, None),
        (b"<a " * 2700, None),
    ],
)
def test_prescan(head, expected):
    charset = prescan(head)
    assert (charset.name if charset else None) == expected


def test_ascii_is_utf8_by_default():
    assert decode(b"plain")[:3] == ("plain", "utf-8", "default")
    assert decode(b"")[:3] == ("", "utf-8", "default")


@given(st.binary(max_size=300), st.sampled_from([None, *ENCODINGS, "no-such"]))
def test_never_raises_and_gives_encodable_text(body, label):
    found = decode(body, content_type=None if label is None else f"text/html; charset={label}")
    found.text.encode()
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
