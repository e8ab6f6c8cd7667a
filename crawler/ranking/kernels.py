"""The compiled loops of PageRank; what they compute is told by the modules that call them.

Loop variables over links are unsigned, see `crawler.kernels.jit`. The named tuples that they take
stand here, because machine code is compiled anew when this file changes, and only then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import kernel

if TYPE_CHECKING:
    import numpy.typing as npt


class State(NamedTuple):
    """The vectors that an iteration works on: rank, and what a page gives to each of its links."""

    rank: npt.NDArray[np.float64]
    vote: npt.NDArray[np.float64]


class System(NamedTuple):
    """The numbers of the linear system, in the form that kernels take."""

    base: npt.NDArray[np.float64]
    """(1 - alpha) v"""
    share: npt.NDArray[np.float64]
    """1 / |L(s)|, 0 where dangling"""
    own: npt.NDArray[np.float64]
    """what of its own rank a page gives to itself by a self link"""
    alpha: float


class LocalLinks(NamedTuple):
    """The arcs inside partitions, transposed, with the graph's bounds of hosts."""

    host_ptr: npt.NDArray[np.int64]
    indptr: npt.NDArray[np.int64]
    indices: npt.NDArray[np.uint32]


class VoteLists(NamedTuple):
    """The aggregated votes between partitions; see `crawler.ranking.partitions`."""

    targets: npt.NDArray[np.uint32]
    source_ptr: npt.NDArray[np.int64]
    sources: npt.NDArray[np.uint32]


@kernel
def own_shares(
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.uint32],
    share: npt.NDArray[np.float64],
) -> npt.NDArray[np.float64]:
    """Return ``share[t]`` for each page t with a self link, 0 for the others."""
    own = np.zeros_like(share)
    for t in range(len(share)):
        for j in range(np.uint64(indptr[t]), np.uint64(indptr[t + 1])):
            if indices[j] == t:
                own[t] = share[t]
    return own


@kernel
def jacobi_sweep(
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.uint32],
    system: System,
    state: State,
    new: npt.NDArray[np.float64],
) -> tuple[float, float]:
    """Write to *new* the ranks that follow from *state*; return the L1 change and the sum."""
    change = 0.0
    total = 0.0
    for t in range(len(new)):
        incoming = 0.0
        for j in range(np.uint64(indptr[t]), np.uint64(indptr[t + 1])):
            incoming += state.vote[indices[j]]
        rank = system.base[t] + system.alpha * incoming
        change += abs(rank - state.rank[t])
        total += rank
        new[t] = rank
    return change, total


@kernel
def in_place_sweep(
    links: LocalLinks,
    hosts: npt.NDArray[np.uint32],
    system: System,
    state: State,
    received: npt.NDArray[np.float64],
) -> tuple[float, float]:
    """Update *state* page by page over *hosts*; return the L1 change and the sum of their ranks."""
    change = 0.0
    total = 0.0
    for host in hosts:
        for t in range(np.uint64(links.host_ptr[host]), np.uint64(links.host_ptr[host + 1])):
            incoming = received[t]
            for j in range(np.uint64(links.indptr[t]), np.uint64(links.indptr[t + np.uint64(1)])):
                incoming += state.vote[links.indices[j]]
            own = system.own[t]
            if own > 0:
                # the self link at its new value: the equation of this page solved for its rank
                incoming -= state.vote[t]
            rank = (system.base[t] + system.alpha * incoming) / (1.0 - system.alpha * own)
            change += abs(rank - state.rank[t])
            total += rank
            state.rank[t] = rank
            state.vote[t] = rank * system.share[t]
    return change, total


@kernel
def exchange_votes(
    lists: VoteLists, vote: npt.NDArray[np.float64], received: npt.NDArray[np.float64]
) -> None:
    """Sum each aggregated vote over its sources, and set *received* to the votes of each target."""
    for target in lists.targets:
        received[target] = 0.0
    for v in range(len(lists.targets)):
        aggregated = 0.0
        for j in range(np.uint64(lists.source_ptr[v]), np.uint64(lists.source_ptr[v + 1])):
            aggregated += vote[lists.sources[j]]
        received[lists.targets[v]] += aggregated


class LinkCounts(NamedTuple):
    """Arcs by kind, as tables 3.1 and 3.2 of Kohlschütter 2011 count them; see `count_links`."""

    total: int
    intra_host: int
    inter_host: int
    inter_partition: int
    votes: int
    """distinct pairs of a source partition and a target page of another partition"""


@kernel
def count_kinds(
    host_ptr: npt.NDArray[np.int64],
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.uint32],
    of_page: npt.NDArray[np.uint32],
    n_partitions: int,
) -> tuple[int, int, int]:
    """Return the arcs between hosts, those between partitions, and the votes that these make."""
    seen = np.full(n_partitions, -1, dtype=np.int64)
    inter_host = 0
    inter_partition = 0
    votes = 0
    for host in range(len(host_ptr) - 1):
        start, end = host_ptr[host], host_ptr[host + 1]
        for t in range(start, end):
            for j in range(np.uint64(indptr[t]), np.uint64(indptr[t + 1])):
                s = np.int64(indices[j])
                if start <= s < end:
                    continue
                inter_host += 1
                partition = of_page[s]
                if partition != of_page[t]:
                    inter_partition += 1
                    if seen[partition] != t:
                        seen[partition] = t
                        votes += 1
    return inter_host, inter_partition, votes
