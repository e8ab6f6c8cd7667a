"""Names of authors, as bylines show and pages declare them."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

from crawler.page.words import as_value
from pipelines.metadata import behind_names
from pipelines.metadata.chinese_bylines import chinese_names
from pipelines.metadata.months import MONTHS
from pipelines.metadata.roles import is_desk, is_nobody
from pipelines.metadata.running_text import goes_on, has_verb

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_AUTHORS = 10
MAX_NAME_CHARS = 80
# All that is looked at of a text that may be names: as much as a value of an attribute may have.
_MAX_NAMES_CHARS = 2000
_MAX_NICKNAME_CHARS, _MAX_NAME_WORDS = 30, 5

# "By" in some languages, as a word of its own or before a colon.
_BY = (
    r"by|written by|post by|posted by|published by|submitted by|reported by|words by|story by|text by"
    r"|von|text von|geschrieben von|verfasst von|veröffentlicht von|eingestellt von|par|écrit par|publié par"
    r"|por|publicado por|publicada por|publicadas por|postado por|escrito por|di|scritto da|pubblicato da"
    r"|door|geschreven door|gepost door|av|skriven av|skrevet av|af|skrevet af|napisane przez|scris de"
    r"|ditulis oleh|diposting oleh|autor|autorka|author|authors|auteur|автор|автори|написано автором|текст|συντάκτης|yazan"
)
_BY_START = re.compile(
    rf"(?:{_BY})\s*[:：]\s*|(?:{_BY})\s+|(?:作者|記者|记者|撰文|文)\s*[:：/／]\s*", re.IGNORECASE
)
_BY_ALONE = re.compile(rf"(?:{_BY}|作者|記者|记者)\s*[:：]?", re.IGNORECASE)
# What ends a name in a byline: a sign, a date, the place of its author, a button, something else with a colon.
_NAME_END = re.compile(
    r"\s+[|•·–—/]\s*|\s+-\s+|[|•·]|\s*[,;(]?\s*\d|\s*[(\[<]|\s+(?:on|am|le|il|el|em|in|at|for|posted|follow|view|contact)(?:\s|$)"
    r"|[.,;]?\s+(?:last\s+|zuletzt\s+)?(?:updated|published|modified|reviewed|aktualisiert|actualizado|publicado|publié|aggiornato)\b"
    r"|[.,;]?\s+(?:data\s+(?:publi|di\s|de\s|dodania)|date\s+(?:of|de)\s|fecha\s+de\s|dodano\b|opublikowano\b)"
    r"|[\s,;]+[^\W\d_]+\s?[:：]",
    re.IGNORECASE,
)
# What stands behind a comma and is no person: a post, and with a capital letter a paper, a place, a degree.
_POST = re.compile(
    r"\b(?:writer|reporter|editor|correspondent|contributor|columnist|staff\b|journalist|author|producer|director"
    r"|manager|analyst|critic|engineer|developer|redakt|korrespondent|autor|rédact|redac|periodista|giornalista)",
    re.IGNORECASE,
)
# A paper or another house, by words that are no surnames, as Post, Star and Herald are.
_HOUSE = re.compile(
    r"(?:the|die|der|das)\s|.*?\b(?:news|newspaper|newsroom|magazine|gazette|tribune|telegraph|journal|media|times"
    r"|radio|television|broadcasting|agency|(?:associated|canadian)\spress|university|institute|association)\b",
    re.IGNORECASE,
)
# A post that follows a name without a comma.
_POST_BEHIND = re.compile(
    r"(?:\s(?:arts|assistant|associate|business|chief|city|contact|contributing|crime|culture|defen[cs]e|deputy|diplomatic"
    r"|economics|education|enterprise|entertainment|environment|executive|features?|financial|foreign|freelance"
    r"|general|guest|health|home|international|investigative|legal|managing|media|national|news|opinion|political"
    r"|politics|religion|science|security|senior|special|sports?|staff|tech|technology|travel|video))*"
    r"\s(?:columnist|correspondent|editor|journalist|reporter|writer)s?\Z",
    re.IGNORECASE,
)
_COMMA = re.compile(r"\s*,\s*+(?!(?:Jr|Sr|I{2,3}|IV)\b)")
_COMMA_OR_BAR = re.compile(rf"{_COMMA.pattern}|\s\|\s")
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_MAX_POST_PLACE = 40
_NO_NAME = re.compile(r"https?:|://|www\.|[{}<>=@©]|\.(?:com|org|net|html?)\b", re.IGNORECASE)
# Dates, and what is said of an author; months of one language are names in others.
_NAMES_TOO = frozenset(
    {
        *("may", "jan", "august", "mar", "marta", "maja", "mai", "april", "juli", "julio", "avril"),
        *("abril", "maj", "mart", "nisan", "eylül", "march", "mars", "mayo"),
    }
)
_SAID = frozenset(
    {
        *("mon", "tue", "wed", "thu", "fri", "sat", "sun"),
        *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
        *("about", "author", "topic", "posts", "articles", "profile", "read", "more"),
        *("share", "follow", "comments", "updated", "published", "posted", "by"),
    }
)
_NO_PERSON = (frozenset(MONTHS) - _NAMES_TOO) | _SAID
# What is the name of a paper, a firm or a place, and not of a person: words, and what a name begins with.
_OF_NO_PERSON = re.compile(
    r"\b(?:agency|agencies|angeles|associated|association|authority|broadcasting|bureau|business|centre|center"
    r"|channel|city|college|committee|communications|company|corp|corporation|council|county|daily"
    r"|department|digital|faculty|foundation|francisco|gazette|global|gmbh|group|herald|inc|independent"
    r"|insider|institute|international|journal|kong|limited|llc|ltd|magazine|mail|media|ministry|national"
    r"|network|networks|news|newspaper|newsroom|online|organisation|organization|partners|post|press"
    r"|publications|publishers|publishing|radio|records|review|school|service|services|society|sports|star"
    r"|studio|studios|sun|telegraph|television|times|today|trends|tribune|university|verlag|week|weekly"
    r"|wire|world|york|zeitung)\b",
    re.IGNORECASE,
)
_BEGINS_NO_PERSON = re.compile(
    r"(?:a|an|and|at|for|from|in|new|of|on|the|to|with|das|der|die|le|la|les|el|los|las|il|lo|gli|de|del|di|da|van|von)\s",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"\s*(?:;|\||\s&\s|\s(?:and|und|et|y|e|i|и|og|och|en)\s|、)\s*", re.IGNORECASE
)
_BETWEEN_PARTS = re.compile(r"\s[|·•]\s")
_WORD = re.compile(r"[^\W\d_][\w.'’\-]*")
_HAN = re.compile("[\u3400-\u9fff]")


def declared_names(values: Iterable[str], *, surname_first: bool = False) -> str | None:
    """Return the names in *values*, each of one author or several, apart by ``; ``.

    A value is divided where it is of full names alone, so that a firm, or a name with the surname first, stays
    one. *surname_first*: all values are of one author each, as in the metadata of libraries.

    >>> declared_names(["Anna Meier, Ben Kurz"]), declared_names(["Meier, Anna"]), declared_names(["Kurz & Meier"])
    ('Anna Meier; Ben Kurz', 'Meier, Anna', 'Kurz & Meier')
    """
    if surname_first:
        return author_names(values)
    return author_names(name for value in values for name in _divided(value))


def _divided(value: str) -> list[str]:
    name = _clean_name(value, most=_MAX_NAMES_CHARS)
    people = _without_house(name)
    parts = [part.strip() for several in _SEVERAL.split(people) for part in _COMMA.split(several)]
    is_divided = len(parts) > 1 or people != name
    return parts if is_divided and all(map(is_full_name, parts)) else [value]


def _without_house(names: str) -> str:
    """Return *names* up to the paper or post behind a comma, unless people follow it."""
    first, *others = _COMMA_OR_BAR.split(names)
    people = [first, *takewhile(_may_be_person, others)]
    if len(people) > len(others) or any(map(is_full_name, others[len(people) :])):
        return _without_post(names)
    return ", ".join(people)


def _may_be_person(text: str) -> bool:
    return not (_POST.search(text, 0, _MAX_POST_PLACE) or _HOUSE.match(text))


def _without_post(name: str) -> str:
    """Return *name* without the post behind it, unless too little would be left of it."""
    if len(name) > MAX_NAME_CHARS:
        return name
    person = _POST_BEHIND.sub("", name, count=1)
    return person if is_full_name(person) and not _BY_START.match(person) else name


def author_names(values: Iterable[str]) -> str | None:
    """Return the names in *values*, one each, cleaned and without repetitions, apart by ``; ``.

    >>> author_names(["By Jane Doe", "jane doe", "https://example.com/john"])
    'Jane Doe'
    """
    found: dict[str, str] = {}
    for value in values:
        name = _clean_name(value)
        # Numbers are those of accounts.
        is_word = any(map(str.isalpha, name)) and not _NO_NAME.search(name)
        if is_word and not is_nobody(name):
            found.setdefault(name.casefold(), name)
        if len(found) == MAX_AUTHORS:
            break
    return "; ".join(found.values()) or None


def _clean_name(value: str, most: int = MAX_NAME_CHARS) -> str:
    name = " ".join(behind_names.without_markup(value[:_MAX_NAMES_CHARS]).split())
    name = _BY_START.sub("", name, count=1) if _BY_START.match(name) else name
    name = behind_names.without_buttons(name).strip(" ,;:|-–—·•/~*†‡§¶")
    return name if 1 < len(name) <= most else ""


def byline_names(text: str) -> str | None:
    """Return the author that a byline, such as "By Jane Doe, 5 March", names; None if it is none.

    >>> byline_names("By Jane Doe and John Roe | 5 March 2024"), byline_names("By the way")
    ('Jane Doe; John Roe', None)
    """
    if len(text) > 3 * MAX_NAME_CHARS:
        return None
    text = as_value(text)
    match = _BY_START.match(text)
    return match and shown_names(text[match.end() :])


def inner_byline_names(text: str) -> str | None:
    """Return the author that a byline names which follows something else in its line.

    >>> inner_byline_names("5 March 2024 · 3 min read · By Jane Doe"), inner_byline_names("每日新闻记者 王小明")
    ('Jane Doe', '王小明')
    """
    parts = _BETWEEN_PARTS.split(text)[1:] if len(text) <= 3 * MAX_NAME_CHARS else ()
    names = next(filter(None, map(byline_names, parts)), None)
    return names or author_names(chinese_names(text))


def shown_names(text: str, *, takes_one_word: bool = False) -> str | None:
    """Return *text* as names of people if it looks like some: few words, with capital letters.

    What is said of them behind a comma is left out, as are dates and what is not theirs.

    *takes_one_word* takes a single word, too, as the members of forums call themselves, and a few of a script without
    capital letters.
    """
    # Runs of blanks, as attributes may have, would be searched again from each of their places.
    text = behind_names.without_buttons(as_value(text[:_MAX_NAMES_CHARS]))
    if behind_names.is_button(text):
        return None
    words = text.split()
    are_any = len(words) == 1 or (len(words) <= _MAX_NAME_WORDS and text.lower() == text.upper())
    if takes_one_word and are_any and len(text) <= _MAX_NICKNAME_CHARS:
        return author_names([text])
    text = behind_names.without_marks(text)
    end = _to_end(text)
    if goes_on(end, text[len(end) :]):
        return None
    line = behind_names.without_and(end).strip(" ,;:")
    if is_desk(line):
        return line
    parts = _SEVERAL.split(line)
    last = len(parts) - 1
    names = [
        _without_post(name.strip(" ,;:."))
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

    *has_more*: another name follows behind an "and". Where none does, one name and a paper look much like two names.
    """
    first, *behind = _COMMA.split(text)
    if not behind or not _looks_like_name(first):
        return [text]
    others = [*takewhile(_may_be_person, behind)]
    people = [first, *others]
    are_names = all(map(_looks_like_name, others))
    if are_names and (has_more or len(others) > 1 or all(map(is_full_name, people))):
        return people
    return [first] if all(map(_is_said_of_person, others)) else [text]


