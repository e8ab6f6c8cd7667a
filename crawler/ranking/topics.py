"""Topic PageRank: the ranks of many biasing sets, `LANES` of them in one pass over the arcs.

For a biasing set B of pages, with n pages in all and the links L(s) of page s::

    y(t) = (1 - alpha) v(t) + alpha sum over (s,t) of y(s) / |L(s)|,   v(t) = n / |B| on B, else 0

*Source: Kohlschütter 2011, section 3.1, equations 3.3 and 3.4, on the mean-1 scale that equation 3.15
needs; solved by the in-place iteration of section 3.2, host by host.* What becomes of the rank of
dangling pages is told in `crawler.ranking.problem`; under ``redistribute`` it goes to B, and the
rank is y scaled to mean 1. ``kept`` is the mean of y before that, which mixtures need
(`crawler.ranking.mixtures`).

How it is done. The votes y(s) / |L(s)| of a block of topics are rows of one array, so an arc's index is
read once for all of them. Dangling pages give no votes and take part once, at the end. Pages that
no topic of the block can reach are not visited: their rank is 0. For each host, what comes from
other hosts is added up once; then its own arcs are swept in place, a few times or until they change
little, and before each sweep its ranks are multiplied so that its balance holds, as in
`crawler.ranking.host_blocks`. Sweeps are in single precision. When they have come near to it, their
result is taken in double precision, what is still missing is computed, and they go on to solve for
that (without multiplying: it may be below 0), so the ranks are as close as with double precision
throughout. Blocks are independent, and threads take one each: the result does not depend on their
number.

When it ends: what is missing is the residual R of each topic. The error of y is at most R / (1 -
alpha) in L1, scaling at most doubles it, and `TopicRanks.error_bound` is that as a share of the
whole rank.

An empty biasing set has no rank (`TopicSets` refuses it).

Cost: O(n + m) a pass, for `LANES` topics 5 to 9 times that of a single rank. Memory: 8 bytes
an arc, 60 bytes a page, and for each thread 512 bytes a linking page and 256 a page (at 32 lanes):
0.8 GB a million pages.

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

from crawler.ranking.options import DEFAULTS
from crawler.ranking.topic_kernels import TILE, sweep_hosts, what_is_missing, write_ranks
from crawler.ranking.topic_lanes import LANES, lane_rows
from crawler.ranking.topic_links import TopicLinks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future

    import numpy.typing as npt

    from crawler.ranking.options import RankOptions
    from crawler.ranking.topic_kernels import Block
    from crawler.ranking.topic_sets import TopicSets
    from crawler.webgraph.csr import HostGraph

# The sum of the changes is about so many times the residual: the true one is worth a look.
_LOOK_AT = 8.0
# Sweeps are in single precision: what is missing is computed anew when a sweep changes so much of it,
# times 1 / (1 - alpha).
_SINGLE_PRECISION = 2e-6
# So many more sweeps than in double precision may be needed.
_ROUNDS = 20


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
    links = TopicLinks(graph, options)
    rank = partial(_rank_block, links, topics, dtype)
    waiting: deque[Future[TopicRanks]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        for first in range(0, topics.n_topics, LANES):
            waiting.append(pool.submit(rank, first))
            if len(waiting) == threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _rank_block(
    links: TopicLinks, topics: TopicSets, dtype: type[np.floating], first: int
) -> TopicRanks:
    """Return the ranks of the topics from *first* on that share a block."""
    options, n_pages = links.options, links.graph.n_pages
    n_topics = min(LANES, topics.n_topics - first)
    block = links.block(topics, first, n_topics)
    solution = _Solution(links, block)
    iterations = solution.iterate(n_topics)
    result = np.zeros((n_topics, n_pages), dtype=dtype)
    rows = lane_rows(TILE, np.float64)
    write_ranks(links.arrays, block, solution.votes, options.alpha, rows, result)
    total = result.sum(axis=1, dtype=np.float64)
    residual = solution.residual[:n_topics]
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
        n_reached=int(block.reached.sum()),
        arc_passes=solution.n_read / max(1, links.n_arcs),
    )


class _Solution:
    """The votes of a block, how much is missing (``residual``), and the arcs read for them."""

    def __init__(self, links: TopicLinks, block: Block) -> None:
        self._links = links
        self._block = block
        self._work = links.work(block)
        self.votes = lane_rows(len(self._work.x), np.float64)
        self.residual = np.zeros(LANES)
        self.n_read = 0
        self._is_first = True

    def iterate(self, n_topics: int) -> int:
        """Sweep until the first *n_topics* are within the tolerance; return the sweeps."""
        options, n_pages = self._links.options, self._links.graph.n_pages
        look_at = _LOOK_AT * options.tolerance * n_pages
        precision = _SINGLE_PRECISION / (1 - options.alpha)
        missing = float(n_pages)
        before = math.inf
        limit = options.limit + (_ROUNDS if options.max_iterations is None else 0)
        for iteration in range(1, limit + 1):
            largest = self._sweep()
            # balancing is not proved to converge from everywhere; what follows is
            goes_well = max(look_at, precision * missing) < largest < before
            before = largest
            if goes_well and iteration < limit:
                continue
            before = math.inf
            total = self._add_up()
            residual = self.residual[:n_topics]
            if (
                _error_bound(options, residual, total[:n_topics], n_pages).max()
                <= options.tolerance
            ):
                break
            missing = float(residual.max())
            look_at = min(look_at, largest) / 2
        return iteration

    def _sweep(self) -> float:
        """Sweep over all hosts; return the largest L1 change of a topic."""
        arrays, alpha = self._links.arrays, self._links.options.alpha
        change = np.zeros(LANES)
        self.n_read += sweep_hosts(arrays, self._block, self._work, alpha, change, self._is_first)
        return float(change.max())

    def _add_up(self) -> npt.NDArray[np.float64]:
        """Add x to the votes, and go on from 0 with what is missing; return the sums of y."""
        arrays, alpha = self._links.arrays, self._links.options.alpha
        np.add(self.votes, self._work.x, out=self.votes)
        self._work.x[:] = 0
        self._is_first = False
        sums = lane_rows(3, np.float64)
        what_is_missing(arrays, self._block, self.votes, alpha, self._work.base, sums)
        self.n_read += self._links.n_arcs
        self.residual = sums[0]
        total: npt.NDArray[np.float64] = sums[1]
        return total


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
