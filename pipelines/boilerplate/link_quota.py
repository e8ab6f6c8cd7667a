"""Link quota filters: what consists of links for the most part is a list of links.

The quota of a part of the page is the share of its text, in characters, that stands in links (``a``
with ``href``). What is removed, and which text a quota is of, differs:

- :class:`SimpleLinkQuotaFilter`, thresholds .25, .5, .75: the own text of a block element, that of
  the blocks in it apart, is removed when more than t of it is linked.
- :class:`CrunchLinkQuotaFilter`, .35: the same for table cells alone, with linked text over the *other*
  text (0.35 there is 0.259 of all). Crunch counts words as characters over five: five cancels.
- :class:`MantratzisLinkQuotaFilter`: div, table, tr and td with all that they hold, when links with
  text are more than half of the elements and their text is more than 0.4 of all text; what nested
  ones add counts less with their distance.

*Source: Gottron 2008, section 3.2.4, algorithms 3.3 and 3.4; Gupta et al. 2003; Mantratzis, Orgun,
Cassidy 2005.* Deviations: the thesis lists no block elements: ours are those of HTML 4 and 5.
Its listing counts linked text twice; read by the prose. A quota without any text is 0. Text is linked also
when the link holds whole blocks, which HTML 4 did not allow. A cell's text is that of its nested
cells apart. Mantratzis's factor is unpublished: ``decay`` to the power of the distance in levels.

Crunch's and Mantratzis's keep most pages of today nearly whole, as they were published: the thesis calls the one
unsuitable for pages laid out without tables, and where an item of a list holds one link, links are half of the elements
at most, which is not enough for the other. On ../shared (cleaneval-dev, krdwrd-canola, zh-immortal, magichtml-article)
the 114 pages with half of their words in cells have a token F1 of .872 as they are, .909 by Crunch's, .883 by
Mantratzis's, .919 by the simple filter at .5; the 64 pages without cells .718, .718, .731 and .816. With the cells
taken of boxes and lists, too, the ratio of Crunch gives .925 and .820: so does :mod:`pipelines.boilerplate.crunch`,
with Crunch's other filters.

A block is kept when at least half of its words stay, or when the tree lacks it. Cost: O(elements).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.page.tags import names
from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.option_ranges import check_least, check_shares
from pipelines.boilerplate.reasons import of_blocks, percentage
from pipelines.boilerplate.tree_nodes import TreeNodes
from pipelines.boilerplate.tree_reasons import start_tag, told_by_text

if TYPE_CHECKING:
    from collections.abc import Collection

    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.page.limits import Inline
    from pipelines.boilerplate.reasons import Reasons

    Bools = npt.NDArray[np.bool_]
    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]

BLOCK_TAGS = names(
    "html body address article aside blockquote caption center dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr isindex li "
    "main menu nav noframes noscript ol p pre search section summary table tbody td tfoot th thead "
    "tr ul"
)
CELLS = frozenset({"td", "th"})
# "Structurally significant", Mantratzis, Orgun, Cassidy 2005.
SIGNIFICANT = frozenset({"div", "table", "tr", "td"})
CRUNCH_RATIO = 0.35
MIN_ANCHOR_SHARE = 0.5
MIN_LINKED_SHARE = 0.4


class Quotas(NamedTuple):
    """Which texts are *removed*, bool[m], the *element* that decided it of each, int64[m], -1 for none, and *share*.

    *share*: float64[n], how much of the text that counts for an element is linked.
    """

    removed: Bools
    element: I64
    share: F64

    def told(self, nodes: TreeNodes, note: str) -> Reasons:
        """Return the share of the element that decided for each block, with a *note* on the page."""

        def say(text: int) -> str:
            element = int(self.element[text])
            if element < 0:
                return "in nothing that is looked at"
            return f"{percentage(self.share[element])} of the text of {start_tag(nodes, element)} linked"

        return of_blocks(note, told_by_text(nodes, say))


class _LinkQuotaFilter(ABC):
    """What removes the texts that its quotas say."""

    inline: Inline = "gap"

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        nodes = TreeNodes(page)
        return labels_of(nodes.kept(~self._quotas(nodes).removed, otherwise=True))

    def reasons(self, page: PageModel) -> Reasons:
        """Return the quota of the element that decided for each block of *page*."""
        nodes = TreeNodes(page)
        return self._quotas(nodes).told(nodes, self._note())

    @abstractmethod
    def _quotas(self, nodes: TreeNodes) -> Quotas:
        """Return which texts are removed, and why."""

    @abstractmethod
    def _note(self) -> str:
        """Return what is removed, in words."""


class SimpleLinkQuotaFilter(_LinkQuotaFilter):
    """Algorithm 3.4: removes the own text of blocks whose quota is above *threshold*, 0 to 1.

    *delete_nested*: also the text of the blocks in it, as the listing has it, not the prose; the
    published recall of nearly 1 cannot be reached so.
    """

    def __init__(self, *, threshold: float = 0.5, delete_nested: bool = False):
        check_shares(threshold=threshold)
        self.threshold = threshold
        self.delete_nested = delete_nested

    def _note(self) -> str:
        return f"Removed is the text of elements with more than {percentage(self.threshold)} of it linked."

    def _quotas(self, nodes: TreeNodes) -> Quotas:
        is_block = nodes.has_tag(BLOCK_TAGS)
        is_block[0] = True
        linked, all_text = _local_text(nodes, is_block, nodes.chars)
        share = _share(linked, all_text)
        is_list = share > self.threshold
        element = nodes.nearest(is_block)[nodes.holder]
        removed = is_list[element]
        if self.delete_nested:
            around = nodes.nearest(is_list)[nodes.holder]
            removed = around >= 0
            element = np.where(removed, around, element)
        return Quotas(removed, element, share)


class CrunchLinkQuotaFilter(_LinkQuotaFilter):
    """Crunch's: removes the text of *cells* with more than *ratio* of linked over other text.

    Of a page without tables it removes nothing, as the thesis says of it; *cells* takes other tags.
    """

    def __init__(self, *, ratio: float = CRUNCH_RATIO, cells: Collection[str] = CELLS):
        check_least(0, ratio=ratio)
        self.ratio = ratio
        self.cells = frozenset(cells)

    def _quotas(self, nodes: TreeNodes) -> Quotas:
        return link_cells(nodes, self.ratio, self.cells)

    def _note(self) -> str:
        most = percentage(self.ratio / (1 + self.ratio))
        return f"Removed is the text of cells with more than {most} of it linked."


class MantratzisLinkQuotaFilter(_LinkQuotaFilter):
    """Mantratzis's: removes *significant* elements that are roots of lists of links.

    *decay*: 0 to 1; a nested element at distance d counts decay**d.
    """

    def __init__(
        self,
        *,
        min_anchor_share: float = MIN_ANCHOR_SHARE,
        min_linked_share: float = MIN_LINKED_SHARE,
        decay: float = 0.5,
    ):
        check_shares(
            min_anchor_share=min_anchor_share, min_linked_share=min_linked_share, decay=decay
        )
        self.min_anchor_share = min_anchor_share
        self.min_linked_share = min_linked_share
        self.decay = decay

    def _note(self) -> str:
        return (
            f"Removed are elements with links for more than {percentage(self.min_anchor_share)} of the elements "
            f"in them and more than {percentage(self.min_linked_share)} of their text linked."
        )

    def _quotas(self, nodes: TreeNodes) -> Quotas:
        candidate = nodes.has_tag(SIGNIFICANT)
        linked, all_text = _local_text(nodes, candidate, nodes.chars)
        anchors = nodes.is_link & (nodes.within(nodes.own(nodes.chars)) > 0)
        # An element counts for the candidate that it stands in.
        holder = nodes.nearest(candidate)[nodes.parent[1:]]
        counts = [
            np.bincount(holder[holder >= 0], of_one[1:][holder >= 0], len(candidate))
            for of_one in (anchors, np.ones(len(candidate)))
        ]
        above = np.full(len(candidate), -1)
        above[1:] = holder
        sums = [
            self._with_nested(values.tolist(), above, nodes, candidate)
            for values in (*counts, linked, all_text)
        ]
        is_root = candidate & (sums[0] > self.min_anchor_share * sums[1])
        is_root &= sums[2] > self.min_linked_share * sums[3]
        root = nodes.nearest(is_root)[nodes.holder]
        element = np.where(root >= 0, root, nodes.nearest(candidate)[nodes.holder])
        return Quotas(root >= 0, element, _share(sums[2], sums[3]))

    def _with_nested(
        self, sums: list[float], above: I64, nodes: TreeNodes, candidate: Bools
    ) -> F64:
        """Add to each candidate's values those of the candidates in it, less with the distance."""
        depth, outer = nodes.depth.tolist(), above.tolist()
        for node in np.flatnonzero(candidate)[::-1].tolist():
            if outer[node] >= 0:
                factor = self.decay ** (depth[node] - depth[outer[node]])
                sums[outer[node]] += factor * sums[node]
        return np.array(sums)


