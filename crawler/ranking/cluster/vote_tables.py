"""Partitions of a graph as rows that are computed on apart, and what one does between two exchanges.

A row holds all that one partition of `crawler.ranking.partitions` needs: the arcs between its own
pages, which of its pages make each vote that it sends, and which of its pages each vote is for that
it receives. The lists of targets are known to both ends; what is exchanged is one array of numbers
for each pair of partitions, one number a vote.

*Source: Kohlschütter 2011, section 3.2, equations 3.8 to 3.11.* Where we deviate: between two
exchanges a partition is swept until a sweep changes less than `ENOUGH` of what the first one did, or
`MOST_SWEEPS` times; the thesis sweeps once. An exchange costs a cluster far more than a sweep.

When an iteration may stop. Let D be the L1 change of the last sweep of all partitions, and V that of
the votes since they were last sent. What D gives to pages that were computed before is missing
within the partitions, and alpha V between them, so the residual is at most ``alpha (D + V)`` in L1: what
`crawler.ranking.problem` takes as the change of an iteration. Sweeping again never makes it larger.

Shapes, for the k pages of a partition, by its own numbers 0 to k-1 in the order of pages: see the
classes. Memory of a row: 4 bytes an arc, 16 bytes a page (8 more with a preference), 12 bytes a vote.

Invariant: the rows of a graph hold each of its arcs once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.ranking.kernels import (
    LocalLinks,
    State,
    System,
    VoteLists,
    exchange_votes,
    in_place_sweep,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import numpy.typing as npt

    from crawler.ranking.partitions import Partitions
    from crawler.ranking.problem import Problem
    from crawler.webgraph.csr import HostGraph

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]
    U32 = npt.NDArray[np.uint32]

# Measured on LargeWeb of 100,000 pages, 8 partitions, to 1e-8: 12 exchanges and 66 sweeps; with one
# sweep at a time 46 of both, with 0.5 18 and 52, with 0.03 11 and 83.
ENOUGH = 0.1
MOST_SWEEPS = 10


class Outgoing(NamedTuple):
    """The votes for one other partition: vote v is of the pages ``sources[ptr[v]:ptr[v+1]]``."""

    ptr: I64
    sources: U32


class PartitionRow(NamedTuple):
    """One partition. ``own_pages`` link to themselves; ``base`` is (1 - alpha) v, one number or k.

    *outgoing* and *incoming* are by the number of the other partition; the latter are pages.
    """

    indptr: I64
    indices: U32
    out_degree: U32
    own_pages: U32
    base: F64
    alpha: float
    outgoing: Mapping[int, Outgoing]
    incoming: Mapping[int, U32]


class Advanced(NamedTuple):
    """A partition after an iteration: its ranks, the votes for others, and the figures of its part.

    *change* is D + V of the module, *total* the sum of the ranks, *n_gathers* counts arcs followed.
    """

    rank: F64
    votes: Mapping[int, F64]
    change: float
    total: float
    n_gathers: int


def partition_rows(problem: Problem, partitions: Partitions) -> Iterator[tuple[int, PartitionRow]]:
    """Yield the rows of *partitions* of the problem's graph, by number.

    Memory: 8 bytes a page and a row, beside the graph and its partitions.
    """
    graph, system, n = problem.graph, problem.system, len(partitions.hosts)
    local = np.empty(graph.n_pages, dtype=np.uint32)
    of_page = np.empty(graph.n_pages, dtype=np.uint32)
    for number, hosts in enumerate(partitions.hosts):
        pages = pages_of_hosts(graph, hosts)
        local[pages] = np.arange(len(pages), dtype=np.uint32)
        of_page[pages] = number
    ends = _message_bounds(partitions.votes, of_page, n)
    is_uniform = bool((problem.preference == 1).all())
    for number, hosts in enumerate(partitions.hosts):
        pages = pages_of_hosts(graph, hosts)
        counts = np.diff(partitions.links.indptr)[pages]
        starts = partitions.links.indptr[graph.host_ptr[hosts]].tolist()
        stops = partitions.links.indptr[graph.host_ptr[hosts.astype(np.int64) + 1]].tolist()
        arcs = [partitions.links.indices[a:b] for a, b in zip(starts, stops, strict=True)]
        yield (
            number,
            PartitionRow(
                indptr=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
                indices=local[np.concatenate([np.empty(0, dtype=np.uint32), *arcs])],
                out_degree=graph.out_degree[pages],
                own_pages=np.flatnonzero(system.own[pages]).astype(np.uint32),
                base=system.base[pages[:1] if is_uniform else pages],
                alpha=system.alpha,
                outgoing=_outgoing(partitions.votes, ends, number, local),
                incoming=_incoming(partitions.votes, ends, number, local),
            ),
        )


def pages_of_hosts(graph: HostGraph, hosts: U32) -> I64:
    """Return the pages of *hosts*, host by host, as the rows number them."""
    starts = graph.host_ptr[hosts]
    sizes = graph.host_ptr[hosts.astype(np.int64) + 1] - starts
    first = np.cumsum(sizes) - sizes
    pages: I64 = np.arange(int(sizes.sum()), dtype=np.int64) + np.repeat(starts - first, sizes)
    return pages


def _message_bounds(votes: VoteLists, of_page: U32, n: int) -> I64:
    """Return where the votes of each (source, target partition) begin and the last ones end."""
    first_sources = votes.sources[votes.source_ptr[:-1]]
    message = of_page[first_sources].astype(np.int64) * n + of_page[votes.targets]
    ends: I64 = np.searchsorted(message, np.arange(n * n + 1)).astype(np.int64)
    return ends


def _outgoing(votes: VoteLists, ends: I64, number: int, local: U32) -> dict[int, Outgoing]:
    n = round(len(ends) ** 0.5)
    found = {}
    for other in range(n):
        start, end = ends[number * n + other], ends[number * n + other + 1]
        if start < end:
            ptr = votes.source_ptr[start : end + 1]
            found[other] = Outgoing(ptr - ptr[0], local[votes.sources[ptr[0] : ptr[-1]]])
    return found


def _incoming(votes: VoteLists, ends: I64, number: int, local: U32) -> dict[int, U32]:
    n = round(len(ends) ** 0.5)
    found = {}
    for other in range(n):
        start, end = ends[other * n + number], ends[other * n + number + 1]
        if start < end:
            found[other] = local[votes.targets[start:end]]
    return found


def started(row: PartitionRow) -> Advanced:
    """Return the partition before the first iteration: rank = preference."""
    rank = _system(row).base / (1 - row.alpha)
    votes = _votes(row, rank * _share(row))
    return Advanced(rank, votes, change=np.inf, total=float(rank.sum()), n_gathers=0)


def advanced(row: PartitionRow, before: Advanced, received: Mapping[int, F64]) -> Advanced:
    """Return the partition after one more iteration, with the votes *received* from each other one."""
    system = _system(row)
    n_pages = len(row.out_degree)
    links = LocalLinks(np.array([0, n_pages], dtype=np.int64), row.indptr, row.indices)
    hosts = np.zeros(1, dtype=np.uint32)
    state = State(before.rank.copy(), before.rank * system.share)
    incoming = np.zeros(n_pages)
    for other, votes in sorted(received.items()):
        incoming[row.incoming[other]] += votes
    first, total = in_place_sweep(links, hosts, system, state, incoming)
    change, n_sweeps = first, 1
    while change > ENOUGH * first and n_sweeps < MOST_SWEEPS:
        change, total = in_place_sweep(links, hosts, system, state, incoming)
        n_sweeps += 1
    votes_now = _votes(row, state.vote)
    unsent = sum(float(np.abs(votes_now[q] - before.votes[q]).sum()) for q in votes_now)
    return Advanced(
        rank=state.rank,
        votes=votes_now,
        change=change + unsent,
        total=total,
        n_gathers=n_sweeps * len(row.indices),
    )


def vote_messages(number: int, states: Iterable[Advanced]) -> Iterator[tuple[int, tuple[int, F64]]]:
    """Yield (other partition, (*number*, votes for it)) of the partition *number*."""
    for state in states:
        for other, votes in state.votes.items():
            yield other, (number, votes)


def _share(row: PartitionRow) -> F64:
    degree = row.out_degree.astype(np.float64)
    return np.divide(1.0, degree, out=np.zeros_like(degree), where=degree > 0)


def _system(row: PartitionRow) -> System:
    share = _share(row)
    own = np.zeros_like(share)
    own[row.own_pages] = share[row.own_pages]
    base = np.broadcast_to(row.base, share.shape).copy()
    return System(base, share, own, row.alpha)


def _votes(row: PartitionRow, vote: F64) -> dict[int, F64]:
    """Return the aggregated votes for each other partition."""
    found = {}
    for other, (ptr, sources) in row.outgoing.items():
        votes = np.zeros(len(ptr) - 1)
        places = np.arange(len(votes), dtype=np.uint32)
        exchange_votes(VoteLists(places, ptr, sources), vote, votes)
        found[other] = votes
    return found
