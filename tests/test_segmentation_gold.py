"""Reading pages that were segmented by hand."""

from __future__ import annotations

import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page import build_page
from pipelines.segmentation.gold import align, read_marked, runs

PAGE = """<html><head><title>not text</title><script>var no = "text"</script></head><body>
<div data-block="1" data-block-type="Header">a <img data-block="2" src="x"> b</div>
<p>outside <!-- no <b data-block="1"> --> too</p>
<div data-block="1"><ul data-block="2"><li>c<li><a href="x">d</a>e</ul>f
<p><a data-block="2" href="y">g</a> h</p></div>
<div data-block="2">i</div></body></html>"""

DIALOGUE = """<div aria-labelledby="ui-id-1" role="dialog" class="ui-dialog">
  <div class="ui-dialog-titlebar"><span>New resource</span></div>
  <div id="popupDialog"><h3>High-level types</h3></div></div>"""


def test_levels():
    page = read_marked(PAGE)
    assert page.words == ["a", "b", "outside", "too", "c", "de", "f", "g", "h", "i"]
    # 0 header, whose image has no words; 1 content, 2 list, 3 link, 4 without a block of level 1.
    assert page.labels[1].tolist() == [0, 0, -1, -1, 1, 1, 1, 1, 1, -1]
    assert page.labels[2].tolist() == [0, 0, -1, -1, 2, 2, 1, 3, 1, 4]
    assert page.source == PAGE


def test_dialogue_of_the_annotators_is_cut_out():
    page = read_marked(PAGE.replace("</body>", DIALOGUE + "</body>"))
    assert page.source == PAGE
    assert "New" not in page.words
    assert read_marked("a" + DIALOGUE).source == "a"
    # Somebody's own dialogue stays.
    assert read_marked('<div role="dialog">b</div>').words == ["b"]


def test_page_without_words():
    page = read_marked("")
    assert page.words == []
    assert page.labels[1].tolist() == []
    assert align(page.words, page.labels[1], []).labels.tolist() == []
    found = align(page.words, page.labels[1], ["some words"])
    assert found.labels.tolist() == [-1, -1]
    assert found.n_matched == 0


def test_words_without_partner_take_the_label_before():
    found = align(list("abcd"), np.array([5, 5, 7, 8]), ["x a", "b y c d", "z"])
    assert found.labels.tolist() == [5, 5, 5, 5, 7, 8, 8]
    assert found.n_matched == 4


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(-1, 3)), min_size=1, max_size=30))
def test_equal_words_keep_their_labels(pairs):
    words, labels = zip(*pairs, strict=True)
    found = align(words, np.array(labels), [" ".join(words)])
    assert found.labels.tolist() == list(labels)
    assert found.n_matched == len(words)


@given(st.lists(st.integers(-1, 2), max_size=30))
def test_runs(labels):
    expected, number = [], -1
    for place, label in enumerate(labels):
        number += place == 0 or label != labels[place - 1]
        expected.append(number)
    assert runs(np.array(labels, dtype=np.int64)).tolist() == expected


@pytest.mark.parametrize(
    "name", ["bbcgf.org", "www.aiact.org", "directory.virgilio.it_home_index.html"]
)
def test_marked_pages(shared, name):
    file = shared / "data" / "segmentation" / "rkrzr-random" / "blocks" / f"{name}.html.gz"
    page = read_marked(gzip.decompress(file.read_bytes()).decode())
    model = build_page(
        page.source.encode(), url="http://a.sample/", content_type="text/html; charset=utf-8"
    )
    for labels in page.labels.values():
        found = align(page.words, labels, model.blocks.text)
        assert found.n_matched >= 0.99 * len(found.labels)
        assert len(found.labels) == model.blocks.n_tokens.sum()
        assert len(set(labels.tolist()) - {-1}) >= 3
