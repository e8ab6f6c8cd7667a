"""Orders the arcs of a graph for the iteration of `crawler.ranking.host_blocks.iteration`.

Dangling pages give no votes, so arcs into them are left to the end. The others of each host stand in
ascending order of their arcs from pages of the same host: pages that are much linked to are
computed last, so most arcs within a host come from a page that has been computed in the same
sweep, and pages of the same number of arcs are neighbours (a *run*), whose loops have one length.
Arcs within a host hold the place of the source in its host, in 16 bits where the host has at most
65,536 pages. Arcs from other hosts stand apart, as pairs. What a page's votes depend on (its
out-degree, its links within the host, a self link) is one of few *kinds*.

Shapes: as of `Layout`; ``moved: uint32[n]``, the new number of each page. Memory: 2 bytes an arc (4 in wide hosts, 8
between hosts, and as many for the votes that they carry), 8 bytes a page, 8 bytes a run and 33 a host, in files where a
folder is given; 13 bytes a page more while it is made. Cost: O(n + m).

Invariant: the number of threads that make it changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.ranking.host_blocks.layout_kernels import (
    DEGREE_BITS,
    STAYING_BITS,
    Counts,
    Filled,
    RankFactors,
    Transposed,
    Votes,
    count_arcs,
    fill_arcs,
    list_keys,
    number_kinds,
    order_pages,
    read_ranks,
)
from crawler.ranking.host_blocks.row_kernels import Layout
from crawler.ranking.host_blocks.strata import Factors, page_numbers, read_stratified_ranks
from crawler.ranking.host_blocks.vote_exchange import VoteExchange
from crawler.ranking.mapped_arrays import room

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from crawler.ranking.crew import Crew
    from crawler.ranking.options import RankOptions
    from crawler.webgraph.csr import HostGraph

NARROW_PAGES = 1 << 16
MOST_KINDS = 1 << 16
_EMPTY = np.iinfo(np.uint64).max


class HostLayout:
    """The arrays that the iteration works on, of *graph* and a *preference* (sum n, or None).

    *folder*: where the largest of them are mapped from, None for memory. ``far``: None, but for
    stratified PageRank, see `crawler.ranking.host_blocks.strata`.
    """

    def __init__(
        self,
        graph: HostGraph,
        options: RankOptions,
        preference: npt.NDArray[np.float64] | None,
        *,
        crew: Crew,
        folder: Path | None = None,
    ):
        self.graph = Transposed(graph.host_ptr, graph.indptr, graph.indices, graph.out_degree)
        self.n_pages, self.n_hosts = graph.n_pages, graph.n_hosts
        self.options = options
        self.crew = crew
        self._folder = folder
        self._exchange: VoteExchange | None = None
        self.far: npt.NDArray[np.float64] | None = None
        self._ranges = self._equal_ranges()
        counts = self._counted()
        filled, order = self._ordered(counts)
        arrays = (self.graph, counts, filled, self.moved, order)
        crew.call(fill_arcs, [(*arrays, hosts) for hosts in self._ranges])
        del order
        base = np.array([1 - options.alpha])
        if preference is not None:
            base = np.empty(self.n_pages)
            base[self.moved] = (1 - options.alpha) * preference
        self.arrays = Layout(graph.host_ptr, counts.linking, *filled, base, *self._kinds(counts))

    def votes(self, rank: npt.NDArray[np.float64] | None) -> npt.NDArray[np.float64]:
        """Return the votes of pages of *rank* (by page; None for ones), by new number."""
        per_vote = self.arrays.per_vote
        per_rank = np.divide(1, per_vote, out=np.zeros_like(per_vote), where=per_vote > 0)
        votes: npt.NDArray[np.float64] = per_rank[self.arrays.kind]
        if rank is not None:
            by_number = np.empty(self.n_pages)
            by_number[self.moved] = rank
            votes *= by_number
        return votes

    def ranks(self, vote: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], float]:
        """Return the rank of each page that follows from *vote*, and the sum of dangling pages'."""
        rank = np.empty(self.n_pages)
        dangling = np.empty(self.n_hosts)
        alpha = self.options.alpha
        keeps = self.options.dangling == "self"
        of_dangling = 1 / (1 - alpha) if keeps else 1.0
        votes = Votes(self.moved, vote, self.arrays.base)
        if self.far is None:
            known = (self.graph, votes, RankFactors(1 / alpha, of_dangling))
            self.crew.call(read_ranks, [(*known, hosts, rank, dangling) for hosts in self._ranges])
        else:
            by_page = (self.graph, votes, Factors(self.arrays.per_vote, self.far, of_dangling))
            self.crew.call(
                read_stratified_ranks,
                [(*by_page, hosts, rank, dangling) for hosts in self._ranges],
            )
        return rank, float(dangling.sum())

    def exchange(self) -> VoteExchange:
        """Return what passes votes between hosts, for one pass over all; made once.

        Then ``arrays`` are without the arcs between hosts.
        """
        if self._exchange is None:
            self._exchange = VoteExchange(self)
        return self._exchange

    def room(self, n: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """Return an array for *n* numbers, in a file where a folder was given."""
        return room(n, dtype, self._folder)

    def _equal_ranges(self) -> list[tuple[int, int]]:
        """Return a range of hosts for each thread, of about as many pages and arcs each."""
        work = self.graph.indptr[self.graph.host_ptr] + self.graph.host_ptr
        bounds = np.searchsorted(work, np.linspace(0, work[-1], self.crew.n_threads + 1))
        bounds[-1] = self.n_hosts
        return list(zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True))

    def _counted(self) -> Counts:
        n, h = self.n_pages, self.n_hosts
        counts = Counts(
            near=np.zeros(n, dtype=np.uint32),
            staying=np.zeros(n, dtype=np.uint32),
            is_own=np.zeros(n, dtype=np.uint8),
            linking=np.zeros(h, dtype=np.uint32),
            arcs=np.zeros(h, dtype=np.int64),
            foreign=np.zeros(h, dtype=np.int64),
            runs=np.zeros(h, dtype=np.int64),
        )
        self.crew.call(count_arcs, [(self.graph, counts, *hosts) for hosts in self._ranges])
        return counts

    def _ordered(self, counts: Counts) -> tuple[Filled, npt.NDArray[np.uint32]]:
        """Set ``moved``, return room for the arcs, and the page of each new number."""
        order = np.empty(self.n_pages, dtype=np.uint32)
        self.moved = self.room(self.n_pages, np.uint32)
        most = int(counts.near.max()) + 2
        known = (self.graph, counts, self.moved, order)
        self.crew.call(
            order_pages,
            [(*known, hosts, np.empty(most, dtype=np.int64)) for hosts in self._ranges],
        )
        is_wide = np.diff(self.graph.host_ptr) > NARROW_PAGES
        of_narrow = _bounds(np.where(is_wide, 0, counts.arcs))
        of_wide = _bounds(np.where(is_wide, counts.arcs, 0))
        foreign_ptr, run_ptr = _bounds(counts.foreign), _bounds(counts.runs)
        filled = Filled(
            run_ptr=run_ptr,
            run_arcs=np.empty(int(run_ptr[-1]), dtype=np.uint32),
            run_rows=np.empty(int(run_ptr[-1]), dtype=np.uint32),
            arc_start=np.where(is_wide, of_wide[:-1], of_narrow[:-1]),
            n_arcs=counts.arcs,
            narrow=self.room(int(of_narrow[-1]), np.uint16),
            wide=self.room(int(of_wide[-1]), np.uint32),
            is_wide=is_wide,
            foreign_ptr=foreign_ptr,
            foreign_targets=self.room(int(foreign_ptr[-1]), np.uint32),
            foreign_sources=self.room(int(foreign_ptr[-1]), np.uint32),
        )
        return filled, order

    def _kinds(self, counts: Counts) -> tuple[npt.NDArray[Any], ...]:
        """Return ``kind`` and its tables share, per_vote and kept; set ``far``."""
        beta = self.options.internal_share
        if beta is not None:
            made = page_numbers(self.graph, counts, self.moved, self.options.alpha, beta)
            self.far = made.far
            return made.kind, made.share, made.per_vote, made.kept
        n = self.n_pages
        keys = np.empty(MOST_KINDS, dtype=np.uint64)
        kind = self.room(n, np.uint32)
        table = np.full(4 * MOST_KINDS, _EMPTY, dtype=np.uint64)
        n_kinds = int(number_kinds(self.graph, counts, self.moved, table, keys, kind))
        if n_kinds < 0:
            keys, n_kinds = np.empty(n, dtype=np.uint64), n
            list_keys(self.graph, counts, self.moved, keys, kind)
        keys = keys[:n_kinds]
        is_own = (keys & np.uint64(1)).astype(bool)
        degree = (keys >> DEGREE_BITS & np.uint64(0xFFFFFFFF)).astype(np.float64)
        per_vote = degree / self.options.alpha
        share = np.divide(1, per_vote, out=np.zeros(n_kinds), where=degree > 0)
        share[is_own] /= 1 - share[is_own]
        return kind, share, per_vote, per_vote - (keys >> STAYING_BITS).astype(np.float64)


def _bounds(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
