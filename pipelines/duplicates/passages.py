"""The passages that two texts share: where one was copied from the other, as a plagiarism report shows.

A *match* is a run of n words or more that is equal in both texts and cannot be made longer at either
end. A *passage* is a chain of matches, in one order in both texts, each at most *gap* words behind
the one before in either; so that a passage with a word changed here and there is one.

*Source:* Pomikálek 2011, 3.2.6 (the detector of the university information system of Masaryk
University: 5-grams, gaps of at most 50 words). Where it is silent these are our choices:

- Words are those of `crawler.page.words.evaluation_words`: runs of letters and digits in lower case, and
  each character of scripts without spaces.
- Where a stretch of A stands in B several times the longest match counts, and of equal ones the first in
  B. So each word of A is in one match at most, but for the ends of matches.
- A passage needs *min_words* equal words.
- An n-gram that B has more than :data:`MAX_PLACES` times is looked for at so many places only, about the
  k-th for the k-th in A. This may part a match in two.

Shapes: words as ``uint64`` n-gram hashes by :func:`pipelines.duplicates.ngram_hashes.ngram_hashes`;
matches ``int64[m, 3]``, first word in A, first word in B, words. Time: O(w log w) for texts of w words,
memory O(w).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.page.words import HAN_KANA, SOUTH_EAST_ASIAN
from pipelines.duplicates.ngram_hashes import ngram_hashes

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    I64 = npt.NDArray[np.int64]
    U64 = npt.NDArray[np.uint64]

# Pomikálek 2011, 3.2.6.
NGRAM_WORDS = 5
GAP_WORDS = 50
# A long sentence.
MIN_WORDS = 15
MAX_PLACES = 16
# Chains that a match can be added to, the last ones: texts that mix several parts of another.
_OPEN_CHAINS = 8
# As crawler.page.words.evaluation_words, whose words these are.
_WORD = re.compile(rf"[{HAN_KANA}{SOUTH_EAST_ASIAN}]|(?:(?![{HAN_KANA}{SOUTH_EAST_ASIAN}])\w)+")


@dataclass(frozen=True, slots=True)
class PassageOptions:
    """*ngram_words* n, *gap* and *min_words* in words; ValueError for values out of range."""

    ngram_words: int = NGRAM_WORDS
    gap: int = GAP_WORDS
    min_words: int = MIN_WORDS

    def __post_init__(self) -> None:
        for name, least in (("ngram_words", 1), ("gap", 0), ("min_words", 1)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} must be at least {least}, got {getattr(self, name)}")


class Span(NamedTuple):
    """Characters of a text, *end* excluded."""

    start: int
    end: int


class Passage(NamedTuple):
    """Where a passage is in both texts, and how many words of it are equal."""

    a: Span
    b: Span
    n_words: int


class Words(NamedTuple):
    """The words of a text in lower case, and where each begins and ends, ``int64[w, 2]``."""

    words: list[str]
    spans: I64


def words_of(text: str) -> Words:
    """Return the words of *text*.

    >>> words_of("One - two.").spans.tolist()
    [[0, 3], [6, 9]]
    """
    found = [(match[0].lower(), *match.span()) for match in _WORD.finditer(text)]
    words = [word for word, _, _ in found]
    spans = [(start, end) for _, start, end in found]
    return Words(words, np.array(spans, dtype=np.int64).reshape(-1, 2))


def shared_passages(a: str, b: str, options: PassageOptions | None = None) -> list[Passage]:
    """Return the passages that the texts *a* and *b* share, in the order of *a*."""
    options = options or PassageOptions()
    first, second = words_of(a), words_of(b)
    n = options.ngram_words
    if min(len(first.words), len(second.words)) < n:
        return []
    found = best_matches(matches(ngram_hashes(first.words, n), ngram_hashes(second.words, n), n))
    return [
        Passage(
            _span(first.spans, chain[0][0], max(at + size for at, _, size in chain)),
            _span(second.spans, chain[0][1], max(at + size for _, at, size in chain)),
            _n_words(chain),
        )
        for chain in chains(found, options.gap)
        if _n_words(chain) >= options.min_words
    ]


def matches(a: U64, b: U64, n: int) -> I64:
    """Return the matches of two texts by the hashes of their *n*-grams, by place in *a*, then *b*."""
    order = np.argsort(b, kind="stable")
    ordered = b[order]
    first = np.searchsorted(ordered, a, side="left")
    n_places = np.searchsorted(ordered, a, side="right") - first
    counts = np.minimum(n_places, MAX_PLACES)
    first += np.clip(_occurrences(a) - MAX_PLACES // 2, 0, n_places - counts)
    i = np.repeat(np.arange(len(a)), counts)
    behind = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    j = order[np.repeat(first, counts) + behind]
    # Matches are runs on a diagonal.
    along = np.lexsort((i, j - i))
    i, j = i[along], j[along]
    is_start = np.ones(len(i), dtype=np.bool_)
    is_start[1:] = (j[1:] - i[1:] != j[:-1] - i[:-1]) | (i[1:] != i[:-1] + 1)
    starts = np.flatnonzero(is_start)
    sizes = np.diff(np.append(starts, len(i))) + n - 1
    found = np.stack((i[starts], j[starts], sizes), axis=1).astype(np.int64)
    return found[np.lexsort((found[:, 1], found[:, 0]))]


def _occurrences(values: U64) -> I64:
    """Return of each value how many equal ones are before it."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    result = np.empty(len(values), dtype=np.int64)
    result[order] = np.arange(len(values)) - np.searchsorted(ordered, ordered, side="left")
    return result


def best_matches(found: I64) -> I64:
    """Return those matches that have a word of A which no longer one has, by place in A."""
    order = np.lexsort((found[:, 1], found[:, 0], -found[:, 2]))
    is_covered = np.zeros(int((found[:, 0] + found[:, 2]).max(initial=0)), dtype=np.bool_)
    kept = []
    for place in order.tolist():
        start, _, size = found[place].tolist()
        # Between its ends a match is covered wholly or by one that is longer.
        if not is_covered[start : start + size].all():
            is_covered[start : start + size] = True
            kept.append(place)
    return found[np.sort(np.array(kept, dtype=np.int64))]


def chains(found: I64, gap: int) -> Iterator[list[list[int]]]:
    """Yield the matches of each passage, by the first word in A."""
    open_chains: list[list[list[int]]] = []
    done: list[list[list[int]]] = []
    for match in found.tolist():
        for chain in reversed(open_chains):
            if _follows(chain[-1], match, gap):
                chain.append(match)
                break
        else:
            open_chains.append([match])
            if len(open_chains) > _OPEN_CHAINS:
                done.append(open_chains.pop(0))
    yield from sorted(done + open_chains)


def _follows(last: list[int], match: list[int], gap: int) -> bool:
    (a, b, size), (next_a, next_b, next_size) = last, match
    in_order = next_b > b and next_b + next_size > b + size and next_a + next_size > a + size
    return in_order and next_a - (a + size) <= gap and next_b - (b + size) <= gap


def _n_words(chain: list[list[int]]) -> int:
    """Return the words of A in the matches of *chain*, each once."""
    n_words = end = 0
    for start, _, size in chain:
        n_words += max(start + size - max(start, end), 0)
        end = max(end, start + size)
    return n_words


def _span(spans: I64, first: int, end: int) -> Span:
    return Span(int(spans[first, 0]), int(spans[end - 1, 1]))
