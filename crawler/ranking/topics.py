"""Topic PageRank: the ranks of many biasing sets, `LANES` of them in one pass over the arcs.

For a biasing set B of pages, with n pages in all and the links L(s) of page s::

    y(t) = (1 - alpha) v(t) + alpha sum over (s,t) of y(s) / |L(s)|,   v(t) = n / |B| on B, else 0

*Source: Kohlschütter 2011, section 3.1, equations 3.3 and 3.4, on the mean-1 scale that equation 3.15
needs; solved by the in-place iteration of section 3.2, host by host.* What becomes of the rank of
dangling pages is told in `crawler.ranking.problem`; under ``redistribute`` it goes to B, and the
rank is y scaled to mean 1. ``kept`` is the mean of y before that, which mixtures need
(`crawler.ranking.mixtures`).

How it is done. As one rank is by `crawler.ranking.host_blocks`, on the same layout: pages and arcs
within a host in the order of `crawler.ranking.host_layout`, and hosts swept in place. The votes
y(s) / |L(s)| of a block of topics are rows of one array, so an arc's index is read once for all of
them. Dangling pages give no votes and take part once, at the end. Hosts that no topic of the block
can reach are not visited. For each host, what comes from other hosts is added up once; then its own
arcs are swept, twice or until they change little, and before a sweep each topic's ranks are
multiplied so that its balance holds; after a pass, that of the graph. Sweeps are in single
precision. When they have come near to it, what is still missing is computed in double precision,
and they go on to solve for that. It may be below 0: to balance it, a multiple of the first solution
is added, and no more once changes grow. Blocks are independent, and threads take one each: the
result does not depend on their number.

When it ends: what is missing is the residual R of each topic. The error of y is at most R / (1 -
alpha) in L1, scaling at most doubles it, and `TopicRanks.error_bound` is that as a share of the
whole rank.

An empty biasing set has no rank (`TopicSets` refuses it).

Cost: O(n + m) a pass, some 1.8 sweeps over the arcs; passes as many as for a single rank, and two to
compute what is missing. Memory: 10 bytes an arc and 20 a page, and for each thread 400 bytes a page
(at 16 lanes), beside the ranks that are given.

Invariant: the rank of a topic does not depend on the other topics, but for the tolerance.
"""

from __future__ import annotations

import math
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from crawler.ranking.crew import Crew
from crawler.ranking.options import DEFAULTS
from crawler.ranking.topic_kernels import (
    MISSING,
    MOST_GROWTH,
    SIGNED,
    TOTAL,
    SweepRule,
    add_shape,
    find_missing,
    sweep_hosts,
)
from crawler.ranking.topic_lanes import lane_rows
from crawler.ranking.topic_links import TopicLinks
from crawler.ranking.topic_vectors import LANES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future

    import numpy.typing as npt

    from crawler.ranking.options import RankOptions
    from crawler.ranking.topic_kernels import Block, Work
    from crawler.ranking.topic_sets import TopicSets
    from crawler.webgraph.csr import HostGraph

# measured (bench_facets): of 1 to 3 sweeps at least, balanced once, twice or always, and shares of
# 0.05 to 0.3, the least time
FEWEST_SWEEPS, MOST_SWEEPS, BALANCED_SWEEPS = 2, 10, 2
ENOUGH = 0.1
# Adding the shape to all pages pays where it takes away such a share of the change.
WORTH_SCALING = 0.05
# Sweeps are in single precision: what is missing is computed anew when a sweep leaves so much of it,
# times 1 / (1 - alpha).
_SINGLE_PRECISION = 5e-7
# So many more sweeps than in double precision may be needed.
_ROUNDS = 40


