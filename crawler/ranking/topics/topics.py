"""Topic PageRank: the ranks of many biasing sets, `LANES` of them in one pass over the arcs.

For a biasing set B of pages, with n pages in all and the links L(s) of page s::

    y(t) = (1 - alpha) v(t) + alpha sum over (s,t) of y(s) / |L(s)|,   v(t) = n / |B| on B, else 0

or, where the pages of B have weights w(t) (`crawler.ranking.topics.sets`), v(t) = n w(t) / sum of w.

*Source: Kohlschütter 2011, section 3.1, equations 3.3 and 3.4, on the mean-1 scale that equation 3.15
needs; solved by the in-place iteration of section 3.2, host by host.* What becomes of the rank of
dangling pages is told in `crawler.ranking.problem`; under ``redistribute`` it goes to B, and the
rank is y scaled to mean 1. ``kept`` is the mean of y before that, which mixtures need
(`crawler.ranking.topics.mixtures`).

How it is done. As one rank is by `crawler.ranking.host_blocks.iteration`, on the same layout: pages and arcs within a
host in the order of `crawler.ranking.host_blocks.layout`, and hosts swept in place. The votes y(s) / |L(s)| of a block
of topics are rows of one array, so an arc's index is read once for all of them. Dangling pages give no votes and take
part once, at the end. Hosts that no chain of links between hosts joins to a topic of the block are not visited. For
each host, what comes from other hosts is added up once; then its own arcs are swept, twice or until they change little,
and before a sweep each topic's ranks are multiplied so that its balance holds; after a pass, that of the graph. Sweeps
are in single precision. When they have come near to it, what is still missing is computed in double precision, and they
go on to solve for that. It may be below 0: to balance it, a multiple of the first solution is added, and no more once
changes grow. Blocks are independent, and threads take one each: the result does not depend on their number.

When it ends: what is missing is the residual R of each topic. The error of y is at most |R| / (1 -
alpha) in L1. Of y scaled to sum 1, the system that gives dangling rank to B leaves (R - v sum R) /
sum y missing, at most (|R| + |sum R|) / sum y. `TopicRanks.error_bound` follows from that, as a share
of the whole rank.

An empty biasing set has no rank (`TopicSets` refuses it).

With `RankOptions.internal_share` (`crawler.ranking.strata`) the layout is that of `crawler.ranking.host_blocks.strata`:
votes to other hosts are a multiple of those within, by page. Below `LEAST_SHARE` topics are ranked one by one by
`crawler.ranking.host_blocks.iteration`: votes within a host would be too small for single precision. *Source:
Kohlschütter 2011, section 5.2.1: where a surfer jumps to is "solely determined" by the biasing set, whichever links she
follows.*

Cost: O(n + m) a pass, some 1.8 sweeps over the arcs; passes as many as for a single rank, and two to
compute what is missing. Memory: that of the layout, 4 bytes for each two hosts that are linked, and for
each thread 192 bytes a page (at 16 lanes; 128 more for a tolerance below some 1e-13) and 256 a host,
beside the ranks that are given. Topics one by one cost a ranking each; by a share of
internal links memory is 44 bytes a page more.

Invariant: the rank of a topic does not depend on the other topics, but for the tolerance.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.ranking.crew import Crew
from crawler.ranking.host_blocks.iteration import Resources, host_block_pagerank
from crawler.ranking.options import DEFAULTS
from crawler.ranking.topics.links import TopicLinks
from crawler.ranking.topics.solution import Solution
from crawler.ranking.topics.vectors import LANES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future

    import numpy.typing as npt

    from crawler.ranking.checkpoints import Checkpoint
    from crawler.ranking.options import RankOptions
    from crawler.ranking.problem import RankResult
    from crawler.ranking.topics.checkpoints import TopicCheckpoint
    from crawler.ranking.topics.kernels import Work
    from crawler.ranking.topics.sets import TopicSets
    from crawler.webgraph.csr import HostGraph

# Of float32 the smallest numbers are 2**-126; ranks are far above the rest.
LEAST_SHARE = 2.0**-40


@dataclass(frozen=True, slots=True, eq=False)
class TopicRanks:
    """The ranks of topics ``first`` to ``first + k``, and how they were reached.

    ``rank``: of the dtype asked for, ``[k, n]``, a row a topic, mean 1 (below under the policy
    ``drop``); ``kept``,
    ``residual`` and ``error_bound``: ``float64[k]``, on sum-1 scale but for ``kept``.
    ``n_reached``: pages of the hosts that were visited. ``arc_passes``: arcs read, as a multiple
    of the graph's. ``resumed_at``: those of the iterations that were in a checkpoint;
    ``is_ignored``: there was one, of another system or damaged.
    """

    first: int
    rank: npt.NDArray[np.floating]
    kept: npt.NDArray[np.float64]
    residual: npt.NDArray[np.float64]
    error_bound: npt.NDArray[np.float64]
    iterations: int
    converged: bool
    n_reached: int
    arc_passes: float
    resumed_at: int = 0
    is_ignored: bool = False


def topic_ranks(
    graph: HostGraph,
    topics: TopicSets,
    options: RankOptions = DEFAULTS,
    *,
    threads: int = 1,
    into: npt.NDArray[np.floating] | None = None,
    checkpoint: TopicCheckpoint | None = None,
) -> Iterator[TopicRanks]:
    """Yield the ranks of *topics* over *graph*, `LANES` topics at a time, in their order.

    *threads*: 1 or more; as many blocks are in memory. *into*: an array [k, n] of them all that they
    are written to, of its own dtype; else each block has a new one of float64. *checkpoint*: its
    topics that are done are passed by, the others are kept there. Raises :exc:`ValueError` when a page of a topic is
    not among those of the graph, or *into* has another shape.
    """
    if threads < 1:
        raise ValueError(f"threads must be at least 1, got {threads}")
    _check(topics, graph.n_pages, into)
    firsts = range(0 if checkpoint is None else checkpoint.n_done, topics.n_topics, LANES)

    def room(first: int) -> npt.NDArray[np.floating]:
        end = min(first + LANES, topics.n_topics)
        return np.empty((end - first, graph.n_pages)) if into is None else into[first:end]

    if options.internal_share is not None and options.internal_share < LEAST_SHARE:
        yield from (
            _rank_each(graph, topics, first, options, threads, room(first)) for first in firsts
        )
        return
    if not firsts:
        return
    with Crew(threads) as crew:
        links = TopicLinks(graph, options, crew)
    works: list[Work] = []

    def rank(first: int) -> TopicRanks:
        of_block = None if checkpoint is None else checkpoint.of_block(first)
        return _rank_block(links, works, _Part(topics, first, of_block), room(first))

    waiting: deque[Future[TopicRanks]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        for first in firsts:
            waiting.append(pool.submit(rank, first))
            if len(waiting) == threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _check(topics: TopicSets, n_pages: int, into: npt.NDArray[np.floating] | None) -> None:
    if topics.n_topics and int(topics.pages.max(initial=0)) >= n_pages:
        raise ValueError(f"a topic holds page {topics.pages.max()} of {n_pages}")
    if into is not None and into.shape != (topics.n_topics, n_pages):
        raise ValueError(f"into must be {topics.n_topics} x {n_pages}, got {into.shape}")


class _Part(NamedTuple):
    """The topics from *first* on, as many as share a block."""

    topics: TopicSets
    first: int
    checkpoint: Checkpoint | None


def _rank_block(
    links: TopicLinks, works: list[Work], part: _Part, result: npt.NDArray[np.floating]
) -> TopicRanks:
    """Return the ranks of the topics of *part*, in *result*."""
    options, n_pages = links.options, links.n_pages
    topics, first, checkpoint = part
    block, n_reached = links.block(topics, first, len(result))
    try:
        work = works.pop()
    except IndexError:
        work = links.work()
    solution = Solution(links, block, work, len(result), checkpoint)
    iterations = solution.iterate()
    total = links.write_ranks(topics, first, solution.found(), result)
    works.append(work)
    residual = solution.residual
    bound = solution.error_bound()
    return TopicRanks(
        first=first,
        rank=result,
        kept=total / n_pages,
        residual=residual / total,
        error_bound=bound,
        iterations=iterations,
        converged=bool(bound.max() <= options.tolerance),
        n_reached=n_reached,
        arc_passes=solution.n_read / links.n_arcs,
        resumed_at=solution.resumed_at,
        is_ignored=checkpoint is not None and checkpoint.is_ignored,
    )


def _rank_each(
    graph: HostGraph,
    topics: TopicSets,
    first: int,
    options: RankOptions,
    threads: int,
    into: npt.NDArray[np.floating],
) -> TopicRanks:
    """Return the ranks of the topics from *first* on, each by itself, in *into*."""
    found: list[RankResult] = []
    kept = np.ones(len(into))
    for row, ranks in enumerate(into):
        preference = np.zeros(graph.n_pages)
        preference[topics.pages_of(first + row)] = topics.weights_of(first + row)
        result = host_block_pagerank(
            graph, options, preference=preference, resources=Resources(n_threads=threads)
        )
        ranks[:] = result.rank
        kept[row] = _kept(graph, options, result.rank)
        found.append(replace(result, rank=preference[:0]))
    return TopicRanks(
        first=first,
        rank=into,
        kept=kept,
        residual=np.array([result.residual for result in found]),
        error_bound=np.array([result.error_bound for result in found]),
        iterations=max(result.iterations for result in found),
        converged=all(result.converged for result in found),
        n_reached=graph.n_pages,
        arc_passes=sum(result.n_gathers for result in found) / max(1, graph.n_arcs),
    )


def _kept(graph: HostGraph, options: RankOptions, rank: npt.NDArray[np.float64]) -> float:
    """Return the mean of y before it was scaled to *rank*.

    Under ``redistribute`` y is the preference and alpha times what linking pages have; else it is *rank*.
    """
    if options.dangling != "redistribute":
        return float(rank.mean())
    linking = float(rank[graph.out_degree > 0].sum()) / graph.n_pages
    return (1 - options.alpha) / (1 - options.alpha * linking)
