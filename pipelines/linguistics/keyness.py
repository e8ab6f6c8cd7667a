"""Keywords: the words that a corpus has more often than another one.

*Source: Pomikálek 2011, 1.3.2*: the words with a higher relative frequency in the specialised corpus are likely to
relate to its domain, and are the seeds of the next round. By how much, for frequencies f and r a million words of
the corpus and of the reference, is said by::

    (f + n) / (r + n)

A larger n prefers more common words. *Source: Kilgarriff 2009, "Simple maths for keywords".*

Or how little chance alone would do so is said by the log-likelihood G2, for a and b occurrences among c and d words::

    2 (a ln(a / E1) + b ln(b / E2)),  E1 = c (a + b) / (c + d),  E2 = d (a + b) / (c + d)

where 0 ln 0 is 0. It prefers common words; chance alone gives one word in 10,000 more than 15.13.
*Source: Rayson and Garside 2000, "Comparing corpora using frequency profiling"*, as their calculator has it
(https://ucrel.lancs.ac.uk/llwizard.html): the two cells of the word alone are summed up. Dunning 1993 adds the two of
all other words, which say much of the most frequent words only.

Also the words of middle frequency, by their ranks, which are the seeds of a corpus of a language (Corpus Factory;
1.3.3). A word is a term as `pipelines.linguistics.term_typicality` has them, lower-cased. Scripts that do not part
words give each two neighbouring characters (Chinese, Japanese), or three with their marks (Thai, Lao, Khmer, Burmese),
as one: those that belong together are found together most. Sequences of words are counted as words
(`pipelines.linguistics.word_sequences`); a million words are then a million of all that are counted.

Shapes: counts int64[n, 2]: occurrences, documents.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.page.words import (
    HAN_KANA,
    SOUTH_EAST_ASIAN,
    characters_with_marks,
    has_spaceless_script,
)
from pipelines.linguistics.bounded_counts import MAX_ENTRIES, BoundedCounts
from pipelines.linguistics.term_typicality import as_counted, terms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import TypeAlias

    # Of the occurrences of a word in the corpus, and of all words there; the same of the reference.
    Measure: TypeAlias = Callable[[int, int, int, int], float]

_MILLION = 1e6
# Texts whose words are counted together.
_BATCH = 500
# Different words, too: those of some texts are ten thousand, and their sequences ten times as many.
_BATCH_WORDS = 100_000
# Digits and signs of Burmese and Khmer, which stand among the letters, and digits of Thai and Lao.
_NO_LETTER = r"\d\u104a-\u104f\u109e\u109f\u17d4-\u17d6\u17d8-\u17db\u17f0-\u17f9\uaa77-\uaa79"
_UNPARTED = re.compile(f"([{HAN_KANA}]+)|(?:(?![{_NO_LETTER}])[{SOUTH_EAST_ASIAN}])+")


class Count(NamedTuple):
    """A word with its *occurrences* and the *documents* that have it."""

    word: str
    occurrences: int
    documents: int


class Keyword(NamedTuple):
    """A word, its *score*, and its frequencies a million words in the corpus and in the reference."""

    word: str
    score: float
    per_million: float
    reference_per_million: float
    documents: int


@dataclass(frozen=True, slots=True)
class Frequencies:
    """How often words occur; *n_words*: occurrences of all words, those included that are not listed.

    *counts*: the most frequent first, words of equal frequency by their names. *max_missed*: by how many a
    count may fall short, 0 when nothing was forgotten for want of room.
    """

    counts: list[Count]
    n_words: int
    max_missed: int = 0

    def at_ranks(self, first: int, last: int) -> list[str]:
        """Return the words of the ranks *first* to *last*, from 1."""
        return [count.word for count in self.counts[first - 1 : last]]


def count_lists(lists: Iterable[list[str]], *, max_words: int = MAX_ENTRIES) -> Frequencies:
    """Return the frequencies of the words in *lists*, one a text; memory as `BoundedCounts` has it.

    >>> count_lists([["a", "mill", "a", "wheel"], ["the", "mill"]]).counts[:2]
    [Count(word='a', occurrences=2, documents=1), Count(word='mill', occurrences=2, documents=2)]
    """
    found: BoundedCounts[str] = BoundedCounts(2, max_entries=max_words)
    n_words = 0
    for occurrences, documents in _counted(lists):
        words = sorted(occurrences)
        columns = [list(map(counts.__getitem__, words)) for counts in (occurrences, documents)]
        n_words += occurrences.total()
        found.add_all(words, np.array(columns, np.int64).T)
    return Frequencies(_ranked(found), n_words, found.max_missed)


def _ranked(found: BoundedCounts[str]) -> list[Count]:
    """Return the counts, the most frequent first, those of equal frequency by their names."""
    names, counts = found.keys, found.counts
    by_name = np.array(sorted(range(len(names)), key=names.__getitem__), np.int64)
    order = by_name[np.argsort(-counts[by_name, 0], kind="stable")]
    ranked = map(names.__getitem__, order.tolist())
    return list(map(Count._make, zip(ranked, *counts[order].T.tolist(), strict=True)))


def _counted(lists: Iterable[list[str]]) -> Iterator[tuple[Counter[str], Counter[str]]]:
    """Yield the occurrences and the documents of the words of some texts at a time."""
    occurrences: Counter[str] = Counter()
    documents: Counter[str] = Counter()
    for place, words in enumerate(lists, 1):
        occurrences.update(words)
        documents.update(set(words))
        if place % _BATCH == 0 or len(occurrences) > _BATCH_WORDS:
            yield occurrences, documents
            occurrences, documents = Counter(), Counter()
    yield occurrences, documents


def words_of(text: str) -> list[str]:
    """Return the words of *text* as they are counted.

    >>> words_of("The mill, 数据科学 of 1900")
    ['the', 'mill', 'of', '数据', '据科', '科学']
    >>> words_of("น้ำท่วม")
    ['น้ำท่', 'ำท่ว', 'ท่วม']
    """
    if not has_spaceless_script(text):
        return terms(text)
    runs = [_neighbours(run) for run in _UNPARTED.finditer(text)]
    return terms(_UNPARTED.sub(" ", text)) + [each for run in runs for each in run]


def units_of(keyword: str) -> list[str]:
    """Return as what *keyword*, a word or a term of several, may be counted: itself, of scripts that do not part words
    also its neighbouring characters.

    >>> units_of("Sea bass"), units_of("数据科学")
    (['sea bass'], ['数据科学', '数据', '据科', '科学'])
    """
    itself = as_counted(keyword)
    return [itself, *(words_of(keyword) if has_spaceless_script(keyword) else ())]


def _neighbours(run: re.Match[str]) -> list[str]:
    """Return the characters of *run*, each with its next, or its next two."""
    characters = characters_with_marks(run[0])
    n = 2 if run[1] else 3
    places = range(max(len(characters) - n + 1, 1))
    return ["".join(characters[place : place + n]) for place in places]


@dataclass(frozen=True, slots=True)
class SimpleMaths:
    """Kilgarriff's measure: the quotient of the frequencies a million words, *add* added to both.

    Raises ValueError when *add* is not above 0.

    >>> SimpleMaths(add=10)(40, 10**6, 10, 10**6)
    2.5
    """

    add: float = 1.0

    def __post_init__(self) -> None:
        if not self.add > 0:
            raise ValueError(f"add must be above 0, got {self.add}")

    def __call__(self, own: int, n_own: int, other: int, n_other: int) -> float:
        return (_per_million(own, n_own) + self.add) / (_per_million(other, n_other) + self.add)


def log_likelihood(own: int, n_own: int, other: int, n_other: int) -> float:
    """Return G2 of a word of *own* occurrences among *n_own* words, and *other* among *n_other*.

    It is as high for a word that is rarer than in the reference. Raises ValueError for no words, or fewer than the
    occurrences.

    >>> log_likelihood(10, 1000, 10, 1000), round(log_likelihood(10, 1000, 0, 1000), 2)
    (0.0, 13.86)
    """
    if min(n_own - own, n_other - other, own, other) < 0 or not n_own or not n_other:
        raise ValueError(f"no occurrences among words: {own} of {n_own}, {other} of {n_other}")
    share = (own + other) / (n_own + n_other)
    cells = ((own, n_own * share), (other, n_other * share))
    # Rounding may leave less than nothing of equal shares.
    return max(2 * sum(n * math.log(n / expected) for n, expected in cells if n), 0.0)


def _per_million(occurrences: int, n_words: int) -> float:
    return occurrences * _MILLION / n_words


def keywords(
    corpus: Frequencies,
    reference: Frequencies,
    *,
    measure: Measure = SimpleMaths(),
    min_documents: int = 1,
    wants: Callable[[str], bool] = bool,
) -> list[Keyword]:
    """Return the words that *corpus* has more often than *reference*, the highest of *measure* first, then by name.

    Left out are words of fewer than *min_documents*, and those of which *wants* is not true.

    Raises ValueError when one of the two has no words.
    """
    if not corpus.n_words or not reference.n_words:
        raise ValueError("both corpora must have words")
    known: Mapping[str, int] = {count.word: count.occurrences for count in reference.counts}
    found = []
    for word, occurrences, documents in corpus.counts:
        if documents < min_documents or not wants(word):
            continue
        elsewhere = known.get(word, 0)
        own = _per_million(occurrences, corpus.n_words)
        other = _per_million(elsewhere, reference.n_words)
        if own > other:
            score = measure(occurrences, corpus.n_words, elsewhere, reference.n_words)
            found.append(Keyword(word, score, own, other, documents))
    return sorted(found, key=lambda keyword: (-keyword.score, keyword.word))
