"""LP, the largest pagelet: the part of the page that parts cannot be made of by their links.

A pagelet is a node of which no child holds k links or more, and no ancestor is one. A link is
an ``a`` with ``href``, counted for itself, too; text nodes are nodes. The pagelet with most visible
characters is kept, the first in document order of those that are alike.

*Source: Bar-Yossef and Rajagopalan 2002 (k = 3); Gottron 2008, section 6.3, algorithm 6.2 (k = 7).*
The listing's "descendants" are the children that its prose tells of. Where paragraphs and a list of
links are children of one element, each is a pagelet, and one paragraph is all that is kept.

A block is kept when at least half of its words are in the pagelet. Cost: O(elements): a node is
divided if and only if a child has k links, for then all above it are, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.lsi import first_largest, largest_told
from pipelines.boilerplate.option_ranges import check_least
from pipelines.boilerplate.reasons import Reasons
from pipelines.boilerplate.tree_nodes import TreeNodes

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.page.limits import Inline

    I64 = npt.NDArray[np.int64]


class LargestPagelet:
    """Keeps the largest pagelet; *k*: links in a child that divide a node, at least 1."""

    inline: Inline = "gap"

    def __init__(self, *, k: int = 7):
        check_least(1, k=k)
        self.k = k

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        nodes = TreeNodes(page)
        return labels_of(nodes.kept(first_largest(nodes, *self._sizes(nodes))))

    def reasons(self, page: PageModel) -> Reasons:
        """Return the pagelet of *page* that is kept, and its size."""
        nodes = TreeNodes(page)
        note = f"Kept is the largest part that is not divided by parts with {self.k} links and more"
        return Reasons([largest_told(nodes, *self._sizes(nodes), note)])

    def _sizes(self, nodes: TreeNodes) -> tuple[I64, I64]:
        """Return the characters of elements and of texts that are pagelets, -1 for others."""
        is_divided = nodes.most_of_children(nodes.within(nodes.is_link)) >= self.k
        is_pagelet = ~is_divided
        is_pagelet[1:] &= is_divided[nodes.parent[1:]]
        sizes = np.where(is_pagelet, nodes.within(nodes.own(nodes.chars)), -1)
        text_sizes = np.where(is_divided[nodes.holder], nodes.chars, -1)
        return sizes, text_sizes