@dataclass(frozen=True, slots=True, eq=False)
class TopicRanks:
    """The ranks of topics ``first`` to ``first + k``, and how they were reached.

    ``rank``: of the dtype asked for, ``[k, n]``, a row a topic, mean 1 (below under the policy ``drop``); ``kept``,
    ``residual`` and ``error_bound``: ``float64[k]``, on sum-1 scale but for ``kept``.
    ``n_reached``: pages that a topic of the block reaches. ``arc_passes``: arcs read, as a multiple
    of the graph's.
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


def topic_ranks(
    graph: HostGraph,
    topics: TopicSets,
    options: RankOptions = DEFAULTS,
    *,
    threads: int = 1,
    dtype: type[np.floating] = np.float64,
) -> Iterator[TopicRanks]:
    """Yield the ranks of *topics* over *graph*, `LANES` topics at a time, in their order.

    *threads*: 1 or more; as many blocks are in memory. *dtype*: of the ranks that are given. Raises :exc:`ValueError` when a page of a topic
    is not among those of the graph.
    """
    if threads < 1:
        raise ValueError(f"threads must be at least 1, got {threads}")
    if topics.n_topics and int(topics.pages.max(initial=0)) >= graph.n_pages:
        raise ValueError(f"a topic holds page {topics.pages.max()} of {graph.n_pages}")
    if topics.n_topics == 0:
        return
    with Crew(threads) as crew:
        links = TopicLinks(graph, options, crew)
    works: list[Work] = []
    rank = partial(_rank_block, links, works, topics, dtype)
    waiting: deque[Future[TopicRanks]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        for first in range(0, topics.n_topics, LANES):
            waiting.append(pool.submit(rank, first))
            if len(waiting) == threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _rank_block(
    links: TopicLinks, works: list[Work], topics: TopicSets, dtype: type[np.floating], first: int
) -> TopicRanks:
    """Return the ranks of the topics from *first* on that share a block."""
    options, n_pages = links.options, links.n_pages
    end = min(first + LANES, topics.n_topics)
    block, n_reached = links.block(topics, first, end - first)
    try:
        work = works.pop()
    except IndexError:
        work = links.work()
    solution = _Solution(links, block, work, end - first)
    iterations = solution.iterate()
    result, total = links.ranks(topics, (first, end), block, work.votes, dtype)
    works.append(work)
    total += solution.total
    residual = solution.residual
    bound = _error_bound(options, residual, total, n_pages)
    if options.dangling == "redistribute":
        result *= (n_pages / total)[:, None].astype(dtype)
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
    )


class _Solution:
    """The votes of a block of *n_topics*, how much is missing (``residual``), and the arcs read."""

    def __init__(self, links: TopicLinks, block: Block, work: Work, n_topics: int) -> None:
        self._links = links
        self._block = block
        self._n_topics = n_topics
        work.x[:] = 0
        work.votes[:] = 0
        self._work = work._replace(shape=work.x)
        self._spare = work.shape
        self._n_linking = max(1, int(links.layout.n_linking[block.hosts].sum()))
        self.residual = np.zeros(n_topics)
        self.total = np.zeros(n_topics)
        self.n_read = 0
        self._is_first = True
        self._is_balanced = True
        # of each lane: what the graph's linking pages are given, and what they keep of ``shape``
        self._base = np.bincount(block.lane, block.preference, LANES)
        self._kept = self._base

    def iterate(self) -> int:
        """Sweep until all topics are within the tolerance; return the passes."""
        options, n_pages = self._links.options, self._links.n_pages
        missing = (1 - options.alpha) * n_pages
        wanted = options.tolerance * missing / 2
        limit = options.limit + (_ROUNDS if options.max_iterations is None else 0)
        change = math.inf
        for iteration in range(1, limit + 1):
            last, change = change, self._sweep(change)
            ratio = change / last if 0 < last < math.inf else 1.0
            rounding = _SINGLE_PRECISION * missing / (1 - options.alpha)
            # balancing is not proved to converge from everywhere; what follows is
            if max(wanted, rounding) < change * ratio <= change and iteration < limit:
                continue
            self._is_balanced &= self._is_first or ratio <= 1
            self._add_up()
            bound = _error_bound(options, self.residual, self.total, n_pages).max()
            if bound <= options.tolerance:
                break
            missing = float(self.residual.max())
            wanted = min(wanted, change * ratio) / 2
            change = math.inf
        return iteration

    def _sweep(self, last: float) -> float:
        """Sweep over all hosts; return the largest L1 change of a topic. *last*: the one before."""
        layout, block, work = self._links.layout, self._block, self._work
        change, apart = np.zeros((2, LANES))
        enough = ENOUGH * last * self._n_topics / self._n_linking
        n_balanced = BALANCED_SWEEPS if self._is_balanced else 0
        rule = SweepRule(FEWEST_SWEEPS, MOST_SWEEPS, enough, self._is_first, n_balanced)
        self.n_read += sweep_hosts(layout, block, work, rule, change, apart)
        largest = float(change.max())
        if self._is_balanced:
            kept = self._base - apart if self._is_first else self._kept
            factors = lane_rows(1, np.float64)
            np.divide(apart, kept, out=factors[0], where=abs(apart) < MOST_GROWTH * kept)
            if abs(factors).max() * self._links.n_pages > WORTH_SCALING * largest:
                add_shape(layout, block, work, factors)
        return largest

    def _add_up(self) -> None:
        """Add x to the votes, and go on from 0 with what is missing."""
        work = self._work
        sums = np.zeros((3, LANES))
        find_missing(self._links.layout, self._block, work, self._is_first, sums)
        self.n_read += self._links.n_arcs
        if self._is_first:
            self._kept = self._base - sums[SIGNED]
            self._work = work._replace(x=self._spare)
        self._work.x[:] = 0
        self._is_first = False
        self.residual, self.total = sums[[MISSING, TOTAL], : self._n_topics]


def _error_bound(
    options: RankOptions,
    residual: npt.NDArray[np.float64],
    total: npt.NDArray[np.float64],
    n_pages: int,
) -> npt.NDArray[np.float64]:
    """Return the bound on the L1 error of each topic as a share of the whole rank.

    Ranks of dangling pages follow from the others, so the residual is that of all pages. *total*: the
    sum of y, of which something is known: it is (1 - alpha) n or more.
    """
    bound = residual / (1 - options.alpha)
    if options.dangling == "redistribute":
        return 2 * bound / np.maximum(total, (1 - options.alpha) * n_pages)
    return bound / n_pages
