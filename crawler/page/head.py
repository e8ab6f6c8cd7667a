"""What a page says of itself: title, description, language, base, canonical link, refresh."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from crawler.page.attributes import decoded, decoded_value
from crawler.page.words import as_shown, as_value

if TYPE_CHECKING:
    from collections.abc import Mapping

# HTML standard, "shared declarative refresh steps", without its rules for the delay's digits.
_REFRESH = re.compile(r"[\s\d.]*[;,\s]\s*(?:url\s*=\s*)?(['\"]?)(.*)", re.IGNORECASE | re.DOTALL)
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*")
_LANGUAGE_FIELDS = ("lang", "content-language", "og:locale", "language", "dc.language")


class PageHead:
    """The head of a page, from the values that the scan found: raw, by their names."""

    __slots__ = ("values",)

    def __init__(self, values: Mapping[str, str]):
        self.values = values

    @property
    def base(self) -> str | None:
        """The base of the page's references, as it is written."""
        return self._reference("base")

    @property
    def canonical(self) -> str | None:
        """The canonical link, as it is written."""
        return self._reference("canonical")

    def _reference(self, name: str) -> str | None:
        return decoded_value(self.values[name]) if name in self.values else None

    @property
    def description(self) -> str | None:
        """The description in the page's head, for people who search."""
        return self._text("description") or self._text("og:description")

    def _text(self, name: str) -> str | None:
        return as_value(decoded_value(self.values.get(name, ""))) or None

    @property
    def language(self) -> str | None:
        """The declared language as the page writes it, such as ``de`` or ``pt-BR``."""
        for name in _LANGUAGE_FIELDS:
            match = _LANGUAGE.match(self.values.get(name, "").strip())
            if match:
                return match[0]
        return None

    @property
    def title(self) -> tuple[str | None, str | None]:
        """The title and its source, ``title`` or ``og:title``; what has no width stays, as metadata leave it out."""
        text = as_shown(decoded(self.values.get("title", "")))
        if text:
            return text, "title"
        text = as_shown(decoded_value(self.values.get("og:title", "")))
        return (text, "og:title") if text else (None, None)


def refresh_target(content: str) -> str | None:
    """Return the reference in the *content* of a refresh, None for a plain reload.

    >>> refresh_target("5; URL='next.html'"), refresh_target("300")
    ('next.html', None)
    """
    match = _REFRESH.match(content)
    if match is None:
        return None
    quote, target = match.groups()
    if quote:
        target = target.partition(quote)[0]
    return target.strip() or None
