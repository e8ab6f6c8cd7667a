"""Topic PageRank: against dense solutions, networkx and closed forms."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.kernels.jit import kernel
from crawler.ranking.methods import pagerank
from crawler.ranking.options import DANGLING_POLICIES, RankOptions
from crawler.ranking.topics.lanes import lane_rows, turn
from crawler.ranking.topics.reach import TILE, host_links, mark_reached
from crawler.ranking.topics.sets import TopicSets
from crawler.ranking.topics.topics import topic_ranks
from crawler.ranking.topics.vectors import LANES
from tests.ranking_graphs import dense_pagerank, graph_of, random_graph
from tests.topic_rank_sets import CLOSE, indicator, ranks_of, some_sets


@settings(max_examples=15)
@given(
    seed=st.integers(0, 10**6),
    dangling=st.sampled_from(DANGLING_POLICIES),
    alpha=st.sampled_from([0.0, 0.5, 0.85, 0.999]),
)
def test_ranks_solve_the_equation(seed, dangling, alpha):
    graph = random_graph(seed, n_hosts=15, n_arcs=200)
    sets = some_sets(graph, seed, 5)
    # The bound, and what rounding leaves of the residual, grow with 1 / (1 - alpha).
    tolerance = max(1e-12, 1e-13 / (1 - alpha))
    options = RankOptions(alpha=alpha, tolerance=tolerance, dangling=dangling)
    ranks = ranks_of(graph, sets, options)
    for topic, rank in enumerate(ranks):
        expected = dense_pagerank(graph, alpha, dangling, indicator(graph, sets.pages_of(topic)))
        assert abs(rank - expected).sum() / graph.n_pages < 1e-11 / (1 - alpha)


def test_equal_to_networkx():
    graph = random_graph(5)
    sets = some_sets(graph, 5, 7)
    known = nx.DiGraph()
    known.add_nodes_from(range(graph.n_pages))
    known.add_edges_from(zip(*(ends.tolist() for ends in graph.arcs()), strict=True))
    for topic, rank in enumerate(ranks_of(graph, sets)):
        wanted = dict.fromkeys(sets.pages_of(topic).tolist(), 1)
        expected = nx.pagerank(known, personalization=wanted, tol=1e-15, max_iter=1000)
        assert rank / graph.n_pages == pytest.approx([*expected.values()], abs=1e-9)


@settings(max_examples=15)
@given(
    seed=st.integers(0, 10**6),
    spread=st.sampled_from([0, 1, 30, 300]),
    internal_share=st.sampled_from([None, 0.3]),
)
def test_weighed_pages_are_a_personalisation_vector(seed, spread, internal_share):
    graph = random_graph(seed, n_hosts=15, n_arcs=200)
    rng = np.random.default_rng(seed)
    numbers = {f"t{i:02}": rng.integers(0, graph.n_pages, rng.integers(1, 9)) for i in range(5)}
    weights = {name: 10.0 ** rng.uniform(-spread, spread, len(n)) for name, n in numbers.items()}
    del weights["t03"]
    sets = TopicSets.from_sets(numbers, weights)
    ranks = ranks_of(graph, sets, replace(CLOSE, internal_share=internal_share))
    for topic, (name, pages) in enumerate(numbers.items()):
        wanted = dict.fromkeys(pages.tolist(), 0.0)
        for page, weight in zip(
            pages.tolist(), weights.get(name, np.ones(len(pages))), strict=True
        ):
            wanted[page] = max(wanted[page], weight)
        scale = max(wanted.values())
        preference = np.zeros(graph.n_pages)
        preference[[*wanted]] = np.array([*wanted.values()]) / scale
        options = replace(CLOSE, internal_share=internal_share)
        expected = pagerank(graph, options, preference=preference).rank
        assert ranks[topic] == pytest.approx(expected, abs=1e-8)
        if internal_share is None:
            known = nx.DiGraph()
            known.add_nodes_from(range(graph.n_pages))
            known.add_edges_from(zip(*(ends.tolist() for ends in graph.arcs()), strict=True))
            by_name = {page: weight / scale for page, weight in wanted.items()}
            of_networkx = nx.pagerank(known, personalization=by_name, tol=1e-15, max_iter=1000)
            assert ranks[topic] / graph.n_pages == pytest.approx([*of_networkx.values()], abs=1e-9)


def test_topics_one_by_one_have_their_weights():
    """By a share of internal links that is too small for all at once."""
    graph = random_graph(3, n_hosts=5, n_arcs=50)
    sets = TopicSets.from_sets({"a": [0, 4]}, {"a": [3, 1]})
    options = replace(CLOSE, internal_share=2.0**-50)
    preference = np.zeros(graph.n_pages)
    preference[[0, 4]] = 0.75, 0.25
    expected = pagerank(graph, options, preference=preference).rank
    assert ranks_of(graph, sets, options)[0] == pytest.approx(expected, abs=1e-8)


def test_equal_weights_are_none():
    sets = {"a": [2, 0, 0], "b": [1]}
    alike = TopicSets.from_sets(sets, {"a": [3, 3, 1], "b": [7]})
    assert alike.weights is None
    apart = TopicSets.from_sets(sets, {"a": [3, 1, 0.5]})
    assert apart.weights is not None
    assert apart.pages.tolist() == [0, 2, 1]
    assert apart.weights.tolist() == [0.5, 1.5, 1]


def test_more_topics_than_lanes_and_any_number_of_threads():
    graph = random_graph(2)
    sets = some_sets(graph, 2, 2 * LANES + 3)
    one, two = (ranks_of(graph, sets, threads=threads) for threads in (1, 2))
    assert (one == two).all()
    # a topic's rank does not depend on those beside it
    alone = TopicSets.from_sets({"last": sets.pages_of(sets.n_topics - 1)})
    assert ranks_of(graph, alone)[0] == pytest.approx(one[-1], abs=1e-9)


def test_written_into_an_array_whatever_stood_there():
    # two islands, of which topics reach one each, so that zeros are written too
    graph = graph_of([3, 3], [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)])
    sets = TopicSets.from_sets({f"t{i:02}": [i % 6] for i in range(LANES + 2)})
    into = np.full((sets.n_topics, 6), np.nan)
    for block in topic_ranks(graph, sets, CLOSE, into=into, threads=2):
        assert np.shares_memory(block.rank, into)
    assert (into == ranks_of(graph, sets)).all()


@settings(max_examples=10)
@given(seed=st.integers(0, 10**6), tolerance=st.sampled_from([1e-4, 1e-7, 1e-9, 1e-11]))
def test_within_the_bound_that_is_told(seed, tolerance):
    graph = random_graph(seed, n_hosts=12, n_arcs=300)
    sets = some_sets(graph, seed, LANES + 1)
    for block in topic_ranks(graph, sets, RankOptions(tolerance=tolerance)):
        assert block.error_bound.max() <= tolerance
        for number, rank in enumerate(block.rank):
            pages = sets.pages_of(block.first + number)
            exact = pagerank(graph, CLOSE, preference=indicator(graph, pages)).rank
            error = abs(rank - exact).sum() / graph.n_pages
            assert error <= block.error_bound[number] + 1e-13


def test_engine_gives_the_same_rank():
    graph = random_graph(3)
    everything = TopicSets.from_sets({"all": np.arange(graph.n_pages)})
    unbiased = pagerank(graph, CLOSE).rank
    assert ranks_of(graph, everything)[0] == pytest.approx(unbiased, abs=1e-9)


def test_host_of_more_pages_than_16_bits_number():
    n = 70_000
    rng = np.random.default_rng(1)
    arcs = list(
        zip(
            rng.integers(0, n, n).tolist(),
            (n * rng.random(n) ** 2).astype(int).tolist(),
            strict=True,
        )
    )
    graph = graph_of([n], arcs)
    sets = some_sets(graph, 1, 2)
    for topic, rank in enumerate(ranks_of(graph, sets, RankOptions(tolerance=1e-10))):
        expected = pagerank(graph, CLOSE, preference=indicator(graph, sets.pages_of(topic))).rank
        assert abs(rank - expected).mean() < 1e-9


def test_closed_forms():
    cycle = graph_of([2, 2], [(0, 1), (1, 2), (2, 3), (3, 0)])
    rank = ranks_of(cycle, TopicSets.from_sets({"first": [0]}))[0]
    powers = 0.85 ** np.arange(4)
    assert rank == pytest.approx(4 * 0.15 * powers / (1 - 0.85**4))
    # 0 -> 1, which is dangling: what it loses goes back to 0, and the rest stays 0 (trap 21)
    path = graph_of([1, 1, 1], [(0, 1), (2, 1)])
    rank = ranks_of(path, TopicSets.from_sets({"first": [0]}))[0]
    assert rank == pytest.approx([3 / 1.85, 3 * 0.85 / 1.85, 0])
    assert rank[2] == 0


def test_self_links_and_dangling_policies():
    graph = graph_of([2, 1], [(0, 0), (0, 1), (1, 2)])
    for dangling in DANGLING_POLICIES:
        options = RankOptions(tolerance=1e-13, dangling=dangling)
        rank = ranks_of(graph, TopicSets.from_sets({"a": [0]}), options)[0]
        expected = dense_pagerank(graph, 0.85, dangling, np.array([1.0, 0, 0]))
        assert rank == pytest.approx(expected, abs=1e-11)


def test_graph_without_arcs_and_topic_of_dangling_pages():
    graph = graph_of([3], [])
    assert ranks_of(graph, TopicSets.from_sets({"a": [1]}))[0].tolist() == [0, 3, 0]


def test_ranks_are_on_the_mean_1_scale():
    graph = random_graph(8)
    ranks = ranks_of(graph, some_sets(graph, 8, 4))
    assert ranks.mean(axis=1) == pytest.approx(np.ones(4))  # trap 1


def test_what_no_topic_reaches_is_not_visited():
    # two islands of one host each
    graph = graph_of([3, 3], [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)])
    block = next(topic_ranks(graph, TopicSets.from_sets({"a": [4]}), CLOSE))
    assert block.n_reached == 3
    assert (block.rank[0, :3] == 0).all()


def test_hosts_are_reached_through_hosts():
    # hosts 0 and 2 are linked both ways, 1 links into them, 3 stands alone; no host links to itself
    graph = graph_of([2, 1, 2, 1], [(0, 1), (1, 3), (1, 4), (4, 0), (2, 0), (2, 3), (3, 4)])
    ptr, targets = host_links(graph.host_ptr, graph.indptr, graph.indices)
    found = [sorted(targets[ptr[host] : ptr[host + 1]].tolist()) for host in range(4)]
    assert found == [[2], [0, 2], [0], []]
    for first, expected in ((0, [0, 2]), (1, [0, 1, 2]), (3, [3])):
        reached = np.arange(4) == first
        mark_reached(ptr, targets, reached)
        assert np.flatnonzero(reached).tolist() == expected


def test_what_stood_in_hosts_that_are_not_reached_gives_nothing():
    # the first block ranks the last host, which links to all; the next does not reach it
    graph = graph_of([2, 2, 2], [(0, 1), (1, 0), (2, 3), (3, 2), (4, 0), (4, 2), (5, 4), (4, 5)])
    sets = {f"a{i:02}": [4, 5] for i in range(LANES)} | {"b": [0], "c": [1, 2]}
    topics = TopicSets.from_sets(sets)
    blocks = list(topic_ranks(graph, topics, CLOSE))
    assert [block.n_reached for block in blocks] == [6, 4]
    for name, rank in zip(("b", "c"), blocks[1].rank, strict=True):
        expected = dense_pagerank(graph, 0.85, "redistribute", indicator(graph, sets[name]))
        assert rank == pytest.approx(expected, abs=1e-11)
        assert (rank[4:] == 0).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_turned_rows_are_columns(dtype):
    rows, factors = lane_rows(TILE, np.float64), lane_rows(1, np.float64)
    rows[:] = np.arange(TILE * LANES).reshape(TILE, LANES)
    factors[0] = np.arange(LANES) / 4
    columns = lane_rows(TILE, dtype).reshape(LANES, TILE)
    _turned(columns, rows, factors)
    assert (columns == (rows * factors[0]).T).all()


@kernel
def _turned(columns, rows, factors):
    turn(columns, rows, TILE, factors)


@pytest.mark.parametrize(
    ("arcs", "pages"),
    [
        ([(0, 1), (1, 0)], [0, 1]),
        ([(0, 1), (1, 2), (2, 0)], [0, 1, 2]),
        ([(0, 2), (1, 2), (2, 0)], [1]),
        ([(0, 2), (1, 0), (1, 2), (2, 1)], [0, 2]),
        ([(0, 1), (1, 2), (2, 0), (2, 1)], [1, 2]),
    ],
)
def test_hosts_of_a_page_each_whose_changes_do_not_fade(arcs, pages):
    """The sweeps of a round went from one rounding to another and back, until no iteration was left."""
    n = 1 + max(max(arc) for arc in arcs)
    graph = graph_of([1] * n, arcs)
    (found,) = topic_ranks(graph, TopicSets.from_sets({"A": pages}))
    assert found.converged
    assert found.iterations < 100
    preference = np.bincount(pages, minlength=n)
    assert found.rank[0] == pytest.approx(dense_pagerank(graph, 0.85, "redistribute", preference))


def test_not_converged_is_said():
    graph = random_graph(4)
    options = RankOptions(tolerance=1e-13, max_iterations=1)
    block = next(topic_ranks(graph, some_sets(graph, 4, 2), options))
    assert not block.converged
    assert block.error_bound.max() > 1e-13


def test_wrong_arguments():
    graph = graph_of([2], [(0, 1)])
    with pytest.raises(ValueError, match="threads must be at least 1, got 0"):
        next(topic_ranks(graph, TopicSets.from_sets({"a": [0]}), threads=0))
    with pytest.raises(ValueError, match="a topic holds page 2 of 2"):
        next(topic_ranks(graph, TopicSets.from_sets({"a": [2]})))
    with pytest.raises(ValueError, match="topic 'a' has no page"):
        TopicSets(("a",), np.array([0, 0]), np.zeros(0, np.uint32))
    with pytest.raises(ValueError, match=r"into must be 1 x 2, got \(2, 2\)"):
        next(topic_ranks(graph, TopicSets.from_sets({"a": [0]}), into=np.zeros((2, 2))))
    assert list(topic_ranks(graph, TopicSets.from_sets({}))) == []
