"""The nodes of a page's JSON-LD, broken scripts included, and which of them the page is about.

Source: schema.org; JSON-LD 1.1, section 4.9 (``@graph``), as far as pages use them: a node, a list of nodes, or a graph.

Cost: O(n) in the scripts, of which MAX_SCRIPT_BYTES each and MAX_NODES nodes are looked at.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from crawler.page.attributes import decoded
from crawler.page.words import as_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    Node = dict[str, Any]

MAX_SCRIPT_BYTES = 256 * 1024
MAX_NODES = 500
_MAX_DEPTH = 4

_ARTICLES = re.compile(r"Article$|Posting$|^Report$|^Review$|^(?:Liveblog|Blog)")
# What pages are about that is no article.
WORKS = frozenset(
    {
        *("Product", "Recipe", "Question", "VideoObject", "Event", "Course", "HowTo", "Book"),
        *("SoftwareApplication", "Movie", "CreativeWork", "Dataset", "PodcastEpisode"),
        "ImageObject",
    }
)
_PAGES = re.compile(r"Page$")
# Ranks of nodes: articles and postings, other works, pages.
ARTICLE, WORK, PAGE = range(3)
_HOLDERS = ("@graph", "mainEntity", "mainEntityOfPage", "itemReviewed")
_TRAILING_COMMA = re.compile(r",\s*(?=[}\]])")
_WRAPPER = re.compile(
    r"^\s*(?:<!--|/\*\s*<!\[CDATA\[\s*\*/|//\s*<!\[CDATA\[|<!\[CDATA\[)|(?:-->|/\*\s*\]\]>\s*\*/|//\s*\]\]>|\]\]>|;)\s*$"
)
_DECODER = json.JSONDecoder(strict=False)


def parsed(text: str) -> Any:
    """Return what the script *text* says, mended where that is enough to read it; None for what is no JSON."""
    for mend in (str, _mended):
        try:
            return _DECODER.decode(mend(text))
        except (ValueError, RecursionError):
            continue
    return None


def _mended(text: str) -> str:
    """Return *text* without what is written around JSON, and without commas behind the last of something."""
    return _TRAILING_COMMA.sub("", _WRAPPER.sub("", text))


def nodes_of(value: Any, depth: int = _MAX_DEPTH) -> Iterator[Node]:
    """Yield the nodes at the top, in graphs, and those that a node is mainly about."""
    if isinstance(value, list):
        for entry in value[:MAX_NODES]:
            if depth:
                yield from nodes_of(entry, depth - 1)
    elif isinstance(value, dict):
        yield value
        for name in _HOLDERS:
            if depth and isinstance(value.get(name), dict | list):
                yield from nodes_of(value[name], depth - 1)


def rank_of(node: Node) -> int | None:
    """Return ARTICLE, WORK or PAGE, None for a node that no page is about."""
    name = type_of(node)
    if name is None:
        return None
    if _ARTICLES.search(name):
        return ARTICLE
    if name in WORKS:
        # A picture or video beside the work is not it.
        is_beside = name in {"ImageObject", "VideoObject"} and "datePublished" not in node
        return None if is_beside else WORK
    return PAGE if _PAGES.search(name) else None


def type_of(node: Node) -> str | None:
    """Return the first type that *node* names, without what stands before its name."""
    value = node.get("@type")
    if isinstance(value, list):
        value = next((entry for entry in value if isinstance(entry, str)), None)
    return text_of(value.rpartition("/")[2]) if isinstance(value, str) else None


def text_of(value: Any) -> str | None:
    """Return *value* as a text on one line, None for any that is none."""
    if not isinstance(value, str):
        return None
    # Pages write character references here, too.
    text = decoded(value) if "&" in value else value
    return as_value(unbroken(text)) or None


def unbroken(text: str) -> str:
    """Return *text* with a sign in place of half a character, which an escape may give."""
    return text.encode("utf-8", "replace").decode()
