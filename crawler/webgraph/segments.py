"""Sealed segments of the graph: the logs ``disc`` and ``arcs`` as Parquet.

*On disk.* In ``graph/<shard>/``, each seal writes up to three files of one serial:

- ``hosts-…``: ``host_id uint32``, ``host string`` (the host key), hosts found.
- ``pages-…``: ``host_id uint32``, ``local_id uint32``, ``local string`` (the local key), pages found.
- ``arcs-…``: ``source_host uint32``, ``source_local uint32``, ``target_host uint32``,
  ``target_local uint32``, ``flags uint8`` (crawler.webgraph.arcs): the arcs of the pages captured,
  each page's together. A page without arcs has one row whose target and flags are null. Of a page
  that stands in several files the one with the largest serial counts.

Memory of a seal: the backlog's arcs, 30 bytes each, and one record of ``disc`` at a time.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from crawler.durable.layout import GRAPH
from crawler.durable.parquet import ParquetSink, read_parquet
from crawler.durable.records import unpack_record
from crawler.durable.sealing import Backlog, BacklogMeter, read_log, seal
from crawler.errors import FormatError
from crawler.webgraph.arcs import ArcBatch, unpack_arcs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from crawler.durable.journal import Journal

_HOSTS: list[pa.Field[Any]] = [pa.field("host_id", pa.uint32()), pa.field("host", pa.string())]
_PAGES: list[pa.Field[Any]] = [
    pa.field("host_id", pa.uint32()),
    pa.field("local_id", pa.uint32()),
    pa.field("local", pa.string()),
]

_ARCS: list[pa.Field[Any]] = [
    pa.field("source_host", pa.uint32()),
    pa.field("source_local", pa.uint32()),
    pa.field("target_host", pa.uint32()),
    pa.field("target_local", pa.uint32()),
    pa.field("flags", pa.uint8()),
]

HOSTS, PAGES, ARCS = pa.schema(_HOSTS), pa.schema(_PAGES), pa.schema(_ARCS)

KINDS = {"hosts": f"{GRAPH}/hosts-", "pages": f"{GRAPH}/pages-", "arcs": f"{GRAPH}/arcs-"}

# Rows of a row group: some megabytes, read as one.
GROUP_ROWS = 2**20


class GraphSealer:
    """Seals the graph of *corpus_dir* when its logs hold *n_arcs* arcs or *n_bytes* bytes."""

    def __init__(self, corpus_dir: Path, *, n_arcs: int, n_bytes: int) -> None:
        self.corpus_dir = corpus_dir
        self.n_arcs = n_arcs
        self.n_bytes = n_bytes
        self._meters = {log: BacklogMeter(log) for log in ("arcs", "disc")}

    def __call__(self, journal: Journal, *, force: bool = False) -> int:
        with journal.read() as txn:
            logs = {log: meter.measure(txn) for log, meter in self._meters.items()}
        full = {log: backlog for log, backlog in logs.items() if backlog.last}
        n_bytes = sum(backlog.bytes for backlog in full.values())
        due = logs["arcs"].rows >= self.n_arcs or n_bytes >= self.n_bytes
        if not full or not (due or force):
            return 0
        write = partial(_write, journal, full)
        # Both logs count their seals under one name, so that the files of one seal share a serial.
        ordered = {log: full.get(log, Backlog()) for log in logs}
        return len(seal(journal, self.corpus_dir, logs=ordered, files=KINDS, write=write))


def _write(
    journal: Journal, logs: Mapping[str, Backlog], paths: Mapping[str, Path]
) -> dict[str, int]:
    rows: dict[str, int] = {}
    if "disc" in logs:
        rows |= _write_pages(journal, logs["disc"].last, paths)
    if "arcs" in logs:
        records = read_log(journal, "arcs", last=logs["arcs"].last)
        with ParquetSink(paths["arcs"], ARCS, group_rows=GROUP_ROWS) as sink:
            sink.write(_arc_rows(latest_arcs([unpack_arcs(record) for record in records])))
        rows["arcs"] = sink.n_rows
    return {kind: n_rows for kind, n_rows in rows.items() if n_rows}


def _write_pages(journal: Journal, last: int, paths: Mapping[str, Path]) -> dict[str, int]:
    with (
        ParquetSink(paths["hosts"], HOSTS, group_rows=GROUP_ROWS) as hosts,
        ParquetSink(paths["pages"], PAGES, group_rows=GROUP_ROWS) as pages,
    ):
        for record in read_log(journal, "disc", last=last):
            found = unpack_found(record)
            if found["hosts"]:
                ids, keys = zip(*found["hosts"], strict=True)
                hosts.write(pa.RecordBatch.from_arrays([_u32(ids), _text(keys)], schema=HOSTS))
            columns = [*_halves(found["ids"]), _text(found["locals"])]
            pages.write(pa.RecordBatch.from_arrays(columns, schema=PAGES))
    return {"hosts": hosts.n_rows, "pages": pages.n_rows}


def unpack_found(record: bytes) -> dict[str, Any]:
    """Return a record of ``disc``: ``hosts`` pairs, ``ids`` uint64[n], ``locals`` n strings."""
    found: dict[str, Any] = unpack_record(record)
    try:
        found["ids"] = np.frombuffer(found["ids"], dtype="<u8").astype(np.uint64)
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(
            f"a record of pages is damaged ({error}); restore it from a copy"
        ) from error
    return found


def latest_arcs(batches: Sequence[ArcBatch]) -> ArcBatch:
    """Put *batches* together; of a source that stands there more than once the last one counts."""
    if not batches:
        empty = np.zeros(0, dtype=np.uint64)
        return ArcBatch(empty, empty.astype(np.uint32), empty, empty.astype(np.uint8))
    sources = np.concatenate([batch.sources for batch in batches])
    counts = np.concatenate([batch.counts for batch in batches])
    targets = np.concatenate([batch.targets for batch in batches])
    flags = np.concatenate([batch.flags for batch in batches])
    _, from_end = np.unique(sources[::-1], return_index=True)
    if len(from_end) == len(sources):
        return ArcBatch(sources, counts, targets, flags)
    keep = np.zeros(len(sources), dtype=np.bool_)
    keep[len(sources) - 1 - from_end] = True
    kept_arcs = np.repeat(keep, counts)
    return ArcBatch(sources[keep], counts[keep], targets[kept_arcs], flags[kept_arcs])


def _arc_rows(batch: ArcBatch) -> pa.RecordBatch:
    rows = np.maximum(batch.counts, 1)
    lonely = np.repeat(batch.counts == 0, rows)
    targets = np.zeros(len(lonely), dtype=np.uint64)
    flags = np.zeros(len(lonely), dtype=np.uint8)
    targets[~lonely], flags[~lonely] = batch.targets, batch.flags
    high, low = _halves(targets, lonely)
    sources = _halves(np.repeat(batch.sources, rows))
    return pa.RecordBatch.from_arrays(
        [*sources, high, low, pa.array(flags, mask=lonely)], schema=ARCS
    )


def read_arcs(path: Path) -> ArcBatch:
    """Return the arcs of the sealed file *path*."""
    return latest_arcs([_arc_batch(batch) for batch in _joined(read_parquet(path))])


def _joined(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    # A page's rows may lie on both sides of a batch's end.
    table = pa.Table.from_batches(list(batches), schema=ARCS).combine_chunks()
    yield from table.to_batches()


def _arc_batch(rows: pa.RecordBatch) -> ArcBatch:
    sources = packed_ids(rows.column("source_host"), rows.column("source_local"))
    present = rows.column("target_host").is_valid().to_numpy(zero_copy_only=False)
    starts = np.flatnonzero(np.concatenate(([True], sources[1:] != sources[:-1])))
    counts = np.add.reduceat(present, starts, dtype=np.uint32)
    found = rows.filter(pa.array(present))
    return ArcBatch(
        sources[starts],
        counts,
        packed_ids(found.column("target_host"), found.column("target_local")),
        found.column("flags").to_numpy(),
    )


def packed_ids(hosts: pa.Array[Any], locals_: pa.Array[Any]) -> npt.NDArray[np.uint64]:
    """Return the page ids of two columns without nulls."""
    high = hosts.to_numpy().astype(np.uint64)
    packed: npt.NDArray[np.uint64] = high << np.uint64(32) | locals_.to_numpy().astype(np.uint64)
    return packed


def _halves(
    ids: npt.NDArray[np.uint64], mask: npt.NDArray[np.bool_] | None = None
) -> tuple[pa.Array[Any], pa.Array[Any]]:
    high = (ids >> np.uint64(32)).astype(np.uint32)
    return pa.array(high, mask=mask), pa.array(ids.astype(np.uint32), mask=mask)


def _u32(values: Sequence[int]) -> pa.Array[Any]:
    return pa.array(np.array(values, dtype=np.uint32))


def _text(values: Sequence[str]) -> pa.Array[Any]:
    return pa.array(values, type=pa.string())
