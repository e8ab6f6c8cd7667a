"""Files of arcs: blocks of encoded arcs in Parquet.

*On disk.* Parquet, format `FORMAT_VERSION` in the metadata under ``winnow_arcs_version``, the number of rows under ``winnow_arcs_blocks``. A row is a
block: ``n_sources uint32``, ``n_targets uint32``, ``n_flags uint32``, and a binary column for each
stream of `crawler.webgraph.arc_streams`, compressed with zstd, under checksums, and ``digest uint64``:
xxh3-64 of the counts (u32 little-endian) and the streams, one behind the other, for Parquet's own
description of the columns, and of how many rows there are, has no checksum. Sources ascend from block to block, each once in the file. A block has about `BLOCK_ARCS` arcs, and is flat or packed,
whichever is smaller.

Memory: a row group, `GROUP_ROWS` blocks of some 80 kB, and what is made of a block.
"""

from __future__ import annotations

import struct
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import xxhash

from crawler.durable.parquet import read_parquet
from crawler.errors import FormatError
from crawler.webgraph.arc_blocks import ArcBatch, ArcBlock, latest_arcs
from crawler.webgraph.arc_streams import BITS, Streams, streams_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    import numpy.typing as npt

FORMAT_VERSION = "2"  # 1 was one row an arc
BLOCK_ARCS = 2**16
GROUP_ROWS = 64
# Blocks read at a time.
BATCH_ROWS = 16
# measured: 0.671, 0.657, 0.633 bytes an arc of the Hollins site at level 1, 3, 9, written at 7.2,
# 7.0, 4.4 M arcs/s; nothing is gained above level 1 on the synthetic LargeWeb
ZSTD_LEVEL = 3

_VERSION_KEY, _BLOCKS_KEY = "winnow_arcs_version", "winnow_arcs_blocks"
_COUNTS = ("n_sources", "n_targets", "n_flags")
_FIELDS: list[pa.Field[Any]] = [
    *(pa.field(name, pa.uint32(), nullable=False) for name in _COUNTS),
    *(pa.field(name, pa.binary(), nullable=False) for name in Streams._fields),
    pa.field("digest", pa.uint64(), nullable=False),
]
_SCHEMA = pa.schema(_FIELDS, metadata={_VERSION_KEY: FORMAT_VERSION})


def write_arcs(path: Path, batches: Iterable[ArcBatch]) -> int:
    """Write *batches*, whose sources ascend from first to last, to *path*; return the sources."""
    n_sources, n_blocks, last = 0, 0, -1
    rows: list[dict[str, object]] = []
    with pq.ParquetWriter(
        path,
        _SCHEMA,
        compression="zstd",
        compression_level=ZSTD_LEVEL,
        use_dictionary=False,
        write_statistics=False,
        write_page_checksum=True,
    ) as writer:
        for part in chain.from_iterable(map(_cut, batches)):
            if int(part.sources[0]) <= last:
                raise ValueError("sources must ascend from batch to batch")
            last = int(part.sources[-1])
            n_sources += len(part.sources)
            n_blocks += 1
            rows.append(_row(_smaller(part)))
            if len(rows) == GROUP_ROWS:
                writer.write_table(pa.Table.from_pylist(rows, schema=_SCHEMA))
                rows = []
        if rows:
            writer.write_table(pa.Table.from_pylist(rows, schema=_SCHEMA))
        writer.add_key_value_metadata({_BLOCKS_KEY: str(n_blocks)})
    return n_sources


def _cut(batch: ArcBatch) -> Iterator[ArcBatch]:
    """Yield *batch* in parts of about `BLOCK_ARCS` arcs, and at most that many pages."""
    ends = np.concatenate([[0], np.cumsum(batch.counts, dtype=np.int64)])
    start = 0
    while start < len(batch.sources):
        stop = int(np.searchsorted(ends, ends[start] + BLOCK_ARCS, side="right")) - 1
        stop = min(max(stop, start + 1), start + BLOCK_ARCS)
        arcs = slice(ends[start], ends[stop])
        pages = slice(start, stop)
        yield ArcBatch(
            batch.sources[pages], batch.counts[pages], batch.targets[arcs], batch.flags[arcs]
        )
        start = stop


def _smaller(batch: ArcBatch) -> ArcBlock:
    """Return *batch* as the block, flat or packed, that takes fewer bytes when compressed."""
    codec = pa.Codec("zstd", compression_level=ZSTD_LEVEL)
    blocks = ArcBlock.of(batch), ArcBlock.of(batch, packed=True)
    return min(blocks, key=lambda block: sum(_size(codec, stream) for stream in block.streams))


