"""The references of a page as they stand in its tags, with the text of their anchors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.page.links import FoundLink, LinkKind

if TYPE_CHECKING:
    from crawler.page.limits import PageLimits

_NOFOLLOW = frozenset({"nofollow", "ugc", "sponsored"})
_FEED_TYPES = ("application/rss", "application/atom", "application/rdf", "application/feed")


class References:
    """Collects references in page order; *anchor* is the text of the one that is open, or None.

    The methods take the attributes of a tag, and the index of the block that it stands in.
    """

    __slots__ = ("anchor", "anchor_chars", "cuts", "found", "max_anchor_chars", "max_links")

    def __init__(self, limits: PageLimits):
        self.max_links = limits.max_links
        self.max_anchor_chars = limits.max_anchor_chars
        self.found: list[FoundLink] = []
        self.cuts: set[str] = set()
        self.anchor: list[str] | None = None
        self.anchor_chars = 0

    def add(
        self, href: str, kind: LinkKind, block: int, *, nofollow: bool = False
    ) -> FoundLink | None:
        """Add a reference; return it unless there are too many."""
        if len(self.found) >= self.max_links:
            self.cuts.add("links")
            return None
        self.found.append(FoundLink(href, kind, block, nofollow))
        return self.found[-1]

    def start_a(self, attributes: dict[str, str], block: int) -> None:
        """Add an ``a``; text is its anchor from now on."""
        href = attributes.get("href")
        if href is None or href.lstrip().startswith("#"):
            return
        rel = attributes.get("rel", "").lower().split()
        kind = LinkKind.NEXT if "next" in rel else LinkKind.A
        link = self.add(href, kind, block, nofollow=not _NOFOLLOW.isdisjoint(rel))
        if link is not None:
            self.anchor, self.anchor_chars = link.anchor, 0

    def add_text(self, text: str) -> None:
        """Add *text* to the open anchor, up to its limit."""
        if self.anchor is None:
            return
        left = self.max_anchor_chars - self.anchor_chars
        self.anchor.append(text[:left])
        self.anchor_chars += len(text)
        if self.anchor_chars > self.max_anchor_chars:
            self.cuts.add("anchors")
            self.anchor = None

    def add_embedded(self, name: str, attributes: dict[str, str], block: int) -> None:
        """Add an ``area``, ``frame`` or ``iframe``."""
        href = attributes.get("href" if name == "area" else "src")
        if href is None or href.lstrip().startswith("#"):
            return
        rel = attributes.get("rel", "").lower().split()
        nofollow = not _NOFOLLOW.isdisjoint(rel)
        link = self.add(href, LinkKind[name.upper()], block, nofollow=nofollow)
        if link is not None and "alt" in attributes:
            link.anchor.append(attributes["alt"][: self.max_anchor_chars])

    def add_link_tag(self, attributes: dict[str, str], block: int) -> str | None:
        """Add a ``link`` tag if it is a next page or a feed; return a canonical link."""
        rel, href = attributes.get("rel", "").lower().split(), attributes.get("href")
        if not href:
            return None
        if "next" in rel:
            self.add(href, LinkKind.NEXT, block)
        elif "alternate" in rel and attributes.get("type", "").lower().startswith(_FEED_TYPES):
            self.add(href, LinkKind.FEED, block)
        return href if "canonical" in rel else None
