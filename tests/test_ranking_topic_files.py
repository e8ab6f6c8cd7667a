"""Topic PageRank: the sets of topics, mixtures, and the file of ranks."""

from __future__ import annotations

import numpy as np
import pytest

from crawler.errors import FormatError, InputError
from crawler.ranking.methods import pagerank
from crawler.ranking.options import DANGLING_POLICIES, RankOptions
from crawler.ranking.topics.mixtures import facet_weights, mixed_rank, mixture_weights
from crawler.ranking.topics.sets import TopicSets, ancestors, topic_sets
from crawler.ranking.topics.store import (
    StoredTopic,
    TopicFile,
    write_topics,
)
from crawler.ranking.topics.topics import topic_ranks
from tests.ranking_graphs import random_graph
from tests.topic_rank_sets import indicator, ranks_of, some_sets


def test_topics_without_pages_are_left_out():
    assert TopicSets.from_sets({"empty": [], "a": [1, 1, 0]}).names == ("a",)  # trap 20


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, {"Top/A": [0], "Top/A/B": [1, 2], "Top/A/B/C": [3], "D": [4]}),
        (
            {"descendants": True},
            {"Top/A": [0, 1, 2, 3], "Top/A/B": [1, 2, 3], "Top/A/B/C": [3], "D": [4]},
        ),
        ({"max_depth": 1}, {"Top/A": [0, 1, 2, 3], "D": [4]}),
        ({"max_depth": 2}, {"Top/A": [0], "Top/A/B": [1, 2, 3], "D": [4]}),
        ({"min_pages": 2}, {"Top/A/B": [1, 2]}),
    ],
)
def test_topic_sets(options, expected):
    pages_of = {"Top/A": [0], "Top/A/B": [2, 1], "Top/A/B/C": [3], "D": [4]}
    sets = topic_sets(pages_of, **options)
    found = {name: sets.pages_of(i).tolist() for i, name in enumerate(sets.names)}
    assert found == expected


def test_weights_of_topics():
    """A page that is of two descendants has the larger of its weights; those without are 1."""
    pages_of = {"Top/A/B": [0, 1], "Top/A/C": [1, 2], "Top/D": [3]}
    sets = topic_sets(pages_of, {"Top/A/B": [2.0, 5.0]}, descendants=True)
    found = {name: np.array(sets.weights_of(i)).tolist() for i, name in enumerate(sets.names)}
    assert found["Top/A"] == pytest.approx([6 / 8, 15 / 8, 3 / 8])
    assert found["Top/A/B"] == pytest.approx([4 / 7, 10 / 7])
    assert found["Top/A/C"] == [1, 1]
    assert found["Top/D"] == [1]
    assert topic_sets(pages_of, {"Top/A/B": [9, 9]}, min_pages=2).names == ("Top/A/B", "Top/A/C")


def test_ancestors():
    assert ancestors("Top/A/B/C") == ["Top/A/B", "Top/A"]
    assert ancestors("A/B") == ["A"]
    assert ancestors("Top/A") == ancestors("A") == []


@pytest.mark.parametrize("dangling", DANGLING_POLICIES)
def test_mixtures_are_ranks_of_mixed_preferences(dangling):
    graph = random_graph(9)
    sets = some_sets(graph, 9, 3)
    options = RankOptions(tolerance=1e-14, dangling=dangling)
    block = next(topic_ranks(graph, sets, options))
    wanted = np.array([0.5, 0.3, 0.2])
    shares = [len(sets.pages_of(topic)) for topic in range(3)]
    mixed = sum(
        w * indicator(graph, sets.pages_of(t)) / size
        for t, (w, size) in enumerate(zip(wanted, shares, strict=True))
    )
    expected = pagerank(graph, options, preference=mixed).rank
    weights = wanted if dangling != "redistribute" else mixture_weights(wanted, block.kept)
    assert mixed_rank(block.rank, weights) == pytest.approx(expected, abs=1e-9)
    # and equation 3.6 as it is printed, with the weights that it mixes
    if dangling == "redistribute":
        of_preferences = mixture_weights(wanted, 1 / block.kept)
        again = sum(
            w * indicator(graph, sets.pages_of(t)) / size
            for t, (w, size) in enumerate(zip(of_preferences, shares, strict=True))
        )
        rank = pagerank(graph, options, preference=again).rank
        assert mixed_rank(block.rank, wanted) == pytest.approx(rank, abs=1e-9)


def test_weights_are_equal_within_a_dimension():
    weights = facet_weights(["topic", "topic", "origin"], {"topic": 2})
    assert weights.tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3])
    for wrong in ([], [0, 0], [-1, 2], [np.nan]):
        with pytest.raises(ValueError, match="weights must be"):
            mixed_rank(np.ones((len(wrong), 2)), wrong)
    with pytest.raises(ValueError, match="1 weights, but 2 rank vectors"):
        mixed_rank(np.ones((2, 2)), [1])


def test_file_of_topic_ranks(tmp_path):
    graph = random_graph(6)
    sets = some_sets(graph, 6, 3)
    path = tmp_path / "ranks" / "topics.parquet"
    unbiased = pagerank(graph).rank
    topics = [StoredTopic(f"Top/Käse {i}", len(sets.pages_of(i)), 0.5) for i in range(3)]
    computed = np.zeros((3, graph.n_pages), dtype=np.float32)
    next(topic_ranks(graph, sets, into=computed))
    write_topics(
        path,
        graph,
        (unbiased, computed),
        topics=topics,
        urls=lambda ids: [f"http://{i}.sample/" for i in ids.tolist()],
        computed={"alpha": 0.85},
    )
    assert [file.name for file in path.parent.iterdir()] == ["topics.parquet"]
    file = TopicFile(path)
    assert (file.topics, file.computed["alpha"], file.n_pages) == (topics, 0.85, graph.n_pages)
    packed, rank, ranks = next(iter(file.batches()))
    assert (packed == graph.packed).all()
    assert (rank == unbiased).all()
    assert (ranks == computed).all()
    assert ranks == pytest.approx(ranks_of(graph, sets), rel=1e-5)
    with pytest.raises(InputError, match="run `scrapy pagerank --topics` first"):
        TopicFile(tmp_path / "none.parquet")
    (tmp_path / "broken").write_bytes(b"no parquet")
    with pytest.raises(FormatError, match="cannot be read as Parquet"):
        TopicFile(tmp_path / "broken")
