"""Rules of sites: what of a page is its gold text, as data that a user writes for sites of their own.

*On disk*, version 1, TOML, UTF-8; a table a site, of whose keys ``parts`` alone must be there::

    format = "winnow-gold-rules"
    version = 1

    [site.example]
    hosts = ["news.example.org"]       whose pages it is for, with their subdomains, on any port; without, it must be named
    language = "en"                    of the pages; in the package
    type = "news"                      likewise
    parts = [
        { name = "title", tag = "title", strip_prefix = "EXAMPLE " },
        { name = "teaser", tag = "p", class = "intro", optional = true },
        { name = "body", comments = ["text", "/text"] },
    ]
    exclude = [{ tag = "div", class = "box" }, { comments = ["ad", "/ad"] }]

A landmark is an element, by ``tag`` (any name, also none of HTML), ``class`` and ``id``, or a pair of ``comments``.
Each of these may be a list, of which one must be there. A part besides has a ``name``, and may have

    optional = true           a page without it is right, too
    all = true                all such, not the first alone
    within = {...}            only within this landmark, wherever it is
    after_comment = "..."     only from this comment on, in the element that holds it; of one that it stands in, the rest
    after_part = "NAME"       only behind this part, which stands before it in the list
    nested = "drop"           without elements of the same tag within it (Gottron's package yahoo)
    strip_prefix = "..."      the text without it, if it begins so, in letters of any case

Tags are in letters of any case, classes, ids and comments as the page writes them, whitespace in comments collapsed.
*Source: Gottron 2008, section 5.2.1 and appendix A, whose rules are in* ``gottron_2008.toml``.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from crawler.errors import InputError, cause
from crawler.urls.named_hosts import is_of_hosts, named_hosts
from pipelines.linguistics.language_codes import check_gold_code

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

FORMAT, VERSION = "winnow-gold-rules", 1
PUBLISHED = {"gottron-2008": Path(__file__).with_name("gottron_2008.toml")}
_TOP_KEYS = ("format", "version", "site")
_SITE_KEYS = ("hosts", "language", "type", "parts", "exclude")
_LANDMARK_KEYS = ("tag", "class", "id", "comments")
_FLAGS = ("optional", "all")
_PLACES = ("within", "after_comment", "after_part")
_PART_KEYS = ("name", *_LANDMARK_KEYS, *_FLAGS, *_PLACES, "nested", "strip_prefix")
_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Landmark:
    """An element of one of *tags*, *classes* and *ids*, each empty where any will do, or what is between *comments*."""

    tags: frozenset[str] = _NONE
    classes: frozenset[str] = _NONE
    ids: frozenset[str] = _NONE
    comments: tuple[frozenset[str], frozenset[str]] | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the gold text; the fields are the keys that the module tells."""

    name: str
    landmark: Landmark
    is_optional: bool = False
    is_all: bool = False
    within: Landmark | None = None
    after_comment: frozenset[str] = _NONE
    after_part: str = ""
    drops_nested: bool = False
    strip_prefix: str = ""


@dataclass(frozen=True, slots=True)
class SiteRule:
    """The rule of the site called *name*."""

    name: str
    parts: tuple[Part, ...]
    exclude: tuple[Landmark, ...] = ()
    hosts: tuple[str, ...] = ()
    language: str | None = None
    page_type: str | None = None

    def is_for(self, url: str) -> bool:
        """Tell whether it is for the page of *url*."""
        return is_of_hosts(url, self.hosts)


def read_rules(name: str | Path) -> dict[str, SiteRule]:
    """Return the rules in the file *name*, or the published ones of that name, by their sites, in the order of the
    file.

    Raises InputError for a file that cannot be read, and for a key or a value that is none.
    """
    path = PUBLISHED.get(str(name), Path(name))
    try:
        told = tomllib.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError) as error:
        published = ", ".join(PUBLISHED)
        raise InputError(
            f"{path} cannot be read as rules ({cause(error)}); give a TOML file, or {published}"
        ) from error
    _check_keys(str(path), told, _TOP_KEYS)
    if told.get("format") != FORMAT or told.get("version") != VERSION:
        _refuse(str(path), f'no rules of version {VERSION}; begin it with format = "{FORMAT}"')
    sites = told.get("site")
    if not isinstance(sites, dict) or not sites:
        _refuse(str(path), "no site; add a table [site.NAME]")
    return {site: _site(f"{path}, site {site}", site, table) for site, table in sites.items()}


def _refuse(where: str, what: str) -> NoReturn:
    raise InputError(f"{where}: {what}")


