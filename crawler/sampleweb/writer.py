"""The writer of a page: HTML on one side, the answers on the other, noted as they are written.

The boilerplate and the arcs of a page are what its template put there, so the template's calls are
the one record of both; the main text comes from the article and is the same under every template.
"""

from __future__ import annotations

from html import escape
from posixpath import relpath
from typing import NamedTuple
from urllib.parse import urlsplit


class Arc(NamedTuple):
    """An out-link: the canonical URL of its target, and whether it must not be followed."""

    target: str
    nofollow: bool


class Link(NamedTuple):
    """A link to be written: *url* is absolute and canonical, *text* its anchor."""

    url: str
    text: str
    nofollow: bool = False


class Speller:
    """Writes the URL of a link as a host spells it.

    *style* is ``root`` (``/a/b``), ``absolute``, ``protocol`` (``//host/a/b``), ``document``
    (relative to the page) or ``base`` (relative to the page's base element); links to other hosts
    are absolute in all but ``protocol``. *page* and *base* are absolute URLs.
    """

    def __init__(self, style: str, page: str, base: str = "") -> None:
        self.style = style
        self.page = page
        self.base = base
        parts = urlsplit(base or page)
        self._root = f"{parts.scheme}://{parts.netloc}"
        folder = parts.path.rpartition("/")[0]
        self._folder = folder or "/"

    def href(self, url: str) -> str:
        """Return the attribute value, not yet escaped, that means *url* on this page."""
        if self.style == "absolute":
            return url
        if not url.startswith(self._root + "/"):
            return url.removeprefix("http:") if self.style == "protocol" else url
        if self.style == "protocol":
            return url.removeprefix("http:")
        local = url[len(self._root) :]
        return local if self.style == "root" else self._relative(local)

    def _relative(self, local: str) -> str:
        path, mark, query = local.partition("?")
        relative = relpath(path, self._folder)
        if path.endswith("/"):
            relative += "/"
        return relative + mark + query


class PageWriter:
    """Collects a page's HTML, boilerplate and arcs; *nofollow* is the page's own robots meta."""

    def __init__(self, speller: Speller, *, nofollow: bool = False) -> None:
        self.speller = speller
        self.nofollow = nofollow
        self.html: list[str] = []
        self.boilerplate: list[str] = []
        self._arcs: dict[Arc, None] = {}

    @property
    def arcs(self) -> tuple[Arc, ...]:
        """The distinct arcs in the order in which they were first written."""
        return tuple(self._arcs)

    def raw(self, markup: str) -> None:
        """Write *markup* that holds no text and no link."""
        self.html.append(markup)

    def main(self, text: str) -> None:
        """Write *text* of the main content; the article has it already."""
        self.html.append(escape(text, quote=False))

    def boiler(self, text: str) -> None:
        """Write *text* of the boilerplate."""
        self.boilerplate.append(text)
        self.html.append(escape(text, quote=False))

    def link(self, link: Link, *, main: bool = False) -> None:
        """Write *link* as an ``a`` element, of the boilerplate unless it is *main*."""
        if not main:
            self.boilerplate.append(link.text)
        rel = ' rel="nofollow"' if link.nofollow else ""
        href = self.href(link.url, nofollow=link.nofollow)
        self.html.append(f'<a href="{href}"{rel}>{escape(link.text, quote=False)}</a>')

    def href(self, url: str, *, nofollow: bool = False) -> str:
        """Note an arc to *url* and return its escaped spelling, for links that are no ``a``."""
        self._arcs[Arc(url, nofollow or self.nofollow)] = None
        return escape(self.speller.href(url))
