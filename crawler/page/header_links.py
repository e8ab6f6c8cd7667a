"""What the HTTP headers of an answer say of its page: the canonical link, and where a refresh leads.

Sources: RFC 8288 section 3 and appendix B (``Link``); the HTML standard, "The `Refresh` header". A target is
relative to the address of the answer, whatever base the document names. A link with an ``anchor`` is one of
another thing than the page, and passed over; of several canonical links the first counts, as of several
``rel`` of one link. Of a header that is broken what stands before the damage is read. Cost: linear.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from crawler.page.head import refresh_target

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Protocol

    class Headers(Protocol):
        """Names in title case, in bytes, and their values, as they came."""

        def __contains__(self, name: bytes, /) -> bool: ...
        def getlist(self, name: bytes, /) -> list[bytes]: ...


_TARGET = re.compile(r"[\s,]*<([^>]*)>")
_PARAMETER = re.compile(
    r'\s*;\s*([^\s=;,"]*)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^\s;,"]*)))?', re.DOTALL
)
_NO_ASCII = re.compile(rb"[\x80-\xff]")
_QUOTED_PAIR = re.compile(r"\\(.)", re.DOTALL)


def canonical_target(headers: Headers) -> str | None:
    """Return the canonical link among the ``Link`` *headers* as it is written, None without one.

    >>> from scrapy.http import Headers
    >>> canonical_target(Headers({"Link": ['</a>; rel="next"', '</b>; title="x, y"; rel="up Canonical"']}))
    '/b'
    """
    if b"Link" not in headers:
        return None
    for target, parameters in _links(map(header_text, headers.getlist(b"Link"))):
        is_canonical = "canonical" in parameters.get("rel", "").lower().split()
        if is_canonical and "anchor" not in parameters:
            return target.strip() or None
    return None


def refresh_header(headers: Headers) -> str | None:
    """Return where the ``Refresh`` among *headers* leads, as it is written; None without one, or for a reload."""
    if b"Refresh" not in headers:
        return None
    values = headers.getlist(b"Refresh")
    return refresh_target(header_text(values[0])) if values else None


def _links(values: Iterable[str]) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield the target of each link of the headers *values*, and its parameters, the first of a name."""
    for value in values:
        end = 0
        while match := _TARGET.match(value, end):
            parameters: dict[str, str] = {}
            end = match.end()
            while parameter := _PARAMETER.match(value, end):
                name, quoted, token = parameter.groups()
                text = _QUOTED_PAIR.sub(r"\1", quoted) if quoted is not None else token or ""
                parameters.setdefault(name.lower(), text)
                end = parameter.end()
            yield match[1], parameters


def header_text(value: bytes) -> str:
    r"""Return the *value* of a header, an address, as text: UTF-8, as most sites send it, or else with its bytes
    escaped.

    So browsers ask for them: the server means a file whose name has these bytes, whatever characters they are.

    >>> header_text(b"/\xe4"), header_text(b"/\xc3\xa4")
    ('/%E4', '/ä')
    """
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return _NO_ASCII.sub(lambda match: b"%%%02X" % match[0][0], value).decode("ascii")
