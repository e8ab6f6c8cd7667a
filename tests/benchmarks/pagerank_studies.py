"""What of PageRank is counted, not timed against others: votes, iterations, starts, topics.

Measured, November 2026: computing time grows with the links to the power of 1.09 (10^6 to 3·10^7), the arcs read to the
power of 1.00. 100 topics cost 13.1 times one ranking of a million pages. With 10^7 links the peak of memory is .13 of
igraph's. A graph like LargeWeb, ranked to a mean change of 1e-3 beside other work, took 8.7 s after 11 s of layout, and
8.8 GB with its making; the thesis took 66 s on four machines. Spark (`bench_spark`) ranks 10^7 links to 1e-8 in 84 s,
10^6 in 34 s.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.ranking.host_blocks.iteration import host_block_pagerank
from crawler.ranking.methods import pagerank
from crawler.ranking.options import RankOptions
from crawler.ranking.partitions import count_links, deal_hosts
from crawler.ranking.topics.sets import TopicSets
from crawler.ranking.topics.topics import topic_ranks
from crawler.webgraph.csr import HostGraph
from crawler.webgraph.large_web import LargeWeb, WebShape
from tests.benchmarks.report import figure
from tests.ranking_graphs import real_graph

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BENCH = "pagerank"
ALPHA = 0.85
RESIDUAL = 1e-8
# the bound on the error that such a residual gives
OPTIONS = RankOptions(ALPHA, RESIDUAL / (1 - ALPHA))
# Kohlschütter 2011, table 3.1 and section 3.2.3
PUBLISHED_VOTES, PUBLISHED_ITERATIONS = 3_618_335 / 32_716_628, 17


def timed(work: Callable[[], Any], clock: Callable[[], float]) -> tuple[float, Any]:
    started = clock()
    result = work()
    return clock() - started, result


def bench_published(n_pages: int) -> None:
    """Count iterations and votes of the published method on 8 partitions."""
    data = f"like LargeWeb, {n_pages:,} pages, 8 partitions"
    graph = LargeWeb(WebShape.large(n_pages)).host_graph()
    ended = RankOptions(mean_change=1e-3)
    for method in ("partitioned", "gauss-seidel", "jacobi", "host-blocks"):
        result = pagerank(graph, ended, method=method, n_partitions=8)
        goal = PUBLISHED_ITERATIONS if method == "partitioned" else None
        name = f"iterations_{method.replace('-', '_')}"
        figure(
            BENCH, name, [result.iterations], unit="to a mean change of 1e-3", data=data, goal=goal
        )
    curve = []
    skews = np.round(np.arange(0.8, 1.61, 0.1), 1)
    for skew in skews.tolist():
        web = LargeWeb(WebShape.large(n_pages, skew=skew)).host_graph()
        counts = count_links(web, deal_hosts(np.diff(web.host_ptr), 8), 8)
        curve.append(counts.votes / counts.inter_partition)
        print(f"skew {skew}: {counts}, votes a link {curve[-1]:.4f}", file=sys.stderr)
    skew = float(np.interp(-PUBLISHED_VOTES, -np.array(curve), skews))
    figure(BENCH, "skew_of_published_votes", [skew], unit="Zipf exponent", data=data)


def bench_real_votes(folder: Path) -> None:
    """Count the votes of the shared graphs; of a graph of hosts, each is one by itself."""
    for path in sorted(folder.iterdir()):
        graph = real_graph(path)
        counts = count_links(graph, deal_hosts(np.diff(graph.host_ptr), 8), 8)
        if counts.inter_partition:
            share = counts.votes / counts.inter_partition
            data = f"{path.name}, 8 partitions, {counts.inter_partition:,} links between them"
            figure(BENCH, "votes_a_link", [share], unit="ratio", data=data, goal=None)


def bench_warm(n_pages: int) -> None:
    """Count the passes saved by old ranks, where one page in a thousand was without links then."""
    graph = LargeWeb(WebShape.large(n_pages)).host_graph()
    sources, targets = graph.arcs()
    kept, ids = sources % 1000 != 0, graph.packed
    old = HostGraph.from_arcs(ids, ids[sources[kept]], ids[targets[kept]])
    cold = host_block_pagerank(graph, OPTIONS)
    warm = host_block_pagerank(graph, OPTIONS, start=host_block_pagerank(old, OPTIONS).rank)
    data = f"like LargeWeb, {n_pages:,} pages, links of 0.1 % of them new"
    saved = cold.iterations - warm.iterations
    figure(BENCH, "warm_passes_saved", [saved], unit=f"passes of {cold.iterations}", data=data)


def bench_topics(n_pages: int, n_topics: int = 100) -> None:
    """Time 100 topics together beside one of them: by the fast method, and by that of topics.

    As ``scrapy pagerank --topics`` does, ranks are float32 and written to an array made before.
    """
    graph = LargeWeb(WebShape.large(n_pages, dangling=0.1)).host_graph()
    rng = np.random.default_rng(1)
    sets = {f"t{i:03}": rng.choice(n_pages, 200, replace=False) for i in range(n_topics)}
    topics = TopicSets.from_sets(sets)
    preference = np.zeros(n_pages)
    preference[topics.pages_of(0)] = 1
    first = TopicSets.from_sets({"t000": sets["t000"]})
    # touched: a machine may take long to find so much memory
    into = np.full((n_topics, n_pages), np.nan, dtype=np.float32)
    ratios: dict[str, list[float]] = {"": [], "_to_one_topic": []}
    for round_ in range(6):
        one, alone = timed(
            lambda: host_block_pagerank(graph, OPTIONS, preference=preference), time.process_time
        )
        all_, blocks = timed(
            lambda: list(topic_ranks(graph, topics, OPTIONS, into=into)), time.process_time
        )
        assert all(block.converged for block in blocks)
        apart = np.abs(into[0] - alone.rank).sum() / n_pages
        assert apart <= 2 * OPTIONS.tolerance + np.finfo(np.float32).eps
        single, _ = timed(
            lambda: list(topic_ranks(graph, first, OPTIONS, into=into[:1])), time.process_time
        )
        if round_:
            ratios[""].append(all_ / one)
            ratios["_to_one_topic"].append(all_ / single)
    data = f"{n_topics} topics of 200 pages, like LargeWeb, {n_pages:,} pages"
    for name, values in ratios.items():
        goal = None if name else 15
        figure(BENCH, f"topics_cost_ratio{name}", values, unit="ratio", data=data, goal=goal)
