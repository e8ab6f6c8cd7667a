"""The blocks of a corpus as its removal sees them, and those that documents lose by it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from pipelines.boilerplate.justext import CLASS_NAMES, context_sensitive
from pipelines.duplicates.block_removal import UNITS
from pipelines.jobs.dedup.content_words import without_stop_words
from pipelines.jobs.dedup.crawl_blocks import PROVISIONAL, was_kept
from pipelines.jobs.dedup.findings import ids_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pipelines.corpus.corpus import Corpus
    from pipelines.jobs.dedup.blocks import Decisions
    from pipelines.jobs.dedup.options import StopWords

# What jusText labels its blocks with, each with the class after context behind it: ``short-good``.
_CLASSES = frozenset(CLASS_NAMES)


class LostBlocks(NamedTuple):
    """What one document loses: indices of blocks, and whether each is a duplicate itself."""

    document: int
    page_id: int
    url: str
    blocks: list[int]
    is_duplicate: list[bool]
    texts: list[str]
    n_words: int
    is_gone: bool

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the rows of ``duplicates/blocks.parquet``."""
        for block, is_duplicate, text in zip(
            self.blocks, self.is_duplicate, self.texts, strict=True
        ):
            reason = "duplicate" if is_duplicate else "context"
            yield {
                **ids_of(self.page_id),
                "url": self.url,
                "block": block,
                "reason": reason,
                "text": text,
            }


def was_cleaned_by_justext(corpus: Corpus) -> bool:
    """Tell whether the blocks of *corpus* bear jusText's classes."""
    first = next(corpus.documents(["method"]), None)
    return first is not None and (first["method"] or "").startswith("justext")


def justext_context(classes: Sequence[str]) -> list[bool]:
    """Return whether each block is kept by jusText's context-sensitive classification."""
    before = np.array([CLASS_NAMES.index(cls) for cls in classes], dtype=np.int8)
    return [CLASS_NAMES[cls] == "good" for cls in context_sensitive(before).tolist()]


def classed_blocks(
    corpus: Corpus, stop_words: StopWords = "keep"
) -> Iterator[tuple[list[str], list[str]]]:
    """Yield for each document the texts of its blocks, as n-grams are made of them, and their context-free classes.

    What is no unit has no text here: with the n-grams of its menus an article would come after a page
    that quotes it.
    """
    for row in corpus.documents(["language", "blocks"]):
        blocks = row["blocks"] or []
        classes = [context_free_class(block) for block in blocks]
        texts = [
            block["text"] if cls in UNITS else ""
            for block, cls in zip(blocks, classes, strict=True)
        ]
        if stop_words == "exclude":
            texts = [without_stop_words(text, row["language"]) for text in texts]
        yield texts, classes


def context_free_class(block: Mapping[str, Any]) -> str:
    """Return the class that a block had before its context was looked at."""
    label: str = (block["label"] or "").removeprefix(PROVISIONAL).partition("-")[0]
    if label in _CLASSES:
        return label
    return "good" if was_kept(block) else "bad"


def urls_of(corpus: Corpus, numbers: set[int]) -> dict[int, str]:
    """Return the URLs of the documents of those *numbers*."""
    found: dict[int, str] = {}
    first = 0
    for batch in corpus.batches("documents", ["url"]):
        wanted = [n for n in range(first, first + batch.num_rows) if n in numbers]
        if wanted:
            urls = batch["url"].take(pa.array([n - first for n in wanted]))
            found.update(zip(wanted, map(str, urls.to_pylist()), strict=True))
        first += batch.num_rows
    return found


def lost_blocks(corpus: Corpus, decided: Decisions) -> Iterator[LostBlocks]:
    """Yield what documents lose, in corpus order."""
    columns = ["host_id", "local_id", "url", "blocks"]
    for number, row in enumerate(corpus.documents(columns)):
        if number not in decided:
            continue
        kept, is_duplicate = (each.tolist() for each in decided[number])
        blocks = row["blocks"]
        lost = [place for place, block in enumerate(blocks) if was_kept(block) and not kept[place]]
        if lost:
            yield LostBlocks(
                document=number,
                page_id=row["host_id"] << 32 | row["local_id"],
                url=row["url"],
                blocks=lost,
                is_duplicate=[is_duplicate[place] for place in lost],
                texts=[blocks[place]["text"] for place in lost],
                n_words=sum(blocks[place]["words"] for place in lost),
                is_gone=len(lost) == sum(map(was_kept, blocks)),
            )
