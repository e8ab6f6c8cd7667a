"""The distance of nested lists, against strings that a recursion over the tree writes."""

import gzip
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.templates.distances import distance
from pipelines.templates.documents import document
from pipelines.templates.parametric_functions import ParametricRows, brace_string, list_values
from tests.graph_commands import run_command
from tests.structures import page
from tests.warc_records import record

NAMES = ("ul", "ul", "li", "li", "ol", "div")
SOUPS = st.lists(
    st.sampled_from([*(f"<{name}>" for name in NAMES), *(f"</{name}>" for name in NAMES), "word "]),
    max_size=40,
).map("".join)


def slow_string(element):
    inner = "".join(map(slow_string, element.iterchildren("*")))
    if element.tag != "ul":
        return inner
    items = [li for li in element.iter("li") if next(li.iterancestors("ul", "ol")) is element]
    return f"{{{len(items)}{inner}}}"


def slow_values(string):
    numbers = [int(part.rstrip("}")) for part in string.split("{")[1:]]
    mean = sum(numbers) / len(numbers) if numbers else 0
    return [len(string), string.count("{"), sum(numbers), mean]


def slow_distance(a, b, weights):
    values = zip(slow_values(a), slow_values(b), weights, strict=True)
    return sum(weight * abs(x - y) / max(x, y) for x, y, weight in values if x or y)


@given(st.lists(SOUPS, min_size=2, max_size=4))
def test_lists_are_those_of_the_tree(soups):
    models = [page(f"<p>{soup}") for soup in soups]
    strings = [slow_string(model.tree.root) for model in models]
    documents = [document(model) for model in models]
    assert [brace_string(each.tree) for each in documents] == strings
    values = [list_values(each) for each in documents]
    assert [each.tolist() for each in values] == [slow_values(each) for each in strings]
    weights = {"mean": 0.5, "length": 0.125, "items": 0.375}
    for rows, shares in (
        (ParametricRows(values), [0.25] * 4),
        (ParametricRows(values, weights), [0.125, 0, 0.375, 0.5]),
    ):
        for place, mine in enumerate(strings):
            expected = [slow_distance(mine, other, shares) for other in strings]
            assert rows.row(place) == pytest.approx(expected)
        # A metric, but for pages that are alike.
        assert rows.row(0)[1] <= rows.row(0)[-1] + rows.row(1)[-1] + 1e-12


@pytest.mark.parametrize(
    ("source", "string"),
    [
        ("<p>no list", ""),
        ("<ul></ul>", "{0}"),
        ("<ul><li>a<li>b<ul><li>c<li>d<li>e</ul></ul><ul><li>f</ul>", "{2{3}}{1}"),
        # Lists in numbered ones are within the list around these, whose items are theirs.
        ("<ul><li>a<ol><li>b<li>c<ul><li>d</ul></ol></ul>", "{1{1}}"),
        ("<ul><div><li>a</div></ul><li>b", "{1}"),
        ("<ul>" + "<li>a" * 12 + "</ul>", "{12}"),
        ("<ul>" * 1500, "{0" * 1500 + "}" * 1500),
    ],
)
def test_strings_of_lists(source, string):
    assert brace_string(document(page(f"<html><body>{source}")).tree) == string


def test_distances_of_lists():
    found = distance("parametric")
    bodies = ["<ul><li>a<li>b</ul>", "<ul><li>a</ul><ul><li>b</ul>", "<p>a", "", "<p>b<i>c"]
    rows = found.rows([found.feature(document(page(body))) for body in bodies])
    # "{2}", "{1}{1}" and "": half as long, half the lists, as many items, twice the mean.
    assert rows.row(0).tolist() == [0, 0.375, 1, 1, 1]
    assert rows.row(3).tolist() == [1, 1, 0, 0, 0]


@pytest.mark.parametrize(
    ("weights", "told"),
    [
        ({"length": 0.5}, r"sum to 1, got 0\.5"),
        ({"length": 1.5, "mean": -0.5}, "must be 0 or more"),
        ({"depth": 1.0}, "must be of length, lists, items, mean, got depth"),
        ({}, "sum to 1, got 0"),
    ],
)
def test_wrong_weights(weights, told):
    with pytest.raises(ValueError, match=told):
        ParametricRows([np.zeros(4)], weights)


def test_clusters_by_lists(tmp_path):
    """The first and the last page have other words, and the same lists."""
    bodies = ["<ul><li>a<li>b</ul>", "<p>no list", "<div><ul><li>c<li><b>d</b></ul></div>"]
    records = [
        record(f"http://a.sample/{n}", f"<html>{body}".encode(), "Content-Type: text/html")
        for n, body in enumerate(bodies)
    ]
    (tmp_path / "warc").mkdir()
    (tmp_path / "warc" / "a.warc.gz").write_bytes(b"".join(map(gzip.compress, records)))
    options = ("--distance", "parametric", "--threshold", "0.5", "--json")
    done = run_command("templates", "cluster", "--corpus", tmp_path, *options)
    assert done.code == 0, done.errors
    found = [(each["pages"], each["medoid"]) for each in json.loads(done.out)["clusters"]]
    assert found == [(2, "http://a.sample/0"), (1, "http://a.sample/1")]
