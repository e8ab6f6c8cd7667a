"""What tags of a page hold: the value of one, the name in a scope of microdata, an author's in an attribute of its own.

*start* and *end* of a tag are bytes of the source, the latter that of its ``>``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from crawler.page.attributes import decoded_value
from crawler.page.shown_text import text_of
from crawler.page.words import as_shown
from pipelines.metadata.authors import author_names, is_by

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    import numpy.typing as npt

MAX_VALUE_BYTES = 2000
# How far behind its tag a scope is looked through, in bytes.
_SCOPE_BYTES = 1000
_VALUE = re.compile(
    rb"""[\s"'](?:content|datetime)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"']++))""", re.IGNORECASE
)
# HTML standard, section 5.2.2: an element with ``itemscope`` is an item, whose properties stand within it.
_OPENS_SCOPE = re.compile(rb"[\s\"']itemscope(?=[\s=/>]|\Z)", re.IGNORECASE)
_NAME = re.compile(
    rb"""<[a-z][^<>]*\sitemprop\s*+=\s*+["']?name(?=["'\s>/])[^<>]*+>""", re.IGNORECASE
)
_TEXT = re.compile(rb"([^<]*+)")
# So name forums and sites of questions who wrote a post: XenForo, Reddit, Stack Exchange.
_AUTHOR = re.compile(
    rb"""[\s"'](?:data-)?author(?:-(?:user)?name)?\s*+=\s*+(?:"([^"<>]*+)"|'([^'<>]*+)')""",
    re.IGNORECASE,
)


# HTML standard, section 5.2.3; the word is written small wherever it is written by a program.
_REVIEW = re.compile(rb"""itemprop\s*+=\s*+["']?reviews?["'\s/>]""")


def first_review(source: bytes) -> int:
    """Return where the first review of what the page is about begins, by microdata; the end without one.

    Behind it authors and dates are those of reviews: what has them need not be closed to be told from the page.
    """
    found = _REVIEW.search(source)
    return len(source) if found is None else found.start()


def value_of_tag(source: bytes, start: int, end: int) -> str | None:
    """Return the ``content`` or ``datetime`` of a tag, else the ``name`` of the item that it opens.

    >>> page = b'<div itemprop=author itemscope><meta itemprop="name" content="jane"></div>'
    >>> value_of_tag(page, 0, page.find(b">"))
    'jane'
    """
    value = _VALUE.search(source, start, end)
    if value or not _OPENS_SCOPE.search(source, start, end):
        return _text(value)
    name = _NAME.search(source, end, end + _SCOPE_BYTES)
    if name is None:
        return None
    return _text(_VALUE.search(name[0])) or text_behind(source, name.end() - 1) or None


def text_behind(source: bytes, end: int) -> str:
    """Return the text between the tag that ends at *end* and the next one.

    >>> text_behind(b"Posted on Monday by <a rel=author>Jane Doe</a>", 33)
    'Jane Doe'
    """
    return _text(_TEXT.match(source, end + 1, end + MAX_VALUE_BYTES)) or ""


def own_text(source: bytes, runs: npt.NDArray[np.uint32], text: str) -> str:
    """Return *text*, that of a block; of one in which boxes touch, as in "vonJane Doe5 May", the first of *runs*.

    *runs*: uint32[2, 3], rows of start, end and block. The second one is taken where the first is "by" alone.
    """
    for start, end, block in runs.tolist():
        own = text_of(source[start:end], verbatim=False).strip()
        if is_by(own):
            continue
        place = text.find(own) if block == int(runs[0, 2]) else -1
        around = text[:place][-1:] + text[place + len(own) :][:1] if place >= 0 else ""
        return own if own and any(map(str.isalnum, around)) else text
    return text


def name_in_attributes(source: bytes, tags: Iterable[tuple[int, int]]) -> str | None:
    """Return the author that the first of *tags* with such an attribute names: further ones wrote answers.

    >>> page = b'<article data-author="Jane_D">'
    >>> name_in_attributes(page, [(0, len(page) - 1)])
    'Jane_D'
    """
    found = (_text(_AUTHOR.search(source, start, end)) for start, end in tags)
    return author_names([next(filter(None, found), "")])


def _text(found: re.Match[bytes] | None) -> str | None:
    if found is None:
        return None
    value = next(filter(None, found.groups()), b"")[:MAX_VALUE_BYTES]
    return as_shown(decoded_value(value.decode("utf-8", "replace")))
