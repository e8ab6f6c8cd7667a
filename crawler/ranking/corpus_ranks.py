"""Ranks the graph of a corpus folder and writes ``ranks/``: what ``scrapy pagerank`` does."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from crawler.errors import WinnowError
from crawler.ranking.methods import pagerank
from crawler.ranking.store import best_pages, write_ranks
from crawler.webgraph.csr import HostGraph
from crawler.webgraph.graph import Graph

if TYPE_CHECKING:
    from pathlib import Path

    from crawler.ranking.options import RankOptions
    from crawler.ranking.problem import RankResult

RANKS_FILE = "ranks/pagerank.parquet"
N_BEST = 10


@dataclass(frozen=True, slots=True)
class RankReport:
    """The figures of one run; *seconds* without loading the graph and writing the ranks."""

    pages: int
    arcs: int
    hosts: int
    method: str
    partitions: int
    iterations: int
    residual: float
    error_bound: float
    votes: int
    remote_arcs: int
    seconds: float
    load_seconds: float
    file: str
    top: list[tuple[float, str]]

    def screen(self) -> str:
        """Return the report as lines for people."""
        lines = [
            f"pages       {self.pages:,}",
            f"arcs        {self.arcs:,}",
            f"hosts       {self.hosts:,}",
            f"method      {self.method}, {self.partitions} partition(s)",
            f"iterations  {self.iterations}",
            f"votes       {self.votes:,} an iteration, for {self.remote_arcs:,} arcs between partitions",
            f"residual    {self.residual:.2e} (error at most {self.error_bound:.2e})",
            f"seconds     {self.seconds:.2f} (and {self.load_seconds:.2f} to load the graph)",
            f"written     {self.file}",
            "",
            f"{'rank':>12}  url",
            *(f"{rank:12.4f}  {url}" for rank, url in self.top),
        ]
        return "\n".join(lines)


def rank_corpus(
    folder: Path,
    options: RankOptions,
    *,
    method: str,
    n_partitions: int,
    with_nofollow: bool,
) -> RankReport:
    """Rank the pages known to the corpus in *folder*, and write them to its ``ranks/``.

    Raises :exc:`InputError` when there is no graph, and :exc:`WinnowError` when the iteration ended
    above the tolerance; then nothing is written.
    """
    started = time.perf_counter()
    with Graph.open(folder) as stored:
        sources, targets, _ = stored.arcs(nofollow=with_nofollow)
        graph = HostGraph.from_arcs(stored.pages(), sources, targets)
        del sources, targets
        loaded = time.perf_counter()
        result = pagerank(graph, options, method=method, n_partitions=n_partitions)
        ranked = time.perf_counter()
        check_converged(result)
        path = folder / RANKS_FILE
        computed = {**asdict(options), "method": method, "nofollow": with_nofollow}
        write_ranks(path, graph, result.rank, urls=stored.urls, computed=computed)
        top = best_pages(graph, result.rank, N_BEST, urls=stored.urls)
    return RankReport(
        pages=graph.n_pages,
        arcs=graph.n_arcs,
        hosts=graph.n_hosts,
        method=method,
        partitions=n_partitions if method == "partitioned" else 1,
        iterations=result.iterations,
        residual=result.residual,
        error_bound=result.error_bound,
        votes=result.n_votes,
        remote_arcs=result.n_remote_arcs,
        seconds=ranked - loaded,
        load_seconds=loaded - started,
        file=str(path),
        top=top,
    )


def check_converged(result: RankResult) -> None:
    """Raise :exc:`WinnowError` when *result* is above the tolerance that was asked for."""
    if not result.converged:
        raise WinnowError(
            f"not converged after {result.iterations} iterations: the error may be "
            f"{result.error_bound:.1e}; give a larger --tolerance or --max-iterations"
        )
