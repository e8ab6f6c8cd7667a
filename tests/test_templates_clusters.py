"""Clusterings and their measures: the published tables, slow versions, point sets with known clusters."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import linkage

from pipelines.templates.cluster_measures import (
    average_purity,
    contingency,
    dunn_index,
    mutual_information,
    published_mutual_information,
    rand_index,
)
from pipelines.templates.k_median import k_median, k_median_runs
from pipelines.templates.mds import classical_scaling, nonmetric_mds
from pipelines.templates.medoids import medoid_distances
from pipelines.templates.set_distances import component, set_distance
from pipelines.templates.set_rows import SetRows
from pipelines.templates.single_linkage import (
    cut_at_clusters,
    cut_at_threshold,
    gap_threshold,
    spanning_tree,
)
from pipelines.templates.threshold_graph import components

SETS = st.lists(
    st.lists(st.integers(0, 12), max_size=9).map(
        lambda members: np.array(sorted(set(members)), np.uint64)
    ),
    max_size=10,
)
THRESHOLDS = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.6, 2 / 3, 0.7, 0.75, 0.85, 1.0])


class MatrixRows:
    def __init__(self, matrix):
        self.matrix = np.asarray(matrix, np.float64)

    def __len__(self):
        return len(self.matrix)

    def row(self, place, others=None):
        return self.matrix[place] if others is None else self.matrix[place][others]


def distances_of(points):
    points = np.asarray(points, np.float64)
    return np.sqrt(((points[:, None] - points[None, :]) ** 2).sum(axis=2))


def partition(clusters):
    """The clusters as sets of places, whatever their numbers."""
    return {frozenset(np.flatnonzero(clusters == each).tolist()) for each in np.unique(clusters)}


def slow_components(matrix, threshold):
    found = [{place} for place in range(len(matrix))]
    for a in range(len(matrix)):
        for b in range(len(matrix)):
            if a != b and matrix[a][b] < threshold:
                joined = next(s for s in found if a in s) | next(s for s in found if b in s)
                found = [s for s in found if not s & joined] + [joined]
    return {frozenset(each) for each in found}


# Tables 7.4 and 7.5: five templates of 100 pages, clusters in rows
MERGED = [
    [100, 99, 0, 0, 0],
    [0, 0, 100, 0, 0],
    [0, 0, 0, 100, 0],
    [0] * 4 + [100],
    [0, 1, 0, 0, 0],
]
THREE = [[100, 100, 100, 0, 0], [0, 0, 0, 100, 0], [0, 0, 0, 0, 100]]


@pytest.mark.parametrize(
    ("table", "rand", "purity", "printed", "published"),
    [
        (np.eye(5) * 100, 1.0, 1.0, 0.5, 0.1553),
        (MERGED, 0.92, 0.9005, 0.4143, 0.1287),
        (THREE, 0.76, 0.7778, 0.3509, 0.1296),
    ],
)
def test_measures_are_those_of_the_published_tables(table, rand, purity, printed, published):
    table = np.array(table, np.int64)
    rows, columns = np.nonzero(table)
    clusters = np.repeat(rows, table[rows, columns])
    templates = np.repeat(columns, table[rows, columns])
    found = contingency(clusters, templates)
    assert np.array_equal(found, table)
    assert rand_index(found) == pytest.approx(rand, abs=5e-5)
    assert average_purity(found) == pytest.approx(purity, abs=5e-5)
    assert mutual_information(found) == pytest.approx(printed, abs=5e-5)
    assert published_mutual_information(found) == pytest.approx(published, abs=5e-5)


def test_measures_of_next_to_nothing():
    none = contingency(np.zeros(0, np.int64), np.zeros(0, np.int64))
    assert (rand_index(none), average_purity(none), mutual_information(none)) == (1, 1, 0)
    one = contingency(np.zeros(3, np.int64), np.ones(3, np.int64))
    assert (rand_index(one), published_mutual_information(one)) == (1, 0)


def test_the_dunn_index():
    matrix = np.array([[0, 0.2, 0.6], [0.2, 0, 0.5], [0.6, 0.5, 0]])
    assert dunn_index(matrix, np.array([0, 0, 1])) == pytest.approx(0.5 / 0.2)
    assert dunn_index(matrix * 0, np.array([0, 0, 1])) == np.inf


@given(SETS, THRESHOLDS)
def test_rows_and_components_are_those_of_all_pairs(sets, threshold):
    rows = SetRows(sets)
    matrix = [[set_distance(a, b) for b in sets] for a in sets]
    assert [rows.row(place).tolist() for place in range(len(sets))] == matrix
    expected = slow_components(matrix, threshold)
    found = components(rows, threshold)
    assert partition(found) == expected
    # named by their first page
    assert all(found[place] == min(each) for each in expected for place in each)
    if sets:
        assert partition(cut_at_threshold(spanning_tree(rows), threshold)) == expected
        assert component(sets, 0, threshold) == sorted(next(each for each in expected if 0 in each))


def test_many_equal_sets_are_one_component():
    """Compared each with each, these would take half a minute."""
    rows = SetRows([np.arange(60, dtype=np.uint64)] * 100_000)
    assert not components(rows, 0.7).any()


def test_components_of_many_sets_are_those_of_the_spanning_tree():
    random = np.random.default_rng(4)
    templates = [random.choice(4000, 60, replace=False) for _ in range(12)]
    sets = [
        np.unique(
            np.concatenate(
                (
                    random.choice(templates[place % 12], random.integers(8, 60), replace=False),
                    random.integers(0, 400, random.integers(0, 60)),
                )
            )
        ).astype(np.uint64)
        for place in range(300)
    ]
    rows = SetRows(sets)
    tree = spanning_tree(rows)
    sizes = set()
    for threshold in (0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9):
        found = components(rows, threshold)
        sizes.add(len(np.unique(found)))
        assert partition(found) == partition(cut_at_threshold(tree, threshold))
    assert len(sizes) > 4
    with pytest.raises(ValueError, match="threshold must be from 0 to 1"):
        components(rows, 1.1)


@given(st.integers(1, 12), st.randoms(use_true_random=False))
def test_the_heights_are_scipys(n, random):
    upper = [[random.randrange(1, 1000) for _ in range(n)] for _ in range(n)]
    matrix = np.triu(np.array(upper, np.float64), 1)
    matrix += matrix.T
    tree = spanning_tree(MatrixRows(matrix))
    if n > 1:
        expected = linkage(matrix[np.triu_indices(n, 1)], "single")
        assert np.array_equal(tree.weights, expected[:, 2])
    for k in range(1, n + 2):
        clusters = cut_at_clusters(tree, k)
        assert len(np.unique(clusters)) == min(k, n)
        heaviest = tree.weights[max(n - k, 0) :]
        if len(heaviest) and (
            n == k or tree.weights[n - k - 1 : n - k].tolist() < heaviest[:1].tolist()
        ):
            # the k - 1 heaviest edges removed
            assert partition(clusters) == slow_components(matrix, heaviest[0])


def test_the_dendrogram_of_figure_7_3():
    # A to H: merges 1 to 7, of which the last two are undone
    near = {"AB": 1, "FG": 2, "DE": 3, "BC": 4, "GH": 5, "CD": 6, "EF": 7}
    places = {name: number for number, name in enumerate("ABCDEFGH")}
    matrix = np.full((8, 8), 9.0)
    np.fill_diagonal(matrix, 0)
    for (a, b), weight in near.items():
        matrix[places[a], places[b]] = matrix[places[b], places[a]] = weight
    tree = spanning_tree(MatrixRows(matrix))
    assert tree.weights.tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert partition(cut_at_clusters(tree, 3)) == {
        frozenset({0, 1, 2}),
        frozenset({3, 4}),
        frozenset({5, 6, 7}),
    }
    with pytest.raises(ValueError, match="at least 1"):
        cut_at_clusters(tree, 0)


def test_the_gap_of_two_templates():
    points = [[0.0, 0], [0.1, 0], [0.25, 0], [3.0, 0], [3.1, 0]]
    tree = spanning_tree(MatrixRows(distances_of(points)))
    assert gap_threshold(tree) == pytest.approx((0.15 + 2.75) / 2)
    assert gap_threshold(spanning_tree(MatrixRows(np.zeros((4, 4))))) is None
    # Two pages of one template and one of another: half of the two merges does not exceed the first.
    assert gap_threshold(spanning_tree(MatrixRows(distances_of([[0], [1], [9]])))) == 4.5
    assert gap_threshold(spanning_tree(MatrixRows(np.zeros((1, 1))))) is None


def ring(radius, n):
    angle = 2 * np.pi * np.arange(n) / n
    return radius * np.stack((np.cos(angle), np.sin(angle)), axis=1)


def test_rings_are_for_single_linkage_and_bridges_for_medians():
    """Figures 7.2 and 7.5: each clustering solves what the other fails on."""
    rings = distances_of(np.concatenate((ring(1, 30), ring(4, 60))))
    truth = np.repeat([0, 1], [30, 60])
    clusters = cut_at_clusters(spanning_tree(MatrixRows(rings)), 2)
    assert partition(clusters) == partition(truth)
    assert average_purity(contingency(k_median(rings, 2).clusters, truth)) < 1

    random = np.random.default_rng(0)
    blobs = [random.normal(centre, 0.5, (40, 2)) for centre in ((0, 0), (8, 0))]
    bridge = np.stack((np.linspace(0.6, 7.4, 30), np.zeros(30)), axis=1)
    points = distances_of(np.concatenate((*blobs, bridge)))
    truth = np.repeat([0, 1], 40)
    linked = cut_at_clusters(spanning_tree(MatrixRows(points)), 2)[:80]
    assert rand_index(contingency(linked, truth)) < 0.6
    assert partition(k_median(points, 2).clusters[:80]) == partition(truth)


@given(st.integers(1, 10), st.integers(1, 4), st.integers(0, 5))
def test_pages_are_with_their_nearest_median(n, k, seed):
    matrix = distances_of(np.random.default_rng(n).integers(0, 5, (n, 2)))
    if k > n:
        with pytest.raises(ValueError, match="k must be from 1 to"):
            k_median(matrix, k)
        return
    runs = list(k_median_runs(matrix, k, n_starts=5, seed=seed))
    assert len(runs) == 5
    for run in runs:
        assert 1 <= len(run.medians) <= k  # a cluster that loses all pages is given up
        own = matrix[np.arange(n), run.medians[run.clusters]]
        assert np.array_equal(own, matrix[:, run.medians].min(axis=1))
        assert run.cost == pytest.approx(own.sum())
    best = k_median(matrix, k, n_starts=5, seed=seed)
    assert best.cost == min(run.cost for run in runs)


def test_the_medoid_of_a_sample_is_near_that_of_all():
    random = np.random.default_rng(1)
    sets = [
        np.unique(random.choice(200, 100 + place % 7, replace=False)).astype(np.uint64)
        for place in range(600)
    ]
    medoid, found = medoid_distances(sets, SetRows)
    rows = SetRows(sets)
    assert np.array_equal(found, rows.row(medoid))
    sums = [rows.row(place).sum() for place in range(len(sets))]
    assert sums[medoid] < np.quantile(sums, 0.05)
    few = sets[:20]
    medoid, _ = medoid_distances(few, SetRows)
    assert medoid == int(np.argmin([SetRows(few).row(place).sum() for place in range(20)]))


def test_scaling_finds_points_again():
    points = np.random.default_rng(3).normal(size=(25, 2))
    matrix = distances_of(points)
    assert distances_of(classical_scaling(matrix)) == pytest.approx(matrix)
    # the order of distances is all that counts
    found = nonmetric_mds(matrix**3)
    assert found.stress < 0.02
    assert nonmetric_mds(7 * matrix**3).stress == pytest.approx(found.stress)
    ranks = [
        np.argsort(np.argsort(each[np.triu_indices(25, 1)]))
        for each in (matrix, distances_of(found.points))
    ]
    assert np.corrcoef(*ranks)[0, 1] > 0.99


def test_scaling_of_pages_that_are_the_same():
    same = nonmetric_mds(np.zeros((3, 3)))
    assert same.stress == 0
    assert not same.points.any()
    two = nonmetric_mds(np.array([[0.0, 1], [1, 0]]))
    assert two.stress == pytest.approx(0)
    with pytest.raises(ValueError, match="2 pages or more, got 1"):
        nonmetric_mds(np.zeros((1, 1)))
