"""The host graph in arrays: pages numbered host by host, and for each page who links to it.

Pages are numbered 0 … n-1 in ascending order of (HostID, LocalID), so the pages of a host are
neighbours, in ascending order of LocalID. The numbers are those of one snapshot: a page keeps its
PageId for ever and its number here only as long as the snapshot lives.

An arc is a pair: repeated arcs count once. Self links are kept. A page without arcs out of it is
*dangling*.

Shapes, for h hosts, n pages, m arcs: ``host_ids: uint32[h]``, ``host_ptr: int64[h+1]`` (the pages
of host k are ``host_ptr[k]`` to ``host_ptr[k+1]``), ``local_ids: uint32[n]``,
``indptr: int64[n+1]``, ``indices: uint32[m]`` (the sources of target t are
``indices[indptr[t]:indptr[t+1]]``, ascending), ``out_degree: uint32[n]``.

Memory: 4 bytes an arc, 16 bytes a page, 12 bytes a host; while it is built, 8 bytes a page and
`CHUNK_ARCS` arcs of 24 bytes more. Cost of building: O(m), and the sorting of lists whose sources do
not come in ascending order.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from crawler.webgraph.csr_kernels import (
    PageNumbers,
    add_self_links,
    close_gaps,
    count_targets,
    place_sources,
    sort_rows,
)
from crawler.webgraph.page_numbers import numbers_of, page_numbers

if TYPE_CHECKING:
    import numpy.typing as npt

_HIGH_BITS = np.uint64(32)
# Arcs that are numbered at a time.
CHUNK_ARCS = 2**18


@dataclass(frozen=True, slots=True, eq=False)
class HostGraph:
    """A snapshot of the web graph, transposed, pages contiguous by host; see the module."""

    host_ids: npt.NDArray[np.uint32]
    host_ptr: npt.NDArray[np.int64]
    local_ids: npt.NDArray[np.uint32]
    indptr: npt.NDArray[np.int64]
    indices: npt.NDArray[np.uint32]
    out_degree: npt.NDArray[np.uint32]

    @classmethod
    def from_arcs(
        cls,
        pages: npt.NDArray[np.uint64],
        sources: npt.NDArray[np.uint64],
        targets: npt.NDArray[np.uint64],
    ) -> HostGraph:
        """Build the graph of *pages* and the arcs *sources* → *targets*, all packed PageIds.

        A packed PageId is ``HostID << 32 | LocalID``. *pages* in any order, repeats once; the arcs
        in any order, repeats once. Raises :exc:`ValueError` when an arc's end is not in *pages*,
        or when the arc arrays differ in length.
        """
        if len(sources) != len(targets):
            raise ValueError(f"{len(sources)} sources, but {len(targets)} targets")
        builder = HostGraphBuilder(pages)
        chunks = [slice(at, at + CHUNK_ARCS) for at in range(0, len(targets), CHUNK_ARCS)]
        for chunk in chunks:
            builder.count(builder.numbers(targets[chunk]))
        builder.end_counting()
        for chunk in chunks:
            builder.place(builder.numbers(sources[chunk]), builder.numbers(targets[chunk]))
        return builder.graph()

    @property
    def n_pages(self) -> int:
        return len(self.local_ids)

    @property
    def n_hosts(self) -> int:
        return len(self.host_ids)

    @property
    def n_arcs(self) -> int:
        return len(self.indices)

    @property
    def host_of_page(self) -> npt.NDArray[np.uint32]:
        """The place of each page's host in ``host_ids``: uint32[n], made at each access."""
        places = np.arange(self.n_hosts, dtype=np.uint32)
        return np.repeat(places, np.diff(self.host_ptr))

    @property
    def packed(self) -> npt.NDArray[np.uint64]:
        """The packed PageId of each page, ascending: uint64[n], made at each access."""
        hosts = np.repeat(self.host_ids, np.diff(self.host_ptr)).astype(np.uint64)
        return (hosts << _HIGH_BITS) | self.local_ids

    def arcs(self) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
        """Return (sources, targets) as page numbers, by ascending target, then source."""
        pages = np.arange(self.n_pages, dtype=np.uint32)
        return self.indices, np.repeat(pages, np.diff(self.indptr))

    def numbers(self, ids: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint32]:
        """Return the page numbers of packed *ids*; :exc:`ValueError` names one that has none."""
        pages = PageNumbers(self.host_ids, self.host_ptr, self.local_ids)
        return numbers_of(np.asarray(ids, dtype=np.uint64), pages)

    def with_self_links_where_dangling(self) -> HostGraph:
        """Return the graph in which each dangling page links to itself; other pages as they are."""
        dangling = self.out_degree == 0
        if not dangling.any():
            return self
        indptr = self.indptr.copy()
        indptr[1:] += np.cumsum(dangling)
        indices = np.empty(int(indptr[-1]), dtype=np.uint32)
        add_self_links(self.indptr, self.indices, indptr, indices)
        out_degree = np.maximum(self.out_degree, np.uint32(1))
        return replace(self, indptr=indptr, indices=indices, out_degree=out_degree)


class HostGraphBuilder:
    """Builds a `HostGraph` of *pages* (packed, any order, repeats once) from arcs given twice.

    First the targets of all arcs go to :meth:`count`, in parts; then, behind :meth:`end_counting`,
    the arcs to :meth:`place`, in the same or other parts. A counting sort: nothing is held of the
    arcs but where they belong. Sources that come in ascending order make it quicker.
    """

    def __init__(self, pages: npt.NDArray[np.uint64]) -> None:
        self.pages = page_numbers(pages)
        n_pages = len(self.pages.local_ids)
        # ends[t + 1]: arcs to t as they are counted, then where the list of t ends.
        self._ends = np.zeros(n_pages + 1, dtype=np.int64)
        self._indices = np.zeros(0, dtype=np.uint32)

    def numbers(self, ids: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint32]:
        """Return the page numbers of packed *ids*; :exc:`ValueError` names one that has none."""
        return numbers_of(ids, self.pages)

    def count(self, targets: npt.NDArray[np.uint32]) -> None:
        """Count the arcs to *targets*, page numbers."""
        count_targets(targets, self._ends[1:])

    def end_counting(self) -> None:
        """Make room for the arcs that were counted."""
        np.cumsum(self._ends, out=self._ends)
        self._indices = np.empty(int(self._ends[-1]), dtype=np.uint32)

    def place(self, sources: npt.NDArray[np.uint32], targets: npt.NDArray[np.uint32]) -> None:
        """Add the arcs from *sources* to *targets*, page numbers."""
        place_sources(sources, targets, self._ends, self._indices)

    def graph(self) -> HostGraph:
        """Return the graph, when all arcs that were counted have been placed."""
        indptr, indices = self._ends, self._indices
        # Each list has grown to where the next one begins.
        indptr[1:] = indptr[:-1]
        indptr[:1] = 0
        host_ids, host_ptr, local_ids = self.pages
        sort_rows(indptr, indices, 0, len(local_ids))
        # Repeats are given back without a copy; nobody else has the array.
        indices.resize(close_gaps(indptr, indices), refcheck=False)
        out_degree = np.zeros(len(local_ids), dtype=np.uint32)
        count_targets(indices, out_degree)
        return HostGraph(host_ids, host_ptr, local_ids, indptr, indices, out_degree)