def _is_said_of_person(text: str) -> bool:
    if _POST.search(text, 0, _MAX_POST_PLACE):
        return True
    return all(word[0].isupper() for word in _LONG_WORD.findall(text))


def _looks_like_name(name: str) -> bool:
    if _HAN.search(name):
        # With the slash that stands behind "picture" it is who gave one.
        return len(name) <= 8 and "／" not in name
    words: list[str] = _WORD.findall(name)
    if not 1 < len(words) <= _MAX_NAME_WORDS or len(name) > MAX_NAME_CHARS:
        return False
    if has_verb(words[1:-1]) or behind_names.is_button(name):
        return False
    if any(word.casefold() in _NO_PERSON for word in words):
        return False
    return all(words[place][:1].isupper() for place in (0, -1))


def is_full_name(name: str) -> bool:
    """Tell whether *name* is that of a person, with a name before the surname, and of nothing else."""
    words = name.split()
    if not 2 <= len(words) <= 4 or not _looks_like_name(name) or _POST.search(name):
        return False
    if _BEGINS_NO_PERSON.match(name) or _OF_NO_PERSON.search(name) or len(words[-1].strip(".")) < 2:
        return False
    # A degree, or a channel by its letters, beside words that are not all in capitals.
    return name.isupper() or not any(
        word.isupper() and word.isalpha() and len(word) > 1 for word in words
    )


def is_by(text: str) -> bool:
    """Tell whether *text* is "By" alone, the name being in the next block."""
    return len(text) < 20 and _BY_ALONE.fullmatch(as_value(text)) is not None
