"""The iteration host by host: against a slow one, on any threads, warm, extrapolated."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from crawler.ranking.crew import Crew
from crawler.ranking.host_blocks import iteration as host_blocks
from crawler.ranking.host_blocks import layout as host_layout
from crawler.ranking.host_blocks import phases as host_phases
from crawler.ranking.host_blocks.extrapolation import Extrapolation
from crawler.ranking.host_blocks.iteration import HostBlocks, Resources, host_block_pagerank
from crawler.ranking.host_blocks.layout import HostLayout
from crawler.ranking.mapped_arrays import room
from crawler.ranking.options import RankOptions
from crawler.ranking.partitioned import partitioned_pagerank
from crawler.webgraph.csr import HostGraph
from crawler.webgraph.large_web import LargeWeb, WebShape
from tests.ranking_graphs import dense_pagerank, graph_of, random_graph

TIGHT = RankOptions(tolerance=1e-13)


@pytest.fixture(scope="module")
def web():
    return LargeWeb(WebShape.large(20_000, dangling=0.2)).host_graph()


class SlowHosts:
    """The iteration with policy ``drop`` and alpha 0.85, by lists and sums."""

    def __init__(self, graph):
        self.host = graph.host_of_page.tolist()
        self.degree = graph.out_degree.tolist()
        self.links = defaultdict(list)
        for s, t in zip(*(ends.tolist() for ends in graph.arcs()), strict=True):
            self.links[t].append(s)
        linking = [t for t in range(graph.n_pages) if self.degree[t]]
        self.rank = dict.fromkeys(linking, 1.0)
        self.pages = defaultdict(list)
        for t in sorted(linking, key=lambda t: len(self.near(t))):
            self.pages[self.host[t]].append(t)

    def near(self, t):
        return [s for s in self.links[t] if self.host[s] == self.host[t] and s != t]

    def votes(self, sources):
        return 0.85 * sum(self.rank[s] / self.degree[s] for s in sources)

    def one_pass(self, phases, enough):
        changes = 0.0
        for phase in phases:
            given = {
                t: 0.15 + self.votes([s for s in self.links[t] if self.host[s] != h])
                for h in phase
                for t in self.pages[h]
            }
            changes += sum(self.swept(self.pages[h], given, enough) for h in phase)
        return changes

    def swept(self, pages, given, enough):
        first = None
        for n_sweeps in range(1, host_blocks.MOST_SWEEPS + 1):
            inside = [s for t in pages for s in self.links[t] if self.host[s] == self.host[t]]
            kept = sum(self.rank[t] for t in pages) - self.votes(inside)
            all_given = sum(given[t] for t in pages)
            for t in pages:
                self.rank[t] *= all_given / kept
            change = 0.0
            for t in pages:
                own = 0.85 / self.degree[t] if t in self.links[t] else 0.0
                new = (given[t] + self.votes(self.near(t))) / (1 - own)
                change += abs(new - self.rank[t])
                self.rank[t] = new
            first = change + abs(all_given - kept) if first is None else first
            if n_sweeps >= host_blocks.FEWEST_SWEEPS and change <= enough * len(pages):
                break
        return first


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_pass_equals_the_slow_one(seed, monkeypatch):
    monkeypatch.setattr(host_blocks, "WORTH_SCALING", np.inf)
    graph = random_graph(seed, n_hosts=20, n_arcs=300)
    layout = HostLayout(graph, RankOptions(dangling="drop"), None, crew=Crew(1))
    blocks, slow = HostBlocks(layout, layout.votes(None)), SlowHosts(graph)
    phases = [np.sort(np.concatenate(phase.hosts)).tolist() for phase in blocks.phases]
    assert len(phases) > 5
    enough = np.inf
    for _ in range(3):
        change = blocks.one_pass(enough)
        assert change == pytest.approx(slow.one_pass(phases, enough), abs=1e-12)
        rank, _ = layout.ranks(blocks.vote)
        assert [rank[t] for t in slow.rank] == pytest.approx(list(slow.rank.values()), abs=1e-12)
        enough = host_blocks.ENOUGH * change / len(slow.rank)


def test_balance_makes_the_sum_of_the_residual_zero(web):
    layout = HostLayout(web, TIGHT, None, crew=Crew(1))
    blocks = HostBlocks(layout, layout.votes(np.random.default_rng(1).random(web.n_pages)))
    unbalanced = abs(blocks._residual()[1])
    blocks.balance()
    assert unbalanced > 100
    assert abs(blocks._residual()[1]) < 1e-8


@pytest.mark.slow
@pytest.mark.parametrize("n_threads", [1, 2, 3, 7, 64])
def test_threads_change_no_bit(n_threads, web, monkeypatch):
    expected = host_block_pagerank(web, TIGHT).rank
    monkeypatch.setattr(host_blocks, "SMALL_ARCS", 0)  # else there is one thread
    monkeypatch.setattr(host_phases, "SMALL_ARCS", 10**9)
    result = host_block_pagerank(web, TIGHT, resources=Resources(n_threads))
    assert result.converged
    assert np.array_equal(result.rank, expected)


@pytest.mark.parametrize("n_partitions", [1, 2, 7, 64])
def test_partitions_agree_with_it_when_run_to_the_end(web, n_partitions):
    options = RankOptions(tolerance=1e-14)
    ranks = partitioned_pagerank(web, options, n_partitions=n_partitions)
    fast = host_block_pagerank(web, options)
    assert ranks.converged
    assert fast.converged
    assert np.abs(ranks.rank - fast.rank).sum() / web.n_pages < 1e-12


@pytest.mark.parametrize(
    ("name", "value"), [("NARROW_PAGES", 40), ("MOST_KINDS", 8)], ids=["wide hosts", "many kinds"]
)
def test_width_of_numbers_changes_no_bit(name, value, web, monkeypatch):
    expected = host_block_pagerank(web, TIGHT).rank
    monkeypatch.setattr(host_layout, name, value)
    assert np.array_equal(host_block_pagerank(web, TIGHT).rank, expected)


def test_mapped_arrays_change_no_bit_and_leave_no_file(web, tmp_path):
    expected = host_block_pagerank(web, TIGHT).rank
    arrays = {}
    for name in ("local_ids", "indptr", "indices", "out_degree"):
        array = getattr(web, name)
        arrays[name] = room(len(array), array.dtype, tmp_path)
        assert isinstance(arrays[name], np.memmap)
        arrays[name][:] = array
    graph = replace(web, **arrays)
    mapped = host_block_pagerank(graph, TIGHT, resources=Resources(folder=tmp_path))
    assert np.array_equal(mapped.rank, expected)
    assert not list(tmp_path.iterdir())


def test_order_of_hosts_changes_nothing(web):
    host = web.packed >> np.uint64(32)
    other = np.random.default_rng(1).permutation(web.n_hosts).astype(np.uint64)
    renamed = (other[host] << np.uint64(32)) | web.local_ids
    sources, targets = web.arcs()
    permuted = HostGraph.from_arcs(renamed, renamed[sources], renamed[targets])
    again = host_block_pagerank(permuted, TIGHT).rank[permuted.numbers(renamed)]
    assert np.abs(again - host_block_pagerank(web, TIGHT).rank).sum() / web.n_pages < 1e-12


def test_igraph_agrees(web):
    igraph = pytest.importorskip("igraph")
    arcs = np.stack(web.arcs(), axis=1)
    ranks = np.array(igraph.Graph(n=web.n_pages, edges=arcs, directed=True).pagerank())
    assert np.abs(host_block_pagerank(web, TIGHT).rank / web.n_pages - ranks).sum() < 1e-9


def test_hosts_without_preference_have_no_rank():
    # host 2 gives to nobody else, and nobody gives to it
    graph = graph_of([2, 2, 2], [(0, 1), (1, 0), (1, 2), (2, 3), (3, 0), (4, 5), (5, 4)])
    preference = np.array([1.0, 0, 0, 0, 0, 0])
    result = host_block_pagerank(graph, TIGHT, preference=preference)
    assert result.rank == pytest.approx(
        dense_pagerank(graph, 0.85, "redistribute", preference), abs=1e-12
    )
    assert result.rank[4:].tolist() == [0, 0]


def test_hosts_of_next_to_no_preference():
    """What their pages keep is too small to divide by."""
    graph = random_graph(3912, n_hosts=15, n_arcs=200)
    preference = np.zeros(graph.n_pages)
    preference[[4, 8, 31]] = 1, 3.24534494e-133, 1.7897066e-316
    result = host_block_pagerank(graph, replace(TIGHT, tolerance=1e-13), preference=preference)
    expected = dense_pagerank(graph, 0.85, "redistribute", preference)
    assert result.rank == pytest.approx(expected, abs=1e-11)


def test_a_graph_that_scaling_alone_sets_right():
    # one linking page a host, and no rank comes back to any
    graph = graph_of([2, 1, 3, 2, 1, 1], [(1, 6), (5, 9), (8, 1)])
    options = RankOptions(alpha=0.99, tolerance=1e-11, dangling="self")
    result = host_block_pagerank(graph, options)
    assert result.converged
    assert result.iterations <= 3
    assert result.rank == pytest.approx(dense_pagerank(graph, 0.99, "self"), abs=1e-10)


def test_mean_change_ends_it_as_the_paper_does(web):
    options = RankOptions(mean_change=1e-3)
    fast = host_block_pagerank(web, options)
    published = partitioned_pagerank(web, options, n_partitions=8)
    assert fast.converged
    assert published.converged
    assert fast.iterations < published.iterations
    assert max(fast.residual, published.residual) < 2e-3


def test_start_from_old_ranks_saves_passes(web):
    options = RankOptions(tolerance=1e-8)
    # the graph before some of its pages were fetched: every 500th has no links yet
    sources, targets = web.arcs()
    kept = sources % 500 != 0
    ids = web.packed
    before = HostGraph.from_arcs(ids, ids[sources[kept]], ids[targets[kept]])
    old = host_block_pagerank(before, options)
    cold = host_block_pagerank(web, options)
    warm = host_block_pagerank(web, options, start=old.rank)
    assert warm.iterations < cold.iterations
    assert np.abs(warm.rank - cold.rank).sum() / web.n_pages <= 2e-8
    assert host_block_pagerank(web, options, start=3 * cold.rank).iterations <= 2


def two_way_rings(n_rings, length):
    """Rings of pages of as many hosts, each linked both ways: rank goes round and round."""
    arcs = []
    for ring in range(n_rings):
        pages = [ring + n_rings * ((i * 7) % length) for i in range(length)]
        arcs += [(pages[i], pages[i - 1]) for i in range(length)]
        arcs += [(pages[i - 1], pages[i]) for i in range(length) if (ring + i) % 3]
    return graph_of([n_rings] * length, arcs)


def test_slow_graphs_are_extrapolated(monkeypatch):
    graph = two_way_rings(5, 40)
    fast = host_block_pagerank(graph, TIGHT)
    monkeypatch.setattr(host_blocks, "MOST_ASTRAY", 0)
    slow = host_block_pagerank(graph, TIGHT)
    assert fast.iterations < 0.8 * slow.iterations
    assert np.abs(fast.rank - slow.rank).sum() / graph.n_pages <= 2e-13


def test_extrapolation_solves_what_has_two_modes():
    # x -> A x + b, A with two eigenvalues; the third step is the fixed point
    modes = np.array([0.9, 0.9, 0.5, 0.5])
    fixed = np.array([4.0, 3.0, 2.0, 1.0])
    x, extrapolation = np.ones(4), Extrapolation()
    for _ in range(3):
        x = extrapolation.next(x, fixed + modes * (x - fixed))
    assert x == pytest.approx(fixed, abs=1e-9)
    assert (Extrapolation().next(np.zeros(2), np.array([-1.0, 1.0])) == [0, 1]).all()


def test_crew_of_no_threads():
    with pytest.raises(ValueError, match="n_threads must be at least 0, got -1"):
        Crew(-1)
    with Crew(0) as crew:
        assert crew.n_threads >= 1
        assert crew.call(max, [(1, 2), (4, 3), (0, 0)]) == [2, 4, 0]
