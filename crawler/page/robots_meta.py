"""Robots metas that the scan leaves: those for one robot by its name, and a page's end.

Source: https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag. ``<meta name=winnow
content=noindex>`` is for us alone; ``unavailable_after: DATE`` is ``noindex`` from that time on. What a content
says is read as the header of the same words (`crawler.page.robots_tag`). Cost: linear in the bytes of the first
`MAX_METAS` metas.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.robots_tag import ENDS, robots_words
from crawler.page.scanning.names import TAG_ID
from crawler.page.scanning.state import IS_END_TAG, N_END, N_NAME, N_START

if TYPE_CHECKING:
    from datetime import datetime

    from crawler.page.model import PageModel

# Those of a page that are looked at.
MAX_METAS = 1000

_META = TAG_ID["meta"]
# The number of the name, and whether the tag is an end.
_NAME_OF_START = 2 * IS_END_TAG - 1
_ATTRIBUTE = re.compile(
    rb"""[\s"'/]([a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE
)


def meta_words(model: PageModel, agent: str, *, at: datetime | None = None) -> set[str]:
    """Return the directives that metas of the page have for *agent*, and ``noindex`` if it ended before *at*."""
    tags = model.found_tags
    metas = tags[np.flatnonzero(tags[:, N_NAME] & _NAME_OF_START == _META)[:MAX_METAS]]
    ours, ends = agent.lower().encode(), ENDS.encode()
    found: set[str] = set()
    places = zip(metas[:, N_START].tolist(), metas[:, N_END].tolist(), strict=True)
    texts = [model.source[start:end] for start, end in places]
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
