"""Isotonic-smoothing-like: template scores of subtrees, no child's below its parent's.

A classifier gives the subtree of each element a score x from 0 to 1, how much it looks like a
template; the smoothed scores y are those that minimise ``sum (y_i - x_i)^2`` among all with
``y_child >= y_parent``, and text in subtrees with ``y`` below a threshold is kept.

*Source: Chakrabarti, Kumar, Punera 2007, as Pomikálek 2011, section 2.6.5, describes it.* The norm, the
threshold and all features but three are not given: squares, 1/2, and a logistic regression on
:data:`pipelines.boilerplate.subtree_features.FEATURES` are ours, and so the name. Elements without text
are left out. The minimum is found from the leaves up: a set of nodes whose mean is above that of the
lowest set below it takes that set in (Pardalos and Xue 1999).

A block is kept when at least half of its words are in kept subtrees. Cost: O(n log^2 n) beside the
tree. Invariant: y falls nowhere from parent to child, and keeps the sum of x.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.option_ranges import check_shares
from pipelines.boilerplate.reasons import Reasons, of_blocks
from pipelines.boilerplate.subtree_features import subtree_features, text_measures
from pipelines.boilerplate.subtree_segments import linear_model
from pipelines.boilerplate.tree_nodes import TreeNodes
from pipelines.boilerplate.tree_reasons import told_by_text

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.page.limits import Inline

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]

THRESHOLD = 0.5


class IsotonicLike:
    """Keeps subtrees with a smoothed template score below *threshold*."""

    inline: ClassVar[Inline] = "gap"

    def __init__(self, *, threshold: float = THRESHOLD):
        check_shares(threshold=threshold)
        self.threshold = threshold

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        if not len(page.blocks):
            return labels_of(np.zeros(0, np.bool_))
        nodes = TreeNodes(page)
        return labels_of(nodes.kept(_template_scores(page, nodes)[1] < self.threshold))

    def reasons(self, page: PageModel) -> Reasons:
        """Return the template score of the subtree around each block of *page*, as it is and smoothed."""
        note = f"Kept is what stands in subtrees of a smoothed template score below {self.threshold:.2f}."
        if not len(page.blocks):
            return of_blocks(note, ())
        nodes = TreeNodes(page)
        alone, smooth = (values.tolist() for values in _template_scores(page, nodes))

        def say(text: int) -> str:
            return f"template score {alone[text]:.2f}, smoothed {smooth[text]:.2f}"

        return of_blocks(note, told_by_text(nodes, say))


def _template_scores(page: PageModel, nodes: TreeNodes) -> tuple[F64, F64]:
    """Return the score of the element that holds each text, and the smoothed one; float64[m]."""
    has_text = nodes.within(nodes.own(nodes.chars)) > 0
    # A page may have millions of elements without any.
    features = subtree_features(text_measures(page, nodes), nodes, has_text)
    # The logistic function of a score that speaks against a template, however large it is.
    scores = (1 - np.tanh(linear_model("isotonic").scores(features) / 2)) / 2
    # What has text is a tree, for what is above has it, too.
    number = np.cumsum(has_text) - 1
    parent = np.where(nodes.parent >= 0, number[nodes.parent], -1)[has_text]
    of_text = number[nodes.holder]
    return scores[of_text], smoothed(parent, scores)[of_text]


def smoothed(parent: I64, scores: F64) -> F64:
    """Return the scores nearest to *scores* of which none is below that of its *parent*.

    float64[n] both; int64[n], parents before children, -1 for none.

    >>> smoothed(np.array([-1, 0, 0]), np.array([0.8, 0.2, 0.9])).tolist()
    [0.5, 0.5, 0.9]
    """
    n = len(scores)
    total, size = scores.tolist(), [1] * n
    taken_by = [-1] * n
    # The sets below each one's set, by mean.
    below: list[list[tuple[float, int]]] = [[] for _ in range(n)]
    parents = parent.tolist()
    for node in range(n - 1, -1, -1):
        sets = below[node]
        while sets and sets[0][0] * size[node] < total[node]:
            _, lowest = heappop(sets)
            taken_by[lowest] = node
            total[node] += total[lowest]
            size[node] += size[lowest]
            more, fewer = (
                (sets, below[lowest]) if len(sets) >= len(below[lowest]) else (below[lowest], sets)
            )
            for entry in fewer:
                heappush(more, entry)
            sets = below[node] = more
            below[lowest] = []
        if parents[node] >= 0:
            heappush(below[parents[node]], (total[node] / size[node], node))
    smooth = np.empty(n)
    for node in range(n):
        smooth[node] = smooth[taken_by[node]] if taken_by[node] >= 0 else total[node] / size[node]
    return smooth
