"""The answers that the documents of a corpus were made of, found by their URLs.

Memory: 16 bytes an answer beside what :class:`Answers` has.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
import xxhash

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.ranking.corpus.answers import MadeBy, StoredPage

    U64 = npt.NDArray[np.uint64]
    I64 = npt.NDArray[np.int64]


class Answers(Protocol):
    """Stored answers, each at a place."""

    def urls(self) -> Iterator[tuple[str, float]]:
        """Yield URL and time of each answer in the order of their places, from 0 on."""

    def page(self, place: int) -> StoredPage | None:
        """Return the answer at *place*, None where it is no more."""


class PageMaker(NamedTuple):
    """Makes pages of stored answers, as the crawl made them."""

    answers: Answers
    made_by: MadeBy

    def page(self, place: int) -> PageModel | str:
        """Return the page of the answer at *place*, or why there is none: a reason of `NO_PAGE`."""
        stored = self.answers.page(place) if place >= 0 else None
        if stored is None:
            return "no_answer"
        if stored.body is None:
            return "undecodable"
        model = self.made_by.page(stored)
        return "no_page" if model.reject else model


# No answer in the files, one not coded as it says, one that is no page with text.
NO_PAGE = ("no_answer", "undecodable", "no_page")


def url_hash(url: str) -> int:
    """Return 64 bits that name *url*."""
    return int(xxhash.xxh3_64_intdigest(url.encode("utf-8", "surrogatepass")))


class AnswerIndex:
    """The places of *answers* by URL; of a page with several the last one counts."""

    def __init__(self, answers: Answers) -> None:
        hashes, times = array("Q"), array("d")
        for url, when in answers.urls():
            hashes.append(url_hash(url))
            times.append(when)
        known = np.array(hashes, np.uint64)
        self._order = np.lexsort((np.arange(len(known)), np.array(times), known))
        self._known = known[self._order]

    def __iter__(self) -> Iterator[int]:
        """Give the place of the last answer of each URL, in the order of the places."""
        is_last = np.ones(len(self._known), np.bool_)
        is_last[:-1] = self._known[1:] != self._known[:-1]
        return iter(np.sort(self._order[is_last]).tolist())

    def places(self, urls: U64) -> I64:
        """Return the place of the answer of each of *urls*, by :func:`url_hash`; -1 for none."""
        found = np.searchsorted(self._known, urls, side="right") - 1
        places = np.full(len(urls), -1, np.int64)
        is_known = found >= 0
        is_known[is_known] = self._known[found[is_known]] == urls[is_known]
        places[is_known] = self._order[found[is_known]]
        return places


def texts_digest(texts: Sequence[str]) -> int:
    """Return 64 bits by which the blocks of a page and those of its document are compared.

    Blanks do not count: those of code are as it stands in the document, but not in the page.
    """
    joined = "\0".join(["".join(text.split()) for text in texts])
    return int(xxhash.xxh3_64_intdigest(joined.encode("utf-8", "surrogatepass")))
