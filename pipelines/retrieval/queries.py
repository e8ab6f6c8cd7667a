"""The words of a query, as the index has them and a text shows them.

They stand apart by blanks, or in double quotes; each is a row of :func:`crawler.page.words.search_words`. Those are
single characters in scripts that are written without blanks: a run of them is all rows of as many as make about a
word. So a word of Chinese or Thai finds the pages that have it, and not all that have its letters somewhere.
*Source: overlapping pairs of characters for the words of Chinese, as in Lucene's CJKAnalyzer.*
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import category

from crawler.page.greek_letters import without_tonos
from crawler.page.inner_signs import with_gershayim
from crawler.page.words import (
    HAN_KANA,
    HAN_KANA_UNIT_CHARS,
    SOUTH_EAST_ASIAN_UNIT_CHARS,
    has_spaceless_script,
    nfc,
    search_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

# Quoted words, or one word.
_PART = re.compile(r'"([^"]*)"|([^\s"]+)')
_HAN_KANA = re.compile(f"[{HAN_KANA}]")


class QueryWord(NamedTuple):
    """Words of the index that follow each other; *is_quoted*: pages without them are none that the query finds."""

    words: tuple[str, ...]
    is_quoted: bool


def query_words(query: str) -> list[QueryWord]:
    """Return the words of *query*.

    >>> [word.words for word in query_words('Fox "in a wood" 机器人')]
    [('fox',), ('in', 'a', 'wood'), ('机', '器'), ('器', '人')]
    """
    found = []
    for quoted, bare in _PART.findall(with_gershayim(without_tonos(nfc(query)))):
        rows = [tuple(search_words(quoted))] if quoted else _rows(search_words(bare))
        found += [QueryWord(row, is_quoted=bool(quoted)) for row in rows if row]
    return found


def _rows(words: list[str]) -> Iterator[tuple[str, ...]]:
    # Signs of Burmese and Khmer stand among the letters, and are words of the index.
    spoken = [word for word in words if category(word[0])[0] not in "PS"]
    for n_chars, group in groupby(spoken, _unit_chars):
        run = tuple(group)
        size = min(n_chars, len(run)) or 1
        for first in range(len(run) - size + 1):
            yield run[first : first + size]


def _unit_chars(word: str) -> int:
    """Return how many characters make about a word in the script of *word*, if that is written without spaces, else 0."""
    if not has_spaceless_script(word):
        return 0
    return HAN_KANA_UNIT_CHARS if _HAN_KANA.match(word) else SOUTH_EAST_ASIAN_UNIT_CHARS
