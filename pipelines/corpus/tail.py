"""The rows of a corpus that wait in its journals to be sealed.

Memory: the compressed records; while a table is read one record unpacked, or what is held.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipelines.corpus.schema import SCHEMAS
from pipelines.corpus.shards import row_batch, rows_by_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow as pa


class Tail:
    """The rows of *records* of the log ``docs``, in their order."""

    __slots__ = ("_columns", "_held", "_records")

    def __init__(self, records: Sequence[bytes]) -> None:
        self._records = records
        self._columns: frozenset[str] = frozenset()
        self._held: dict[str, list[pa.RecordBatch]] = {}

    def hold(self, tables: Sequence[str], columns: Sequence[str]) -> None:
        """Keep those of *columns* that *tables* have: all records are unpacked for it, and not again."""
        self._columns = frozenset(columns)
        self._held = {table: [] for table in tables}
        for record in self._records:
            by_table = rows_by_table(record)
            for table, held in self._held.items():
                if rows := by_table.get(table):
                    names = [name for name in columns if name in SCHEMAS[table].names]
                    held.append(row_batch(table, rows, names))

    def batches(self, table: str, names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield the columns *names* of *table*."""
        held = self._held.get(table)
        if held is not None and self._columns.issuperset(names):
            for batch in held:
                yield batch.select(list(names))
            return
        for record in self._records:
            if rows := rows_by_table(record).get(table):
                yield row_batch(table, rows, names)
