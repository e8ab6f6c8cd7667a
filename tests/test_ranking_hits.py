"""HITS on pages: closed forms, networkx, and singular vectors."""

from __future__ import annotations

import os
import subprocess
import sys

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from crawler.ranking.hits.hits import HitsOptions, HubLinks, hits, page_links
from tests.conftest import ROOT
from tests.ranking_graphs import graph_of, random_graph

CLOSE = {"abs": 1e-8}
# Prints the CPU seconds of the thread that calls HITS, and those of all threads meanwhile.
TIMED = """
import time
import numpy as np
from crawler.ranking.hits.hits import HitsOptions, HubLinks, hits
n = 200_000
links = HubLinks(np.arange(n + 1), np.arange(n, dtype=np.uint32), n)
hits(links)
own, all_threads = time.thread_time(), time.process_time()
for _ in range(50):
    hits(links, HitsOptions(tolerance=1e-300))
print(time.thread_time() - own, time.process_time() - all_threads)
"""


def test_star():
    found = hits(page_links(graph_of([5], [(0, leaf) for leaf in range(1, 5)])))
    assert found.hub.tolist() == pytest.approx([1, 0, 0, 0, 0])
    assert found.authority.tolist() == pytest.approx([0, 0.5, 0.5, 0.5, 0.5])
    assert found.converged


def test_cycle_and_clique():
    for arcs in (
        [(i, (i + 1) % 6) for i in range(6)],
        [(i, j) for i in range(6) for j in range(6) if i != j],
    ):
        found = hits(page_links(graph_of([6], arcs)))
        assert found.hub.tolist() == pytest.approx([6**-0.5] * 6)
        assert found.authority.tolist() == pytest.approx([6**-0.5] * 6)


def test_path_with_a_dangling_end():
    found = hits(page_links(graph_of([4], [(0, 1), (1, 2), (2, 3)])))
    assert found.hub.tolist() == pytest.approx([3**-0.5] * 3 + [0])
    assert found.authority.tolist() == pytest.approx([0] + [3**-0.5] * 3)


def test_the_larger_of_two_stars_wins():
    """The singular values are sqrt(3) and sqrt(2): the second star fades by 2/3 an iteration."""
    found = hits(page_links(graph_of([4, 3], [(0, 1), (0, 2), (0, 3), (4, 5), (4, 6)])))
    assert found.hub.tolist() == pytest.approx([1, 0, 0, 0, 0, 0, 0], **CLOSE)
    assert found.authority[1:4].tolist() == pytest.approx([3**-0.5] * 3, **CLOSE)


def test_without_links():
    found = hits(page_links(graph_of([3], [])))
    assert (found.hub.any(), found.authority.any(), found.converged) == (False, False, True)
    nothing = hits(HubLinks(np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.uint32), 0))
    assert (len(nothing.hub), len(nothing.authority), nothing.converged) == (0, 0, True)


@settings(max_examples=25)
@given(st.integers(0, 60))
def test_as_singular_vectors_and_as_networkx(seed):
    graph = random_graph(seed, n_hosts=6, n_arcs=120)
    matrix = np.zeros((graph.n_pages, graph.n_pages))
    matrix[graph.arcs()] = 1
    hub, values, authority = np.linalg.svd(matrix)
    assume(values[1] < 0.97 * values[0])  # else there is more than one answer, or nearly
    found = hits(page_links(graph), HitsOptions(tolerance=1e-12))
    assert found.hub == pytest.approx(np.abs(hub[:, 0]), **CLOSE)
    assert found.authority == pytest.approx(np.abs(authority[0]), **CLOSE)
    web = nx.DiGraph()
    web.add_nodes_from(range(graph.n_pages))
    web.add_edges_from(zip(*(ends.tolist() for ends in graph.arcs()), strict=True))
    hubs, authorities = nx.hits(web)
    for ours, theirs in ((found.hub, hubs), (found.authority, authorities)):
        expected = np.array([theirs[page] for page in range(graph.n_pages)])
        assert ours / ours.sum() == pytest.approx(expected, **CLOSE)


def test_weights():
    """A weight of 2 is two links: the hub matrix of a star with weights w has the length of w."""
    links = page_links(graph_of([3], [(0, 1), (0, 2)]))
    found = hits(links, weights=np.array([3.0, 4.0]))
    assert found.authority.tolist() == pytest.approx([0, 0.6, 0.8])
    for wrong in (np.ones(3), np.array([1.0, -1.0]), np.array([1.0, np.nan])):
        with pytest.raises(ValueError, match="weights must"):
            hits(links, weights=wrong)


def test_links_within_a_host_and_the_base_set():
    graph = graph_of([2, 2], [(0, 1), (0, 2), (1, 2), (2, 3), (3, 0)])
    assert page_links(graph).indices is graph.indices
    between = page_links(graph, nepotistic=False)
    assert (between.indptr.tolist(), between.indices.tolist()) == ([0, 1, 1, 3, 3], [3, 0, 1])
    base = np.array([True, False, True, True])
    chosen = page_links(graph, base=base)
    assert (chosen.indptr.tolist(), chosen.indices.tolist()) == ([0, 1, 1, 2, 3], [3, 0, 2])
    with pytest.raises(ValueError, match=r"base must have shape \(4,\), got \(3,\)"):
        page_links(graph, base=base[:3])


@pytest.mark.slow
def test_no_other_thread_spins():
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "2"}
    done = subprocess.run(
        [sys.executable, "-c", TIMED], cwd=ROOT, env=environment, capture_output=True, check=True
    )
    own_secs, all_secs = map(float, done.stdout.split())
    assert all_secs < 1.2 * own_secs


def test_an_end_before_it_converged_is_told():
    found = hits(page_links(random_graph(3)), HitsOptions(max_iterations=2))
    assert (found.iterations, found.converged) == (2, False)
    assert found.change > 1e-9


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"tolerance": 0.0}, "tolerance must be above 0, got 0.0"),
        ({"max_iterations": 0}, "max_iterations must be at least 1, got 0"),
    ],
)
def test_wrong_options(options, error):
    with pytest.raises(ValueError, match=error):
        HitsOptions(**options)
