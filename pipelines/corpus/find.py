"""Finds rows of a corpus by PageId or URL without reading the others whole.

The columns that are asked for are read of the row groups alone that hold a page; the ids, or URLs, of all rows
are gone through. Memory: one row group, and the ids of one file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from crawler.durable.parquet import damage_told, read_parquet

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import numpy.typing as npt

IDS = ("host_id", "local_id")


def packed_ids(batch: pa.RecordBatch) -> npt.NDArray[np.uint64]:
    """Return the PageIds of *batch*, which has the columns `IDS`, packed: HostID above LocalID."""
    host, local = (batch[name].to_numpy(zero_copy_only=False).astype(np.uint64) for name in IDS)
    packed: npt.NDArray[np.uint64] = host << np.uint64(32) | local
    return packed


def rows_of_pages(batch: pa.RecordBatch, pages: npt.NDArray[np.uint64]) -> pa.RecordBatch:
    """Return the rows of *batch* whose PageIds are among *pages*, uint64[n], ascending."""
    if not len(pages):
        return batch.slice(0, 0)
    ids = packed_ids(batch)
    places = np.minimum(np.searchsorted(pages, ids), len(pages) - 1)
    return batch.filter(pa.array(pages[places] == ids))


def places_of_pages(path: Path, pages: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Return which rows of the file *path* have PageIds among *pages*, uint64[n], ascending."""
    ids = [np.zeros(0, np.uint64), *(packed_ids(batch) for batch in read_parquet(path, IDS))]
    found: npt.NDArray[np.int64] = np.flatnonzero(np.isin(np.concatenate(ids), pages))
    return found


def pages_of_url(batch: pa.RecordBatch, url: str) -> npt.NDArray[np.uint64]:
    """Return the packed PageIds of the rows of *batch*, with the columns `IDS` and url, that are of *url*."""
    is_it = pc.equal(batch["url"], pa.scalar(url, batch["url"].type))
    return packed_ids(batch.filter(is_it))


def read_rows(
    path: Path, places: npt.NDArray[np.int64], columns: Sequence[str]
) -> Iterator[pa.RecordBatch]:
    """Yield those of *columns* that the file *path* has, of its rows *places*, ascending.

    Raises `FormatError` when it is damaged.
    """
    if not len(places):
        return
    with damage_told(path), pq.ParquetFile(path, page_checksum_verification=True) as file:
        metadata = file.metadata
        sizes = [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]
        ends = np.cumsum(sizes)
        groups = np.searchsorted(ends, places, side="right")
        names = [name for name in columns if name in file.schema_arrow.names]
        for group in np.unique(groups).tolist():
            start = int(ends[group]) - sizes[group]
            inside = pa.array(places[groups == group] - start)
            yield from file.read_row_group(group, columns=names).take(inside).to_batches()
