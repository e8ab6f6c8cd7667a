"""Which blocks of a page its gold text holds: the labels that cleaners are trained with.

A gold standard gives the main text, seldom the blocks it came from. With the words of
:func:`crawler.page.words.evaluation_words`, a block of at least 4 words is *covered* when at least
half of its 4-grams are in the gold, a shorter one when the gold has its words in a row. Then:

1. Of the covered blocks, each placed where the gold has it, the heaviest chain that does not overlap
   and keeps the order of both page and gold is main text (a longest common subsequence of blocks,
   weighted by words). This is the only way in for a block of fewer than 4 words: a menu entry
   ``News`` is no main text because the article says "news" somewhere.
2. Longer covered blocks out of that order are main text, too, for some gold standards move what
   pages put last; but the same text never more often than the gold has it.

*Source: the recipe of design note QUALITY (4-gram coverage, order of short blocks by longest common
subsequence); the thesis of Kohlschütter 2011, section 4.4.3, had its blocks labelled by hand.*
A block is placed by the diagonals on which most of its 4-grams match, at most ``MAX_PLACES`` of
them, and so are short blocks: cost O(w + b log g) for w words on the page, b blocks, g gold words.
Invariant: a page whose text is the gold is kept whole.

Where annotators labelled the text nodes instead, their texts are placed in the same way, and a block
has the label that most of its words have.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel
from crawler.page.words import evaluation_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from pipelines.evaluation.gold import NodeLabel

N_GRAM = 4
MIN_COVERAGE = 0.5
# Frequent words are on the page and in the gold hundreds of times; their product must not be.
MAX_PLACES = 64


def label_blocks(block_texts: Sequence[str], gold: str) -> npt.NDArray[np.bool_]:
    """Return, for each block text of a page in order, whether it belongs to the text *gold*.

    bool[n]; all False for an empty gold.

    >>> label_blocks(["Home", "the news of today", "is here", "Home"], "The news of today is here.")
    array([False,  True,  True, False])
    """
    blocks = [tuple(evaluation_words(text)) for text in block_texts]
    index = _GoldIndex(evaluation_words(gold))
    places = index.all_places(blocks)
    kept = np.zeros(len(blocks), dtype=np.bool_)
    kept[places[0, _heaviest_chain(places, index.n_words)]] = True
    n_kept = Counter(blocks[number] for number in np.flatnonzero(kept).tolist())
    for number in np.unique(places[0]).tolist():
        words = blocks[number]
        if len(words) < N_GRAM or kept[number] or n_kept[words] >= index.occurrences(words):
            continue
        kept[number] = True
        n_kept[words] += 1
    return kept


def label_by_nodes(block_texts: Sequence[str], nodes: Sequence[NodeLabel]) -> list[str | None]:
    """Return, for each block text of a page in order, the label that most of its words have.

    *nodes*: the labelled text nodes of the page, in order. A block that is not found among them has
    None; of two labels with as many words the one that comes first is taken.

    >>> from pipelines.evaluation.gold import NodeLabel
    >>> nodes = [NodeLabel("Home", "1"), NodeLabel("The", "2"), NodeLabel("news today.", "3")]
    >>> label_by_nodes(["Home", "The news today."], nodes)
    ['1', '3']
    """
    blocks = [tuple(evaluation_words(text)) for text in block_texts]
    words = [(word, node.label) for node in nodes for word in evaluation_words(node.text)]
    places = _GoldIndex([word for word, _ in words]).all_places(blocks)
    labels: list[str | None] = [None] * len(blocks)
    for number, start, end in places[:, _heaviest_chain(places, len(words))].T.tolist():
        labels[number] = Counter(label for _, label in words[start:end]).most_common(1)[0][0]
    return labels


class _GoldIndex:
    """The n-grams of a gold text, n = 1 to 4, and where they begin."""

    def __init__(self, words: Sequence[str]):
        self.n_words = len(words)
        self._starts: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for n in range(1, N_GRAM + 1):
            for start in range(len(words) - n + 1):
                self._starts[tuple(words[start : start + n])].append(start)

    def all_places(self, blocks: Sequence[tuple[str, ...]]) -> npt.NDArray[np.int64]:
        """Return int64[3, p]: number of the block, start and end of each place of *blocks*."""
        places = [
            (number, start, end)
            for number, words in enumerate(blocks)
            for start, end in self.places(words)
        ]
        return np.array(places, dtype=np.int64).reshape(-1, 3).T.copy()

    def places(self, words: tuple[str, ...]) -> Iterator[tuple[int, int]]:
        """Yield where in the gold *words* may be: start and end, if they are covered."""
        grams = _grams(words)
        found = [(offset, self._starts[gram]) for offset, gram in grams if gram in self._starts]
        if not found or len(found) < MIN_COVERAGE * len(grams):
            return
        diagonals: dict[int, list[int]] = defaultdict(list)
        for offset, starts in found:
            for start in starts[:MAX_PLACES]:
                diagonals[start - offset].append(offset)
        n = min(len(words), N_GRAM)
        best = sorted(diagonals, key=lambda diagonal: (-len(diagonals[diagonal]), diagonal))
        for diagonal in best[:MAX_PLACES]:
            offsets = diagonals[diagonal]
            yield diagonal + offsets[0], diagonal + offsets[-1] + n

    def occurrences(self, words: tuple[str, ...]) -> int:
        """Return how often the gold has *words*, at most: as often as the rarest of their n-grams."""
        return min(len(self._starts[gram]) for _, gram in _grams(words) if gram in self._starts)


def _grams(words: tuple[str, ...]) -> list[tuple[int, tuple[str, ...]]]:
    """Return the n-grams of *words* with their offsets; n is 4, or less for fewer words."""
    n = min(len(words), N_GRAM)
    return [(offset, words[offset : offset + n]) for offset in range(len(words) - n + 1) if n]


def _heaviest_chain(places: npt.NDArray[np.int64], n_words: int) -> npt.NDArray[np.int64]:
    """Return the numbers of the *places* that make the heaviest chain, one a block, in order.

    Block numbers never fall. Weight: words of the gold, *n_words* in all, that are covered.
    """
    before = np.full(places.shape[1], -1, dtype=np.int64)
    best_before = np.full(n_words + 2, -1, dtype=np.int64)
    place = _chain(places, np.zeros_like(before), before, best_before)
    chain = []
    while place >= 0:
        chain.append(place)
        place = int(before[place])
    return np.array(chain[::-1], dtype=np.int64)


@lean_kernel
def _chain(
    places: npt.NDArray[np.int64],
    weight: npt.NDArray[np.int64],
    before: npt.NDArray[np.int64],
    best_before: npt.NDArray[np.int64],
) -> int:
    """Write the *weight* of the best chain that ends with each place, and the place *before* it.

    *best_before* is a Fenwick tree of maxima over the ends: the place of the best chain up to each.
    Returns the last place of the heaviest chain, -1 if there is none.
    """
    block, start, end = places
    heaviest = -1
    first = 0
    while first < len(block):
        last = first
        # all places of a block, before any of them is entered
        while last < len(block) and block[last] == block[first]:
            at = start[last] + 1
            best = -1
            while at > 0:
                if best_before[at] >= 0 and (best < 0 or weight[best_before[at]] > weight[best]):
                    best = best_before[at]
                at -= at & -at
            before[last] = best
            weight[last] = end[last] - start[last] + (weight[best] if best >= 0 else 0)
            last += 1
        for place in range(first, last):
            at = end[place] + 1
            while at < len(best_before):
                if best_before[at] < 0 or weight[place] > weight[best_before[at]]:
                    best_before[at] = place
                at += at & -at
            if heaviest < 0 or weight[place] > weight[heaviest]:
                heaviest = place
        first = last
    return heaviest
