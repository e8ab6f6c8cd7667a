"""What a page says of itself: title, description, language, base, canonical link, robots, refresh.

The first of several values counts, but for robots, where every one does. Names are compared without
case. A ``meta`` or ``link`` is taken wherever it stands, as old pages have them in the body too.
"""

from __future__ import annotations

import re

from crawler.page.attributes import decoded
from crawler.page.words import collapsed

# HTML standard, "shared declarative refresh steps", without its rules for the delay's digits.
_REFRESH = re.compile(r"[\s\d.]*[;,\s]\s*(?:url\s*=\s*)?(['\"]?)(.*)", re.IGNORECASE | re.DOTALL)
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*")


class PageHead:
    """Collects the head of a page while it is scanned."""

    __slots__ = ("base", "canonical", "meta", "robots", "titles")

    def __init__(self) -> None:
        self.base: str | None = None
        self.canonical: str | None = None
        self.titles: list[str] = []
        self.meta: dict[str, str] = {}
        self.robots: set[str] = set()

    def add_title(self, source: str) -> None:
        """Take the raw text of a ``title`` element."""
        text = collapsed(decoded(source))
        if text:
            self.titles.append(text)

    def add_language(self, attributes: dict[str, str]) -> None:
        """Take the attributes of ``html`` or ``body``."""
        language = attributes.get("lang") or attributes.get("xml:lang")
        if language:
            self.meta.setdefault("lang", language)

    def add_meta(self, attributes: dict[str, str]) -> str | None:
        """Take a ``meta`` tag; return the reference of a refresh, if it is one."""
        name = attributes.get("name") or attributes.get("property") or ""
        directive = attributes.get("http-equiv", "").strip().lower()
        content = attributes.get("content", "")
        if directive == "refresh":
            return refresh_target(content)
        name = directive or name.strip().lower()
        if name == "robots":
            self.robots.update(content.lower().replace(",", " ").split())
        elif name and content:
            self.meta.setdefault(name, content)
        return None

    @property
    def noindex(self) -> bool:
        """Whether the page asks not to be kept."""
        return not self.robots.isdisjoint({"noindex", "none"})

    @property
    def nofollow(self) -> bool:
        """Whether the page asks that none of its links be followed."""
        return not self.robots.isdisjoint({"nofollow", "none"})

    @property
    def description(self) -> str | None:
        """The description in the page's head, for people who search."""
        content = self.meta.get("description") or self.meta.get("og:description")
        return collapsed(content) or None if content else None

    @property
    def language(self) -> str | None:
        """The declared language as the page writes it, such as ``de`` or ``pt-BR``."""
        for name in ("lang", "content-language", "og:locale", "language", "dc.language"):
            match = _LANGUAGE.match(self.meta.get(name, "").strip())
            if match:
                return match[0]
        return None

    def title(self, headings: list[str]) -> tuple[str | None, str | None]:
        """Return the title and its source: title, og:title, or h1, the first of *headings*."""
        if self.titles:
            return self.titles[0], "title"
        content = collapsed(self.meta.get("og:title", ""))
        if content:
            return content, "og:title"
        return (headings[0], "h1") if headings else (None, None)


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
