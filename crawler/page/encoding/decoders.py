"""The text of bytes in a known encoding, as browsers read it.

Source: WHATWG encoding standard, sections 5 (indexes), 8 to 14 (decoders). Where Python's codecs
differ from the standard's decoders we follow the standard:

- one byte each: bytes 0x80 to 0x9F that a code page leaves open are C1 controls, other open bytes
  are U+FFFD; KOI8-U has the Belarusian short u, windows-1255 holam haser; x-user-defined is
  U+F780 and on;
- GBK and gb18030 are one decoder, in which 0x80 is the euro sign, 0xA3A0 an ideographic space, and
  18 characters are those of GB 18030-2022;
- Big5 is Big5 with the Hong Kong characters and the code page's euro sign and compatibility forms;
- EUC-JP and ISO-2022-JP have the code page's rows (NEC's and IBM's: circled digits, unit signs)
  and its compatibility forms (the full-width tilde for the wave dash);
- a byte pair that means nothing is one U+FFFD, but an ASCII byte in it is kept as it is;
- the "replacement" encodings are one U+FFFD for the whole page.

Not followed: about 190 rare characters of Big5 that Python lacks are U+FFFD, Big5 0xA241 and 0xA242
are the full-width slashes, and EUC-JP 0x8FA2B7 is the ASCII tilde.

Cost: O(n). Never raises; the text holds no lone surrogates.
"""

from __future__ import annotations

import codecs
import re
from functools import cache
from typing import TYPE_CHECKING

from crawler.page.encoding.charsets import ISO_2022_JP, REPLACEMENT, X_USER_DEFINED

if TYPE_CHECKING:
    from crawler.page.encoding.charsets import Charset

_BYTES = bytes(range(256))
_OVERRIDES = {
    "koi8-u": {0xAE: "ў", 0xBE: "Ў"},
    "windows-1255": {0xCA: "\u05ba"},
}
_GB_18030_2022 = dict(
    zip(
        "\ue5e5\ue7c7\ue78d\ue78e\ue78f\ue790\ue791\ue792\ue793\ue794\ue795\ue796"
        "\ue81e\ue826\ue82b\ue82c\ue832\ue843\ue854\ue864",
        "\u3000\u1e3f\ufe10\ufe12\ufe11\ufe13\ufe14\ufe15\ufe16\ufe17\ufe18\ufe19"
        "\u9fb4\u9fb5\u9fb6\u9fb7\u9fb8\u9fb9\u9fba\u9fbb",
        strict=True,
    )
)
_JAPANESE = dict(zip("〜‖−¢£¬", "～∥－￠￡￢", strict=True))
# A longer page in which more of the first characters than this are errors is noise, and is decoded
# with Python's own replacement.
MANY_BYTES, MAX_ERROR_SHARE = 1 << 18, 0.05
# Escapes of ISO-2022-JP obeyed; a long page of much Japanese has a tenth of them.
MAX_ESCAPES = 100_000
# What to put in place of characters of Python's codec, after decoding.
_MENDED: dict[str, dict[str, str]] = {
    "gb18030": _GB_18030_2022,
    "big5hkscs": dict(zip("•､‾∼♁☉¥¢£", "‧﹑¯～⊕⊙￥￠￡", strict=True)),
    "euc-jp": _JAPANESE,
    "cp932": dict.fromkeys("\xa0\uf8f0\uf8f1\uf8f2\uf8f3", "\ufffd"),
}
_RAISED = bytes(byte | 0x80 if 0x21 <= byte <= 0x7E else byte for byte in _BYTES)
_HALF_WIDTH = "".join(
    chr(0xFF40 + byte) if 0x21 <= byte <= 0x5F else chr(byte) if byte in b"\t\n\r " else "\ufffd"
    for byte in _BYTES
)
_ESCAPE = re.compile(rb"\x1b(\([BJI]|\$[@B])")


def text_of(body: bytes, charset: Charset) -> str:
    r"""Decode *body*; what cannot be decoded is U+FFFD, and a byte order mark is not looked for.

    >>> from crawler.page.encoding.charsets import charset_of
    >>> text_of(b"\x80 2", charset_of("gb2312")), text_of(b"\xad\xa1", charset_of("euc-jp"))
    ('€ 2', '①')
    """
    codec = charset.codec
    if charset is REPLACEMENT:
        return "\ufffd" if body else ""
    if charset is ISO_2022_JP:
        return _iso_2022_jp(body)
    if codec in _MULTI_BYTE:
        return _mended(_wide_text(body, codec), codec)
    if codec.startswith("utf-"):
        return body.decode(codec, "replace")
    return codecs.charmap_decode(body, "replace", characters_of(charset))[0]


