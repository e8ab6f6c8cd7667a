"""The linear system behind PageRank, its policies for dangling pages, and when it is solved.

For pages t, with the links L(s) of page s and the preference v (sum n, else 1 a page)::

    y(t) = (1 - alpha) v(t) + alpha sum over (s,t) of y(s) / |L(s)|

*Source: Kohlschütter 2011, section 3.1, equations 3.1, 3.3 and 3.4, with tau = 1 a page (mean-1
scale, which equation 3.15 needs).* Repeated links count once, self links are kept.

What becomes of the rank of a dangling page:

``redistribute``
    it is spread by v, as networkx does with ``personalization`` = ``dangling`` = v. Its ranks are y
    scaled to mean 1: the term for dangling pages adds a multiple of v to the right-hand side, which
    multiplies the solution, and scaling undoes that. So no method handles it, and each is exact.
``drop``
    it is lost, as equation 3.1 is printed: y itself, of mean 1 or less.
``self``
    a dangling page is taken to link to itself: mean 1.

When an iteration may stop. Let D be the L1 change of one iteration. What a page's change gives to
the pages that were updated before it is missing there, so the residual is at most ``alpha D`` in
L1, and the error of y at most ``alpha D / (1 - alpha)``. Scaling to mean 1 at most doubles it.
`Problem.error_bound` is that number as a share of the whole rank, and all methods iterate until it
is at most the tolerance: two of their results differ by at most twice that, and by rounding.
Each iteration shrinks the residual by alpha or more (rank is fluid: every drop of it is passed on
at least once, and what is passed on shrinks by alpha), so `RankOptions.limit` is reached only where
rounding is larger than the tolerance.

Where links are not given alike (`RankOptions.internal_share`), `crawler.ranking.strata` tells the system.

Shapes: all vectors ``float64[n]``. Memory: 48 bytes a page, beside the graph.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from crawler.ranking.kernels import (
    LocalLinks,
    State,
    System,
    in_place_sweep,
    jacobi_sweep,
    own_shares,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from crawler.ranking.options import RankOptions
    from crawler.ranking.partitions import Partitions
    from crawler.webgraph.csr import HostGraph


# Enough for a curve of any length.
MOST_CHANGES = 200


@dataclass(frozen=True, slots=True, eq=False)
class RankResult:
    """Ranks and how they were reached.

    ``rank: float64[n]`` on the mean-1 scale (under the policy ``drop`` the mean is below 1).
    ``residual``: the L1 norm of one more application of the policy's own equation, on sum-1 scale,
    recomputed from the result (of ``host-blocks`` a bound on it, computed from the residual of y).
    ``error_bound``: the bound on the error in the end. ``converged``: whether the iteration ended
    as the options say. ``n_votes``: aggregated votes that were exchanged after each iteration, in
    place of ``n_remote_arcs`` arcs between partitions (0 for the other methods). ``n_gathers``:
    arcs followed in all iterations, where the method counts them. ``resumed_at``: those of the
    iterations that were in a checkpoint. ``is_ignored``: there was one, of another system or damaged.
    ``changes``: (iteration, L1 change a page), as `Changes` keeps them.
    """

    rank: npt.NDArray[np.float64]
    iterations: int
    residual: float
    error_bound: float
    converged: bool
    n_votes: int = 0
    n_remote_arcs: int = 0
    n_gathers: int = 0
    resumed_at: int = 0
    is_ignored: bool = False
    changes: tuple[tuple[int, float], ...] = ()


class Changes:
    """The change of each iteration, in L1 a page on mean-1 scale, as ``mean_change`` of the options takes it.

    *Source: Kohlschütter 2011, figure 3.6.* Of more than `MOST_CHANGES` iterations those that are multiples
    of a power of two, and the last.
    """

    def __init__(self, n_pages: int) -> None:
        self._n_pages = n_pages
        self._every = 1
        self._kept: list[tuple[int, float]] = []
        self._last = (0, math.nan)

    def add(self, change: float) -> None:
        """Add the L1 *change* of the next iteration."""
        iteration = self._last[0] + 1
        self._last = (iteration, change / self._n_pages)
        if iteration % self._every:
            return
        self._kept.append(self._last)
        if len(self._kept) == MOST_CHANGES:
            self._kept = self._kept[1::2]
            self._every *= 2

    def kept(self, *, after: int = 0) -> tuple[tuple[int, float], ...]:
        """Return (iteration, change), numbered on from *after* iterations."""
        is_kept = not self._last[0] or self._last[0] % self._every == 0
        kept = self._kept if is_kept else [*self._kept, self._last]
        return tuple((after + iteration, change) for iteration, change in kept)


class Problem:
    """One graph with its options and preference: the system, the start, the end.

    ``links``: the graph's arcs, as the kernels take them.
    """

    def __init__(
        self,
        graph: HostGraph,
        options: RankOptions,
        preference: npt.ArrayLike | None,
    ):
        self.graph = graph
        if options.dangling == "self":
            self.graph = graph.with_self_links_where_dangling()
        self.options = options
        self.preference = scaled_preference(preference, graph.n_pages)
        self.links = LocalLinks(self.graph.host_ptr, self.graph.indptr, self.graph.indices)
        degree = self.graph.out_degree.astype(np.float64)
        share = np.divide(1.0, degree, out=np.zeros_like(degree), where=degree > 0)
        own = own_shares(self.graph.indptr, self.graph.indices, share)
        self.system = System((1 - options.alpha) * self.preference, share, own, options.alpha)

    def start(self) -> State:
        """Return the state before the first iteration: rank = preference."""
        return self._given(self.preference.copy())

    def give(self, rank: npt.NDArray[np.float64], vote: npt.NDArray[np.float64]) -> None:
        """Write to *vote* what pages of *rank* give to each of their links."""
        np.multiply(rank, self.system.share, out=vote)

    def numbered(self, partitions: Partitions) -> Partitions:
        """Return *partitions* with the sources of arcs as numbers of votes."""
        return partitions

    def sweep(
        self,
        links: LocalLinks,
        hosts: npt.NDArray[np.uint32],
        state: State,
        received: npt.NDArray[np.float64],
    ) -> tuple[float, float]:
        """Update *state* in place over *hosts*; return the L1 change and the sum of their ranks."""
        return in_place_sweep(links, hosts, self.system, state, received)

    def error_bound(self, change: float, total: float) -> float:
        """Return the bound on the error after an iteration of L1 *change* to a sum of *total*."""
        alpha = self.options.alpha
        bound = alpha / (1 - alpha) * change
        if self.options.dangling == "redistribute":
            return 2 * bound / total
        return bound / self.graph.n_pages

    def iterate(self, state: State, step: Callable[[], tuple[float, float]]) -> RankResult:
        """Call *step*, which updates *state* and returns (change, total), until the bound holds."""
        if self.graph.n_pages == 0:
            return RankResult(state.rank, 0, residual=0.0, error_bound=0.0, converged=True)
        bound = math.inf
        changes = Changes(self.graph.n_pages)
        iterations = 0
        is_done = False
        while not is_done and iterations < self.options.limit:
            change, total = step()
            bound = self.error_bound(change, total)
            is_done = self.is_enough(change, bound)
            changes.add(change)
            iterations += 1
        rank = state.rank
        if self.options.dangling == "redistribute":
            rank = rank * (len(rank) / rank.sum())
        residual = self.residual(rank)
        return RankResult(rank, iterations, residual, bound, is_done, changes=changes.kept())

    def is_enough(self, change: float, bound: float) -> bool:
        """Tell whether an iteration of L1 *change* and error *bound* was the last."""
        if self.options.mean_change is not None:
            return change <= self.options.mean_change * self.graph.n_pages
        return bound <= self.options.tolerance

    def residual(self, rank: npt.NDArray[np.float64]) -> float:
        """Return the L1 norm of F(rank) - rank on sum-1 scale, F being the policy's equation."""
        base = self.system.base
        if self.options.dangling == "redistribute":
            lost = rank[self.graph.out_degree == 0].sum() / len(rank)
            base = base + self.options.alpha * lost * self.preference
        system = self.system._replace(base=base)
        state = self._given(rank)
        change, _ = jacobi_sweep(
            self.links.indptr, self.links.indices, system, state, np.empty_like(rank)
        )
        return change / len(rank)

    def _given(self, rank: npt.NDArray[np.float64]) -> State:
        """Return the state of *rank*, and of what follows from it."""
        state = State(rank, self._room())
        self.give(rank, state.vote)
        return state

    def _room(self) -> npt.NDArray[np.float64]:
        """Return an array for votes."""
        return np.empty(self.graph.n_pages)


def scaled_preference(preference: npt.ArrayLike | None, n_pages: int) -> npt.NDArray[np.float64]:
    """Return *preference* scaled to the sum *n_pages*, or ones for None.

    Raises :exc:`ValueError` when it has another length, a negative or infinite number, or no page.
    """
    if preference is None:
        return np.ones(n_pages)
    vector = np.array(preference, dtype=np.float64)
    if vector.shape != (n_pages,):
        raise ValueError(f"preference must have shape ({n_pages},), got {vector.shape}")
    if not np.isfinite(vector).all() or (vector < 0).any():
        raise ValueError("preference must hold finite numbers of at least 0")
    total = vector.sum()
    if n_pages and not total > 0:
        raise ValueError("preference must be above 0 for a page, got zeros only")
    scaled: npt.NDArray[np.float64] = vector * (n_pages / total)
    return scaled
