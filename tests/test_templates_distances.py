"""The distances of pages against slow, obvious versions, and what each is said to tell apart."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.errors import InputError
from pipelines.jobs.templates.clusters import cluster_pages
from pipelines.jobs.templates.options import ClusterOptions
from pipelines.templates.bag_of_paths import BagOfPathsRows, PathCounts
from pipelines.templates.distances import DISTANCES, distance, distance_matrix
from pipelines.templates.documents import document, with_subtrees
from pipelines.templates.labels import label
from pipelines.templates.lcts import LctsRows
from pipelines.templates.rtdm import rtdm, similarity
from pipelines.templates.tag_vector import TagCounts, TagFrequencyRows
from tests.structures import page, soups

# A tree: a name, and its children
TREES = st.recursive(
    st.tuples(st.sampled_from("abc"), st.just(())),
    lambda children: st.tuples(st.sampled_from("abc"), st.lists(children, max_size=4).map(tuple)),
    max_leaves=12,
)


def arrays(tree):
    labels, parents = [], []

    def add(node, parent):
        place = len(labels)
        labels.append(label(node[0]))
        parents.append(parent)
        for child in node[1]:
            add(child, place)

    add(tree, -1)
    return with_subtrees(np.array(labels, np.uint64), np.array(parents, np.int64))


def size(tree):
    return 1 + sum(map(size, tree[1]))


def slow_rtdm(x, y, epsilon, relabel):
    """Algorithm 3.7, with its matrix."""
    m, n = len(x[1]), len(y[1])
    cost = np.zeros((m + 1, n + 1))
    for i, u in enumerate(x[1]):
        cost[i + 1, 0] = cost[i, 0] + size(u)
    for j, v in enumerate(y[1]):
        cost[0, j + 1] = cost[0, j] + size(v)
    for i, u in enumerate(x[1]):
        for j, v in enumerate(y[1]):
            substitute = cost[i, j]
            replace = u[0] != v[0]
            if substitute > epsilon:
                substitute = inf
            elif u != v:
                if not u[1] or not v[1]:
                    substitute += replace + size(u) + size(v) - 2
                else:
                    substitute += slow_rtdm(u, v, epsilon, relabel) + (relabel and replace)
            deleted, inserted = cost[i, j + 1] + size(u), cost[i + 1, j] + size(v)
            cost[i + 1, j + 1] = min(deleted, inserted, substitute)
    return cost[m, n]


@given(TREES, TREES, st.sampled_from([0, 1, 3, 8, inf]), st.booleans())
def test_rtdm_in_linear_space_is_that_of_the_matrix(a, b, epsilon, relabel):
    trees = arrays(a), arrays(b)
    cost = rtdm(*trees, epsilon=epsilon, relabel=relabel)
    assert cost == slow_rtdm(a, b, epsilon, relabel)
    assert cost == rtdm(*reversed(trees), epsilon=epsilon, relabel=relabel)
    assert rtdm(trees[0], arrays(a), epsilon=epsilon, relabel=relabel) == 0
    assert cost < size(a) + size(b)


def leaves(*names):
    return tuple((name, ()) for name in names)


def test_rtdm_of_small_trees():
    empty, forest = ("html", ()), ("html", (("div", leaves("p", "p")), ("b", ())))
    assert rtdm(arrays(empty), arrays(forest)) == 4
    a = arrays(("html", (("div", leaves("p", "p")),)))
    b = arrays(("html", (("table", leaves("p", "p")),)))
    # printed: elements with children are not compared
    assert rtdm(a, b) == 0
    assert rtdm(a, b, relabel=True) == 1
    assert similarity(a, b, relabel=True) == 1 - 1 / 8
    none = with_subtrees(np.zeros(0, np.uint64), np.zeros(0, np.int64))
    assert (rtdm(none, none), similarity(none, none), rtdm(none, a)) == (0, 1, 4)


@pytest.mark.parametrize("name", ["rtdm", "lcts", "dft", "xas"])
def test_large_pages_are_compared_by_their_first_part(name):
    found, tag = distance(name), "<b></b>"
    n = found.compared.first // (1 if name == "rtdm" else 2)
    # The last element differs.
    inner = [tag * (n + 5) + end for end in ("<i></i>", "<u></u>")]
    small, *large = [document(page(f"<html><body>{each}")) for each in (tag, *inner)]
    assert [found.is_cut(each) for each in (small, *large)] == [False, True, True]
    features = [found.feature(each) for each in (small, *large)]
    kept = [features[1].label, features[1].parent] if name == "rtdm" else [features[1]]
    # Nothing of what is not compared is kept.
    assert all(array.base is None for array in kept)
    rows = found.rows(features)
    assert rows.row(1)[2] == 0
    assert rows.row(1)[0] > 0


def test_any_name_of_a_tag_costs_its_bytes_alone():
    """A matrix of pages and names would have 2 GB."""
    odd = TagCounts(np.arange(10, 300_010, dtype=np.uint64), np.ones(300_000, np.int64))
    pages = [odd, *[TagCounts(np.array([10], np.uint64), np.array([1]))] * 999]
    assert DISTANCES["tv"].rows(pages).row(1)[[0, 1]].tolist() == [sqrt(299_999), 0]
    assert TagFrequencyRows(pages).row(1)[2] == 0


def test_rtdm_of_trees_deeper_than_the_stack():
    depth = 5000
    chain = [
        with_subtrees(np.array([label("div")] * n, np.uint64), np.arange(-1, n - 1, dtype=np.int64))
        for n in (depth, depth + 7)
    ]
    assert rtdm(*chain) == 7


def slow_lcs(a, b):
    row = [0] * (len(b) + 1)
    for x in a:
        before = row
        row = [0]
        for j, y in enumerate(b):
            row.append(before[j] + 1 if x == y else max(before[j + 1], row[j]))
    return row[-1]


SEQUENCES = st.lists(
    st.lists(st.integers(0, 4), max_size=150).map(lambda tags: np.array(tags, np.uint64)),
    min_size=1,
    max_size=3,
)


@given(SEQUENCES)
def test_lcts_is_that_of_the_dynamic_program(sequences):
    rows = LctsRows(sequences)
    everything = np.arange(len(sequences))
    for place, mine in enumerate(sequences):
        lengths = [slow_lcs(mine.tolist(), other.tolist()) for other in sequences]
        assert rows.lengths(place, everything).tolist() == lengths
        expected = [
            1 - n / max(len(mine), len(other)) if len(mine) or len(other) else 0
            for n, other in zip(lengths, sequences, strict=True)
        ]
        assert rows.row(place).tolist() == expected
        assert expected[place] == 0


def test_lcts_at_its_ends():
    a, b = np.array([1, 2] * 80, np.uint64), np.array([3] * 70, np.uint64)
    assert LctsRows([a, b, a[:0]]).row(0).tolist() == [0, 1, 1]


def counts(**tags):
    pairs = sorted((label(name), n) for name, n in tags.items())
    labels, numbers = zip(*pairs, strict=True) if pairs else ((), ())
    return TagCounts(np.array(labels, np.uint64), np.array(numbers, np.int64))


def test_the_tag_vector():
    rows = DISTANCES["tv"].rows([counts(p=3, b=1), counts(p=1, i=2), counts()])
    assert rows.row(0).tolist() == [0, 3, sqrt(10)]


def test_tfda():
    pages = [counts(p=7), counts(b=2), counts(b=9), counts()]
    weights = {label("p"): 0.5, label("b"): 0.5}
    rows = TagFrequencyRows(pages, weights)
    assert rows.row(0).tolist() == [0, 10_000, 10_000, 5000]
    assert rows.row(1)[2] == 0
    # by default all kinds weigh the same
    assert TagFrequencyRows(pages).row(0).tolist() == rows.row(0).tolist()
    with pytest.raises(ValueError, match=r"sum to 1, got 0\.4"):
        TagFrequencyRows(pages, {label("p"): 0.4})


def bag(**paths):
    return PathCounts(*counts(**paths))


@given(
    st.lists(st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 5)), min_size=1, max_size=5),
    st.integers(1, 9),
)
def test_the_bag_of_paths_does_not_depend_on_the_largest_count(bags, f_max):
    rows = BagOfPathsRows([bag(**each) for each in bags])
    for place, mine in enumerate(bags):
        expected = []
        for other in bags:
            pairs = [(mine.get(p, 0) / f_max, other.get(p, 0) / f_max) for p in "abcdef"]
            most = sum(max(pair) for pair in pairs)
            expected.append(1 - sum(min(pair) for pair in pairs) / most if most else 0)
        assert rows.row(place) == pytest.approx(expected)


def test_paths_of_too_few_or_too_many_pages_may_be_left_out():
    bags = [bag(a=1, b=2, c=1), bag(a=1, b=2), bag(a=1, d=4)]
    assert BagOfPathsRows(bags).row(0)[2] == pytest.approx(1 - 1 / 8)
    assert BagOfPathsRows(bags, most=0.9).row(0)[2] == 1
    assert BagOfPathsRows(bags, least=0.5, most=0.9).row(0)[1] == 0


@pytest.mark.parametrize("name", list(DISTANCES))
@given(pages=st.lists(soups, min_size=3, max_size=3))
def test_distances_are_symmetric_and_0_to_the_page_itself(name, pages):
    found = distance(name)
    rows = found.rows([found.feature(document(page(each))) for each in pages])
    matrix = np.stack([rows.row(place) for place in range(len(rows))])
    assert not matrix.diagonal().any()
    assert matrix == pytest.approx(matrix.T)
    assert np.array_equal(np.triu(distance_matrix(rows)), np.triu(matrix))
    assert np.array_equal(rows.row(0, np.array([2, 1])), matrix[0, [2, 1]])
    assert matrix.min() >= 0
    if name not in {"tv", "rtdm", "tfda", "dft"}:
        assert matrix.max() <= 1


@pytest.mark.parametrize("name", list(DISTANCES))
def test_distances_to_the_medoid_are_those_of_the_clustering(name):
    """Also of TFDA, whose weights depend on the labels of all pages."""
    bodies = [
        "<p>a<p>b<b>c</b>",
        "<p>a<b>c</b>",
        "<p>a",
        "<table><tr><td>x<i>y</i></table><ul><li>q",
    ]
    found = distance(name)
    features = [found.feature(document(page(body))) for body in bodies]
    clusters = cluster_pages(features, ClusterOptions(distance=name, n_clusters=2))
    rows = found.rows(features)
    for place, cluster in enumerate(clusters.cluster.tolist()):
        assert clusters.distance[place] == rows.row(int(clusters.medoid[cluster]))[place]


@pytest.mark.parametrize("name", ["rtdm", "lcts"])
def test_all_distances_of_too_many_pages_are_refused(name):
    found = distance(name)
    features = [found.feature(document(page("<p>a")))] * (found.most_pages + 1)
    with pytest.raises(
        InputError, match=rf"all {name} distances of .* by a --threshold, or files of fewer pages"
    ):
        cluster_pages(features, ClusterOptions(distance=name, n_clusters=2))


def test_what_the_order_of_siblings_is_to_each_distance():
    pages = [
        document(page(f"<div>{''.join(parts)}</div>"))
        for parts in (
            ["<p>a</p>", "<ul><li>b</ul>", "<hr>"],
            ["<hr>", "<ul><li>b</ul>", "<p>a</p>"],
        )
    ]
    apart = {
        name: float(each.rows([each.feature(found) for found in pages]).row(0)[1])
        for name, each in DISTANCES.items()
    }
    assert all(apart[name] == 0 for name in ("cp", "cps", "tv", "bop", "tfda", "parametric"))
    assert all(apart[name] > 0 for name in ("ctss", "lcts", "rtdm", "dft", "xas"))


@pytest.mark.parametrize("name", list(DISTANCES))
@given(st.lists(soups, min_size=2, max_size=4))
def test_similarities(name, pages):
    """1 for the page itself, never below 0, and the less the farther pages are."""
    found = distance(name)
    row = found.rows([found.feature(document(page(each))) for each in pages]).row(0)
    alike = found.similarity(row)
    d_max = {"tfda": 10_000}.get(name, 1)
    is_open = name in {"tv", "rtdm", "dft"}
    assert alike == pytest.approx([1 / (1 + d) if is_open else 1 - d / d_max for d in row])
    assert alike[0] == 1
    assert 0 <= alike.min() <= alike.max() <= 1
    order = np.argsort(row)
    assert np.all(np.diff(alike[order]) <= 0)


def test_an_unknown_distance_is_refused():
    with pytest.raises(ValueError, match=r"unknown distance 'pq-gram'; give one of rtdm, cp"):
        distance("pq-gram")
