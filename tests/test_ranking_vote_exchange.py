"""Votes that are passed between hosts: as added up one by one, whoever sends and takes them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.ranking.crew import Crew
from crawler.ranking.host_blocks.kernels import Work
from crawler.ranking.host_blocks.layout import HostLayout
from crawler.ranking.host_blocks.vote_exchange import VotesBetween
from crawler.ranking.options import RankOptions
from tests.ranking_graphs import graph_of, random_graph


def laid_out(graph, n_threads):
    """The layout of *graph*, and its arcs between hosts as (target, source)."""
    layout = HostLayout(graph, RankOptions(dangling="drop"), None, crew=Crew(n_threads))
    arrays = layout.arrays
    pairs = zip(arrays.foreign_targets.tolist(), arrays.foreign_sources.tolist(), strict=True)
    return layout, list(pairs)


def taken(layout, between, vote):
    """What each linking page is given, by number."""
    found = np.zeros(layout.n_pages)
    for number, phase in enumerate(between.phases):
        room = np.full(phase.n_pages, np.nan)
        works = [Work(hosts, vote, room, phase.first_page) for hosts in phase.hosts]
        between.take(number, [(layout.arrays, work) for work in works])
        found[phase.first_page : phase.first_page + phase.n_pages] = np.nan_to_num(room)
    return found


def expected(layout, pairs, vote):
    found = np.zeros(layout.n_pages)
    for start, n in zip(layout.arrays.host_ptr.tolist(), layout.arrays.n_linking, strict=False):
        found[start : start + int(n)] = 1 - layout.options.alpha
    for target, source in pairs:
        found[target] += vote[source]
    return found


@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), n_threads=st.integers(1, 3), n_hosts=st.integers(1, 60))
def test_given_is_the_sum_of_what_was_sent(seed, n_threads, n_hosts):
    layout, pairs = laid_out(random_graph(seed, n_hosts=n_hosts, n_arcs=400), n_threads)
    between = VotesBetween(layout)
    routes = between.routes
    assert sorted(zip(routes.targets.tolist(), routes.sources.tolist(), strict=True)) == sorted(
        pairs
    )
    assert len(layout.arrays.foreign_sources) == 0
    vote = np.random.default_rng(seed).random(layout.n_pages)
    between.send_all(vote)
    assert taken(layout, between, vote) == pytest.approx(expected(layout, pairs, vote), abs=1e-12)
    # one phase changes its votes and sends them anew
    phase = between.phases[seed % len(between.phases)]
    vote[phase.first_page : phase.first_page + phase.n_pages] *= 2
    between.send(seed % len(between.phases), vote)
    between.send_all(vote * np.nan)  # they are current
    assert taken(layout, between, vote) == pytest.approx(expected(layout, pairs, vote), abs=1e-12)


def test_threads_and_a_second_run_change_no_bit():
    graph = random_graph(5, n_hosts=60, n_arcs=3000)
    vote = np.random.default_rng(1).random(graph.n_pages)
    found = []
    for n_threads in (1, 1, 2, 7):
        layout, _ = laid_out(graph, n_threads)
        for _ in range(2):
            between = VotesBetween(layout)
            between.send_all(vote)
            found.append(taken(layout, between, vote).tobytes())
    assert len(set(found)) == 1


def test_no_arc_between_hosts():
    layout, pairs = laid_out(graph_of([3], [(0, 1), (1, 2), (2, 0)]), 1)
    between = VotesBetween(layout)
    between.send_all(np.ones(3))
    assert pairs == []
    assert taken(layout, between, np.ones(3)).tolist() == pytest.approx([0.15] * 3)
