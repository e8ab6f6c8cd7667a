"""The segmenters by name, those without densities, and what all of them keep to."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scrapy.utils.test import get_crawler

from crawler.commands.base import PROJECT_DEFAULTS
from crawler.page import build_page
from pipelines.segmentation import registry
from pipelines.segmentation.word_wrap import WordWrap
from pipelines.stages.rules import rules_of
from pipelines.stages.segment import SegmentStage
from tests.made_blocks import made_blocks

PAGE = b"""<title>no text</title><p>aaa bbb</p><h2>ccc ddd</h2><p>eee <b>fff</b> <i>ggg hhh</i></p>
<ul><li>one</li><li><a href=x>two</a></li></ul>"""


def blocks_of(html):
    return build_page(html, url="http://a.sample/", content_type="text/html").blocks


def with_texts(texts):
    blocks = made_blocks([[len(text.split())] for text in texts])
    blocks.text = texts
    return blocks


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("TagGap", [0, 1, 2, 3, 4, 5, 6]),
        ("FullText", [0, 0, 0, 0, 0, 0, 0]),
        ("JustRules", [0, 1, 2, 2, 2, 3, 3]),
        # eee, fff, ggg hhh: joined by tags. one: list begins; two: same density.
        ("BF-rule-based", [0, 1, 2, 2, 2, 3, 3]),
        # Densities 2 2, 1 1, 2, 1 1.
        ("BF-plain", [0, 0, 1, 1, 2, 3, 3]),
        # The second sweep finds 2 1 2; their lines 2 2 1 1 2 have density 1.5, next to 1.
        ("BF-smoothed", [0, 0, 0, 0, 0, 0, 0]),
    ],
)
def test_numbers_of_a_page(name, expected):
    blocks = blocks_of(PAGE)
    numbers = registry.get_block_method(name).segment(blocks)
    assert numbers.dtype == np.uint32
    assert numbers.tolist() == expected
    labels = registry.get(name).token_labels(blocks)
    assert labels.dtype == np.uint32
    assert labels.tolist() == np.repeat(expected, [2, 2, 1, 1, 2, 1, 1]).tolist()


def test_names():
    assert registry.methods() == (
        *("WordWrap", "TagGap", "JustRules", "FullText"),
        *("BF-plain", "BF-smoothed", "BF-rule-based"),
    )
    assert [registry.get(name).name for name in registry.methods()] == list(registry.methods())
    assert set(registry.methods()) - set(registry.block_methods()) == {"WordWrap"}


def test_unknown_names():
    with pytest.raises(ValueError, match="unknown segmentation method 'BF'; known are WordWrap,"):
        registry.get("BF")
    with pytest.raises(ValueError, match="no segmentation method 'WordWrap' numbers blocks"):
        registry.get_block_method("WordWrap")


def test_options_reach_the_methods():
    blocks = made_blocks([[10], [6]])
    assert registry.get_block_method("BF-plain").segment(blocks).tolist() == [0, 1]
    assert registry.get_block_method("BF-plain", theta=0.4).segment(blocks).tolist() == [0, 0]
    words = with_texts(["one two", "three"])
    assert registry.get("WordWrap", w_max=7).token_labels(words).tolist() == [0, 0, 1]
    assert registry.get("WordWrap", w_max=13).token_labels(words).tolist() == [0, 0, 0]


def test_word_wrap_wants_a_width():
    with pytest.raises(ValueError, match="w_max must be at least 1, got 0"):
        WordWrap(w_max=0)


def test_lines_straddle_blocks():
    assert WordWrap(w_max=9).token_labels(with_texts(["a b", "cccc", "dd ee"])).tolist() == [
        *(0, 0, 0),
        *(1, 1),
    ]


def test_full_width_words_take_two_columns_a_character():
    # Three words of two characters: 4 columns each, so that two fit in 9.
    blocks = made_blocks([[3]])
    blocks.text = ["数据科学手机"]
    assert WordWrap(w_max=9).token_labels(blocks).tolist() == [0, 0, 1]
    assert WordWrap(w_max=8).token_labels(blocks).tolist() == [0, 1, 2]


words = st.text("abcde", min_size=1, max_size=12)


@given(st.lists(st.lists(words, min_size=1, max_size=6), max_size=8), st.integers(1, 30))
def test_word_wrap_equals_textwrap(blocks, w_max):
    texts = [" ".join(block) for block in blocks]
    lines = textwrap.wrap(" ".join(texts), w_max, break_long_words=False, break_on_hyphens=False)
    expected = [number for number, line in enumerate(lines) for _ in line.split()]
    assert WordWrap(w_max=w_max).token_labels(with_texts(texts)).tolist() == expected


@settings(deadline=None)
@given(st.lists(st.integers(1, 20), max_size=30), st.data(), st.sampled_from(registry.methods()))
def test_labels_never_fall_and_rise_by_one(n_words, data, name):
    sets = st.sets(st.sampled_from(["p", "h1", "b", "img", "a"]), min_size=1, max_size=2)
    gaps = data.draw(st.lists(sets, min_size=len(n_words), max_size=len(n_words)))
    labels = registry.get(name).token_labels(made_blocks([[n] for n in n_words], gaps)).tolist()
    assert len(labels) == sum(n_words)
    assert labels[:1] in ([], [0])
    assert set(np.diff(labels).tolist()) <= {0, 1}


@settings(deadline=None)
@given(st.lists(st.integers(1, 20), max_size=30), st.data())
def test_rule_based_cuts_wherever_rules_cut(n_words, data):
    sets = st.sets(st.sampled_from(["p", "h1", "b", "img", "a"]), min_size=1, max_size=2)
    gaps = data.draw(st.lists(sets, min_size=len(n_words), max_size=len(n_words)))
    blocks = made_blocks([[n] for n in n_words], gaps)
    by_rules = np.diff(registry.get_block_method("JustRules").segment(blocks).astype(int))
    by_density = np.diff(registry.get_block_method("BF-rule-based").segment(blocks).astype(int))
    assert (by_density >= by_rules).all()
    unbounded = registry.get_block_method("BF-rule-based", theta=1)
    assert np.diff(unbounded.segment(blocks).astype(int)).tolist() == by_rules.tolist()


@pytest.mark.parametrize(
    ("chosen", "theta"),
    [
        ({}, 0.6),
        ({"SEGMENT_METHOD": "BF-plain"}, 0.38),
        ({"SEGMENT_METHOD": "BF-smoothed"}, 0.38),
        ({"SEGMENT_METHOD": "BF-smoothed", "SEGMENT_THETA": "0.5"}, 0.5),
        ({"SEGMENT_METHOD": "JustRules"}, None),
        ({"SEGMENT_THETA": 0}, 0),
    ],
)
def test_stage_and_rules_have_the_published_threshold_of_the_method(tmp_path, chosen, theta):
    corpus = {"CORPUS_DIR": str(tmp_path)}
    crawler = get_crawler(settings_dict={**PROJECT_DEFAULTS, **corpus, **chosen})
    stage = SegmentStage.from_crawler(crawler)
    assert getattr(stage.segmenter, "theta", None) == theta
    (rules,) = rules_of(crawler.settings)
    assert rules["settings"].get("SEGMENT_THETA") == theta
