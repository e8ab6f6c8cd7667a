"""Stratified PageRank host by host: votes to other hosts are another multiple of a page's rank.

The system of `crawler.ranking.strata`. The vote of a page is what it gives to a link within its host, or
where it has none, to any other; so all that is done within hosts is as for plain PageRank. What
goes to another host is multiplied on its way by ``far``, of each page.

Where a page gives nothing to the links within its host, its vote would not tell its rank; it gives them
`LEAST_SHARE`, which is far below what rounding takes.

Shapes: ``far: float64[n]`` by new number, ``kind`` each page's own number. Memory beside
`HostLayout`: 36 bytes a page; as many while it is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import lean_kernel
from crawler.ranking.kernels import LocalLinks
from crawler.ranking.strata import link_shares

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.ranking.host_blocks.layout_kernels import Counts, Transposed, Votes
    from crawler.ranking.host_blocks.vote_exchange import Routes

    Floats = npt.NDArray[np.float64]

LEAST_SHARE = 2.0**-100
_ONE = np.uint64(1)


class PageNumbers(NamedTuple):
    """Of each page by new number: the numbers of `Layout`, and ``far``."""

    kind: npt.NDArray[np.uint32]
    share: Floats
    per_vote: Floats
    kept: Floats
    far: Floats


def page_numbers(
    graph: Transposed,
    counts: Counts,
    moved: npt.NDArray[np.uint32],
    alpha: float,
    internal_share: float,
) -> PageNumbers:
    """Return the numbers of each page of *graph*, *moved* being its new number."""
    links = LocalLinks(graph.host_ptr, graph.indptr, graph.indices)
    near, far = link_shares(links, graph.out_degree, max(internal_share, LEAST_SHARE))
    own = np.where(near > 0, near, far)
    is_linking = own > 0
    none = np.zeros(len(own))
    per_vote = np.divide(1, alpha * own, out=none.copy(), where=is_linking)
    return PageNumbers(
        kind=np.arange(len(own), dtype=np.uint32),
        share=_by_number(alpha * own / (1 - alpha * own * counts.is_own), moved),
        per_vote=_by_number(per_vote, moved),
        kept=_by_number(per_vote - counts.staying.astype(np.float64), moved),
        far=_by_number(np.divide(far, own, out=none, where=is_linking), moved),
    )


def _by_number(numbers: Floats, moved: npt.NDArray[np.uint32]) -> Floats:
    by_number = np.empty_like(numbers)
    by_number[moved] = numbers
    return by_number


@lean_kernel
def send_far_votes(
    routes: Routes, vote: Floats, far: Floats, sent: Floats, sender: int, thread: int
) -> None:
    """Do as `send_votes`, with each vote times *far* of its page."""
    for phase in range(routes.n_phases):
        route = (phase * routes.n_phases + sender) * routes.n_threads + thread
        for j in range(np.uint64(routes.start[route]), np.uint64(routes.start[route + 1])):
            source = np.uint64(routes.sources[j])
            sent[j] = vote[source] * far[source]


class Factors(NamedTuple):
    """What votes are multiplied by: for a page's rank, for another host; and votes of a dangling page."""

    per_vote: Floats
    far: Floats
    dangling: float


@lean_kernel
def read_stratified_ranks(
    graph: Transposed,
    votes: Votes,
    factors: Factors,
    hosts: tuple[int, int],
    rank: Floats,
    dangling: Floats,
) -> None:
    """Do as `read_ranks`, by the *factors* of each page."""
    moved, vote, base = votes
    for host in range(hosts[0], hosts[1]):
        dangling[host] = 0.0
        start, end = np.uint64(graph.host_ptr[host]), np.uint64(graph.host_ptr[host + 1])
        for page in range(start, end):
            place = np.uint64(moved[page])
            if graph.out_degree[page]:
                rank[page] = vote[place] * factors.per_vote[place]
                continue
            total = base[0] if len(base) == 1 else base[place]
            for j in range(np.uint64(graph.indptr[page]), np.uint64(graph.indptr[page + _ONE])):
                source = np.uint64(graph.indices[j])
                given = vote[np.uint64(moved[source])]
                is_near = start <= source < end
                total += given if is_near else given * factors.far[np.uint64(moved[source])]
            rank[page] = total * factors.dangling
            dangling[host] += rank[page]
