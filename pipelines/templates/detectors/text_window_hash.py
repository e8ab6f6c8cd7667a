"""Template detection by hashes of windows of the text.

The text of a page without its tags is cut into all windows of *window* characters. Windows that *min_count* of
the training pages have are templates; their spans, put together, are the template text of a page.

*Source: Gibson, Punera and Tomkins 2005, after Gottron 2008, section 3.3.8:* windows W of 32, count F of 10, D of 0 for
no sampling of the hashes, P of 200 pages. What D samples the theses tell apart: 1 of D hashes, of *sample* above 0
those that it divides (Gottron, and so what the pages have in common is found wherever it stands), or each D-th window,
of a page of training those that begin at 0, *every*, 2 *every* and so on (Pomikálek 2011, section 2.3). In both all
windows of a page are looked for. Ours: a window counts once a page, or a page that says one thing ten times were a
template; a text node goes when more than half of its characters are in spans, whitespace apart.

Cost: O(window c) for c characters, in array operations. Memory: 8 bytes a character of the training pages, of each the
first `MAX_CHARS`, at most 320 MB with P of 200; some 7 MB for pages of 4,500 characters. Invariant: a character is in a
span exactly if one of the windows over it is a template.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np

from pipelines.templates.detectors.document_frequency import checked_count
from pipelines.templates.detectors.page_nodes import PageNodes
from pipelines.templates.detectors.training import Learner

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from crawler.page import PageModel
    from pipelines.templates.detectors.kept import Kept

    U64 = npt.NDArray[np.uint64]
    Bools = npt.NDArray[np.bool_]

# odd: its powers tell the places of a window apart
_BASE = np.uint64(0x9E3779B97F4A7C15)
MAX_CHARS = 200_000


class TextWindowHash(Learner):
    """Drops text of which windows of *window* characters are on *min_count* training pages or more."""

    def __init__(
        self,
        *,
        window: int = 32,
        min_count: int = 10,
        sample: int = 0,
        every: int = 1,
        max_pages: int = 200,
    ):
        self.window = checked_count("window", window)
        self.min_count = checked_count("min_count", min_count)
        if sample < 0:
            raise ValueError(f"sample must be at least 0, got {sample}")
        self.sample = sample
        self.every = checked_count("every", every)
        self.max_pages = checked_count("max_pages", max_pages)
        self._known = np.zeros(0, np.uint64)

    def read(self, page: PageModel) -> U64:
        """Return the hashes of the windows of *page*, each once."""
        text = page_text(PageNodes(page))[:MAX_CHARS]
        return np.unique(self._sampled(window_hashes(text, self.window)[:: self.every]))

    def learn(self, readings: Iterable[U64]) -> Self:
        """Count the windows of pages."""
        found = [np.zeros(0, np.uint64), *readings]
        hashes, counts = np.unique(np.concatenate(found), return_counts=True)
        self._known = hashes[counts >= self.min_count]
        return self

    def extract(self, page: PageModel) -> Kept:
        """Return what stays of *page*."""
        nodes = PageNodes(page)
        text = page_text(nodes)
        inside = self.spans(text)
        is_ink = np.array([not char.isspace() for char in text], np.bool_)
        removed, start = [], 0
        for each in nodes.texts:
            span = slice(start, start + len(each))
            removed.append(2 * np.count_nonzero(inside[span] & is_ink[span]) > is_ink[span].sum())
            start += len(each) + 1
        return nodes.kept(np.array(removed, np.bool_))

    def spans(self, text: str) -> Bools:
        """Return which characters of *text* are within a template, bool[c]."""
        hashes = window_hashes(text, self.window)
        places = np.flatnonzero(np.isin(hashes, self._known))
        change = np.zeros(len(text) + 1, np.int64)
        np.add.at(change, places, 1)
        np.add.at(change, places + self.window, -1)
        inside: Bools = np.cumsum(change[:-1]) > 0
        return inside

    def _sampled(self, hashes: U64) -> U64:
        return hashes[hashes % np.uint64(self.sample) == 0] if self.sample else hashes


def page_text(nodes: PageNodes) -> str:
    """Return the texts of a page, one space between two."""
    return " ".join(nodes.texts)


def window_hashes(text: str, window: int) -> U64:
    """Return a hash of each window of *text*, uint64[c - window + 1]; none of a shorter text."""
    chars = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    n = max(len(chars) - window + 1, 0)
    hashes = np.zeros(n, np.uint64)
    for place in range(window if n else 0):
        hashes = hashes * _BASE + chars[place : place + n]
    # of a product modulo 2^64 the low bits depend on low bits alone
    return hashes ^ hashes >> np.uint64(32)
