"""The ``meta`` tags of a page that say who wrote it, when, and what it is called.

The first of several values of a name counts, but for the authors of a paper. Names are read in any
case of letters; a value is cut at MAX_VALUE_BYTES.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.page.attributes import decoded_value
from pipelines.metadata.json_ld import MAX_SCRIPT_BYTES
from pipelines.metadata.places import JSON_LD, MAX_JSON_LD, MAX_META, declarations

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MAX_VALUE_BYTES = 4000
_MAX_TAG_BYTES = 8000

TITLE = (
    "og:title",
    "twitter:title",
    "citation_title",
    "dc.title",
    "dcterms.title",
    "parsely-title",
)
AUTHOR = (
    *(
        "author",
        "article:author",
        "citation_author",
        "dc.creator",
        "dcterms.creator",
        "dc.contributor",
    ),
    *("parsely-author", "sailthru.author", "byl", "article:author_name", "cxenseparse:author"),
    *("og:article:author", "twitter:data1_author", "rbauthors", "shareaholic:article_author_name"),
)
DATE = (
    *("article:published_time", "og:article:published_time", "og:published_time", "datepublished"),
    *("article:published", "published_time", "citation_publication_date", "citation_date"),
    *(
        "citation_online_date",
        "dc.date.issued",
        "dcterms.issued",
        "dc.date.created",
        "dcterms.created",
    ),
    *("parsely-pub-date", "sailthru.date", "cxenseparse:recs:publishtime", "rnews:datepublished"),
    *(
        "pubdate",
        "publishdate",
        "publish-date",
        "publish_date",
        "published-date",
        "publication_date",
    ),
    *(
        "publication-date",
        "pub_date",
        "ptime",
        "displaydate",
        "originalpublicationdate",
        "date_published",
    ),
    *(
        "article.published",
        "article.created",
        "dc.date",
        "dcterms.date",
        "date",
        "datecreated",
        "created",
    ),
)
DESCRIPTION = (
    *(
        "description",
        "og:description",
        "twitter:description",
        "dc.description",
        "dcterms.description",
    ),
)
SITE_NAME = ("og:site_name", "application-name", "citation_journal_title", "dc.publisher")
PAGE_TYPE = ("og:type",)
_NAMES = frozenset((*TITLE, *AUTHOR, *DATE, *DESCRIPTION, *SITE_NAME, *PAGE_TYPE))
_REPEATED = frozenset({"author", "article:author", "citation_author", "dc.creator"})
_NAME = re.compile(
    rb"""(?:name|property|itemprop)\s*+=\s*+["']?\s*+([^"'\s>]{1,60}+)""", re.IGNORECASE
)
_ATTRIBUTES = re.compile(rb"""(?>(?:[^>"'=]++|=\s*+(?:"[^"]*+"|'[^']*+')?|["'])*)""")
_CONTENT = re.compile(
    rb"""(?:^|[\s"'/])content\s*+=\s*+(?:"([^"]*+)"?|'([^']*+)'?|([^\s>"']++))""", re.IGNORECASE
)
_WHOLE_REFERENCE = re.compile(r"&(?:#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|[A-Za-z][A-Za-z0-9]{1,30});")


class Declarations(NamedTuple):
    """*meta*: the values of the names above, those of authors all of them; *scripts*: the JSON-LD."""

    meta: Mapping[str, Sequence[str]]
    scripts: Sequence[bytes]


def read_declarations(source: bytes) -> Declarations:
    """Return what the tags of *source*, UTF-8, declare.

    >>> read_declarations(b'<META content="Jane &amp; Co" Name=Author>').meta
    {'author': ['Jane & Co']}
    """
    found = np.empty((MAX_META + MAX_JSON_LD, 2), np.int64)
    n_found = declarations(np.frombuffer(source, np.uint8), found)
    meta: dict[str, list[str]] = {}
    scripts = []
    for kind, place in found[:n_found].tolist():
        if kind == JSON_LD:
            end = source.find(b"</script", place, place + MAX_SCRIPT_BYTES)
            if end > 0:
                scripts.append(source[place:end])
        else:
            _read_meta(source, place, meta)
    return Declarations(meta, scripts)


def _read_meta(source: bytes, place: int, meta: dict[str, list[str]]) -> None:
    """Add the value of the ``meta`` tag whose attributes begin at *place*, if its name is known."""
    limit = place + _MAX_TAG_BYTES
    end = source.find(b">", place, limit)
    if end < 0 or source.count(b'"', place, end) % 2 or source.count(b"'", place, end) % 2:
        # The sign stands in a value.
        tag = _ATTRIBUTES.match(source, place, limit)
        end = tag.end() if tag else place
    written = _NAME.findall(source, place, end)
    names = [name for name in map(_small, written) if name in _NAMES]
    if not names:
        return
    content = _CONTENT.search(source[place:end])
    if content is None:
        return
    value = (content[1] or content[2] or content[3] or b"")[:MAX_VALUE_BYTES]
    text = " ".join(_decoded_twice(value.decode("utf-8", "replace")).split())
    for name in names if text else ():
        if name not in meta or name in _REPEATED:
            meta.setdefault(name, []).append(text)


def _decoded_twice(value: str) -> str:
    # Programs that write pages encode what was encoded before: "&amp;hellip;".
    text = decoded_value(value)
    return _WHOLE_REFERENCE.sub(lambda match: decoded_value(match[0]), text)


def _small(name: bytes) -> str:
    return name.decode("utf-8", "replace").lower()


def first(meta: Mapping[str, Sequence[str]], names: Iterable[str]) -> str | None:
    """Return the first value of the first of *names* that has one."""
    return next((meta[name][0] for name in names if name in meta), None)
