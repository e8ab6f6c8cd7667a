"""Word lists and what builds them: stems, their home topics, morphology and compounding.

A *column* is a list of ``(form, home topic)`` in the order of falling frequency. All the forms of
one part of speech are columns of equal length and equal homes, one lemma a position.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

TOPICS = (
    "arts",
    "business",
    "computers",
    "health",
    "home",
    "news",
    "recreation",
    "reference",
    "science",
    "shopping",
    "society",
    "sports",
)
N_TOPICS = len(TOPICS)

Column = list[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class LanguageData:
    """What a language module holds.

    *grammar* is read by `grammar.compile_grammar`, *columns* are its word classes. *repairs* are
    pairs of a regular expression and its replacement, applied to a joined sentence (elision,
    contraction). *upper* overrides ``str.upper`` for single letters. A language with *spaces* False
    joins its words without a blank.
    """

    grammar: str
    columns: Mapping[str, Column]
    repairs: Sequence[tuple[str, str]] = ()
    upper: Mapping[str, str] = field(default_factory=dict)
    spaces: bool = True
    stop: str = "."


def topical(words: str) -> Column:
    """Read a column from *words*, a part for each of `TOPICS` in order with ``|`` between them.

    The topics are interleaved, so that each has words of every frequency.
    """
    parts = [part.split() for part in words.split("|")]
    if len(parts) != N_TOPICS:
        raise ValueError(f"words must have {N_TOPICS} parts, got {len(parts)}")
    ranks = zip_longest(*parts)
    return [(word, home) for rank in ranks for home, word in enumerate(rank) if word is not None]


def general(words: str) -> Column:
    """Read a column from *words* whose home topics follow in turn."""
    return [(word, index % N_TOPICS) for index, word in enumerate(words.split())]


def each(column: Column, change: Callable[[str], str]) -> Column:
    """Return *column* with *change* applied to each form."""
    return [(change(word), home) for word, home in column]


def ending(column: Column, suffix: str) -> Column:
    """Return *column* with *suffix* put to each form."""
    return [(word + suffix, home) for word, home in column]


def compound(first: Column, second: Column) -> Column:
    """Join every word of *first* with every one of *second*; the home is that of the first.

    The order goes round both, so that the frequent compounds have many heads and tails.

    >>> compound([("sun", 8), ("snow", 6)], [("light", 0), ("fall", 1)])
    [('sunlight', 8), ('snowfall', 6), ('sunfall', 8), ('snowlight', 6)]
    """
    tails = [tail for tail, _ in second]
    return [
        (head + tails[(turn + index) % len(tails)], home)
        for turn in range(len(tails))
        for index, (head, home) in enumerate(first)
    ]


def numerals(first: int, last: int, step: int = 1) -> Column:
    """Return the numbers of a range in digits."""
    return general(" ".join(map(str, range(first, last + 1, step))))
