"""Writes the ranks of a graph to the corpus folder, reads them, and finds the best pages.

On disk: ``ranks/pagerank.parquet``, Parquet with zstd, one row a page in ascending PageId:
``host_id: uint32``, ``local_id: uint32``, ``url: string``, ``rank: float64`` (of the ``scale`` in
the metadata: ``mean`` 1, or ``sum`` 1). Its schema metadata hold ``winnow_ranks_version``, which a reader
refuses when it is not its own, and how the ranks were computed, as JSON under ``winnow_ranks``.
The file appears whole or not at all.

Memory of writing: the ids and ranks, and the URLs of one row group.
"""

from __future__ import annotations

import heapq
import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from crawler.durable.files import atomic_path, check_readable, make_folder
from crawler.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    import numpy.typing as npt

    from crawler.webgraph.csr import HostGraph

    Urls = Callable[[npt.NDArray[np.uint64]], list[str]]

FORMAT_VERSION = "1"
ROW_GROUP_ROWS = 65_536
# Ranks are printed so, and pages that print alike are in the order of their URLs.
SHOWN_DECIMALS = 4

_VERSION_KEY = b"winnow_ranks_version"
_COMPUTED_KEY = b"winnow_ranks"
_FIELDS: list[tuple[str, pa.DataType]] = [
    ("host_id", pa.uint32()),
    ("local_id", pa.uint32()),
    ("url", pa.string()),
]


def write_ranks(
    path: Path,
    graph: HostGraph,
    rank: npt.NDArray[np.float64],
    *,
    urls: Urls,
    computed: Mapping[str, Any],
) -> None:
    """Write *rank* of the pages of *graph* to *path*, replacing the file there.

    *urls* gives the URLs of packed PageIds; *computed* says how the ranks were made, and is stored.
    """
    metadata = {
        _VERSION_KEY: FORMAT_VERSION.encode(),
        _COMPUTED_KEY: json.dumps(computed, sort_keys=True).encode(),
    }
    columns = {"rank": rank}
    write_rows(path, graph, columns, urls=urls, metadata=metadata)


def write_rows(
    path: Path,
    graph: HostGraph,
    columns: Mapping[str, npt.NDArray[np.floating]],
    *,
    urls: Urls,
    metadata: dict[bytes, bytes],
) -> None:
    """Write *columns*, each a number for each page of *graph*, to *path*, replacing the file there.

    Before them stand ``host_id``, ``local_id`` and ``url``; *metadata* are those of the schema.
    """
    types = [(name, pa.from_numpy_dtype(column.dtype)) for name, column in columns.items()]
    schema = pa.schema([*_FIELDS, *types]).with_metadata(metadata)
    packed = graph.packed
    make_folder(path.parent)
    with (
        atomic_path(path) as temporary,
        pq.ParquetWriter(temporary, schema, compression="zstd") as writer,
    ):
        for start in range(0, len(packed), ROW_GROUP_ROWS):
            rows = slice(start, start + ROW_GROUP_ROWS)
            values = [
                (packed[rows] >> np.uint64(32)).astype(np.uint32),
                graph.local_ids[rows],
                urls(packed[rows]),
                *(np.ascontiguousarray(column[rows]) for column in columns.values()),
            ]
            writer.write_table(pa.table(values, schema=schema), row_group_size=ROW_GROUP_ROWS)


def check_ranks(path: Path) -> None:
    """Raise :exc:`FormatError` when the file at *path* is no ranks file of this version."""
    try:
        metadata = pq.read_schema(path).metadata or {}
    except (OSError, pa.ArrowInvalid) as error:
        check_readable(path)
        raise FormatError(f"{path} cannot be read as Parquet; run `scrapy pagerank`") from error
    version = metadata.get(_VERSION_KEY, b"none").decode()
    if version != FORMAT_VERSION:
        raise FormatError(
            f"{path} has ranks format {version}, this program {FORMAT_VERSION}; run `scrapy pagerank`"
        )


def read_ranks(path: Path) -> pa.Table:
    """Return the table at *path*, its ranks on mean-1 scale whatever the file's.

    Raises :exc:`FormatError` when it is no ranks file of this version.
    """
    check_ranks(path)
    table = pq.read_table(path)
    if computed_as(table).get("scale") == "sum":
        rank = pa.array(table["rank"].to_numpy() * len(table))
        table = table.set_column(table.column_names.index("rank"), "rank", rank)
    return table


def computed_as(table: pa.Table) -> dict[str, Any]:
    """Return how the ranks of *table*, from `read_ranks`, were computed; {} when it does not say."""
    try:
        computed = json.loads((table.schema.metadata or {}).get(_COMPUTED_KEY, b"{}"))
    except ValueError:
        return {}
    return computed if isinstance(computed, dict) else {}


def best_pages(
    graph: HostGraph, rank: npt.NDArray[np.float64], n_best: int, *, urls: Urls
) -> list[tuple[float, str]]:
    """Return (rank as shown, URL) of the *n_best* pages, best first, ties by URL."""
    shown = np.round(rank, SHOWN_DECIMALS)
    n_best = min(n_best, len(shown))
    if n_best == 0:
        return []
    packed = graph.packed
    candidates = np.flatnonzero(shown >= np.partition(shown, -n_best)[-n_best])
    best: list[tuple[float, str]] = []
    for start in range(0, len(candidates), ROW_GROUP_ROWS):
        rows = candidates[start : start + ROW_GROUP_ROWS]
        pages = zip((-shown[rows]).tolist(), urls(packed[rows]), strict=True)
        best = heapq.nsmallest(n_best, [*best, *pages])
    return [(-negative, url) for negative, url in best]
