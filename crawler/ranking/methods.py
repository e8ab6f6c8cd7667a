"""The methods of computing PageRank, by the name that the command takes.

All solve the same equation to the same bound (`crawler.ranking.problem`); they differ in the number
of iterations and in what could run apart. ``host-blocks`` is the fast one; the others are as
published, one sweep an iteration.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.ranking.host_blocks.iteration import Resources, host_block_pagerank
from crawler.ranking.jacobi import jacobi_pagerank
from crawler.ranking.options import DEFAULTS, METHODS
from crawler.ranking.partitioned import partitioned_pagerank, unified_pagerank

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.ranking.options import RankOptions
    from crawler.ranking.problem import RankResult
    from crawler.webgraph.csr import HostGraph


def pagerank(
    graph: HostGraph,
    options: RankOptions = DEFAULTS,
    *,
    method: str = METHODS[0],
    n_partitions: int = 1,
    preference: npt.ArrayLike | None = None,
) -> RankResult:
    """Return the PageRank of each page of *graph* by *method*.

    *n_partitions*: of ``partitioned``; of ``unified`` the order of pages comes from them; for
    ``host-blocks`` the threads that share the hosts. ``gauss-seidel`` is equation 3.7 of
    Kohlschütter 2011, one pass in ascending order of pages: what the partitioned method does with
    one partition. Raises :exc:`ValueError` for an unknown method.
    """
    if n_partitions < 1:
        raise ValueError(f"n_partitions must be at least 1, got {n_partitions}")
    if method == "host-blocks":
        resources = Resources(n_threads=n_partitions)
        return host_block_pagerank(graph, options, preference=preference, resources=resources)
    if method == "jacobi":
        return jacobi_pagerank(graph, options, preference=preference)
    if method == "gauss-seidel":
        return partitioned_pagerank(graph, options, preference=preference)
    if method == "partitioned":
        return partitioned_pagerank(
            graph, options, n_partitions=n_partitions, preference=preference
        )
    if method == "unified":
        return unified_pagerank(graph, options, n_partitions=n_partitions, preference=preference)
    raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method!r}")
