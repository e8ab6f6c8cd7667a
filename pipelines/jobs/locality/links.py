"""Where links go: shares within and between hosts and partitions, and rasters of the link matrix.

*Source: Kohlschütter 2011, section 3.2.1 and figures 3.1 and 3.2 (dot-plots), section 3.2.3, tables
3.1 and 3.2 (shares, votes).* Hosts are dealt to partitions as there: by page count descending, round
robin; hosts of equal size in the order of their ids.

A raster divides the pages, in some order, into n ranges of equal size: cell (i, j) holds the number
of links from range i to range j. The orders of figure 3.1: *sorted* by the reversed host name, then
as it is within the host; *normalised*: hosts in random order, the pages of a host together.

Cost: O(m) each. Memory: 4 bytes a page, 8 bytes a cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pipelines.jobs.locality.link_kernels import count_links, fill_raster

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.webgraph.csr import HostGraph

PARTITIONS = (1, 2, 4, 8, 16, 32, 64)


@dataclass(frozen=True, slots=True)
class Partitioning:
    """What hosts dealt to *partitions* do to the links; all are counts.

    *inter_partition*: links between partitions. *votes*: what is sent in their place when each
    partition sums up its links to a page. *largest_pages*, *largest_links*: of the partition that
    has most pages, and of that whose pages have most links into them.
    """

    partitions: int
    inter_partition: int
    votes: int
    largest_pages: int
    largest_links: int


def n_inter_host(graph: HostGraph) -> int:
    """Return the number of links between hosts."""
    return count_links(graph.indptr, graph.indices, graph.host_of_page, graph.n_hosts)[0]


def dealt_hosts(graph: HostGraph, n_partitions: int) -> npt.NDArray[np.uint32]:
    """Return the partition of each host: uint32[h]."""
    sizes = np.diff(graph.host_ptr)
    partition = np.empty(graph.n_hosts, dtype=np.uint32)
    partition[np.argsort(-sizes, kind="stable")] = np.arange(graph.n_hosts) % n_partitions
    return partition


def partitioned(graph: HostGraph, n_partitions: int) -> Partitioning:
    """Count the links of *graph* for *n_partitions* partitions."""
    of_page = np.repeat(dealt_hosts(graph, n_partitions), np.diff(graph.host_ptr))
    between, votes = count_links(graph.indptr, graph.indices, of_page, n_partitions)
    pages = np.bincount(of_page, minlength=n_partitions)
    in_links = np.diff(graph.indptr).astype(np.float64)
    links = np.bincount(of_page, weights=in_links, minlength=n_partitions)
    return Partitioning(n_partitions, between, votes, int(pages.max()), int(links.max()))


def raster(
    graph: HostGraph, host_order: npt.NDArray[np.int64], n_cells: int
) -> npt.NDArray[np.int64]:
    """Return the raster of *graph* with hosts in *host_order* (places in its arrays): int64[n, n]."""
    sizes = np.diff(graph.host_ptr)
    start = np.empty(graph.n_hosts, dtype=np.int64)
    start[host_order] = np.cumsum(sizes[host_order]) - sizes[host_order]
    # The place of each page in the order: where its host begins, and its own place there.
    place = np.arange(graph.n_pages) + np.repeat(start - graph.host_ptr[:-1], sizes)
    return page_raster(graph, place, n_cells)


def page_raster(
    graph: HostGraph, place: npt.NDArray[np.int64], n_cells: int
) -> npt.NDArray[np.int64]:
    """Return the raster of *graph* with each page at its *place*, int64[n]."""
    cell = (place * n_cells // max(graph.n_pages, 1)).astype(np.uint16)
    cells = np.zeros((n_cells, n_cells), dtype=np.int64)
    fill_raster(graph.indptr, graph.indices, cell, cells)
    return cells
