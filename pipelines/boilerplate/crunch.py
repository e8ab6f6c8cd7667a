"""Crunch-like: three filters in a row, after the framework that its authors called Crunch.

1. What is no text of the page's own: forms' controls, frames, objects (:data:`CONTROLS`).
2. Advertisements: links, images and frames to hosts and paths that serve them (:data:`AD_PLACES`), and
   elements whose class or id says so (:data:`AD_NAMES`).
3. Lists of links: cells with more than 0.35 of linked over other text, of what is left by then.

*Source: Gupta, Kaiser, Neistadt, Grimm 2003; Gottron 2008, sections 3.2.1 and 3.2.4.* They define only
the third filter, with its ratio. The first two they describe in words, which we filled in; the others
(genres, layout, the appended list of links) change no choice of text and are left out. Hence "like".
Crunch looked at table cells alone, and finds nothing on pages that are laid out without tables: *cells*
are by default also the boxes and lists that took their place. With ``td`` and ``th`` alone, and without
the other filters, it is :class:`pipelines.boilerplate.link_quota.CrunchLinkQuotaFilter`.

A block is kept when at least half of its words stay, or when the tree lacks it. Cost: O(elements).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.tags import names
from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.link_quota import CRUNCH_RATIO, CrunchLinkQuotaFilter, link_cells
from pipelines.boilerplate.reasons import Reasons
from pipelines.boilerplate.tree_nodes import TreeNodes
from pipelines.boilerplate.tree_reasons import start_tag, told_by_text

if TYPE_CHECKING:
    from collections.abc import Collection

    import numpy.typing as npt

    from crawler.page import PageModel
    from pipelines.boilerplate.link_quota import Quotas

    I64 = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

# No noscript: it has text of the page only where the page is read as without scripts.
CONTROLS = names("applet button embed iframe input label legend object option select textarea")
# Table cells, and what pages without tables are laid out by.
CELLS = names("td th div ul ol dl li nav aside header footer section p h1 h2 h3 h4 h5 h6")
AD_PLACES = re.compile(
    r"//(?:ads?|adserver|adclick|banners?)\d*\.|doubleclick\.net|googlesyndication|adservice\."
    r"|/(?:ads?|adserver|adclick|banners?)/"
)
AD_NAMES = re.compile(
    r"(?:^|[\s_-])(?:ads?|adsense|adbox|advert|advertisement|advertising|banner|sponsored)(?:$|[\s_-])"
)
_WITH_PLACES = frozenset({"a", "img", "iframe"})
# Longer values are not looked through: names are short.
_MAX_CHARS = 1000


class CrunchLike(CrunchLinkQuotaFilter):
    """The filters of Crunch; *ratio* at least 0, *cells* the names of the elements it is taken of."""

    def __init__(self, *, ratio: float = CRUNCH_RATIO, cells: Collection[str] = CELLS):
        super().__init__(ratio=ratio, cells=cells)

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        nodes = TreeNodes(page)
        foreign, cells = self._filters(nodes)
        removed = (foreign >= 0) | cells.removed
        return labels_of(nodes.kept(~removed, otherwise=True))

    def reasons(self, page: PageModel) -> Reasons:
        """Return the control or advertisement that each block of *page* stands in, or the quota of its cell."""
        nodes = TreeNodes(page)
        foreign, cells = self._filters(nodes)

        def say(text: int) -> str:
            element = int(foreign[text])
            kind = "a control" if nodes.tag[element] in CONTROLS else "an advertisement"
            return f"{kind} by {start_tag(nodes, element)}" if element >= 0 else ""

        by_cells = cells.told(nodes, f"Removed are controls and advertisements. {self._note()}")
        blocks = [
            reason._replace(said=first or reason.said)
            for first, reason in zip(told_by_text(nodes, say), by_cells.blocks, strict=True)
        ]
        return Reasons(by_cells.page, blocks)

    def _filters(self, nodes: TreeNodes) -> tuple[I64, Quotas]:
        """Return the control or advertisement around each text, int64[m], -1 for none, and the quotas of cells."""
        is_foreign = nodes.has_tag(CONTROLS) | _advertisements(nodes)
        foreign = nodes.nearest(is_foreign)[nodes.holder]
        return foreign, link_cells(nodes, self.ratio, self.cells, without=foreign >= 0)


def _advertisements(nodes: TreeNodes) -> Bools:
    """Return which elements are advertisements by where they point to or by what they are called."""
    found = np.zeros(len(nodes.tag), np.bool_)
    # The page itself may be called so.
    for place in range(1, len(nodes.tag)):
        attributes = nodes.elements[place].attrib
        if not attributes or nodes.tag[place] == "body":
            continue
        called = f"{attributes.get('class', '')} {attributes.get('id', '')}"
        found[place] = AD_NAMES.search(called[:_MAX_CHARS].lower()) is not None
        if nodes.tag[place] in _WITH_PLACES:
            target = attributes.get("href") or attributes.get("src") or ""
            found[place] |= AD_PLACES.search(target[:_MAX_CHARS].lower()) is not None
    return found
