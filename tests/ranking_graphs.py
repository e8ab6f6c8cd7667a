"""Graphs for the tests of ranking, and PageRank by solving its equation densely."""

from __future__ import annotations

import gzip
from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import numpy as np

from crawler.webgraph.csr import HostGraph

if TYPE_CHECKING:
    from pathlib import Path


def graph_of(n_pages_of_host: list[int], arcs: list[tuple[int, int]]) -> HostGraph:
    """The graph whose pages, numbered host by host, have *arcs* of page numbers."""
    packed = np.array(
        [host << 32 | local for host, n in enumerate(n_pages_of_host) for local in range(n)],
        dtype=np.uint64,
    )
    ends = np.array(arcs, dtype=np.int64).reshape(-1, 2)
    return HostGraph.from_arcs(packed, packed[ends[:, 0]], packed[ends[:, 1]])


def random_graph(seed: int, n_hosts: int = 70, n_arcs: int = 1500) -> HostGraph:
    """Hosts of 1 to 12 pages; some pages dangling, arcs that repeat, self links, mostly local."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 13, n_hosts)
    n = int(sizes.sum())
    start = np.repeat(np.cumsum(sizes) - sizes, sizes)
    size = np.repeat(sizes, sizes)
    linking = np.flatnonzero(rng.random(n) < 0.8)
    if not len(linking):
        return graph_of(sizes.tolist(), [])
    sources = rng.choice(linking, n_arcs)
    local = start[sources] + rng.integers(0, 10**6, n_arcs) % size[sources]
    targets = np.where(rng.random(n_arcs) < 0.75, local, rng.integers(0, n, n_arcs))
    arcs = np.stack([sources, targets], axis=1)
    return graph_of(sizes.tolist(), [*map(tuple, arcs), *map(tuple, arcs[: n_arcs // 4])])


def dense_system(graph: HostGraph, dangling: str) -> np.ndarray:
    """M of y = (1 - alpha) v + alpha M y, as a full matrix."""
    n = graph.n_pages
    matrix = np.zeros((n, n))
    matrix[graph.arcs()[1], graph.arcs()[0]] = 1
    if dangling == "self":
        matrix[np.diag_indices(n)] += matrix.sum(axis=0) == 0
    degree = matrix.sum(axis=0)
    return matrix / np.where(degree > 0, degree, 1)


def dense_pagerank(graph: HostGraph, alpha: float, dangling: str, preference=None) -> np.ndarray:
    """The ranks on mean-1 scale, with the dangling term in the matrix where it is redistributed."""
    n = graph.n_pages
    v = np.ones(n) if preference is None else preference * (n / preference.sum())
    matrix = dense_system(graph, dangling)
    if dangling == "redistribute":
        matrix += np.outer(v / n, matrix.sum(axis=0) == 0)
    return np.linalg.solve(np.eye(n) - alpha * matrix, (1 - alpha) * v)


def real_graph(folder: Path) -> HostGraph:
    """The graph of edges.tsv.gz, its hosts those of the URLs, or the names, in nodes.tsv.gz."""
    with gzip.open(folder / "nodes.tsv.gz", "rt", encoding="utf-8") as lines:
        urls = dict(line.rstrip("\n").split("\t")[:2] for line in lines)
    hosts: dict[str, int] = {}
    packed: dict[str, int] = {}
    sizes: Counter[int] = Counter()
    for node, url in urls.items():
        host = hosts.setdefault(urlsplit(url).netloc or url, len(hosts))
        packed[node] = host << 32 | sizes[host]
        sizes[host] += 1
    with gzip.open(folder / "edges.tsv.gz", "rt", encoding="utf-8") as lines:
        arcs = [line.split("\t")[:2] for line in lines]
    ends = [np.array([packed[arc[end].strip()] for arc in arcs], dtype=np.uint64) for end in (0, 1)]
    return HostGraph.from_arcs(np.array(list(packed.values()), dtype=np.uint64), *ends)
