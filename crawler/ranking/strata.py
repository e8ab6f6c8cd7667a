"""Stratified PageRank: a page gives a fixed share of its rank to the links within its host.

For pages t, with the links of page s within its host L_I(s), those to other hosts L_E(s), and the
share beta (`RankOptions.internal_share`)::

    y(t) = (1 - alpha) v(t) + alpha (beta sum over internal (s,t) of y(s) / |L_I(s)|
                                     + (1 - beta) sum over external (s,t) of y(s) / |L_E(s)|)

A page with links of one kind gives all to these; a self link is one within the host. Plain PageRank
is where each page's beta is the share that internal links have of its links.

*Source: Kohlschütter 2011, section 5.2.1, the stratified random surfer of internal and external
links.* Its rows as printed do not sum to 1; here all jump with 1 - alpha. A page gives away alpha of
its rank as in plain PageRank, so all that `crawler.ranking.problem` says of dangling pages and of
the end holds.

The loops of plain PageRank compute it: of ``vote: float64[2n]``, what page s gives to a link within
its host stands at s, and what it gives to one to another host at n + s. Arcs between hosts are numbered
by the second.

Memory beside `Problem`: 24 bytes a page, 4 bytes an arc. The method ``host-blocks`` is for it in
`crawler.ranking.host_blocks.strata`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import kernel
from crawler.ranking.kernels import LocalLinks, State, System, in_place_sweep, own_shares
from crawler.ranking.problem import Problem

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.ranking.options import RankOptions
    from crawler.ranking.partitions import Partitions
    from crawler.webgraph.csr import HostGraph

# Votes are numbered in 32 bits, two a page.
MOST_PAGES = 1 << 31


class Shares(NamedTuple):
    """What of its rank a page gives to each of its links, by kind: ``float64[n]``, 0 for no link."""

    near: npt.NDArray[np.float64]
    far: npt.NDArray[np.float64]


def link_shares(
    links: LocalLinks, out_degree: npt.NDArray[np.uint32], internal_share: float
) -> Shares:
    """Return the shares of the pages of *links*, a whole graph's."""
    near = near_degree(links)
    far = out_degree - near
    of_near = np.where(far > 0, internal_share, 1.0)
    of_far = np.where(near > 0, 1 - internal_share, 1.0)
    return Shares(
        np.divide(of_near, near, out=np.zeros(len(near)), where=near > 0),
        np.divide(of_far, far, out=np.zeros(len(far)), where=far > 0),
    )


@kernel
def near_degree(links: LocalLinks) -> npt.NDArray[np.uint32]:
    """Return how many links within its host each page has."""
    degree = np.zeros(len(links.indptr) - 1, dtype=np.uint32)
    for host in range(len(links.host_ptr) - 1):
        start, end = np.uint64(links.host_ptr[host]), np.uint64(links.host_ptr[host + 1])
        for j in range(np.uint64(links.indptr[start]), np.uint64(links.indptr[end])):
            if start <= links.indices[j] < end:
                degree[links.indices[j]] += np.uint32(1)
    return degree


@kernel
def numbered_by_kind(links: LocalLinks) -> npt.NDArray[np.uint32]:
    """Return the sources of the arcs of *links*, of those between hosts plus the number of pages."""
    n_pages = np.uint32(len(links.indptr) - 1)
    numbered = links.indices.copy()
    for host in range(len(links.host_ptr) - 1):
        start, end = np.uint64(links.host_ptr[host]), np.uint64(links.host_ptr[host + 1])
        for j in range(np.uint64(links.indptr[start]), np.uint64(links.indptr[end])):
            if not start <= links.indices[j] < end:
                numbered[j] += n_pages
    return numbered


@kernel
def sweep_host_by_host(
    links: LocalLinks,
    hosts: npt.NDArray[np.uint32],
    system: System,
    far: npt.NDArray[np.float64],
    state: State,
    received: npt.NDArray[np.float64],
) -> tuple[float, float]:
    """Update *state* as `in_place_sweep` does; a host gives to others when it has been swept."""
    change = 0.0
    total = 0.0
    n_pages = np.uint64(len(far))
    for k in range(len(hosts)):
        changed, rank = in_place_sweep(links, hosts[k : k + 1], system, state, received)
        change += changed
        total += rank
        start, end = links.host_ptr[hosts[k]], links.host_ptr[hosts[k] + np.uint64(1)]
        for t in range(np.uint64(start), np.uint64(end)):
            state.vote[n_pages + t] = state.rank[t] * far[t]
    return change, total


class StratifiedProblem(Problem):
    """The system of a graph whose pages give *internal_share* to the links within their hosts."""

    def __init__(
        self,
        graph: HostGraph,
        options: RankOptions,
        preference: npt.ArrayLike | None,
        internal_share: float,
    ):
        super().__init__(graph, options, preference)
        if graph.n_pages > MOST_PAGES:
            raise ValueError(
                f"internal_share is for at most {MOST_PAGES:,} pages but by host-blocks, "
                f"got {graph.n_pages:,}"
            )
        near, self._far = link_shares(self.links, self.graph.out_degree, internal_share)
        own = own_shares(self.graph.indptr, self.graph.indices, near)
        self.system = self.system._replace(share=near, own=own)
        self.links = self.links._replace(indices=numbered_by_kind(self.links))

    def give(self, rank: npt.NDArray[np.float64], vote: npt.NDArray[np.float64]) -> None:
        super().give(rank, vote[: len(rank)])
        np.multiply(rank, self._far, out=vote[len(rank) :])

    def numbered(self, partitions: Partitions) -> Partitions:
        links, votes = partitions.links, partitions.votes
        return replace(
            partitions,
            links=links._replace(indices=numbered_by_kind(links)),
            votes=votes._replace(sources=votes.sources + np.uint32(self.graph.n_pages)),
        )

    def sweep(
        self,
        links: LocalLinks,
        hosts: npt.NDArray[np.uint32],
        state: State,
        received: npt.NDArray[np.float64],
    ) -> tuple[float, float]:
        return sweep_host_by_host(links, hosts, self.system, self._far, state, received)

    def _room(self) -> npt.NDArray[np.float64]:
        return np.empty(2 * self.graph.n_pages)


def problem_of(graph: HostGraph, options: RankOptions, preference: npt.ArrayLike | None) -> Problem:
    """Return the system of *graph* that *options* ask for."""
    if options.internal_share is None:
        return Problem(graph, options, preference)
    return StratifiedProblem(graph, options, preference, options.internal_share)


def internal_lines(internal_share: float | None) -> list[str]:
    """Return the lines of a report that tell of *internal_share*: one, if it was given."""
    if internal_share is None:
        return []
    return [f"internal    {internal_share:g} of its rank a page gives to links within its host"]
