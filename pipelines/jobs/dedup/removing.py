"""Block removal over a corpus: decides, writes what was found, and takes the blocks out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pipelines.duplicates.near_index.rows import FORGET_RULE
from pipelines.jobs.dedup.blocks import remove_blocks
from pipelines.jobs.dedup.changes import RemoveBlocks
from pipelines.jobs.dedup.findings import write_findings
from pipelines.jobs.dedup.lost_blocks import (
    classed_blocks,
    justext_context,
    lost_blocks,
    urls_of,
    was_cleaned_by_justext,
)
from pipelines.jobs.dedup.rewriting import rewrite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

    from crawler.durable.journal import Journal
    from pipelines.corpus.corpus import Corpus
    from pipelines.corpus.new_shards import Commit
    from pipelines.jobs.dedup.blocks import Decisions
    from pipelines.jobs.dedup.options import DedupOptions

    Classify = Callable[[Sequence[str]], Sequence[bool]]


class Lost:
    """Counts what documents lose while the findings are written."""

    def __init__(self) -> None:
        self.changer = RemoveBlocks()
        self.n_gone = self.n_changed = self.n_blocks = self.n_words = 0

    def rows(self, corpus: Corpus, decided: Decisions) -> Iterator[dict[str, Any]]:
        """Yield the rows of ``duplicates/blocks.parquet``."""
        for each in lost_blocks(corpus, decided):
            self.changer.remove(each.document, each.blocks)
            self.n_gone += each.is_gone
            self.n_changed += not each.is_gone
            self.n_blocks += len(each.blocks)
            self.n_words += each.n_words
            yield from each.rows()


class Removed(NamedTuple):
    """What was found, and how much the documents lose."""

    lost: Lost
    n_ngrams: int
    n_duplicate_ngrams: int
    findings: Path


def find_blocks(
    corpus: Corpus,
    options: DedupOptions,
    *,
    folder: Path,
    name: str = "blocks",
    classify: Classify | None = None,
    temporary: Path | None = None,
) -> Removed:
    """Find the blocks that the documents of *corpus* lose; write them to ``duplicates/`` of *folder*.

    *name* is that of the file.
    """

    def ties(numbers: npt.NDArray[np.int64]) -> list[str]:
        urls = urls_of(corpus, set(numbers.tolist()))
        return [urls[number] for number in numbers.tolist()]

    if classify is None and was_cleaned_by_justext(corpus):
        classify = justext_context
    remove = remove_blocks
    if options.engine == "spark":
        from pipelines.jobs.dedup import spark

        remove = spark.remove_blocks
    blocks = classed_blocks(corpus, options.stop_words)
    found = remove(blocks, ties, options, folder=temporary, classify=classify)
    lost = Lost()
    findings = write_findings(folder, name, lost.rows(corpus, found.decided), options)
    return Removed(lost, found.n_ngrams, found.n_duplicate_ngrams, findings)


def take_out(
    corpus: Corpus,
    journals: Sequence[Journal],
    removed: Removed,
    commit: Commit = lambda *_: (FORGET_RULE,),
) -> None:
    """Take the blocks out of *corpus* itself; *commit* is as in `rewrite`."""
    rewrite(corpus.corpus_dir, journals, removed.lost.changer, commit=commit)
