"""Topics made for the tests of topic PageRank, and their ranks as one array."""

from __future__ import annotations

import numpy as np

from crawler.ranking.options import RankOptions
from crawler.ranking.topics.sets import TopicSets
from crawler.ranking.topics.topics import topic_ranks
from crawler.ranking.topics.vectors import LANES

CLOSE = RankOptions(tolerance=1e-13)


def ranks_of(graph, sets: TopicSets, options=CLOSE, threads: int = 1) -> np.ndarray:
    blocks = list(topic_ranks(graph, sets, options, threads=threads))
    assert all(block.converged for block in blocks)
    assert [block.first for block in blocks] == list(range(0, sets.n_topics, LANES))
    return np.concatenate([block.rank for block in blocks])


def some_sets(graph, seed: int, n_topics: int) -> TopicSets:
    rng = np.random.default_rng(seed)
    return TopicSets.from_sets(
        {f"t{i:03}": rng.integers(0, graph.n_pages, rng.integers(1, 9)) for i in range(n_topics)}
    )


def indicator(graph, pages) -> np.ndarray:
    preference = np.zeros(graph.n_pages)
    preference[pages] = 1
    return preference
