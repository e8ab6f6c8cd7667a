"""Exact k-means on a line against all partitions."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.boilerplate.k_means import highest_cluster


def slow_highest_cluster(values, k):
    """The best of all partitions of the sorted values into runs."""
    distinct = sorted(set(values))
    best, least = np.inf, distinct[-1]
    for cuts in combinations(range(1, len(distinct)), min(k, len(distinct)) - 1):
        bounds = [0, *cuts, len(distinct)]
        cost = 0.0
        for start, end in pairwise(bounds):
            members = [v for v in values if distinct[start] <= v <= distinct[end - 1]]
            cost += sum((v - np.mean(members)) ** 2 for v in members)
        if cost < best - 1e-9:
            best, least = cost, distinct[bounds[-2]]
    return best, least


@given(
    st.lists(st.integers(0, 60).map(lambda n: 0.5 + n / 120), min_size=1, max_size=9),
    st.integers(1, 4),
)
def test_k_means_is_the_best_partition(values, k):
    found = highest_cluster(np.array(values), k)
    best, least = slow_highest_cluster(values, k)
    if found != least:
        # Two partitions that are as good: that of the answer costs no more.
        below = [v for v in values if v < found]
        top = [v for v in values if v >= found]
        rest = slow_highest_cluster(below, k - 1)[0] if below else 0
        assert rest + sum((v - np.mean(top)) ** 2 for v in top) == pytest.approx(best)


def test_no_values_no_cluster():
    with pytest.raises(ValueError, match="values must not be empty"):
        highest_cluster(np.array([]), 3)
