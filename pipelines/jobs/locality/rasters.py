"""The three orders of the dot-plots, and the rasters in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pipelines.jobs.locality.links import dealt_hosts, page_raster, raster

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.webgraph.named_graph import NamedGraph

# Ranges of a raster: a pixel each.
N_CELLS = 640
# Kohlschütter 2011, section 3.2.3: figure 3.2
N_PARTITIONS = 8
# Below this many pages those of a host are sorted by their paths, above by their LocalIDs: a range of a
# raster then holds thousands of pages, and the paths would not fit into memory.
MAX_SORTED_PAGES = 500_000
# Share of the pages from which on a top-level domain, or a host, is named beside a plot.
MIN_NAMED = 0.02


@dataclass(frozen=True, slots=True, eq=False)
class Raster:
    """*cells* int64[n, n], links from range i to range j. *bounds*: name, first and end of ranges

    of pages that belong together, as shares of all pages.
    """

    name: str
    title: str
    cells: npt.NDArray[np.int64]
    bounds: list[tuple[str, float, float]]


def rasters(named: NamedGraph, *, seed: int) -> list[Raster]:
    """Return the rasters of *named*: sorted, normalised with hosts in random order, partitioned."""
    graph = named.graph
    n_cells = max(1, min(N_CELLS, graph.n_pages))
    shuffled = np.random.default_rng(seed).permutation(graph.n_hosts)
    partition = dealt_hosts(graph, N_PARTITIONS)
    dealt = shuffled[np.argsort(partition[shuffled], kind="stable")]
    sizes = np.bincount(partition, weights=np.diff(graph.host_ptr), minlength=N_PARTITIONS)
    parts = _named(_bounds([f"partition {part}" for part in range(N_PARTITIONS)], sizes))
    return [
        _sorted(named, n_cells),
        Raster("normalised", "hosts in random order", raster(graph, shuffled, n_cells), []),
        Raster(
            "partitioned",
            f"hosts dealt to {N_PARTITIONS} partitions",
            raster(graph, dealt, n_cells),
            parts,
        ),
    ]


def _sorted(named: NamedGraph, n_cells: int) -> Raster:
    graph = named.graph
    order = np.array(sorted(range(graph.n_hosts), key=named.host_keys.__getitem__), dtype=np.int64)
    sizes = np.diff(graph.host_ptr)[order]
    bounds = _named(_grouped([named.host_keys[host] for host in order.tolist()], sizes))
    title = "sorted by reversed host name, then path"
    if graph.n_pages > MAX_SORTED_PAGES:
        title = "sorted by reversed host name, then order of discovery"
        return Raster("sorted", title, raster(graph, order, n_cells), bounds)
    keys = named.keys(graph.packed)
    place = np.empty(graph.n_pages, dtype=np.int64)
    place[sorted(range(graph.n_pages), key=keys.__getitem__)] = np.arange(graph.n_pages)
    return Raster("sorted", title, page_raster(graph, place, n_cells), bounds)


def _grouped(host_keys: list[str], sizes: npt.NDArray[np.int64]) -> list[tuple[str, float, float]]:
    """Return the bounds of large hosts, and of the top-level domains of the others."""
    is_large = (sizes >= MIN_NAMED * sizes.sum()).tolist()
    names = [
        key if large else _top_level(key) for key, large in zip(host_keys, is_large, strict=True)
    ]
    return _bounds(names, sizes.astype(np.float64))


def _top_level(host_key: str) -> str:
    label = host_key.partition(".")[0]
    return "numbers" if label.isdigit() else f".{label}"


def _bounds(names: list[str], sizes: npt.NDArray[Any]) -> list[tuple[str, float, float]]:
    """Return each run of a name, with its first and end as shares of *sizes*."""
    ends = np.cumsum(sizes) / max(sizes.sum(), 1)
    found: list[tuple[str, float, float]] = []
    for name, end in zip(names, ends.tolist(), strict=True):
        if found and found[-1][0] == name:
            found[-1] = (name, found[-1][1], end)
        else:
            found.append((name, found[-1][2] if found else 0.0, end))
    return found


def _named(bounds: list[tuple[str, float, float]]) -> list[tuple[str, float, float]]:
    """Leave out what is too small to be named."""
    return [bound for bound in bounds if bound[2] - bound[1] >= MIN_NAMED]
