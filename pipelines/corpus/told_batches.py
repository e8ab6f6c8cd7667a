"""The documents of a corpus for a reader that takes its time, and how far it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import pyarrow as pa

    from pipelines.corpus.corpus import Corpus

    # How many documents are behind, and how many there are.
    Progress = Callable[[int, int], None]


def told_batches(
    corpus: Corpus, columns: Sequence[str], progress: Progress | None
) -> Iterator[pa.RecordBatch]:
    """Yield the record batches of the documents of *corpus*; *progress* is told, after each, how far the reader is."""
    n_behind, n_documents = 0, corpus.n_rows("documents") if progress is not None else 0
    for batch in corpus.batches("documents", columns):
        yield batch
        n_behind += batch.num_rows
        if progress is not None:
            progress(n_behind, n_documents)
