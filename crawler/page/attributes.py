"""The few attributes that are read outside of the scan, and character references in their values.

Source: HTML standard, sections 13.2.5.72 to 13.2.5.80. In an attribute a name without its semicolon
must be one of the old ones, whole, and no ``=`` may follow: ``?a=1&copy=2`` holds no copyright sign.
"""

from __future__ import annotations

import re
from html import unescape
from html.entities import html5
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_WRITTEN = re.compile(rb"""([^\s/=>"'][^\s/=>]*+)(?:\s*+=\s*+("[^"]*+"?|'[^']*+'?|[^\s>]++))?""")
_REFERENCE = re.compile(
    r"&(?:#[xX][0-9a-fA-F]++;?|#[0-9]++;?|[A-Za-z][A-Za-z0-9]*+(?:;|(?![A-Za-z0-9=])))"
)
# The longest numeric reference worth reading; int() of a longer one takes quadratic time.
_MAX_REFERENCE_CHARS = 12
_BLANK_CONTROLS = frozenset({0x0B, *range(0x1C, 0x20)})


def written_values(attributes: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the attributes of a tag: the name in small letters, the value as it is written, without quotes.

    >>> list(written_values(b" CLASS='a b' hidden"))
    [(b'class', b'a b'), (b'hidden', b'')]
    """
    for name, value in _WRITTEN.findall(attributes):
        quote = value[:1] if value.startswith((b'"', b"'")) else b""
        yield name.lower(), value.removeprefix(quote).removesuffix(quote)


def decoded(text: str) -> str:
    """Return *text* with its character references decoded."""
    if "&#" in text:
        text = _REFERENCE.sub(_blank_or_bounded, text)
    return unescape(text)


def decoded_value(value: str) -> str:
    """Return the *value* of an attribute with its character references decoded.

    >>> decoded_value("?a=1&amp;b=2&copy=3")
    '?a=1&b=2&copy=3'
    """
    return _REFERENCE.sub(_decoded_reference, value) if "&" in value else value


def _bounded(match: re.Match[str]) -> str:
    return match[0] if len(match[0]) <= _MAX_REFERENCE_CHARS or match[0][1] != "#" else "\ufffd"


def _blank_or_bounded(match: re.Match[str]) -> str:
    """Return a space for a control character that is white space in a text, which Python leaves out."""
    bounded = _bounded(match)
    is_numeric = bounded[:2] == "&#"
    return " " if is_numeric and _number(bounded) in _BLANK_CONTROLS else bounded


def _number(reference: str) -> int:
    digits = reference[2:].rstrip(";")
    return int(digits[1:], 16) if digits[0] in "xX" else int(digits)


def _decoded_reference(match: re.Match[str]) -> str:
    reference = match[0]
    if reference[1] == "#":
        bounded = _bounded(match)
        # Python leaves out control characters and noncharacters, which HTML's rules keep.
        return unescape(bounded) or chr(_number(bounded))
    return html5.get(reference[1:], reference)
