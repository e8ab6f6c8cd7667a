"""Signals of what a site lets its text be used for, as words: ``ai-train=no``, ``noai``.

Sources, none of them a standard of the IETF yet: Content Signals (contentsignals.org: ``search``,
``ai-input``, ``ai-train``, each ``yes`` or ``no``, in robots.txt and as a header), Content-Usage of the
IETF's AIPREF drafts (``train-ai=n``), the robots words ``noai`` and ``noimageai`` of DeviantArt, and the
W3C community group's TDM Reservation Protocol (``tdm-reservation=1``).

A word is lower-case: a name, and behind ``=`` its value where it has one. They are kept as the site
wrote them; what they mean for a corpus is for its maker to say (setting ``SIGNALS_OBEY``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Words of one source that are kept.
MAX_SIGNALS = 16

ROBOTS_SIGNALS = frozenset({"noai", "noimageai"})
"""Words of robots meta and X-Robots-Tag that are signals."""

_WORD = re.compile(r"([a-z][a-z0-9-]{0,31})\s*=\s*\"?([a-z0-9-]{1,31})\"?")
_RESERVED = frozenset({"0", "1"})
_CONTENT_HEADERS = ("content-signal", "content-usage")
SIGNAL_HEADERS = (*_CONTENT_HEADERS, "tdm-reservation")
"""The HTTP headers that hold signals, beside X-Robots-Tag."""


def signal_words(value: str) -> list[str]:
    """Return the words of a Content-Signal or Content-Usage *value*.

    Content-Usage may begin with a path, which limits it to a part of the site: none are returned then,
    unless it is all of the site.

    >>> signal_words("search=yes, ai-train=no"), signal_words("/en/ train-ai=n")
    (['search=yes', 'ai-train=no'], [])
    """
    text = value.strip().lower()
    if text.startswith("/"):
        path, _, text = text.partition(" ")
        if path != "/":
            return []
    parts = re.split(r"[,;]", text, maxsplit=MAX_SIGNALS)[:MAX_SIGNALS]
    words = (_WORD.fullmatch(part.strip()) for part in parts)
    return [f"{word[1]}={word[2]}" for word in words if word]


def reservation(value: str) -> list[str]:
    """Return the word for a ``tdm-reservation`` of *value*; anything but 0 and 1 is unset.

    >>> reservation(" 1 "), reservation("2")
    (['tdm-reservation=1'], [])
    """
    value = value.strip()
    return [f"tdm-reservation={value}"] if value in _RESERVED else []


def header_signals(headers: Mapping[str, Iterable[str]], robots_words: Iterable[str]) -> set[str]:
    """Return the signals among *headers* (lower-case name → values) and the *robots_words* for us."""
    found = set(ROBOTS_SIGNALS.intersection(robots_words))
    for name in _CONTENT_HEADERS:
        for value in headers.get(name, ()):
            found.update(signal_words(value))
    for value in headers.get("tdm-reservation", ()):
        found.update(reservation(value))
    return found
