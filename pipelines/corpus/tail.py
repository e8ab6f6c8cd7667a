"""The rows of a corpus that wait in one of its journals to be sealed.

Memory: the compressed records; while a table is read one record unpacked, or what is held.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.durable.records import unpacked_bytes
from pipelines.corpus.schema import SCHEMAS
from pipelines.corpus.shards import row_batch, row_groups, rows_by_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow as pa


class Tail:
    """The rows of *records* of the log ``docs``, in their order."""

    __slots__ = ("_columns", "_groups", "_held", "_records")

    def __init__(self, records: Sequence[bytes]) -> None:
        self._records = records
        self._columns: frozenset[str] = frozenset()
        self._held: dict[str, list[pa.RecordBatch]] = {}
        self._groups: list[tuple[str, pa.RecordBatch]] | None = None

    def hold(self, tables: Sequence[str], columns: Sequence[str], *, n_bytes: int = 0) -> int:
        """Keep those of *columns* that *tables* have: all records are unpacked for it, and not again.

        Where they have *n_bytes* unpacked, or less, all rows are kept whole. Returns the bytes of those, 0 for none.
        """
        size = sum(map(unpacked_bytes, self._records))
        if size <= n_bytes:
            self._groups = list(row_groups(self._records))
            return size
        self._columns = frozenset(columns)
        self._held = {table: [] for table in tables}
        for record in self._records:
            by_table = rows_by_table(record)
            for table, held in self._held.items():
                if rows := by_table.get(table):
                    names = [name for name in columns if name in SCHEMAS[table].names]
                    held.append(row_batch(table, rows, names))
        return 0

    def batches(self, table: str, names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield the columns *names* of *table*."""
        held = self._held.get(table)
        if self._groups is not None:
            held = [batch for its_table, batch in self._groups if its_table == table]
        elif not self._columns.issuperset(names):
            held = None
        if held is not None:
            for batch in held:
                yield batch.select(list(names))
            return
        for record in self._records:
            if rows := rows_by_table(record).get(table):
                yield row_batch(table, rows, names)

    def row_groups(self) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Yield (table, row group) of all rows, as a seal writes them."""
        yield from row_groups(self._records) if self._groups is None else self._groups
