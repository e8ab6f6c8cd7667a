"""Labels, and the decoders where they differ from Python's codecs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page.encoding.charsets import _CHARSETS, charset_of
from crawler.page.encoding.decoders import characters_of, is_wide, text_of

NAMES = sorted({charset.name for charset in _CHARSETS.values()})
SINGLE_BYTE = [
    name
    for name in NAMES
    if not is_wide(charset_of(name))
    and not name.startswith("utf-")
    and name not in {"iso-2022-jp", "replacement"}
]


def read(body, label):
    return text_of(body, charset_of(label))


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("ISO-8859-1", "windows-1252"),
        (" us-ascii\n", "windows-1252"),
        ("gb2312", "gbk"),
        ("iso-8859-9", "windows-1254"),
        ("iso-8859-11", "windows-874"),
        ("tis-620", "windows-874"),
        ("sjis", "shift_jis"),
        ("ks_c_5601-1987", "euc-kr"),
        ("big5-hkscs", "big5"),
        ("utf-16", "utf-16le"),
        ("unicodefffe", "utf-16be"),
        ("hz-gb-2312", "replacement"),
        ("iso-2022-kr", "replacement"),
        ("x-user-defined", "x-user-defined"),
        ("logical", "iso-8859-8-i"),
        ("utf-7", None),
        ("iso-8859-12", None),
        ("", None),
    ],
)
def test_labels(label, name):
    charset = charset_of(label)
    assert (charset.name if charset else None) == name


def test_the_standard_has_40_encodings_and_228_labels():
    assert len(NAMES) == 40
    assert len(_CHARSETS) == 228
    assert all(charset_of(name).name == name for name in NAMES)


def test_holes_of_code_pages():
    # Windows' five open bytes of 1252 are controls; open bytes above 0x9F have no character.
    assert read(b"\x81\x8d\x8f\x90\x9d\x80", "latin1") == "\x81\x8d\x8f\x90\x9d€"
    assert read(b"\xd2\xaa\x81", "windows-1253") == "\ufffd\ufffd\x81"
    assert read(b"\xca\xd9", "windows-1255") == "\u05ba\ufffd"
    assert read(b"\xdb\x80\x81", "windows-874") == "\ufffd€\x81"
    assert read(b"\xa1", "iso-8859-6") == "\ufffd"
    assert read(bytes(range(0x80, 0xA0)), "iso-8859-2") == bytes(range(0x80, 0xA0)).decode("latin1")
    assert read(b"\xae\xbe", "koi8-u") == "ўЎ"
    assert read(b"\x80\xff", "x-user-defined") == "\uf780\uf7ff"
    assert read(b"\xb0\xff", "ibm866") == "░\xa0"
    assert read(b"\xdb", "macintosh") == "€"


@pytest.mark.parametrize("name", SINGLE_BYTE)
def test_one_byte_is_one_character(name):
    charset = charset_of(name)
    characters = characters_of(charset)
    assert len(characters) == 256
    assert characters[:128] == bytes(range(128)).decode()
    # No two bytes are one character, or text would not survive a round trip.
    known = characters.replace("\ufffd", "")
    assert len(set(known)) == len(known)
    if charset.codec:
        for byte, character in enumerate(characters):
            try:
                assert character == bytes([byte]).decode(charset.codec) or name == "koi8-u"
            except UnicodeDecodeError:
                assert character in {"\ufffd", chr(byte), "\u05ba"}


@pytest.mark.parametrize(
    ("label", "body", "text"),
    [
        ("gbk", b"\x80\xa3\xa0\xa8\xbc", "€\u3000ḿ"),
        ("gb18030", b"\x80\xa6\xd9\xfe\x59", "€\ufe10\u9fb4"),
        ("gb2312", b"\x81\x30\x81\x30", "\x80"),  # four bytes, in any of the three
        ("gbk", b"\x81<b>", "\ufffd<b>"),  # a lead byte must not eat a tag
        ("gbk", b"\xff.", "\ufffd."),
        ("big5", b"\xa1\x45\xa1\xc2\xa3\xe1\xa2\x46", "‧¯€￠"),
        ("big5", b"\xf9\xd6\x88\x62", "碁Ê̄"),
        ("big5", b"\x81<b>", "\ufffd<b>"),
        ("euc-jp", b"\xad\xa1\xad\xea\xa1\xc1\xa1\xdd\x8e\xb1", "①㈱～－ｱ"),
        ("euc-jp", b"\xf9\xfe\x8f\xb0\xa1", "德丂"),
        ("euc-jp", b"\x8f\xa1\xa1.", "\ufffd."),
        ("shift_jis", b"\x87\x40\x81\x60\xb1\x80\xa0", "①～ｱ\x80\ufffd"),
        ("shift_jis", b"\xf0\x40", "\ue000"),
        ("shift_jis", b"\x81<b>", "\ufffd<b>"),
        ("euc-kr", b"\xb0\xa1\x81\x41", "가갂"),
        ("euc-kr", b"\xfe\xa1", "\ufffd"),
        ("iso-2022-jp", b'a\x1b$B$"-!\x1b(Bb', "aあ①b"),
        ("iso-2022-jp", b"\x1b(J\\~\x1b(I1\x1b(B\\", "¥‾ｱ\\"),
        ("iso-2022-jp", b'\x1b$B$"\n', "あ\n"),
        ("iso-2022-jp", b"caf\xe9", "caf\ufffd"),
        ("utf-16le", b"a\0\x00\xd8b\0\xff", "a\ufffdb\ufffd"),
        ("iso-2022-kr", b"any bytes \xff", "\ufffd"),
        ("replacement", b"", ""),
    ],
)
def test_where_browsers_and_python_differ(label, body, text):
    assert read(body, label) == text


def test_ascii_is_ascii():
    text = "".join(map(chr, range(0x20, 0x7F))) + "\t\r\n"
    for name in set(NAMES) - {"utf-16le", "utf-16be", "replacement"}:
        assert read(text.encode(), name) == text, name


@given(st.binary(max_size=200), st.sampled_from(NAMES))
def test_any_bytes_give_text_that_can_be_encoded(body, name):
    read(body, name).encode()
