"""Stems of words by the Snowball stemmers of 18 languages, those that tantivy has.

That of English is Porter's own revision ("Porter2") of the one he published in 1980: ``generously`` and ``generic`` are
apart, which were one.
*Source: Porter 2001, "Snowball: A language for stemming algorithms"; https://snowballstem.org/algorithms/.*

Cost: O(c) for c characters. Invariant: a word has one stem, whatever words are beside it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import tantivy

# The name of the stemmer by that of the list of :mod:`pipelines.linguistics.stop_lists`.
LANGUAGES = {
    **{
        name: name.lower()
        for name in (
            *("Arabic", "Danish", "Dutch", "English", "Finnish", "French", "German", "Greek"),
            *("Hungarian", "Italian", "Portuguese", "Romanian", "Russian", "Spanish", "Swedish"),
            *("Tamil", "Turkish"),
        )
    },
    "Norwegian Bokmal": "norwegian",
    "Norwegian Nynorsk": "norwegian",
}


def stems(words: Sequence[str], language: str | None) -> list[str]:
    """Return the stem of each of *words*, in small letters and without whitespace, in the *language* of a stop list.

    Words of another language, or of none, are their own stems.

    >>> stems(["relations", "running", "ponies"], "English"), stems(["running"], None)
    (['relat', 'run', 'poni'], ['running'])
    """
    stemmer = LANGUAGES.get(language or "")
    if stemmer is None or not words:
        return list(words)
    return _analyzer(stemmer).analyze(" ".join(words))


@cache
def _analyzer(stemmer: str) -> tantivy.TextAnalyzer:
    # Here, for it is loaded by those who stem alone.
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    return TextAnalyzerBuilder(Tokenizer.whitespace()).filter(Filter.stemmer(stemmer)).build()
