"""Template detection by the hash of each element of the DOM.

The hash of an element is one of its tag, its attributes sorted, its texts and the hashes of its children, so
of all of its subtree. An element is a template when *low* to *high* of the training pages hold its hash and it
is in no other template; the text of templates goes.

*Source: Gibson, Punera and Tomkins 2005, after Gottron 2008, section 3.3.8* (low .1, high 1: no upper bound). Ours:
at least *min_pages* pages have it, as of nine pages and fewer a tenth is less than one. Neighbouring templates
with small changing content between them are not joined.

Cost: O(n) for n elements beside the parse, in hashes of what the elements hold themselves. Memory: some 100
bytes an element of the training pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np

from pipelines.templates.detectors.document_frequency import (
    DocumentFrequencies,
    checked_count,
    checked_share,
)
from pipelines.templates.detectors.page_nodes import PageNodes, text_hash
from pipelines.templates.detectors.training import Learner

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lxml import etree

    from crawler.page import PageModel
    from pipelines.templates.detectors.kept import Kept


class DomTemplateHash(Learner):
    """Drops elements that *low* to *high* of the training pages have alike, and at least *min_pages*."""

    def __init__(
        self, *, low: float = 0.1, high: float = 1.0, min_pages: int = 2, max_pages: int = 200
    ):
        self.low, self.high = checked_share("low", low), checked_share("high", high)
        if low > high:
            raise ValueError(f"low must be at most high, {high}, got {low}")
        self.min_pages = checked_count("min_pages", min_pages)
        self.max_pages = checked_count("max_pages", max_pages)
        self._frequencies = DocumentFrequencies()

    def read(self, page: PageModel) -> list[int]:
        """Return the hashes of the elements of *page*."""
        return subtree_hashes(PageNodes(page).elements)

    def learn(self, readings: Iterable[list[int]]) -> Self:
        """Count the elements of pages."""
        self._frequencies = DocumentFrequencies.of(readings)
        return self

    def extract(self, page: PageModel) -> Kept:
        """Return what stays of *page*."""
        nodes = PageNodes(page)
        known = self._frequencies
        is_template = [
            known.count(each) >= self.min_pages and self.low <= known.share(each) <= self.high
            for each in subtree_hashes(nodes.elements)
        ]
        return nodes.kept(nodes.within(np.array(is_template, np.bool_))[nodes.holder])


def subtree_hashes(elements: Sequence[etree._Element]) -> list[int]:
    """Return a hash of the subtree of each of *elements*, all those of a tree in document order."""
    found: dict[etree._Element, int] = {}
    for element in reversed(elements):
        parts = [str(element.tag)]
        parts += sorted(f"{name!s}={value!s}" for name, value in element.items())
        parts.append(" ".join((element.text or "").split()))
        for child in element:
            # A comment is none of the elements.
            parts.append(f"{found.get(child, '')} {' '.join((child.tail or '').split())}")
        found[element] = text_hash("\0".join(parts))
    return [found[element] for element in elements]
