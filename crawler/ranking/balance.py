"""Measures how fast a machine ranks, for partitions in proportion to it.

*Source: Kohlschütter 2011, section 3.2.3: a small test graph is ranked on every server, and the
time taken as proportional to the pages of a partition.* Servers get hosts by
:func:`crawler.ranking.partitions.deal_by_speed`.
"""

from __future__ import annotations

import time
from functools import cache

from crawler.ranking.options import RankOptions
from crawler.ranking.partitioned import partitioned_pagerank
from crawler.webgraph.large_web import LargeWeb, WebShape

TEST_PAGES = 20_000
TEST_ITERATIONS = 20


@cache
def measured_speed(n_pages: int = TEST_PAGES) -> float:
    """Return the arcs a second of one thread here, on a graph like LargeWeb of *n_pages*.

    In the time of the process, the better of two runs, without what is compiled before.
    """
    graph = LargeWeb(WebShape.large(n_pages)).host_graph()
    options = RankOptions(tolerance=1e-14, max_iterations=TEST_ITERATIONS)
    seconds = []
    for _ in range(3):
        started = time.process_time()
        partitioned_pagerank(graph, options)
        seconds.append(time.process_time() - started)
    return graph.n_arcs * TEST_ITERATIONS / min(seconds[1:])
