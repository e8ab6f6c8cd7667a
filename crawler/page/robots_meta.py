"""Robots metas that the scan leaves: those for one robot by its name, and a page's end.

Source: https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag. ``<meta name=winnow
content=noindex>`` is for us alone; ``unavailable_after: DATE`` is ``noindex`` from that time on. What a content
says is read as the header of the same words (`crawler.page.robots_tag`). Cost: linear in the bytes of the first
`MAX_METAS` metas.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from crawler.page.found_tags import start_tags
from crawler.page.robots_tag import ENDS, robots_words

if TYPE_CHECKING:
    from datetime import datetime

    from crawler.page.model import PageModel

# Those of a page that are looked at.
MAX_METAS = 1000

_ATTRIBUTE = re.compile(
    rb"""[\s"'/]([a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE
)


def meta_words(model: PageModel, agent: str, *, at: datetime | None = None) -> set[str]:
    """Return the directives that metas of the page have for *agent*, and ``noindex`` if it ended before *at*."""
    ours, ends = agent.lower().encode(), ENDS.encode()
    found: set[str] = set()
    texts = [model.source[start:end] for start, end in start_tags(model, "meta", most=MAX_METAS)]
    # Nearly no page has one.
    said = b" ".join(texts).lower()
    if ends not in said and (not ours or ours not in said):
        return found
    for tag in map(bytes.lower, texts):
        if ends not in tag and (not ours or ours not in tag):
            continue
        values: dict[bytes, bytes] = {}
        for name, *value in _ATTRIBUTE.findall(tag):
            values.setdefault(name, b"".join(value))
        words = robots_words([values.get(b"content", b"")], agent, at=at)
        named = values.get(b"name", b"").strip()
        if named == b"robots" or (ours and named == ours):
            found |= words
    return found
