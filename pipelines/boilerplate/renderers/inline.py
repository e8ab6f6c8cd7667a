"""The style of text by the inline tags around it: bold, emphasis, code, link."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from crawler.page.attributes import decoded_value, written_values
from crawler.page.tags import ENDS_ANCHOR
from crawler.urls import resolve
from crawler.urls.canonical import without_dot_segments
from crawler.urls.hosts import host_key
from crawler.urls.keys import clean_reference
from pipelines.boilerplate.renderers.line import Style

if TYPE_CHECKING:
    from crawler.page import PageModel
    from crawler.page.markup_events import Tag

_STRONG = frozenset({"b", "strong"})
_EMPHASIS = frozenset({"i", "em", "cite", "dfn", "var"})
_STRUCK = frozenset({"del", "s", "strike"})
_RAISED = frozenset({"sub", "sup"})
CODE_IN_LINE = frozenset({"code", "tt", "kbd", "samp"})
# CommonMark's and HTML's habit: class="language-python", class="lang-python"; MDN's and SyntaxHighlighter's: "brush:
# js".
_LANGUAGE = re.compile(rb"""\b(?:lang(?:uage)?-|brush:\s*+)([A-Za-z0-9+#_.\-]{1,30})""")
# What programs that write documentation name on a box around code: Rouge, Sphinx, GitHub.
_BOX_LANGUAGE = re.compile(
    rb"""\b(?:language-|highlight-source-|highlight-(?=[\w+#.\-]{1,30}+\s++notranslate))([A-Za-z0-9+#_.\-]{1,30})"""
)
_NO_LANGUAGE = frozenset({"default", "none"})
# URL standard, section 1.3: the query percent-encode set, with control characters, but for the sign of the place on a
# page.
_ESCAPED = re.compile(r"""[\s"<>\0-\x1f\x7f-\x9f]""")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_PARTS = re.compile(r"([^:/?#]+://[^/?#]*)(/[^?#]*)")
_SHOWN_SCHEMES = ("http:", "https:", "mailto:")
# URL standard, section 4.4: browsers take any number of slashes for two, and these for others.
_AUTHORITY = re.compile(r"https?:[/\\]*([^/\\?#]*)", re.IGNORECASE)
_SLASHES = re.compile(r"^(https?:)/*", re.IGNORECASE)
_MAX_HREF_BYTES = 8192


class InlineStyles:
    """Counts the open inline tags; none but a link goes on from one paragraph into the next."""

    def __init__(self, page: PageModel, *, with_links: bool):
        self.base_url = page.base_url
        self.charset = page.charset or "utf-8"
        self.with_links = with_links
        self.style = Style()
        self.last_language = ""
        # Whether a link to a place on the page itself is open.
        self.in_place_link = False
        self._strong = self._emphasis = self._code = self._struck = 0
        # The names of those that are open.
        self._raised: list[str] = []
        self._href: str | None = None

    def change(self, tag: Tag) -> None:
        """Take an inline *tag* into account."""
        step = -1 if tag.is_end else 1
        if tag.name == "a":
            self.in_place_link = not tag.is_end and _to_place(tag.attributes)
            if self.with_links:
                self._href = None if tag.is_end else self._target(tag.attributes)
        elif tag.name in _STRONG:
            self._strong = max(self._strong + step, 0)
        elif tag.name in _EMPHASIS:
            self._emphasis = max(self._emphasis + step, 0)
        elif tag.name in CODE_IN_LINE:
            self._code = max(self._code + step, 0)
            self.last_language = self.last_language or self.language(tag)
        elif tag.name in _STRUCK:
            self._struck = max(self._struck + step, 0)
        elif tag.name in _RAISED:
            if not tag.is_end:
                self._raised.append(tag.name)
            elif self._raised:
                self._raised.pop()
        else:
            return
        self._renew()

    def end_line(self, name: str) -> None:
        """Forget what a paragraph left open, at the tag *name* that ends it."""
        self._strong = self._emphasis = self._code = self._struck = 0
        self._raised.clear()
        if name in ENDS_ANCHOR:
            self._href = None
            self.in_place_link = False
        self._renew()

    @staticmethod
    def language(tag: Tag) -> str:
        """Return the programming language that *tag* names, or nothing."""
        return _named(_LANGUAGE.search(tag.attributes))

    @staticmethod
    def box_language(tag: Tag) -> str:
        """Return the programming language that *tag*, of a box around code, names, or nothing."""
        return _named(_BOX_LANGUAGE.search(tag.attributes))

    def _renew(self) -> None:
        # The number of a note, which leads to it, is raised to be out of the way.
        raised = self._raised[-1] if self._raised and not self.in_place_link else ""
        self.style = Style(
            self._strong > 0,
            self._emphasis > 0,
            self._code > 0,
            self._href,
            raised,
            self._struck > 0,
        )

    def _target(self, attributes: bytes) -> str | None:
        """Return the address of a link, absolute where the page has an address of its own."""
        value = _written_href(attributes)
        if len(value) > _MAX_HREF_BYTES:
            return None
        href = clean_reference(decoded_value(value.decode("utf-8", "replace")))
        if not href or href.startswith("#"):
            return None
        return absolute(self.base_url, href, charset=self.charset)


def _named(language: re.Match[bytes] | None) -> str:
    name = language[1].decode("ascii").lower() if language else ""
    return "" if name in _NO_LANGUAGE else name


def absolute(base_url: str, href: str, *, charset: str) -> str | None:
    """Return *href* as a web address; as it is written where it is none, or *base_url* is none.

    None for what is no address of a page or a mailbox, such as ``javascript:`` or ``http://``. Blanks and quotes are
    escaped, and letters of a query in the page's *charset*, unless that is Unicode: its servers wait for these bytes.

    >>> absolute("http://a.sample/b/", "../c d#e", charset="utf-8"), absolute("file:///a", "c", charset="utf-8")
    ('http://a.sample/c%20d#e', 'c')
    >>> absolute("http://a.sample/", "?ü", charset="windows-1252"), absolute("", "mailto:me", charset="utf-8")
    ('http://a.sample/?%FC', 'mailto:me')
    """
    href = clean_reference(href)
    if _SCHEME.match(href) and not href.lower().startswith(_SHOWN_SCHEMES):
        return None
    found = resolve(base_url, href, charset=charset)
    if found is not None:
        href = _as_browsers_show(found) + "".join(href.partition("#")[1:])
    authority = _AUTHORITY.match(href)
    if authority is not None and host_key("http", authority[1]) is None:
        return None
    return _ESCAPED.sub(lambda match: quote(match[0], safe=""), href)


def _as_browsers_show(url: str) -> str:
    """Return *url*, absolute, with two slashes before its host, no backslash before its query, and no ``.`` and
    ``..``.
    """
    place, mark, query = url.partition("?")
    url = _SLASHES.sub(r"\1//", place.replace("\\", "/")) + mark + query
    match = _PARTS.match(url) if "/." in url else None
    return match[1] + without_dot_segments(match[2]) + url[match.end() :] if match else url


def is_ticked(attributes: bytes) -> bool | None:
    """Tell whether an ``input`` with these *attributes* is a box with a tick, None when it is no box for ticks.

    >>> is_ticked(b" checked type=checkbox"), is_ticked(b" type='CheckBox'"), is_ticked(b" type=text checked")
    (True, False, None)
    """
    values = dict(written_values(attributes))
    return b"checked" in values if values.get(b"type", b"").lower() == b"checkbox" else None


def _to_place(attributes: bytes) -> bool:
    """Tell whether a link with these *attributes* leads to a place on its own page."""
    return b"#" in attributes and _written_href(attributes).startswith(b"#")


def _written_href(attributes: bytes) -> bytes:
    """Return the address of a link with these *attributes* as it is written, nothing when it has none."""
    values = (value for name, value in written_values(attributes) if name == b"href")
    return next(values, b"")
