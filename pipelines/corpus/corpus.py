"""The reader of a corpus folder, complete while a crawl is writing it.

A `Corpus` is a snapshot: the files that the journals of all shards name, and a copy of the rows that
are not sealed yet, as of one committed transaction each. Memory: the compressed tails (at most
SEAL_BYTES a shard), and one row group.
"""

from __future__ import annotations

from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from crawler.durable.journals import open_readers
from crawler.durable.layout import shards_of
from crawler.durable.parquet import read_parquet
from crawler.durable.sealing import check_shards, read_shards
from crawler.durable.visits import STALE
from crawler.errors import InputError
from pipelines.corpus.find import IDS, pages_of_url, places_of_pages, read_rows, rows_of_pages
from pipelines.corpus.manifest import check_manifest
from pipelines.corpus.rows import REJECTED_AS, as_rejected
from pipelines.corpus.schema import SCHEMAS
from pipelines.corpus.shards import GROUP_ROWS, LOG
from pipelines.corpus.stale import KEY, TABLES, Stale, as_replaced
from pipelines.corpus.tail import Tail

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Self

    import numpy.typing as npt

    from crawler.durable.journal import Journal
    from crawler.durable.sealing import Shard

    # How many documents are behind their reader, and how many there are.
    Progress = Callable[[int, int], None]


