"""The arcs of a graph as topic PageRank reads them, and the part of them that a block reaches.

Pages that link are numbered among themselves, in the order of pages; only they give votes. Shapes
are told in `crawler.ranking.topic_kernels`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.ranking.topic_kernels import Block, Links, Work
from crawler.ranking.topic_lanes import lane_rows
from crawler.ranking.topic_reach import lay_out, mark_reached, out_links

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.ranking.options import RankOptions
    from crawler.ranking.topic_sets import TopicSets
    from crawler.webgraph.csr import HostGraph


class TopicLinks:
    """The arcs of *graph* for *options*; ``arrays``."""

    def __init__(self, graph: HostGraph, options: RankOptions) -> None:
        self.graph = graph
        self.options = options
        is_linking = graph.out_degree > 0
        page_of = np.flatnonzero(is_linking).astype(np.uint32)
        n_linking = len(page_of)
        degree = graph.out_degree[page_of].astype(np.float64)
        own = own_shares(graph, options)
        factor = 1.0 / (1.0 - options.alpha * own)
        counts = np.zeros((2, n_linking), dtype=np.int64)
        n_self = int((own[page_of] > 0).sum())
        self.arrays = Links(
            indptr=np.empty(graph.n_pages + 1, dtype=np.int64),
            indices=np.empty(graph.n_arcs - n_self, dtype=np.uint32),
            page_of=page_of,
            linking_of=(np.cumsum(is_linking) - 1).astype(np.uint32),
            inner_start=np.empty(n_linking, dtype=np.int64),
            inner_stop=np.empty(n_linking, dtype=np.int64),
            degree=degree,
            factor=factor,
            scale=factor[page_of] / degree,
            is_linking=is_linking,
            keeps_in_host=degree / factor[page_of],
        )
        lay_out(graph.host_ptr, graph.indptr, graph.indices, self.arrays, counts)
        np.subtract(
            self.arrays.keeps_in_host,
            options.alpha * counts[0],
            out=self.arrays.keeps_in_host,
        )
        self._linking_host_ptr = np.searchsorted(page_of, graph.host_ptr)
        self._out_ptr = np.concatenate([[0], np.cumsum(counts[1])]).astype(np.int64)
        self._targets = np.empty(self.n_arcs, dtype=np.uint32)
        out_links(self.arrays, self._out_ptr[:-1].copy(), self._targets)

    @property
    def n_arcs(self) -> int:
        """Arcs without self links."""
        return int(self.arrays.indptr[-1])

    def block(self, topics: TopicSets, first: int, n_topics: int) -> Block:
        """Return the block of *n_topics* topics from *first* on."""
        bounds = slice(topics.ptr[first], topics.ptr[first + n_topics])
        pages = topics.pages[bounds]
        sizes = np.diff(topics.ptr[first : first + n_topics + 1])
        lane = np.repeat(np.arange(n_topics, dtype=np.uint32), sizes)
        preference = (1 - self.options.alpha) * self.graph.n_pages / sizes[lane]
        reached = np.zeros(self.graph.n_pages, dtype=np.bool_)
        reached[pages] = True
        mark_reached(self.arrays, self._out_ptr, self._targets, reached)
        order = np.argsort(pages, kind="stable")
        n_of_page = np.bincount(pages, minlength=self.graph.n_pages)
        linking = self.arrays.linking_of[np.flatnonzero(reached & self.arrays.is_linking)]
        host_ptr = np.unique(np.searchsorted(linking, self._linking_host_ptr))
        return Block(
            host_ptr=host_ptr.astype(np.int64),
            pages=linking,
            preference_ptr=np.concatenate([[0], np.cumsum(n_of_page)]).astype(np.int64),
            lane=lane[order],
            preference=preference[order],
            reached=reached,
        )

    def work(self, block: Block) -> Work:
        """Return the arrays of a sweep, all 0."""
        n_linking = len(self.arrays.page_of)
        return Work(
            x=lane_rows(n_linking, np.float32),
            base=lane_rows(n_linking, np.float32),
            constant=lane_rows(int(np.diff(block.host_ptr).max(initial=0)), np.float32),
            change=lane_rows(1, np.float32),
            kept=lane_rows(2, np.float32),
        )


def own_shares(graph: HostGraph, options: RankOptions) -> npt.NDArray[np.float64]:
    """Return what of its own rank each page gives to itself: by a self link, or because it dangles."""
    sources, targets = graph.arcs()
    linked = sources[sources == targets]
    own = np.zeros(graph.n_pages)
    own[linked] = 1.0 / graph.out_degree[linked]
    if options.dangling == "self":
        own[graph.out_degree == 0] = 1.0
    return own
