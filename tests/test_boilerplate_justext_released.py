"""The released jusText's mode against the package: the same paragraphs, the same classes."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.page import build_page
from crawler.page.limits import PageRules
from pipelines.boilerplate.justext import CLASS_NAMES, ReleasedJusText
from pipelines.boilerplate.justext.tree_paragraphs import tree_paragraphs
from pipelines.linguistics.stop_lists import stop_words

GOOD_TEXT = (
    "It was the best of times, it was the worst of times, and that is what there is to say of it. "
)
LINK_TEXT = "<a href=/>Home</a> <a href=/>Products and services</a>"


def page(body, content_type="text/html; charset=utf-8"):
    body = body.encode() if isinstance(body, str) else body
    rules = PageRules("transparent")
    return build_page(body, url="http://a.com/", content_type=content_type, rules=rules)


def ours(model):
    paragraphs, _ = tree_paragraphs(model.tree)
    before, after = ReleasedJusText(language="English").classify(model, paragraphs)
    classes = zip(before.tolist(), after.tolist(), strict=True)
    return [
        (paragraph.text, CLASS_NAMES[first], CLASS_NAMES[last], paragraph.is_heading)
        for paragraph, (first, last) in zip(paragraphs, classes, strict=True)
    ]


def theirs(model):
    justext = pytest.importorskip("justext")
    paragraphs = justext.justext(model.source.decode(), justext.get_stoplist("English"))
    return [(each.text, each.cf_class, each.class_type, each.heading) for each in paragraphs]


PIECES = st.sampled_from(
    [
        *("<p>", "</p>", "<div>", "</div>", "<br>", "<br/> ", "<b>", "</b>", "<a href=/x>", "</a>"),
        *("<h2>", "</h2>", "<form>", "</form>", "<li>", "</li>", "<table><tr><td>", "</table>"),
        *("<!-- c -->", "<script>x</script>", "<style>x</style>", "<select><option>x</select>"),
        *("<button>x</button>", "<iframe src=x>y</iframe>", "<object>z</object>", "<?pi?>"),
        *("<textarea>t</textarea>", "<link rel=stylesheet href=x>", "<input value=x>", "<hr>"),
        *(
            "<my-select>",
            "</my-select>",
            "&copy;",
            "&nbsp;",
            "\n",
            "  ",
            "word ",
            "of the",
            GOOD_TEXT,
        ),
        *(GOOD_TEXT * 3, LINK_TEXT, "a\r\nb", "&#13;", "\t", "&#x2003; &#x85;", "&#x3000;c"),
    ]
)


@settings(max_examples=60)
@given(st.lists(PIECES, min_size=1, max_size=30).map("".join))
def test_equals_the_package(fragment):
    model = page(f"<html><head><title>t</title></head><body>start {fragment} end</body></html>")
    assert ours(model) == theirs(model)


@settings(max_examples=40)
@given(st.lists(PIECES, min_size=1, max_size=30).map("".join))
def test_nodes_are_of_the_paragraph_that_has_their_text(fragment):
    tree = page(f"<body>start {fragment} end").tree
    paragraphs, of_node = tree_paragraphs(tree)
    assert of_node.dtype == np.int64
    read = [""] * len(paragraphs)
    for node, number in zip(tree.nodes, of_node.tolist(), strict=True):
        if number >= 0:
            read[number] += node.text
            assert "".join(node.text.split()) in "".join(paragraphs[number].text.split())
    # All of it but signs alone, which no block has.
    assert all(
        len(text) >= 3 for text, words in zip(read, paragraphs, strict=True) if "word" in words.text
    )


def shared_pages(shared, step):
    for manifest in sorted((shared / "data/extraction").glob("*/*/manifest.jsonl")):
        for line in manifest.read_text("utf-8").splitlines()[::step]:
            row = json.loads(line)
            packed = manifest.parent / "pages" / f"{row['id']}.html.gz"
            charset = "text/html; charset=utf-8" if row.get("charset_conflict") else None
            yield page(gzip.decompress(packed.read_bytes()), charset)


def agreement(pages):
    """Return (paragraphs of the package, those that are ours too, in order)."""
    from difflib import SequenceMatcher

    n_theirs = n_same = 0
    for model in pages:
        a, b = theirs(model), ours(model)
        n_theirs += len(a)
        blocks = SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()
        n_same += len(a) if a == b else sum(block.size for block in blocks)
    return n_theirs, n_same


def test_equals_the_package_on_a_sample(shared):
    n_theirs, n_same = agreement(shared_pages(shared, 110))
    assert n_same == n_theirs > 3000


@pytest.mark.long
def test_equals_the_package_on_all_pages(shared):
    n_theirs, n_same = agreement(shared_pages(shared, 1))
    assert n_same >= 0.999 * n_theirs


def test_blocks_take_the_class_of_their_paragraph():
    html = (
        f"<h2>Of times</h2><p>{GOOD_TEXT * 3} <b>bold</b> <img src=x> behind</p>"
        f"<p>{LINK_TEXT}</p><button>in a button</button>"
    )
    model = page(html)
    labels = ReleasedJusText(language="en").label(model)
    expected = ["short-good", "good", "good", "bad", "bad"]
    assert labels.label == expected
    assert labels.kept.tolist() == [label.endswith("good") for label in expected]
    no_headings = ReleasedJusText(language="en", headings=False).label(model)
    assert no_headings.label[0] == "short-bad"


def test_short_headings_never_become_near_good_first():
    # The package compares final classes that it has not given yet.
    html = f"<h2>Of times</h2><p>short</p><p>{GOOD_TEXT * 3}</p>"
    labels = ReleasedJusText(language="en").label(page(html))
    assert labels.label == ["short-good", "short-bad", "good"]


def test_a_list_of_ones_own_is_read_whatever_its_case():
    justext = pytest.importorskip("justext")
    text = (
        "It Was the Best of Times, IT WAS THE WORST, and that is what there is to say of it. " * 4
    )
    stops = frozenset({"It", "was", "THE", "of", "is"})
    model = page(f"<p>{text}</p>")
    (paragraph,) = justext.justext(model.source.decode(), stops)
    assert ReleasedJusText(stop_list=stops).label(model).label == [paragraph.class_type] == ["good"]


def test_any_page_and_options():
    for html in ("", "no tags", "<p>", "<<>>&;<a", "<select>a", "<body>" * 300 + "x"):
        model = page(html)
        labels = ReleasedJusText().label(model)
        assert len(labels.kept) == len(labels.label) == len(model.blocks)
        assert labels.kept.dtype == np.bool_
    with pytest.raises(ValueError, match="no stop list for 'tlh'"):
        ReleasedJusText(language="tlh")


def test_lists_are_the_packages():
    justext = pytest.importorskip("justext")
    names = justext.get_stoplists()
    assert len(names) == 100
    for name in ("English", "Greek", "Norwegian_Bokmal", "Korean"):
        listed = {word.strip() for word in justext.get_stoplist(name)} - {""}
        assert stop_words(name) == listed
