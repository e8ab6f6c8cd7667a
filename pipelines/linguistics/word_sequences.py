"""Sequences of words, of which some are terms of several words.

*Source of the idea: Baroni and Bernardini 2004, "BootCaT"*, who find terms of several words by the corpus and its terms
of one word; `parts_of` chooses those that have one. The rules are ours, not the article's: words that follow each other
in a line, with nothing seen between them (signs, numbers, addresses, abbreviations with points), the first and the last
no stop words of the language. A word is what `pipelines.linguistics.keyness` has; scripts that do not part words have
no sequences, and divide those around them.

Stop words are the 100 most frequent words, "about 100 words of any larger sample do" (Pomikálek 2011, 2.9.9): the first
of a language's stop list, for the lists go on to *public* and *social*; without a list those of the texts, one in 25
different words where these are few.

Invariant: no sequence is divided by a line's end, and all its words are in the line, in their order. Cost: linear in
the text, times the lengths; what stands between blanks is read once while it is held. Not handled: without a list two
corpora have stop words of their own, so that a sequence may be counted in one of them only; sequences that are parts of
longer ones are counted as well.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.inner_signs import COLON
from crawler.page.words import HAN_KANA, SOUTH_EAST_ASIAN, corpus_tokens
from pipelines.linguistics.bounded_counts import BoundedCounts
from pipelines.linguistics.stop_lists import known_language, listed_words
from pipelines.linguistics.term_typicality import as_counted, is_term

if TYPE_CHECKING:
    from collections.abc import Container

N_STOP_WORDS = 100
# Words that are counted to find those; the most frequent are never among the half that is forgotten.
_MAX_WORDS = 10_000
# Runs between blanks that are held, 20 MB of them; the frequent ones are soon there again when all are let go.
_MAX_PARTS = 50_000
_MAX_PART_CHARS = 60
# Of the 2,500 different words or so of 10,000 in English, 100 are one in 25.
_SHARE = 25
_UNPARTED = re.compile(f"[{HAN_KANA}{SOUTH_EAST_ASIAN}]+")
# Of "19th century", "see www.a.com" and "U.S. law" the parts would be words.
_NO_WORD = re.compile(
    rf"https?://\S+|(?<![\w.@/:+-])[\w.@/:+-]*(?:\d|\w(?!{COLON})[._@/:]\w)[\w.@/:+-]*"
)


def sequences_of(text: str, lengths: range, stop: Container[str]) -> list[str]:
    """Return the sequences of *text* of so many words, 2 or more, that neither begin nor end with a word of *stop*.

    The shorter ones come first, each length in the order of the text.

    >>> sequences_of("The mill of the town, a water mill.", range(2, 5), {"a", "of", "the"})
    ['water mill', 'mill of the town']
    """
    words = _words(text)
    ends = ["" if word in stop else word for word in words]
    found: list[str] = []
    for n in lengths:
        within = [words[place:] for place in range(1, n - 1)]
        rows = zip(ends, *within, ends[n - 1 :], strict=False)
        found += [" ".join(row) for row in rows if all(row)]
    return found


def _words(text: str) -> list[str]:
    """Return the words of *text*, and "" wherever something is seen between two of them, or a line ends."""
    words: list[str] = []
    shown = as_counted(text)
    for line in (shown if shown.isascii() else _UNPARTED.sub(",", shown)).splitlines():
        words += chain.from_iterable(map(_PARTS.__getitem__, line.split()))
        words.append("")
    return words


class _Parts(dict[str, tuple[str, ...]]):
    """What stands between blanks, and its words, with "" for what is seen between them.

    The same comes again and again, and no pattern of a word goes beyond a blank.
    """

    def __missing__(self, run: str) -> tuple[str, ...]:
        tokens = corpus_tokens(_NO_WORD.sub(",", run))
        parts = tuple(
            token if is_term(token) else ""
            for token in tokens
            if is_term(token) or unicodedata.category(token[0]) != "Cf"
        )
        if len(self) >= _MAX_PARTS:
            self.clear()
        if len(run) <= _MAX_PART_CHARS:
            self[run] = parts
        return parts


_PARTS = _Parts()


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
    words = filter(None, _words("\n".join(listed_words(name)))) if name else ()
    return frozenset(list(dict.fromkeys(words))[:N_STOP_WORDS]) or None


class FrequentWords:
    """Counts the words of texts, to find their stop words; at most 10,000 words are held."""

    def __init__(self) -> None:
        self._counts: BoundedCounts[str] = BoundedCounts(max_entries=_MAX_WORDS)

    def add(self, text: str) -> None:
        """Count the words of *text*."""
        counts = Counter(filter(None, _words(text)))
        words = sorted(counts)
        self._counts.add_all(words, np.array([counts[word] for word in words], np.int64)[:, None])

    def stop_words(self) -> frozenset[str]:
        """Return the most frequent words, those of equal frequency by their names."""
        counts = zip(self._counts.keys, self._counts.counts[:, 0].tolist(), strict=True)
        ranked = sorted(counts, key=lambda entry: (-entry[1], entry[0]))
        return frozenset(word for word, _ in ranked[: min(N_STOP_WORDS, len(ranked) // _SHARE)])