def _wide_text(body: bytes, codec: str) -> str:
    head = body[:MANY_BYTES].decode(codec, "replace") if len(body) > MANY_BYTES else ""
    # Our handlers take a microsecond an error, and megabytes of noise are no text.
    is_noise = head.count("\ufffd") > MAX_ERROR_SHARE * len(head)
    return body.decode(codec, "replace" if is_noise else _MULTI_BYTE[codec])


def is_wide(charset: Charset) -> bool:
    """Tell whether characters of *charset* take several bytes that may look like UTF-8."""
    return charset.codec in _MULTI_BYTE


@cache
def characters_of(charset: Charset) -> str:
    """Return the 256 characters of a *charset* of one byte each; U+FFFD where it has none."""
    if charset is X_USER_DEFINED:
        return "".join(chr(b if b < 0x80 else 0xF700 + b) for b in _BYTES)
    characters = list(codecs.charmap_decode(_BYTES, "replace", _python_table(charset.codec))[0])
    for byte in range(0x80, 0xA0):
        if characters[byte] == "\ufffd":
            characters[byte] = chr(byte)
    for byte, character in _OVERRIDES.get(charset.name, {}).items():
        characters[byte] = character
    return "".join(characters)


def _python_table(codec: str) -> str:
    return "".join(bytes([byte]).decode(codec, "replace") for byte in _BYTES)


@cache
def _mending(codec: str) -> tuple[re.Pattern[str], dict[int, str]]:
    mended = _MENDED[codec]
    return re.compile(f"[{''.join(mended)}]"), str.maketrans(mended)


def _mended(text: str, codec: str) -> str:
    if codec not in _MENDED:
        return text
    wanted, table = _mending(codec)
    return text.translate(table) if wanted.search(text) else text


def _iso_2022_jp(body: bytes) -> str:
    pieces = _ESCAPE.split(body, MAX_ESCAPES)
    texts = [_plain(pieces[0])]
    for escape, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        if escape.startswith(b"$"):
            texts.append(_jis_0208(piece))
        elif escape == b"(I":
            texts.append(codecs.charmap_decode(piece, "replace", _HALF_WIDTH)[0])
        elif escape == b"(J":
            texts.append(_plain(piece).replace("\\", "¥").replace("~", "‾"))
        else:
            texts.append(_plain(piece))
    return "".join(texts)


def _plain(piece: bytes) -> str:
    return piece.decode("ascii", "replace")


def _jis_0208(piece: bytes) -> str:
    # The same rows and cells as EUC-JP, with the high bit off. Lines end within text that forgot
    # to go back to ASCII.
    return _mended(_wide_text(piece.translate(_RAISED), "euc-jp"), "euc-jp")


def _error(codec: str, lead: range, known: dict[bytes, str]) -> str:
    """Register an error handler for *codec*, whose pairs begin in *lead*; return its name."""

    def handle(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)  # it is used for nothing else
        body, start = error.object, error.start
        first, pair = body[start : start + 1], body[start : start + 2]
        if first in known:
            return known[first], start + 1
        if len(pair) < 2 or pair[0] not in lead or pair[1] < 0x80:
            return "\ufffd", start + 1
        if codec == "euc-jp":
            return _code_page_row(body, start)
        return known.get(pair, "\ufffd"), start + 2

    name = f"winnow-{codec}"
    codecs.register_error(name, handle)
    return name


def _code_page_row(body: bytes, start: int) -> tuple[str, int]:
    """Read one character of EUC-JP in the code page's rows, which Python's EUC-JP lacks."""
    row, cell = body[start] - 0xA1, body[start + 1] - 0xA1
    if body[start] == 0x8F:
        # The third set takes three bytes.
        return "\ufffd", start + (2 if body[start + 2 : start + 3].isascii() else 3)
    if row < 0 or not 0 <= cell < 94:
        return "\ufffd", start + 2
    first = row // 2 + (0x81 if row < 62 else 0xC1)
    second = cell + 0x9F if row % 2 else cell + (0x40 if cell < 63 else 0x41)
    text = bytes([first, second]).decode("cp932", "replace")
    # The code page's areas for private characters are open in EUC-JP.
    is_known = len(text) == 1 and not "\ue000" <= text <= "\uf8ff"
    return text if is_known else "\ufffd", start + 2


_MULTI_BYTE = {
    "gb18030": _error("gb18030", range(0x81, 0xFF), {b"\x80": "€"}),
    "big5hkscs": _error("big5hkscs", range(0x81, 0xFF), {b"\xa3\xe1": "€"}),
    "euc-jp": _error("euc-jp", range(0x8E, 0xFF), {}),
    "cp949": _error("cp949", range(0x81, 0xFF), {}),
    "cp932": _error("cp932", range(0x81, 0xFD), {}),
}