class Corpus:
    """The rows of the corpus in *corpus_dir*, shard by shard, each in the order of their commit.

    *journals* are those of the shards whose rows are read; *tails* are those that are not sealed yet, by shard.
    """

    def __init__(self, corpus_dir: Path, *journals: Journal) -> None:
        self.corpus_dir = corpus_dir
        shards: list[Shard] = []
        stale: list[tuple[bytes, bytes]] = []
        self.tails: dict[str, Tail] = {}
        for journal in journals:
            with journal.read() as txn:
                shards += [shard for shard in read_shards(txn) if shard.kind in SCHEMAS]
                stale += txn.scan(STALE)
                self.tails[journal.shard] = Tail([record for _, record in txn.scan(LOG)])
        self._stale = Stale(sorted(stale))
        check_shards(corpus_dir, shards)
        self.shards = sorted(shards, key=in_order)
        self._tell: Callable[[int], None] | None = None

    @classmethod
    def open(cls, corpus_dir: Path | str) -> Corpus:
        """Open the corpus in *corpus_dir*.

        Raises `InputError` when there is none, `FormatError` when it is damaged or of another format.
        """
        folder = Path(corpus_dir)
        check_manifest(folder)
        if not shards_of(folder):
            raise InputError(f"no corpus in {folder}; run a crawl first or give its CORPUS_DIR")
        with open_readers(folder) as journals:
            return cls(folder, *journals)

    def batches(self, table: str, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """Yield the record batches of *table*, a name in `SCHEMAS`.

        What is ``provisional`` is among ``rejected`` too. Rows that a later visit replaced are among
        ``replaced`` only, wherever they stand yet.
        Raises `ValueError` for another table or an unknown column.
        """
        names = _check_columns(table, columns)
        tell = self._tell if table == "documents" else None
        n_behind = 0
        for batch in self.current(table, names):
            yield batch
            n_behind += batch.num_rows
            if tell is not None:
                tell(n_behind)
        if table == "rejected":
            for batch in self.current("provisional", REJECTED_AS):
                yield as_rejected(batch).select(names)
        if table == "replaced" and len(self._stale):
            for kind in TABLES:
                yield from self._outdated(kind, names)

    def told(self, progress: Progress | None) -> Self:
        """Return the corpus as one that tells *progress*, each time that its documents are read, how far their reader
        is.
        """
        told = copy(self)
        if progress is not None:
            n_documents = self.n_rows("documents")
            told._tell = lambda n_behind: progress(n_behind, n_documents)
        return told

    def current(self, table: str, names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield the columns *names* of what is stored in *table* itself and not stale."""
        if not len(self._stale) or table not in TABLES:
            yield from self._stored(table, names)
            return
        for batch in self._stored(table, list(dict.fromkeys([*names, *KEY]))):
            kept = batch.filter(pa.array(self._stale.places(batch) < 0))
            if kept.num_rows:
                yield kept.select(list(names))

    def _outdated(self, table: str, names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield what is stored in *table* and stale, as rows of ``replaced``."""
        for batch in self._stored(table, SCHEMAS[table].names):
            places = self._stale.places(batch)
            if (places >= 0).any():
                found = batch.filter(pa.array(places >= 0))
                reasons = self._stale.reasons(places[places >= 0])
                yield as_replaced(found, reasons).select(list(names))

    def _stored(self, table: str, names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        for shard in self.shards:
            if shard.kind == table:
                path = self.corpus_dir / shard.name
                for batch in read_parquet(path, names, batch_rows=GROUP_ROWS):
                    yield completed(batch, table, names)
        for tail in self.tails.values():
            yield from tail.batches(table, names)

    def rows(self, table: str, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
        """Yield the rows of *table* as dicts."""
        for batch in self.batches(table, columns):
            yield from batch.to_pylist()

    def documents(self, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
        """Yield the documents, with all *columns* or those named."""
        return self.rows("documents", columns)

    def rejected(self, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
        """Yield the fetched pages that were not kept, each with stage and reason."""
        return self.rows("rejected", columns)

    def replaced(self, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
        """Yield the captures that another one of the same page replaced."""
        return self.rows("replaced", columns)

    def visits(self, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
        """Yield the later visits that left a page as it was."""
        return self.rows("visits", columns)

    def find(
        self, table: str, pages: npt.NDArray[np.uint64], columns: Sequence[str] | None = None
    ) -> Iterator[dict[str, Any]]:
        """Yield the rows of *table*, one of `TABLES`, that are of *pages*, uint64[n] packed PageIds.

        They come in the order of the files. Raises `ValueError` for another table or an unknown column.
        """
        if table not in TABLES:
            raise ValueError(f"table must be one of {', '.join(TABLES)}, got {table!r}")
        names = _check_columns(table, columns)
        wanted = np.unique(pages)
        for batch in self._of_pages(table, wanted, list(dict.fromkeys([*names, *KEY]))):
            found = (
                batch.filter(pa.array(self._stale.places(batch) < 0)) if len(self._stale) else batch
            )
            yield from found.select(names).to_pylist()

    def _of_pages(
        self, table: str, pages: npt.NDArray[np.uint64], names: Sequence[str]
    ) -> Iterator[pa.RecordBatch]:
        for shard in self.shards:
            if shard.kind == table:
                path = self.corpus_dir / shard.name
                for batch in read_rows(path, places_of_pages(path, pages), names):
                    yield completed(batch, table, names)
        for tail in self.tails.values():
            for batch in tail.batches(table, names):
                yield rows_of_pages(batch, pages)

    def pages_of_url(self, table: str, url: str) -> npt.NDArray[np.uint64]:
        """Return the packed PageIds of the rows of *table* that are of *url*: one, none, or both of a re-crawl."""
        batches = self.batches(table, (*IDS, "url"))
        return np.unique(
            np.concatenate(
                [np.zeros(0, np.uint64), *(pages_of_url(batch, url) for batch in batches)]
            )
        )

    def n_rows(self, table: str) -> int:
        """Return the number of rows of *table*."""
        return sum(batch.num_rows for batch in self.batches(table, ["host_id"]))


def in_order(shard: Shard) -> tuple[str, str, int]:
    """Return by what the files of a corpus are sorted."""
    return shard.kind, shard.shard, shard.serial


def completed(batch: pa.RecordBatch, table: str, names: Sequence[str]) -> pa.RecordBatch:
    """Return *batch*, of *table*, with the columns *names*, those null that its file does not have yet."""
    if batch.num_columns == len(names):
        return batch.select(list(names))
    fields = [SCHEMAS[table].field(name) for name in names]
    columns = [
        batch[field.name]
        if field.name in batch.schema.names
        else pa.nulls(batch.num_rows, field.type)
        for field in fields
    ]
    return pa.RecordBatch.from_arrays(columns, schema=pa.schema(fields))


def _check_columns(table: str, columns: Sequence[str] | None) -> list[str]:
    if table not in SCHEMAS:
        raise ValueError(f"table must be one of {', '.join(SCHEMAS)}, got {table!r}")
    known = SCHEMAS[table].names
    for column in columns or ():
        if column not in known:
            raise ValueError(f"column must be one of {', '.join(known)}, got {column!r}")
    return list(known if columns is None else columns)
