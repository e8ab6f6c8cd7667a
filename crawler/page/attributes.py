"""Attributes of a start tag, and character references in them and in text.

Source: HTML standard, sections 13.2.5.32 to 13.2.5.40 (attributes) and 13.2.5.72 to 13.2.5.80
(character references). A value whose closing quote is missing ends at whitespace.
"""

from __future__ import annotations

import re
from html import unescape
from html.entities import html5

# The first of equal names counts. A quote opens a value only after "=".
_ATTRIBUTE = re.compile(
    r"""([^\s=/>][^\s=/>]*+)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>]++)))?"""
)
_REFERENCE = re.compile(
    r"&(?:#[xX][0-9a-fA-F]++;?|#[0-9]++;?|[A-Za-z][A-Za-z0-9]*+(?:;|(?![A-Za-z0-9=])))"
)
# The longest numeric reference worth reading; int() of a longer one takes quadratic time.
_MAX_REFERENCE_CHARS = 12


def attributes_of(source: str) -> dict[str, str]:
    """Return names (lower-case) and values (references decoded) of the attributes in *source*.

    >>> attributes_of(' HREF="?a=1&amp;b=2&copy=3" rel=nofollow checked')
    {'href': '?a=1&b=2&copy=3', 'rel': 'nofollow', 'checked': ''}
    """
    found: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(source):
        value = double or single or bare
        found.setdefault(name.lower(), _decoded_value(value) if "&" in value else value)
    return found


def decoded(text: str) -> str:
    """Return *text* with its character references decoded."""
    if "&#" in text:
        text = _REFERENCE.sub(_bounded, text)
    return unescape(text)


def _bounded(match: re.Match[str]) -> str:
    return match[0] if len(match[0]) <= _MAX_REFERENCE_CHARS or match[0][1] != "#" else "\ufffd"


def _decoded_value(value: str) -> str:
    return _REFERENCE.sub(_decoded_reference, value)


def _decoded_reference(match: re.Match[str]) -> str:
    # Without its semicolon a name must be one of the old ones, whole, and no "=" may follow:
    # "?a=1&copy=2" holds no copyright sign.
    reference = match[0]
    if reference[1] == "#":
        return unescape(_bounded(match))
    return html5.get(reference[1:], reference)
