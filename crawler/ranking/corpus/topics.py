"""Ranks the pages of a corpus folder for each topic: what ``scrapy pagerank --topics`` does."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from crawler.errors import InputError, WinnowError
from crawler.ranking.corpus.topic_report import TopicReport
from crawler.ranking.host_blocks.iteration import Resources, host_block_pagerank
from crawler.ranking.options import DEFAULT_JOB, DEFAULTS
from crawler.ranking.topics.checkpoints import TopicCheckpoint, TopicFigures
from crawler.ranking.topics.sets import topic_sets
from crawler.ranking.topics.sources import crawled_pages, listed_pages, tld_pages
from crawler.ranking.topics.store import (
    TOPICS_FILE,
    StoredTopic,
    dimension_of,
    write_topics,
)
from crawler.ranking.topics.topics import topic_ranks
from crawler.webgraph.named_graph import open_graph
from crawler.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import numpy.typing as npt

    from crawler.ranking.options import RankJob, RankOptions
    from crawler.ranking.topics.sets import TopicSets
    from crawler.ranking.topics.sources import ListedPage, WeightsOf
    from crawler.webgraph.csr import HostGraph
    from crawler.webgraph.graph import Graph
    from crawler.webgraph.named_graph import TableGraph

CHECKPOINT_FOLDER = "topics.checkpoint"
N_SHOWN = 10


@dataclass(frozen=True, slots=True)
class TopicOptions:
    """Which topics are ranked, see `crawler.ranking.topics.sets`; and *threads*, a block of topics each.

    *tlds*: so many top-level domains are topics, too, see `crawler.ranking.topics.sources`.
    """

    max_depth: int | None = None
    descendants: bool = False
    min_pages: int = 1
    threads: int = 1
    tlds: int = 0

    def __post_init__(self) -> None:
        for name in ("max_depth", "min_pages", "threads"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name} must be at least 1, got {value}")


def rank_topics(
    folder: Path,
    options: RankOptions = DEFAULTS,
    topic_options: TopicOptions | None = None,
    *,
    listed: Iterable[ListedPage] | None = None,
    job: RankJob = DEFAULT_JOB,
    output: Path | None = None,
) -> TopicReport:
    """Rank the pages of the corpus in *folder* for each topic, and write ``ranks/topics.parquet``.

    It, and what a run leaves that was killed, are in the folder *output* where one is given.
    Of *job* count nofollow links and the seconds between checkpoints, at which a run that was killed goes on.
    *listed*: (category path, URL, weight) of the pages that stand for the topics; None takes the categories that
    the crawl's seeds gave to hosts. Raises :exc:`InputError` when there is no graph or no topic has
    a page in it, :exc:`WinnowError` when the iteration ended above the tolerance; then nothing is
    written.
    """
    wanted = topic_options or TopicOptions()
    with open_graph(folder) as stored:
        graph = stored.host_graph(nofollow=job.with_nofollow)
        not_found = left_out = 0
        weights_of: WeightsOf = {}
        if listed is None:
            pages_of = crawled_pages(stored, graph)
        else:
            pages_of, weights_of, not_found = listed_pages(stored, graph, listed)
        # `tld` alone asks for none
        has_categories = bool(pages_of) or listed == ()
        if wanted.tlds:
            of_tlds, left_out = tld_pages(stored, graph, wanted.tlds)
            pages_of = of_tlds | pages_of
        topics = topic_sets(
            pages_of,
            weights_of,
            max_depth=wanted.max_depth,
            descendants=wanted.descendants,
            min_pages=wanted.min_pages,
        )
        if not topics.n_topics:
            raise InputError(_no_topic(folder, wanted, is_found=bool(pages_of), listed=listed))
        about = {**asdict(options), **asdict(wanted), "nofollow": job.with_nofollow}
        path = folder / TOPICS_FILE
        path = path if output is None else output / path.name
        run = _TopicRun(path, graph, topics, options, wanted.threads)
        run.rank(stored, checkpoint_secs=job.checkpoint_secs, about=about)
    return replace(run.report(not_found), left_out=left_out, has_categories=has_categories)


def _no_topic(
    folder: Path, wanted: TopicOptions, *, is_found: bool, listed: Iterable[ListedPage] | None
) -> str:
    if is_found:
        return f"no topic has {counted(wanted.min_pages, 'page')} in {folder}; give less --topic-min-pages"
    if wanted.tlds:
        return f"no fetched page of {folder} has a top-level domain, or a topic; give a list to --topics"
    if listed is None:
        return f"no page of {folder} has a category; give a list to --topics"
    return f"no URL of the list is in the graph of {folder}; give a list of its pages to --topics"


class _TopicRun:
    """One computation of all topics, from ranks to the file; its figures as they come."""

    def __init__(
        self, path: Path, graph: HostGraph, topics: TopicSets, options: RankOptions, threads: int
    ) -> None:
        self.path = path
        self.graph = graph
        self.topics = topics
        self.options = options
        self.threads = threads
        self.figures = TopicFigures()
        self.resumed_topics = self.resumed_at = self.ignored = 0
        self.seconds = 0.0

    def rank(
        self, stored: Graph | TableGraph, *, checkpoint_secs: float, about: dict[str, object]
    ) -> None:
        """Compute the ranks of all topics and write them."""
        names, sizes = self.topics.names, np.diff(self.topics.ptr).tolist()
        with TopicCheckpoint(
            self.path.parent / CHECKPOINT_FOLDER,
            self.graph,
            self.topics,
            self.options,
            every_secs=checkpoint_secs,
        ) as checkpoint:
            unbiased = self._unbiased(checkpoint, checkpoint_secs)
            started = time.perf_counter()
            self._rank_blocks(checkpoint)
            self.seconds = time.perf_counter() - started
            write_topics(
                self.path,
                self.graph,
                (unbiased, checkpoint.spool),
                topics=[
                    StoredTopic(name, size, mean, dimension_of(name))
                    for name, size, mean in zip(names, sizes, checkpoint.kept.tolist(), strict=True)
                ],
                urls=stored.urls,
                computed=about,
            )

    def _unbiased(self, checkpoint: TopicCheckpoint, secs: float) -> npt.NDArray[np.floating]:
        """Return the ranks without topics."""
        found = checkpoint.unbiased()
        if found is not None:
            return found
        started = time.perf_counter()
        resources = Resources(
            n_threads=self.threads, checkpoint=checkpoint.running, checkpoint_secs=secs
        )
        result = host_block_pagerank(self.graph, self.options, resources=resources)
        self.ignored += result.is_ignored
        if not result.converged:
            checkpoint.remove()
            raise _not_converged(result.error_bound)
        checkpoint.keep_unbiased(result.rank, time.perf_counter() - started)
        return result.rank

    def _rank_blocks(self, checkpoint: TopicCheckpoint) -> None:
        """Write the ranks of all topics to the spool of *checkpoint*, those that are not there."""
        self.resumed_topics = checkpoint.n_done
        for ranks in topic_ranks(
            self.graph,
            self.topics,
            self.options,
            threads=self.threads,
            into=checkpoint.spool,
            checkpoint=checkpoint,
        ):
            bound = float(ranks.error_bound.max())
            if not ranks.converged:
                checkpoint.remove()
                raise _not_converged(bound)
            residual = float(ranks.residual.max())
            checkpoint.add(
                ranks.kept, TopicFigures(ranks.iterations, ranks.arc_passes, residual, bound)
            )
            self.resumed_at = max(self.resumed_at, ranks.resumed_at)
            self.ignored += ranks.is_ignored
        self.figures = checkpoint.figures
        self.ignored += checkpoint.n_ignored

    def report(self, not_found: int) -> TopicReport:
        """Return the figures."""
        sizes = np.diff(self.topics.ptr).tolist()
        largest = sorted(zip(self.topics.names, sizes, strict=True), key=lambda t: (-t[1], t[0]))
        return TopicReport(
            pages=self.graph.n_pages,
            arcs=self.graph.n_arcs,
            topics=self.topics.n_topics,
            not_found=not_found,
            iterations=self.figures.iterations,
            resumed_topics=self.resumed_topics,
            resumed_at=self.resumed_at,
            ignored=self.ignored,
            arc_passes=self.figures.arc_passes,
            residual=self.figures.residual,
            error_bound=self.figures.error_bound,
            seconds=self.seconds,
            file=str(self.path),
            largest=largest[:N_SHOWN],
            internal_share=self.options.internal_share,
        )


def _not_converged(bound: float) -> WinnowError:
    return WinnowError(
        f"not converged: the error may be {bound:.1e}; give a larger --tolerance or --max-iterations"
    )
