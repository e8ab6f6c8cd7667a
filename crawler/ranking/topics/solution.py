"""The iteration of topic PageRank for a block of topics; `crawler.ranking.topics.topics` tells the method."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from crawler.ranking.topics.kernels import (
    MOST_GROWTH,
    SweepRule,
    Terms,
    add_shape,
    clear_unreached,
    sweep_hosts,
    weigh_hosts,
)
from crawler.ranking.topics.lanes import lane_rows
from crawler.ranking.topics.links import Found
from crawler.ranking.topics.missing import MISSING, SIGNED, TOTAL, find_missing
from crawler.ranking.topics.vectors import LANES

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.ranking.checkpoints import Checkpoint
    from crawler.ranking.topics.kernels import Block, Work
    from crawler.ranking.topics.links import TopicLinks

# measured (bench_pagerank): of 1 to 3 sweeps at least, balanced once, twice or always, and shares of
# 0.03 to 0.3, the least time
FEWEST_SWEEPS, MOST_SWEEPS, BALANCED_SWEEPS = 2, 10, 2
ENOUGH = 0.03
# A residual so much below what is wanted is expected to be enough.
CLOSER = 0.7
# Adding the shape to all pages pays where it takes away such a share of the change.
WORTH_SCALING = 0.05
# Sweeps are in single precision: what is missing is computed anew when a sweep leaves so much of it,
# times 1 / (1 - alpha).
_SINGLE_PRECISION = 5e-7
# twice the largest share of a number that its rounding to float32 takes: of sizes and of their sum
_ROUNDING = 2.0**-23
# So many more sweeps than in double precision may be needed.
_ROUNDS = 40


class Solution:
    """The votes of a block of *n_topics*, how much is missing (``residual``), and the arcs read.

    It goes on at *checkpoint*, after ``resumed_at`` passes, and is kept there now and then.
    """

    def __init__(
        self,
        links: TopicLinks,
        block: Block,
        work: Work,
        n_topics: int,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        self._links = links
        self._block = block
        self._n_topics = n_topics
        self._checkpoint = checkpoint
        saved = None if checkpoint is None else checkpoint.load()
        if saved is not None:
            work.x[:] = saved.vote
        self.resumed_at = 0 if saved is None else saved.passes
        clear_unreached(links.layout, block, work.x, work.shape)
        if saved is not None:
            weigh_hosts(links.layout, block, work)
        self._work = work._replace(shape=work.x, kept_shape=work.kept)
        self._spare, self._kept_shape = work.shape, work.kept_shape
        self._terms = Terms(work.x, work.x, are_two=False)
        self._n_linking = max(1, int(links.layout.n_linking[block.hosts].sum()))
        self.residual = np.zeros(n_topics)
        self.total = np.zeros(n_topics)
        self._missing = np.zeros(n_topics)
        self.n_read = 0
        self._round = 1
        self._is_balanced = True
        self._begins = saved is None
        # of each lane: what the graph's linking pages are given, and what they keep of ``shape``
        self._base = np.bincount(block.lane, block.preference, LANES)
        self._kept = self._base

    def found(self) -> Found:
        """Return the votes."""
        return Found(self._block, self._terms, self.total, self._missing)

    def error_bound(self) -> npt.NDArray[np.float64]:
        """Return the bound on the L1 error of each topic as a share of the whole rank.

        Ranks of dangling pages follow from the others, so the residual is that of all pages. Of the
        sum of y something is known: it is (1 - alpha) n or more.
        """
        options, n_pages = self._links.options, self._links.n_pages
        if options.dangling == "redistribute":
            total = np.maximum(self.total, (1 - options.alpha) * n_pages)
            return (self.residual + abs(self._missing)) / (1 - options.alpha) / total
        bound: npt.NDArray[np.float64] = self.residual / (1 - options.alpha) / n_pages
        return bound

    def iterate(self) -> int:
        """Sweep until all topics are within the tolerance; return the passes, those kept included."""
        options, n_pages = self._links.options, self._links.n_pages
        missing = (1 - options.alpha) * n_pages
        wanted = CLOSER * options.tolerance * missing
        limit = options.limit + (_ROUNDS if options.max_iterations is None else 0)
        change = math.inf
        for iteration in range(1, limit + 1):
            last, change = change, self._sweep(change)
            if self._checkpoint is not None and self._round == 1:
                self._checkpoint.save_if_due(self._work.x, self.resumed_at + iteration)
            ratio = change / last if 0 < last < math.inf else 1.0
            rounding = _SINGLE_PRECISION * missing / (1 - options.alpha)
            # balancing is not proved to converge from everywhere; what follows is. A change that is the same again is
            # that of a few numbers between two roundings, for ever
            if max(wanted, rounding) < change * ratio and change < last and iteration < limit:
                continue
            self._is_balanced &= self._round == 1 or ratio <= 1
            self._find_missing()
            bound = self.error_bound().max()
            if bound <= options.tolerance:
                break
            missing = float(self.residual.max())
            if change * ratio <= wanted:
                wanted = min(wanted * options.tolerance / bound, change * ratio) / 2
            change = math.inf
            if iteration < limit:
                self._go_on()
        return self.resumed_at + iteration

    def _sweep(self, last: float) -> float:
        """Sweep over all hosts; return the largest L1 change of a topic. *last*: the one before."""
        layout, block, work = self._links.layout, self._block, self._work
        change, apart = np.zeros((2, LANES))
        enough = ENOUGH * last * self._n_topics / self._n_linking
        n_balanced = BALANCED_SWEEPS if self._is_balanced else 0
        rule = SweepRule(
            FEWEST_SWEEPS, MOST_SWEEPS, enough, self._round == 1, n_balanced, self._begins
        )
        self._begins = False
        self.n_read += sweep_hosts(layout, block, work, rule, change, apart)
        largest = float(change.max())
        if self._is_balanced:
            kept = self._base - apart if self._round == 1 else self._kept
            factors = lane_rows(1, np.float64)
            np.divide(apart, kept, out=factors[0], where=abs(apart) < MOST_GROWTH * kept)
            if abs(factors).max() * self._links.n_pages > WORTH_SCALING * largest:
                add_shape(layout, block, work, factors)
        return largest

    def _find_missing(self) -> None:
        """Compute anew what is missing."""
        sums = np.zeros((3, LANES))
        votes, x = self._terms.first, self._work.x
        if self._round == 2:
            votes = x
        elif self._round > 2:
            votes += x
        goes_on = self._round == 2
        find_missing(self._links.layout, self._block, self._work, votes, goes_on, sums)
        self.n_read += self._links.n_arcs
        if self._round == 1:
            self._kept = self._base - sums[SIGNED]
        missing, self._missing, total = sums[[MISSING, SIGNED, TOTAL], : self._n_topics]
        # what was missing before has been rounded
        self.residual = missing + (_ROUNDING * self.residual if goes_on else 0)
        self.total = total + (self.total if goes_on else 0)

    def _go_on(self) -> None:
        """Go on from 0 with what is missing."""
        x = self._work.x
        if self._round == 1:
            self._work = self._work._replace(x=self._spare, kept_shape=self._kept_shape)
            self._terms = Terms(x, self._spare, are_two=True)
        elif self._round == 2:
            self._terms = Terms(self._terms.first + x.astype(np.float64), x, are_two=False)
        self._begins = True
        self._round += 1
