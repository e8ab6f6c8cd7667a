"""The filter of Ma, Goharian, Chowdhury and Chung: texts of table cells by their document frequency.

The page is cut at the tags of the elements *tags*, by default ``tr`` and ``td``; the text between two cuts is a
unit, and goes when more than *df* of the training pages have the same unit.

*Source: Gottron 2008, section 3.3.6, of Ma and others 2003.* The threshold is not given there; ours is
Gottron's third (7.2.2). Between two cuts means: of texts in document order, one after the other with
the same innermost element of *tags* around them; a page without any is one unit.

Cost and memory as of :mod:`~pipelines.templates.detectors.document_frequency`.
"""

from __future__ import annotations

from itertools import pairwise
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
    from collections.abc import Collection, Iterable

    import numpy.typing as npt

    from crawler.page import PageModel
    from pipelines.templates.detectors.kept import Kept

TAGS = frozenset({"td", "tr"})


class SegmentFrequencyFilter(Learner):
    """Drops segments of *tags* that more than *df* of the training pages have; 0 to 1."""

    def __init__(self, *, df: float = 1 / 3, tags: Collection[str] = TAGS, max_pages: int = 200):
        self.df = checked_share("df", df)
        self.tags = frozenset(tags)
        self.max_pages = checked_count("max_pages", max_pages)
        self._frequencies = DocumentFrequencies()

    def read(self, page: PageModel) -> list[int]:
        """Return the hashes of the segments of *page*."""
        return self._segments(PageNodes(page))[1]

    def learn(self, readings: Iterable[list[int]]) -> Self:
        """Count the segments of pages."""
        self._frequencies = DocumentFrequencies.of(readings)
        return self

    def extract(self, page: PageModel) -> Kept:
        """Return what stays of *page*."""
        nodes = PageNodes(page)
        segment, hashes = self._segments(nodes)
        removed = np.array([self._frequencies.share(each) > self.df for each in hashes], np.bool_)
        return nodes.kept(removed[segment])

    def _segments(self, nodes: PageNodes) -> tuple[npt.NDArray[np.int64], list[int]]:
        """Return the number of each text's segment, int64[m], and a hash of each segment's text."""
        cell = nodes.nearest(self.tags)
        starts = np.flatnonzero(np.diff(cell, prepend=-2))
        segment = np.searchsorted(starts, np.arange(len(cell)), side="right") - 1
        bounds = [*starts.tolist(), len(cell)]
        texts = (" ".join(nodes.texts[a:b]) for a, b in pairwise(bounds))
        return segment, list(map(text_hash, texts))
