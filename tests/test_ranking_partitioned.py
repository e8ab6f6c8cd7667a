"""Partitions, votes, and the partitioned iteration against a slow one written out."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.ranking.balance import measured_speed
from crawler.ranking.options import RankOptions
from crawler.ranking.partitioned import partitioned_pagerank, unified_pagerank
from crawler.ranking.partitions import count_links, cut, deal_by_speed, deal_hosts
from crawler.webgraph.csr import HostGraph
from tests.ranking_graphs import graph_of, random_graph


def slow_partitioned(graph, *, n_partitions, n_iterations, alpha=0.85):
    """Equations 3.8 to 3.11 by dictionaries, policy ``drop``; self links at the page's new rank."""
    host = graph.host_of_page.tolist()
    sizes = sorted(set(host), key=lambda h: (-host.count(h), h))
    partition = {h: place % n_partitions for place, h in enumerate(sizes)}
    links = defaultdict(list)
    for s, t in zip(*(ends.tolist() for ends in graph.arcs()), strict=True):
        links[t].append(s)
    degree = graph.out_degree.tolist()
    rank = dict.fromkeys(range(graph.n_pages), 1.0)

    def from_remote():
        votes = defaultdict(float)  # (source partition, target) -> one number
        for t, sources in links.items():
            for s in sources:
                if partition[host[s]] != partition[host[t]]:
                    votes[partition[host[s]], t] += rank[s] / degree[s]
        received = defaultdict(float)
        for (_, t), vote in votes.items():
            received[t] += vote
        return received, len(votes)

    received, n_votes = from_remote()
    for _ in range(n_iterations):
        for t in range(graph.n_pages):  # partitions do not see each other: any order of theirs
            near = [s for s in links[t] if partition[host[s]] == partition[host[t]] and s != t]
            own = alpha / degree[t] if t in links[t] else 0.0
            votes = received[t] + sum(rank[s] / degree[s] for s in near)
            rank[t] = (1 - alpha + alpha * votes) / (1 - own)
        received, n_votes = from_remote()
    return np.array([rank[t] for t in range(graph.n_pages)]), n_votes


@pytest.mark.parametrize("n_partitions", [1, 2, 7, 64])
@pytest.mark.parametrize("n_iterations", [1, 2, 5])
@pytest.mark.parametrize("seed", [1, 2])
def test_every_iteration_equals_the_slow_one(seed, n_iterations, n_partitions):
    graph = random_graph(seed, n_hosts=20, n_arcs=300)
    options = RankOptions(tolerance=1e-14, dangling="drop", max_iterations=n_iterations)
    result = partitioned_pagerank(graph, options, n_partitions=n_partitions)
    expected, n_votes = slow_partitioned(
        graph, n_partitions=n_partitions, n_iterations=n_iterations
    )
    assert result.rank == pytest.approx(expected, abs=1e-12)
    assert result.n_votes == n_votes


@pytest.mark.parametrize("n_partitions", [1, 3])
def test_unified_iteration_updates_partition_by_partition(n_partitions):
    graph = random_graph(3, n_hosts=12, n_arcs=150)
    options = RankOptions(tolerance=1e-14, dangling="drop", max_iterations=2)
    rank = np.ones(graph.n_pages)
    sources, targets = graph.arcs()
    partition = deal_hosts(np.diff(graph.host_ptr), n_partitions)[graph.host_of_page]
    for _ in range(2):
        for t in np.argsort(partition, kind="stable"):
            near = sources[(targets == t) & (sources != t)]
            own = 0.85 / graph.out_degree[t] if ((sources == t) & (targets == t)).any() else 0
            rank[t] = (0.15 + 0.85 * (rank[near] / graph.out_degree[near]).sum()) / (1 - own)
    result = unified_pagerank(graph, options, n_partitions=n_partitions)
    assert result.rank == pytest.approx(rank, abs=1e-12)


def test_two_pages_of_a_partition_give_a_page_one_vote():
    # host A: pages 0, 1; host B: pages 2, 3
    graph = graph_of([2, 2], [(0, 2), (1, 2), (0, 1), (2, 3), (3, 0)])
    result = partitioned_pagerank(graph, RankOptions(tolerance=1e-13), n_partitions=2)
    assert (result.n_votes, result.n_remote_arcs) == (2, 3)
    one = partitioned_pagerank(graph, RankOptions(tolerance=1e-13))
    assert (one.n_votes, one.n_remote_arcs) == (0, 0)
    assert result.rank == pytest.approx(one.rank, abs=1e-12)


def test_in_place_needs_fewer_iterations_than_jacobi_order():
    # a chain along ascending LocalIDs is done in one pass; the second pass sees no change
    graph = graph_of([50], [(i, i + 1) for i in range(49)])
    assert partitioned_pagerank(graph, n_partitions=3).iterations == 2


