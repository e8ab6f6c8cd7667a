"""What a page declares: the ``meta`` tags that say who wrote it, when, and what it is called; its JSON-LD.

The first of several values of a name counts, but for those of authors. Names are read in any
case of letters; a value is cut at MAX_VALUE_BYTES.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.page.attributes import decoded_value
from crawler.page.json_ld import MAX_SCRIPT_BYTES
from crawler.page.words import as_value
from pipelines.metadata.meta_names import NAMES
from pipelines.metadata.places import JSON_LD, MAX_FOUND, MAX_TAG_BYTES, declarations
from pipelines.metadata.tag_values import first_review

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MAX_VALUE_BYTES = 4000

_REPEATED = frozenset(
    {
        *("author", "article:author", "citation_author", "dc.creator", "dcterms.creator"),
        *("dc.contributor", "parsely-author"),
    }
)
# What microdata says of reviews, too.
_OF_REVIEWS = frozenset({"author", "datepublished", "datecreated"})
_WHOLE_REFERENCE = re.compile(r"&(?:#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|[A-Za-z][A-Za-z0-9]{1,30});")


class Declarations(NamedTuple):
    """*meta*: the values of known names, those of authors all of them; *scripts*: the JSON-LD."""

    meta: Mapping[str, Sequence[str]]
    scripts: Sequence[bytes]


def read_declarations(source: bytes) -> Declarations:
    """Return what the tags of *source*, UTF-8, declare.

    >>> read_declarations(b'<META content="Jane &amp; Co" Name=Author>').meta
    {'author': ['Jane & Co']}
    """
    found = np.empty((MAX_FOUND, 3), np.int64)
    n_found = declarations(np.frombuffer(source, np.uint8), found)
    meta: dict[str, list[str]] = {}
    scripts = []
    reviews: int | None = None
    for number, start, end in found[:n_found].tolist():
        if number == JSON_LD:
            behind = source.find(b"</script", start, start + MAX_SCRIPT_BYTES)
            if behind > 0:
                scripts.append(source[start:behind])
        elif (name := NAMES[number]) not in meta or name in _REPEATED:
            if name in _OF_REVIEWS and _is_property(source, start):
                reviews = first_review(source) if reviews is None else reviews
                if start > reviews:
                    continue
            text = _text(source[start : min(end, start + MAX_VALUE_BYTES)])
            if text:
                meta.setdefault(name, []).append(text)
    return Declarations(meta, scripts)


def _is_property(source: bytes, place: int) -> bool:
    """Tell whether the tag around *place* is microdata."""
    start = source.rfind(b"<", max(0, place - MAX_TAG_BYTES), place)
    end = source.find(b">", place, place + MAX_TAG_BYTES)
    return b"itemprop" in source[max(0, start) : end]


def _text(value: bytes) -> str:
    text = value.decode("utf-8", "replace")
    if "&" in text:
        # Programs that write pages encode what was encoded before: "&amp;hellip;".
        text = _WHOLE_REFERENCE.sub(lambda match: decoded_value(match[0]), decoded_value(text))
    return as_value(text)


def first(meta: Mapping[str, Sequence[str]], names: Iterable[str]) -> str | None:
    """Return the first value of the first of *names* that has one."""
    return next((meta[name][0] for name in names if name in meta), None)
