"""The graph in a folder, with the names of its hosts and pages: of a corpus, or of tables of nodes and edges.

Tables are a folder with ``nodes.tsv.gz``, lines of a number and a URL or host (further columns are
left alone), each number once, and ``edges.tsv.gz``, lines of two such numbers (a third column, weight, is left alone).
A name without scheme is taken as ``http://name``; nodes of one page are one page.

Memory: that of the graph and, of tables, their text.
"""

from __future__ import annotations

import gzip
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from crawler.durable.layout import shards_of
from crawler.errors import InputError, cause
from crawler.urls import PageKey, page_key, page_url
from crawler.webgraph.csr import HostGraph
from crawler.webgraph.graph import Graph

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from crawler.webgraph.page_numbers import Room

    Ids = npt.NDArray[np.uint64]

NODES, EDGES = "nodes.tsv.gz", "edges.tsv.gz"


@dataclass(frozen=True, slots=True, eq=False)
class NamedGraph:
    """*host_keys* are those of the hosts of *graph*, in its order; *keys* maps packed ids to keys."""

    graph: HostGraph
    host_keys: list[str]
    keys: Callable[[Ids], list[PageKey]]


class TableGraph:
    """The graph of tables, asked as a :class:`Graph` is: no host of it has a category, no arc is nofollow.

    *ids* maps keys to packed ids, *host_keys* are those of the hosts by their HostIDs.
    """

    n_lost_arcs = 0

    def __init__(self, graph: HostGraph, host_keys: list[str], ids: dict[PageKey, int]) -> None:
        self.graph = graph
        self.host_keys = host_keys
        self._ids = ids
        self._keys = {page_id: key for key, page_id in ids.items()}

    def host_graph(self, *, nofollow: bool = True, room: Room = np.empty) -> HostGraph:  # noqa: ARG002  a corpus has them
        """Return the graph."""
        return self.graph

    def hosts(self) -> dict[int, str]:
        """Return HostID → host key of all hosts, ascending."""
        return dict(enumerate(self.host_keys))

    def keys(self, ids: Ids | Sequence[int]) -> list[PageKey]:
        """Return the keys of the pages *ids*; raise `KeyError` for an id that was never given."""
        return [self._keys[page_id] for page_id in np.asarray(ids, np.uint64).tolist()]

    def urls(self, ids: Ids | Sequence[int]) -> list[str]:
        """Return the URLs of the pages *ids*; raise `KeyError` for an id that was never given."""
        return [page_url(key) for key in self.keys(ids)]

    def find(self, keys: Sequence[PageKey]) -> tuple[Ids, npt.NDArray[np.bool_]]:
        """Return the ids of *keys*, 0 where not known, and a mask of what is known."""
        known = np.array([key in self._ids for key in keys], dtype=np.bool_)
        return np.array([self._ids.get(key, 0) for key in keys], dtype=np.uint64), known

    def captured(self) -> Ids:
        """Return the ids of the pages that link to any, sorted."""
        return self.graph.packed[self.graph.out_degree > 0]

    def categories(self, host_id: int) -> tuple[str, ...]:  # noqa: ARG002  as above
        """Return the category paths of a host: none."""
        return ()


@contextmanager
def open_graph(folder: Path) -> Iterator[Graph | TableGraph]:
    """Yield the graph in *folder*, tables or a corpus; raise `InputError` when there is none."""
    if has_tables(folder):
        yield read_tables(folder)
        return
    for name, other in ((NODES, EDGES), (EDGES, NODES)):
        if (folder / name).is_file() and not shards_of(folder):
            raise InputError(f"{folder} has {name}, but no {other}; add it")
    with Graph.open(folder) as stored:
        yield stored


def corpus_graph(stored: Graph | TableGraph, *, nofollow: bool = False) -> NamedGraph:
    """Return the graph *stored*, with arcs that are only nofollow links if *nofollow*.

    Its names are read while *stored* is open.
    """
    graph = stored.host_graph(nofollow=nofollow)
    names = stored.hosts()
    return NamedGraph(graph, [names[host_id] for host_id in graph.host_ids.tolist()], stored.keys)


def named_page(name: str) -> PageKey:
    """Return the key of the node *name* of tables, whatever blanks are around it.

    >>> named_page(" a.example/b"), named_page("a blog")
    (PageKey(host='example.a', local='0/b'), PageKey(host='a blog', local='0/'))
    """
    name = name.strip()
    return page_key(name if "://" in name else f"http://{name}") or PageKey(name, "0/")


def has_tables(folder: Path) -> bool:
    """Tell whether *folder* holds tables of nodes and edges."""
    return (folder / NODES).is_file() and (folder / EDGES).is_file()


def read_tables(folder: Path) -> TableGraph:
    """Return the graph of the tables in *folder*; raise `InputError` when they cannot be read."""
    ids: dict[PageKey, int] = {}
    hosts: dict[str, int] = {}
    sizes: list[int] = []
    of_node: dict[str, int] = {}
    for line, cells in _rows(folder / NODES):
        if len(cells) < 2:
            raise _wrong(folder / NODES, line, "has no tab, as in 7<tab>http://a.example/")
        if cells[0] in of_node:
            raise _wrong(folder / NODES, line, f"has the number {cells[0]!r} of another node")
        key = named_page(cells[1])
        if key not in ids:
            host = hosts.setdefault(key.host, len(hosts))
            sizes += [0] * (host == len(sizes))
            ids[key] = host << 32 | sizes[host]
            sizes[host] += 1
        of_node[cells[0]] = ids[key]
    ends: list[int] = []
    for line, cells in _rows(folder / EDGES):
        if len(cells) < 2:
            raise _wrong(folder / EDGES, line, "has no tab, as in 7<tab>9")
        for cell in cells[:2]:
            if cell not in of_node:
                raise _wrong(folder / EDGES, line, f"names {cell!r}, which is not in {NODES}")
        ends += [of_node[cells[0]], of_node[cells[1]]]
    arcs = np.array(ends, dtype=np.uint64)
    graph = HostGraph.from_arcs(np.array(list(ids.values()), np.uint64), arcs[::2], arcs[1::2])
    return TableGraph(graph, list(hosts), ids)


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of each line of *path* and its cells."""
    try:
        with gzip.open(path, "rt", encoding="utf-8-sig", errors="replace") as lines:
            for number, line in enumerate(lines, 1):
                yield number, line.rstrip("\n").split("\t")
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"cannot read {path} ({cause(error)}); give another folder") from error


def _wrong(path: Path, line: int, what: str) -> InputError:
    return InputError(f"{path}, line {line} {what}; mend the line")
