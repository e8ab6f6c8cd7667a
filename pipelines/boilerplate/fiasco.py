"""FIASCO-like: a linear support vector machine on the subtrees that hold text of their own.

From the root down, an element is a segment when at least a tenth of the characters of its subtree are
in texts that are its children; else its children are looked at.

*Source: Bauer et al. 2007, as Pomikálek 2011, sections 2.4.1 and 2.6.5, describes it.* The segmentation
is his. He does not list the features, and those that need a rendered page are not to be had here;
the features are :data:`pipelines.boilerplate.subtree_features.FEATURES`, and the machine is linear:
hence the name. A block is kept when at least half of its words are in kept segments, and when the
tree has nothing of it, not. Cost: O(n) beside the tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.reasons import Reasons, comparisons, of_blocks
from pipelines.boilerplate.subtree_segments import linear_model, segments_at
from pipelines.boilerplate.tree_nodes import TreeNodes
from pipelines.boilerplate.tree_reasons import told_by_text

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.page.limits import Inline
    from pipelines.boilerplate.subtree_segments import Segments

MIN_OWN_SHARE = 0.10


class FiascoLike:
    """Classifies segments with at least *min_own_share* of their characters to themselves."""

    inline: ClassVar[Inline] = "gap"

    def __init__(self, *, min_own_share: float = MIN_OWN_SHARE):
        if not 0 < min_own_share <= 1:
            raise ValueError(f"min_own_share must be above 0 and at most 1, got {min_own_share}")
        self.min_own_share = min_own_share

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        if not len(page.blocks):
            return labels_of(np.zeros(0, np.bool_))
        nodes = TreeNodes(page)
        segments = self.segments(page, nodes)
        is_main = linear_model("fiasco").scores(segments.features) > 0
        return labels_of(nodes.kept(is_main[segments.of_text]))

    def reasons(self, page: PageModel) -> Reasons:
        """Return the score of the segment of each block of *page*."""
        note = "Kept are segments with a score above 0."
        if not len(page.blocks):
            return of_blocks(note, ())
        nodes = TreeNodes(page)
        segments = self.segments(page, nodes)
        scores = linear_model("fiasco").scores(segments.features)[segments.of_text].tolist()
        return of_blocks(note, told_by_text(nodes, comparisons("score", scores, 0).__getitem__))

    def segments(self, page: PageModel, nodes: TreeNodes) -> Segments:
        """Return the segments of *nodes*, the tree of *page*."""
        return segments_at(page, nodes, self._has_own_text(nodes))

    def _has_own_text(self, nodes: TreeNodes) -> npt.NDArray[np.bool_]:
        own = nodes.own(nodes.chars)
        marked: npt.NDArray[np.bool_] = (own > 0) & (own >= self.min_own_share * nodes.within(own))
        return marked