def _check_keys(where: str, table: Any, known: Collection[str]) -> None:
    if not isinstance(table, dict):
        _refuse(where, "no table; mend it")
    for key in table:
        if key not in known:
            _refuse(where, f"unknown key {key!r}; known are {', '.join(known)}")


def _site(where: str, name: str, table: Any) -> SiteRule:
    _check_keys(where, table, _SITE_KEYS)
    parts: list[Part] = []
    for number, each in enumerate(_tables(where, table, "parts"), 1):
        parts.append(_part(f"{where}, part {number}", each, [part.name for part in parts]))
    if not parts:
        _refuse(where, "no parts; add parts = [{...}]")
    exclude = [
        _landmark(f"{where}, exclude {number}", each, _LANDMARK_KEYS)
        for number, each in enumerate(_tables(where, table, "exclude"), 1)
    ]
    language = _text(where, table, "language") or None
    check_gold_code(f"{where}: language", language)
    return SiteRule(
        name,
        tuple(parts),
        tuple(exclude),
        tuple(named_hosts(_texts(where, table, "hosts"), f"{where}: hosts")),
        language,
        _text(where, table, "type") or None,
    )


def _part(where: str, table: Any, before: Sequence[str]) -> Part:
    landmark = _landmark(where, table, _PART_KEYS)
    is_optional, is_all = (_flag(where, table, flag) for flag in _FLAGS)
    if sum(place in table for place in _PLACES) > 1:
        _refuse(where, f"has more than one of {', '.join(_PLACES)}; give one")
    after_part = _text(where, table, "after_part")
    if after_part and after_part not in before:
        _refuse(where, f"after_part is {after_part!r}, no part before it; name one")
    nested = _text(where, table, "nested") or "keep"
    if nested not in {"keep", "drop"} or (nested == "drop" and landmark.comments):
        _refuse(where, f"nested is {nested!r}; give keep, or of an element drop")
    if "after_comment" in table and not landmark.tags:
        _refuse(where, "has after_comment without a tag; add one")
    return Part(
        _text(where, table, "name") or _refuse(where, "no name; add one"),
        landmark,
        is_optional,
        is_all,
        _landmark(f"{where}, within", table["within"], _LANDMARK_KEYS)
        if "within" in table
        else None,
        frozenset(_texts(where, table, "after_comment")),
        after_part,
        nested == "drop",
        _text(where, table, "strip_prefix"),
    )


def _landmark(where: str, table: Any, known: Collection[str]) -> Landmark:
    _check_keys(where, table, known)
    tags, classes, ids = (frozenset(_texts(where, table, key)) for key in ("tag", "class", "id"))
    if "comments" in table:
        pair = table["comments"]
        if tags or classes or ids:
            _refuse(where, "has comments and an element; give one of them")
        if not isinstance(pair, list) or len(pair) != 2:
            _refuse(where, f"comments is {pair!r}; give two, where it begins and where it ends")
        begins, ends = (frozenset(_texts(where, {"comments": each}, "comments")) for each in pair)
        if begins & ends or not (begins and ends):
            _refuse(where, f"comments is {pair!r}; give two that differ")
        return Landmark(comments=(begins, ends))
    if not (tags or classes or ids):
        _refuse(where, f"no landmark; add one of {', '.join(_LANDMARK_KEYS)}")
    return Landmark(frozenset(tag.lower() for tag in tags), classes, ids)


def _flag(where: str, table: Mapping[str, Any], key: str) -> bool:
    value = table.get(key, False)
    if not isinstance(value, bool):
        _refuse(where, f"{key} is {value!r}; give true or false")
    return value


def _tables(where: str, table: Mapping[str, Any], key: str) -> list[Any]:
    value = table.get(key, [])
    if not isinstance(value, list):
        _refuse(where, f"{key} is {value!r}; give a list of tables")
    return value


def _texts(where: str, table: Mapping[str, Any], key: str) -> list[str]:
    """Return the texts that *table* has as *key*, of which there may be one or a list; whitespace collapsed."""
    value = table.get(key, [])
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(
        isinstance(each, str) and each.strip() for each in texts
    ):
        _refuse(where, f"{key} is {value!r}; give a text, or a list of texts")
    return [" ".join(each.split()) for each in texts]


def _text(where: str, table: Mapping[str, Any], key: str) -> str:
    """Return the text that *table* has as *key*, "" where it has none."""
    value = table.get(key, "")
    if not isinstance(value, str):
        _refuse(where, f"{key} is {value!r}; give a text")
    return value
