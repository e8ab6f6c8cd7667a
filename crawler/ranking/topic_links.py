"""The arcs of a graph as topic PageRank reads them, and the part of them that a block reaches.

Pages and arcs are ordered by `crawler.ranking.host_layout`, so numbers of pages are those that it
gives them. Shapes are told in `crawler.ranking.topic_kernels`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

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
    from crawler.ranking.topic_kernels import Terms
    from crawler.ranking.topic_sets import TopicSets
    from crawler.webgraph.csr import HostGraph


# Pages with the most paths through them that are tried for one that reaches half of the graph.
_MOST_PIVOTS = 8


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
        self._graph = made.graph
        self._moved = made.moved
        self._out_ptr = np.concatenate([[0], np.cumsum(graph.out_degree, dtype=np.int64)])
        self._targets = np.empty(graph.n_arcs, dtype=np.uint32)
        out_links(graph.indptr, graph.indices, self._out_ptr[:-1].copy(), self._targets)
        # most topics reach some page of the largest component, and so all that it reaches
        self._of_pivot, self._to_pivot = self._pivot_reach(graph)

    def block(self, topics: TopicSets, first: int, n_topics: int) -> tuple[Block, int]:
        """Return the block of *n_topics* topics from *first* on, and how many pages it reaches."""
        pages, lane, preference = self._preferences(topics, first, n_topics)
        reached = np.zeros(self.n_pages, dtype=np.bool_)
        reached[pages] = True
        skipped = np.zeros_like(reached)
        if self._to_pivot[pages].any():
            skipped = self._of_pivot
            reached |= skipped
        mark_reached(self._out_ptr, self._targets, reached, skipped)
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
            base=lane_rows(self.n_pages, np.float32),
            exact=lane_rows(n_linking, np.float64),
            ones=np.ones(len(self.layout.share)),
            sums=lane_rows(N_SUMS, np.float64),
        )

    def write_ranks(
        self, topics: TopicSets, first: int, found: Found, result: npt.NDArray[np.floating]
    ) -> npt.NDArray[np.float64]:
        """Write the ranks of the topics from *first* on to *result*, a row each, which is 0 before.

        Return of each topic the sum of y over all pages.
        """
        n_topics = len(result)
        alpha = self.options.alpha
        scale = np.ones(LANES)
        if self.options.dangling == "redistribute":
            # y is the preference, what linking pages give, and what is missing less
            total = (1 - alpha) * self.n_pages + alpha * found.linking - found.missing
            scale[:n_topics] = self.n_pages / total
        dangling = 1 / (1 - alpha) if self.options.dangling == "self" else 1.0
        read = Read(found.terms, self._moved, 1 / alpha, dangling, scale)
        rows = lane_rows(TILE + 1, np.float64)
        write_ranks(self._graph, found.block, read, rows, result)
        pages, lane, preference = self._preferences(topics, first, n_topics)
        is_dangling = self._graph.out_degree[pages] == 0
        lane, of_dangling = lane[is_dangling], preference[is_dangling] * dangling
        result[lane, pages[is_dangling]] += (of_dangling * scale[lane]).astype(result.dtype)
        dangling_sum = rows[TILE] + np.bincount(lane, of_dangling, LANES)
        of_all: npt.NDArray[np.float64] = found.linking + dangling_sum[:n_topics]
        return of_all

    def _pivot_reach(self, graph: HostGraph) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Return what one page reaches, and what reaches it: the page of some that reaches most."""
        paths = np.diff(graph.indptr) * graph.out_degree.astype(np.int64)
        n_tried = min(_MOST_PIVOTS, self.n_pages)
        best = page = np.zeros(self.n_pages, dtype=np.bool_)
        none = best.copy()
        for tried in np.argpartition(paths, -n_tried)[-n_tried:] if n_tried else ():
            reached = none.copy()
            reached[tried] = True
            mark_reached(self._out_ptr, self._targets, reached, none)
            if np.count_nonzero(reached) > np.count_nonzero(best):
                best, page = reached, none.copy()
                page[tried] = True
            if 2 * np.count_nonzero(best) > self.n_pages:
                break
        mark_reached(graph.indptr, graph.indices, page, none)
        return best, page

    def _preferences(
        self, topics: TopicSets, first: int, n_topics: int
    ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32], npt.NDArray[np.float64]]:
        """Return page, lane and (1 - alpha) v of each page of each topic."""
        pages = topics.pages[topics.ptr[first] : topics.ptr[first + n_topics]]
        sizes = np.diff(topics.ptr[first : first + n_topics + 1])
        lane = np.repeat(np.arange(n_topics, dtype=np.uint32), sizes)
        return pages, lane, (1 - self.options.alpha) * self.n_pages / sizes[lane]
