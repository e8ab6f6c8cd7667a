"""What the end of a crawl decides over duplicates, and how the crawl's numbers change by it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pipelines.jobs.dedup.closing import close_blocks, close_duplicates, seal_waiting
from pipelines.jobs.dedup.pages import RANKS
from pipelines.jobs.replacing import move_stale

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from crawler.durable.journal import Journal
    from pipelines.corpus.corpus import Progress
    from pipelines.jobs.dedup.options import DedupOptions

NOT_RANKED = (
    "Nothing is ranked: duplicates stay provisional until `scrapy pagerank` and then "
    "`scrapy dedup --close`"
)


class CrawlEnd(NamedTuple):
    """Whether what is kept *has changed*, and the *stats* by how much more they are now.

    Each is there a second time under ``closing/``: the pass decides over the pages of all runs, of which the
    summary tells apart what this one fetched.
    """

    has_changed: bool
    stats: dict[str, int]


def can_close(corpus_dir: Path, options: DedupOptions) -> bool:
    """Tell whether the keep rule can be asked: by rank only once there are ranks."""
    return options.keep != "rank" or (corpus_dir / RANKS).exists()


def close_crawl(
    corpus_dir: Path,
    journals: Sequence[Journal],
    options: DedupOptions,
    *,
    with_blocks: bool,
    progress: Progress | None = None,
) -> CrawlEnd:
    """Decide over all pages of *journals*, and over their blocks too if *with_blocks*.

    *progress* is told, each time that the documents are read, how far the reading is.
    """
    stats: Counter[str] = Counter()
    has_changed = False
    closed = close_duplicates(
        corpus_dir, journals, options, with_blocks=with_blocks, progress=progress
    )
    if closed is not None:
        stats["deduplicate/taken_back"] += closed.taken_back
        stats["deduplicate/dropped_late"] += closed.dropped
        stats["store/pages"] += closed.taken_back - closed.dropped
        for reason, n_more in closed.reasons:
            stats[f"deduplicate/dropped/{reason}"] += n_more
        has_changed = bool(closed.taken_back or closed.dropped)
    if with_blocks:
        lost = close_blocks(corpus_dir, journals, replace(options, unit="block"))
        if lost is not None:
            stats["deduplicate/blocks_removed"] += lost.n_blocks
            stats["store/pages"] -= lost.n_gone
            stats["deduplicate/dropped/duplicate_blocks"] += lost.n_gone
            has_changed |= lost.n_blocks > 0
    return CrawlEnd(has_changed, {**stats, **{f"closing/{name}": n for name, n in stats.items()}})


def leave_crawl(corpus_dir: Path, journals: Sequence[Journal]) -> None:
    """Seal what waits in *journals* and move what was replaced, with nothing decided over duplicates."""
    seal_waiting(corpus_dir, journals)
    move_stale(corpus_dir, journals)
