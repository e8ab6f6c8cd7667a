"""PageRank host by host: in place within a host until it is at rest, with votes from outside held.

Solves the system of `crawler.ranking.problem`. *Source: Kohlschütter 2011, section 3.2.2: intra-host
ranks by a fast Gauss-Seidel in RAM, hosts in parallel, equation 3.10.* Beside the method as
published (`crawler.ranking.partitioned`):

- A *pass* takes the hosts in some phases. For the hosts of a phase, votes from other hosts are
  added up first, at their newest; then each host is swept in place, twice or until it changes
  little, while its arcs are in the cache.
- Before each sweep, the ranks of the host are multiplied by what makes its own balance hold: the
  rank that it keeps (its rank less what its links within it bring) equals what it is given. That
  removes the error that sweeps remove slowest, for two additions and a product a page. Once a pass
  the same is done for the whole graph. *Source: the aggregation step of iterative aggregation and
  disaggregation, Koury, McAllister and Stewart 1984, with one aggregate at a time.*
- Where changes shrink slowly, passes are extrapolated (`crawler.ranking.host_blocks.extrapolation`).
- The order of pages and arcs is that of `crawler.ranking.host_blocks.layout`; votes go from host to host by
  `crawler.ranking.host_blocks.vote_exchange`.

Neither multiplying nor extrapolating is proved to converge from everywhere. The first is left off for
good when the change of a pass is not below that of the one before it, the second after it led
astray `MOST_ASTRAY` times; what remains is a block Gauss-Seidel of an M-matrix, which converges.

When it ends: once the change of a pass promises it, the residual R of all pages is computed from
the votes. The error of the ranks, as a share of their sum, is at most ``(|R|_1 + |sum R|) / ((1 -
alpha) sum)``: the second term is what scaling to mean 1 adds to the residual.

Phases are cut by the graph alone, and sums are made host by host: the ranks are the same, to the
bit, for any number of threads.

Cost of a pass: O(n + m), 1.5 to 2 sweeps over the arcs within hosts. Memory: of `HostLayout`, 8
bytes a page for votes, as many for the pages of a phase and for each arc between hosts; as many a page
in the end for the ranks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from crawler.ranking.checkpoints import Checkpoint, digest_of
from crawler.ranking.crew import Crew
from crawler.ranking.host_blocks.extrapolation import Extrapolation
from crawler.ranking.host_blocks.kernels import (
    SweepRule,
    Work,
    residual_of_hosts,
    sweep_hosts,
)
from crawler.ranking.host_blocks.layout import HostLayout
from crawler.ranking.host_blocks.phases import SMALL_ARCS
from crawler.ranking.host_blocks.vote_exchange import VotesBetween
from crawler.ranking.options import DEFAULTS, SMALLEST_TOLERANCE
from crawler.ranking.problem import Changes, RankResult, scaled_preference

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from crawler.ranking.host_blocks.row_kernels import Layout
    from crawler.ranking.options import RankOptions
    from crawler.webgraph.csr import HostGraph

# measured (bench_pagerank): of 1, 2 and 3 sweeps and shares of 0.3 to 0.02, the least time
FEWEST_SWEEPS, MOST_SWEEPS = 2, 10
ENOUGH = 0.1
# Changes that shrink no faster are extrapolated; one so much above the least, which shrinks too, is a step astray.
SLOW, ASTRAY, MOST_ASTRAY = 0.3, 4.0, 3
# At most so many times the residual that is expected is found.
MOST_DOUBT = 1e3
# Multiplying all ranks pays where it takes away such a share of the change.
WORTH_SCALING = 0.05


@dataclass(frozen=True, slots=True)
class Resources:
    """What a ranking is computed with.

    *n_threads*: 0 for all processors. *folder*: where arrays are mapped from, None to hold them in
    memory. *checkpoint*: the file that the state is kept in, at most every *checkpoint_secs*; None
    keeps none.
    """

    n_threads: int = 1
    folder: Path | None = None
    checkpoint: Path | None = None
    checkpoint_secs: float = 60.0


IN_MEMORY = Resources()


def host_block_pagerank(
    graph: HostGraph,
    options: RankOptions = DEFAULTS,
    *,
    preference: npt.ArrayLike | None = None,
    start: npt.ArrayLike | None = None,
    resources: Resources = IN_MEMORY,
) -> RankResult:
    """Return the PageRank of each page of *graph*, computed with *resources*.

    *preference*: the vector v, ``float64[n]`` of any positive sum; None weighs all pages alike.
    *start*: ranks to begin with, ``float64[n]`` of at least 0 and of any positive sum, None for the
    preference; a checkpoint of the same system goes first.
    """
    n = graph.n_pages
    v = None if preference is None else scaled_preference(preference, n)
    first = v if start is None else scaled_preference(start, n)
    if n == 0 or options.alpha < SMALLEST_TOLERANCE:
        rank = np.ones(n) if v is None else v
        error = 2 * options.alpha if n else 0.0
        return RankResult(rank, 0, residual=error, error_bound=error, converged=True)
    checkpoint = _checkpoint(resources, graph, options, v)
    with Crew(resources.n_threads if graph.n_arcs + n >= SMALL_ARCS else 1) as crew:
        layout = HostLayout(graph, options, v, crew=crew, folder=resources.folder)
        saved = None if checkpoint is None else checkpoint.load()
        vote = layout.votes(first) if saved is None else saved.vote.astype(np.float64, copy=False)
        passes = 0 if saved is None else saved.passes
        blocks = HostBlocks(layout, vote, checkpoint)
        if start is not None and saved is None:
            blocks.balance()
        result = blocks.run()
    if checkpoint is not None and result.converged:
        checkpoint.remove()
    return replace(
        result,
        iterations=passes + result.iterations,
        resumed_at=passes,
        changes=blocks.changes.kept(after=passes),
        is_ignored=checkpoint is not None and checkpoint.is_ignored,
    )


def _checkpoint(
    resources: Resources, graph: HostGraph, options: RankOptions, v: npt.NDArray[np.float64] | None
) -> Checkpoint | None:
    if resources.checkpoint is None:
        return None
    digest = digest_of(graph, options, v)
    return Checkpoint(resources.checkpoint, digest, every_secs=resources.checkpoint_secs)


class HostBlocks:
    """The iteration over *layout* from *vote*, which it changes, kept in *checkpoint* now and then."""

    def __init__(
        self,
        layout: HostLayout,
        vote: npt.NDArray[np.float64],
        checkpoint: Checkpoint | None = None,
    ):
        self.layout = layout
        self.vote = vote
        self.between = VotesBetween(layout)
        self.phases = self.between.phases
        self.passes = 0
        self.changes = Changes(layout.n_pages)
        self.n_gathers = 0
        self.is_scaled = True
        self._checkpoint = checkpoint
        self._extrapolation: Extrapolation | None = None
        self._n_astray = 0
        self._least = math.inf
        self._total = math.nan
        self._given = np.empty(max(phase.n_pages for phase in self.phases))
        self._found = np.empty((3, layout.n_hosts))
        arrays = layout.arrays
        self._n_linking = max(int(arrays.n_linking.sum()), 1)
        is_linking = arrays.per_vote[arrays.kind] > 0 if len(arrays.base) > 1 else None
        self._base = float(
            arrays.base[0] * self._n_linking
            if is_linking is None
            else arrays.base[is_linking].sum()
        )

    def run(self) -> RankResult:
        """Iterate until the error is within the tolerance, or as often as the options allow."""
        options = self.layout.options
        # a guess, until ranks have been summed
        total = float(self.layout.n_pages)
        change = math.inf
        doubt = 1.0
        while True:
            before = None if self._extrapolation is None else self.vote.copy()
            last, change = change, self.one_pass(ENOUGH * change / self._n_linking)
            self.changes.add(change)
            self.is_scaled &= change < last
            # the next change, which is about the residual of now
            expected = doubt * change * (min(1.0, change / last) if 0 < last < math.inf else 1.0)
            if self.passes >= options.limit:
                return self.result()
            if options.mean_change is not None:
                if change <= options.mean_change * self.layout.n_pages:
                    return replace(self.result(), converged=True)
            elif expected <= options.tolerance * (1 - options.alpha) * total:
                result = self.result()
                if result.converged:
                    return result
                total = self._total
                if expected > 0:
                    doubt = min(doubt * result.residual * total / expected, MOST_DOUBT)
            self._extrapolate(before, change, last)
            if self._checkpoint is not None:
                self._checkpoint.save_if_due(self.vote, self.passes)

    def _extrapolate(
        self, before: npt.NDArray[np.float64] | None, change: float, last: float
    ) -> None:
        """Go on from an extrapolated vote once changes shrink slowly, unless that leads astray or in a circle."""
        # A pass by itself shrinks it by alpha. Half as fast will do: measured, polblogs at an alpha of .95 takes 48
        # passes so, and 76 where each is to gain as much as one by itself.
        self._least = min(self._least * math.sqrt(self.layout.options.alpha), change)
        if self._extrapolation is None or before is None:
            if self._n_astray < MOST_ASTRAY and SLOW * last < change < last:
                self._extrapolation = Extrapolation()
        elif change > ASTRAY * self._least:
            self._n_astray += 1
            self._extrapolation = None
        else:
            self.vote[:] = self._extrapolation.next(before, self.vote)
            self.between.is_current = False

    def one_pass(self, enough: float) -> float:
        """Do one pass; return the L1 change of ranks up to the first sweep of each host.

        *enough*: a host is swept again while a page changes more on average.
        """
        rule = SweepRule(FEWEST_SWEEPS, MOST_SWEEPS, enough, self.is_scaled)
        crew = self.layout.crew
        self.between.send_all(self.vote)
        for number in range(len(self.phases)):
            calls = self._taken(number)
            n_arcs = crew.call(sweep_hosts, [(*call, rule, self._found) for call in calls])
            self.between.send(number, self.vote)
            self.n_gathers += sum(n_arcs)
        self.passes += 1
        self.n_gathers += len(self.between.sent)
        change, kept = self._found[:2].sum(axis=1).tolist()
        # the balance of the graph: kept counts the base of each page as given
        kept += self._base
        if self.is_scaled and kept > 0:
            factor = self._base / kept
            if abs(factor - 1) * self._n_linking > WORTH_SCALING * change:
                self.vote *= factor
                self.between.sent *= factor
        return float(change)

    def balance(self) -> None:
        """Scale the votes so that linking pages keep as much rank as they are given."""
        _, residual, _ = self._residual()
        if self._base - residual > 0:
            self.vote *= self._base / (self._base - residual)
            self.between.is_current = False

    def _residual(self) -> list[float]:
        """Return L1 norm and sum of the residual, and the sum of the ranks, of linking pages."""
        self.between.send_all(self.vote)
        for number in range(len(self.phases)):
            calls = self._taken(number)
            self.layout.crew.call(residual_of_hosts, [(*call, self._found) for call in calls])
        sums: list[float] = self._found.sum(axis=1).tolist()
        return sums

    def result(self) -> RankResult:
        """Return the ranks, with the residual computed anew."""
        layout, options = self.layout, self.layout.options
        norm, residual, total = self._residual()
        rank, dangling = layout.ranks(self.vote)
        total += dangling
        self._total = total
        if options.dangling == "redistribute":
            rank *= len(rank) / total
            residual = (norm + abs(residual)) / total
        else:
            residual = norm / len(rank)
        bound = residual / (1 - options.alpha)
        return RankResult(
            rank,
            self.passes,
            residual,
            bound,
            converged=bound <= options.tolerance,
            n_gathers=self.n_gathers,
        )

    def _taken(self, number: int) -> list[tuple[Layout, Work]]:
        """Add up what the hosts of phase *number* are given; return the arguments that follow."""
        phase = self.phases[number]
        calls = [
            (self.layout.arrays, Work(hosts, self.vote, self._given, phase.first_page))
            for hosts in phase.hosts
        ]
        self.between.take(number, calls)
        return calls
