"""Shards of documents, rejections, duplicates and replaced captures, sealed from the journal's log ``docs``.

A seal takes the whole log: its files bear one serial. Memory: one record of the log and one
row group of each table.
"""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from crawler.durable.parquet import GROUP_BYTES, ParquetSink
from crawler.durable.records import unpack_record, unpacked_bytes
from crawler.durable.sealing import BacklogMeter, read_log, seal
from crawler.errors import FormatError
from pipelines.corpus.block_columns import block_array
from pipelines.corpus.schema import DISTINCT, SCHEMAS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from crawler.durable.journal import Journal

LOG = "docs"

# The tables whose rows have texts.
_LARGE = ("documents", "provisional", "replaced")

# Documents of a row group: about 10 MB of text and blocks before compression.
GROUP_ROWS = 500

FILES = {table: f"{table}/" for table in SCHEMAS}


class ShardSealer:
    """Seals the shards of *corpus_dir* when the log holds *rows* rows or *n_bytes* bytes."""

    def __init__(self, corpus_dir: Path, *, rows: int, n_bytes: int) -> None:
        for name, bound in (("rows", rows), ("n_bytes", n_bytes)):
            if bound < 1:
                raise ValueError(f"{name} must be at least 1, got {bound}")
        self.corpus_dir = corpus_dir
        self.rows = rows
        self.n_bytes = n_bytes
        self._meter = BacklogMeter(LOG)

    def __call__(self, journal: Journal, *, force: bool = False) -> int:
        with journal.read() as txn:
            backlog = self._meter.measure(txn)
        due = backlog.rows >= self.rows or backlog.bytes >= self.n_bytes
        if not backlog.rows or not (due or force):
            return 0
        write = partial(_write, journal, backlog.last)
        return len(seal(journal, self.corpus_dir, logs={LOG: backlog}, files=FILES, write=write))


def _write(journal: Journal, last: int, paths: Mapping[str, Path]) -> dict[str, int]:
    with ExitStack() as stack:
        sinks = {
            table: stack.enter_context(
                ParquetSink(paths[table], schema, group_rows=GROUP_ROWS, distinct=DISTINCT)
            )
            for table, schema in SCHEMAS.items()
        }
        for table, batch in row_groups(read_log(journal, LOG, last=last)):
            sinks[table].write(batch)
    return {table: sink.n_rows for table, sink in sinks.items() if sink.n_rows}


def row_groups(records: Iterable[bytes]) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Yield (table, row group) of *records* of the log, those of a table in the order of their commit."""
    # Columns are made of a row group at once: half the cost of making them of each record.
    waiting: dict[str, list[dict[str, Any]]] = {table: [] for table in SCHEMAS}
    n_bytes = 0
    for record in records:
        n_bytes += unpacked_bytes(record)
        for table, rows in rows_by_table(record).items():
            waiting[table] += rows
        for table, rows in waiting.items():
            if len(rows) >= GROUP_ROWS or (rows and n_bytes >= GROUP_BYTES):
                yield table, row_batch(table, rows)
                waiting[table] = []
        if not any(map(waiting.get, _LARGE)):
            n_bytes = 0
    for table, rows in waiting.items():
        if rows:
            yield table, row_batch(table, rows)


def rows_by_table(record: bytes) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of a record of ``docs`` by table, each in the order of their commit.

    Raises `FormatError` for a table that this release does not know.
    """
    tables: dict[str, list[dict[str, Any]]] = {}
    for table, row in unpack_record(record):
        if table not in SCHEMAS:
            raise FormatError(f"the journal holds a row of table {table!r}; use a newer release")
        tables.setdefault(table, []).append(row)
    return tables


def row_batch(
    table: str, rows: list[dict[str, Any]], names: Sequence[str] | None = None
) -> pa.RecordBatch:
    """Return *rows* in the columns of *table*, or those of *names*; columns that a row lacks are null."""
    schema = SCHEMAS[table]
    if names is not None:
        schema = pa.schema([schema.field(name) for name in names])
    columns = [
        block_array([row.get("blocks") for row in rows])
        if field.name == "blocks"
        else pa.array([row.get(field.name) for row in rows], field.type)
        for field in schema
    ]
    return pa.RecordBatch.from_arrays(columns, schema=schema)
