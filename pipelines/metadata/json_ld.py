"""What JSON-LD scripts say of a page, broken ones included.

Source: schema.org; JSON-LD 1.1, sections 3.3 (``@id``) and 4.9 (``@graph``), as far as pages use them: a
node, a list of nodes, or a graph; nodes that stand for others by their ``@id``. The node that counts is
the first article or posting, else the first product, recipe or the like, else the page itself.

Cost: O(n) in the scripts, of which MAX_SCRIPT_BYTES each and MAX_NODES nodes are looked at.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from crawler.page.attributes import decoded
from crawler.page.words import as_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_SCRIPT_BYTES = 256 * 1024
MAX_NODES = 500
_MAX_DEPTH = 4
_MAX_NAMES = 20

_ARTICLES = re.compile(r"Article$|Posting$|^Report$|^Review$|^(?:Liveblog|Blog)")
_WORKS = frozenset(
    {
        *("Product", "Recipe", "Question", "VideoObject", "Event", "Course", "HowTo", "Book"),
        *(
            "SoftwareApplication",
            "Movie",
            "CreativeWork",
            "Dataset",
            "PodcastEpisode",
            "ImageObject",
        ),
    }
)
_PAGES = re.compile(r"Page$")
_SITES = frozenset({"WebSite", "Organization", "NewsMediaOrganization", "Corporation"})
_NAME_PARTS = ("givenName", "familyName")
_HOLDERS = ("@graph", "mainEntity", "mainEntityOfPage", "itemReviewed")
_TRAILING_COMMA = re.compile(r",\s*(?=[}\]])")
_WRAPPER = re.compile(
    r"^\s*(?:<!--|/\*\s*<!\[CDATA\[\s*\*/|//\s*<!\[CDATA\[|<!\[CDATA\[)|(?:-->|/\*\s*\]\]>\s*\*/|//\s*\]\]>|\]\]>|;)\s*$"
)
_DECODER = json.JSONDecoder(strict=False)
# Scripts without any of these say nothing of a page: lists of products, crumbs of a path.
_WORTH_READING = (
    b'"datePublished"',
    b'"dateCreated"',
    b'"dateModified"',
    b'"author"',
    b'"creator"',
    b'"headline"',
    b'"publisher"',
    b'"WebSite"',
    b'"uploadDate"',
)
# Fields of what no reader of JSON takes.
_DATE = re.compile(r'"datePublished"\s*:\s*"([^"\\]{8,40})"')
_NAME = re.compile(
    r'"author"\s*:\s*[\[{\s]*"(?:@type"\s*:\s*"Person"\s*,\s*")?name"\s*:\s*"([^"\\]{1,200})"'
)


@dataclass(slots=True)
class Declared:
    """What was found; *is_page*: it is said of the page, not of the work on it."""

    title: str | None = None
    date: str | None = None
    modified: str | None = None
    authors: list[str] = field(default_factory=list)
    description: str | None = None
    site_name: str | None = None
    type: str | None = None
    is_page: bool = False


def read_scripts(scripts: Iterable[bytes]) -> Declared:
    """Return what the JSON-LD *scripts* of a page say of it.

    >>> read_scripts([b'[{"@type": "NewsArticle", "headline": "A &amp; B",}]']).title
    'A & B'
    """
    nodes: list[dict[str, Any]] = []
    found = Declared()
    for script in scripts:
        if not any(word in script for word in _WORTH_READING):
            continue
        text = script.decode("utf-8", "replace")
        value = _parsed(text)
        if value is None:
            _read_broken(text, found)
        else:
            for node in _nodes(value, _MAX_DEPTH):
                nodes.append(node)
                if len(nodes) >= MAX_NODES:
                    break
    if nodes:
        _read_nodes(nodes, found)
    return found


def _parsed(text: str) -> Any:
    for mend in (str, _mended):
        try:
            return _DECODER.decode(mend(text))
        except (ValueError, RecursionError):
            continue
    return None


def _mended(text: str) -> str:
    """Return *text* without what is written around JSON, and without commas behind the last of something."""
    return _TRAILING_COMMA.sub("", _WRAPPER.sub("", text))


def _read_broken(text: str, found: Declared) -> None:
    text = text.partition('"review"')[0]  # whose authors and dates are their own
    match = _DATE.search(text)
    found.date = found.date or (match[1] if match else None)
    found.authors = found.authors or [
        as_value(decoded(name)) for name in _NAME.findall(text)[:_MAX_NAMES]
    ]


def _nodes(value: Any, depth: int) -> Iterator[dict[str, Any]]:
    """Yield the nodes at the top, in graphs, and those that a node is mainly about."""
    if isinstance(value, list):
        for entry in value[:MAX_NODES]:
            if depth:
                yield from _nodes(entry, depth - 1)
    elif isinstance(value, dict):
        yield value
        for name in _HOLDERS:
            if depth and isinstance(value.get(name), dict | list):
                yield from _nodes(value[name], depth - 1)


def _read_nodes(nodes: list[dict[str, Any]], found: Declared) -> None:
    by_id = {
        node["@id"]: node for node in nodes if isinstance(node.get("@id"), str) and len(node) > 1
    }
    ranked = [(rank, node) for node in nodes if (rank := _rank(node)) is not None]
    reviews = [node for _, node in ranked if _type(node) == "Review"]
    if len(reviews) > 1:  # of readers, beside what they are about
        ranked = [(rank, node) for rank, node in ranked if _type(node) != "Review"]
    if ranked:
        rank, main = min(ranked, key=lambda pair: pair[0])
        found.is_page = rank == 2
        found.type = _type(main)
        if not found.is_page:
            found.title = _text(main.get("headline")) or _text(main.get("name")) or found.title
        found.date = _first_text(main, "datePublished", "dateCreated", "uploadDate") or found.date
        found.modified = _text(main.get("dateModified"))
        found.authors = _names(main.get("author") or main.get("creator"), by_id) or found.authors
        found.description = _text(main.get("description"))
        found.site_name = next(iter(_names(main.get("publisher"), by_id)), None)
    pages = [node for rank, node in ranked if rank == 2]
    found.date = found.date or _first_of(pages, "datePublished")
    found.modified = found.modified or _first_of(pages, "dateModified")
    if found.site_name is None:
        sites = (_text(node.get("name")) for node in nodes if _type(node) in _SITES)
        found.site_name = next(filter(None, sites), None)


def _rank(node: dict[str, Any]) -> int | None:
    name = _type(node)
    if name is None:
        return None
    if _ARTICLES.search(name):
        return 0
    if name in _WORKS:
        # A picture or video beside the work is not it.
        return None if name in {"ImageObject", "VideoObject"} and "datePublished" not in node else 1
    return 2 if _PAGES.search(name) else None


def _type(node: dict[str, Any]) -> str | None:
    value = node.get("@type")
    if isinstance(value, list):
        value = next((entry for entry in value if isinstance(entry, str)), None)
    return _text(value.rpartition("/")[2]) if isinstance(value, str) else None


def _names(value: Any, by_id: dict[str, dict[str, Any]]) -> list[str]:
    """Return the names that *value* gives: a text, a node, a reference to one, or a list of these."""
    names: list[str] = []
    for entry in value[:_MAX_NAMES] if isinstance(value, list) else [value]:
        node = entry
        if isinstance(entry, dict) and "name" not in entry and isinstance(entry.get("@id"), str):
            node = by_id.get(entry["@id"])
        name = node.get("name") if isinstance(node, dict) else node
        if name is None and isinstance(node, dict):
            name = " ".join(filter(None, (_text(node.get(part)) for part in _NAME_PARTS)))
        if isinstance(name, list):
            names += [text for text in map(_text, name[:_MAX_NAMES]) if text]
        elif text := _text(name):
            names.append(text)
    return names


def _first_of(nodes: Iterable[dict[str, Any]], name: str) -> str | None:
    return next(filter(None, (_text(node.get(name)) for node in nodes)), None)


def _first_text(node: dict[str, Any], *names: str) -> str | None:
    return next(filter(None, (_text(node.get(name)) for name in names)), None)


def _text(value: Any) -> str | None:
    if not isinstance(value, str):
        return None
    # Pages write character references here, too.
    text = decoded(value) if "&" in value else value
    # An escape may give half of a character, or a control.
    return as_value(text.encode("utf-8", "replace").decode()) or None
