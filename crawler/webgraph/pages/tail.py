"""The local keys of pages found since the last seal, in memory: PageId → text.

Pages are made findable by their ids when one is looked for: a crawl that only adds does not pay.

Memory: 68 bytes a page (id, end, 12 for its fingerprint, the text); a seal empties it, so
the pages that make a run bound it (`CommitPolicy.seal_pages`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.webgraph.address_space import check_room, entries, reserve
from crawler.webgraph.prints.table import PrintTable
from crawler.webgraph.texts import Texts, joined_texts, split_texts

if TYPE_CHECKING:
    import numpy.typing as npt

    U8 = npt.NDArray[np.uint8]
    U64 = npt.NDArray[np.uint64]

_MAX_PAGES = 2**28
_MAX_BYTES = 2**34
# splitmix64's multiplier
_MIX_INT = 0xBF58476D1CE4E5B9
_MIX = np.uint64(_MIX_INT)
_ALL = 2**64 - 1


class PageTail:
    """Pages in the order in which they were added: their ids and their texts."""

    __slots__ = ("_bounds", "_bytes", "_data", "_ends", "_ids", "_n_findable", "_places", "n")

    def __init__(self) -> None:
        self._ids: U64 = reserve(_MAX_PAGES, np.uint64)
        self._ends = reserve(_MAX_PAGES + 1, np.int64)  # of text i: entry i + 1
        self._ends[0] = -1
        self._data: U8 = reserve(_MAX_BYTES, np.uint8)
        self._bytes, self._bounds = entries(self._data), entries(self._ends)
        self._places = PrintTable(reserved_slots=_MAX_PAGES)
        self._n_findable = 0
        self.n = 0

    @property
    def ids(self) -> U64:
        """The ids of the pages, a view."""
        return self._ids[: self.n]

    @property
    def texts(self) -> Texts:
        """The texts of the pages, a view."""
        return Texts(self._data, self._ends[: self.n] + 1, self._ends[1 : self.n + 1])

    def add(self, ids: U64, texts: Texts) -> None:
        """Add the pages *ids*, none of which is there, with *texts* as `split_texts` returns them."""
        n, at = self.n, int(self._ends[self.n]) + 1
        check_room(self._ids, n + len(ids))
        check_room(self._data, at + len(texts.data))
        self._ids[n : n + len(ids)] = ids
        self._ends[n + 1 : n + 1 + len(ids)] = texts.ends + at
        self._data[at : at + len(texts.data)] = texts.data
        self.n += len(ids)

    def _make_findable(self) -> None:
        n, start = self.n, self._n_findable
        prints = _prints(self._ids[start:n])
        groups, next_place = (
            np.zeros(n - start, dtype=np.uint32),
            np.array([start], dtype=np.uint32),
        )
        self._places.number(prints, groups, next_place)
        self._n_findable = n

    def text(self, place: int) -> str:
        """Return the text at *place*."""
        raw = self._bytes[self._bounds[place] + 1 : self._bounds[place + 1]]
        return str(raw, "utf-8", "surrogatepass")

    def picked(self, places: npt.NDArray[np.int64]) -> Texts:
        """Return the texts at *places*."""
        starts, ends = self._ends[places] + 1, self._ends[places + 1]
        order = np.arange(len(places), dtype=np.int64)
        return split_texts(joined_texts(Texts(self._data, starts, ends), order))

    def find(self, ids: U64) -> npt.NDArray[np.int64]:
        """Return the place of each of *ids*, -1 where it is not there."""
        if self._n_findable < self.n:
            self._make_findable()
        return self._places.find(_prints(ids))

    def find_one(self, page_id: int) -> int:
        """Return the place of the page *page_id*, -1 when it is not there."""
        if self._n_findable < self.n:
            self._make_findable()
        mixed = (page_id + 1) * _MIX_INT & _ALL
        return self._places.find_one((mixed ^ mixed >> 32) * _MIX_INT & _ALL | 1)

    def drop(self, n: int) -> None:
        """Forget the first *n* pages."""
        left, begin, end = self.n - n, int(self._ends[n]) + 1, int(self._ends[self.n]) + 1
        self._ids[:left] = self._ids[n : self.n].copy()
        self._ends[1 : left + 1] = self._ends[n + 1 : self.n + 1] - begin
        self._data[: end - begin] = self._data[begin:end].copy()
        self._places.clear()
        self.n, self._n_findable = left, 0

    def clear(self) -> None:
        """Forget all pages."""
        self._places.clear()
        self.n = self._n_findable = 0


def _prints(ids: U64) -> U64:
    mixed: U64 = (ids + np.uint64(1)) * _MIX
    mixed ^= mixed >> np.uint64(32)
    # Never 0; of two ids one in 2^60 might have the same.
    return mixed * _MIX | np.uint64(1)
