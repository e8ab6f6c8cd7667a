"""The character encodings of the sample web, honest and otherwise.

A host writes all its pages in one charset. What it says of it goes by *declared*: ``header``, ``meta``
or ``both`` name the true one, ``none`` says nothing, ``bom`` begins with a byte order mark, and
``wrong`` claims UTF-8 in a meta element for bytes that are not.
"""

from __future__ import annotations

from typing import NamedTuple


class Charset(NamedTuple):
    """*codec* is Python's name, *label* the one the web knows it by."""

    codec: str
    label: str
    declared: str


UTF8 = Charset("utf-8", "utf-8", "header")
_UTF8_META = Charset("utf-8", "utf-8", "meta")
_UTF8_SILENT = Charset("utf-8", "utf-8", "none")
_UTF16 = Charset("utf-16", "utf-16", "bom")
_SILENT_1252 = Charset("cp1252", "windows-1252", "none")
_WRONG = Charset("cp1252", "windows-1252", "wrong")
_LATIN1 = Charset("cp1252", "iso-8859-1", "meta")

# English says too little of its charset to be found out: its letters are the same in all of them.
_WESTERN = (_SILENT_1252, UTF8, _WRONG, _UTF8_META, _LATIN1, _UTF8_SILENT, _UTF16)
_OF_LANGUAGE = {
    "en": (UTF8, _UTF8_META, _LATIN1, _UTF16, _UTF8_SILENT),
    "de": _WESTERN,
    "es": _WESTERN[2:] + _WESTERN[:2],
    "fr": _WESTERN,
    "it": _WESTERN[3:] + _WESTERN[:3],
    "fi": _WESTERN,
    "ja": (
        Charset("cp932", "shift_jis", "meta"),
        UTF8,
        Charset("euc_jp", "euc-jp", "both"),
        Charset("cp932", "shift_jis", "none"),
    ),
    "zh": (Charset("gb18030", "gb18030", "header"), UTF8, Charset("gb18030", "gb2312", "meta")),
    "ru": (
        Charset("cp1251", "windows-1251", "header"),
        UTF8,
        Charset("koi8_r", "koi8-r", "meta"),
        _UTF16,
    ),
    "pl": (Charset("iso8859_2", "iso-8859-2", "meta"), UTF8, _UTF8_SILENT),
    "ar": (Charset("cp1256", "windows-1256", "meta"), UTF8, _UTF16),
    "tr": (Charset("cp1254", "windows-1254", "header"), UTF8),
}


def charset_of(language: str, turn: int) -> Charset:
    """Return the charset of a host of *language*; *turn* (0 or more) takes them in order."""
    options = _OF_LANGUAGE.get(language, (UTF8,))
    return options[turn % len(options)]


def encode(text: str, charset: Charset) -> bytes:
    """Encode a page; a letter that *charset* lacks becomes a character reference."""
    return text.encode(charset.codec, "xmlcharrefreplace")


def content_type(charset: Charset, media_type: str = "text/html") -> str:
    """Return the Content-Type header that a host with *charset* sends."""
    if charset.declared in ("header", "both"):
        return f"{media_type}; charset={charset.label}"
    return media_type


def meta_element(charset: Charset) -> str:
    """Return the meta element of a host with *charset*, empty when it has none."""
    if charset.declared in ("meta", "both"):
        return f'<meta http-equiv="Content-Type" content="text/html; charset={charset.label}">\n'
    return '<meta charset="utf-8">\n' if charset.declared == "wrong" else ""
