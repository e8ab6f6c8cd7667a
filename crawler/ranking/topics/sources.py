"""Where biasing sets come from: a list of (category, URL), the categories of a crawl's hosts, or their names.

A dimension that the hosts' names give is ``tld``, their top-level domains, which of countries tell the country
(Kohlschütter 2011, section 3.4.4, has both among the dimensions of facets).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from crawler.urls import page_key
from crawler.webgraph.named_graph import TableGraph, named_page

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from crawler.urls import PageKey
    from crawler.webgraph.csr import HostGraph
    from crawler.webgraph.graph import Graph

    PagesOf = dict[str, npt.NDArray[np.uint32]]
    WeightsOf = dict[str, npt.NDArray[np.float64]]
    Weighed = tuple[npt.NDArray[np.uint32], npt.NDArray[np.float64]]
    # category, URL and weight
    ListedPage = tuple[str, str, float]

# URLs looked up in one read transaction.
_CHUNK = 10_000
# The start of a host key that is a name with a dot: its top-level domain. Addresses have none.
_TLD = re.compile(r"([a-z]{2,63}|xn--[a-z0-9-]{1,59})\.")


def listed_pages(
    stored: Graph | TableGraph, graph: HostGraph, listed: Iterable[ListedPage]
) -> tuple[PagesOf, WeightsOf, int]:
    """Return category → page numbers and their weights, for *listed* pages, and how many were not found.

    Pages are those of *stored*, of which *graph* is a snapshot. A URL that the crawl
    does not know, or that is none, is not found; of tables their names are taken, as well. Pages of weight 0 stand
    for nothing.
    """
    key_of = named_page if isinstance(stored, TableGraph) else page_key
    found: dict[str, list[Weighed]] = {}
    n_missing = 0
    chunk: list[tuple[str, PageKey, float]] = []
    for category, url, weight in listed:
        key = key_of(url)
        if key is None:
            n_missing += 1
            continue
        chunk.append((category, key, weight))
        if len(chunk) == _CHUNK:
            n_missing += _look_up(stored, graph, chunk, found)
            chunk.clear()
    n_missing += _look_up(stored, graph, chunk, found)
    pages, weights = (
        {name: np.concatenate([part[which] for part in parts]) for name, parts in found.items()}
        for which in (0, 1)
    )
    return pages, weights, n_missing


def _look_up(
    stored: Graph | TableGraph,
    graph: HostGraph,
    chunk: list[tuple[str, PageKey, float]],
    found: dict[str, list[Weighed]],
) -> int:
    """Add the pages of *chunk* to *found*; return how many are not in *graph*."""
    if not chunk:
        return 0
    ids, known = stored.find([key for _, key, _ in chunk])
    # pages that were found after the snapshot are not in it
    known &= np.isin(ids, graph.packed)
    numbers = np.zeros(len(chunk), dtype=np.uint32)
    numbers[known] = graph.numbers(ids[known])
    members: dict[str, list[int]] = {}
    for place, (category, _, weight) in enumerate(chunk):
        if known[place] and weight > 0:
            members.setdefault(category, []).append(place)
    weights = np.array([weight for _, _, weight in chunk])
    for category, places in members.items():
        found.setdefault(category, []).append((numbers[places], weights[places]))
    return int((~known).sum())


def crawled_pages(stored: Graph | TableGraph, graph: HostGraph) -> PagesOf:
    """Return category → numbers of the fetched pages whose host a seed of that category named.

    That is what the column ``category`` of the documents says, rejected pages included.
    """
    captured, hosts = _captured(stored, graph)
    numbers = graph.numbers(captured)
    found: dict[str, list[npt.NDArray[np.uint32]]] = {}
    for host in np.unique(hosts).tolist():
        bounds = slice(*np.searchsorted(hosts, [host, host + 1]).tolist())
        for category in stored.categories(host):
            found.setdefault(category, []).append(numbers[bounds])
    return {name: np.concatenate(parts) for name, parts in found.items()}


def tld_pages(stored: Graph | TableGraph, graph: HostGraph, n_largest: int) -> tuple[PagesOf, int]:
    """Return ``tld:de`` → numbers of the fetched pages of hosts under ``de``, and how many such were left out.

    Those of the *n_largest* top-level domains by fetched pages (ties by name), in ASCII as in URLs: ``xn--p1ai``.
    """
    captured, hosts = _captured(stored, graph)
    numbers = graph.numbers(captured)
    _, firsts, sizes = np.unique(hosts, return_index=True, return_counts=True)
    names: dict[str, int] = {}
    of_host: list[int] = []
    for at in range(0, len(firsts), _CHUNK):
        for key in stored.keys(captured[firsts[at : at + _CHUNK]]):
            tld = _TLD.match(key.host)
            of_host.append(names.setdefault(tld[1], len(names)) if tld else -1)
    of_page = np.repeat(np.array(of_host, dtype=np.int64), sizes)
    n_pages = np.bincount(of_page[of_page >= 0], minlength=len(names)).tolist()
    largest = sorted(names, key=lambda name: (-n_pages[names[name]], name))[:n_largest]
    found = {f"tld:{name}": numbers[of_page == names[name]] for name in largest}
    return found, len(names) - len(found)


def _captured(
    stored: Graph | TableGraph, graph: HostGraph
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
    """Return the ids of the fetched pages that are in *graph*, ascending, and their HostIDs."""
    captured = stored.captured()
    captured = captured[np.isin(captured, graph.packed)]
    return captured, (captured >> np.uint64(32)).astype(np.int64)