@pytest.mark.parametrize(
    ("sizes", "n_partitions", "partition"),
    [
        ([1, 5, 3, 5], 2, [1, 0, 0, 1]),  # 5 (first), 5, 3, 1
        ([4, 3, 2, 1], 3, [0, 1, 2, 0]),
        ([1], 4, [0]),
        ([], 2, []),
    ],
)
def test_hosts_are_dealt_by_size(sizes, n_partitions, partition):
    assert deal_hosts(np.array(sizes, dtype=np.int64), n_partitions).tolist() == partition


@pytest.mark.parametrize(
    ("work", "speeds", "partition"),
    [
        ([4, 3, 2, 1], [1, 1], [0, 1, 1, 0]),  # 4 | 3, then 2 to the second, 1 to the first
        ([5, 5, 5, 5], [3, 1], [0, 0, 0, 1]),
        ([7], [1, 10], [1]),
        ([], [1, 2], []),
    ],
)
def test_hosts_go_to_who_is_done_first(work, speeds, partition):
    assert deal_by_speed(np.array(work, dtype=np.int64), speeds).tolist() == partition


@pytest.mark.parametrize("speeds", [[], [1, 0], [-1], [np.inf], [[1.0]]])
def test_speeds_must_be_above_0(speeds):
    with pytest.raises(ValueError, match="speeds must be numbers above 0"):
        deal_by_speed(np.ones(3), speeds)


def test_partitions_by_speed_are_in_proportion_and_change_no_rank():
    graph = random_graph(5, n_hosts=300, n_arcs=3000)
    speeds = [4.0, 2.0, 1.0, 1.0]
    of_host = deal_by_speed(np.diff(graph.host_ptr), speeds)
    pages = np.bincount(of_host[graph.host_of_page])
    assert pages / pages.sum() == pytest.approx(np.array(speeds) / 8, abs=0.01)
    options = RankOptions(tolerance=1e-13)
    ranks = partitioned_pagerank(graph, options, n_partitions=4, speeds=speeds).rank
    assert ranks == pytest.approx(partitioned_pagerank(graph, options).rank, abs=1e-10)


def test_speed_is_measured():
    assert measured_speed(1000) > 1e5


@pytest.mark.parametrize("n_partitions", [1, 4, 30])
def test_links_are_counted_as_in_tables_3_1_and_3_2(n_partitions):
    graph = random_graph(6)
    of_host = deal_hosts(np.diff(graph.host_ptr), n_partitions)
    host = graph.host_of_page
    sources, targets = graph.arcs()
    apart = of_host[host[sources]] != of_host[host[targets]]
    votes = {(of_host[host[s]], t) for s, t in zip(sources[apart], targets[apart], strict=True)}
    counts = count_links(graph, of_host, n_partitions)
    assert counts == (
        len(sources),
        (host[sources] == host[targets]).sum(),
        (host[sources] != host[targets]).sum(),
        apart.sum(),
        len(votes),
    )
    assert counts.votes == cut(graph, n_partitions).votes.targets.size


@settings(max_examples=50)
@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(0, 60), st.integers(1, 9))
def test_every_arc_is_local_or_in_one_vote(seed, n_hosts, n_arcs, n_partitions):
    graph = random_graph(seed, n_hosts=n_hosts, n_arcs=n_arcs)
    partitions = cut(graph, n_partitions)
    _, indptr, indices = partitions.links
    local = [(s, t) for t in range(graph.n_pages) for s in indices[indptr[t] : indptr[t + 1]]]
    targets, source_ptr, sources = partitions.votes
    voting = [
        (s, t) for v, t in enumerate(targets) for s in sources[source_ptr[v] : source_ptr[v + 1]]
    ]
    assert sorted([*local, *voting]) == sorted(zip(*graph.arcs(), strict=True))
    of_host = deal_hosts(np.diff(graph.host_ptr), n_partitions)
    of_page = of_host[graph.host_of_page]
    assert all(of_page[s] == of_page[t] for s, t in local)
    assert all(of_page[s] != of_page[t] for s, t in voting)
    from_to = [
        (of_page[sources[start]], t) for start, t in zip(source_ptr[:-1], targets, strict=True)
    ]
    assert len(set(from_to)) == len(from_to)
    assert np.concatenate(partitions.hosts).tolist() == np.argsort(of_host, kind="stable").tolist()


def test_other_host_ids_change_nothing():
    graph = random_graph(8)
    host = graph.packed >> np.uint64(32)
    other = np.random.default_rng(1).permutation(graph.n_hosts).astype(np.uint64) * np.uint64(1000)
    renamed = (other[host] << np.uint64(32)) | graph.local_ids
    sources, targets = graph.arcs()
    permuted = HostGraph.from_arcs(renamed, renamed[sources], renamed[targets])
    options = RankOptions(tolerance=1e-13)
    ranks = partitioned_pagerank(graph, options, n_partitions=7).rank
    again = partitioned_pagerank(permuted, options, n_partitions=7).rank
    assert again[permuted.numbers(renamed)] == pytest.approx(ranks, abs=1e-11)


def test_same_input_gives_the_same_bytes():
    graph = random_graph(9)
    ranks = [partitioned_pagerank(graph, n_partitions=7).rank.tobytes() for _ in range(2)]
    assert ranks[0] == ranks[1]
