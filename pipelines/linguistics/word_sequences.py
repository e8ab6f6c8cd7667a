"""Sequences of words, of which some are terms of several words.

*Source of the idea: Baroni and Bernardini 2004, "BootCaT"*, who find terms of several words by the corpus and its terms
of one word; `parts_of` chooses those that have one. The rules are ours, not the article's: words that follow each other in
a line, with nothing seen between them (signs, numbers, addresses, abbreviations with points), the first and the last no
stop words of the language. A word is what `pipelines.linguistics.keyness` has; scripts that do not part words have no
sequences, and divide those around them.

Stop words are the 100 most frequent words, "about 100 words of any larger sample do" (Pomikálek 2011, 2.9.9): the first of
a language's stop list, for the lists go on to *public* and *social*; without a list those of the texts, one in 25
different words where these are few.

Invariant: no sequence is divided by a line's end, and all its words are in the line, in their order.
Cost: linear in the text, times the lengths.
Not handled: without a list two corpora have stop words of their own, so that a sequence may be counted in one of them only;
sequences that are parts of longer ones are counted as well.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.words import HAN_KANA, SOUTH_EAST_ASIAN, corpus_tokens
from pipelines.linguistics.bounded_counts import BoundedCounts
from pipelines.linguistics.stop_lists import known_language, listed_words
from pipelines.linguistics.term_typicality import as_counted, is_term

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

N_STOP_WORDS = 100
# Words that are counted to find those; the most frequent are never among the half that is forgotten.
_MAX_WORDS = 10_000
# Of the 2,500 different words or so of 10,000 in English, 100 are one in 25.
_SHARE = 25
_UNPARTED = re.compile(f"[{HAN_KANA}{SOUTH_EAST_ASIAN}]+")
# Of "19th century", "see www.a.com" and "U.S. law" the parts would be words.
_NO_WORD = re.compile(r"https?://\S+|(?<![\w.@/:+-])[\w.@/:+-]*(?:\d|\w[._@/:]\w)[\w.@/:+-]*")


def sequences_of(text: str, lengths: range, stop: Container[str]) -> list[str]:
    """Return the sequences of *text* of so many words, 2 or more, that neither begin nor end with a word of *stop*.

    >>> sequences_of("The mill of the town, a water mill.", range(2, 5), {"a", "of", "the"})
    ['mill of the town', 'water mill']
    """
    found = []
    for words in _runs(text):
        is_stop = [word in stop for word in words]
        for n in lengths:
            for first in range(len(words) - n + 1):
                if not (is_stop[first] or is_stop[first + n - 1]):
                    found.append(" ".join(words[first : first + n]))  # noqa: PERF401 - two more fors in one line
    return found


def _runs(text: str) -> Iterator[list[str]]:
    """Yield the words of *text* that have nothing seen between them."""
    for line in as_counted(text).splitlines():
        words: list[str] = []
        for token in corpus_tokens(_NO_WORD.sub(",", _UNPARTED.sub(",", line))):
            if is_term(token):
                words.append(token)
            elif unicodedata.category(token[0]) != "Cf":
                yield words
                words = []
        yield words


def parts_of(sequence: str) -> list[str]:
    """Return the words of *sequence*, the sequences within it, and it, the first begun first.

    >>> parts_of("sea bass grill")
    ['sea', 'sea bass', 'sea bass grill', 'bass', 'bass grill', 'grill']
    """
    words = sequence.split(" ")
    ends = range(1, len(words) + 1)
    return [
        " ".join(words[first:end]) for first in range(len(words)) for end in ends if end > first
    ]


def listed_stop_words(language: str) -> frozenset[str] | None:
    """Return the stop words of *language*, a code; None without a list of words that stand between spaces."""
    name = known_language(language)
    words = [word for run in _runs("\n".join(listed_words(name))) for word in run] if name else []
    return frozenset(list(dict.fromkeys(words))[:N_STOP_WORDS]) or None


class FrequentWords:
    """Counts the words of texts, to find their stop words; at most 10,000 words are held."""

    def __init__(self) -> None:
        self._counts: BoundedCounts[str] = BoundedCounts(max_entries=_MAX_WORDS)

    def add(self, text: str) -> None:
        """Count the words of *text*."""
        counts = Counter(word for run in _runs(text) for word in run)
        words = sorted(counts)
        self._counts.add_all(words, np.array([counts[word] for word in words], np.int64)[:, None])

    def stop_words(self) -> frozenset[str]:
        """Return the most frequent words, those of equal frequency by their names."""
        counts = zip(self._counts.keys, self._counts.counts[:, 0].tolist(), strict=True)
        ranked = sorted(counts, key=lambda entry: (-entry[1], entry[0]))
        return frozenset(word for word, _ in ranked[: min(N_STOP_WORDS, len(ranked) // _SHARE)])
