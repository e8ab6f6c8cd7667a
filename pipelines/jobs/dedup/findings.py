"""Writes what was found to ``duplicates/`` of the corpus folder.

*On disk.* Parquet, zstd; metadata key ``winnow.format`` (2), and
``winnow.dedup``, the options as JSON.

``duplicates/clusters.parquet``, replaced by each run, one row a page of a cluster, kept ones too, by the URL of the
kept one: ``host_id uint32, local_id uint32, url, kept bool, duplicate_of`` (URL of the kept one, null for itself),
``like`` (URL of the page that it is most like) and ``likeness float32`` to that one by the measure of the run, 1 for
exact copies.

``duplicates/blocks.parquet``, replaced by each run, one row a removed block: ``host_id, local_id, url, block uint32``
(index in column ``blocks``), ``reason`` (``duplicate``, or ``context``: it stood beside duplicates), ``text``.

What the ends of a crawl found is in files of the same columns, one for each pass that found something:
``crawl-clusters-<digest>.parquet`` and ``crawl-blocks-<digest>.parquet``.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from crawler.durable.files import atomic_path, make_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    import numpy.typing as npt

    from pipelines.jobs.dedup.clusters import Decided
    from pipelines.jobs.dedup.options import DedupOptions

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]

FORMAT = 2
FOLDER = "duplicates"
_GROUP_ROWS = 10_000
_IDS: list[tuple[str, Any]] = [
    ("host_id", pa.uint32()),
    ("local_id", pa.uint32()),
    ("url", pa.string()),
]
CLUSTERS = pa.schema(
    [
        *_IDS,
        ("kept", pa.bool_()),
        ("duplicate_of", pa.string()),
        ("like", pa.string()),
        ("likeness", pa.float32()),
    ]
)
BLOCKS = pa.schema([*_IDS, ("block", pa.uint32()), ("reason", pa.string()), ("text", pa.string())])


def write_findings(
    corpus_dir: Path, name: str, rows: Iterable[dict[str, Any]], options: DedupOptions
) -> Path:
    """Write *rows*, of blocks by the unit ``block``, as ``duplicates/<name>.parquet``; return its path."""
    columns = BLOCKS if options.unit == "block" else CLUSTERS
    schema = columns.with_metadata(
        {"winnow.format": str(FORMAT), "winnow.dedup": json.dumps(asdict(options))}
    )
    path = corpus_dir / FOLDER / f"{name}.parquet"
    make_folder(path.parent)
    with (
        atomic_path(path) as unfinished,
        pq.ParquetWriter(unfinished, schema, compression="zstd") as writer,
    ):
        for batch in _batches(rows, schema):
            writer.write_batch(batch)
    return path


def _batches(rows: Iterable[dict[str, Any]], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    waiting: list[dict[str, Any]] = []
    for row in rows:
        waiting.append(row)
        if len(waiting) == _GROUP_ROWS:
            yield pa.RecordBatch.from_pylist(waiting, schema=schema)
            waiting = []
    if waiting:
        yield pa.RecordBatch.from_pylist(waiting, schema=schema)


def cluster_rows(found: Decided) -> Iterator[dict[str, Any]]:
    """Yield the rows of ``clusters``, by the URL of the kept page, the kept one first, then by URL.

    Memory: 24 bytes a pair, and the URLs of the pages that are kept.
    """
    pairs, likeness = found.near
    both = np.concatenate((pairs, pairs[:, ::-1]))
    order = np.lexsort((-np.concatenate((likeness, likeness)), both[:, 0]))
    both, likeness = both[order], np.concatenate((likeness, likeness))[order]
    members = found.members()
    members = members[np.argsort(found.kept[members], kind="stable")]
    kept, starts = np.unique(found.kept[members], return_index=True)
    ends = np.append(starts[1:], len(members))
    for cluster in sorted(range(len(kept)), key=lambda cluster: found.url(int(kept[cluster]))):
        numbers = members[starts[cluster] : ends[cluster]].tolist()
        first = int(kept[cluster])
        for number in sorted(numbers, key=lambda n: (n != first, found.url(n))):
            yield _cluster_row(found, number, both, likeness)


def _cluster_row(found: Decided, number: int, both: I64, likeness: F64) -> dict[str, Any]:
    start, end = np.searchsorted(both[:, 0], [number, number + 1]).tolist()
    equal = end - int(np.searchsorted(likeness[start:end][::-1], likeness[start])) - start
    kept = int(found.kept[number])
    return {
        **ids_of(int(found.pages.page_ids[number])),
        "url": found.url(number),
        "kept": kept == number,
        "duplicate_of": None if kept == number else found.url(kept),
        "like": min(found.url(other) for other in both[start : start + equal, 1].tolist()),
        "likeness": float(likeness[start]),
    }


def ids_of(page_id: int) -> dict[str, int]:
    """Return the two columns of *page_id*."""
    return {"host_id": page_id >> 32, "local_id": page_id & 0xFFFFFFFF}
