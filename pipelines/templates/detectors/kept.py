"""What a template detector says of a page, and the interface of all detectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    import numpy.typing as npt

    from crawler.page import PageModel

    Bools = npt.NDArray[np.bool_]


class Kept(NamedTuple):
    """What stays of a page.

    *texts*, bool[m]: of the text nodes, :attr:`PageNodes.texts`; *blocks*, bool[n]: of the atomic
    blocks, those of which at least half the words stay.
    """

    texts: Bools
    blocks: Bools


class TemplateDetector(Protocol):
    """A method that learns from pages of a site which text all of them have.

    :meth:`fit` reads the training pages once, one at a time, and keeps what it learnt of the first
    :attr:`max_pages` of them, by :meth:`read` and :meth:`learn` (:mod:`~pipelines.templates.detectors.training`); they
    should be of one site or template, and no duplicates of each other.
    *Source:* for the interface Gottron 2008, 8.2, where detectors take turns behind one bootstrap.
    """

    max_pages: int

    def fit(self, pages: Iterable[PageModel]) -> Self:
        """Learn from *pages*; return the detector."""

    def read(self, page: PageModel) -> Any:
        """Return what :meth:`learn` takes of *page*."""

    def learn(self, readings: Iterable[Any]) -> Self:
        """Learn from what was read of pages; return the detector."""

    def extract(self, page: PageModel) -> Kept:
        """Return what stays of *page*, one of the training pages or another; without any, all."""
