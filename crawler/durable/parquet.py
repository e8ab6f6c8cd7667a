"""Parquet files as Winnow writes and reads them: zstd, checksums of pages, bounded memory."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from crawler.durable.files import check_readable
from crawler.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from types import TracebackType
    from typing import Self


# Unpacked bytes of a row group from which it is written, however few rows it has: a text may have megabytes.
GROUP_BYTES = 2**27


class ParquetSink:
    """Writes record batches of *schema* to *path*, collected into row groups of *group_rows* or `GROUP_BYTES`.

    The file is made at the first batch: without one there is none. *distinct* are columns, by their path
    in the file, of values that seldom come again: they are written without dictionary and bounds.
    """

    def __init__(
        self,
        path: Path,
        schema: pa.Schema,
        *,
        group_rows: int,
        distinct: frozenset[str] = frozenset(),
    ) -> None:
        self.path = path
        self.schema = schema
        self.group_rows = group_rows
        self.distinct = distinct
        self.n_rows = 0
        self._batches: list[pa.RecordBatch] = []
        self._waiting = self._waiting_bytes = 0
        self._writer: pq.ParquetWriter | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self._flush()
        if self._writer is not None:
            self._writer.close()

    def write(self, batch: pa.RecordBatch) -> None:
        """Add *batch*."""
        self.n_rows += batch.num_rows
        self._waiting += batch.num_rows
        self._waiting_bytes += batch.nbytes
        self._batches.append(batch)
        if self._waiting >= self.group_rows or self._waiting_bytes >= GROUP_BYTES:
            self._flush()

    def _flush(self) -> None:
        if not self._waiting:
            return
        if self._writer is None:
            named: Any = [path for path in column_paths(self.schema) if path not in self.distinct]
            self._writer = pq.ParquetWriter(
                self.path,
                self.schema,
                compression="zstd",
                write_page_checksum=True,
                use_dictionary=named if self.distinct else True,
                write_statistics=named if self.distinct else True,
            )
        self._writer.write_table(pa.Table.from_batches(self._batches))
        self._batches, self._waiting, self._waiting_bytes = [], 0, 0


def column_paths(schema: pa.Schema) -> list[str]:
    """Return the paths in a file of the columns of *schema*: ``blocks.list.element.text``."""
    found: list[str] = []
    waiting = [(field.name, field.type) for field in reversed(list(schema))]
    while waiting:
        path, kind = waiting.pop()
        if pa.types.is_struct(kind):
            waiting += [
                (f"{path}.{kind.field(number).name}", kind.field(number).type)
                for number in reversed(range(kind.num_fields))
            ]
        elif pa.types.is_list(kind):
            waiting.append((f"{path}.list.element", kind.value_type))
        else:
            found.append(path)
    return found


def read_parquet(
    path: Path, columns: Sequence[str] | None = None, *, batch_rows: int = 65_536
) -> Iterator[pa.RecordBatch]:
    """Yield the record batches of *path*, of *batch_rows* at most; raise `FormatError` when it is damaged.

    Memory: twice `GROUP_BYTES`, unless a row group has more.
    """
    with damage_told(path), pq.ParquetFile(path, page_checksum_verification=True) as file:
        names = None if columns is None else list(columns)
        for groups in _groups_at_once(file.metadata):
            yield from file.iter_batches(batch_rows, row_groups=groups, columns=names)


@contextmanager
def damage_told(path: Path) -> Iterator[None]:
    """Tell what reading the Parquet file *path* raises as `FormatError`."""
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeError) as error:  # names of columns, too
        check_readable(path)
        reason = str(error).splitlines()[0]
        raise FormatError(f"{path} is damaged ({reason}); restore it from a copy") from error


def _groups_at_once(metadata: pq.FileMetaData) -> Iterator[list[int]]:
    """Yield the row groups of a file, those together that have no more than `GROUP_BYTES`."""
    groups: list[int] = []
    n_bytes = 0
    for group in range(metadata.num_row_groups):
        its_bytes = metadata.row_group(group).total_byte_size
        if groups and n_bytes + its_bytes > GROUP_BYTES:
            yield groups
            groups, n_bytes = [], 0
        groups.append(group)
        n_bytes += its_bytes
    if groups:
        yield groups
