"""What tags of a page hold: the value of one, the name in a scope of microdata, an author's in an attribute of its own.

*start* and *end* of a tag are bytes of the source, the latter that of its ``>``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from crawler.page.attributes import decoded_value
from crawler.page.shown_text import text_of
from crawler.page.tags import VOID
from crawler.page.words import as_value
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

# The formatted name in an hCard, whatever it looks like, as blogs of Blogger have it.
_HCARD = re.compile(rb"[\s\"']vcard[\s\"'>]")
_FORMATTED_NAME = re.compile(
    rb"""<[a-z][^<>]*\sclass\s*+=\s*+["']?fn(?=["'\s>])[^<>]*+>([^<]*+)<"""
)
_MAX_FORMATTED_WORDS = 4
# Where scripts that say how long ago something was have the date itself, too.
_TITLE = re.compile(
    rb"""[\s"'](?:title|data-(?:date|datetime|published|time|timestamp))\s*+="""
    rb"""\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"']++))""",
    re.IGNORECASE,
)
_TAG_NAME = re.compile(rb"</?([a-zA-Z][^\s/>]*+)")
# How far before a tag the word stands that says what its date is of, in bytes.
_WORDS_BYTES = 120
_CHANGED = re.compile(rb"updated|modified")
_CHANGED_BEFORE = re.compile(
    rb"(?:updated|modified|revised|edited|aktualisiert|mis \xc3\xa0 jour|actualizado|aggiornato|bijgewerkt)"
    rb"(?:\s(?:on|at|am|le|el|il|op))?[\s:]*(?:<[^<>]*>[\s:]*){0,3}\Z"
)


# HTML standard, section 5.2.3; the word is written small wherever it is written by a program.
_REVIEW = re.compile(rb"""itemprop\s*+=\s*+["']?reviews?["'\s/>]""")


def first_review(source: bytes) -> int:
    """Return where the first review of what the page is about begins, by microdata; the end without one.

    Behind it authors and dates are those of reviews: what has them need not be closed to be told from the page.
    """
    # Most pages have no microdata, and an expression is looked for slowly.
    first = source.find(b"itemprop")
    found = _REVIEW.search(source, first) if first >= 0 else None
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


def own_text(source: bytes, runs: npt.NDArray[np.uint32]) -> tuple[str, bool]:
    """Return the text of the one of *runs* before which "by" alone stands in its block, else of the first; and which.

    *runs*: uint32[n, 3], rows of start, end and block.
    """
    texts = [text_of(source[start:end], verbatim=False).strip() for start, end, _ in runs.tolist()]
    for place in range(len(texts) - 1):
        if is_by(texts[place]) and runs[place, 2] == runs[place + 1, 2]:
            return texts[place + 1], True
    return texts[0], False


def formatted_name(source: bytes, start: int, end: int) -> str | None:
    """Return the formatted name in the hCard that the tag from *start* to *end* opens; None for a text, or another tag.

    >>> formatted_name(b"<b class='author vcard'>Posted by <b class=fn>the old man</b>", 0, 23)
    'the old man'
    """
    if not _HCARD.search(source, start, end + 1):
        return None
    name = _text(_FORMATTED_NAME.search(source, end, end + _SCOPE_BYTES)) or ""
    return author_names([name]) if len(name.split()) <= _MAX_FORMATTED_WORDS else None


def touches(own: str, text: str) -> bool:
    """Tell whether *own*, the text of a box, runs into other words of its block's *text*.

    >>> touches("Jane Doe", "vonJane Doe5 May"), touches("Jane Doe", "von Jane Doe")
    (True, False)
    """
    place = text.find(own) if own else -1
    around = text[:place][-1:] + text[place + len(own) :][:1] if place >= 0 else ""
    return any(map(str.isalnum, around))


def is_over(source: bytes, start: int, end: int, place: int) -> bool:
    """Tell whether the element whose tag is from *start* to *end* ends before *place*.

    >>> page = b"<i class=author><i></i></i><p>Home"
    >>> is_over(page, 0, 15, 30), is_over(page, 0, 15, 20)
    (True, False)
    """
    return end_of_element(source, start, end, place) is not None


def end_of_element(source: bytes, start: int, end: int, place: int) -> int | None:
    """Return where the element whose tag is from *start* to *end* ends if that is before *place*.

    >>> end_of_element(b"<i class=author><i></i></i><p>Home", 0, 15, 30)
    23
    """
    named = _TAG_NAME.match(source, start, end)
    name = named[1].lower() if named else b""
    if not name or name.decode("latin-1") in VOID:
        return end
    n_open = 1
    for tag in _TAG_NAME.finditer(source, end, place):
        if tag[1].lower() == name:
            n_open += -1 if tag[0][1:2] == b"/" else 1
            if not n_open:
                return tag.start()
    return None


def title_of_tag(source: bytes, start: int, end: int) -> str | None:
    """Return the ``title`` of a tag, or data of it, where the date is that a person does not see.

    >>> title_of_tag(b"<abbr class=published title='2008-03-05'>", 0, 40)
    '2008-03-05'
    """
    return _text(_TITLE.search(source, start, end))


def is_of_change(small: bytes, start: int, end: int) -> bool:
    """Tell whether the tag from *start* to *end* has the date of a change, by its attributes or the words before it.

    >>> is_of_change(b"updated on <time>", 11, 16), is_of_change(b"updated: 1 - published <time>", 23, 28)
    (True, False)
    """
    if _CHANGED.search(small, start, end):
        return b"publish" not in small[start:end]
    return _CHANGED_BEFORE.search(small, max(0, start - _WORDS_BYTES), start) is not None


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
    return as_value(decoded_value(value.decode("utf-8", "replace")))
