"""Stop lists: the function words of a language, which running text has and lists of names have not.

The lists of 100 languages are those of jusText 3.0.2 (BSD, see LICENSE-jusText.rst beside this
module), lower-cased, most frequent words first. Those of Chinese and Japanese are of characters, for
:func:`pipelines.boilerplate.justext.JusText` with ``spaceless="units"``: the 100 most frequent
characters of Chinese running text as :func:`build_stop_list` counts them in the gold texts of
zh-immortal and magichtml (MIT, Apache-2.0), and hiragana, in which Japanese writes its endings and
particles.

*Source: Pomikálek 2011, section 2.9.9* for the builder, and for the forms with a capital: lists are
matched case-sensitively, so that the words of a menu in capitals do not count.

On disk: ``stop_lists.txt.xz`` has one line a language, its name, a tab, and the words apart by
spaces, in UTF-8. ``characters.txt`` has the same form.
"""

from __future__ import annotations

import lzma
import re
from collections import Counter
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from crawler.page.words import alpha_words, has_spaceless_script, nfc, small_letters
from pipelines.linguistics.stop_lists.codes import NAME_OF_CODE

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "as_divided",
    "best_language",
    "build_stop_list",
    "cased",
    "known_language",
    "languages",
    "listed_words",
    "stop_words",
]

# Names of the lists that best_language leaves out: another list is of the same language.
_SECOND_LISTS = frozenset({"Simple English", "Serbo Croatian", "Belarusian Taraskievica"})
# measured: with heads of so many words, 1,712 of 1,735 labelled gold texts get their language from
# their first 1,000 words
_HEAD_WORDS = 200
_APOSTROPHE = re.compile("['’]")


def languages() -> tuple[str, ...]:
    """Return the names of the languages that have a list, as ``English``."""
    return tuple(_lists())


def stop_words(language: str) -> frozenset[str]:
    """Return the stop words of *language*, a name or a BCP 47 tag, in lower case.

    Raises ValueError for a language without a list.

    >>> "the" in stop_words("en-GB") and "und" in stop_words("German")
    True
    """
    name = known_language(language)
    if name is None:
        msg = f"no stop list for {language!r}; known are {', '.join(languages())}"
        raise ValueError(msg)
    return _words(name)


def listed_words(name: str) -> list[str]:
    """Return the words of the list of *name*, as `known_language` has it, the most frequent first."""
    return _lists()[name].split()


def known_language(language: str | None) -> str | None:
    """Return the name of the list for *language*, a name or a BCP 47 tag in any case; None when there is none.

    >>> known_language("pt_BR"), known_language("tlh")
    ('Portuguese', None)
    """
    if not language:
        return None
    given = language.strip().replace("_", " ")
    if given.title() in _lists():
        return given.title()
    return NAME_OF_CODE.get(given.lower().replace(" ", "-").partition("-")[0])


def best_language(words: Iterable[str]) -> str | None:
    """Return the language whose list holds the largest share of *words*; None when none holds any.

    Only the 200 most frequent words of each list are asked, so that long lists have no advantage.
    Of equal ones the first in the alphabet wins.
    """
    shares: Counter[str] = Counter()
    heads = _heads()
    for word, count in Counter(map(str.lower, words)).items():
        for language in heads.get(word, ()):
            shares[language] += count
    return min(shares, key=lambda language: (-shares[language], language)) if shares else None


@cache
def cased(words: frozenset[str]) -> frozenset[str]:
    """Return *words* in lower case, and with the first letter in upper case, as the words of a page are divided.

    >>> sorted(cased(frozenset({"the"})))
    ['The', 'the']
    """
    lower = as_divided(words)
    return frozenset(lower | {word[:1].upper() + word[1:] for word in lower})


@cache
def as_divided(words: frozenset[str]) -> frozenset[str]:
    """Return *words* in lower case, as the words of a page are divided.

    The lists were made of what stands between blanks: some entries have a full stop or an apostrophe, or letters
    with their accents apart. The letters of an abbreviation are left out: the s of "u.s." is that of "it's", too.

    >>> sorted(as_divided(frozenset({"the", "qu'il", "however,", "u.s."})))
    ['however', 'il', 'qu', 'the']
    """
    parts = (alpha_words(part) for word in words for part in _APOSTROPHE.split(nfc(word)))
    return frozenset(part[0].lower() for part in parts if len(part) == 1)


def build_stop_list(
    texts: Iterable[str], size: int = 100, *, characters: bool = False
) -> list[str]:
    """Return the *size* most frequent words of *texts* in lower case, the most frequent first.

    About 100 words of any larger sample of a language do (section 2.9.9). *characters*: single
    characters of the scripts without spaces instead of words. Equal counts are in alphabetical order.
    Raises ValueError for a *size* below 1.

    >>> build_stop_list(["The cat and the dog", "the end and so on"], size=2)
    ['the', 'and']
    """
    if size < 1:
        msg = f"size must be at least 1, got {size}"
        raise ValueError(msg)
    counts: Counter[str] = Counter()
    for text in texts:
        if characters:
            counts.update(filter(has_spaceless_script, text))
        else:
            counts.update(map(small_letters, alpha_words(text)))
    return sorted(counts, key=lambda word: (-counts[word], word))[:size]


@cache
def _lists() -> dict[str, str]:
    """Return the words of each list, apart by spaces."""
    folder = files("pipelines.linguistics.stop_lists")
    data = lzma.decompress((folder / "stop_lists.txt.xz").read_bytes())
    lines = [
        *data.decode().splitlines(),
        *(folder / "characters.txt").read_text("utf-8").splitlines(),
    ]
    named = (line.partition("\t") for line in lines)
    return {name: words for name, _, words in named}


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(_lists()[name].split())


@cache
def _heads() -> dict[str, list[str]]:
    """Return the languages that each frequent word is one of."""
    heads: dict[str, list[str]] = {}
    for language, words in _lists().items():
        if language not in _SECOND_LISTS:
            for word in words.split(" ", _HEAD_WORDS)[:_HEAD_WORDS]:
                heads.setdefault(word, []).append(language)
    return heads
