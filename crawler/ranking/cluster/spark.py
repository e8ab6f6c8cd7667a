"""Partitioned PageRank on a Spark cluster: partitions are rows, votes are the only shuffle.

The method is that of `crawler.ranking.cluster.vote_tables`. The driver holds the graph, as the local engine does,
cuts it, and sends each partition once; they stay with the executors. An iteration is one job: the
votes go to the partitions that they are for, one array for each pair of partitions, and each
partition advances where it is. The driver sees three numbers a partition and iteration, and the ranks
at the end, a partition at a time.

What an executor that is lost had is computed anew from the last cut of the lineage. It is cut each
`CUT_EVERY` iterations: by the context's checkpoint folder (Spark's ``spark.checkpoint.dir``), which outlives
executors; without one in their own storage, and a lost executor ends the run.

Memory: of the driver that of the local engine with as many partitions, and `BATCH_BYTES` several times;
of an executor its rows, and several times the one that it works on. The code goes to the executors
by itself, see :func:`spark_context`; Python and what it requires of others must be there.
"""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import crawler
from crawler.errors import InputError, WinnowError
from crawler.ranking.cluster.environment import environment, has_java, reason
from crawler.ranking.cluster.row_pieces import PIECE_BYTES, batches, joined, pieces
from crawler.ranking.cluster.vote_tables import (
    advanced,
    pages_of_hosts,
    partition_rows,
    started,
    vote_messages,
)
from crawler.ranking.options import DEFAULTS
from crawler.ranking.partitions import cut
from crawler.ranking.problem import Problem

try:
    from py4j.protocol import Py4JError
    from pyspark import SparkConf, SparkContext, StorageLevel
    from pyspark.errors import PySparkException
except ImportError as error:
    raise InputError("no pyspark; pip install 'winnow-crawler[spark]'") from error

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy as np
    import numpy.typing as npt
    from pyspark import RDD

    from crawler.ranking.cluster.vote_tables import Advanced, PartitionRow
    from crawler.ranking.options import RankOptions
    from crawler.ranking.problem import RankResult
    from crawler.webgraph.csr import HostGraph

DEFAULT_MASTER = "local[*]"
CUT_EVERY = 8
# Sent in one job. Spark's limit of a task is 128 MB, and its driver has 1 GB by default.
BATCH_BYTES = 1 << 26
# Of rows whose number is open: what an executor works on at a time is several times as large.
PART_BYTES = 1 << 25
PACKAGES = ("crawler", "pipelines")
_STORED, _ON_DISK = StorageLevel.MEMORY_AND_DISK, StorageLevel.DISK_ONLY
_LOCAL_ADDRESS = "127.0.0.1"
_QUIET = [("spark.log.level", "ERROR")]
_QUIET += [(f"spark.ui.{part}", "false") for part in ("enabled", "showConsoleProgress")]
_running: list[SparkContext] = []


def spark_pagerank(
    graph: HostGraph,
    options: RankOptions = DEFAULTS,
    *,
    n_partitions: int = 8,
    preference: npt.ArrayLike | None = None,
    master: str | None = None,
) -> RankResult:
    """Return the PageRank of each page of *graph*, computed on *n_partitions* (1 or more) by Spark.

    *preference* as for the other methods; *master* as for :func:`spark_context`, which is what it runs
    in. The result is that of the other methods within the tolerance. Raises :exc:`ValueError` for an
    ``internal_share``, which it does not know.
    """
    if options.internal_share is not None:
        raise ValueError("internal_share must be None for Spark, whose votes know one kind of link")
    problem = Problem(graph, options, preference)
    partitions = cut(problem.graph, n_partitions)
    state = problem.start()
    if graph.n_pages == 0:
        return problem.iterate(state, lambda: (0.0, 0.0))
    with spark_context(master) as context:
        run = _Run(context, partition_rows(problem, partitions), len(partitions.hosts))

        def step() -> tuple[float, float]:
            change, total = run.step()
            is_enough = problem.is_enough(change, problem.error_bound(change, total))
            if is_enough or run.n_iterations == options.limit:
                for number, rank in run.ranks():
                    state.rank[pages_of_hosts(problem.graph, partitions.hosts[number])] = rank
            return change, total

        try:
            result = problem.iterate(state, step)
        finally:
            run.close()
    return replace(
        result,
        n_votes=len(partitions.votes.targets),
        n_remote_arcs=len(partitions.votes.sources),
        n_gathers=run.n_gathers,
    )


class _Run:
    """The partitions on the cluster, and their state after each iteration."""

    def __init__(
        self, context: SparkContext, rows: Iterable[tuple[int, PartitionRow]], n_partitions: int
    ):
        self.n_iterations = self.n_gathers = 0
        self._n = n_partitions
        self._rows = place(context, rows, n_partitions).map(itemgetter(0)).persist(_STORED)
        self._state = self._rows.map(started).persist(_STORED)

    def step(self) -> tuple[float, float]:
        """Advance all partitions by an iteration; return its change, and the sum of the ranks."""
        self.n_iterations += 1
        votes = self._state.mapPartitionsWithIndex(vote_messages)
        received = in_partitions(votes, self._n).map(dict)
        state = self._rows.zip(self._state).zip(received).map(_advance).persist(_STORED)
        if self.n_iterations % CUT_EVERY == 0:
            cut_lineage(state, _STORED)
        figures = state.map(attrgetter("change", "total", "n_gathers")).collect()
        self._state.unpersist()
        self._state = state
        self.n_gathers += sum(n for _, _, n in figures)
        return sum(change for change, _, _ in figures), sum(total for _, total, _ in figures)

    def ranks(self) -> Iterator[tuple[int, npt.NDArray[np.float64]]]:
        """Yield the ranks of each partition, by number."""
        yield from enumerate(self._state.map(attrgetter("rank")).toLocalIterator())

    def close(self) -> None:
        """Let go of what the executors hold."""
        self._state.unpersist()
        self._rows.unpersist()


