"""The changes by iteration: against iterations written out, as they are thinned, and where they end."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.ranking.host_blocks.iteration import Resources, host_block_pagerank
from crawler.ranking.methods import pagerank
from crawler.ranking.options import METHODS, RankOptions
from crawler.ranking.problem import MOST_CHANGES, Changes
from tests.ranking_graphs import graph_of, random_graph


def slow_changes(graph, n_iterations, *, in_place, alpha=0.85):
    """The mean change of each iteration of equation 3.1, or in place of 3.7, page by page."""
    sources = [[] for _ in range(graph.n_pages)]
    for s, t in zip(*(ends.tolist() for ends in graph.arcs()), strict=True):
        sources[t].append(s)
    degree = graph.out_degree.tolist()
    rank = [1.0] * graph.n_pages
    changes = []
    for _ in range(n_iterations):
        old = list(rank)
        for t in range(graph.n_pages):
            read = rank if in_place else old
            # in place, the self link is solved for
            own = alpha / degree[t] if in_place and t in sources[t] else 0.0
            others = [s for s in sources[t] if s != t or not in_place]
            incoming = alpha * sum(read[s] / degree[s] for s in others)
            rank[t] = (1 - alpha + incoming) / (1 - own)
        changes.append(sum(abs(a - b) for a, b in zip(rank, old, strict=True)) / len(rank))
    return changes


@settings(max_examples=30)
@given(seed=st.integers(0, 10**6), in_place=st.booleans())
def test_changes_are_those_of_iterations_written_out(seed, in_place):
    graph = random_graph(seed, n_hosts=8, n_arcs=60)
    method = "gauss-seidel" if in_place else "jacobi"
    result = pagerank(graph, RankOptions(), method=method)
    iterations, changes = zip(*result.changes, strict=True)
    assert iterations == tuple(range(1, result.iterations + 1))
    expected = slow_changes(graph, result.iterations, in_place=in_place)
    assert changes == pytest.approx(expected, rel=1e-6, abs=1e-14)


@pytest.mark.parametrize("method", METHODS)
def test_iterations_end_at_the_first_change_that_is_enough(method):
    graph = random_graph(1)
    whole = pagerank(graph, RankOptions(tolerance=1e-10), method=method, n_partitions=3)
    ended = pagerank(graph, RankOptions(mean_change=1e-3), method=method, n_partitions=3)
    changes = [change for _, change in ended.changes]
    assert len(changes) == ended.iterations < whole.iterations
    assert changes[-1] <= 1e-3 < min(changes[:-1])
    assert ended.changes == whole.changes[: ended.iterations]


def test_as_many_iterations_as_a_small_change_needs():
    """The limit follows the change, and not the tolerance, which it is to end without."""
    pair = graph_of([3], [(0, 1), (1, 0), (2, 0)])
    ended = pagerank(pair, RankOptions(mean_change=1e-13), method="jacobi")
    assert ended.converged
    assert ended.changes[-1][1] <= 1e-13


@pytest.mark.parametrize("method", METHODS)
def test_graph_without_pages_or_iterations(method):
    assert pagerank(graph_of([], []), method=method).changes == ()
    assert len(pagerank(graph_of([1], []), method=method).changes) >= 1


@given(n_iterations=st.integers(0, 7 * MOST_CHANGES))
def test_of_many_iterations_some_are_kept(n_iterations):
    changes = Changes(10)
    for iteration in range(1, n_iterations + 1):
        changes.add(10 / iteration)
    kept = changes.kept()
    assert len(kept) <= MOST_CHANGES
    assert all(change == 10 / iteration / 10 for iteration, change in kept)
    iterations = [iteration for iteration, _ in kept]
    assert iterations[-1:] == [n_iterations][: len(iterations)]
    if n_iterations < MOST_CHANGES:
        assert iterations == list(range(1, n_iterations + 1))
    else:
        assert len(kept) >= MOST_CHANGES // 2
        assert len(set(np.diff(iterations[:-1]))) == 1


def test_a_long_ranking_has_as_many():
    options = RankOptions(alpha=0.99, tolerance=1e-15)
    result = pagerank(random_graph(2), options, method="jacobi")
    assert result.iterations > MOST_CHANGES
    assert len(result.changes) <= MOST_CHANGES
    assert result.changes[-1][0] == result.iterations


def test_numbered_on_from_a_checkpoint(tmp_path):
    resources = Resources(checkpoint=tmp_path / "state.npz", checkpoint_secs=0)
    options = RankOptions(tolerance=1e-12)
    graph = random_graph(3)
    host_block_pagerank(graph, RankOptions(tolerance=1e-12, max_iterations=4), resources=resources)
    resumed = host_block_pagerank(graph, options, resources=resources)
    iterations = [iteration for iteration, _ in resumed.changes]
    assert iterations == list(range(resumed.resumed_at + 1, resumed.iterations + 1))
    assert iterations[0] == 4
