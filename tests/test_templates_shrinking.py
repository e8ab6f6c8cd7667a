"""Trees whose images are texts, against trees out of which lxml took them."""

from __future__ import annotations

import gzip
import json
from copy import deepcopy

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.templates.distances import DISTANCES
from pipelines.templates.documents import document
from pipelines.templates.labels import label
from pipelines.templates.rtdm import rtdm
from tests.graph_commands import run_command
from tests.structures import page, path_of, windows
from tests.warc_records import record

IMAGES = ("<img alt=a>", "<img alt='two words'>", "<img>", "<img alt=''>", "<img alt=' '>")
SOUPS = st.lists(
    st.sampled_from([*IMAGES, "<p>", "</p>", "<div>", "</div>", "<ul><li>", "word ", "<!-- c -->"]),
    max_size=30,
).map("".join)


def slow_shrunk(model):
    """The root of a tree without images that have texts, and the elements with texts, theirs and those of images."""
    root = model.tree.root
    with_text = {each.getparent() if tail else each for each, tail in model.tree.nodes}
    marked = [("1" if each in with_text else "0") for each in root.iter("*")]
    root = deepcopy(root)
    for element, mark in zip(root.iter("*"), marked, strict=True):
        element.set("has-text", mark)
    for image in list(root.iter("img")):
        if (image.get("alt") or "").strip():
            image.getparent().set("has-text", "1")
            image.getparent().remove(image)
    return root


@given(SOUPS)
def test_trees_are_those_without_images(soup):
    model = page(f"<p>{soup}")
    root, found = slow_shrunk(model), document(model, is_shrunk=True)
    elements = list(root.iter("*"))
    assert found.tree.label.tolist() == [label(str(each.tag)) for each in elements]
    parents = [
        elements.index(up) if (up := each.getparent()) is not None else -1 for each in elements
    ]
    assert found.tree.parent.tolist() == parents
    assert found.tree.size.tolist() == [sum(1 for _ in each.iter("*")) for each in elements]
    leaves = [
        path_of(each) for each in elements if each.find("*") is None or each.get("has-text") == "1"
    ]
    assert sorted(found.path_counts.tolist()) == sorted(leaves.count(path) for path in set(leaves))
    shingles = set().union(*(windows(path, 4) for path in leaves))
    assert len(found.path_shingles) == len(shingles)
    # Texts are of the same elements as before.
    whole = document(model)
    assert found.texts.string == whole.texts.string
    holders = found.tree.label[found.texts.holder], whole.tree.label[whole.texts.holder]
    assert np.array_equal(*holders)
    # Whatever is not of the tree is the same.
    for field in ("tags", "tag_shingles", "events", "vector_labels"):
        assert np.array_equal(getattr(found, field), getattr(whole, field))


def test_an_image_is_as_good_as_its_text():
    sources = ["<p>a<p><img alt=Logo>", "<p>a<p>Logo", "<p>a<p><img>"]
    models = [page(f"<html><body>{source}") for source in sources]
    trees = [[document(each, is_shrunk=shrunk) for each in models] for shrunk in (False, True)]
    costs = [[rtdm(found[0].tree, each.tree) for each in found] for found in trees]
    assert costs == [[0, 1, 0], [0, 0, 1]]
    paths = [[each.paths.tolist() for each in found] for found in trees]
    assert paths[0][0] != paths[0][1]
    assert paths[1][0] == paths[1][1] != paths[1][2]


def test_clusters_of_shrunk_trees(tmp_path):
    bodies = ["<p>a<p><img alt=Logo>", "<p>a<p>Logo", "<p>a<p><img>"]
    records = [
        record(f"http://a.sample/{n}", f"<html><body>{body}".encode(), "Content-Type: text/html")
        for n, body in enumerate(bodies)
    ]
    (tmp_path / "warc").mkdir()
    (tmp_path / "warc" / "a.warc.gz").write_bytes(b"".join(map(gzip.compress, records)))

    def clusters(*options):
        arguments = ("--corpus", tmp_path, "--distance", "rtdm", "--threshold", "0.5", *options)
        done = run_command("templates", "cluster", *arguments, "--json")
        assert done.code == 0, done.errors
        table = pq.read_table(tmp_path / "templates" / "clusters.parquet")
        says = table.schema.metadata.get(b"shrunk")
        rows = {row["url"][-1]: row["cluster"] for row in table.to_pylist()}
        assert len(json.loads(done.out)["clusters"]) == len(set(rows.values()))
        return says, rows

    assert clusters() == (None, {"0": 0, "1": 1, "2": 0})
    assert clusters("--shrink") == (b"true", {"0": 0, "1": 0, "2": 1})


@pytest.mark.parametrize("name", [name for name, each in DISTANCES.items() if not each.is_of_tree])
def test_distances_without_a_tree_have_nothing_to_shrink(name):
    done = run_command("templates", "cluster", "--distance", name, "--clusters", 2, "--shrink")
    assert (done.code, done.errors.count("\n")) == (2, 1)
    told = f"--shrink changes no {name} distance; give one of rtdm, cp, cps, bop"
    assert told in done.errors
