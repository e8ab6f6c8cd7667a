"""The arcs of a graph as topic PageRank reads them, and the part of them that a block reaches.

Pages and arcs are ordered by `crawler.ranking.host_layout`, so numbers of pages are those that it
gives them. Shapes are told in `crawler.ranking.topic_kernels`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from crawler.ranking.host_layout import HostLayout
from crawler.ranking.options import SMALLEST_TOLERANCE
from crawler.ranking.topic_kernels import N_SUMS, Block, Work
from crawler.ranking.topic_lanes import lane_rows
from crawler.ranking.topic_reach import TILE, Read, mark_reached, out_links, write_ranks
from crawler.ranking.topic_vectors import LANES

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.ranking.crew import Crew
    from crawler.ranking.options import RankOptions
    from crawler.ranking.topic_sets import TopicSets
    from crawler.webgraph.csr import HostGraph


class TopicLinks:
    """The arcs of *graph* for *options*; ``layout``.

    An alpha below `SMALLEST_TOLERANCE` counts as that: votes are multiples of it.
    """

    def __init__(self, graph: HostGraph, options: RankOptions, crew: Crew) -> None:
        self.options = replace(options, alpha=max(options.alpha, SMALLEST_TOLERANCE))
        self.n_pages, self.n_arcs = graph.n_pages, max(1, graph.n_arcs)
        made = HostLayout(graph, self.options, None, crew=crew)
        self.layout = made.arrays
        self._graph = made.graph
        self._moved = made.moved
        self._out_ptr = np.concatenate([[0], np.cumsum(graph.out_degree, dtype=np.int64)])
        self._targets = np.empty(graph.n_arcs, dtype=np.uint32)
        out_links(graph.indptr, graph.indices, self._out_ptr[:-1].copy(), self._targets)
        # most topics reach the page that is most linked to, and so all that it reaches
        in_degree = np.diff(graph.indptr) * (graph.out_degree > 0)
        self._pivot = int(in_degree.argmax()) if self.n_pages else 0
        self._of_pivot = np.zeros(self.n_pages, dtype=np.bool_)
        of_pivot = self._of_pivot.copy()
        of_pivot[self._pivot : self._pivot + 1] = True
        self._mark(of_pivot)
        self._of_pivot = of_pivot

    def block(self, topics: TopicSets, first: int, n_topics: int) -> tuple[Block, int]:
        """Return the block of *n_topics* topics from *first* on, and how many pages it reaches."""
        pages, lane, preference = self._preferences(topics, first, n_topics)
        reached = np.zeros(self.n_pages, dtype=np.bool_)
        reached[pages] = True
        self._mark(reached)
        host_ptr = self._graph.host_ptr
        is_linking = self._graph.out_degree[pages] > 0
        pages, lane, preference = (
            self._moved[pages[is_linking]],
            lane[is_linking],
            preference[is_linking],
        )
        order = np.argsort(pages, kind="stable")
        n_reached = np.concatenate([[0], np.cumsum(reached)])[host_ptr]
        block = Block(
            hosts=np.flatnonzero(np.diff(n_reached)).astype(np.uint32),
            preference_ptr=np.searchsorted(pages[order], host_ptr).astype(np.int64),
            page=pages[order],
            lane=lane[order],
            preference=preference[order],
        )
        return block, int(n_reached[-1])

    def work(self) -> Work:
        """Return the arrays of a sweep."""
        n_linking = int(self.layout.n_linking.max(initial=0))
        return Work(
            x=lane_rows(self.n_pages, np.float32),
            shape=lane_rows(self.n_pages, np.float32),
            given=lane_rows(n_linking, np.float32),
            base=lane_rows(self.n_pages, np.float64),
            votes=lane_rows(self.n_pages, np.float64),
            ones=np.ones(len(self.layout.share)),
            sums=lane_rows(N_SUMS, np.float64),
        )

    def ranks(
        self,
        topics: TopicSets,
        bounds: tuple[int, int],
        block: Block,
        votes: npt.NDArray[np.float64],
        dtype: type[np.floating],
    ) -> tuple[npt.NDArray[np.floating], npt.NDArray[np.float64]]:
        """Return y of the topics from the first to before the second of *bounds*, a row a topic.

        And of each topic, its sum over dangling pages.
        """
        first, end = bounds
        result = np.zeros((end - first, self.n_pages), dtype=dtype)
        alpha = self.options.alpha
        dangling = 1 / (1 - alpha) if self.options.dangling == "self" else 1.0
        read = Read(votes, self._moved, 1 / alpha, dangling)
        rows = lane_rows(TILE + 1, np.float64)
        write_ranks(self._graph, block, read, rows, result)
        pages, lane, preference = self._preferences(topics, first, end - first)
        is_dangling = self._graph.out_degree[pages] == 0
        lane, of_dangling = lane[is_dangling], preference[is_dangling] * dangling
        result[lane, pages[is_dangling]] += of_dangling.astype(dtype)
        total = rows[TILE] + np.bincount(lane, of_dangling, LANES)
        return result, total[: end - first]

    def _mark(self, reached: npt.NDArray[np.bool_]) -> None:
        mark_reached(self._out_ptr, self._targets, self._pivot, self._of_pivot, reached)

    def _preferences(
        self, topics: TopicSets, first: int, n_topics: int
    ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32], npt.NDArray[np.float64]]:
        """Return page, lane and (1 - alpha) v of each page of each topic."""
        pages = topics.pages[topics.ptr[first] : topics.ptr[first + n_topics]]
        sizes = np.diff(topics.ptr[first : first + n_topics + 1])
        lane = np.repeat(np.arange(n_topics, dtype=np.uint32), sizes)
        return pages, lane, (1 - self.options.alpha) * self.n_pages / sizes[lane]
