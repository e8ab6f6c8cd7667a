"""Graphs like LargeWeb: their shape, that they depend on nothing but it, and how they come."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from crawler.webgraph.csr import HostGraph
from crawler.webgraph.large_web import LargeWeb, WebShape, host_sizes

SMALL = WebShape.large(20_000)


def all_arcs(web, n_arcs=1 << 20):
    sources, targets = zip(*web.arc_chunks(n_arcs), strict=True)
    return np.concatenate(sources), np.concatenate(targets)


@pytest.fixture(scope="module")
def graph():
    return LargeWeb(SMALL).host_graph()


@pytest.mark.parametrize(
    "shape",
    [SMALL, WebShape.large(20_000, dangling=0.3, skew=1.0), WebShape.steep(20_000, 200_000)],
)
def test_counts_and_shares_are_those_of_the_shape(shape):
    graph = LargeWeb(shape).host_graph()
    sources, targets = graph.arcs()
    host = graph.host_of_page
    assert graph.n_pages == shape.n_pages
    assert graph.n_hosts == shape.n_hosts
    assert graph.n_arcs == pytest.approx(shape.n_links, rel=0.02)
    assert np.mean(host[sources] != host[targets]) == pytest.approx(shape.inter_host, rel=0.05)
    assert np.mean(graph.out_degree == 0) == pytest.approx(shape.dangling, abs=0.02)
    assert np.diff(graph.host_ptr).max() == pytest.approx(shape.largest_host, rel=0.001)
    assert not (sources == targets).any()


def test_degrees_have_long_tails(graph):
    for degree in (graph.out_degree, np.diff(graph.indptr)):
        assert np.mean(degree <= np.mean(degree)) > 0.6
        assert degree.max() > 30 * np.mean(degree)


def test_graph_is_that_of_the_chunks_of_any_size(graph):
    web = LargeWeb(SMALL)
    sources, targets = all_arcs(web, 1000)
    again = all_arcs(web)
    assert all(map(np.array_equal, (sources, targets), again))
    assert (
        np.diff((sources.astype(np.uint64) << np.uint64(32)) | targets).astype(np.int64) > 0
    ).all()
    pages = web.packed(np.arange(SMALL.n_pages, dtype=np.uint32))
    built = HostGraph.from_arcs(pages, web.packed(sources), web.packed(targets))
    for name in ("host_ids", "host_ptr", "local_ids", "indptr", "indices", "out_degree"):
        assert np.array_equal(getattr(built, name), getattr(graph, name)), name
        assert getattr(built, name).dtype == getattr(graph, name).dtype


def test_seed_decides(graph):
    other = LargeWeb(WebShape.large(20_000, seed=2)).host_graph()
    assert not np.array_equal(other.host_ptr, graph.host_ptr)


def test_skew_gathers_links_between_hosts_on_few_pages():
    found = []
    for skew in (0.0, 1.0, 1.2):
        web = LargeWeb(WebShape.large(10_000, skew=skew))
        sources, targets = all_arcs(web)
        hosts = np.searchsorted(web.host_ptr, np.stack([sources, targets]), side="right")
        found.append(len(np.unique(targets[hosts[0] != hosts[1]])))
    assert found == sorted(found, reverse=True)
    assert found[-1] < found[0] / 3


def test_links_near_by_and_popular_pages_first(graph):
    plain = LargeWeb(replace(SMALL, near=0.0, by_popularity=False)).host_graph()
    distances = [
        np.abs(np.subtract(*ends, dtype=np.int64)) for ends in (graph.arcs(), plain.arcs())
    ]
    assert np.mean(distances[0] <= 4) > 2 * np.mean(distances[1] <= 4)
    assert graph.n_arcs == pytest.approx(plain.n_arcs, rel=0.02)
    largest = np.argmax(np.diff(graph.host_ptr))
    pages = slice(*graph.host_ptr[largest : largest + 2])
    in_degree = [np.diff(each.indptr)[pages] for each in (graph, plain)]
    assert in_degree[0][:20].sum() > 0.9 * np.sort(in_degree[0])[-20:].sum()
    assert in_degree[1][:20].sum() < 0.5 * np.sort(in_degree[1])[-20:].sum()


@pytest.mark.parametrize("n_pages", [1, 2, 5, 200])
def test_smallest_webs(n_pages):
    graph = LargeWeb(WebShape.large(n_pages)).host_graph()
    assert graph.n_pages == n_pages
    assert (graph.out_degree > 0).all() == (n_pages > 1)


@pytest.mark.parametrize(
    ("n_pages", "n_hosts", "largest"),
    [
        (1, 1, 1),
        (3, 1, 3),
        (401, 4, 101),  # a quarter of the pages is too little
        (20_000, 200, 5_000),
        (399_996, 3_999, 99_999),
        (1_000_000, 10_000, 100_000),
    ],
)
def test_steep_webs_have_a_host_of_a_quarter_of_the_pages(n_pages, n_hosts, largest):
    shape = WebShape.steep(n_pages, 10 * n_pages)
    assert (shape.n_hosts, shape.largest_host) == (n_hosts, largest)


@pytest.mark.parametrize(
    ("n_pages", "n_hosts", "largest"),
    [(1, 1, 1), (10, 10, 1), (10, 10, 9), (1000, 1, 1000), (100, 2, 99), (62_800, 470, 5084)],
)
def test_host_sizes(n_pages, n_hosts, largest):
    sizes = host_sizes(n_pages, n_hosts, largest)
    assert (len(sizes), sizes.sum()) == (n_hosts, n_pages)
    assert (sizes >= 1).all()
    assert (sizes <= largest).all()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"n_hosts": 11}, "11 hosts cannot hold 10 pages"),
        ({"largest_host": 4}, "2 hosts of at most 4 pages cannot hold 10 pages"),
        ({"dangling": 1.5}, "dangling must be a share, got 1.5"),
        ({"skew": -1}, "skew must be at least 0 and below 4, got -1"),
    ],
)
def test_wrong_shape(wrong, message):
    shape = {"n_pages": 10, "n_links": 20, "n_hosts": 2, "largest_host": 9}
    with pytest.raises(ValueError, match=message):
        WebShape(**{**shape, **wrong})


def test_chunk_holds_the_links_of_one_page():
    with pytest.raises(ValueError, match="n_arcs must be at least 500, got 499"):
        next(LargeWeb(SMALL).arc_chunks(499))
