"""Partitioned PageRank: in place within a partition, aggregated votes between partitions.

For page t, with the links of its own host (v_I) and those of other hosts (v_E)::

    r(t) = (1 - alpha) v(t) + alpha (v_I(t) + v_E(t))

*Source: Kohlschütter 2011, section 3.2, equations 3.8 to 3.11; the preference and the policy for
dangling pages as in `crawler.ranking.problem`.*

One iteration passes over the hosts of each partition in ascending order, and over the pages of a
host in ascending LocalID. Each page is written as soon as it is computed, so v_I is Gauss-Seidel
within the host, and links from other hosts of the partition are read from memory as they stand
(equation 3.8). Votes from other partitions are those received after the iteration before; they are
exchanged once before the first and after every one, replacing the last.

:func:`unified_pagerank` is equation 3.8 by itself: one vector, pages visited partition by partition,
all links read from memory as they stand.

Where we deviate: a self link takes part at the page's new rank (the page's equation is solved for
it); the paper takes its old one, and both end at the same rank. The paper stops when the change
falls below 1e-3 (``mean_change`` of the options); we stop on a bound of the error
(`crawler.ranking.problem`) if not told otherwise.

Partitions are independent within an iteration: in whatever order they run, the result is the same.
Cost of an iteration: O(n + m), and one number sent for each vote.

Invariant: the result depends on the partitions only within the tolerance.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from crawler.ranking.kernels import exchange_votes
from crawler.ranking.options import DEFAULTS
from crawler.ranking.partitions import cut, deal_by_speed, deal_hosts
from crawler.ranking.strata import problem_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from crawler.ranking.options import RankOptions
    from crawler.ranking.problem import RankResult
    from crawler.webgraph.csr import HostGraph


def partitioned_pagerank(
    graph: HostGraph,
    options: RankOptions = DEFAULTS,
    *,
    n_partitions: int = 1,
    speeds: Sequence[float] | None = None,
    preference: npt.ArrayLike | None = None,
) -> RankResult:
    """Return the PageRank of each page of *graph*, computed on *n_partitions* (1 or more).

    *speeds*: of each partition; None for partitions of equal numbers of hosts, dealt by size.
    *preference*: the vector v, ``float64[n]`` of any positive sum; None weighs all pages alike. One
    partition is Gauss-Seidel over the whole graph. An empty graph has an empty rank.
    """
    problem = problem_of(graph, options, preference)
    of_host = None
    if speeds is not None:
        of_host = deal_by_speed(np.diff(problem.graph.host_ptr), speeds)
    partitions = problem.numbered(cut(problem.graph, n_partitions, of_host))
    state = problem.start()
    received = np.zeros(graph.n_pages)
    exchange_votes(partitions.votes, state.vote, received)

    def step() -> tuple[float, float]:
        sums = [
            problem.sweep(partitions.links, hosts, state, received) for hosts in partitions.hosts
        ]
        exchange_votes(partitions.votes, state.vote, received)
        return sum(change for change, _ in sums), sum(total for _, total in sums)

    return replace(
        problem.iterate(state, step),
        n_votes=len(partitions.votes.targets),
        n_remote_arcs=len(partitions.votes.sources),
    )


def unified_pagerank(
    graph: HostGraph,
    options: RankOptions = DEFAULTS,
    *,
    n_partitions: int = 1,
    preference: npt.ArrayLike | None = None,
) -> RankResult:
    """Return the PageRank of each page of *graph*, in place in the order of *n_partitions*."""
    problem = problem_of(graph, options, preference)
    of_host = deal_hosts(np.diff(problem.links.host_ptr), n_partitions)
    order = np.argsort(of_host, kind="stable").astype(np.uint32)
    state = problem.start()
    received = np.zeros(graph.n_pages)
    return problem.iterate(state, lambda: problem.sweep(problem.links, order, state, received))
