"""A text of a page's source as a reader sees it."""

from __future__ import annotations

import re

from crawler.page.attributes import decoded
from crawler.page.words import BREAKS_CLASS, DROPPED_CLASS, nfc

_DROPPED = re.compile(f"[{DROPPED_CLASS}{BREAKS_CLASS}]")
_WORD = re.compile(r"[^\W_]")
_BLANKS = re.compile(r"\s+")
_ENDS = re.compile(r"\r\n?")


def text_of(source: bytes, *, verbatim: bool) -> str:
    """Return a text of the *source* as a reader sees it; *verbatim* leaves whitespace as it is.

    >>> text_of(b"a &lt;  b ", verbatim=False)
    'a < b '
    """
    text = decoded(source.decode("utf-8", "replace"))
    if verbatim:
        # A tab and the ends of lines are no control characters here.
        return nfc(_DROPPED.sub("", _ENDS.sub("\n", text)))
    return nfc(_BLANKS.sub(" ", _DROPPED.sub("", text)))


def has_word(text: str) -> bool:
    """Tell whether *text* has a letter or digit."""
    return _WORD.search(text) is not None
