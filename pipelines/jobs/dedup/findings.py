"""Writes what was found to ``duplicates/`` of the corpus folder.

*On disk.* Parquet, zstd, replaced by each run; metadata key ``winnow.format`` (1), and
``winnow.dedup``, the options as JSON.

``duplicates/clusters.parquet``, one row a document of a cluster, kept ones too: ``host_id uint32,
local_id uint32, url, kept bool, duplicate_of`` (URL of the kept one, null for itself), ``like`` (URL of
the document it resembles most) and ``resemblance float32`` to that one.

``duplicates/blocks.parquet``, one row a removed block: ``host_id, local_id, url, block uint32`` (index in
column ``blocks``), ``reason`` (``duplicate``, or ``context``: it stood beside duplicates), ``text``.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from crawler.durable.files import atomic_path, make_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from pipelines.jobs.dedup.clusters import Clusters
    from pipelines.jobs.dedup.facts import Facts
    from pipelines.jobs.dedup.options import DedupOptions

FORMAT = 1
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
        ("resemblance", pa.float32()),
    ]
)
BLOCKS = pa.schema([*_IDS, ("block", pa.uint32()), ("reason", pa.string()), ("text", pa.string())])


def write_findings(
    corpus_dir: Path, name: str, rows: Iterable[dict[str, Any]], options: DedupOptions
) -> Path:
    """Write *rows* as ``duplicates/<name>.parquet``; return its path."""
    schema = {"clusters": CLUSTERS, "blocks": BLOCKS}[name].with_metadata(
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


def cluster_rows(found: Clusters, facts: Facts, urls: dict[int, str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of ``clusters``, by the URL of the kept document, then by their own."""
    most_like: dict[int, tuple[float, str, int]] = {}
    for (i, j), shared in zip(
        found.pairs.pairs.tolist(), found.pairs.resemblances.tolist(), strict=True
    ):
        for number, other in ((i, j), (j, i)):
            candidate = (-shared, urls[other], other)
            most_like[number] = min(most_like.get(number, candidate), candidate)
    kept = {number: int(found.kept[number]) for number in most_like}
    for number in sorted(most_like, key=lambda n: (urls[kept[n]], n != kept[n], urls[n])):
        shared, like, _ = most_like[number]
        is_kept = kept[number] == number
        yield {
            **ids_of(int(facts.page_ids[number])),
            "url": urls[number],
            "kept": is_kept,
            "duplicate_of": None if is_kept else urls[kept[number]],
            "like": like,
            "resemblance": -shared,
        }


def ids_of(page_id: int) -> dict[str, int]:
    """Return the two columns of *page_id*."""
    return {"host_id": page_id >> 32, "local_id": page_id & 0xFFFFFFFF}
