"""InfoDiscoverer: blocks whose words are spread evenly over the pages of a site are templates.

A block is an element of *tags* (``table``) with its text but for that of blocks in it; what is in none is a block, too.
Its features are its words, in lower case, without stop words, stemmed. With H(F) the entropy of a feature over the
training pages (:mod:`~pipelines.templates.detectors.feature_entropy`), a block CB of k features is redundant, and goes,
when::

    H(CB) = 1/k sum_j H(F_j) > t

*Source: Lin and Ho 2002, after Gottron 2008, section 3.3.2 and algorithm 3.6.* Without a *threshold*, t is found as
there: it grows from 0 to 1 by .1 while the features of the blocks that are informative become more. Ours: it goes on
until there are any, for at 0 there are mostly none.

Where we deviate: a word is :func:`crawler.page.words.search_words`, stop words are those of *stop_words*, or of the
language that the page declares, as words of a page are divided; stems, unless *stem* is false, are those of this
language (:mod:`pipelines.linguistics.stems`: of English by Porter's revision of his stemmer). A page that declares none
has neither. A block without features is redundant.

Cost: O(w) for w words, and 11 passes over the blocks of the training pages, which are in memory.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Self

import numpy as np

from crawler.page.words import search_words
from pipelines.linguistics.stems import stems
from pipelines.linguistics.stop_lists import as_divided, known_language, stop_words
from pipelines.templates.detectors.document_frequency import checked_count, checked_share
from pipelines.templates.detectors.feature_entropy import FeatureEntropies
from pipelines.templates.detectors.page_nodes import PageNodes
from pipelines.templates.detectors.training import Learner

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    import numpy.typing as npt

    from crawler.page import PageModel
    from pipelines.templates.detectors.kept import Kept

TAGS = frozenset({"table"})
_STEPS = 10
# What sums of decimals may miss a step of the threshold by.
_TOLERANCE = 1e-9


class InfoDiscoverer(Learner):
    """Drops blocks of *tags* whose entropy is above *threshold*, by default one that is found."""

    def __init__(
        self,
        *,
        threshold: float | None = None,
        tags: Collection[str] = TAGS,
        stop_words: Collection[str] | None = None,
        stem: bool = True,
        max_pages: int = 200,
    ):
        self.threshold = None if threshold is None else checked_share("threshold", threshold)
        self.tags = frozenset(tags)
        self._stop_words = None if stop_words is None else frozenset(stop_words)
        self._stem = stem
        self.max_pages = checked_count("max_pages", max_pages)
        self._entropies = FeatureEntropies()
        self.found_threshold = 1.0 if threshold is None else threshold

    def read(self, page: PageModel) -> list[list[str]]:
        """Return the features of the blocks of *page*."""
        return self._words_of_blocks(PageNodes(page), page.declared_language)[1]

    def learn(self, readings: Iterable[list[list[str]]]) -> Self:
        """Learn the entropies of the features of pages, and the threshold if none was given."""
        self._entropies = FeatureEntropies()
        blocks: list[frozenset[str]] = []
        for words in readings:
            self._entropies.add(Counter(word for block in words for word in block))
            blocks += map(frozenset, words)
        if self.threshold is None:
            self.found_threshold = self._greedy(blocks)
        return self

    def find_threshold(self, readings: Iterable[list[list[str]]]) -> None:
        """Find the threshold over the blocks of these pages alone, in place of all that were learnt from."""
        self.found_threshold = self._greedy([*map(frozenset, chain.from_iterable(readings))])

    def extract(self, page: PageModel) -> Kept:
        """Return what stays of *page*."""
        nodes = PageNodes(page)
        block, words = self._words_of_blocks(nodes, page.declared_language)
        removed = [self._is_redundant(frozenset(each)) for each in words]
        return nodes.kept(np.array(removed, np.bool_)[block])

    def block_entropy(self, features: Collection[str]) -> float:
        """Return H of a block with *features*, each once, at least one."""
        return sum(map(self._entropies.entropy, features)) / len(features)

    def _is_redundant(self, features: frozenset[str]) -> bool:
        if not self._entropies.n_pages:
            return False
        above = self.found_threshold + _TOLERANCE
        return not features or self.block_entropy(features) > above

    def _greedy(self, blocks: Sequence[frozenset[str]]) -> float:
        """Return the last threshold that added features; 1 if none did."""
        with_features = [(self.block_entropy(each), each) for each in blocks if each]
        found: frozenset[str] = frozenset()
        best = 1.0
        for step in range(_STEPS + 1):
            threshold = step / _STEPS
            now = [words for entropy, words in with_features if entropy <= threshold + _TOLERANCE]
            features = frozenset().union(*now)
            if len(features) > len(found):
                found, best = features, threshold
            elif found:
                break
        return best

    def _words_of_blocks(
        self, nodes: PageNodes, language: str | None
    ) -> tuple[npt.NDArray[np.int64], list[list[str]]]:
        """Return the number of each text's block, int64[m], and the features of each block."""
        blocks, block = np.unique(nodes.nearest(self.tags), return_inverse=True)
        words: list[list[str]] = [[] for _ in blocks]
        features = features_of(nodes.texts, language, self._stop_words, stem=self._stem)
        for number, found in zip(block.tolist(), features, strict=True):
            words[number] += found
        return block, words


def features_of(
    texts: Sequence[str],
    language: str | None,
    left_out: Collection[str] | None = None,
    *,
    stem: bool = True,
) -> list[list[str]]:
    """Return the features of each of *texts*, of a page that declares *language*; *left_out*: stop words, None for its
    own.
    """
    name = known_language(language)
    if left_out is None:
        left_out = frozenset() if name is None else as_divided(stop_words(name))
    words = ([word for word in search_words(text) if word not in left_out] for text in texts)
    return [stems(each, name) if stem else each for each in words]
