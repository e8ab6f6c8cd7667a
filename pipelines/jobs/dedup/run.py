"""Removes duplicates from a whole corpus: what ``scrapy dedup`` does.

The corpus is read, not changed, but for its ``duplicates/``. When another folder is named, a cleaned corpus goes
there, with what was found, and the old one is only read. With *close* the corpus itself changes: the duplicates that
its crawl found are decided for good, as at the end of a crawl. A run that is killed leaves nothing but temporary
files; run again, it starts anew.

Memory: 200 bytes a page beside what the options state (measured: 192).
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from crawler.durable.journals import open_writers
from pipelines.corpus.corpus import Corpus
from pipelines.jobs.dedup.closing import close_duplicates, keep_one, restored
from pipelines.jobs.dedup.clusters import decided
from pipelines.jobs.dedup.findings import cluster_rows, write_findings
from pipelines.jobs.dedup.output import in_the_end, opened, renew_manifest
from pipelines.jobs.dedup.pages import batches
from pipelines.jobs.dedup.removing import find_blocks, take_out
from pipelines.jobs.dedup.report import CloseReport, DedupReport

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from crawler.durable.journal import Journal
    from pipelines.corpus.corpus import Progress
    from pipelines.jobs.dedup.options import DedupOptions

    Classify = Callable[[Sequence[str]], Sequence[bool]]


def dedup_corpus(
    folder: Path,
    options: DedupOptions,
    *,
    output: Path | None = None,
    classify: Classify | None = None,
    temporary: Path | None = None,
    progress: Progress | None = None,
) -> DedupReport:
    """Find the duplicates of the corpus in *folder*; write a cleaned one to *output* if it is given.

    *classify* is the context-sensitive classification of blocks, by default jusText's where jusText
    cleaned them, and none elsewhere; *temporary* the folder of temporary files. *progress* is told, each time that
    the documents are read, how far the reading is. Raises `InputError` when there is no corpus, or *output* is there.
    """
    with _opened(folder, output) as (corpus, journals):
        told = corpus.told(progress)
        if options.unit == "document":
            return _documents(told, journals, options, output, temporary)
        return _blocks(told, journals, options, output, (classify, temporary))


@contextmanager
def _opened(folder: Path, output: Path | None) -> Iterator[tuple[Corpus, list[Journal]]]:
    """Yield the corpus to decide about, and the journals when it is a copy that will be changed."""
    with opened(folder, output) as (corpus, journals):
        yield restored(corpus, journals) if journals else corpus, journals


def close_corpus(
    folder: Path, options: DedupOptions, *, progress: Progress | None = None
) -> CloseReport:
    """Decide for good over the duplicates that the crawl in *folder* found, in *folder* itself; *progress*: see
    above.
    """
    Corpus.open(folder)
    with open_writers(folder) as journals:
        closed = close_duplicates(folder, journals, options, progress=progress)
        renew_manifest(folder, folder, journals)
    if closed is None:
        return CloseReport()
    return CloseReport(closed.pages, closed.clusters, closed.taken_back, closed.dropped)


def _documents(
    corpus: Corpus,
    journals: list[Journal],
    options: DedupOptions,
    output: Path | None,
    temporary: Path | None,
) -> DedupReport:
    with decided(corpus, options, temporary) as found:
        findings = write_findings(corpus.corpus_dir, "clusters", cluster_rows(found), options)
        is_gone = found.kept != np.arange(len(found.kept))
        words = _words(corpus)
        report = DedupReport(
            unit=options.unit,
            documents=len(is_gone),
            set_aside=len(is_gone) - found.pages.n_documents,
            clusters=len(np.unique(found.kept[found.members()])),
            dropped_documents=int(is_gone.sum()),
            changed_documents=0,
            removed_blocks=0,
            words=int(words.sum()),
            removed_words=int(words[is_gone].sum()),
            ngrams=0,
            duplicate_ngrams=0,
            findings=str(in_the_end(findings, corpus, output)),
            output=None if output is None else str(output),
        )
        if journals:
            keep_one(corpus, journals, found, options)
    return report


def _words(corpus: Corpus) -> npt.NDArray[np.int64]:
    found = [np.empty(0, dtype=np.int64)]
    for batch in batches(corpus, ["n_words"]):
        words = batch["n_words"].fill_null(0).to_numpy(zero_copy_only=False)
        found.append(words.astype(np.int64))
    return np.concatenate(found)


def _blocks(
    corpus: Corpus,
    journals: list[Journal],
    options: DedupOptions,
    output: Path | None,
    given: tuple[Classify | None, Path | None],
) -> DedupReport:
    classify, temporary = given
    removed = find_blocks(
        corpus, options, folder=corpus.corpus_dir, classify=classify, temporary=temporary
    )
    n_documents = corpus.n_rows("documents")
    report = DedupReport(
        unit=options.unit,
        documents=n_documents,
        set_aside=0,
        clusters=0,
        dropped_documents=removed.lost.n_gone,
        changed_documents=removed.lost.n_changed,
        removed_blocks=removed.lost.n_blocks,
        words=int(_words(corpus)[:n_documents].sum()),
        removed_words=removed.lost.n_words,
        ngrams=removed.n_ngrams,
        duplicate_ngrams=removed.n_duplicate_ngrams,
        findings=str(in_the_end(removed.findings, corpus, output)),
        output=None if output is None else str(output),
    )
    if journals:
        take_out(corpus, journals, removed)
    return report
