"""GenieKnows-like: importance of visual blocks, made alike for blocks that are alike.

The importance of a block is a weighted sum of nine features. It is then moved towards that of the
blocks around, by how similar they are::

    importance'_i = (1 - m) importance_i + m sum_j s_ij importance_j / sum_j s_ij
    s_ij = exp(-|i - j| / 2) exp(-|f_i - f_j|^2 / 9),  |i - j| <= 5,  m = 1/2

and blocks of importance 0 or less are removed.

*Source: Gao and Abou-Assaleh 2007, as Pomikálek 2011, section 2.6.5, describes it.* There the blocks are
those of VIPS, which needs a rendered page, and similarity takes their places on it; he gives neither
features, weights nor formulas. Here, from the root down, an element is a block unless it has a rule
(``hr``), more than one background colour, or more than *max_words* words, and elements within; the
features are :data:`FEATURES`, the weights fitted: hence the name. A block of the page model is kept
when at least half of its words are in kept ones. Cost: O(n) beside the tree.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from pipelines.boilerplate import subtree_features
from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.option_ranges import check_least
from pipelines.boilerplate.reasons import Reasons, comparisons, of_blocks, rounded
from pipelines.boilerplate.subtree_segments import linear_model, segments_at
from pipelines.boilerplate.tree_nodes import TreeNodes
from pipelines.boilerplate.tree_reasons import told_by_text

if TYPE_CHECKING:
    import numpy.typing as npt
    from lxml import etree

    from crawler.page import PageModel
    from crawler.page.limits import Inline
    from pipelines.boilerplate.subtree_segments import Segments

    F64 = npt.NDArray[np.float64]
    Bools = npt.NDArray[np.bool_]

FEATURES = (
    *("log_words", "link_density", "log_tags_a_word", "log_words_a_text", "sentences_a_word"),
    *("stop_share", "share_of_page", "margin", "capital_share"),
)
COLUMNS = [subtree_features.FEATURES.index(name) for name in FEATURES]
MAX_WORDS = 80
MAX_DISTANCE = 5
_SHARE_OF_OTHERS = 0.5
_COLOUR = re.compile(r"background(?:-color)?\s*:\s*([^;]+)", re.IGNORECASE)


class GenieKnowsLike:
    """Scores blocks of about *max_words* words; *bias* is added to each importance."""

    inline: ClassVar[Inline] = "gap"

    def __init__(self, *, max_words: int = MAX_WORDS, bias: float = 0.0):
        check_least(1, max_words=max_words)
        self.max_words = max_words
        self.bias = bias

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        if not len(page.blocks):
            return labels_of(np.zeros(0, np.bool_))
        nodes = TreeNodes(page)
        return labels_of(nodes.kept(self._importance(page, nodes)[1] > 0))

    def reasons(self, page: PageModel) -> Reasons:
        """Return the importance of the visual block of each block of *page*, by itself and moved."""
        note = "Kept are visual blocks of an importance above 0, moved towards that of those like them."
        if not len(page.blocks):
            return of_blocks(note, ())
        nodes = TreeNodes(page)
        alone, moved = (values.tolist() for values in self._importance(page, nodes))
        against = comparisons("moved to", moved, 0)

        def say(text: int) -> str:
            return f"importance {rounded(alone[text])}, {against[text]}"

        return of_blocks(note, told_by_text(nodes, say))

    def _importance(self, page: PageModel, nodes: TreeNodes) -> tuple[F64, F64]:
        """Return the importance of the visual block of each text, and what it is moved to; float64[m]."""
        segments = self.segments(page, nodes)
        model = linear_model("genieknows")
        features = segments.features[:, COLUMNS]
        standardised = (features - model.mean) / model.spread
        importance = model.scores(features) + self.bias
        moved = smoothed(importance, standardised)
        return importance[segments.of_text], moved[segments.of_text]

    def segments(self, page: PageModel, nodes: TreeNodes) -> Segments:
        """Return the visual blocks of *nodes*, the tree of *page*."""
        numbers = np.arange(len(nodes.tag))
        is_leaf = nodes.end == numbers + 1
        n_words = nodes.within(nodes.own(nodes.words))
        has_rule = nodes.within(nodes.has_tag({"hr"})) > 0
        is_coherent = (n_words <= self.max_words) & ~has_rule & ~_has_colours(nodes)
        return segments_at(page, nodes, is_coherent | is_leaf)


def smoothed(importance: F64, features: F64) -> F64:
    """Return *importance* moved towards that of near blocks, as the module says."""
    n = len(importance)
    weight, total = np.zeros(n), np.zeros(n)
    for distance in range(1, min(MAX_DISTANCE, n - 1) + 1):
        gap = ((features[distance:] - features[:-distance]) ** 2).sum(axis=1)
        similarity = np.exp(-distance / 2 - gap / len(FEATURES))
        weight[distance:] += similarity
        weight[:-distance] += similarity
        total[distance:] += similarity * importance[:-distance]
        total[:-distance] += similarity * importance[distance:]
    others = np.divide(total, weight, out=importance.copy(), where=weight > 0)
    return (1 - _SHARE_OF_OTHERS) * importance + _SHARE_OF_OTHERS * others


def _has_colours(nodes: TreeNodes) -> Bools:
    """Tell which elements have a background colour other than that around them within them."""
    colours = [_colour(element) for element in nodes.elements]
    changes = np.zeros(len(colours), np.bool_)
    around = [""] * len(colours)
    for number, (colour, parent) in enumerate(zip(colours, nodes.parent.tolist(), strict=True)):
        outer = around[parent] if parent >= 0 else ""
        around[number] = colour or outer
        changes[number] = colour not in {"", outer}
    inside: Bools = nodes.within(changes) - changes > 0
    return inside


def _colour(element: etree._Element) -> str:
    style = _COLOUR.search(str(element.get("style") or ""))
    return (style[1] if style else str(element.get("bgcolor") or "")).strip().lower()
