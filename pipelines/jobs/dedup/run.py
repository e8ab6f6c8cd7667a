"""Removes duplicates from a whole corpus: what ``scrapy dedup`` does.

The corpus is read, not changed; findings go to its ``duplicates/``, and a cleaned corpus to another
folder when one is named. A run that is killed leaves nothing but temporary files; run again, it starts
anew.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from pipelines.corpus.corpus import Corpus
from pipelines.jobs.dedup.blocks import remove_blocks
from pipelines.jobs.dedup.changes import DropDocuments, RemoveBlocks
from pipelines.jobs.dedup.clusters import decide, near_duplicates
from pipelines.jobs.dedup.facts import read_facts, texts, urls_of
from pipelines.jobs.dedup.findings import cluster_rows, write_findings
from pipelines.jobs.dedup.lost_blocks import (
    classed_blocks,
    justext_context,
    lost_blocks,
    was_cleaned_by_justext,
)
from pipelines.jobs.dedup.output import check_output, write_corpus

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

    from pipelines.jobs.dedup.options import DedupOptions

    Classify = Callable[[Sequence[str]], Sequence[bool]]


@dataclass(frozen=True, slots=True)
class DedupReport:
    """What a run found; *findings* and *output* are where it is."""

    documents: int
    clusters: int
    dropped_documents: int
    changed_documents: int
    removed_blocks: int
    words: int
    removed_words: int
    ngrams: int
    duplicate_ngrams: int
    findings: str
    output: str | None

    def screen(self) -> str:
        """Return the report as lines for people."""
        lines = []
        for name, value in asdict(self).items():
            if value is not None:
                shown = f"{value:,}" if isinstance(value, int) else value
                lines.append(f"{name.replace('_', ' '):<18} {shown:>12}")
        return "\n".join(lines)


def dedup_corpus(
    folder: Path,
    options: DedupOptions,
    *,
    output: Path | None = None,
    classify: Classify | None = None,
    temporary: Path | None = None,
) -> DedupReport:
    """Find the duplicates of the corpus in *folder*; write a cleaned one to *output* if it is given.

    *classify* is the context-sensitive classification of blocks, by default jusText's where jusText
    cleaned them, and none elsewhere; *temporary* the folder of temporary files. Raises `InputError` when there is no corpus, or *output* is there.
    """
    corpus = Corpus.open(folder)
    if output is not None:
        check_output(folder, output)
    if options.unit == "document":
        return _documents(corpus, options, output, temporary)
    return _blocks(corpus, options, output, classify, temporary)


def _documents(
    corpus: Corpus, options: DedupOptions, output: Path | None, temporary: Path | None
) -> DedupReport:
    facts = read_facts(corpus, options.keep)
    pairs = near_duplicates(lambda: texts(corpus), options, temporary)
    numbers = set(pairs.pairs.ravel().tolist())
    urls = urls_of(corpus, numbers)
    found = decide(len(facts.page_ids), pairs, facts.goodness, urls)
    findings = write_findings(
        corpus.corpus_dir, "clusters", cluster_rows(found, facts, urls), options
    )
    dropped = {n: urls[int(found.kept[n])] for n in numbers if found.kept[n] != n}
    if output is not None:
        write_corpus(corpus.corpus_dir, output, DropDocuments(dropped))
    words = _words(corpus)
    return DedupReport(
        documents=len(facts.page_ids),
        clusters=len({int(found.kept[n]) for n in numbers}),
        dropped_documents=len(dropped),
        changed_documents=0,
        removed_blocks=0,
        words=sum(words),
        removed_words=sum(words[n] for n in dropped),
        ngrams=0,
        duplicate_ngrams=0,
        findings=str(findings),
        output=None if output is None else str(output),
    )


def _words(corpus: Corpus) -> list[int]:
    return [
        words or 0
        for batch in corpus.batches("documents", ["n_words"])
        for words in batch["n_words"].to_pylist()
    ]


def _blocks(
    corpus: Corpus,
    options: DedupOptions,
    output: Path | None,
    classify: Classify | None,
    temporary: Path | None,
) -> DedupReport:
    def ties(numbers: npt.NDArray[np.int64]) -> list[str]:
        urls = urls_of(corpus, set(numbers.tolist()))
        return [urls[number] for number in numbers.tolist()]

    if classify is None and was_cleaned_by_justext(corpus):
        classify = justext_context
    found = remove_blocks(
        classed_blocks(corpus), ties, options, folder=temporary, classify=classify
    )
    lost = list(lost_blocks(corpus, found.decided))
    findings = write_findings(
        corpus.corpus_dir, "blocks", (row for each in lost for row in each.rows()), options
    )
    removed = {each.document: frozenset(each.blocks) for each in lost}
    if output is not None:
        write_corpus(corpus.corpus_dir, output, RemoveBlocks(removed))
    return DedupReport(
        documents=corpus.n_rows("documents"),
        clusters=0,
        dropped_documents=sum(each.is_gone for each in lost),
        changed_documents=sum(not each.is_gone for each in lost),
        removed_blocks=sum(len(each.blocks) for each in lost),
        words=sum(_words(corpus)),
        removed_words=sum(each.n_words for each in lost),
        ngrams=found.n_ngrams,
        duplicate_ngrams=found.n_duplicate_ngrams,
        findings=str(findings),
        output=None if output is None else str(output),
    )
