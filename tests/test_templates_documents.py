"""The features of a page, against paths and tags as tuples of names."""

import re

import numpy as np
import pytest
from hypothesis import given

from crawler.page import build_page
from pipelines.templates.documents import document
from pipelines.templates.labels import label
from pipelines.templates.set_distances import set_distance, template_component
from tests import structures
from tests.page_fuzzing import bodies, content_types
from tests.structures import page, soups


def named(names):
    return {label(name) for name in names}


@given(soups, soups)
def test_distances_are_those_of_sets_of_names(first, second):
    models = page(first), page(second)
    found = [document(model) for model in models]
    tags = [tuple(re.findall(r"<(/?[^>]+)>", soup)) for soup in (first, second)]
    for field, obvious in (
        (
            "paths",
            [structures.paths(model) if model.found_tags.size else set() for model in models],
        ),
        (
            "path_shingles",
            [
                structures.path_shingles(model) if model.found_tags.size else set()
                for model in models
            ],
        ),
        ("tag_shingles", [structures.windows(sequence, 8) for sequence in tags]),
    ):
        sets = [getattr(each, field) for each in found]
        assert [len(each) for each in sets] == [len(each) for each in obvious], field
        d = set_distance(*sets)
        assert d == structures.distance(*obvious), field
        assert d == set_distance(*reversed(sets))
        assert 0 <= d <= 1


@given(soups)
def test_tags_are_those_of_the_source(soup):
    found = document(page(soup))
    tags = re.findall(r"<(/?[^>]+)>", soup)
    assert found.tags.tolist() == [label(tag) for tag in tags]
    starts = [tag for tag in tags if tag[0] != "/"]
    counts = {label(tag): starts.count(tag) for tag in starts}
    assert (
        dict(zip(found.vector_labels.tolist(), found.vector_counts.tolist(), strict=True)) == counts
    )


@given(soups)
def test_subtrees_are_the_same_where_their_source_is(soup):
    model = page(f"<p>{soup}")
    tree = document(model).tree
    sources = [shape(element) for element in model.tree.elements]
    assert tree.size.tolist() == [sum(1 for _ in each.iter("*")) for each in model.tree.elements]
    assert len(set(tree.subtree.tolist())) == len(set(sources))
    assert len(set(zip(sources, tree.subtree.tolist(), strict=True))) == len(set(sources))


def shape(element):
    return str(element.tag), tuple(shape(child) for child in element.iterchildren("*"))


@pytest.mark.parametrize(
    ("a", "b", "d"),
    [
        ([], [], 0.0),
        ([1], [], 1.0),
        ([1, 2, 3], [1, 2, 3], 0.0),
        # A within B: 1 - |A| / |B|
        ([2, 5], [1, 2, 4, 5], 0.5),
        ([1, 2], [3, 4], 1.0),
    ],
)
def test_the_set_distance_at_its_ends(a, b, d):
    sets = np.array(a, np.uint64), np.array(b, np.uint64)
    assert set_distance(*sets) == set_distance(*sets[::-1]) == d


def test_pages_without_markup_or_without_text():
    plain = document(page(b""))
    assert not len(plain.paths)
    assert not plain.texts.string
    text = document(build_page(b"a  b\n\nc", url="http://a.com/", content_type="text/plain"))
    assert text.texts.string == ["a b", "c"]
    assert not len(text.tags)
    wordless = document(page("<div><img></div>"))
    assert len(wordless.tags) == 3
    assert len(wordless.paths) == 1


def test_a_page_deeper_than_the_stack():
    found = document(page("<div>" * 3000 + "text" + "</div>" * 3000))
    assert len(found.tags) == 6000
    # libxml2 stops at 2,048 elements
    assert 1000 < found.tree.size[0] < 3000
    assert len(found.tag_shingles) == 9  # 0 to 8 start tags, then end tags


def test_texts_are_collapsed_and_have_their_place():
    model = page("<p>one \n two<b> x </b> </p><script>no</script>")
    texts = document(model).texts
    assert texts.string == ["one two", "x"]
    assert [model.tree.elements[place].tag for place in texts.holder] == ["p", "b"]
    assert [model.tree.nodes[place].text.split() for place in texts.node] == [["one", "two"], ["x"]]
    again = document(page("<div>one two</div>")).texts
    assert again.hash[0] == texts.hash[0]


def test_the_component_of_a_seed_is_its_single_linkage_cluster():
    # 1 and 2 are near, 2 and 3, 1 and 3 are not; 0 is alone
    html = ["<hr>", "<p>a<ul><li>b", "<ul><li>b</ul><ol><li>c", "<ol><li>c</ol><h1>d"]
    documents = [document(page(each)) for each in html]
    near = [[set_distance(a.paths, b.paths) for a in documents] for b in documents]
    assert max(near[1][2], near[2][3]) < 0.6 <= near[1][3]
    assert template_component(documents, 1, distance="cp", threshold=0.6) == [1, 2, 3]
    assert template_component(documents, 0, distance="cp", threshold=0.6) == [0]
    assert template_component(documents, 1, threshold=0.0) == [1]
    with pytest.raises(ValueError, match="one of cp, cps, ctss, got 'tv'"):
        template_component(documents, 0, distance="tv")


@given(bodies(), content_types())
def test_any_bytes_have_features(body, content_type):
    model = build_page(body, url="http://a.com/", content_type=content_type)
    found = document(model)
    for each in (found.paths, found.path_shingles, found.tag_shingles, found.vector_labels):
        assert np.all(each[1:] > each[:-1])
    assert len(found.paths) == len(found.path_counts)
    assert len(found.tags) == len(model.found_tags)
    tree, texts = found.tree, found.texts
    if len(tree.label):
        assert tree.size[0] == len(tree.label)
        assert np.all(tree.parent[1:] < np.arange(1, len(tree.label)))
    assert len(texts.string) == len(texts.hash) == len(texts.holder) == len(texts.node)
    assert texts.holder.max(initial=-1) < max(len(tree.label), 1)
    assert all(string == " ".join(string.split()) != "" for string in texts.string)
