"""What keeps a page that is opened from disk from running its scripts, loading anything, and going elsewhere.

A policy stands before all of its own markup, but behind its doctype: before it, a browser would show the page by old
rules. It allows styles and pictures that the page itself has. No policy forbids a refresh; that is made none by an
attribute of the same name before its own, which browsers then pass over. Not handled: names of hosts that the page
has looked up ahead (``rel=preconnect``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from crawler.page.attributes import decoded_value, written_values

if TYPE_CHECKING:
    from crawler.page.markup_events import Tag

POLICY = (
    b'<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
    b"style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'\">"
)
NO_REFRESH = b" http-equiv=none"
# HTML standard, section 13.2.6.4.1: what may stand before a doctype.
_DOCTYPE = re.compile(
    rb"(?>(?:\s++|<!--(?:-?>|.*?--!?>)|<\?[^>]*+>)*)<!doctype[^>]*+>", re.DOTALL | re.IGNORECASE
)


def end_of_doctype(source: bytes) -> int:
    """Return where the doctype of *source* ends, 0 where none stands first.

    >>> end_of_doctype(b"<!-- a --><!DOCTYPE html><p>"), end_of_doctype(b"<p><!DOCTYPE html>")
    (25, 0)
    """
    match = _DOCTYPE.match(source)
    return match.end() if match else 0


def is_refresh(tag: Tag) -> bool:
    """Tell whether *tag* has a browser load another page by itself."""
    return tag.name == "meta" and any(
        name == b"http-equiv"
        and decoded_value(value.decode("utf-8", "replace")).strip().lower() == "refresh"
        for name, value in written_values(tag.attributes)
    )
