"""Cuts a host graph into partitions of whole hosts, and lists the votes between them.

*Source: Kohlschütter 2011, section 3.2.3: hosts sorted by number of pages, dealt round robin, or
as many as each server computes in the same time; one aggregated vote for each (source partition,
target page), equation 3.11.*

An arc inside a partition (within a host or between two of its hosts) is read from memory. All arcs
from one partition to one page of another are one vote. The lists are made once a graph.

Shapes, for v votes over r arcs between partitions: ``targets: uint32[v]`` by (source partition,
target partition, target), ``source_ptr: int64[v+1]``, ``sources: uint32[r]``: the pages whose shares
make vote k are ``sources[source_ptr[k]:source_ptr[k+1]]``. Every arc is either in `LocalLinks` or in
`VoteLists`. Memory: 4 bytes an arc, 12 bytes a vote; one partition shares the graph's own arrays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from crawler.ranking.host_blocks.layout_kernels import deal_greedily
from crawler.ranking.kernels import LinkCounts, LocalLinks, VoteLists, count_kinds

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.webgraph.csr import HostGraph


@dataclass(frozen=True, slots=True, eq=False)
class Partitions:
    """The hosts of each partition (places in ``HostGraph.host_ids``, ascending) and the arcs."""

    hosts: list[npt.NDArray[np.uint32]]
    links: LocalLinks
    votes: VoteLists


def deal_hosts(n_pages_of_host: npt.NDArray[np.int64], n_partitions: int) -> npt.NDArray[np.uint32]:
    """Return the partition of each host: by size descending (ties by place), round robin.

    Raises :exc:`ValueError` for fewer than one partition.

    >>> deal_hosts(np.array([1, 5, 3, 5]), 2).tolist()
    [1, 0, 0, 1]
    """
    if n_partitions < 1:
        raise ValueError(f"n_partitions must be at least 1, got {n_partitions}")
    by_size = np.argsort(-n_pages_of_host, kind="stable")
    partition = np.empty(len(n_pages_of_host), dtype=np.uint32)
    partition[by_size] = np.arange(len(by_size)) % n_partitions
    return partition


def deal_by_speed(work: npt.NDArray[np.number], speeds: npt.ArrayLike) -> npt.NDArray[np.uint32]:
    """Return the partition of each host: the largest first, to the one that will be done first.

    *work* of each host: its pages, or its arcs. *speeds*: of each partition, what it does in some
    time, as `measured_speed` finds it; above 0, or :exc:`ValueError` is raised. The paper gives each
    server pages in proportion to its speed, without saying how.

    >>> deal_by_speed(np.array([1, 5, 3, 2]), [1.0, 2.0]).tolist()
    [0, 1, 0, 1]
    """
    speed = np.array(speeds, dtype=np.float64)
    if speed.ndim != 1 or not len(speed) or not np.isfinite(speed).all() or not (speed > 0).all():
        raise ValueError(f"speeds must be numbers above 0, got {speed.tolist()}")
    dealt = np.empty(len(work), dtype=np.uint32)
    order = np.argsort(-np.asarray(work, dtype=np.float64), kind="stable")
    deal_greedily(work.astype(np.float64), order, np.zeros(len(speed)), speed, dealt)
    return dealt


def count_links(graph: HostGraph, of_host: npt.NDArray[np.uint32], n_partitions: int) -> LinkCounts:
    """Count the arcs of *graph* by kind, its hosts being in the partitions *of_host*."""
    counts = count_kinds(
        graph.host_ptr, graph.indptr, graph.indices, of_host[graph.host_of_page], n_partitions
    )
    return LinkCounts(graph.n_arcs, graph.n_arcs - counts[0], *counts)


def cut(
    graph: HostGraph, n_partitions: int, of_host: npt.NDArray[np.uint32] | None = None
) -> Partitions:
    """Return the partitions of *graph*, at most as many as it has hosts.

    *of_host*: the partition of each host, as of `deal_by_speed`; None deals them by size.
    """
    if of_host is None:
        of_host = deal_hosts(np.diff(graph.host_ptr), n_partitions)
    by_partition = np.argsort(of_host, kind="stable").astype(np.uint32)
    n_hosts = np.bincount(of_host, minlength=1)
    hosts = np.split(by_partition, np.cumsum(n_hosts)[:-1])
    if len(hosts) == 1:
        links = LocalLinks(graph.host_ptr, graph.indptr, graph.indices)
        return Partitions(hosts, links, vote_lists(np.empty((0, 3), dtype=np.uint32)))
    of_page = of_host[graph.host_of_page]
    sources, targets = graph.arcs()
    source_partition = of_page[sources]
    remote = source_partition != of_page[targets]
    n_local = np.bincount(targets[~remote], minlength=graph.n_pages)
    indptr = np.concatenate([[0], np.cumsum(n_local)]).astype(np.int64)
    links = LocalLinks(graph.host_ptr, indptr, sources[~remote])
    voting = np.stack([sources[remote], targets[remote], source_partition[remote]], axis=1)
    # the messages between two partitions are neighbours, and so are the votes of a message
    order = np.lexsort((voting[:, 0], voting[:, 1], of_page[voting[:, 1]], voting[:, 2]))
    return Partitions(hosts, links, vote_lists(voting[order]))


def vote_lists(arcs: npt.NDArray[np.uint32]) -> VoteLists:
    """Return the votes of *arcs*, rows of (source, target, source partition) in their order."""
    changes = (arcs[1:, 1:] != arcs[:-1, 1:]).any(axis=1)
    first = np.flatnonzero(np.concatenate([[True], changes])) if len(arcs) else np.empty(0, int)
    source_ptr = np.append(first, len(arcs)).astype(np.int64)
    return VoteLists(
        targets=np.ascontiguousarray(arcs[first, 1]),
        source_ptr=source_ptr,
        sources=np.ascontiguousarray(arcs[:, 0]),
    )
