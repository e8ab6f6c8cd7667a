"""Graphs as other programs read them from text and Parquet, bounded memory beside the graph.

*On disk.* Nodes are numbered 0 … n-1.

- ``edges.parquet``: ``source uint32``, ``target uint32``, and of hosts ``links uint64``; by ascending
  source, then target. ``vertices.parquet``: ``id uint32``, ``host`` (reversed), and of pages ``host_id
  uint32``, ``local_id uint32``, ``url``.
- ``edges.tsv.gz``: source, tab, target, as cc-webgraph has them; ``vertices.tsv.gz``: id, tab,
  reversed host, and of pages a tab and the URL.
- ``<name>.graph-txt``: WebGraph's ASCIIGraph, the number of nodes, then a line a node, its successors
  with blanks between them. ``<name>.arcs``: its ArcListASCIIGraph, source, tab, target.
"""

from __future__ import annotations

import gzip
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from crawler.durable.files import atomic_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path
    from typing import IO, Self

    import numpy.typing as npt

    from crawler.webgraph.forward import ForwardGraph

CHUNK_ARCS = 2**18
CHUNK_NODES = 50_000


class Vertices(NamedTuple):
    """The names of *n* nodes: *columns* of nodes from a first to before an end."""

    n: int
    columns: Callable[[int, int], dict[str, Any]]

    def chunks(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the first node of each chunk, and its columns."""
        for first in range(0, self.n, CHUNK_NODES):
            yield first, self.columns(first, min(first + CHUNK_NODES, self.n))


# Columns of the text form; the numbers of pages stand in the Parquet form only.
_TEXT_COLUMNS = ("host", "url")
_VERTEX_TYPES = {
    "id": pa.uint32(),
    "host": pa.string(),
    "host_id": pa.uint32(),
    "local_id": pa.uint32(),
    "url": pa.string(),
}


def write_edges_parquet(graph: ForwardGraph, path: Path) -> None:
    """Write the arcs of *graph* to *path*."""
    fields: list[pa.Field[Any]] = [
        pa.field("source", pa.uint32()),
        pa.field("target", pa.uint32()),
    ]
    if graph.links is not None:
        fields.append(pa.field("links", pa.uint64()))
    schema = pa.schema(fields)
    with (
        atomic_path(path) as unfinished,
        pq.ParquetWriter(unfinished, schema, compression="zstd") as writer,
    ):
        for first, stop in graph.chunks(4 * CHUNK_ARCS):
            arcs = slice(graph.indptr[first], graph.indptr[stop])
            columns: list[npt.NDArray[Any]] = [graph.sources(first, stop), graph.indices[arcs]]
            if graph.links is not None:
                columns.append(graph.links[arcs])
            writer.write_table(pa.table(list(map(pa.array, columns)), schema=schema))


def write_vertices_parquet(vertices: Vertices, path: Path) -> None:
    """Write *vertices* to *path*."""
    names = ["id", *vertices.columns(0, 0)]
    fields: list[pa.Field[Any]] = [pa.field(name, _VERTEX_TYPES[name]) for name in names]
    schema = pa.schema(fields)
    with (
        atomic_path(path) as unfinished,
        pq.ParquetWriter(unfinished, schema, compression="zstd") as writer,
    ):
        for first, columns in vertices.chunks():
            ids = np.arange(first, first + len(columns["host"]), dtype=np.uint32)
            writer.write_table(pa.table({"id": ids, **columns}, schema=schema))


def write_vertices_text(vertices: Vertices, path: Path) -> None:
    """Write *vertices* to the gzip file *path*."""
    with atomic_path(path) as unfinished, _GzipText(unfinished) as file:
        for first, columns in vertices.chunks():
            names = [columns[name] for name in _TEXT_COLUMNS if name in columns]
            for node, row in enumerate(zip(*names, strict=True), first):
                # Names of foreign tables may hold what would break the line.
                cells = (" ".join(cell.split()) for cell in row)
                file.write("\t".join([str(node), *cells]) + "\n")


def write_edges_text(graph: ForwardGraph, path: Path) -> None:
    """Write the arcs of *graph* to the gzip file *path*."""
    with atomic_path(path) as unfinished, _GzipText(unfinished) as file:
        _write_arcs(graph, file)


def write_arc_list(graph: ForwardGraph, path: Path) -> None:
    """Write the arcs of *graph* to *path*, a line each."""
    with atomic_path(path) as unfinished, unfinished.open("w", encoding="ascii") as file:
        _write_arcs(graph, file)


def _write_arcs(graph: ForwardGraph, file: IO[str] | _GzipText) -> None:
    for first, stop in graph.chunks(CHUNK_ARCS):
        targets = graph.indices[graph.indptr[first] : graph.indptr[stop]].tolist()
        sources = graph.sources(first, stop).tolist()
        file.writelines(f"{s}\t{t}\n" for s, t in zip(sources, targets, strict=True))


def write_ascii_graph(graph: ForwardGraph, path: Path) -> None:
    """Write *graph* to *path* as WebGraph's ASCIIGraph."""
    with atomic_path(path) as unfinished, unfinished.open("w", encoding="ascii") as file:
        file.write(f"{graph.n_nodes}\n")
        for first, stop in graph.chunks(CHUNK_ARCS):
            start = int(graph.indptr[first])
            targets = list(map(str, graph.indices[start : graph.indptr[stop]].tolist()))
            bounds = (graph.indptr[first : stop + 1] - start).tolist()
            for begin, end in pairwise(bounds):
                file.write(" ".join(targets[begin:end]) + "\n")


class _GzipText:
    """A gzip file of UTF-8 lines whose bytes depend on nothing but the lines."""

    def __init__(self, path: Path) -> None:
        self._raw = path.open("wb")
        self._gzip = gzip.GzipFile(filename="", fileobj=self._raw, mode="wb", mtime=0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._gzip.close()
        self._raw.close()

    def write(self, text: str) -> None:
        """Write *text*."""
        self._gzip.write(text.encode("utf-8", "replace"))

    def writelines(self, lines: Iterable[str]) -> None:
        """Write *lines*."""
        self.write("".join(lines))
