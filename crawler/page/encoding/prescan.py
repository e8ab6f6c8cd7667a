"""The encoding that a page declares in its own first bytes.

Source: HTML standard, section 13.2.3.2 ("prescan a byte stream to determine its encoding", "get an
attribute", "get an XML encoding") and section 2.5.4 ("extracting a character encoding from a meta
element"). The first meta element that names a known encoding counts; comments and the attributes
of other tags hide what they hold; the XML declaration comes after the metas. What could be read
as ASCII is not UTF-16, so UTF-16 means UTF-8 here, and x-user-defined means windows-1252.

Cost: O(n), at most two looks for "charset", and one or two regular expression steps a tag up to the
last one, in at most two passes.
"""

from __future__ import annotations

import re

from crawler.page.encoding.charsets import (
    UTF_8,
    UTF_16_BE,
    UTF_16_LE,
    WINDOWS_1252,
    X_USER_DEFINED,
    Charset,
    charset_of,
)

# "Get an attribute", its name and its value bare or in either quotes; a quote without its end
# takes the rest, and then no attribute and no tag is complete. Atomic: linear in any input. Python
# before 3.11.5 takes possessive groups wrongly.
_ATTRIBUTE = (
    rb"[\t\n\f\r /]*+([^\t\n\f\r />][^\t\n\f\r />=]*+)"
    rb"(?>(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+"
    rb"""(?:"([^"]*+)(?:"|\Z)|'([^']*+)(?:'|\Z)|([^\t\n\f\r >"'][^\t\n\f\r >]*+)?))?)"""
)
_ATTRIBUTES = re.compile(_ATTRIBUTE)
_TAG = re.compile(
    # A comment may end with the dashes that it begins with.
    rb"<!--(?:(?<=--)>|.*?(?:-->|\Z))"
    rb"|<meta[\t\n\f\r /]((?>(?:%(attribute)s)*))[\t\n\f\r /]*+(>|\Z)"
    rb"|</?[a-z][^\t\n\f\r >]*+(?>(?:%(attribute)s)*)"
    rb"|<[!/?][^>]*+" % {b"attribute": re.sub(rb"(?<!\\)\((?!\?)", rb"(?:", _ATTRIBUTE)},
    re.DOTALL | re.IGNORECASE,
)
_VALUE = re.compile(
    rb"""charset[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:"([^"]*+)"|'([^']*+)'|([^"'\t\n\f\r ;][^\t\n\f\r ;]*+)|())""",
    re.IGNORECASE,
)
_XML_ENCODING = re.compile(rb"encoding[\x00-\x20]*+=[\x00-\x20]*+([\"'])([^\x00-\x20]*?)\1")


def prescan(head: bytes) -> Charset | None:
    """Return the encoding that the first bytes of a page declare, None if they do not.

    >>> prescan(b"<!-- <meta charset=big5> --><META content='x; charset=Latin1' "
    ...         b"http-equiv=content-type>").name
    'windows-1252'
    """
    # Most pages write it small and once, in one of their first tags.
    charset = _of_metas(head, head.find(b"charset"))
    if charset is None:
        charset = _of_metas(head, head.lower().rfind(b"charset"))
    return _of_xml_declaration(head) if charset is None else _readable(charset)


def _of_metas(head: bytes, end: int) -> Charset | None:
    """Return what the metas that begin up to *end* declare."""
    for tag in _TAG.finditer(head):
        if tag.start() > end:
            break
        if tag[2]:
            charset = _of_meta(tag[1])
            if charset is not None:
                return charset
    return None


def _of_meta(source: bytes) -> Charset | None:
    attributes: dict[bytes, bytes] = {}
    for name, double, single, bare in _ATTRIBUTES.findall(source):
        attributes.setdefault(name.lower(), double or single or bare)
    if b"charset" in attributes:
        return charset_of(attributes[b"charset"].decode("latin-1"))
    if attributes.get(b"http-equiv", b"").lower() != b"content-type":
        return None
    return charset_in(attributes.get(b"content", b""))


def charset_in(value: bytes) -> Charset | None:
    """Return the encoding that a content type names after "charset=", None if none is known."""
    found = _VALUE.search(value)
    return (
        charset_of((found[1] or found[2] or found[3] or b"").decode("latin-1")) if found else None
    )


def _of_xml_declaration(head: bytes) -> Charset | None:
    if not head.startswith(b"<?xml"):
        return None
    found = _XML_ENCODING.search(head, 0, max(head.find(b">"), 0))
    charset = charset_of(found[2].decode("latin-1")) if found else None
    return None if charset is None else _readable(charset)


def _readable(charset: Charset) -> Charset:
    if charset is X_USER_DEFINED:
        return WINDOWS_1252
    return UTF_8 if charset in {UTF_16_LE, UTF_16_BE} else charset
