"""Authors that stand beside each other: in elements of one kind with no more than an "and" between them, or in a list.

Who follows behind other text, as in a teaser, below an answer or in a box at the end, wrote something else, or is named
once more. Elements are of one kind if their tags have the same name and the same words in the same attribute.
"""

from __future__ import annotations

import re
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.page.shown_text import text_of
from crawler.page.words import as_value
from pipelines.metadata.authors import (
    MAX_AUTHORS,
    author_names,
    byline_names,
    is_full_name,
    shown_names,
)
from pipelines.metadata.behind_names import is_raised
from pipelines.metadata.tag_values import end_of_element, value_of_tag

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from crawler.page import PageModel

# How far behind its tag an element may end, with a picture and some words of its author.
_MAX_ELEMENT_BYTES = 4000
# More runs of text are no names.
_MAX_RUNS = 4 * MAX_AUTHORS
_SIGNS = r"\s,;:：、|/&+·•–—-"
_AND = "and|und|et|y|e|i|и|og|och|en"
_BETWEEN = re.compile(rf"(?:[{_SIGNS}]|\b(?:{_AND}|by|von|par|por|di|door|av)\b)*", re.IGNORECASE)
_AND_BEFORE = re.compile(rf"\A[{_SIGNS}]*+(?:\b(?:{_AND})\s)?")
_AND_BEHIND = re.compile(rf"\s(?:{_AND}|&)\Z")
_LIST = re.compile(rb"authors\Z|authors?[-_]*list")
_HAN_NAME = re.compile("[\u3400-\u9fff]{2,4}")


class AuthorTag(NamedTuple):
    """A tag called *name* from *start* to *end* of the source, whose *attribute* names an author by *words*."""

    start: int
    end: int
    name: bytes
    attribute: bytes
    words: frozenset[bytes]

    def is_like(self, first: AuthorTag) -> bool:
        """Tell whether this tag is of the kind of *first*; one more word may say that it is not."""
        return self[2:4] == first[2:4] and self.words <= first.words

    @property
    def takes_one_word(self) -> bool:
        """Whether a name beside others may be a single word: links to anything are said to be of an author."""
        return self.attribute in {b"itemprop", b"property"}


def with_others(names: str, page: PageModel, tags: Sequence[AuthorTag]) -> str:
    """Return *names*, found in the first of *tags*, or more of them if the others go on with it."""
    several = _names_of_several(page, tags) or ""
    return several if several.count(";") > names.count(";") else names


def _names_of_several(page: PageModel, tags: Sequence[AuthorTag]) -> str | None:
    for place, tag in enumerate(tags):
        # The first may be a box around others.
        if not _is_between(page, tags[0].end, tag.start):
            break
        # A tag comes once for each of its words.
        alike = {one.start: one for one in tags[place:] if one.is_like(tag)}
        names = _names_beside(page, [*alike.values()])
        if names:
            return names
    return _names_listed(page, tags[0])


def _names_beside(page: PageModel, tags: Sequence[AuthorTag]) -> str | None:
    """Return the names in *tags*, all of one kind, up to the first behind which something else stands."""
    found: list[str] = []
    ends = [*(behind.start for behind in tags[1:]), len(page.source)]
    for tag, behind in zip(tags, ends, strict=True):
        end = _end_of(page, tag, behind)
        names = _names_in(page, tag, end)
        if names:
            found.append(names)
        if not ((names or _is_between(page, tag.end, end)) and _is_between(page, end, behind)):
            break
    return _several(found)


def _names_listed(page: PageModel, tag: AuthorTag) -> str | None:
    """Return the names in the element of *tag* if it is a list that has nothing else."""
    end = end_of_element(page.source, tag.start, tag.end, tag.end + _MAX_ELEMENT_BYTES)
    if end is None or not any(map(_LIST.search, tag.words)):
        return None
    runs = _runs(page, tag.end, end)
    for texts in ([text for _, text in runs], _by_block(runs)):
        names = [_people(text) for text in texts if not _BETWEEN.fullmatch(text)]
        if all(names):
            return _several(filter(None, names))
    return None


def _end_of(page: PageModel, tag: AuthorTag, behind: int) -> int:
    """Return where the element of *tag* ends, or its first block if that is never closed, at most at *behind*."""
    most = min(tag.end + _MAX_ELEMENT_BYTES, behind)
    end = end_of_element(page.source, tag.start, tag.end, most)
    if end is not None:
        return end
    run = int(page.found_runs[:, 0].searchsorted(np.uint32(tag.end)))
    rows = page.found_runs[run : run + _MAX_RUNS].tolist()
    return min(next((start for start, _, block in rows if block != rows[0][2]), most), most)


def _names_in(page: PageModel, tag: AuthorTag, end: int) -> str | None:
    """Return the names in the element of *tag* up to *end*: all that it says, or its first block."""
    value = value_of_tag(page.source, tag.start, tag.end)
    texts = [value] if value else _by_block(_runs(page, tag.end, end))
    found = (
        _people(text, takes_one_word=tag.takes_one_word) for text in (" ".join(texts), *texts[:1])
    )
    return next(filter(None, found), None)


def _people(text: str, *, takes_one_word: bool = False) -> str | None:
    """Return the names in *text* if all are of people."""
    text = _AND_BEHIND.sub("", _AND_BEFORE.sub("", text, count=1))
    names = byline_names(text) or shown_names(text, takes_one_word=takes_one_word)
    are_people = takes_one_word or all(map(_is_person, (names or "").split("; ")))
    return names if are_people else None


def _is_person(name: str) -> bool:
    return is_full_name(name) or _HAN_NAME.fullmatch(name) is not None


def _is_between(page: PageModel, start: int, end: int) -> bool:
    """Tell whether from *start* to *end* of the source no more than an "and" or a comma is to be read."""
    return all(_BETWEEN.fullmatch(text) for _, text in _runs(page, start, end))


def _runs(page: PageModel, start: int, end: int) -> list[tuple[int, str]]:
    """Return block and text of the first runs that begin between *start* and *end* of the source, but marks of notes."""
    first, last = page.found_runs[:, 0].searchsorted(np.array([start, end], np.uint32)).tolist()
    rows = page.found_runs[first : min(last, first + _MAX_RUNS)].tolist()
    return [
        (block, as_value(text_of(page.source[a:b], verbatim=False)))
        for a, b, block in rows
        if not is_raised(page.source, a)
    ]


def _by_block(runs: Iterable[tuple[int, str]]) -> list[str]:
    """Return the texts of *runs*, those of one block as one."""
    return [" ".join(text for _, text in block) for _, block in groupby(runs, itemgetter(0))]


def _several(names: Iterable[str]) -> str | None:
    found = author_names(name for some in names for name in some.split("; "))
    return found if found and ";" in found else None
