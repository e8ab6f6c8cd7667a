"""ContentExtractor: blocks that many pages of a site have, or one like it, are templates.

Blocks are made by *tags* in their order: each block with elements of the tag becomes those. A block is the set of its
words; two are the same when the cosine of these, |A & B| / sqrt(|A| |B|), is above *same*. With S the training pages
that have a block or the same as it, it stays when::

    IBDF = 1 / (|S| + 1) >= theta

*Source: Debnath, Mitra and Giles 2005, after Gottron 2008, section 3.3.3 and algorithm 3.5.* *same* of .9 is theirs.
Neither f of IBDF = f(1 / (|S| + 1)) nor theta are given, and "below a threshold" is right for a falling f only; ours is
the identity, and .5: a block of one page stays.

Where we deviate: text of a block that is in none of its parts stays a block, and is not lost; a text is in the
innermost part; ``hr``, which holds nothing, makes no blocks. A block without words stays.

Cost: each block of a page is compared with the training blocks that have one of its rarest words: to be the same, two
blocks share more than same² of the words of either, so one of the 1 - same² rarest at least. Memory: the sets of words
of the training pages' blocks, those of equal sets once. Invariant: |S| is what a comparison of all pairs gives, but
that of a block the first 2,000 entries of its rarest words count, of all blocks of a page as many as have 5 million
words in all: what is beyond these is compared with equal blocks alone. Pages of the web are far from either.
"""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING, Self

import numpy as np

from crawler.page.words import search_words
from pipelines.templates.detectors.document_frequency import checked_count, checked_share
from pipelines.templates.detectors.page_nodes import PageNodes
from pipelines.templates.detectors.training import Learner

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    from crawler.page import PageModel
    from pipelines.templates.detectors.kept import Kept

    Words = frozenset[str]

# Training blocks that one block is compared with; on real pages some dozens have its rarest words.
_MAX_CANDIDATES = 2000
# Words that are looked up for a page: some seconds.
_MAX_LOOKUPS = 5_000_000
_ROUNDING = 1e-9
_TAGS = ("table", "tr", "p", "ul")


class ContentExtractor(Learner):
    """Drops blocks that are, within *same*, on so many training pages that 1/(n + 1) is below *theta*."""

    def __init__(self, *, same: float = 0.9, theta: float = 0.5, max_pages: int = 200):
        self.same = checked_share("same", same)
        self.theta = checked_share("theta", theta)
        self.max_pages = checked_count("max_pages", max_pages)
        self._known: dict[Words, set[int]] = {}
        self._with_word: dict[str, list[Words]] = {}

    def read(self, page: PageModel) -> Sequence[Words]:
        """Return the words of the blocks of *page*."""
        return blocks_of(PageNodes(page))[1]

    def learn(self, readings: Iterable[Sequence[Words]]) -> Self:
        """Learn the blocks of pages."""
        found: defaultdict[Words, set[int]] = defaultdict(set)
        for number, blocks in enumerate(readings):
            for words in blocks:
                if words:
                    found[words].add(number)
        self._known = dict(found)
        index: defaultdict[str, list[Words]] = defaultdict(list)
        for words in found:
            for word in words:
                index[word].append(words)
        self._with_word = dict(index)
        return self

    def extract(self, page: PageModel) -> Kept:
        """Return what stays of *page*."""
        nodes = PageNodes(page)
        block, words = blocks_of(nodes)
        n_pages: dict[Words, int] = {}
        left = _MAX_LOOKUPS
        for each in words:
            if each not in n_pages:
                n_pages[each], n_looked_up = self._count_pages(each, left)
                left -= n_looked_up
        removed = [1 / (n_pages[each] + 1) < self.theta for each in words]
        return nodes.kept(np.array(removed, np.bool_)[block])

    def n_pages_with(self, words: Words) -> int:
        """Return |S|, the number of training pages with a block of *words* or the same as it."""
        return self._count_pages(words, _MAX_LOOKUPS)[0]

    def _count_pages(self, words: Words, left: int) -> tuple[int, int]:
        """Return |S|, and how many words were looked up for it; not many more than *left*."""
        n_shared = math.floor(self.same**2 * len(words) - _ROUNDING) + 1
        rarest = sorted(words, key=lambda word: (len(self._with_word.get(word, ())), word))
        entries = (
            known
            for word in rarest[: len(words) - n_shared + 1]
            for known in self._with_word.get(word, ())
        )
        n_most = min(_MAX_CANDIDATES, left // max(len(words), 1))
        candidates = dict.fromkeys(islice(entries, max(n_most, 0)))
        pages = set(self._known.get(words, ())) if self.same < 1 else set()
        for known in candidates:
            if cosine(words, known) > self.same:
                pages |= self._known[known]
        return len(pages), len(candidates) * len(words)


def cosine(a: Words, b: Words) -> float:
    """Return the cosine of two sets as binary vectors; 0 of an empty one.

    >>> cosine(frozenset("abcd"), frozenset("d"))
    0.5
    """
    return len(a & b) / math.sqrt(len(a) * len(b)) if a and b else 0.0


def blocks_of(nodes: PageNodes) -> tuple[npt.NDArray[np.int64], Sequence[Words]]:
    """Return the number of each text's block, int64[m], and the words of each block."""
    element = np.zeros(len(nodes.texts), np.int64)
    for tag in _TAGS:
        # Both are above the text, so the later one is within the other.
        element = np.maximum(element, nodes.nearest((tag,)))
    blocks, block = np.unique(element, return_inverse=True)
    words: list[set[str]] = [set() for _ in blocks]
    for number, text in zip(block.tolist(), nodes.texts, strict=True):
        words[number].update(search_words(text))
    return block, list(map(frozenset, words))
