"""A host graph forwards: the successors of each page, and the links between hosts.

Memory: 4 bytes an arc and 8 a page besides the graph; of links between hosts 16 bytes a pair of hosts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from crawler.webgraph.csr_kernels import place_targets

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.webgraph.csr import HostGraph

# Arcs folded at a time.
CHUNK_ARCS = 2**22


@dataclass(frozen=True, slots=True, eq=False)
class ForwardGraph:
    """A graph by its successors: *indptr* int64[n+1], *indices* uint32[m], ascending in each list.

    *links*, if there are any: how many links an arc stands for, uint64[m].
    """

    indptr: npt.NDArray[np.int64]
    indices: npt.NDArray[np.uint32]
    links: npt.NDArray[np.uint64] | None = None

    @property
    def n_nodes(self) -> int:
        return len(self.indptr) - 1

    def sources(self, first: int, stop: int) -> npt.NDArray[np.uint32]:
        """Return the source of each arc of nodes *first* to before *stop*."""
        nodes = np.arange(first, stop, dtype=np.uint32)
        return np.repeat(nodes, np.diff(self.indptr[first : stop + 1]))

    def chunks(self, n_arcs: int) -> list[tuple[int, int]]:
        """Return ranges of nodes of about *n_arcs* arcs, and no more nodes than that."""
        found, first = [], 0
        while first < self.n_nodes:
            end = self.indptr[first] + n_arcs
            stop = int(np.searchsorted(self.indptr, end, side="right")) - 1
            stop = min(max(stop, first + 1), first + n_arcs, self.n_nodes)
            found.append((first, stop))
            first = stop
        return found


def forward_graph(graph: HostGraph) -> ForwardGraph:
    """Return *graph* forwards, by page numbers."""
    indptr = np.concatenate([[0], np.cumsum(graph.out_degree, dtype=np.int64)])
    indices = np.empty(graph.n_arcs, dtype=np.uint32)
    place_targets(graph.indptr, graph.indices, indptr[:-1].copy(), indices)
    return ForwardGraph(indptr, indices)


def host_forward_graph(graph: HostGraph) -> ForwardGraph:
    """Return the graph of the hosts of *graph*, by their places in it; links within a host too."""
    host = graph.host_of_page
    keys, counts = np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int64)
    for start in range(0, graph.n_arcs, CHUNK_ARCS):
        stop = min(start + CHUNK_ARCS, graph.n_arcs)
        places = np.searchsorted(graph.indptr, np.arange(start, stop), side="right") - 1
        sources = host[graph.indices[start:stop]].astype(np.uint64)
        found, first = np.unique(
            sources << np.uint64(32) | host[places].astype(np.uint64), return_counts=True
        )
        both = np.concatenate([keys, found])
        keys, place = np.unique(both, return_inverse=True)
        weights = np.concatenate([counts, first]).astype(np.float64)
        counts = np.bincount(place, weights=weights, minlength=len(keys)).astype(np.int64)
    degrees = np.bincount((keys >> np.uint64(32)).astype(np.int64), minlength=graph.n_hosts)
    indptr = np.concatenate([[0], np.cumsum(degrees)]).astype(np.int64)
    return ForwardGraph(indptr, keys.astype(np.uint32), counts.astype(np.uint64))
