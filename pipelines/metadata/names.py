"""Names of authors and sites, and titles without the name of their site."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipelines.metadata.dates import MONTHS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_AUTHORS = 10
MAX_NAME_CHARS = 80
MAX_TITLE_CHARS = 1000
# All that is looked at of a text that may be names: as much as a value of an attribute may have.
_MAX_NAMES_CHARS = 2000
_MAX_NICKNAME_CHARS = 30
# Shorter parts of a host's name are in many words.
_MIN_HOST_CHARS = 4
_MAX_SITE_NAME_CHARS = 40

# "By" in some languages, as a word of its own or before a colon.
_BY = (
    r"by|written by|posted by|published by|von|text von|par|por|publicado por|di|scritto da|door|av|"
    r"af|autor|autorka|author|authors|auteur|автор|автори|текст|συντάκτης|yazan"
)
_BY_START = re.compile(
    rf"(?:{_BY})\s*[:：]\s*|(?:{_BY})\s+|(?:作者|記者|记者|撰文|文)\s*[:：/／]\s*", re.IGNORECASE
)
_BY_ALONE = re.compile(rf"(?:{_BY}|作者|記者|记者)\s*[:：]?", re.IGNORECASE)
# What ends a name in a byline: a sign, a date, the place of its author, something else with a colon.
_NAME_END = re.compile(
    r"\s+[|•·–—/]\s*|\s+-\s+|[|•·]|\s*[,;(]?\s*\d|\s*[(\[<]|\s+(?:on|am|le|il|el|em|in|posted)(?:\s|$)"
    r"|[.,;]?\s+(?:last\s+|zuletzt\s+)?(?:updated|published|modified|reviewed|aktualisiert|actualizado|publicado|publié|aggiornato)\b"
    r"|[\s,;]+[^\W\d_]+\s?[:：]",
    re.IGNORECASE,
)
# What stands behind a comma and is no person: a post, and with a capital letter a paper, a place, a degree.
_POST = re.compile(
    r"\b(?:writer|reporter|editor|correspondent|contributor|columnist|staff|journalist|author|producer|director"
    r"|manager|analyst|critic|redakt|korrespondent|autor|rédact|redac|periodista|giornalista)",
    re.IGNORECASE,
)
_COMMA = re.compile(r"\s*,\s*+(?!(?:Jr|Sr|I{2,3}|IV)\b)")
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_MAX_POST_PLACE = 40
_NO_NAME = re.compile(r"https?:|www\.|[{}<>=@©]|\.(?:com|org|net|html?)\b", re.IGNORECASE)
_NOBODY = frozenset(
    {"admin", "administrator", "null", "none", "undefined", "unknown", "anonymous", "n/a"}
)
# Dates, and what is said of an author.
_NO_PERSON = frozenset(MONTHS) - {
    "may",
    "jan",
    "august",
    "mar",
    "marta",
    "maja",
    "mai",
    "april",
} | frozenset(
    [
        "mon",
        "tue",
        "wed",
        "thu",
        "fri",
        "sat",
        "sun",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "about",
        "author",
        "topic",
        "posts",
        "articles",
        "profile",
        "read",
        "more",
        "share",
        "follow",
        "comments",
        "updated",
    ]
)
_SEVERAL = re.compile(
    r"\s*(?:;|\||\s&\s|\s(?:and|und|et|y|e|i|и|og|och|en)\s|、)\s*", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_][\w.'’\-]*")
_HAN = re.compile("[\u3400-\u9fff]")
_PATH_SIGNS = frozenset("»›>")
_NOT_ALNUM = re.compile(r"[\W_]+")
# The same of ASCII.
_NO_ALNUM = bytes(byte for byte in range(128) if not chr(byte).isalnum())
_SMALL = bytes(range(256)).lower()
# Each separator has one of them.
_SIGNS = frozenset("|-–—:»«›·•/>｜_－")
_SEPARATOR = re.compile(
    r"(\s+[|\-–—:»«›·•/>]+\s+|\s*[|｜_]\s*|(?<=[\u3400-\u9fff”》）])[-－](?=[\u3400-\u9fff]))"
)


def author_names(values: Iterable[str]) -> str | None:
    """Return the names in *values*, cleaned and without repetitions, apart by ``; ``.

    >>> author_names(["By Jane Doe", "jane doe", "https://example.com/john"])
    'Jane Doe'
    """
    found: dict[str, str] = {}
    for value in values:
        name = _clean_name(value)
        if name and not _NO_NAME.search(name) and name.casefold() not in _NOBODY:
            found.setdefault(name.casefold(), name)
        if len(found) == MAX_AUTHORS:
            break
    return "; ".join(found.values()) or None


def _clean_name(value: str) -> str:
    name = " ".join(value.split())
    name = _BY_START.sub("", name, count=1) if _BY_START.match(name) else name
    name = name.strip(" ,;:|-–—·•")
    return name if 1 < len(name) <= MAX_NAME_CHARS else ""


def byline_names(text: str) -> str | None:
    """Return the author that a byline, such as "By Jane Doe, 5 March", names; None if it is none.

    >>> byline_names("By Jane Doe and John Roe | 5 March 2024"), byline_names("By the way")
    ('Jane Doe; John Roe', None)
    """
    match = _BY_START.match(text)
    if match is None or len(text) > 3 * MAX_NAME_CHARS:
        return None
    return shown_names(text[match.end() :])


def shown_names(text: str, *, takes_one_word: bool = False) -> str | None:
    """Return *text* as names of people if it looks like some: few words, with capital letters.

    What is said of them behind a comma is left out, as are dates and what is not theirs.

    *takes_one_word* takes a single word, too, as the members of forums call themselves.
    """
    # Runs of blanks, as attributes may have, would be searched again from each of their places.
    words = text[:_MAX_NAMES_CHARS].split()
    text = " ".join(words)
    if takes_one_word and len(words) == 1 and len(text) <= _MAX_NICKNAME_CHARS:
        return author_names([text])
    parts = _SEVERAL.split(_to_end(text))
    last = len(parts) - 1
    names = [
        name.strip(" ,;:.")
        for place, part in enumerate(parts)
        for name in _before_comma(part.strip(" ,;:."), has_more=place < last)
    ]
    if not names or len(names) > MAX_AUTHORS or not all(map(_looks_like_name, names)):
        return None
    return author_names(names)


def _to_end(text: str) -> str:
    """Return the beginning of *text* up to what ends a name, without the month of a date."""
    end = _NAME_END.search(text)
    if end is None:
        return text
    name, _, month = text[: end.start()].rpartition(" ")
    is_date = end[0][-1].isdigit() and month.strip(",.").casefold() in MONTHS
    return name if is_date and " " in name else text[: end.start()]


def _before_comma(text: str, *, has_more: bool) -> list[str]:
    """Return the names in *text*: behind a comma stands another one, or what is said of the first.

    *has_more*: another name follows behind an "and". Two names look like one and a paper.
    """
    first, *others = parts = _COMMA.split(text)
    if not others or not _looks_like_name(first):
        return [text]
    are_names = all(_looks_like_name(part) and not _POST.search(part) for part in others)
    if are_names and (has_more or len(others) > 1):
        return parts
    return [first] if all(map(_is_said_of_person, others)) else [text]


def _is_said_of_person(text: str) -> bool:
    if _POST.search(text, 0, _MAX_POST_PLACE):
        return True
    return all(word[0].isupper() for word in _LONG_WORD.findall(text))


def _looks_like_name(name: str) -> bool:
    if _HAN.search(name):
        return len(name) <= 8
    words: list[str] = _WORD.findall(name)
    if not 1 < len(words) <= 5 or len(name) > MAX_NAME_CHARS:
        return False
    if any(word.casefold() in _NO_PERSON for word in words):
        return False
    return all(words[place][:1].isupper() for place in (0, -1))


def is_by(text: str) -> bool:
    """Tell whether *text* is "By" alone, the name being in the next block."""
    return len(text) < 20 and _BY_ALONE.fullmatch(text) is not None


def without_site_name(
    title: str, site_names: Sequence[str | None], host: str, heading: str | None
) -> str:
    """Return *title* without the parts that name the site, at its end or its start.

    Such a part equals one of *site_names*, or is a name of *host*. A title that has the *heading* of
    the page among its parts is cut to it.

    >>> without_site_name("Rain again - News | The Daily", ["The Daily"], "daily.example", None)
    'Rain again - News'
    """
    title = title[:MAX_TITLE_CHARS]
    if _SIGNS.isdisjoint(title):
        return title
    pieces = _SEPARATOR.split(title)
    parts, separators = pieces[0::2], pieces[1::2]
    if len(parts) == 1 or len(parts) > 12:
        return title
    known = {bare(name) for name in site_names if name}
    if heading and bare(heading):
        is_path = not _PATH_SIGNS.isdisjoint(separators[0])
        for place, part in enumerate(parts):
            # The first step of a path is the site, which blogs have as their heading.
            is_site = _names_site(part, known, host) or (is_path and place == 0)
            if bare(part) == bare(heading) and not is_site:
                return part.strip()
    while len(parts) > 1 and _names_site(parts[-1], known, host):
        parts.pop()
        separators.pop()
    while len(parts) > 1 and _names_site(parts[0], known, host):
        del parts[0], separators[0]
    joined = parts[0] + "".join(
        separator + part for separator, part in zip(separators, parts[1:], strict=True)
    )
    return joined.strip() or title


def title_parts(title: str) -> list[str]:
    """Return the parts of *title* between its separators, one or more.

    >>> title_parts("Rain again - News | The Daily")
    ['Rain again', 'News', 'The Daily']
    """
    return _SEPARATOR.split(title[:MAX_TITLE_CHARS])[0::2]


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
