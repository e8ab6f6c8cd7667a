"""Feeds: the newest pages of a site, as RSS 0.9 to 2.0, RSS 1.0 (RDF), Atom or JSON Feed.

Sources: RSS 2.0 specification (rssboard.org), RSS 1.0 (web.resource.org), RFC 4287, JSON Feed 1.1
(jsonfeed.org). What counts is the page of each item: ``link``, or a ``guid`` that is a permanent link;
the alternate link of an Atom entry; ``url``, or ``external_url``. Links are under the ``xml:base`` of the
feed, the entry and themselves (RFC 4287, section 2). Dates are kept as they are written.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from crawler.seeds.link_files import (
    LinkFile,
    LinkFileLimits,
    elements,
    local_name,
    root_name,
    texts,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_KINDS = {"rss": "rss", "RDF": "rdf", "feed": "atom"}
_JSON_VERSION = "https://jsonfeed.org/version/"
_ENTRIES = ("item", "entry")
_DATES = ("updated", "modified", "pubDate", "date", "published", "issued")
_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_BASE_MAX_CHARS = 2048
_DEFAULT_LIMITS = LinkFileLimits(max_bytes=8 * 2**20, max_urls=1000)


def read_feed(body: bytes, limits: LinkFileLimits = _DEFAULT_LIMITS) -> LinkFile | None:
    """Return what the feed *body* lists, None when it is none.

    >>> read_feed(b"<rss><channel><item><link>http://a.example/1</link></item>").entries
    [Entry(url='http://a.example/1', lastmod=None)]
    """
    root = root_name(body)
    if root in _KINDS:
        return _xml(body, LinkFile(_KINDS[root]), limits)
    return None if root else _json(body, limits)


def _xml(body: bytes, found: LinkFile, limits: LinkFileLimits) -> LinkFile:
    for element in elements(body, _ENTRIES, limits, found.problems):
        fields = {local_name(child): child.text for child in reversed(element)}
        date = next((fields[name] for name in _DATES if fields.get(name)), None)
        if not found.add(next(_pages(element), None), date, limits):
            break
    return found


def _pages(item: Any) -> Iterator[str]:
    """Yield the addresses of the page of *item*, the best first."""
    guids = []
    for child in item:
        name = local_name(child)
        if name == "link" and (href := child.get("href")):
            if child.get("rel", "alternate") == "alternate":
                yield _under_base(child, href)
        elif name == "link" and (child.text or "").strip():
            yield _under_base(child, child.text)
        elif name == "guid" and child.get("isPermaLink", "true").lower() == "true":
            guids.append(child.text or "")
    yield from (guid for guid in guids if guid.strip().startswith(("http://", "https://")))


def _under_base(link: Any, reference: str) -> str:
    """Return *reference* under the bases of the feed, the entry and the *link*, outermost first."""
    entry = link.getparent()
    of_these = (each.get(_BASE, "") for each in (link, entry, entry.getroottree().getroot()))
    for base in of_these:
        if base and len(base) <= _BASE_MAX_CHARS:
            with suppress(ValueError):  # either is no URL
                reference = urljoin(base.strip(), reference.strip())
    return reference


def _json(body: bytes, limits: LinkFileLimits) -> LinkFile | None:
    if not body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return None
    found = LinkFile("json")
    try:
        feed = json.loads("".join(texts(body, limits, found.problems)))
    except (ValueError, RecursionError):
        return None
    if not str(feed.get("version", "")).startswith(_JSON_VERSION):
        return None
    items = feed.get("items")
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict):
            date = item.get("date_modified") or item.get("date_published")
            url = item.get("url") or item.get("external_url")
            if isinstance(url, str) and not found.add(
                url, date if isinstance(date, str) else None, limits
            ):
                break
    return found
