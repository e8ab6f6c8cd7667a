"""Options, preferences and jobs of a ranking that are refused."""

from __future__ import annotations

import numpy as np
import pytest

from crawler.ranking.methods import pagerank
from crawler.ranking.options import RankJob, RankOptions
from tests.ranking_graphs import graph_of

WRONG = [
    ({"alpha": 1.0}, "alpha must be at least 0 and below 1, got 1.0"),
    ({"alpha": -0.1}, "alpha must be"),
    ({"alpha": float("nan")}, "alpha must be"),
    ({"alpha": 1 - 1e-12}, "alpha must be smaller, or a limit of iterations given"),
    ({"tolerance": 0.0}, r"tolerance must be at least 2.2e-16 \(rounding\), below 2, got 0.0"),
    ({"tolerance": 1e-300}, "got 1e-300"),
    ({"tolerance": float("inf")}, "tolerance must be"),
    ({"dangling": "lose"}, "dangling must be one of redistribute, drop, self, got 'lose'"),
    ({"max_iterations": 0}, "max_iterations must be at least 1, got 0"),
    ({"mean_change": 0.0}, r"mean_change must be at least 2.2e-16, got 0.0"),
    ({"internal_share": 1.5}, "internal_share must be 0 to 1, got 1.5"),
    ({"internal_share": float("nan")}, "internal_share must be 0 to 1, got nan"),
]


def test_an_alpha_near_1_is_taken_where_there_is_another_end():
    assert RankOptions(alpha=1 - 1e-12, max_iterations=7).limit == 7
    assert RankOptions(alpha=1 - 1e-12, mean_change=1e-3).mean_change == 1e-3


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_wrong_option(options, message):
    with pytest.raises(ValueError, match=message):
        RankOptions(**options)


@pytest.mark.parametrize(
    ("preference", "message"),
    [
        ([1, 2], "shape"),
        ([1, -1, 0], "at least 0"),
        ([1, np.nan, 0], "finite"),
        ([0, 0, 0], "zeros"),
    ],
)
def test_wrong_preference(preference, message):
    with pytest.raises(ValueError, match=message):
        pagerank(graph_of([3], [(0, 1)]), preference=preference)


def test_unknown_method_and_no_partitions():
    graph = graph_of([1], [])
    with pytest.raises(ValueError, match="method must be one of host-blocks, partitioned, unified"):
        pagerank(graph, method="monte-carlo")
    with pytest.raises(ValueError, match="n_partitions must be at least 1, got 0"):
        pagerank(graph, n_partitions=0)


WRONG_JOBS = [
    ({"method": "power"}, "method must be one of host-blocks, partitioned, .* got 'power'"),
    ({"engine": "flink"}, "engine must be one of local.* got 'flink'"),
    ({"scale": "max"}, "scale must be one of mean, sum, got 'max'"),
    ({"n_partitions": -1}, "partitions must be 0 to 1024, got -1"),
    ({"n_partitions": 1025}, "partitions must be 0 to 1024, got 1025"),
    ({"speeds": (1.0, 0.0)}, "speeds must be above 0"),
    ({"checkpoint_secs": float("nan")}, "checkpoint_secs must be at least 0, got nan"),
]


@pytest.mark.parametrize(("job", "message"), WRONG_JOBS)
def test_wrong_job(job, message):
    with pytest.raises(ValueError, match=message):
        RankJob(**job)
