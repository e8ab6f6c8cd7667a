"""The tokens of a text as corpus managers want them: words apart from the signs that touch them.

In this order: web and mail addresses, numbers, initials (``U.S.A.``), words with the hyphens, apostrophes,
points and colons within them (``Zug-Fahrt``, ``d'été``, ``file.txt``, ``EU:n``), runs of one sign
(``...``). Marks belong to the letter they follow (Devanagari, Arabic vowels). Scripts that are
written without spaces give a token a character, but a token a number, and end addresses. A picture is one token
with what says how it looks, and with those that are joined to it; so are the two letters of a flag. Signs that only
say in which direction text runs or where a line may be broken (soft hyphens, which are text where ``PAGE_INLINE`` is
not ``phrasing``) are left out, and joiners that join nothing: a word with one would be another. U+200B parts tokens,
unseen.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from crawler.page.inner_signs import COLON, HEBREW_GERESH, HEBREW_GERSHAYIM
from crawler.page.words import (
    BREAKS_CLASS,
    HAN_KANA,
    IDLE_JOINER,
    SOUTH_EAST_ASIAN,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

# Punctuation and symbols lie in the Basic Multilingual Plane and, pictures of all kinds, here.
_PICTURES = range(0x1F000, 0x1FB00)


def _character_class(kinds: str, *, but: str = "") -> str:
    """Return the characters of the general categories that begin with one of *kinds*, as ranges; none of *but*."""
    points = (*range(0x10000), *_PICTURES)
    found = [
        point
        for point in points
        if unicodedata.category(chr(point))[0] in kinds and chr(point) not in but
    ]
    is_first = [point - 1 != before for before, point in zip([-2, *found], found, strict=False)]
    firsts = [point for point, first in zip(found, is_first, strict=True) if first]
    lasts = [point for point, first in zip(found, [*is_first[1:], True], strict=True) if first]
    return "".join(
        rf"\U{first:08x}-\U{last:08x}" for first, last in zip(firsts, lasts, strict=True)
    )


_SIGN, _MARK = _character_class("PS"), _character_class("M")
_SPACELESS = HAN_KANA + SOUTH_EAST_ASIAN
_UNSEEN = "\u200b"


def _part_of_word(but: str = "") -> str:
    """Return the class of the characters of words that stand between spaces, and of the signs *but*."""
    return rf"[^\s{_character_class('PS', but=but)}{_SPACELESS}{_UNSEEN}]"


# Unicode, UAX #9: implicit marks, embeddings and overrides, isolates.
_DIRECTIONS = (0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_LEFT_OUT = dict.fromkeys((*_DIRECTIONS, *map(ord, BREAKS_CLASS)))
_IDLE_JOINER = re.compile(IDLE_JOINER)
# Unicode, UTS #51, ED-17: variation selectors are marks; colours of skin and tags follow a picture, too.
_LOOKS = rf"[{_MARK}\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]*+"
_PICTURE = rf"[^\s{_UNSEEN}]{_LOOKS}(?>(?:\u200d[{_SIGN}]{_LOOKS})*)"
_IN_WORD, _IN_URL = _part_of_word(HEBREW_GERESH), _part_of_word("!#$%&'()*+,-./:;=?@[\\]^_`{|}~")
_IN_MAIL, _IN_HOST = _part_of_word(".+-_"), _part_of_word("-_")
_RUN = f"{_IN_WORD}++"
_LETTER = rf"[^\W\d_{_SPACELESS}]"
# Groups that are repeated stand in atomic ones: Python 3.11 loses its place after "(...)++" (CPython issue 106052).
_TOKEN = re.compile(
    rf"(?i:https?://|www\.){_IN_URL}*(?:/|{_IN_WORD})"
    rf"|(?<!{_IN_MAIL}){_IN_MAIL}{{1,64}}@{_IN_HOST}{{1,63}}(?:\.{_IN_HOST}{{1,63}}){{1,8}}"
    # U+066B and U+066C: Arabic signs of decimals and thousands
    rf"|\d++(?>(?:[.,:/\u066b\u066c]\d++)+)(?!{_LETTER})"
    r"|(?<![\w.])(?:[^\W\d_]\.){2,}"
    rf"|(?=[{_SPACELESS}])\d++"
    rf"|[{_SPACELESS}][{_MARK}]*+"
    rf"|{_RUN}(?>(?:(?:['’\-‐‑&@_·]|{HEBREW_GERSHAYIM}|{COLON}|\.(?=[a-z0-9])){_RUN})*)"
    r"|[\U0001f1e6-\U0001f1ff]{2}"
    rf"|({_PICTURE})\1*+"
)


class Token(NamedTuple):
    """A token; *glued* when no space stood before it."""

    text: str
    glued: bool


def seen_text(text: str) -> str:
    """Return *text* without the unseen signs that no token has; U+200B, which parts them, stays."""
    return text if text.isascii() else _IDLE_JOINER.sub("", text.translate(_LEFT_OUT))


def placed_tokens(text: str) -> Iterator[tuple[int, Token]]:
    """Yield the tokens of *text*, a `seen_text`, and where in it they begin.

    Together they are its characters but for spaces.

    >>> [token.text for _, token in placed_tokens("Don't (see www.a.org/x), it's 3.5 km...")]
    ["Don't", '(', 'see', 'www.a.org/x', ')', ',', "it's", '3.5', 'km', '...']
    >>> list(placed_tokens("So!"))
    [(0, Token(text='So', glued=False)), (2, Token(text='!', glued=True))]
    """
    end = -1
    for match in _TOKEN.finditer(text):
        glued = end >= 0 and not text[end : match.start()].strip(_UNSEEN)
        yield match.start(), Token(match[0], glued)
        end = match.end()
