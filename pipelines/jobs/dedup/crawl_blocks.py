"""Duplicate blocks in a crawl: left out of a page as long as nothing else is decided.

A kept block that the n-grams of pages kept before cover to *coverage* or more is left out, unless none
would be left: such a page is a matter of whole documents. Its label says so, ``duplicate:`` and the
label that it had. The closing pass puts all of these back and decides over all pages by Pomikálek's
removal (:mod:`pipelines.jobs.dedup.blocks`), as ``scrapy dedup --unit block`` does.

*On disk.* Journal, table ``extra``, key ``blocks``: there are, or were, pages with such blocks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from pipelines.corpus.schema import DOCUMENTS
from pipelines.duplicates.kept_ngrams import KeptNgrams
from pipelines.duplicates.ngram_hashes import text_ngram_hashes
from pipelines.duplicates.ngram_partitions import ngrams_of_documents
from pipelines.jobs.dedup.changes import Change, renew_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from crawler.page import PageModel
    from pipelines.corpus.corpus import Corpus

    U64 = npt.NDArray[np.uint64]

MARK = b"blocks"
PROVISIONAL = "duplicate:"


class CrawlBlocks:
    """The blocks that a crawl kept so far, as *n*-grams in at most *n_bytes*."""

    def __init__(self, n: int, coverage: float, *, n_bytes: int):
        self.n = n
        self.coverage = coverage
        self.ngrams = KeptNgrams(n, n_bytes=n_bytes)

    def read(self, corpus: Corpus) -> None:
        """Take what *corpus* holds."""
        for row in corpus.documents(["blocks"]):
            for block in row["blocks"] or ():
                if block["kept"]:
                    self.ngrams.add(self._hashes(block["text"]))

    def leave_out(self, model: PageModel) -> bool:
        """Leave duplicate blocks out of the page of *model*, take the others; tell if there were any."""
        assert model.kept is not None
        assert model.labels is not None
        kept = np.flatnonzero(model.kept).tolist()
        hashes = [self._hashes(model.blocks.text[place]) for place in kept]
        found = [self.ngrams.coverage(each) >= self.coverage for each in hashes]
        if all(found):
            return False
        labels = list(model.labels)
        for place, each, is_duplicate in zip(kept, hashes, found, strict=True):
            if is_duplicate:
                model.kept[place] = False
                labels[place] = PROVISIONAL + labels[place]
            else:
                self.ngrams.add(each)
        model.labels = labels
        return any(found)

    def _hashes(self, text: str) -> U64:
        words = text_ngram_hashes(text, 1)
        return ngrams_of_documents(words, np.array([0, len(words)]), self.n)


def was_kept(block: Mapping[str, Any]) -> bool:
    """Tell whether the cleaner kept *block*, a crawl's verdict on it apart."""
    return bool(block["kept"]) or _is_left_out(block)


def cleaned_text(blocks: Sequence[dict[str, Any]]) -> str:
    """Return the text that the cleaner kept."""
    return "\n".join(block["text"] for block in blocks if was_kept(block))


class RestoreBlocks:
    """Puts the blocks back that a crawl left out."""

    first_provisional: int | None = None

    def __init__(self, corpus: Corpus):
        self.numbers = np.flatnonzero(
            [any(map(_is_left_out, row["blocks"] or ())) for row in corpus.documents(["blocks"])]
        )

    def touches(self, first: int, n_rows: int) -> bool:
        """Tell whether a block was left out of one of the documents from number *first* on."""
        start, end = np.searchsorted(self.numbers, [first, first + n_rows])
        return bool(start < end)

    def change(self, first: int, batch: pa.RecordBatch) -> Change:  # noqa: ARG002  all are looked at
        """Return the batch with all blocks that the cleaner kept."""
        rows = batch.to_pylist()
        for row in rows:
            if any(map(_is_left_out, row["blocks"] or ())):
                restore(row)
        return Change([pa.RecordBatch.from_pylist(rows, schema=DOCUMENTS)], [])

    def renamed(self, urls: Sequence[str | None]) -> list[str | None]:
        """Return *urls*: no page takes the place of another."""
        return list(urls)


def _is_left_out(block: Mapping[str, Any]) -> bool:
    return str(block["label"] or "").startswith(PROVISIONAL)


def restore(row: dict[str, Any]) -> None:
    """Put the blocks of a row of ``documents`` back that a crawl left out."""
    for block in row["blocks"]:
        if _is_left_out(block):
            block.update(kept=True, label=block["label"].removeprefix(PROVISIONAL))
    renew_text(row)
