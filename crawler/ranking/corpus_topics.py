"""Ranks the pages of a corpus folder for each topic: what ``scrapy pagerank --topics`` does."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from crawler.errors import InputError, WinnowError
from crawler.ranking.methods import pagerank
from crawler.ranking.options import DEFAULTS
from crawler.ranking.topic_sets import topic_sets
from crawler.ranking.topic_sources import crawled_pages, listed_pages
from crawler.ranking.topic_store import (
    TOPICS_FILE,
    StoredTopic,
    topic_spool,
    write_topics,
)
from crawler.ranking.topics import topic_ranks
from crawler.webgraph.graph import Graph

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import numpy.typing as npt

    from crawler.ranking.options import RankOptions
    from crawler.ranking.topic_sets import TopicSets
    from crawler.webgraph.csr import HostGraph

N_SHOWN = 10


@dataclass(frozen=True, slots=True)
class TopicOptions:
    """Which topics are ranked, see `crawler.ranking.topic_sets`; and *threads*, a block of topics each."""

    max_depth: int | None = None
    descendants: bool = False
    min_pages: int = 1
    threads: int = 1

    def __post_init__(self) -> None:
        for name in ("max_depth", "min_pages", "threads"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name} must be at least 1, got {value}")


@dataclass(frozen=True, slots=True)
class TopicReport:
    """The figures of one run; *seconds* without loading the graph and writing the ranks."""

    pages: int
    arcs: int
    topics: int
    not_found: int
    iterations: int
    arc_passes: float
    residual: float
    error_bound: float
    seconds: float
    file: str
    largest: list[tuple[str, int]]
    """name and pages of the topics with most pages"""

    def screen(self) -> str:
        """Return the report as lines for people."""
        lines = [
            f"pages       {self.pages:,}",
            f"arcs        {self.arcs:,}",
            f"topics      {self.topics:,} ({self.not_found:,} URLs of the list not in the graph)",
            f"iterations  {self.iterations} ({self.arc_passes:.0f} passes over the arcs)",
            f"residual    {self.residual:.2e} (error at most {self.error_bound:.2e})",
            f"seconds     {self.seconds:.2f}",
            f"written     {self.file}",
            "",
            f"{'pages':>12}  topic",
            *(f"{n_pages:12,}  {name}" for name, n_pages in self.largest),
        ]
        return "\n".join(lines)


def rank_topics(
    folder: Path,
    options: RankOptions = DEFAULTS,
    topic_options: TopicOptions | None = None,
    *,
    pairs: Iterable[tuple[str, str]] | None = None,
    with_nofollow: bool = False,
) -> TopicReport:
    """Rank the pages of the corpus in *folder* for each topic, and write ``ranks/topics.parquet``.

    *pairs*: (category path, URL) of the pages that stand for the topics; None takes the categories that
    the crawl's seeds gave to hosts. Raises :exc:`InputError` when there is no graph or no topic has
    a page in it, :exc:`WinnowError` when the iteration ended above the tolerance; then nothing is
    written.
    """
    wanted = topic_options or TopicOptions()
    with Graph.open(folder) as stored:
        graph = stored.host_graph(nofollow=with_nofollow)
        not_found = 0
        if pairs is None:
            pages_of = crawled_pages(stored, graph)
        else:
            pages_of, not_found = listed_pages(stored, graph, pairs)
        topics = topic_sets(
            pages_of,
            max_depth=wanted.max_depth,
            descendants=wanted.descendants,
            min_pages=wanted.min_pages,
        )
        if not topics.n_topics:
            raise InputError(_no_topic(folder, wanted, is_found=bool(pages_of), pairs=pairs))
        about = {**asdict(options), **asdict(wanted), "nofollow": with_nofollow}
        unbiased = pagerank(graph, options)
        if not unbiased.converged:
            raise _not_converged(unbiased.error_bound)
        run = _TopicRun(folder, graph, topics, options)
        run.rank(unbiased.rank, stored, threads=wanted.threads, about=about)
    return run.report(not_found)


def _no_topic(
    folder: Path, wanted: TopicOptions, *, is_found: bool, pairs: Iterable[tuple[str, str]] | None
) -> str:
    if is_found:
        return f"no topic has {wanted.min_pages} pages in {folder}; give less --topic-min-pages"
    if pairs is None:
        return f"no page of {folder} has a category; give a list to --topics"
    return f"no URL of the list is in the graph of {folder}; give a list of its pages to --topics"


class _TopicRun:
    """One computation of all topics, from ranks to the file; its figures as they come."""

    def __init__(
        self, folder: Path, graph: HostGraph, topics: TopicSets, options: RankOptions
    ) -> None:
        self.path = folder / TOPICS_FILE
        self.graph = graph
        self.topics = topics
        self.options = options
        self.iterations = 0
        self.passes = self.residual = self.bound = self.seconds = 0.0

    def rank(
        self,
        unbiased: npt.NDArray[np.float64],
        stored: Graph,
        *,
        threads: int,
        about: dict[str, object],
    ) -> None:
        """Compute the ranks of all topics and write them."""
        names, sizes = self.topics.names, np.diff(self.topics.ptr).tolist()
        kept = np.ones(len(names))
        with topic_spool(self.path, len(names), self.graph.n_pages) as spool:
            started = time.perf_counter()
            for ranks in topic_ranks(
                self.graph, self.topics, self.options, threads=threads, into=spool
            ):
                if not ranks.converged:
                    raise _not_converged(float(ranks.error_bound.max()))
                kept[ranks.first : ranks.first + len(ranks.kept)] = ranks.kept
                self.iterations = max(self.iterations, ranks.iterations)
                self.passes += ranks.arc_passes
                self.residual = max(self.residual, float(ranks.residual.max()))
                self.bound = max(self.bound, float(ranks.error_bound.max()))
            self.seconds = time.perf_counter() - started
            write_topics(
                self.path,
                self.graph,
                (unbiased, spool),
                topics=[
                    StoredTopic(name, size, mean)
                    for name, size, mean in zip(names, sizes, kept.tolist(), strict=True)
                ],
                urls=stored.urls,
                computed=about,
            )

    def report(self, not_found: int) -> TopicReport:
        """Return the figures."""
        sizes = np.diff(self.topics.ptr).tolist()
        largest = sorted(zip(self.topics.names, sizes, strict=True), key=lambda t: (-t[1], t[0]))
        return TopicReport(
            pages=self.graph.n_pages,
            arcs=self.graph.n_arcs,
            topics=self.topics.n_topics,
            not_found=not_found,
            iterations=self.iterations,
            arc_passes=self.passes,
            residual=self.residual,
            error_bound=self.bound,
            seconds=self.seconds,
            file=str(self.path),
            largest=largest[:N_SHOWN],
        )


def _not_converged(bound: float) -> WinnowError:
    return WinnowError(
        f"not converged: the error may be {bound:.1e}; give a larger --tolerance or --max-iterations"
    )
