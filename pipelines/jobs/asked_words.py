"""The words in a row that a concordance or collocations are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.errors import InputError
from crawler.page.words import nfc, search_words
from pipelines.linguistics.collocations import ANY_END

if TYPE_CHECKING:
    from collections.abc import Sequence

WORDS_HELP = f"words, in any case; mill{ANY_END} is any word that begins so"


def words_asked(given: Sequence[str]) -> list[str]:
    """Return the words of *given*, as a search has them, with `ANY_END` where one ends in it.

    Raises `InputError` where there are none, or it stands elsewhere.

    >>> words_asked(["Mill* of", "it's"])
    ['mill*', 'of', 'it', 's']
    """
    asked = " ".join(given)
    words: list[str] = []
    for each in nfc(asked).split():
        found = search_words(each)
        is_open = each.endswith(ANY_END)
        if ANY_END in each[:-1] or (is_open and not found):
            raise InputError(
                f"{each!r} has {ANY_END} elsewhere than at the end of a word; give it as in mill{ANY_END}"
            )
        if is_open:
            found[-1] += ANY_END
        words += found
    if not words:
        raise InputError(f"{asked!r} has no word; give one or more")
    return words
