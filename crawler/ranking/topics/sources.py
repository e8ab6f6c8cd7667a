"""Where biasing sets come from: a list of (category, URL), or the categories of a crawl's hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.urls import page_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from crawler.urls import PageKey
    from crawler.webgraph.csr import HostGraph
    from crawler.webgraph.graph import Graph
    from crawler.webgraph.named_graph import TableGraph

    PagesOf = dict[str, npt.NDArray[np.uint32]]

# URLs looked up in one read transaction.
_CHUNK = 10_000


def listed_pages(
    stored: Graph | TableGraph, graph: HostGraph, pairs: Iterable[tuple[str, str]]
) -> tuple[PagesOf, int]:
    """Return category → page numbers for *pairs* of (category, URL), and how many were not found.

    Pages are those of *stored*, of which *graph* is a snapshot. A URL that the crawl
    does not know, or that is none, is not found.
    """
    found: dict[str, list[npt.NDArray[np.uint32]]] = {}
    n_missing = 0
    chunk: list[tuple[str, PageKey]] = []
    for category, url in pairs:
        key = page_key(url)
        if key is None:
            n_missing += 1
            continue
        chunk.append((category, key))
        if len(chunk) == _CHUNK:
            n_missing += _look_up(stored, graph, chunk, found)
            chunk.clear()
    n_missing += _look_up(stored, graph, chunk, found)
    return {name: np.unique(np.concatenate(parts)) for name, parts in found.items()}, n_missing


def _look_up(
    stored: Graph | TableGraph,
    graph: HostGraph,
    chunk: list[tuple[str, PageKey]],
    found: dict[str, list[npt.NDArray[np.uint32]]],
) -> int:
    """Add the pages of *chunk* to *found*; return how many are not in *graph*."""
    if not chunk:
        return 0
    ids, known = stored.find([key for _, key in chunk])
    # pages that were found after the snapshot are not in it
    known &= np.isin(ids, graph.packed)
    numbers = np.zeros(len(chunk), dtype=np.uint32)
    numbers[known] = graph.numbers(ids[known])
    members: dict[str, list[int]] = {}
    for (category, _), is_known, number in zip(chunk, known, numbers.tolist(), strict=True):
        if is_known:
            members.setdefault(category, []).append(number)
    for category, pages in members.items():
        found.setdefault(category, []).append(np.array(pages, dtype=np.uint32))
    return int((~known).sum())


def crawled_pages(stored: Graph | TableGraph, graph: HostGraph) -> PagesOf:
    """Return category → numbers of the fetched pages whose host a seed of that category named.

    That is what the column ``category`` of the documents says, rejected pages included.
    """
    captured = stored.captured()
    captured = captured[np.isin(captured, graph.packed)]
    hosts = (captured >> np.uint64(32)).astype(np.int64)
    numbers = graph.numbers(captured)
    found: dict[str, list[npt.NDArray[np.uint32]]] = {}
    for host in np.unique(hosts).tolist():
        bounds = slice(*np.searchsorted(hosts, [host, host + 1]).tolist())
        for category in stored.categories(host):
            found.setdefault(category, []).append(numbers[bounds])
    return {name: np.concatenate(parts) for name, parts in found.items()}
