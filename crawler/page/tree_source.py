"""The source of a page as libxml2 is given it: what would stop it or take it too long is changed.

Left out: control characters, which are no text and which a tree may not hold; the attributes of a
tag beyond the first 256, as each costs time in proportion to those before; and the end tags of
``html``, as libxml2 drops what follows them. A comment that has no end is ended by ``>``, as in the
scan: else it would take the rest of the page.

Cost: O(n).
"""

from __future__ import annotations

import re

# Measured with libxml2 2.14: 1,000 attributes of one tag take 10 ms, 100,000 take 100 s.
MAX_ATTRIBUTES = 256
_MIN_ATTRIBUTE_BYTES = 2

# Whitespace to XML is only tab, line feed, return and space.
_TO_SPACE = bytes.maketrans(b"\x0b\x0c\x1c\x1d\x1e\x1f", b" " * 6)
_CONTROLS = bytes((*range(9), *range(0x0E, 0x1C), 0x7F))

_ATTRIBUTE = rb"""[^\s/>][^\s/>=]*+(?>(?:\s*+=\s*+(?:"[^"]*+"?|'[^']*+'?|[^\s>"'][^\s>]*+)?)?)"""
_ATTRIBUTES = re.compile(rb"[\s/]*+" + _ATTRIBUTE)
# A comment; the end of the document; or a tag and its attributes, of raw text with this text
# (HTML standard, section 13.2.5).
_TAG = re.compile(
    rb"<(?:!--.*?(?:-->|\Z)|(?P<end>/html(?=[\s/>])[^>]*+>?)"
    rb"|(?:(?P<raw>script|style|textarea|title|xmp|iframe|noembed|noframes)(?=[\s/>])"
    rb"|[a-z][^\s/>]*+)(?P<attributes>(?>(?:[\s/]++|" + _ATTRIBUTE + rb")*))"
    rb"(?(raw)(?>(?:>.*?(?:</(?P=raw)(?=[\s/>])|\Z))?)))",
    re.DOTALL | re.IGNORECASE,
)


def with_ended_comments(source: bytes) -> bytes:
    """Return *source*, at the same length, with a comment that has no end made to end at ``>``.

    >>> with_ended_comments(b"<!-- a --> b <!-- c > d")
    b'<!-- a --> b <!-  c > d'
    """
    last_end = max(source.rfind(b"-->"), source.rfind(b"--!>"), 0)
    if source.find(b"<!--", last_end) < 0:
        return source
    return source[:last_end] + source[last_end:].replace(b"<!--", b"<!- ")


def parseable(source: bytes) -> bytes:
    """Return *source* without what the module names.

    >>> parseable(b"<p a=1>b</html> c"), parseable(b"<p" + 999 * b" a" + b">b").count(b"a")
    (b'<p a=1>b c', 256)
    """
    source = source.translate(_TO_SPACE, _CONTROLS)
    kept = []
    done = 0
    for match in _TAG.finditer(source):
        start, end = match.span("attributes")
        if match["end"] is not None:
            start, end = match.span()
        elif end - start > _MIN_ATTRIBUTE_BYTES * MAX_ATTRIBUTES:
            start = _end_of_attributes(source, start, end)
        else:
            continue
        kept.append(source[done:start])
        done = end
    return b"".join((*kept, source[done:])) if done else source


def _end_of_attributes(source: bytes, start: int, end: int) -> int:
    """Return the end of the last attribute that is kept."""
    # One after the other: a search would look through what is none again and again.
    for _ in range(MAX_ATTRIBUTES):
        attribute = _ATTRIBUTES.match(source, start, end)
        if attribute is None:
            break
        start = attribute.end()
    return start
