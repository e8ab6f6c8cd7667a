"""The best-linked hosts of a graph for network programs: GraphML, or an object of networkx.

Nodes bear their host name as id and as ``label``, which Gephi shows; ``pages`` (known), ``in_links`` and
``out_links`` (links from and to other hosts, of the whole graph), ``in_hosts`` (hosts that link there),
``links_within``, and ``rank`` if ranks are given. Edges bear ``weight``: links. All are typed, numbers
as long and double. Links within a host are a node's number, not an edge.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.durable.files import atomic_path
from crawler.urls.hosts import host_name

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import numpy.typing as npt

    from crawler.webgraph.forward import ForwardGraph
    from crawler.webgraph.named_graph import NamedGraph

# What XML 1.0 cannot hold, not even as a reference.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

_TOLD_HOSTS = 1000


def best_hosts(
    hosts: ForwardGraph, n_best: int, rank: npt.NDArray[np.float64] | None = None
) -> npt.NDArray[np.int64]:
    """Return the *n_best* hosts of highest *rank*, without ranks of most hosts that link there.

    Equal ones in the order of their places. *n_best* 0: all. Raises :exc:`ValueError` when negative.
    """
    if n_best < 0:
        raise ValueError(f"n_best must be at least 0, got {n_best}")
    value = _sums(hosts)["in_hosts"].astype(np.float64) if rank is None else rank
    order = np.argsort(-value, kind="stable").astype(np.int64)
    return order[:n_best] if n_best else order


def _sums(hosts: ForwardGraph) -> dict[str, npt.NDArray[np.int64]]:
    """Return the numbers of each host."""
    n = hosts.n_nodes
    sources, targets = hosts.sources(0, n), hosts.indices
    links = np.ones(len(targets)) if hosts.links is None else hosts.links.astype(np.float64)
    within = sources == targets

    def per_host(ends: npt.NDArray[np.uint32], weight: npt.NDArray[np.float64]) -> Any:
        return np.bincount(ends, weights=weight, minlength=n).astype(np.int64)

    return {
        "in_links": per_host(targets, links * ~within),
        "out_links": per_host(sources, links * ~within),
        "in_hosts": per_host(targets, (~within).astype(np.float64)),
        "links_within": per_host(sources, links * within),
    }


def host_networkx(
    named: NamedGraph,
    hosts: ForwardGraph,
    chosen: npt.NDArray[np.int64],
    rank: npt.NDArray[np.float64] | None = None,
    *,
    tell: Callable[[str], None] | None = None,
) -> Any:
    """Return the part of *hosts* between the *chosen* ones as a ``networkx.DiGraph``.

    *named* is the graph that *hosts* was made of; *rank* float64[h] of its hosts. *tell* how far it is meanwhile.
    """
    import networkx as nx

    sums = _sums(hosts)
    pages = np.diff(named.graph.host_ptr)
    graph = nx.DiGraph()
    names = {host: _name(named.host_keys[host]) for host in chosen.tolist()}
    for host, name in names.items():
        numbers = {each: int(values[host]) for each, values in sums.items()}
        node = {"label": name, "pages": int(pages[host]), **numbers}
        if rank is not None:
            node["rank"] = float(rank[host])
        graph.add_node(name, **node)
    for place_of_host, host in enumerate(sorted(names)):
        if tell is not None and place_of_host % _TOLD_HOSTS == 0:
            tell(f"{place_of_host:,} of {len(names):,} hosts ")
        arcs = slice(hosts.indptr[host], hosts.indptr[host + 1])
        links = hosts.links[arcs].tolist() if hosts.links is not None else None
        for place, target in enumerate(hosts.indices[arcs].tolist()):
            if target in names and target != host:
                weight = 1.0 if links is None else float(links[place])
                graph.add_edge(names[host], names[target], weight=weight)
    return graph


def _name(host_key: str) -> str:
    """Return the host name of *host_key*, without what XML cannot hold."""
    return _NOT_XML.sub("?", host_name(host_key))


def write_graphml(graph: Any, path: Path) -> None:
    """Write *graph*, a networkx graph, to *path*."""
    import networkx as nx

    with atomic_path(path) as unfinished:
        nx.write_graphml_xml(graph, unfinished, encoding="utf-8", prettyprint=True)
