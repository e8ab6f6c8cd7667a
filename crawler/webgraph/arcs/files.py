"""Files of arcs: blocks of encoded arcs in Parquet.

*On disk.* Parquet, format `FORMAT_VERSION` in the metadata under ``winnow_arcs_version``, the number of rows under
``winnow_arcs_blocks``. A row is a block: ``n_sources uint32``, ``n_targets uint32``, ``n_flags uint32``, and a binary
column for each stream of `crawler.webgraph.arcs.streams`, compressed with zstd, under checksums, and ``digest uint64``:
xxh3-64 of the counts (u32 little-endian) and the streams, one behind the other, for Parquet's own description of the
columns, and of how many rows there are, has no checksum. Sources ascend from block to block, each once in the file. A
block has about `BLOCK_ARCS` arcs, and is flat or packed, whichever is smaller.

Memory: a row group, `GROUP_ROWS` blocks of some 80 kB, and what is made of them.
"""

from __future__ import annotations

import struct
from contextlib import contextmanager
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import xxhash

from crawler.durable.files import check_readable
from crawler.errors import FormatError
from crawler.webgraph.arcs.blocks import ArcBatch, ArcBlock, latest_arcs
from crawler.webgraph.arcs.streams import BITS, Streams, streams_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from typing import Self

    import numpy.typing as npt

FORMAT_VERSION = "2"  # 1 was one row an arc
BLOCK_ARCS = 2**16
GROUP_ROWS = 16
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


class ArcFile:
    """The file *path* of arcs, open for reading: its row groups, in any order; a context manager.

    Raises `FormatError`, here and below, when it is damaged or of another version.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._damage():
            self._file = pq.ParquetFile(path, page_checksum_verification=True)
        try:
            with self._damage():
                self._rows = _checked_rows(path, self._file)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def __len__(self) -> int:
        """Return the number of row groups."""
        return len(self._rows)

    def blocks(self, group: int) -> list[ArcBlock]:
        """Return the blocks of row group *group*."""
        rows = self._read(group, _SCHEMA.names)
        counts = np.stack([rows.column(name).to_numpy() for name in _COUNTS], axis=1).tolist()
        streams = zip(*(_values(rows.column(name)) for name in Streams._fields), strict=True)
        digests = rows.column("digest").to_pylist()
        blocks = []
        for (n_sources, n_targets, n_flags), raw, digest in zip(
            counts, streams, digests, strict=True
        ):
            if _digest((n_sources, n_targets, n_flags), raw) != digest:
                raise _damaged(self.path, "digest of a block")
            words = [_words(stream) for stream in raw[BITS:]]
            blocks.append(ArcBlock(n_sources, n_targets, n_flags, streams_of(raw[:BITS], words)))
        return blocks

    def n_targets(self, group: int) -> int:
        """Return the number of targets in row group *group*, each of a page counted once."""
        column = self._read(group, ["n_targets"]).column("n_targets")
        return int(column.to_numpy().sum(dtype=np.int64))

    def sources(self, group: int) -> npt.NDArray[np.uint64]:
        """Return the pages whose arcs row group *group* holds, ascending."""
        rows = self._read(group, ["n_sources", "sources"])
        empty = streams_of([np.zeros(0, dtype=np.uint8)] * BITS)
        parts = [np.zeros(0, dtype=np.uint64)]
        both = zip(
            rows.column("n_sources").to_numpy().tolist(),
            _values(rows.column("sources")),
            strict=True,
        )
        for n_sources, stream in both:
            block = ArcBlock(n_sources, 0, 0, empty._replace(sources=stream))
            parts.append(block.sources())
        return np.concatenate(parts)

    def _read(self, group: int, columns: list[str]) -> pa.RecordBatch:
        with self._damage():
            table = self._file.read_row_group(group, columns, use_threads=False)
            if table.num_rows != self._rows[group]:
                raise _damaged(self.path, "blocks are missing")
            return table.combine_chunks().to_batches()[0]

    @contextmanager
    def _damage(self) -> Iterator[None]:
        try:
            yield
        except (pa.ArrowException, OSError, UnicodeError) as error:  # names of columns, too
            check_readable(self.path)
            raise _damaged(self.path, str(error).splitlines()[0]) from error


def _checked_rows(path: Path, file: pq.ParquetFile) -> list[int]:
    """Return the rows of each row group, after a look at the version and the columns."""
    schema, metadata = file.schema_arrow, file.metadata.metadata or {}
    version = metadata.get(_VERSION_KEY.encode(), b"1").decode(errors="replace")
    if version != FORMAT_VERSION:
        raise FormatError(
            f"{path} has arcs format {version}, this program {FORMAT_VERSION}; crawl again, or read "
            "it with the program that wrote it"
        )
    n_blocks = metadata.get(_BLOCKS_KEY.encode(), b"none")
    if not schema.equals(_SCHEMA) or not n_blocks.isdigit():
        raise _damaged(path, "its columns")
    groups = range(file.metadata.num_row_groups)
    rows = [file.metadata.row_group(group).num_rows for group in groups]
    if sum(rows) != int(n_blocks) or min(rows, default=1) < 1:
        raise _damaged(path, "blocks are missing")
    return rows


def _damaged(path: Path, reason: str) -> FormatError:
    return FormatError(f"{path} is damaged ({reason}); restore it from a copy")


def _values(column: pa.Array[Any]) -> list[npt.NDArray[np.uint8]]:
    """Return the values of a column of bytes: views."""
    buffers: list[Any] = column.buffers()
    _, ends, data = buffers
    bounds = np.frombuffer(ends, dtype=np.int32)[column.offset :][: len(column) + 1].tolist()
    raw = np.frombuffer(data, dtype=np.uint8) if data is not None else np.zeros(0, dtype=np.uint8)
    # Kernels are compiled for arrays that may be written.
    raw = raw if raw.flags.writeable else raw.copy()
    return [raw[begin:end] for begin, end in pairwise(bounds)]


def _words(stream: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint64]:
    words = stream.view("<u8").astype(np.uint64, copy=False)
    return words if words.flags.aligned else words.copy()


def read_blocks(path: Path) -> Iterator[ArcBlock]:
    """Yield the blocks of *path*; raise `FormatError` when it is damaged or of another version."""
    with ArcFile(path) as file:
        for group in range(len(file)):
            yield from file.blocks(group)


def read_arcs(path: Path) -> ArcBatch:
    """Return the arcs of the file *path*."""
    return latest_arcs([block.batch() for block in read_blocks(path)])
