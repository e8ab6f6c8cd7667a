"""Debnath's blocks, FeatureExtractor and K-FeatureExtractor: the blocks that are purest text.

The page is divided at table, tr, p, hr and ul, in this order: a block with such elements in it is
replaced by these. The purity of a block is its words over its words and all elements in it; blocks of
less than 0.5 are out. FeatureExtractor keeps the purest block, K-FeatureExtractor all of the purest of
k clusters of purities (k-means, k = 3).

*Source: Debnath, Mitra, Giles 2005; Gottron 2008, section 3.2.5, algorithm 3.5.* As printed: text
outside of the five elements is lost, an outer and a nested table are both blocks, a block with a
rule (``hr``) in it is lost. That, and that prose with links and bold words is less pure than a headline, is
why the thesis finds both below the page as it is. *keep_remainder* makes blocks that lose nothing: each
text is of the nearest of the five elements above it, with the elements that are nearest to it alike.
Where the source is silent: the first of the purest blocks wins; the clusters are the exact ones.

A block of the page is kept when at least half of its words are in a winner. Cost: O(elements), and
O(k d log d) for d purities.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate.k_means import highest_cluster
from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.option_ranges import check_least
from pipelines.boilerplate.reasons import comparisons, of_blocks
from pipelines.boilerplate.tree_nodes import TreeNodes
from pipelines.boilerplate.tree_reasons import start_tag, told_by_text

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.page.limits import Inline
    from pipelines.boilerplate.reasons import Reasons

    I64 = npt.NDArray[np.int64]
    F64 = npt.NDArray[np.float64]
    Bools = npt.NDArray[np.bool_]

# Debnath, Mitra, Giles 2005: the order matters.
BLOCK_TAGS = ("table", "tr", "p", "hr", "ul")
MIN_PURITY = 0.5


class FeatureExtractor:
    """Keeps the purest block."""

    inline: Inline = "gap"

    def __init__(self, *, min_purity: float = MIN_PURITY, keep_remainder: bool = False):
        if not 0 < min_purity <= 1:
            raise ValueError(f"min_purity must be above 0 and at most 1, got {min_purity}")
        self.min_purity = min_purity
        self.keep_remainder = keep_remainder

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        nodes = TreeNodes(page)
        _, is_winner, element = self._decide(nodes)
        return labels_of(nodes.kept((element >= 0) & is_winner[element]))

    def reasons(self, page: PageModel) -> Reasons:
        """Return the purity of the element of each block of *page* against that of the least winner."""
        nodes = TreeNodes(page)
        purity, is_winner, element = self._decide(nodes)
        if not is_winner.any():
            return of_blocks("No element is pure enough.", ())
        least = float(purity[is_winner].min())
        against = comparisons("purity", purity.tolist(), least, or_equal=True)

        def say(text: int) -> str:
            its = int(element[text])
            if its < 0:
                return "in no table, p or ul"
            # Of equal ones the first wins.
            is_late = bool(purity[its] >= least and not is_winner[its])
            return f"{start_tag(nodes, its)}: {against[its]}{', but not the first' * is_late}"

        note = "Purity is words over words and elements; of the purest the first is kept."
        if is_winner.sum() > 1:
            note = (
                f"Purity is words over words and elements; the purest {is_winner.sum():,} are kept."
            )
        return of_blocks(note, told_by_text(nodes, say))

    def _decide(self, nodes: TreeNodes) -> tuple[F64, Bools, I64]:
        """Return the purity of elements that are blocks, which win, and the one of each text, int64[m], or -1."""
        if self.keep_remainder:
            is_block = nodes.has_tag(BLOCK_TAGS)
            is_block[0] = True
        else:
            is_block = divided(nodes)
        purity = np.where(is_block, _purity(nodes, is_block, self.keep_remainder), 0.0)
        is_winner = self._winners(np.where(purity >= self.min_purity, purity, 0.0))
        element = nodes.nearest(is_block)[nodes.holder]
        if not self.keep_remainder:
            # A block may hold others.
            winner = nodes.nearest(is_winner)[nodes.holder]
            element = np.where(winner >= 0, winner, element)
        return purity, is_winner, element

    def _winners(self, purity: F64) -> Bools:
        """Return which blocks win, given the purity of each or 0 where it is out."""
        winner = np.zeros(len(purity), np.bool_)
        best = np.argmax(purity)
        winner[best] = purity[best] > 0
        return winner


class KFeatureExtractor(FeatureExtractor):
    """Keeps the blocks of the purest of *k* clusters, at least 1."""

    def __init__(self, *, k: int = 3, min_purity: float = MIN_PURITY, keep_remainder: bool = False):
        super().__init__(min_purity=min_purity, keep_remainder=keep_remainder)
        check_least(1, k=k)
        self.k = k

    def _winners(self, purity: F64) -> Bools:
        left = purity[purity > 0]
        if not len(left):
            return purity > 0
        winners: Bools = purity >= highest_cluster(left, self.k)
        return winners


def divided(nodes: TreeNodes) -> Bools:
    """Return which elements are blocks after algorithm 3.5, bool[n]; the root at first."""
    is_block = np.zeros(len(nodes.tag), np.bool_)
    is_block[0] = True
    for tag in BLOCK_TAGS:
        has_tag = nodes.has_tag((tag,))
        is_divided = is_block & (nodes.within(has_tag) > has_tag)
        # Those below a block that is divided; a block is not below itself.
        is_below = np.zeros(len(is_block), np.bool_)
        is_below[1:] = nodes.nearest(is_divided)[nodes.parent[1:]] >= 0
        is_block = (is_block & ~is_divided) | (has_tag & is_below)
    return is_block


def _purity(nodes: TreeNodes, is_block: Bools, own_only: bool) -> F64:
    """Return of each block its words over its words and elements; 0 without words."""
    words = nodes.own(nodes.words)
    if own_only:
        block = nodes.nearest(is_block)
        n_words = np.bincount(block, words, len(block))
        n_elements = np.bincount(block[nodes.parent[1:]], minlength=len(block))
    else:
        n_words = nodes.within(words)
        n_elements = nodes.end - np.arange(len(words)) - 1
    purity: F64 = n_words / np.maximum(n_words + n_elements, 1)
    return purity
