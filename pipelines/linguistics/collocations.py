"""Collocations: the words that stand near a word more often than chance has it, by four measures.

With f_A hits of the word, or of several in a row, f_B occurrences of another, f_AB of the two together, and N words in
all::

    T-score         (f_AB - f_A f_B / N) / sqrt(f_AB)
    MI-score        log2(f_AB N / (f_A f_B))
    logDice         14 + log2(2 f_AB / (f_A + f_B))
    log-likelihood  2 sum(O ln(O / E)) over the four cells of the table of A and B, 0 ln 0 being 0

*Source:* Church, Gale, Hanks and Hindle 1991; Church and Hanks 1990; Rychlý 2008; Dunning 1993. Pomikálek 2011, 1.2.4,
asks for the first two of a corpus manager. As in such managers no measure takes the width of the window into account:
chance alone brings a word into a window of ten words ten times as often. Dunning's measure is as high for words that
keep apart; as in Evert's programs it is below 0 for them.

The articles count neighbours, one of a word at most. Here f_AB is of each line the lower of two numbers, the hits that
have B in their window, and the occurrences of B that are in the window of a hit: two of a word beside one hit are no
two pairs, nor is one between two hits. So f_AB is at most f_A and f_B, logDice at most 14, and A is found with B as
often as B with A.

Memory: as `BoundedCounts` has it. Cost: linear in the words of the lines, and in hits times the window.
Not handled: scripts that do not part words have single characters for words, as a search has them.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.page.greek_letters import without_tonos
from pipelines.linguistics.bounded_counts import MAX_ENTRIES, BoundedCounts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

# What stands at the end of a word that is asked for by how it begins.
ANY_END = "*"
# Words on each side, as corpus managers have it.
SIDE_WORDS = 5
# A hit is held with so many: more are no neighbours, but the text.
MOST_SIDE_WORDS = 1_000
# Words near hits that are counted together before they are brought to their table.
_BATCH_WORDS = 100_000


class Pair(NamedTuple):
    """How often two words are *together*, f_AB; *hits* of the one, f_A, *occurrences* of the other, f_B; N *words*."""

    together: int
    hits: int
    occurrences: int
    words: int


@dataclass(frozen=True, slots=True)
class Window:
    """How many words on the *left* and on the *right* of a hit are near it."""

    left: int = SIDE_WORDS
    right: int = SIDE_WORDS

    def __post_init__(self) -> None:
        for name in ("left", "right"):
            if not 0 <= getattr(self, name) <= MOST_SIDE_WORDS:
                raise ValueError(
                    f"{name} must be 0 to {MOST_SIDE_WORDS:,}, got {getattr(self, name)}"
                )
        if not self.left + self.right:
            raise ValueError("left or right must be above 0")


class NearCounts:
    """Counts the words near the hits of *words* in a row."""

    def __init__(
        self, words: Sequence[str], window: Window, *, max_words: int = MAX_ENTRIES
    ) -> None:
        self.words = list(map(without_tonos, words))
        self.window = window
        self.hits = 0
        self._table: BoundedCounts[str] = BoundedCounts(max_entries=max_words)
        self._batch: Counter[str] = Counter()

    def add(self, line: Sequence[str]) -> None:
        """Count what is near the hits in *line*, all its words; no window goes beyond it."""
        near: set[int] = set()
        hits_with: Counter[str] = Counter()
        for place in places_of(list(map(without_tonos, line)), self.words):
            self.hits += 1
            end = place + len(self.words)
            first, last = max(place - self.window.left, 0), end + self.window.right
            hits_with.update({*line[first:place], *line[end:last]})
            near.update(range(first, place), range(end, min(last, len(line))))
        self._batch.update(Counter(line[place] for place in near) & hits_with)
        if len(self._batch) > _BATCH_WORDS:
            self._to_table()

    def together(self) -> dict[str, int]:
        """Return f_AB of each word."""
        self._to_table()
        return dict(zip(self._table.keys, self._table.counts[:, 0].tolist(), strict=True))

    @property
    def max_missed(self) -> int:
        """By how many f_AB may fall short, 0 when nothing was forgotten for want of room."""
        return self._table.max_missed

    def _to_table(self) -> None:
        words = sorted(self._batch)
        self._table.add_all(
            words, np.array([[self._batch[word]] for word in words], np.int64).reshape(-1, 1)
        )
        self._batch = Counter()


def places_of(line: Sequence[str], words: list[str]) -> Iterator[int]:
    """Yield each place of *line*, a list of words, where *words* stand in a row.

    One that ends in `ANY_END` is any word that begins so.

    >>> list(places_of(["so", "so", "so"], ["so", "so"])), list(places_of(["so", "some"], ["so*"]))
    ([0, 1], [0, 1])
    """
    for place in _places_of_word(line, words[0]):
        others = line[place + 1 : place + len(words)]
        if len(others) == len(words) - 1 and all(map(_is_meant, others, words[1:])):
            yield place


def _places_of_word(line: Sequence[str], word: str) -> list[int]:
    """Return each place of *line* where *word* stands; all words of a corpus are looked at here."""
    if word[-1] != ANY_END:
        return [place for place, found in enumerate(line) if found == word]
    begin = word[:-1]
    return [place for place, found in enumerate(line) if found.startswith(begin)]


def _is_meant(found: str, word: str) -> bool:
    return found.startswith(word[:-1]) if word[-1] == ANY_END else found == word


def t_score(pair: Pair) -> float:
    """Return by how many standard deviations the two are together more often than by chance.

    >>> round(t_score(Pair(together=8, hits=10, occurrences=20, words=1000)), 4)
    2.7577
    """
    return (pair.together - _by_chance(pair)) / math.sqrt(pair.together)


def mi_score(pair: Pair) -> float:
    """Return the logarithm to 2 of how many times as often as by chance the two are together.

    >>> mi_score(Pair(together=8, hits=10, occurrences=20, words=800))
    5.0
    """
    return math.log2(pair.together / _by_chance(pair))


def log_dice(pair: Pair) -> float:
    """Return 14 for two words that are always together, one less for half of that; it needs no *words*.

    >>> log_dice(Pair(together=8, hits=12, occurrences=20, words=0))
    13.0
    """
    return 14 + math.log2(2 * pair.together / (pair.hits + pair.occurrences))


def log_likelihood(pair: Pair) -> float:
    """Return Dunning's G2 of the two, below 0 where they are together less often than by chance.

    >>> pair = Pair(together=1, hits=10, occurrences=100, words=1000)
    >>> round(log_likelihood(pair._replace(together=8)), 4), log_likelihood(pair)
    (27.8167, 0.0)
    """
    together, hits, occurrences, words = pair
    # A word near itself that is most of a text leaves less than nothing for the fourth cell.
    table = (
        (together, hits - together),
        (occurrences - together, max(words - hits - occurrences + together, 0)),
    )
    rows = [sum(row) for row in table]
    columns = [sum(column) for column in zip(*table, strict=True)]
    found = 2 * sum(
        n * math.log(n * sum(rows) / (rows[i] * columns[j]))
        for i, row in enumerate(table)
        for j, n in enumerate(row)
        if n
    )
    # Rounding may leave less than nothing of equal shares.
    return math.copysign(max(found, 0.0), together - _by_chance(pair))


def _by_chance(pair: Pair) -> float:
    return pair.hits * pair.occurrences / pair.words


MEASURES: dict[str, Callable[[Pair], float]] = {
    "logdice": log_dice,
    "mi": mi_score,
    "t": t_score,
    "log-likelihood": log_likelihood,
}
