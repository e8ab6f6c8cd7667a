"""Stratified PageRank by every method against a slow one, where it is plain PageRank, and at its ends."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.ranking.cluster.spark import spark_pagerank
from crawler.ranking.host_blocks.iteration import Resources, host_block_pagerank
from crawler.ranking.methods import pagerank
from crawler.ranking.options import DANGLING_POLICIES, METHODS, RankOptions
from crawler.ranking.topics.mixtures import mixed_rank, mixture_weights
from crawler.ranking.topics.sets import TopicSets
from crawler.ranking.topics.topics import LEAST_SHARE, topic_ranks
from crawler.ranking.topics.vectors import LANES
from crawler.webgraph.large_web import LargeWeb, WebShape
from tests.ranking_graphs import graph_of, random_graph
from tests.topic_rank_sets import indicator, some_sets
from tests.topic_rank_sets import ranks_of as ranks_of_topics

TIGHT = RankOptions(tolerance=1e-13)


def slow_ranks(graph, options, preference=None):
    """The ranks on mean-1 scale: what each page gives, page by page, solved densely."""
    n, beta = graph.n_pages, options.internal_share
    v = np.ones(n) if preference is None else preference * (n / preference.sum())
    host = graph.host_of_page.tolist()
    links = [[] for _ in range(n)]
    for s, t in zip(*(ends.tolist() for ends in graph.arcs()), strict=True):
        links[s].append(t)
    given = np.zeros((n, n))
    for s in range(n):
        near = [t for t in links[s] if host[t] == host[s]]
        far = [t for t in links[s] if host[t] != host[s]]
        if near and far:
            given[near, s], given[far, s] = beta / len(near), (1 - beta) / len(far)
        elif links[s]:
            given[links[s], s] = 1 / len(links[s])
        elif options.dangling == "self":
            given[s, s] = 1
        elif options.dangling == "redistribute":
            given[:, s] = v / n
    return np.linalg.solve(np.eye(n) - options.alpha * given, (1 - options.alpha) * v)


def ranks_of(graph, options, method="host-blocks", n_partitions=2, preference=None):
    result = pagerank(
        graph, options, method=method, n_partitions=n_partitions, preference=preference
    )
    assert result.converged
    return result


@settings(max_examples=200)
@given(
    sizes=st.lists(st.integers(1, 5), min_size=1, max_size=5),
    seed=st.integers(0, 2**32 - 1),
    density=st.floats(0, 4),
    options=st.builds(
        RankOptions,
        alpha=st.floats(0, 0.95),
        tolerance=st.just(1e-12),
        dangling=st.sampled_from(DANGLING_POLICIES),
        internal_share=st.sampled_from([0.0, 1.0, 1e-300, 1e-9]) | st.floats(0, 1),
    ),
    n_partitions=st.integers(1, 6),
    method=st.sampled_from(METHODS),
)
def test_any_small_graph_is_ranked_as_the_slow_way(
    sizes, seed, density, options, n_partitions, method
):
    rng = np.random.default_rng(seed)
    n = sum(sizes)
    graph = graph_of(sizes, [tuple(arc) for arc in rng.integers(0, n, (int(density * n), 2))])
    preference = rng.random(n) * rng.integers(0, 2, n) + 1e-3
    result = ranks_of(graph, options, method, n_partitions, preference)
    expected = slow_ranks(graph, options, preference)
    error = np.abs(result.rank - expected).sum() / n
    assert error <= min(1e-11, result.error_bound + 1e-14)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dangling", DANGLING_POLICIES)
@pytest.mark.parametrize("internal_share", [0.0, 0.25, 1.0])
def test_larger_graphs_of_many_hosts(internal_share, dangling, method):
    options = replace(TIGHT, dangling=dangling, internal_share=internal_share)
    for seed, n_partitions in product((1, 2), (1, 7)):
        graph = random_graph(seed)
        rank = ranks_of(graph, options, method, n_partitions).rank
        assert np.abs(rank - slow_ranks(graph, options)).sum() < 1e-11 * graph.n_pages


@pytest.mark.parametrize("dangling", DANGLING_POLICIES)
def test_extrapolation_that_goes_in_a_circle_is_left_off(dangling):
    """Here each fourth extrapolated pass changes as much as the fourth before it, for ever."""
    options = RankOptions(alpha=0.99, tolerance=1e-11, dangling=dangling, internal_share=0.0)
    graph = random_graph(1, n_hosts=40, n_arcs=700)
    preference = indicator(graph, [13, 131, 173, 193, 252])
    result = ranks_of(graph, options, preference=preference)
    assert result.iterations < options.limit / 3
    expected = slow_ranks(graph, options, preference)
    assert np.abs(result.rank - expected).sum() / graph.n_pages <= 1e-11


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("n_near", "n_far"), [(1, 1), (3, 1), (2, 5)])
def test_the_share_that_internal_links_have_is_plain_pagerank(n_near, n_far, method):
    """Each page with links has so many of each kind: beta is its own share of internal ones."""
    rng = np.random.default_rng(3)
    sizes = rng.integers(n_near, 9, 12).tolist()
    pages = np.split(np.arange(sum(sizes)), np.cumsum(sizes)[:-1])
    arcs = []
    for host, own in enumerate(pages):
        others = np.concatenate([each for k, each in enumerate(pages) if k != host])
        for s in own[: 1 + len(own) // 2].tolist():
            arcs += [(s, int(t)) for t in rng.choice(own, n_near, replace=False)]
            arcs += [(s, int(t)) for t in rng.choice(others, n_far, replace=False)]
    graph = graph_of(sizes, arcs)
    stratified = replace(TIGHT, internal_share=n_near / (n_near + n_far))
    assert ranks_of(graph, stratified, method).rank == pytest.approx(
        ranks_of(graph, TIGHT, method).rank, abs=1e-11
    )
    other = replace(TIGHT, internal_share=0.9)
    assert np.abs(ranks_of(graph, other, method).rank - ranks_of(graph, TIGHT).rank).sum() > 0.1


@pytest.mark.parametrize("internal_share", [0.0, 0.5, 1.0])
def test_links_of_one_kind_have_all(internal_share):
    options = replace(TIGHT, internal_share=internal_share)
    near = graph_of([5], [(0, 1), (1, 2), (2, 0), (0, 3), (3, 3)])
    far = graph_of([1] * 5, [(0, 1), (1, 2), (2, 0), (0, 3)])
    for graph, method in product((near, far), METHODS):
        expected = ranks_of(graph, TIGHT, method).rank
        assert ranks_of(graph, options, method).rank == pytest.approx(expected, abs=1e-11)


@pytest.fixture(scope="module")
def web():
    return LargeWeb(WebShape.large(20_000, dangling=0.2)).host_graph()


@pytest.mark.parametrize("internal_share", [0.0, 0.1, 0.5, 0.99, 1.0])
def test_methods_agree_within_the_bound_on_a_larger_web(web, internal_share):
    options = RankOptions(tolerance=1e-10, internal_share=internal_share)
    ways = [("host-blocks", 1), ("host-blocks", 3), ("jacobi", 1), ("partitioned", 5)]
    one, three, *others = [ranks_of(web, options, *way) for way in ways]
    assert (one.rank == three.rank).all()
    assert one.rank.mean() == pytest.approx(1)
    for other in others:
        apart = np.abs(one.rank - other.rank).sum() / web.n_pages
        assert apart <= one.error_bound + other.error_bound
        assert one.iterations < other.iterations


def test_on_arrays_in_files(web, tmp_path):
    options = replace(TIGHT, internal_share=0.7)
    mapped = host_block_pagerank(web, options, resources=Resources(2, folder=tmp_path))
    assert (mapped.rank == ranks_of(web, options).rank).all()


def test_checkpoint_is_of_one_share(web, tmp_path):
    resources = Resources(checkpoint=tmp_path / "state.npz", checkpoint_secs=0)
    options = RankOptions(internal_share=0.7)
    stopped = replace(options, max_iterations=4)
    assert not host_block_pagerank(web, stopped, resources=resources).converged
    for other in (0.6, None):
        again = host_block_pagerank(
            web, replace(stopped, internal_share=other), resources=resources
        )
        assert (again.resumed_at, again.is_ignored) == (0, True)
        host_block_pagerank(web, stopped, resources=resources)
    resumed = host_block_pagerank(web, options, resources=resources)
    assert (resumed.converged, resumed.resumed_at, resumed.is_ignored) == (True, 3, False)
    apart = np.abs(resumed.rank - ranks_of(web, options).rank).sum() / web.n_pages
    assert apart <= 2e-8


def test_spark_ranks_by_plain_links_only(web):
    with pytest.raises(ValueError, match="internal_share must be None for Spark"):
        spark_pagerank(web, RankOptions(internal_share=0.5))


@settings(max_examples=100)
@given(
    sizes=st.lists(st.integers(1, 5), min_size=1, max_size=5),
    seed=st.integers(0, 2**32 - 1),
    density=st.floats(0, 4),
    options=st.builds(
        RankOptions,
        alpha=st.floats(0, 0.95),
        tolerance=st.just(1e-12),
        dangling=st.sampled_from(DANGLING_POLICIES),
        internal_share=st.sampled_from([0.0, 1.0]) | st.floats(0, 1),
    ),
    n_topics=st.integers(1, LANES + 2),
)
def test_topics_are_ranked_as_the_slow_way(sizes, seed, density, options, n_topics):
    rng = np.random.default_rng(seed)
    n = sum(sizes)
    graph = graph_of(sizes, [tuple(arc) for arc in rng.integers(0, n, (int(density * n), 2))])
    topics = some_sets(graph, seed, n_topics)
    ranks = ranks_of_topics(graph, topics, options, threads=2)
    for topic, rank in enumerate(ranks):
        expected = slow_ranks(graph, options, indicator(graph, topics.pages_of(topic)))
        assert np.abs(rank - expected).sum() / n <= 1e-11
        # a share of 0 is one of 2^-100, and an alpha of 0 one of `SMALLEST_TOLERANCE`
        assert rank[expected == 0].max(initial=0) < (1e-25 if options.alpha > 1e-14 else 1e-14)


@pytest.mark.parametrize("internal_share", [LEAST_SHARE / 2, LEAST_SHARE, 0.3, 1.0])
def test_topics_share_passes_and_are_ranked_as_each_by_itself(web, internal_share):
    options = RankOptions(tolerance=1e-10, internal_share=internal_share)
    topics = some_sets(web, 1, LANES)
    (found,) = topic_ranks(web, topics, options)
    assert found.converged
    n_read = 0
    for topic, rank in enumerate(found.rank):
        preference = indicator(web, topics.pages_of(topic))
        alone = host_block_pagerank(web, options, preference=preference)
        apart = np.abs(rank - alone.rank).sum() / web.n_pages
        assert apart <= found.error_bound[topic] + alone.error_bound
        n_read += alone.n_gathers
    assert (found.arc_passes * web.n_arcs < n_read / 4) == (internal_share >= LEAST_SHARE)


@pytest.mark.parametrize("dangling", DANGLING_POLICIES)
def test_mixtures_of_topics_are_ranks_of_mixed_preferences(dangling):
    """What `kept` is for: the rank of a topic of pages 0 and 5, from those of each by itself."""
    options = replace(TIGHT, dangling=dangling, internal_share=0.3)
    graph = random_graph(4, n_hosts=4, n_arcs=60)
    apart = TopicSets.from_sets({"a": [0], "b": [5], "c": [0, 5]})
    (found,) = topic_ranks(graph, apart, options)
    weights = np.array([0.5, 0.5])
    if dangling == "redistribute":
        weights = mixture_weights(weights, found.kept[:2])
    else:
        assert found.kept == pytest.approx(found.rank.mean(axis=1))
    assert mixed_rank(found.rank[:2], weights) == pytest.approx(found.rank[2], abs=1e-10)
    assert (found.first, found.iterations > 1, found.arc_passes > 1) == (0, True, True)