def link_cells(
    nodes: TreeNodes, ratio: float, cells: Collection[str], *, without: Bools | None = None
) -> Quotas:
    """Return the texts in *cells* with more than *ratio* of linked over other text.

    *without*: texts that do not count, bool[m].
    """
    is_cell = nodes.has_tag(cells)
    chars = nodes.chars if without is None else nodes.chars * ~without
    linked, all_text = _local_text(nodes, is_cell, chars)
    # Divided, as .35 * 180 is a little less than 63.
    endless = np.where(linked > 0, np.inf, 0.0)
    is_list = np.divide(linked, all_text - linked, out=endless, where=all_text > linked) > ratio
    cell = nodes.nearest(is_cell)[nodes.holder]
    return Quotas((cell >= 0) & is_list[cell], cell, _share(linked, all_text))


def _share(linked: F64 | I64, all_text: F64 | I64) -> F64:
    share: F64 = linked / np.maximum(all_text, 1)
    return share


def _local_text(nodes: TreeNodes, is_block: Bools, chars: I64) -> tuple[I64, I64]:
    """Return the linked and all of the *chars* of texts whose nearest block each element is."""
    block = nodes.nearest(is_block)[nodes.holder]
    is_linked = nodes.nearest(nodes.is_link)[nodes.holder] >= 0
    has_block = block >= 0
    block, chars = block[has_block], chars[has_block]
    n_elements = len(is_block)
    linked = np.bincount(block, chars * is_linked[has_block], n_elements)
    all_text = np.bincount(block, chars, n_elements)
    return linked.astype(np.int64), all_text.astype(np.int64)
