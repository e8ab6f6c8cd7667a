"""Detectors for single pages, each fitted to the page and those that it links to.

As the bootstrap of Gottron 2008, 7.2.1, crawls them: on the page's site and off it. What a detector reads of a page is
kept for the next pages that link to it.

Memory: what was read last of pages that have `MAX_BYTES` together: for `bootstrapped` a fiftieth of that, for
`site-style-tree`, which keeps trees, some five times as much (measured on 120 pages of the web). Invariant: the same as
of detectors that are fitted to the pages themselves.
"""

from __future__ import annotations

from collections import OrderedDict
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from crawler.urls import page_url
from pipelines.jobs.stored_answers import url_hash
from pipelines.templates.detectors.training import within_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from crawler.page import PageModel
    from pipelines.jobs.stored_answers import AnswerIndex, PageMaker
    from pipelines.templates.detectors.kept import TemplateDetector

# Some hundreds of pages of the web.
MAX_BYTES = 32 * 2**20


class _Reading(NamedTuple):
    """What was read of a page, None of an answer that is none; and its bytes."""

    what: Any
    n_bytes: int
    is_page: bool = True


class DetectorsAround:
    """Makes detectors by *make* that are fitted to pages of *pages*, whose answers *index* knows."""

    def __init__(
        self, make: Callable[[], TemplateDetector], pages: PageMaker, index: AnswerIndex
    ) -> None:
        self._make = make
        self._reader = make()
        self._pages = pages
        self._index = index
        self._last: OrderedDict[int, _Reading] = OrderedDict()
        self._n_bytes = 0

    def fitted(self, page: PageModel, place: int, min_pages: int) -> TemplateDetector | None:
        """Return a detector for *page*, the answer at *place*; None where it and those around it are fewer than
        *min_pages*.
        """
        urls = [url_hash(page_url(key)) for key in page.links.key]
        found = dict.fromkeys(self._index.places(np.array(urls, np.uint64)).tolist())
        around = [each for each in found if each not in {-1, place}]
        if len(around) + 1 < min_pages:
            return None
        if place not in self._last:
            self._note(place, self._read(page))
        detector = self._make()
        readings = self._readings([place, *around])
        first = islice(readings, detector.max_pages)
        return detector.learn(
            each.what for each in within_bytes(first, lambda reading: reading.n_bytes)
        )

    def _readings(self, places: Iterable[int]) -> Iterator[_Reading]:
        """Yield what was read of those of the answers at *places* that are pages."""
        for place in places:
            reading = self._last.get(place) or self._read(self._pages.page(place))
            self._note(place, reading)
            if reading.is_page:
                yield reading

    def _read(self, page: PageModel | str) -> _Reading:
        if isinstance(page, str):
            return _Reading(None, 0, is_page=False)
        return _Reading(self._reader.read(page), len(page.source))

    def _note(self, place: int, reading: _Reading) -> None:
        """Keep *reading* as the last one; forget those that there is no room for."""
        before = self._last.pop(place, None)
        self._n_bytes += reading.n_bytes - (before.n_bytes if before else 0)
        self._last[place] = reading
        while self._n_bytes > MAX_BYTES:
            self._n_bytes -= self._last.popitem(last=False)[1].n_bytes
