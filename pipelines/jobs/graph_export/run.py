"""Writes the graph of a corpus folder for other programs: the graph formats of ``scrapy export``.

*On disk.* In the folder asked for: ``edges.parquet``, ``vertices.parquet``, ``edges.tsv.gz``, ``vertices.tsv.gz``
(crawler.webgraph.export_text); ``graph.graph``, ``.offsets``, ``.properties`` (crawler.webgraph.bv.graph),
``.graph-txt``, ``.arcs``, ``.vertices.tsv.gz``; ``hosts.graphml`` (crawler.webgraph.host_export). The names of files of
hosts begin with ``host-``; no two formats write one file. Nodes are numbered in the order of their ids. The files of
a format take their places together, from a folder ``edges-parts``, ``host-webgraph-parts`` and so on, which stays where
a run is killed meanwhile: what stands beside it is of two exports then, and the next one first goes on with it.

Memory: twice the graph, 8 bytes an arc, 24 a page; the names of `CHUNK_NODES` nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.durable.file_sets import FileSet
from crawler.errors import InputError
from crawler.ranking.store import read_ranks
from crawler.urls import page_url
from crawler.webgraph.bv.graph import BV_ENDINGS, write_bv
from crawler.webgraph.export_text import (
    Vertices,
    write_arc_list,
    write_ascii_graph,
    write_edges_parquet,
    write_edges_text,
    write_vertices_parquet,
    write_vertices_text,
)
from crawler.webgraph.forward import forward_graph, host_forward_graph
from crawler.webgraph.host_export import best_hosts, host_networkx, write_graphml
from crawler.webgraph.named_graph import corpus_graph, open_graph
from crawler.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    import numpy.typing as npt

    from crawler.webgraph.forward import ForwardGraph
    from crawler.webgraph.named_graph import NamedGraph
    from pipelines.jobs.graph_export.options import GraphExportOptions

    # Told what is done next.
    Tell = Callable[[str], None]
    # What writes a file of a name, or several whose names begin so, which it returns.
    Writers = Mapping[str, Callable[[Path], list[Path] | None]]

RANKS_FILE = "ranks/pagerank.parquet"


@dataclass(frozen=True, slots=True)
class GraphExportReport:
    """What was written."""

    format: str
    nodes: int
    edges: int
    files: list[str]

    def screen(self) -> str:
        """Return the report as lines for people."""
        lines = [f"nodes    {self.nodes:,}", f"edges    {self.edges:,}"]
        return "\n".join([*lines, *(f"written  {file}" for file in self.files)])


def export_graph(
    folder: Path, options: GraphExportOptions, *, output: Path, tell: Tell | None = None
) -> GraphExportReport:
    """Write the graph in *folder*, a corpus or tables of nodes and edges, to *output*; *tell* what is done meanwhile.

    Raises `InputError` when there is no graph, ranks are asked for and not there, or the files cannot
    be written.
    """
    with open_graph(folder) as stored:
        if options.order == "rank" and not (folder / RANKS_FILE).is_file():
            raise InputError(
                f"no ranks in {folder}; run `scrapy pagerank` first or give --by in-degree"
            )
        tell = tell or _untold
        tell("reading the graph ")
        graph = corpus_graph(stored, nofollow=options.nofollow)
        return _export(graph, folder, options, output, tell)


def _untold(_: str) -> None:
    """Tell nothing."""


def _export(
    named: NamedGraph, folder: Path, options: GraphExportOptions, output: Path, tell: Tell
) -> GraphExportReport:
    try:
        output.mkdir(parents=True, exist_ok=True)
        if options.format == "graphml":
            return _export_graphml(named, folder, options, output, tell)
        if options.level == "host":
            graph, vertices = host_forward_graph(named.graph), host_vertices(named)
        else:
            graph, vertices = forward_graph(named.graph), page_vertices(named)
        start = "host-" if options.level == "host" else ""
        waiting = output / f"{start}{options.format}-parts"
        files = _written(_WRITERS[options.format](graph, vertices), waiting, start, tell)
    except OSError as error:
        raise InputError(
            f"cannot write into {output} ({error.strerror}); give another --output"
        ) from error
    names = [str(file) for file in files]
    return GraphExportReport(options.format, graph.n_nodes, len(graph.indices), names)


def host_vertices(named: NamedGraph) -> Vertices:
    """Return the names of the hosts of *named*."""
    return Vertices(named.graph.n_hosts, lambda first, stop: {"host": named.host_keys[first:stop]})


def page_vertices(named: NamedGraph) -> Vertices:
    """Return the names of the pages of *named*."""
    graph = named.graph

    def columns(first: int, stop: int) -> dict[str, Any]:
        places = np.arange(first, stop)
        host = np.searchsorted(graph.host_ptr, places, side="right") - 1
        ids = graph.host_ids[host].astype(np.uint64) << np.uint64(32)
        keys = named.keys(ids | graph.local_ids[first:stop])
        return {
            "host": [key.host for key in keys],
            "host_id": graph.host_ids[host],
            "local_id": graph.local_ids[first:stop],
            "url": [page_url(key) for key in keys],
        }

    return Vertices(graph.n_pages, columns)


def _edges_files(graph: ForwardGraph, vertices: Vertices) -> Writers:
    return {
        "edges.parquet": partial(write_edges_parquet, graph),
        "vertices.parquet": partial(write_vertices_parquet, vertices),
        "edges.tsv.gz": partial(write_edges_text, graph),
        "vertices.tsv.gz": partial(write_vertices_text, vertices),
    }


def _webgraph_files(graph: ForwardGraph, vertices: Vertices) -> Writers:
    return {
        "graph": partial(write_bv, graph),
        "graph.graph-txt": partial(write_ascii_graph, graph),
        "graph.arcs": partial(write_arc_list, graph),
        "graph.vertices.tsv.gz": partial(write_vertices_text, vertices),
    }


_WRITERS: dict[str, Callable[[ForwardGraph, Vertices], Writers]] = {
    "edges": _edges_files,
    "webgraph": _webgraph_files,
}


def _written(writers: Writers, waiting: Path, start: str, tell: Tell) -> list[Path]:
    """Write the files of *writers* beside the folder *waiting*, their names beginning with *start*; return them."""
    names: list[str] = []
    with FileSet(waiting, partial(_files_of, start, writers)).written() as together:
        for name, write in writers.items():
            tell(f"writing {start}{name} ")
            path = together / f"{start}{name}"
            names += [file.name for file in write(path) or [path]]
    return [waiting.parent / name for name in names]


def _files_of(start: str, writers: Writers, folder: Path) -> list[Path]:
    """Return the files in *folder* whose names are those of *writers* behind *start*."""
    names = {*(f"{start}{name}" for name in writers), *(f"{start}graph{end}" for end in BV_ENDINGS)}
    return sorted(path for path in folder.iterdir() if path.name in names and path.is_file())


def _export_graphml(
    named: NamedGraph, folder: Path, options: GraphExportOptions, output: Path, tell: Tell
) -> GraphExportReport:
    tell("counting the links of hosts ")
    hosts = host_forward_graph(named.graph)
    path = folder / RANKS_FILE
    rank = host_ranks(named, path) if path.is_file() else None
    chosen = best_hosts(hosts, options.top, rank if options.order == "rank" else None)
    graph = host_networkx(named, hosts, chosen, rank, tell=tell)
    tell(f"writing hosts.graphml, {counted(graph.number_of_edges(), 'edge')} ")
    write_graphml(graph, output / "hosts.graphml")
    n_nodes, n_edges = graph.number_of_nodes(), graph.number_of_edges()
    return GraphExportReport(options.format, n_nodes, n_edges, [str(output / "hosts.graphml")])


def host_ranks(named: NamedGraph, path: Path) -> npt.NDArray[np.float64]:
    """Return the sum of the ranks of each host's pages, in the ranks file *path*: float64[h].

    Pages that became known after they were made have none.
    """
    table = read_ranks(path)
    ids = table.column("host_id").to_numpy()
    place = np.searchsorted(named.graph.host_ids, ids)
    place = np.minimum(place, max(named.graph.n_hosts - 1, 0))
    known = named.graph.host_ids[place] == ids if named.graph.n_hosts else np.zeros(0, bool)
    values = table.column("rank").to_numpy()
    sums = np.bincount(place[known], weights=values[known], minlength=named.graph.n_hosts)
    return sums.astype(np.float64)