def _advance(row: tuple[tuple[PartitionRow, Advanced], dict[int, Any]]) -> Advanced:
    (partition, state), received = row
    return advanced(partition, state, received)


@cache
def _settle() -> None:
    """Leave an executor's modules out of the collection of garbage that follows each of its tasks.

    Measured, bench_spark: they are half of what an iteration over a small graph costs.
    """
    gc.freeze()


def place(
    context: SparkContext, rows: Iterable[tuple[int, Any]], n_partitions: int | None = None
) -> RDD[list[Any]]:
    """Send *rows* of (number, anything); return one list a partition, in their order.

    The partition of a row is its number modulo *n_partitions*; None takes one for each `PART_BYTES`,
    and one for each processor at least. Rows go out `BATCH_BYTES` at a time, in pieces, so neither
    the driver nor a task holds many. The result is stored on the executors, its lineage cut.
    """
    stored = []
    n_bytes = 0
    for batch in batches(pieces(rows), BATCH_BYTES):
        batch_bytes = sum(len(piece[1][2]) for piece in batch)
        # With a step of its own, Spark's copy of the list is forgotten as part of the lineage.
        sent = context.parallelize(batch, 1 + batch_bytes // PIECE_BYTES).filter(bool)
        cut_lineage(sent)
        sent.count()
        stored.append(sent)
        n_bytes += batch_bytes
    together = context.union(stored) if stored else context.parallelize([], 1)
    n_needed = max(context.defaultParallelism, -(-n_bytes // PART_BYTES))
    placed = in_partitions(together, n_partitions or n_needed).map(joined)
    cut_lineage(placed)
    placed.count()
    for sent in stored:
        sent.unpersist()
    return placed


def in_partitions(pairs: RDD[tuple[int, Any]], n_partitions: int) -> RDD[list[Any]]:
    """Return the second parts of *pairs*, one list a partition, the first being its number."""
    return pairs.partitionBy(n_partitions, int).mapPartitions(_listed)


def cut_lineage(rdd: RDD[Any], level: StorageLevel = _ON_DISK) -> None:
    """Have *rdd* stored when it is first computed, and what it is made from forgotten.

    On the disk: an executor's heap has to hold what it works on, and ran out of memory when it held
    stored rows besides (5 million documents, 2 GB).
    """
    rdd.persist(level)
    if rdd.context.getCheckpointDir():
        rdd.checkpoint()
    else:
        rdd.localCheckpoint()


def _listed(pairs: Iterable[tuple[int, Any]]) -> Iterator[list[Any]]:
    _settle()
    yield [value for _, value in pairs]


@contextmanager
def spark_context(
    master: str | None = None, settings: Iterable[tuple[str, str]] = (), *, ship: bool | None = None
) -> Iterator[SparkContext]:
    """Yield a context of the Spark at *master*; the running one, where this is called within.

    *master* is by default the environment's ``SPARK_MASTER``, or `DEFAULT_MASTER`; *settings* are
    Spark's own. At a ``local`` master everything stays on the loopback interface, and executors take the
    Python and the code of this process. Elsewhere (or with *ship*) they take ``PYSPARK_PYTHON``, by
    default ``python3``, and an archive of the code, which goes before any that is installed there.

    Raises :exc:`InputError` when there is no Java, or no such master; what fails in Spark within is a
    :exc:`WinnowError`.
    """
    if _running:
        with _told():
            yield _running[-1]
        return
    address = master or os.environ.get("SPARK_MASTER") or DEFAULT_MASTER
    is_local = address.startswith("local")
    context = _new_context(address, settings, is_local=is_local)
    _running.append(context)
    try:
        with tempfile.TemporaryDirectory(prefix="winnow-spark-") as folder:
            if ship or (ship is None and not is_local):
                _ship(context, Path(folder))
            with _told():
                yield context
    finally:
        _running.remove(context)
        context.stop()


def _new_context(
    address: str, settings: Iterable[tuple[str, str]], *, is_local: bool
) -> SparkContext:
    if not has_java():
        raise InputError("Spark needs Java, and there is none; install Java 17 or set JAVA_HOME")
    conf = SparkConf().setMaster(address).setAppName("winnow")
    defaults = {}
    if is_local:
        conf.setAll([(f"spark.driver.{name}", _LOCAL_ADDRESS) for name in ("host", "bindAddress")])
        conf.setExecutorEnv("PYTHONPATH", str(Path(crawler.__file__).parents[1]))
        defaults = {"SPARK_LOCAL_IP": _LOCAL_ADDRESS, "PYSPARK_PYTHON": sys.executable}
    conf.setAll([*_QUIET, *settings])
    try:
        with environment(defaults):
            # Rows are few and large: none shares a batch with another, so zip can take them as they are.
            return SparkContext(conf=conf, batchSize=1)
    except Exception as error:  # Java's come as many classes
        raise InputError(f"no Spark at {address} ({reason(error)}); give --master") from error


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except (Py4JError, PySparkException) as error:
        raise WinnowError(f"Spark failed ({reason(error)}); run again, see its log") from error


def _ship(context: SparkContext, folder: Path) -> None:
    """Send the code. Archives are unpacked in a folder that Python looks for modules in.

    As real files, not as a zip that is imported from: kernels are kept beside their modules.
    """
    root = Path(crawler.__file__).parents[1]
    for package in PACKAGES:
        archive = shutil.make_archive(str(folder / package), "zip", root / package)
        context.addArchive(f"{archive}#{package}")
