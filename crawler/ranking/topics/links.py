"""The arcs of a graph as topic PageRank reads them, and the part of them that a block reaches.

Pages and arcs are ordered by `crawler.ranking.host_blocks.layout`, so numbers of pages are those that it
gives them. Shapes are told in `crawler.ranking.topics.kernels`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.ranking.host_blocks.layout import HostLayout
from crawler.ranking.options import SMALLEST_TOLERANCE
from crawler.ranking.topics.kernels import N_SUMS, Block, Work
from crawler.ranking.topics.lanes import lane_rows
from crawler.ranking.topics.reach import TILE, Read, Tile, host_links, mark_reached, write_ranks
from crawler.ranking.topics.vectors import LANES

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.ranking.crew import Crew
    from crawler.ranking.options import RankOptions
    from crawler.ranking.topics.kernels import Terms
    from crawler.ranking.topics.sets import TopicSets
    from crawler.webgraph.csr import HostGraph


class Found(NamedTuple):
    """The votes of a block of k topics, which *terms* add up to."""

    block: Block
    terms: Terms
    linking: npt.NDArray[np.float64]
    """[k], the sum of y over linking pages"""
    missing: npt.NDArray[np.float64]
    """[k], the sum of the residuals"""


class TopicLinks:
    """The arcs of *graph* for *options*; ``layout``.

    An alpha below `SMALLEST_TOLERANCE` counts as that: votes are multiples of it.
    """

    def __init__(self, graph: HostGraph, options: RankOptions, crew: Crew) -> None:
        self.options = replace(options, alpha=max(options.alpha, SMALLEST_TOLERANCE))
        self.n_pages, self.n_arcs = graph.n_pages, max(1, graph.n_arcs)
        made = HostLayout(graph, self.options, None, crew=crew)
        self.layout = made.arrays
        self._far = np.zeros(0) if made.far is None else made.far
        self._graph = made.graph
        self._moved = made.moved
        self._linked = host_links(graph.host_ptr, graph.indptr, graph.indices)

    def block(self, topics: TopicSets, first: int, n_topics: int) -> tuple[Block, int]:
        """Return the block of *n_topics* topics from *first* on, and the pages of its hosts."""
        pages, lane, preference = self._preferences(topics, first, n_topics)
        host_ptr = self._graph.host_ptr
        reached = np.zeros(len(host_ptr) - 1, dtype=np.bool_)
        reached[np.searchsorted(host_ptr, pages, side="right") - 1] = True
        mark_reached(*self._linked, reached)
        is_linking = self._graph.out_degree[pages] > 0
        pages, lane, preference = (
            self._moved[pages[is_linking]],
            lane[is_linking],
            preference[is_linking],
        )
        order = np.argsort(pages, kind="stable")
        block = Block(
            hosts=np.flatnonzero(reached).astype(np.uint32),
            preference_ptr=np.searchsorted(pages[order], host_ptr).astype(np.int64),
            page=pages[order],
            lane=lane[order],
            preference=preference[order],
        )
        return block, int(np.diff(host_ptr)[reached].sum())

    def work(self) -> Work:
        """Return the arrays of a sweep."""
        n_linking = int(self.layout.n_linking.max(initial=0))
        n_hosts = len(self.layout.n_linking)
        return Work(
            x=lane_rows(self.n_pages, np.float32),
            shape=lane_rows(self.n_pages, np.float32),
            given=lane_rows(n_linking, np.float32),
            base=lane_rows(self.n_pages, np.float32),
            exact=lane_rows(n_linking, np.float64),
            ones=np.ones(len(self.layout.share)),
            sums=lane_rows(N_SUMS, np.float64),
            kept=lane_rows(n_hosts, np.float64),
            kept_shape=lane_rows(n_hosts, np.float64),
            far=self._far,
        )

    def write_ranks(
        self, topics: TopicSets, first: int, found: Found, result: npt.NDArray[np.floating]
    ) -> npt.NDArray[np.float64]:
        """Write the ranks of the topics from *first* on to *result*, a row each.

        Return of each topic the sum of y over all pages.
        """
        n_topics = len(result)
        alpha = self.options.alpha
        scale = lane_rows(1, np.float64)
        scale[:] = 1
        if self.options.dangling == "redistribute":
            # y is the preference, what linking pages give, and what is missing less
            total = (1 - alpha) * self.n_pages + alpha * found.linking - found.missing
            scale[0, :n_topics] = self.n_pages / total
        dangling = 1 / (1 - alpha) if self.options.dangling == "self" else 1.0
        per_vote = self.layout.per_vote if len(self._far) else self._far
        read = Read(found.terms, self._moved, 1 / alpha, per_vote, self._far, dangling, scale)
        columns = lane_rows(TILE, result.dtype.type).reshape(LANES, TILE)
        tile = Tile(lane_rows(TILE + 1, np.float64), columns)
        write_ranks(self._graph, found.block, read, tile, result)
        pages, lane, preference = self._preferences(topics, first, n_topics)
        is_dangling = self._graph.out_degree[pages] == 0
        lane, of_dangling = lane[is_dangling], preference[is_dangling] * dangling
        result[lane, pages[is_dangling]] += (of_dangling * scale[0, lane]).astype(result.dtype)
        dangling_sum = tile.rows[TILE] + np.bincount(lane, of_dangling, LANES)
        of_all: npt.NDArray[np.float64] = found.linking + dangling_sum[:n_topics]
        return of_all

    def _preferences(
        self, topics: TopicSets, first: int, n_topics: int
    ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32], npt.NDArray[np.float64]]:
        """Return page, lane and (1 - alpha) v of each page of each topic."""
        pages = topics.pages[topics.ptr[first] : topics.ptr[first + n_topics]]
        sizes = np.diff(topics.ptr[first : first + n_topics + 1])
        lane = np.repeat(np.arange(n_topics, dtype=np.uint32), sizes)
        each = (1 - self.options.alpha) * self.n_pages / sizes[lane]
        if topics.weights is not None:
            each *= topics.weights[topics.ptr[first] : topics.ptr[first + n_topics]]
        return pages, lane, each