def _size(codec: pa.Codec, stream: npt.NDArray[Any]) -> int:
    return min(len(codec.compress(stream.tobytes(), asbytes=True)), stream.nbytes + 16)


def _row(block: ArcBlock) -> dict[str, object]:
    counts = {name: getattr(block, name) for name in _COUNTS}
    words = [stream.astype("<u8", copy=False) for stream in block.streams[BITS:]]
    raw = [stream.tobytes() for stream in (*block.streams[:BITS], *words)]
    digest = _digest(counts.values(), raw)
    return counts | dict(zip(Streams._fields, raw, strict=True)) | {"digest": digest}


def _digest(counts: Iterable[int], raw: Iterable[Any]) -> int:
    digest = xxhash.xxh3_64(struct.pack("<III", *counts))
    for stream in raw:
        digest.update(stream)
    return digest.intdigest()


def read_blocks(path: Path) -> Iterator[ArcBlock]:
    """Yield the blocks of *path*; raise `FormatError` when it is damaged or of another version."""
    for rows in _read(path, _SCHEMA.names):
        for row in range(rows.num_rows):
            yield _block(path, rows, row)


def _read(path: Path, columns: list[str]) -> Iterator[pa.RecordBatch]:
    """Yield *columns* of all rows."""
    n_left = _n_blocks(path)
    try:
        for rows in read_parquet(path, columns, batch_rows=BATCH_ROWS):
            n_left -= rows.num_rows
            yield rows
    except UnicodeError as error:  # names of columns
        raise _damaged(path, "its columns") from error
    if n_left:
        raise _damaged(path, "blocks are missing")


def _n_blocks(path: Path) -> int:
    """Return the number of blocks of *path*, after a look at its version and its columns."""
    try:
        with pq.ParquetFile(path) as file:
            schema, metadata = file.schema_arrow, file.metadata.metadata or {}
    except (OSError, pa.ArrowException, UnicodeError) as error:
        raise _damaged(path, str(error).splitlines()[0]) from error
    version = metadata.get(_VERSION_KEY.encode(), b"1").decode(errors="replace")
    if version != FORMAT_VERSION:
        raise FormatError(
            f"{path} has arcs format {version}, this program {FORMAT_VERSION}; crawl again, or read "
            "it with the program that wrote it"
        )
    n_blocks = metadata.get(_BLOCKS_KEY.encode(), b"none")
    if not schema.equals(_SCHEMA) or not n_blocks.isdigit():
        raise _damaged(path, "its columns")
    return int(n_blocks)


def _damaged(path: Path, reason: str) -> FormatError:
    return FormatError(f"{path} is damaged ({reason}); restore it from a copy")


def _block(path: Path, rows: pa.RecordBatch, row: int) -> ArcBlock:
    counts = [int(rows.column(name)[row].as_py()) for name in _COUNTS]
    raw = [_bytes(rows.column(name), row) for name in Streams._fields]
    if _digest(counts, raw) != rows.column("digest")[row].as_py():
        raise _damaged(path, "digest of a block")
    words = [stream.view("<u8").astype(np.uint64, copy=False) for stream in raw[BITS:]]
    return ArcBlock(counts[0], counts[1], counts[2], streams_of(raw[:BITS], words))


def _bytes(column: pa.Array[Any], row: int) -> npt.NDArray[np.uint8]:
    # A copy: words must lie on a multiple of 8.
    return np.frombuffer(column[row].as_buffer(), dtype=np.uint8).copy()


def read_arcs(path: Path) -> ArcBatch:
    """Return the arcs of the file *path*."""
    return latest_arcs([block.batch() for block in read_blocks(path)])


def read_sources(path: Path) -> npt.NDArray[np.uint64]:
    """Return the pages whose arcs the file *path* holds, ascending."""
    empty = streams_of([np.zeros(0, dtype=np.uint8)] * BITS)
    parts = [np.zeros(0, dtype=np.uint64)]
    for rows in _read(path, ["n_sources", "sources"]):
        for row, n_sources in enumerate(rows.column("n_sources").to_numpy().tolist()):
            streams = empty._replace(sources=_bytes(rows.column("sources"), row))
            parts.append(ArcBlock(n_sources, 0, 0, streams).sources())
    return np.concatenate(parts)


def count_targets(path: Path) -> int:
    """Return the number of targets in the file *path*, each of a page counted once."""
    columns = [rows.column("n_targets") for rows in _read(path, ["n_targets"])]
    return sum(int(column.to_numpy().sum(dtype=np.int64)) for column in columns)
