"""The document-frequency filter of bootstrapped template detection.

A text node goes when more than *df* of the training pages have a text node of the same text. Texts are
compared exactly but for whitespace, and count once a page.

*Source: Gottron 2008, section 7.2.2* (there "entropy based"), after Ma, Goharian, Chowdhury and Chung
2003, with text nodes in place of table cells. The page itself is one of the training pages there: of
one or two all of its text goes, of three what it alone has is not above a third, and stays.

Cost: O(m) for m text nodes, beside the parse. Memory: some 100 bytes a text of the training pages.
Invariant: what stays at one *df* stays at a higher one. Related-link lists of an article's own stay.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Self

import numpy as np

from pipelines.templates.detectors.page_nodes import PageNodes
from pipelines.templates.detectors.training import Learner

if TYPE_CHECKING:
    from collections.abc import Iterable

    from crawler.page import PageModel
    from pipelines.templates.detectors.kept import Kept


class DocumentFrequencies:
    """How many of some pages hold each of their units, which are given as hashes."""

    def __init__(self) -> None:
        self.n_pages = 0
        self._counts: Counter[int] = Counter()

    @classmethod
    def of(cls, pages: Iterable[Iterable[int]]) -> Self:
        """Return the frequencies of the units of *pages*."""
        frequencies = cls()
        for units in pages:
            frequencies.add(units)
        return frequencies

    def add(self, units: Iterable[int]) -> None:
        """Count a page with *units*, each once."""
        self._counts.update(set(units))
        self.n_pages += 1

    def count(self, unit: int) -> int:
        """Return the number of pages with *unit*."""
        return self._counts[unit]

    def share(self, unit: int) -> float:
        """Return the share of pages with *unit*; 0 of no pages."""
        return self._counts[unit] / self.n_pages if self.n_pages else 0.0


class DocumentFrequencyFilter(Learner):
    """Drops text nodes that more than *df* of the training pages have; 0 to 1."""

    def __init__(self, *, df: float = 1 / 3, max_pages: int = 200):
        self.df = checked_share("df", df)
        self.max_pages = checked_count("max_pages", max_pages)
        self._frequencies = DocumentFrequencies()

    def read(self, page: PageModel) -> list[int]:
        """Return the hashes of the text nodes of *page*."""
        return PageNodes(page).hashes

    def learn(self, readings: Iterable[list[int]]) -> Self:
        """Count the text nodes of pages."""
        self._frequencies = DocumentFrequencies.of(readings)
        return self

    def extract(self, page: PageModel) -> Kept:
        """Return what stays of *page*."""
        nodes = PageNodes(page)
        shares = np.array([self._frequencies.share(each) for each in nodes.hashes])
        return nodes.kept(shares > self.df)


def checked_share(name: str, value: float) -> float:
    """Return *value*, of parameter *name*; raise ValueError unless it is 0 to 1."""
    if not 0 <= value <= 1:
        raise ValueError(f"{name} must be 0 to 1, got {value}")
    return value


def checked_count(name: str, value: int) -> int:
    """Return *value*, of parameter *name*; raise ValueError unless it is at least 1."""
    if value < 1:
        raise ValueError(f"{name} must be at least 1, got {value}")
    return value
