"""How detectors learn from pages: how many, so that memory does not grow with a site, and what is kept of each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import islice
from typing import TYPE_CHECKING, Any, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from crawler.page import PageModel

_Page = TypeVar("_Page")
# 500 pages of 130 KB, more than the pages of the web have on average.
MAX_BYTES = 64 * 2**20


def training_pages(pages: Iterable[PageModel], max_pages: int) -> Iterator[PageModel]:
    """Yield the first *max_pages* of *pages*, fewer when they have more than `MAX_BYTES` together.

    The page that passes the limit is the last one.
    """
    return within_bytes(islice(pages, max_pages), lambda page: len(page.source))


def within_bytes(pages: Iterable[_Page], n_bytes_of: Callable[[_Page], int]) -> Iterator[_Page]:
    """Yield *pages* up to the one that passes `MAX_BYTES` with those before it."""
    n_bytes = 0
    for page in pages:
        yield page
        n_bytes += n_bytes_of(page)
        if n_bytes > MAX_BYTES:
            return


class Learner(ABC):
    """A detector that learns from what it reads of each page by itself.

    So a page that is read for one detector need not be read again for another one of the same options.
    """

    max_pages: int

    def fit(self, pages: Iterable[PageModel]) -> Self:
        """Learn from the first of *pages*, as :func:`training_pages` gives them; return the detector."""
        return self.learn(map(self.read, training_pages(pages, self.max_pages)))

    @abstractmethod
    def read(self, page: PageModel) -> Any:
        """Return what `learn` takes of *page*; it depends on nothing that was learnt."""

    @abstractmethod
    def learn(self, readings: Iterable[Any]) -> Self:
        """Learn from what was read of pages, in place of what was learnt before."""
