"""Links counted and drawn in cells, against the arcs one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.urls import PageKey
from crawler.webgraph.named_graph import NamedGraph
from pipelines.jobs.locality import rasters as rasters_module
from pipelines.jobs.locality.links import dealt_hosts, n_inter_host, partitioned, raster
from pipelines.jobs.locality.rasters import rasters
from tests.ranking_graphs import graph_of, random_graph


def test_hosts_are_dealt_by_size():
    graph = graph_of([2, 5, 2, 7, 1], [])
    assert dealt_hosts(graph, 2).tolist() == [0, 1, 1, 0, 0]
    assert dealt_hosts(graph, 1).tolist() == [0] * 5


@given(st.integers(0, 50), st.sampled_from([1, 2, 3, 8, 64]))
def test_links_and_votes(seed, n_partitions):
    graph = random_graph(seed, n_hosts=12, n_arcs=80)
    host = graph.host_of_page
    partition = dealt_hosts(graph, n_partitions)[host].tolist()
    arcs = list(zip(*(ends.tolist() for ends in graph.arcs()), strict=True))
    between = [(s, t) for s, t in arcs if partition[s] != partition[t]]
    found = partitioned(graph, n_partitions)
    assert found.inter_partition == len(between)
    assert found.votes == len({(partition[s], t) for s, t in between})
    pages = [partition.count(p) for p in range(n_partitions)]
    links = [sum(partition[t] == p for _, t in arcs) for p in range(n_partitions)]
    assert (found.largest_pages, found.largest_links) == (max(pages), max(links))
    assert n_inter_host(graph) == sum(host[s] != host[t] for s, t in arcs)


@given(st.integers(0, 30), st.integers(1, 20))
def test_cells(seed, n_cells):
    graph = random_graph(seed, n_hosts=9, n_arcs=60)
    order = np.random.default_rng(seed).permutation(graph.n_hosts)
    pages = [
        page
        for host in order.tolist()
        for page in range(graph.host_ptr[host], graph.host_ptr[host + 1])
    ]
    expected = np.zeros((n_cells, n_cells), dtype=int)
    for source, target in zip(*graph.arcs(), strict=True):
        cell = [pages.index(end) * n_cells // len(pages) for end in (source, target)]
        expected[cell[0], cell[1]] += 1
    assert raster(graph, order, n_cells).tolist() == expected.tolist()


NAMES = ["com.b", "org.c", "com.a"]


def named(graph):
    """Pages whose paths sort against their LocalIDs."""

    def keys(ids):
        return [PageKey(NAMES[page >> 32], f"0/{9 - (page & 0xFF)}") for page in ids.tolist()]

    return NamedGraph(graph, NAMES, keys)


def test_sorted_by_reversed_host_and_path():
    graph = graph_of([2, 1, 1], [(0, 1), (2, 3)])
    found = {each.name: each for each in rasters(named(graph), seed=0)}
    # The order is com.a, com.b/8 (page 1), com.b/9 (page 0), org.c.
    assert np.argwhere(found["sorted"].cells).tolist() == [[2, 1], [3, 0]]
    assert [name for name, *_ in found["sorted"].bounds] == ["com.a", "com.b", "org.c"]
    assert found["sorted"].bounds[1][1:] == (0.25, 0.75)
    assert sorted(found) == ["normalised", "partitioned", "sorted"]
    assert all(each.cells.sum() == 2 for each in found.values())


def test_large_graphs_are_sorted_by_host_alone(monkeypatch):
    monkeypatch.setattr(rasters_module, "MAX_SORTED_PAGES", 3)
    found = rasters(named(graph_of([2, 1, 1], [(0, 1), (2, 3)])), seed=0)[0]
    assert np.argwhere(found.cells).tolist() == [[1, 2], [3, 0]]
    assert found.title.endswith("order of discovery")


@pytest.mark.parametrize("seed", [0, 1])
def test_the_random_order_is_that_of_the_seed(seed):
    graph = random_graph(4)
    names = [f"com.{host}" for host in range(graph.n_hosts)]
    web = NamedGraph(graph, names, lambda ids: [PageKey("", str(i)) for i in ids.tolist()])
    pair = [rasters(web, seed=seed)[1].cells.tolist() for _ in range(2)]
    assert pair[0] == pair[1]
    assert pair[0] != rasters(web, seed=seed + 2)[1].cells.tolist()
