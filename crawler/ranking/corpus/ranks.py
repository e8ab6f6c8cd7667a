"""Ranks the graph of a corpus folder and writes ``ranks/``: what ``scrapy pagerank`` does."""

from __future__ import annotations

import os
import time
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.durable.files import make_folder
from crawler.durable.layout import RANKS_FOLDER
from crawler.errors import FormatError, WinnowError
from crawler.ranking.checkpoints import ignored_line
from crawler.ranking.host_blocks.iteration import Resources, host_block_pagerank
from crawler.ranking.mapped_arrays import room
from crawler.ranking.methods import pagerank
from crawler.ranking.partitioned import partitioned_pagerank
from crawler.ranking.store import best_pages, computed_as, read_ranks, write_ranks
from crawler.ranking.strata import internal_lines
from crawler.webgraph.named_graph import open_graph
from crawler.wording import counted

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from crawler.ranking.options import RankJob, RankOptions
    from crawler.ranking.problem import RankResult
    from crawler.webgraph.csr import HostGraph

RANKS_FILE = "pagerank.parquet"
CHECKPOINT_FILE = "pagerank.checkpoint.npz"
N_BEST = 10
# The options that decide what is computed, which files of ranks tell.
_OF_SYSTEM = ("alpha", "dangling", "internal_share")
# Kohlschütter 2011, section 3.2.3: eight partitions
DEFAULT_PARTITIONS = 8


@dataclass(frozen=True, slots=True)
class RankReport:
    """The figures of one run; *seconds* without loading the graph and writing the ranks.

    *partitions*: threads, by the method host-blocks, which sends no votes. *warm_pages*: pages that
    started from an old rank. *resumed_at*: those of *iterations* that were in a checkpoint. *ignored*:
    checkpoints of another ranking, or damaged, that were there. *changes*: (iteration, L1 change a page),
    see `crawler.ranking.problem.Changes`.
    """

    pages: int
    arcs: int
    hosts: int
    engine: str
    method: str
    partitions: int
    iterations: int
    resumed_at: int
    ignored: int
    warm_pages: int
    residual: float
    error_bound: float
    votes: int
    remote_arcs: int
    seconds: float
    load_seconds: float
    scale: str
    file: str
    top: list[tuple[float, str]]
    lost_arcs: int = 0
    internal_share: float | None = None
    changes: tuple[tuple[int, float], ...] = ()

    def screen(self) -> str:
        """Return the report as lines for people."""
        started = (
            f"from the ranks of {counted(self.warm_pages, 'page')}" if self.warm_pages else "anew"
        )
        if self.resumed_at:
            started = f"from a checkpoint of {counted(self.resumed_at, 'iteration')}"
        # only partitions send votes; the ranks that threads read are in one memory
        is_divided = self.method == "partitioned"
        parts = "threads" if self.method == "host-blocks" else "partitions"
        votes = f"{self.votes:,} an iteration, for {counted(self.remote_arcs, 'arc')} between partitions"
        lines = [
            f"pages       {self.pages:,}",
            f"arcs        {self.arcs:,}",
            *(
                [f"lost arcs   {self.lost_arcs:,}, of pages of a shard that was given up"]
                * bool(self.lost_arcs)
            ),
            f"hosts       {self.hosts:,}",
            f"method      {self.method}, {parts} {self.partitions}, engine {self.engine}",
            f"iterations  {self.iterations}, {started}",
            *([ignored_line(self.ignored)] if self.ignored else []),
            *internal_lines(self.internal_share),
            *([f"votes       {votes}"] if is_divided else []),
            f"residual    {self.residual:.2e} (error at most {self.error_bound:.2e})",
            f"seconds     {self.seconds:.2f} (and {self.load_seconds:.2f} to load the graph)",
            f"written     {self.file} ({self.scale} 1)",
            "",
            f"{'rank':>12}  url",
            *(f"{rank:12.5g}  {url}" for rank, url in self.top),
        ]
        return "\n".join(lines)


class _Ranked(NamedTuple):
    """A graph that was ranked: how, from how many old ranks, in what time; and its best pages."""

    result: RankResult
    n_partitions: int
    n_warm: int
    load_seconds: float
    seconds: float
    top: list[tuple[float, str]]
    n_lost_arcs: int


def rank_corpus(
    folder: Path, options: RankOptions, job: RankJob, *, output: Path | None = None
) -> RankReport:
    """Rank the pages known to the corpus in *folder*, and write them to its ``ranks/``, or to the folder *output*.

    Raises :exc:`InputError` when there is no graph, and :exc:`WinnowError` when the iteration ended
    above the tolerance; then nothing is written.
    """
    started = time.perf_counter()
    path = (output or folder / RANKS_FOLDER) / RANKS_FILE
    with open_graph(folder) as stored:
        mapped = path.parent if job.is_mapped else None
        if mapped is not None:
            make_folder(mapped)
        graph = stored.host_graph(nofollow=job.with_nofollow, room=partial(room, folder=mapped))
        start, n_warm = old_ranks(path, graph, options) if job.is_warm else (None, 0)
        loaded = time.perf_counter()
        result, n_partitions = _ENGINES[job.engine](graph, options, job, path.parent, start)
        ranked = time.perf_counter()
        check_converged(result, options)
        factor = 1 / max(graph.n_pages, 1) if job.scale == "sum" else 1.0
        computed = {**asdict(options), **asdict(job)}
        write_ranks(path, graph, result.rank * factor, urls=stored.urls, computed=computed)
        best = best_pages(graph, result.rank, N_BEST, urls=stored.urls)
    top = [(rank * factor, url) for rank, url in best]
    times = (loaded - started, ranked - loaded)
    done = _Ranked(result, n_partitions, n_warm, *times, top, stored.n_lost_arcs)
    return replace(_report(graph, job, done, path), internal_share=options.internal_share)


