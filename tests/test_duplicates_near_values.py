"""Pairs of values that differ in few bits, beside slow code, and their number where all are alike."""

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.duplicates.lsh import MAX_GROUP
from pipelines.duplicates.near_values import MOST_NEAR, near_values


def slow_pairs(keys, values, distance):
    return {
        (i, j)
        for i, j in combinations(range(len(keys)), 2)
        if keys[i] == keys[j] and (values[i] ^ values[j]).bit_count() <= distance
    }


def pairs_of(keys, values, distance):
    found = near_values(np.array(keys, np.uint64), np.array(values, np.uint64), distance)
    pairs = [tuple(pair) for pair in found.tolist()]
    assert len(set(pairs)) == len(pairs)
    return set(pairs)


def clusters_of(n, pairs):
    graph = nx.Graph(pairs)
    graph.add_nodes_from(range(n))
    return {frozenset(cluster) for cluster in nx.connected_components(graph)}


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2**64 - 1)), max_size=MOST_NEAR),
    st.integers(0, 40),
)
def test_all_pairs_where_few_are_near(rows, distance):
    keys, values = [key for key, _ in rows], [value for _, value in rows]
    assert pairs_of(keys, values, distance) == slow_pairs(keys, values, distance)


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2**9 - 1)), min_size=60, max_size=250),
    st.integers(0, 4),
)
def test_the_same_clusters_where_many_are(rows, distance):
    keys, values = [key for key, _ in rows], [value for _, value in rows]
    found, expected = pairs_of(keys, values, distance), slow_pairs(keys, values, distance)
    assert found <= expected
    assert len(found) <= (MOST_NEAR + 2) * len(rows)
    assert clusters_of(len(rows), found) == clusters_of(len(rows), expected)
    has_pairs = {row for pair in expected for row in pair}
    assert {row for pair in found for row in pair} == has_pairs


@pytest.mark.parametrize("n", [MAX_GROUP, MAX_GROUP + 1, 5000])
def test_the_first_of_many_equal_values_stands_for_all(n):
    values = [7, *[2**40] * n, 2**40 + 1]
    found = pairs_of([1] * (n + 2), values, 1)
    assert (1, n + 1) in found
    if n > MAX_GROUP:
        assert found == {(1, row) for row in range(2, n + 2)}


def test_a_template_of_many_pages_gives_few_pairs():
    """Values of three bits of 24 set: any two that share two of them are two bits apart."""
    values = [1 << a | 1 << b | 1 << c for a, b, c in combinations(range(24), 3)]
    found = pairs_of([0] * len(values), values, 2)
    assert len(found) <= (MOST_NEAR + 1) * len(values)
    assert clusters_of(len(values), found) == {frozenset(range(len(values)))}


def test_no_rows_have_no_pairs():
    assert pairs_of([], [], 3) == set()
