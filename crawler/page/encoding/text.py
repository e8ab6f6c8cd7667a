"""From the bytes of a page to its text: which encoding, and where that was said.

Order: byte order mark, HTTP header, meta prescan (:mod:`crawler.page.encoding.prescan`), then a guess:
UTF-16 by its high bytes, ISO-2022-JP by its escapes, UTF-8 if most sequences are valid, else the
most plausible reading (:mod:`crawler.page.encoding.guess`); ASCII is UTF-8 by default.

A declaration is not believed, and the guess taken instead, where the bytes contradict it:

- ISO-2022-JP escapes, or valid UTF-8 with several sequences of more than one byte, though something
  else is declared: no other encoding's text looks like that;
- UTF-16 without a zero byte, if it is no Chinese either;
- an ISO-8859 encoding with bytes that are controls there, and signs or letters in Windows' encoding
  of the same languages, if the guess is that one, or nothing else is beyond ASCII: browsers show
  nothing for such bytes, which in Slovene and Czech are š and ž;
- the encoding of the header, where the page names another one that reads it as the guess does: servers say
  ISO-8859-1 of pages whose authors knew better. Few bytes leave the guess at windows-1252, so that one
  takes more of them; UTF-8 takes one sequence;
- an encoding of Latin script with rows of bytes that no word of it has, if the guess is one of
  another script: editors named ISO-8859-1 in whatever they wrote;
- an encoding of Chinese, Japanese or Korean that reads rare characters, or none, if the guess is another
  one that reads common ones;
- UTF-8 with more invalid sequences than valid ones, or another encoding with more U+FFFD than half
  of what is not ASCII, if the guess reads plausible text. Few damaged characters overrule nothing
  but in favour of windows-1252, the encoding of most pages that are wrong about UTF-8.

Else what cannot be decoded is U+FFFD and its share is reported. A mark is always believed.

Cost: O(n); valid UTF-8 is looked at, not decoded. Invariant: never raises, and the result is valid
UTF-8 (no lone surrogates).
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from crawler.page.encoding.charsets import (
    ISO_2022_JP,
    REPLACEMENT,
    UTF_8,
    UTF_16_BE,
    UTF_16_LE,
    WINDOWS_1252,
    WINDOWS_OF,
    Charset,
)
from crawler.page.encoding.decoders import is_wide, text_of
from crawler.page.encoding.guess import MAX_PAIRS, MAX_PLAUSIBLE_COST, guess, other_script
from crawler.page.encoding.guess_wide import utf_16_cost
from crawler.page.encoding.prescan import charset_in, prescan

if TYPE_CHECKING:
    from crawler.page.encoding.utf8 import Census

# Bytes searched for a meta declaration. The standard's prescan reads 1,024 and browsers start again
# on a later one; the longer prescan finds both. It goes on only in pages that are not UTF-8.
PRESCAN_BYTES = 8192
LATE_PRESCAN_BYTES = 1 << 16
# Sequences that make valid UTF-8 certain against another declaration. Eight characters of Chinese
# in GBK are all valid UTF-8 with a chance of about one in a million; in encodings of one byte a
# character a capital would be followed by a sign three times.
MIN_WIDE_SEQUENCES = 8
MIN_SEQUENCES = 3
# Valid sequences for each invalid one in UTF-8 that somebody pasted other bytes into. Measured in
# any other encoding's texts (EUC-JP): at most 0.4.
MIN_VALID_SHARE = 4
# Invalid sequences from which on a declaration of UTF-8 gives way to any plausible guess; fewer
# give way to windows-1252 at this cost. Measured on pages of 1997: 7 to 7.6 in names and loan words.
MIN_INVALID = 4
MAX_SURE_COST = 8.0
# Different pairs from which on a guess of windows-1252 says something. Measured on words of other
# languages under headers that were right: one to four were read as windows-1252, though they were not.
MIN_PLAIN_PAIRS = 6

_BOMS = ((b"\xef\xbb\xbf", UTF_8), (b"\xff\xfe", UTF_16_LE), (b"\xfe\xff", UTF_16_BE))
_MIN_ASCII_ZEROS = 0.6
_UTF_16 = frozenset({UTF_16_LE, UTF_16_BE})
_JAPANESE_ESCAPES = re.compile(rb"\x1b\$[@B](?>(?:[\x21-\x7e]{2})+)\x1b\([BJ]")
_CONTROLS = re.compile(rb"[\x80-\x9f]")
_BEYOND_CONTROLS = re.compile(rb"[\xa0-\xff]")
_PAIR = re.compile(rb"(?s)[\x80-\xff].")
_MAX_HEADER_CHARS = 1000
_COMMA_TO_SEMICOLON = bytes.maketrans(b",", b";")
# The high bytes of UTF-16: of ASCII, of Greek, Cyrillic, Hebrew, Arabic, Thai, kana; and the least
# share of the characters that they are in any text or page of such letters.
_HIGH_BYTES = ((0x00, 0.04), *((high, 0.3) for high in (0x03, 0x04, 0x05, 0x06, 0x0E, 0x30)))


class Decoded(NamedTuple):
    """The text of a page as valid UTF-8; *source* is bom, header, meta, guess or default.

    *replacement_share* is the share of U+FFFD among the characters of the text.
    """

    utf8: bytes
    charset: str
    source: str
    replacement_share: float

    @property
    def text(self) -> str:
        """The text as a string."""
        return self.utf8.decode()


def decode(body: bytes, *, content_type: str | None = None, is_html: bool = True) -> Decoded:
    """Decode *body* as the module says; *content_type* is the HTTP header with its parameters.

    Valid UTF-8 comes back as the same object, or as what follows its mark.
    """
    for mark, charset in _BOMS:
        if body.startswith(mark):
            return _as(body[len(mark) :], charset, "bom")
    declared, source = _declared(body, content_type=content_type, is_html=is_html)
    if body.isascii():
        return _ascii(body, declared, source)
    if declared is None:
        return _undeclared(body, is_html=is_html)
    if source == "header" and is_html and declared is not UTF_8:
        named = prescan(body[:PRESCAN_BYTES])
        if named is not None and named is not declared and _is_best(body, named, declared):
            return _as(body, named, "meta")
    return _believed(body, declared, source)


def _declared(
    body: bytes, *, content_type: str | None, is_html: bool
) -> tuple[Charset | None, str]:
    if content_type:
        value = content_type[:_MAX_HEADER_CHARS].encode("latin-1", "replace")
        # Servers quote by halves, and some send the header twice.
        charset = charset_in(value.translate(_COMMA_TO_SEMICOLON, b"\"'"))
        if charset is not None:
            return charset, "header"
    return (prescan(body[:PRESCAN_BYTES]) if is_html else None), "meta"


def _ascii(body: bytes, declared: Charset | None, source: str) -> Decoded:
    if declared is REPLACEMENT:
        return _as(body, declared, source)
    wide = _utf_16_of(body, is_ascii=True)
    if wide is None and declared in _UTF_16 and _utf_16_of(body) is declared:
        wide = declared  # all bytes of Hindi are ASCII, few of them zeros
    if wide is not None:
        return _as(body, wide, source if declared is wide else "guess")
    if declared is ISO_2022_JP:
        return _as(body, declared, source)
    # Measured: one byte is found thirty times as fast as two.
    if b"\x1b" in body and _JAPANESE_ESCAPES.search(body):
        return _as(body, ISO_2022_JP, "guess")
    if declared in _UTF_16:
        return Decoded(body, UTF_8.name, "guess", 0.0)
    if declared is None:
        return Decoded(body, UTF_8.name, "default", 0.0)
    return Decoded(body, declared.name, source, 0.0)


def _undeclared(body: bytes, *, is_html: bool) -> Decoded:
    charset = _utf_16_of(body)
    if charset is not None:
        return _as(body, charset, "guess")
    counted = _census(body)
    if _is_mostly_utf8(counted):
        return _as_utf8(body, counted, "guess")
    if is_html and len(body) > PRESCAN_BYTES:
        charset = prescan(body[:LATE_PRESCAN_BYTES])
        if charset is not None:
            return _believed(body, charset, "meta")
    found = guess(body)
    if found.cost > MAX_PLAUSIBLE_COST:
        return _as(body, WINDOWS_1252, "default")
    return _as(body, found.charset, "guess")


def _believed(body: bytes, declared: Charset, source: str) -> Decoded:
    """Decode *body*, which is not ASCII, as *declared* unless it contradicts that."""
    if declared in _UTF_16:
        if _is_utf_16(body, declared):
            return _as(body, declared, source)
        return _undeclared(body, is_html=False)
    counted = _census(body)
    if declared is UTF_8:
        better = _instead_of_utf8(body, counted)
        return _as_utf8(body, counted, source) if better is None else _as(body, better, "guess")
    if _is_certainly_utf8(counted, declared):
        return _as_utf8(body, counted, "guess")
    if (other := _instead_of_one_byte(body, declared)) is not None:
        return _as(body, other, "guess")
    found = _as(body, declared, source)
    if found.replacement_share and declared is not REPLACEMENT and _is_mostly_replaced(found):
        guessed = _undeclared(body, is_html=False)
        if guessed.replacement_share < found.replacement_share:
            return guessed
    return found


def _instead_of_utf8(body: bytes, counted: Census) -> Charset | None:
    n_invalid = counted.n_errors - counted.is_cut
    if n_invalid <= counted.n_multi:
        return None
    found = guess(body)
    if n_invalid < MIN_INVALID:
        # Sequences without their end are damage: windows-1252 has no use for most of them.
        if counted.n_partial == counted.n_errors:
            return None
        is_better = found.charset is WINDOWS_1252 and found.cost < MAX_SURE_COST
    else:
        is_better = found.cost < MAX_PLAUSIBLE_COST
    return found.charset if is_better else None


def _is_best(body: bytes, named: Charset, declared: Charset) -> bool:
    """Tell whether *named* reads *body* as the guess does: all letters of Hungarian are one in two encodings."""
    if named is UTF_8:
        return not is_wide(declared) and _is_mostly_utf8(_census(body))
    if named is WINDOWS_1252:
        pairs = {pair[0] for pair in islice(_PAIR.finditer(body), MAX_PAIRS)}
        if len(pairs) < MIN_PLAIN_PAIRS:
            return False
    return text_of(body, guess(body).charset) == text_of(body, named)


def _is_mostly_utf8(counted: Census) -> bool:
    n_invalid = counted.n_errors - counted.is_cut
    return counted.n_multi > 0 and counted.n_multi >= MIN_VALID_SHARE * n_invalid


def _is_certainly_utf8(counted: Census, declared: Charset) -> bool:
    least = MIN_WIDE_SEQUENCES if is_wide(declared) else MIN_SEQUENCES
    return counted.n_multi >= least and _is_mostly_utf8(counted)


def _instead_of_one_byte(body: bytes, declared: Charset) -> Charset | None:
    windows = WINDOWS_OF.get(declared)
    if windows is None or not _CONTROLS.search(body):
        return other_script(body, declared)
    if not _BEYOND_CONTROLS.search(body) or guess(body).charset is windows:
        return windows
    return other_script(body, declared)


def _is_mostly_replaced(found: Decoded) -> bool:
    text = found.text
    n_ascii = len(text.encode("ascii", "ignore"))
    return 2 * text.count("\ufffd") > len(text) - n_ascii


def _utf_16_of(body: bytes, *, is_ascii: bool = False) -> Charset | None:
    """Return the UTF-16 whose high bytes stand at each second place, None if there are none.

    In ASCII a high byte that is a digit is a digit, and a few zeros are there by mistake.
    """
    head = body[:2048]
    first, second = head[::2], head[1::2]
    for high, share in _HIGH_BYTES:
        if is_ascii and high >= 0x20:
            continue
        least_share = max(share, _MIN_ASCII_ZEROS) if is_ascii and not high else share
        n_first, n_second = first.count(high), second.count(high)
        # Some text has zeros by mistake; these do not keep to even or odd places.
        if max(n_first, n_second) >= max(2, least_share * len(first), 10 * min(n_first, n_second)):
            return UTF_16_BE if n_first > n_second else UTF_16_LE
    return None


def _is_utf_16(body: bytes, declared: Charset) -> bool:
    if b"\0" in body or _utf_16_of(body) is declared:
        return True
    # Chinese without a space or mark in ASCII.
    head = text_of(body[:2048], declared)
    return utf_16_cost(head) < MAX_PLAUSIBLE_COST


def _as(body: bytes, charset: Charset, source: str) -> Decoded:
    if charset is UTF_8:
        return _as_utf8(body, _census(body), source)
    text = text_of(body, charset).removeprefix("\ufeff")
    # Measured: the look-up costs a quarter of the count, and most pages have none.
    n_replaced = text.count("\ufffd") if "\ufffd" in text else 0
    share = n_replaced / len(text) if text else 0.0
    return Decoded(text.encode(), charset.name, source, share)


def _as_utf8(body: bytes, counted: Census, source: str) -> Decoded:
    n_replaced = counted.n_errors + counted.n_marks
    share = n_replaced / counted.n_characters if n_replaced else 0.0
    if counted.n_errors:
        body = body.decode("utf-8", "replace").encode()
    return Decoded(body, UTF_8.name, source, share)


def _census(body: bytes) -> Census:
    # What needs no kernel imports none: an ASCII page, and whoever only imports this module.
    from crawler.page.encoding.utf8 import census

    return census(body)