def _report(graph: HostGraph, job: RankJob, done: _Ranked, path: Path) -> RankReport:
    """Return the figures of what was *done* to *graph*, written to *path*."""
    result = done.result
    return RankReport(
        pages=graph.n_pages,
        arcs=graph.n_arcs,
        hosts=graph.n_hosts,
        engine=job.engine,
        method=job.method,
        partitions=done.n_partitions,
        iterations=result.iterations,
        resumed_at=result.resumed_at,
        ignored=int(result.is_ignored),
        warm_pages=done.n_warm if job.method == "host-blocks" else 0,
        residual=result.residual,
        error_bound=result.error_bound,
        votes=result.n_votes,
        remote_arcs=result.n_remote_arcs,
        seconds=done.seconds,
        load_seconds=done.load_seconds,
        scale=job.scale,
        file=str(path),
        top=done.top,
        lost_arcs=done.n_lost_arcs,
        changes=result.changes,
    )


def rank_locally(
    graph: HostGraph,
    options: RankOptions,
    job: RankJob,
    folder: Path,
    start: npt.NDArray[np.float64] | None,
) -> tuple[RankResult, int]:
    """Return the ranks of *graph*, computed here, and the number of partitions.

    Checkpoints and mapped arrays are in *folder*; *start* are ranks to begin with, or None.
    """
    if job.method == "host-blocks":
        resources = Resources(
            n_threads=job.n_partitions or len(os.sched_getaffinity(0)),
            folder=folder if job.is_mapped else None,
            checkpoint=folder / CHECKPOINT_FILE,
            checkpoint_secs=job.checkpoint_secs,
        )
        result = host_block_pagerank(graph, options, start=start, resources=resources)
        return result, resources.n_threads
    if job.speeds is not None:
        n_partitions = len(job.speeds)
        result = partitioned_pagerank(graph, options, n_partitions=n_partitions, speeds=job.speeds)
        return result, n_partitions
    n_partitions = _of_whole_hosts(graph, job)
    result = pagerank(graph, options, method=job.method, n_partitions=n_partitions)
    return result, n_partitions if job.method == "partitioned" else 1


def rank_on_spark(
    graph: HostGraph,
    options: RankOptions,
    job: RankJob,
    _folder: Path,
    _start: npt.NDArray[np.float64] | None,
) -> tuple[RankResult, int]:
    """Return the ranks of *graph*, computed by Spark, and the number of partitions."""
    from crawler.ranking.cluster.spark import spark_pagerank

    n_partitions = _of_whole_hosts(graph, job)
    result = spark_pagerank(graph, options, n_partitions=n_partitions, master=job.master)
    return result, n_partitions


def _of_whole_hosts(graph: HostGraph, job: RankJob) -> int:
    """Return the number of partitions: as *job* asks, but at most one a host."""
    return min(job.n_partitions or DEFAULT_PARTITIONS, max(graph.n_hosts, 1))


# What ranks a graph, by the name of the engine: (result, number of partitions).
_ENGINES = {"local": rank_locally, "spark": rank_on_spark}


def old_ranks(
    path: Path, graph: HostGraph, options: RankOptions
) -> tuple[npt.NDArray[np.float64] | None, int]:
    """Return what to start from, given the ranks at *path*, and how many pages have one.

    A page without an old rank starts at that of a page nobody links to. Ranks of another alpha,
    policy or internal share are as none.
    """
    try:
        table = read_ranks(path)
    except FormatError:
        return None, 0
    computed = computed_as(table)
    if any(computed.get(name) != getattr(options, name) for name in _OF_SYSTEM):
        return None, 0
    old = table["rank"].to_numpy()
    hosts, locals_ = (table[name].to_numpy().astype(np.uint64) for name in ("host_id", "local_id"))
    ids = (hosts << np.uint64(32)) | locals_
    packed = graph.packed
    place = np.searchsorted(ids, packed)
    is_known = place < len(ids)
    is_known[is_known] = ids[place[is_known]] == packed[is_known]
    n_known = int(is_known.sum())
    if not n_known or not old.sum() > 0:
        return None, 0
    start = np.full(graph.n_pages, 1 - options.alpha)
    start[is_known] = old[place[is_known]] / old.mean()
    return start, n_known


def check_converged(result: RankResult, options: RankOptions) -> None:
    """Raise :exc:`WinnowError` when *result* is above the tolerance, or the change, of *options*."""
    if not result.converged:
        end = "--tolerance" if options.mean_change is None else "--mean-change"
        raise WinnowError(
            f"not converged after {counted(result.iterations, 'iteration')}: the error may be "
            f"{result.error_bound:.1e}; give a larger {end} or --max-iterations"
        )
