"""After WISDOM: the sub-tree of a page that has its informative blocks, by the entropies of words over a site.

With H(w) the entropy of word w over the training pages (:mod:`~pipelines.templates.detectors.feature_entropy`), and
n(v) the words of an element v with all in it, the information of v and its entropy are::

    I(v) = sum over its words of 1 - H(w)        H(v) = 1 - I(v) / n(v)

v is informative where H(v) <= *threshold*. Its parts are its child elements and its own texts. From the root down:

1. Filter: parts with less than *coverage* of the page's information are passed by; the others are the information
   coverage tree.
2. Merge: an informative element of the tree is a block with all in it, where redundant parts in it, however deep, have
   *rest* of its words or fewer; so informative siblings are one block. Else its parts are looked at, and those of an
   element that is not informative.
3. Expand: what stands between two blocks in one element stays, and so do informative parts that were passed by beside a
   block.

What is in a block stays. *Source: Kao, Ho and Chen 2005, as far as Gottron 2008, section 3.3.7, tells of it:*
informative blocks are collected in an information coverage tree, which is filtered, merged and expanded by entropies as
InfoDiscoverer's. All formulas above, what the three steps do and the defaults are ours (of *threshold* the largest that
was best for InfoDiscoverer, section 3.3.2). Blocks of articles and of tables of contents are not told apart.

Words are those of :mod:`~pipelines.templates.detectors.info_discoverer`, each as often as it stands there. Without
training pages all stays.

Cost: O(w + n) for w words and n elements. Memory: two numbers a word of the training pages.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Self

import numpy as np

from pipelines.templates.detectors.document_frequency import checked_count, checked_share
from pipelines.templates.detectors.feature_entropy import FeatureEntropies
from pipelines.templates.detectors.info_discoverer import features_of
from pipelines.templates.detectors.page_nodes import PageNodes
from pipelines.templates.detectors.training import Learner

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    import numpy.typing as npt

    from crawler.page import PageModel
    from pipelines.templates.detectors.kept import Kept

# What sums of decimals may miss a bound by.
_TOLERANCE = 1e-9


class Wisdom(Learner):
    """Keeps the informative sub-tree of a page; options as in the module."""

    def __init__(
        self,
        *,
        threshold: float = 0.7,
        coverage: float = 0.01,
        rest: float = 0.1,
        stop_words: Collection[str] | None = None,
        max_pages: int = 200,
    ):
        self.threshold = checked_share("threshold", threshold)
        self.coverage = checked_share("coverage", coverage)
        self.rest = checked_share("rest", rest)
        self._stop_words = None if stop_words is None else frozenset(stop_words)
        self.max_pages = checked_count("max_pages", max_pages)
        self._entropies = FeatureEntropies()

    def read(self, page: PageModel) -> Counter[str]:
        """Return how often each word of *page* stands there."""
        return Counter(word for words in self._words(PageNodes(page), page) for word in words)

    def learn(self, readings: Iterable[Counter[str]]) -> Self:
        """Learn the entropies of the words of pages."""
        self._entropies = FeatureEntropies()
        for counts in readings:
            self._entropies.add(counts)
        return self

    def extract(self, page: PageModel) -> Kept:
        """Return what stays of *page*."""
        nodes = PageNodes(page)
        if not self._entropies.has_any:
            return nodes.kept(np.zeros(len(nodes.texts), np.bool_))
        words = self._words(nodes, page)
        information = [sum(1 - self._entropies.entropy(word) for word in each) for each in words]
        tree = CoverageTree(nodes, information, list(map(len, words)))
        return nodes.kept(~tree.in_blocks(self.threshold, self.coverage, self.rest))

    def _words(self, nodes: PageNodes, page: PageModel) -> list[list[str]]:
        return features_of(nodes.texts, page.declared_language, self._stop_words)


class CoverageTree:
    """The parts of a page: its elements, and the texts of *nodes*, numbered behind these; a text's *information* and
    *words*.
    """

    def __init__(self, nodes: PageNodes, information: list[float], words: list[int]) -> None:
        self._n = len(nodes.elements)
        parents = nodes.parent.tolist()
        # texts have none
        self._parts: list[list[int]] = [[] for _ in parents + information]
        self._information = [0.0] * self._n + information
        self._words = [0] * self._n + words
        holders = nodes.holder.tolist()
        for text, holder in enumerate(holders):
            self._information[holder] += information[text]
            self._words[holder] += words[text]
        # children stand behind their parents
        for element in range(self._n - 1, 0, -1):
            self._information[parents[element]] += self._information[element]
            self._words[parents[element]] += self._words[element]
        self._order(parents, holders)

    def _order(self, parents: list[int], holders: list[int]) -> None:
        """Put the parts of each element in the order of the page: by the first text in each."""
        first = [len(holders)] * self._n
        for text in range(len(holders) - 1, -1, -1):
            first[holders[text]] = text
            self._parts[holders[text]].append(self._n + text)
        for element in range(self._n - 1, 0, -1):
            above = parents[element]
            first[above] = min(first[above], first[element])
            if first[element] < len(holders):
                self._parts[above].append(element)
        places = first + list(range(len(holders)))
        for parts in self._parts:
            parts.sort(key=places.__getitem__)

    def in_blocks(self, threshold: float, coverage: float, rest: float) -> npt.NDArray[np.bool_]:
        """Return which texts are in a block, bool[m]; the arguments are told in the module."""
        least = coverage * self._information[0] - _TOLERANCE
        informative = [
            n > 0 and 1 - i / n <= threshold + _TOLERANCE
            for i, n in zip(self._information, self._words, strict=True)
        ]
        redundant = self._redundant(informative)
        stays = [False] * len(self._words)
        waiting = [[0]]
        while waiting:
            parts = waiting.pop()
            in_tree = [self._information[part] >= least for part in parts]
            blocks = [
                is_in and informative[part] and redundant[part] <= rest + _TOLERANCE
                for part, is_in in zip(parts, in_tree, strict=True)
            ]
            beside = [
                informative[part] and not is_in for part, is_in in zip(parts, in_tree, strict=True)
            ]
            for place, stay in enumerate(_expanded(blocks, beside)):
                stays[parts[place]] = stay
                if in_tree[place] and not stay:
                    waiting.append(self._parts[parts[place]])
        return self._texts_within(stays)

    def _redundant(self, informative: list[bool]) -> list[float]:
        """Return the share of the words of each part that redundant ones in it have, or all where it is one."""
        redundant = [0 if found else n for found, n in zip(informative, self._words, strict=True)]
        for element in range(self._n - 1, -1, -1):
            if informative[element]:
                redundant[element] = sum(redundant[part] for part in self._parts[element])
        return [each / max(n, 1) for each, n in zip(redundant, self._words, strict=True)]

    def _texts_within(self, stays: list[bool]) -> npt.NDArray[np.bool_]:
        for element in range(self._n):
            if stays[element]:
                for part in self._parts[element]:
                    stays[part] = True
        return np.array(stays[self._n :], np.bool_)


def _expanded(blocks: list[bool], beside: list[bool]) -> list[bool]:
    """Return which parts of an element stay, given which are *blocks*, and which stay *beside* one.

    >>> _expanded([False, True, False, True, False], [True, False, False, False, False])
    [True, True, True, True, False]
    """
    if not any(blocks):
        return blocks
    first, last = blocks.index(True), len(blocks) - 1 - blocks[::-1].index(True)
    return [first <= place <= last or near for place, near in enumerate(beside)]
