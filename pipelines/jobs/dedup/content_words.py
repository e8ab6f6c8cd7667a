"""Texts without their stop words, of which n-grams say more of what is copied: *of the*, *in the* stand everywhere.

*Source:* Pomikálek 2011, section 3.6: n-grams with and without stop words and punctuation; the corpora of 3.7 are
de-duplicated by 10-grams without either. Density tokens are without signs that stand alone in any case.
Deviation: stop words are the 100 most frequent words of the language of each text, as
`pipelines.linguistics.word_sequences` has them, not 319 function words of English. Texts of languages without a list,
of those that do not part words, and of an unknown language keep all of their words.

Invariant: the density tokens of the result are some of those of the text, in their order. Trap: two fifths of the words
of English pages go, so that blocks of fewer than some 16 have no 10-gram left, and are never duplicates.
"""

from __future__ import annotations

from functools import cache, lru_cache

from crawler.page.words import corpus_tokens, density_tokens
from pipelines.linguistics.term_typicality import as_counted, is_term
from pipelines.linguistics.word_sequences import listed_stop_words

# Different words that are remembered: those of some thousand pages.
_MAX_WORDS = 2**17


def without_stop_words(text: str, language: str | None) -> str:
    """Return the density tokens of *text* that are no stop words of *language*, a code, apart by spaces.

    >>> without_stop_words("The mill, and the wheel of it.", "en")
    'mill, wheel'
    """
    if not language or _stop_words(language) is None:
        return text
    return " ".join(word for word in density_tokens(text) if not _is_stop_word(word, language))


@cache
def _stop_words(language: str) -> frozenset[str] | None:
    return listed_stop_words(language)


@lru_cache(_MAX_WORDS)
def _is_stop_word(word: str, language: str) -> bool:
    """Tell whether *word*, with the signs beside it, has no letters or digits but those of stop words."""
    listed = _stop_words(language) or frozenset()
    tokens = corpus_tokens(as_counted(word))
    return all(token in listed if is_term(token) else not _has_more(token) for token in tokens)


def _has_more(token: str) -> bool:
    return any(map(str.isalnum, token))
