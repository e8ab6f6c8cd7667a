"""Titles without the name of their site, and what tells a headline that words one otherwise."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_TITLE_CHARS = 1000
# Shorter parts of a host's name are in many words.
_MIN_HOST_CHARS = 4
_MAX_SITE_NAME_CHARS = 40

_ELLIPSIS = re.compile(r"\.{3}|…")
PATH_SIGNS = frozenset("»›>")
# What a program leaves that puts nothing before or behind the name of a site.
_DANGLING = re.compile(r"\A[|–—:»«·•/>-]+\s+|\s+[|–—:»«·•/>-]+\Z")
_BRACKETED_END = re.compile(r"(?<=\S)\s(?:\([^()]{1,80}\)|\[[^\[\]]{1,80}\])\Z")
# How many messages wait for who has saved the page.
_COUNT = re.compile(r"\(\d[^()]{0,40}\)\s+")
_NOT_ALNUM = re.compile(r"[\W_]+")
# The same of ASCII.
_NO_ALNUM = bytes(byte for byte in range(128) if not chr(byte).isalnum())
_SMALL = bytes(range(256)).lower()
# Of scripts without blanks, each letter.
_WORD = re.compile("[\u3040-\u30ff\u3400-\u9fff]|[^\\W_\u3040-\u30ff\u3400-\u9fff]++")
_MIN_HEADLINE_WORDS = 3
# Each separator has one of them.
_SIGNS = frozenset("|-–—:»«›‹·•∙⋅⋆~*¦❘/><｜_－")
SEPARATOR = re.compile(
    r"(\s+[|\-–—:»«›‹·•∙⋅⋆~*¦❘/><]+\s+|\s*[|｜_]\s*|(?<=[\u3400-\u9fff”》）])[-－](?=[\u3400-\u9fff]))"
)
# Between the name of a site and the title of a page, in this order; each end is a search through all texts.
_BEHIND_SITE = re.compile(r"[:»›>/]\s+")
_MAX_ENDS = 4
MIN_PART_BYTES = 20
# Between the name of a site and the title of a page: phpBB 3, viewtopic.php, in eight languages; the first theme of
# WordPress, header.php.
_BEFORE_TITLE = frozenset(
    {
        *("viewtopic", "themaanzeigen", "voirlesujet", "vertema", "leggiargomento"),
        *("zobacztemat", "bekijkonderwerp", "просмотртемы"),
        *("blogarchive", "blogarchiv", "archivedublog", "archivodelblog", "arquivodoblog"),
        *("blogarchief", "архивблога"),
    }
)


def without_site_name(
    title: str, site_names: Sequence[str | None], host: str, heading: str | None
) -> str:
    """Return *title* without the parts that name the site, at its end or its start.

    Such a part equals one of *site_names*, or is a name of *host*; before a colon it equals one. A title that has
    the *heading* of the page among its parts, or before brackets at its end or "on" the site, is cut to it.

    >>> without_site_name("Rain again - News | The Daily", ["The Daily"], "daily.example", None)
    'Rain again - News'
    """
    title = _without_count(title[:MAX_TITLE_CHARS], heading)
    brackets = _BRACKETED_END.search(title)
    if brackets and _is_same(title[: brackets.start()], heading or ""):
        return title[: brackets.start()]
    if _SIGNS.isdisjoint(title):
        return title
    pieces = SEPARATOR.split(title)
    parts, separators = pieces[0::2], pieces[1::2]
    known = {bare(name) for name in site_names if name}
    if len(parts) == 1:
        return _without_name_before_colon(title, known, heading)
    if len(parts) > 12:
        return title
    is_path = not PATH_SIGNS.isdisjoint(separators[0])
    # The first step of a path is the site, which blogs have as their heading.
    named = heading and _heading_among(parts[1:] if is_path else parts, heading, known, host)
    if named:
        return named
    n_before = next((n for n, part in enumerate(parts[:-1], 1) if bare(part) in _BEFORE_TITLE), 0)
    del parts[:n_before], separators[:n_before]
    while len(parts) > 1 and _names_site(parts[-1], known, host):
        parts.pop()
        separators.pop()
    while len(parts) > 1 and _names_site(parts[0], known, host):
        del parts[0], separators[0]
    joined = parts[0] + "".join(
        separator + part for separator, part in zip(separators, parts[1:], strict=True)
    )
    return joined.strip() or title


def _is_same(name: str, heading: str) -> bool:
    return bool(bare(name)) and bare(name) == bare(heading)


def _without_count(title: str, heading: str | None) -> str:
    """Return *title* without a number in brackets before the *heading*."""
    count = _COUNT.match(title)
    if count is None or not bare(heading or ""):
        return title
    rest = title[count.end() :]
    return rest if bare(rest).startswith(bare(heading or "")) else title


def _heading_among(parts: Sequence[str], heading: str, known: set[str], host: str) -> str | None:
    """Return the first of *parts*, or what stands in one behind a colon or before the site's name, that is the
    *heading*.
    """
    for part in parts:
        if not _names_site(part, known, host):
            for name in (part, part.partition(": ")[2]):
                if _is_same(name, heading):
                    return name.strip()
        elif _is_on_site(part, heading, known, host):
            return heading
    return None


def _is_on_site(part: str, heading: str, known: set[str], host: str) -> bool:
    """Tell whether *part* is the *heading* and then, as in "Rain again on The Daily", names the site."""
    rest = part[len(heading) :]
    is_heading = part.startswith(heading) and len(rest.split()) > 1 and rest[0].isspace()
    return is_heading and _names_site(rest, known, host) and not _names_site(heading, known, host)


def _without_name_before_colon(title: str, known: set[str], heading: str | None) -> str:
    """Return what stands behind a colon, where a site is named before it or the *heading* has the rest.

    Other words before one are of the title itself.
    """
    before, colon, rest = title.partition(": ")
    is_rest = bool(bare(rest)) and (bare(before) in known or _is_same(rest, heading or ""))
    return rest.strip() if colon and is_rest else title


def without_dangling(text: str) -> str:
    """Return *text* without signs at its ends between which and the site's name nothing stands.

    >>> without_dangling("The Daily -"), without_dangling("-"), without_dangling(":: Daily ::")
    ('The Daily', '-', 'Daily')
    """
    return _DANGLING.sub("", text.strip()) or text


def is_cut(title: str, whole: str | None) -> bool:
    """Tell whether *title* is the beginning of *whole*, cut off with an ellipsis that *whole* has not.

    >>> is_cut("The trend in...", "The trend in watches"), is_cut("And then...", "And then...")
    (True, False)
    """
    if not whole or not title.endswith(("...", "…")) or _ELLIPSIS.search(whole):
        return False
    beginning = bare(title)
    return bool(beginning) and bare(whole).startswith(beginning)


def is_headline(heading: str, title: str) -> bool:
    """Tell whether *heading* says what *title* says in other words: half of the words of each are in the other.

    One that has the whole title in it begins or ends with what is no part of one: its kind, or who wrote it.

    >>> is_headline("It rained in the north again", "North: it rained again"), is_headline("News: Rain again", "Rain again")
    (True, False)
    """
    if bare(title) in bare(heading):
        return False
    words, others = (
        set(_WORD.findall(text[:MAX_TITLE_CHARS].casefold())) for text in (heading, title)
    )
    n_shared = 2 * len(words & others)
    return len(words) >= _MIN_HEADLINE_WORDS and n_shared >= max(len(words), len(others))


def is_site(name: str, site_names: Sequence[str | None], host: str) -> bool:
    """Tell whether *name* is one of *site_names*, or a name of *host*.

    >>> is_site("The Daily", [None], "www.thedaily.example"), is_site("Jane Doe", [], "daily.example")
    (True, False)
    """
    return _names_site(name, {bare(site) for site in site_names if site}, host)


def title_parts(title: str) -> list[str]:
    """Return the parts of *title* between its separators, one or more.

    >>> title_parts("Rain again - News | The Daily")
    ['Rain again', 'News', 'The Daily']
    """
    return SEPARATOR.split(title[:MAX_TITLE_CHARS])[0::2]


def title_ends(title: str) -> Iterator[bytes]:
    """Yield what *title* says behind each of its first separators of a site's name, but for short words.

    >>> [*title_ends("The Daily: Rain again in the north")]
    [b'Rain again in the north']
    """
    for match in islice(_BEHIND_SITE.finditer(title), _MAX_ENDS):
        end = title[match.end() :].encode("utf-8", "surrogatepass")
        if len(end) >= MIN_PART_BYTES:
            yield end


def _names_site(part: str, known: set[str], host: str) -> bool:
    name = bare(part)
    if not name or name in known:
        return True
    host = host.removeprefix("www.")
    labels = [bare(label) for label in host.split(".")[:-1]]
    if len(name) > 2 and (name == bare(host) or name in labels):
        return True
    is_short = len(part) <= _MAX_SITE_NAME_CHARS
    return is_short and any(len(label) >= _MIN_HOST_CHARS and label in name for label in labels)


def bare(text: str) -> str:
    """Return the letters and digits of *text*, small.

    >>> bare("The Daily-News!")
    'thedailynews'
    """
    if text.isascii():
        return text.encode().translate(_SMALL, _NO_ALNUM).decode()
    return _NOT_ALNUM.sub("", text).casefold()
