"""What JSON-LD scripts say of a page, broken ones included (`crawler.page.json_ld`).

Source: schema.org; JSON-LD 1.1, section 3.3: nodes may stand for others by their ``@id``. The node that counts is the
first article or posting, else the first product, recipe or the like, else the page itself.

Cost: O(n) in the scripts, of which MAX_NODES nodes are looked at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from crawler.page.attributes import decoded
from crawler.page.json_ld import MAX_NODES, PAGE, nodes_of, parsed, rank_of, text_of, type_of
from crawler.page.words import as_value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from crawler.page.json_ld import Node

_MAX_NAMES = 20

_SITES = frozenset({"WebSite", "Organization", "NewsMediaOrganization", "Corporation"})
_NAME_PARTS = ("givenName", "familyName")
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
    nodes: list[Node] = []
    found = Declared()
    for script in scripts:
        if not any(word in script for word in _WORTH_READING):
            continue
        text = script.decode("utf-8", "replace")
        value = parsed(text)
        if value is None:
            _read_broken(text, found)
        else:
            for node in nodes_of(value):
                nodes.append(node)
                if len(nodes) >= MAX_NODES:
                    break
    if nodes:
        _read_nodes(nodes, found)
    return found


def _read_broken(text: str, found: Declared) -> None:
    text = text.partition('"review"')[0]  # whose authors and dates are their own
    match = _DATE.search(text)
    found.date = found.date or (match[1] if match else None)
    found.authors = found.authors or [
        as_value(decoded(name)) for name in _NAME.findall(text)[:_MAX_NAMES]
    ]


def _read_nodes(nodes: list[Node], found: Declared) -> None:
    by_id = {
        node["@id"]: node for node in nodes if isinstance(node.get("@id"), str) and len(node) > 1
    }
    ranked = [(rank, node) for node in nodes if (rank := rank_of(node)) is not None]
    reviews = [node for _, node in ranked if type_of(node) == "Review"]
    if len(reviews) > 1:  # of readers, beside what they are about
        ranked = [(rank, node) for rank, node in ranked if type_of(node) != "Review"]
    if ranked:
        rank, main = min(ranked, key=lambda pair: pair[0])
        found.is_page = rank == PAGE
        found.type = type_of(main)
        if not found.is_page:
            found.title = text_of(main.get("headline")) or text_of(main.get("name")) or found.title
        found.date = _first_text(main, "datePublished", "dateCreated", "uploadDate") or found.date
        found.modified = text_of(main.get("dateModified"))
        found.authors = _names(main.get("author") or main.get("creator"), by_id) or found.authors
        found.description = text_of(main.get("description"))
        found.site_name = next(iter(_names(main.get("publisher"), by_id)), None)
    pages = [node for rank, node in ranked if rank == PAGE]
    found.date = found.date or _first_of(pages, "datePublished")
    found.modified = found.modified or _first_of(pages, "dateModified")
    if found.site_name is None:
        sites = (text_of(node.get("name")) for node in nodes if type_of(node) in _SITES)
        found.site_name = next(filter(None, sites), None)


def _names(value: Any, by_id: dict[str, Node]) -> list[str]:
    """Return the names that *value* gives: a text, a node, a reference to one, or a list of these."""
    names: list[str] = []
    for entry in value[:_MAX_NAMES] if isinstance(value, list) else [value]:
        node = entry
        if isinstance(entry, dict) and "name" not in entry and isinstance(entry.get("@id"), str):
            node = by_id.get(entry["@id"])
        name = node.get("name") if isinstance(node, dict) else node
        if name is None and isinstance(node, dict):
            name = " ".join(filter(None, (text_of(node.get(part)) for part in _NAME_PARTS)))
        if isinstance(name, list):
            names += [text for text in map(text_of, name[:_MAX_NAMES]) if text]
        elif text := text_of(name):
            names.append(text)
    return names


def _first_of(nodes: Iterable[Node], name: str) -> str | None:
    return next(filter(None, (text_of(node.get(name)) for node in nodes)), None)


def _first_text(node: Node, *names: str) -> str | None:
    return next(filter(None, (text_of(node.get(name)) for name in names)), None)
