"""From the bytes of a page to its text: which encoding, and where that was said.

Order: byte order mark, HTTP header, meta prescan (HTML standard, section 13.2.3.2), then a guess:
UTF-8 if the bytes are valid UTF-8, else what faust-cchardet says, else windows-1252.

A declaration is not believed, and the guess taken instead, in two cases. The bytes are valid UTF-8
with several multi-byte characters though something else is declared: no other encoding's text looks
like that. Or more characters were replaced than non-ASCII ones were decoded, and the guess replaces
fewer: a page with a few damaged characters keeps its declared encoding.

Cost: O(n). Invariant: never raises, and the text holds no lone surrogates.
"""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

import cchardet

from crawler.page.attributes import attributes_of
from crawler.page.charsets import (
    ISO_2022_JP,
    UTF_8,
    UTF_16_BE,
    UTF_16_LE,
    WINDOWS_1252,
    Charset,
    charset_of,
)

# Bytes searched for a meta declaration. The standard's prescan reads 1,024 and browsers start again
# on a later one; the longer prescan finds both.
PRESCAN_BYTES = 8192
# Bytes that the statistical guess sees, from shortly before the first non-ASCII one on.
GUESS_BYTES = 1 << 16
# Multi-byte sequences that make valid UTF-8 certain against another declaration. Eight characters
# of Chinese in GBK are all valid UTF-8 with a chance of about one in a million.
MIN_UTF8_SEQUENCES = 8

_BOMS = ((b"\xef\xbb\xbf", UTF_8), (b"\xff\xfe", UTF_16_LE), (b"\xfe\xff", UTF_16_BE))
_HEADER_CHARSET = re.compile(r"""charset\s*=\s*["']?([^\s"';,]+)""", re.IGNORECASE)
_PRESCAN = re.compile(
    rb"<!--.*?(?:-->|\Z)|<[mM][eE][tT][aA][\s/]([^>]*+)(?:>|\Z)|<[!/?A-Za-z][^>]*+(?:>|\Z)",
    re.DOTALL,
)
_XML_ENCODING = re.compile(rb"""\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([^"'>]+)["']""")
_NON_ASCII = re.compile(rb"[\x80-\xff]")
_UTF8_LEAD = re.compile(rb"[\xc2-\xf4]")


class Decoded(NamedTuple):
    """The text of a page; *source* is bom, header, meta, guess or default."""

    text: str
    charset: str
    source: str
    replacement_share: float


def decode(body: bytes, *, content_type: str | None = None, is_html: bool = True) -> Decoded:
    """Decode *body* as the module says; *content_type* is the HTTP header with its parameters."""
    charset, source = _declared(body, content_type=content_type, is_html=is_html)
    if charset is None:
        charset, source = _guess(body)
        return _result(_text(body, charset), charset, source)
    text = _text(body, charset)
    if source != "bom" and _contradicted(body, text, charset):
        guess, _ = _guess(body)
        guessed_text = _text(body, guess)
        if guess is UTF_8 or _n_replaced(guessed_text) < _n_replaced(text):
            return _result(guessed_text, guess, "guess")
    return _result(text, charset, source)


def _result(text: str, charset: Charset, source: str) -> Decoded:
    share = _n_replaced(text) / len(text) if text else 0.0
    return Decoded(text, charset.name, source, share)


def _n_replaced(text: str) -> int:
    # Measured: the look-up costs a quarter of the count, and most pages have none.
    return text.count("\ufffd") if "\ufffd" in text else 0


def _text(body: bytes, charset: Charset) -> str:
    text = body.decode(charset.codec, "replace")
    return text.removeprefix("\ufeff")


def _declared(
    body: bytes, *, content_type: str | None, is_html: bool
) -> tuple[Charset | None, str]:
    for mark, charset in _BOMS:
        if body.startswith(mark):
            return charset, "bom"
    match = _HEADER_CHARSET.search(content_type or "")
    declared = charset_of(match[1]) if match else None
    if declared is not None:
        return declared, "header"
    return (prescan(body[:PRESCAN_BYTES]) if is_html else None), "meta"


def prescan(head: bytes) -> Charset | None:
    """Return what the first valid meta declaration in *head* says, else its XML declaration."""
    for match in _PRESCAN.finditer(head):
        if match[1] is None:
            continue
        attributes = attributes_of(match[1].decode("latin-1"))
        label = attributes.get("charset")
        if label is None and attributes.get("http-equiv", "").lower() == "content-type":
            found = _HEADER_CHARSET.search(attributes.get("content", ""))
            label = found[1] if found else None
        charset = charset_of(label) if label else None
        if charset is not None:
            return _readable(charset)
    xml = _XML_ENCODING.match(head)
    charset = charset_of(xml[1].decode("latin-1")) if xml else None
    return None if charset is None else _readable(charset)


def _readable(charset: Charset) -> Charset:
    # What could be read as ASCII is not UTF-16, whatever it says (HTML standard, prescan).
    return UTF_8 if charset in {UTF_16_LE, UTF_16_BE} else charset


def _contradicted(body: bytes, text: str, charset: Charset) -> bool:
    if charset in {UTF_16_LE, UTF_16_BE}:
        return b"\0" not in body
    n_replaced = _n_replaced(text)
    if n_replaced:
        n_ascii = len(text.encode("ascii", "ignore"))
        if 2 * n_replaced > len(text) - n_ascii:
            return True
    return charset is not UTF_8 and _is_certainly_utf8(body)


def _is_certainly_utf8(body: bytes) -> bool:
    if body.isascii() or not _is_utf8(body):
        return False
    leads = _UTF8_LEAD.finditer(body)
    return sum(1 for _, _ in zip(range(MIN_UTF8_SEQUENCES), leads, strict=False)) == (
        MIN_UTF8_SEQUENCES
    )


def _is_utf8(body: bytes) -> bool:
    try:
        # Not final: a page may have been cut within its last character.
        codecs.utf_8_decode(body, "strict", False)
    except UnicodeDecodeError:
        return False
    return True


def _guess(body: bytes) -> tuple[Charset, str]:
    if body[:1] == b"<" and body[1:2] == b"\0":
        return UTF_16_LE, "guess"
    if body[:2] == b"\0<":
        return UTF_16_BE, "guess"
    if body.isascii():
        return (ISO_2022_JP, "guess") if b"\x1b$" in body else (UTF_8, "default")
    if _is_utf8(body):
        return UTF_8, "guess"
    first = _NON_ASCII.search(body)
    start = max(0, first.start() - 256) if first else 0
    detected = cchardet.detect(body[start : start + GUESS_BYTES]).get("encoding")
    charset = charset_of(detected) if detected else None
    return (WINDOWS_1252, "default") if charset in {None, UTF_8} else (charset, "guess")
