"""Brings the search index of a corpus folder up to date: what ``scrapy index`` does.

The index is compared with the corpus by (PageId, time of the capture): documents that are gone or
were fetched again are removed, new ones are added, and commits come every `COMMIT_DOCUMENTS`. A run
that was killed leaves whole commits, and the next one goes on from them. A crawl may be running:
what it committed before the run began is indexed.

*On disk.* ``index/text/`` (`pipelines.retrieval.text_index`) and ``index/vectors/``
(`pipelines.jobs.index.vectors`) in the corpus folder.

Memory: 32 bytes a document, and a row group of texts.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from crawler.wording import noun
from pipelines.corpus.corpus import Corpus
from pipelines.jobs.index.vectors import build_vectors
from pipelines.retrieval.text_index import IndexedText, TextIndex, TextIndexWriter

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from pipelines.corpus.corpus import Progress

    _Keys = tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]

TEXT = "index/text"
COMMIT_DOCUMENTS = 50_000
_KEYS = ["host_id", "local_id", "fetched_at"]
_COLUMNS = [*_KEYS, "url", "title", "text"]


@dataclass(frozen=True, slots=True)
class IndexReport:
    """The figures of one run. *facets*: topics with rank vectors, the unbiased rank counted."""

    documents: int
    added: int
    removed: int
    facets: int
    seconds: float
    folder: str

    def screen(self) -> str:
        """Return the report as lines for people."""
        ranks = "no ranks: run `scrapy pagerank`"
        if self.facets:
            ranks = f"{self.facets} rank {noun(self.facets, 'vector')}"
        return "\n".join(
            [
                f"documents   {self.documents:,} ({self.added:,} added, {self.removed:,} removed)",
                f"facets      {ranks}",
                f"seconds     {self.seconds:.2f}",
                f"written     {self.folder}",
            ]
        )


def index_corpus(folder: Path, *, progress: Progress | None = None) -> IndexReport:
    """Index the documents of the corpus in *folder* that are not indexed yet.

    *progress* is told how many documents are behind, of how many. Raises `InputError` when there is no
    corpus or another process writes the index.
    """
    started = time.perf_counter()
    corpus = Corpus.open(folder)
    writer = TextIndexWriter(folder / TEXT)
    try:
        added, removed = _update(corpus, folder, writer, progress)
    finally:
        writer.close()
    index = TextIndex(folder / TEXT)
    vectors = build_vectors(folder, index.pages()[0])
    return IndexReport(
        documents=index.n_documents,
        added=added,
        removed=removed,
        facets=0 if vectors is None else len(vectors.names),
        seconds=time.perf_counter() - started,
        folder=str(folder / "index"),
    )


def _update(
    corpus: Corpus, folder: Path, writer: TextIndexWriter, progress: Progress | None
) -> tuple[int, int]:
    """Remove and add what differs; return how many documents of each."""
    wanted = _Captures.of([_keys(batch) for batch in corpus.batches("documents", _KEYS)])
    indexed = _Captures(*TextIndex(folder / TEXT).pages())
    stale = indexed.ids[~wanted.hold(*indexed)]
    writer.remove(stale.tolist())
    is_new = ~indexed.hold(*wanted)
    new = _Captures(wanted.ids[is_new], wanted.times[is_new])
    n_added = 0
    for batch in corpus.told(progress).batches("documents", _COLUMNS):
        ids, times = _keys(batch)
        places = np.flatnonzero(new.hold(ids, times))
        rows = batch.take(places).to_pylist()
        for page_id, time_, row in zip(
            ids[places].tolist(), times[places].tolist(), rows, strict=True
        ):
            texts = (row[name] or "" for name in ("url", "title", "text"))
            writer.add(IndexedText(page_id, time_, *texts))
            n_added += 1
            if n_added % COMMIT_DOCUMENTS == 0:
                writer.commit()
    writer.commit()
    return n_added, len(stale)


class _Captures(NamedTuple):
    """Captures by page: packed PageIds, ascending, each once, and microseconds since 1970."""

    ids: npt.NDArray[np.uint64]
    times: npt.NDArray[np.int64]

    @classmethod
    def of(cls, parts: list[_Keys]) -> _Captures:
        """Return the captures of *parts*; of a page that comes again, the last."""
        ids = np.concatenate([np.zeros(0, np.uint64), *(ids for ids, _ in parts)])[::-1]
        times = np.concatenate([np.zeros(0, np.int64), *(times for _, times in parts)])[::-1]
        unique, first = np.unique(ids, return_index=True)
        return cls(unique, times[first])

    def hold(
        self, ids: npt.NDArray[np.uint64], times: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.bool_]:
        """Tell of each capture whether it is among these."""
        if not len(self.ids):
            return np.zeros(len(ids), dtype=np.bool_)
        place = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        same: npt.NDArray[np.bool_] = (self.ids[place] == ids) & (self.times[place] == times)
        return same


def _keys(batch: pa.RecordBatch) -> _Keys:
    """Return packed PageId and microseconds since 1970 of each row."""
    host, local, fetched = (batch.column(name) for name in _KEYS)
    packed = host.to_numpy().astype(np.uint64) << np.uint64(32) | local.to_numpy()
    return packed, fetched.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False)
