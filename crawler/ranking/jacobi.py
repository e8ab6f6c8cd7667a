"""PageRank by the Jacobi iteration: each rank from the ranks of the iteration before.

*Source: Kohlschütter 2011, section 3.1, equation 3.1.* The slow and simple method, kept as the
reference for the others. Cost of an iteration: O(n + m); 8 bytes a page more than `Problem`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.ranking.kernels import jacobi_sweep
from crawler.ranking.options import DEFAULTS
from crawler.ranking.strata import problem_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.ranking.options import RankOptions
    from crawler.ranking.problem import RankResult
    from crawler.webgraph.csr import HostGraph


def jacobi_pagerank(
    graph: HostGraph,
    options: RankOptions = DEFAULTS,
    *,
    preference: npt.ArrayLike | None = None,
) -> RankResult:
    """Return the PageRank of each page of *graph*; *preference* as for the other methods."""
    problem = problem_of(graph, options, preference)
    state = problem.start()
    new = np.empty_like(state.rank)

    def step() -> tuple[float, float]:
        change, total = jacobi_sweep(
            problem.links.indptr, problem.links.indices, problem.system, state, new
        )
        state.rank[:] = new
        problem.give(new, state.vote)
        return change, total

    return problem.iterate(state, step)
