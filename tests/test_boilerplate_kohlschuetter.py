"""Kohlschütter's simple rules and filters: thresholds, regions, titles and comment sections."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page import build_page
from pipelines.boilerplate.boilerpipe.markers import (
    comparable,
    indicates_end_of_text,
    title_candidates,
)
from pipelines.boilerplate.cleaneval_rule import CleanEvalRule
from pipelines.boilerplate.keep_all import KeepAll
from pipelines.boilerplate.largest_content import LargestContent, largest_region
from pipelines.boilerplate.main_content import MainContent
from pipelines.boilerplate.minimum_words import MinimumWords
from pipelines.boilerplate.numwords_tree import NumWordsTree
from pipelines.boilerplate.single_feature_rules import (
    LinkDensityRule,
    TextDensityRule,
    WordsRule,
)
from pipelines.evaluation.measures.token_f1 import token_f1
from pipelines.evaluation.readers import open_dataset
from tests.made_blocks import made_blocks, page_of

METHODS = (
    MinimumWords,
    WordsRule,
    LinkDensityRule,
    TextDensityRule,
    CleanEvalRule,
    LargestContent,
    MainContent,
)


def words(n, start=0):
    return " ".join(f"word{start + i}" for i in range(n))


@pytest.mark.parametrize(
    ("method", "kept"),
    [
        # blocks of 9, 10, 15, 16 and 100 words, the last with 33 and the one before with 6 linked
        (MinimumWords(), [0, 1, 1, 1, 1]),
        (MinimumWords(min_words=1), [1, 1, 1, 1, 1]),
        (WordsRule(), [0, 0, 0, 1, 1]),
        (LinkDensityRule(), [1, 1, 1, 0, 1]),
        (TextDensityRule(), [0, 0, 1, 1, 0]),
        (CleanEvalRule(), [1, 1, 1, 0, 1]),
        (CleanEvalRule(max_link_density=0.375), [1, 1, 1, 1, 1]),
        (CleanEvalRule(min_density=10), [0, 1, 1, 0, 1]),
    ],
)
def test_thresholds(method, kept):
    # the last block has 10 words a line
    lines = [[9], [10], [15], [16], [10] * 10]
    blocks = made_blocks(lines, linked=[0, 0, 0, 6, 33])
    labels = method.label(page_of(blocks))
    assert labels.kept.tolist() == [bool(keep) for keep in kept]
    assert labels.label == ["content" if keep else "boilerplate" for keep in kept]


def test_density_of_exactly_ten_and_a_half_is_content():
    blocks = made_blocks([[10, 11, 3], [10, 10, 3]])
    assert TextDensityRule().label(page_of(blocks)).kept.tolist() == [True, False]


@pytest.mark.parametrize("method", METHODS)
def test_pages_without_text(method):
    for page in (
        page_of(made_blocks([])),
        build_page(b"", url="http://a.example/", content_type=None),
        build_page(b"no tags at all", url="http://a.example/", content_type=None),
    ):
        labels = method().label(page)
        assert labels.kept.dtype == np.bool_
        assert len(labels.kept) == len(labels.label) == len(page.blocks)


@pytest.mark.parametrize(
    ("method", "options", "message"),
    [
        (MinimumWords, {"min_words": 0}, "min_words must be at least 1, got 0"),
        (WordsRule, {"words": -1}, "words must be at least 0, got -1"),
        (LinkDensityRule, {"max_link_density": 2}, "max_link_density must be from 0 to 1, got 2"),
        (TextDensityRule, {"min_density": float("nan")}, "min_density must be at least 0, got nan"),
        (CleanEvalRule, {"min_density": -1}, "min_density must be at least 0, got -1"),
        (CleanEvalRule, {"max_link_density": -1}, "max_link_density must be from 0 to 1, got -1"),
        (LargestContent, {"max_gap": -1}, "max_gap must be at least 0, got -1"),
        (LargestContent, {"base": "magic"}, "unknown cleaning method 'magic'"),
        (MainContent, {"max_gap": -1}, "max_gap must be at least 0, got -1"),
        (MainContent, {"min_words": -1}, "min_words must be at least 0, got -1"),
    ],
)
def test_wrong_options(method, options, message):
    with pytest.raises(ValueError, match=message):
        method(**options)


def regions(kept, n_words, max_gap):
    """The region of most words, one block at a time."""
    found, current, gap = [], [], 0
    for number, keep in enumerate(kept):
        if not keep:
            gap += 1
            continue
        if current and gap > max_gap:
            found.append(current)
            current = []
        current.append(number)
        gap = 0
    found.append(current)
    best = max(found, key=lambda region: sum(n_words[number] for number in region))
    return [number in best for number in range(len(kept))]


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 9)), max_size=20), st.integers(0, 3))
def test_largest_region_equals_the_plain_one(drawn, max_gap):
    kept = [keep for keep, _ in drawn]
    n_words = [n for _, n in drawn]
    found = largest_region(np.array(kept, dtype=bool), np.array(n_words, dtype=np.uint32), max_gap)
    assert found.tolist() == regions(kept, n_words, max_gap)


def test_largest_content_keeps_one_region():
    # an article with one block of links within, then three of them, and a shorter text
    lines = [[50], [3], [45], [3], [3], [3], [60]]
    page = page_of(made_blocks(lines, linked=[0, 3, 0, 3, 3, 3, 0]))
    kept = {gap: np.flatnonzero(LargestContent(max_gap=gap).label(page).kept) for gap in (0, 1, 3)}
    assert {gap: numbers.tolist() for gap, numbers in kept.items()} == {
        0: [6],
        1: [0, 2],
        3: [0, 2, 6],
    }


def test_base_decides_which_blocks_are_asked_for():
    assert LargestContent(base="densitometric-tree").inline == "gap"
    page = page_of(made_blocks([[20], [20]]))
    assert MainContent(base="densitometric-tree").label(page).kept.tolist() == [True, False]


NEWS = f"""<title>River floods town - Example News</title>
<body><p>{words(90, 900)}</p><h1>River Floods Town</h1><p>{words(70)}</p><p>{words(50, 100)}</p>
<div>Reader comments</div><p>{words(200, 200)}</p></body>"""


def test_main_content_is_between_title_and_comments():
    page = build_page(NEWS.encode(), url="http://a.example/", content_type=None)
    kept = [
        text.split()[0]
        for text, keep in zip(page.blocks.text, MainContent().label(page).kept, strict=True)
        if keep
    ]
    # short lines next to long ones are content to the tree
    assert kept == ["River", "word0", "word100"]


@pytest.mark.parametrize(
    "html",
    [
        # a link to the comments before the text, and the title at the foot only
        f"<title>River floods town</title><p>Add your comment</p><p>{words(70)}</p>",
        f"<title>River floods town</title><p>{words(70)}</p><p>River floods town</p>",
    ],
)
def test_main_content_survives_misplaced_markers(html):
    page = build_page(html.encode(), url="http://a.example/", content_type=None)
    assert MainContent().label(page).kept[page.blocks.n_words.argmax()]


@pytest.mark.parametrize(
    ("text", "n_words", "is_marker"),
    [
        ("Comments", 1, True),
        ("comment", 1, False),
        ("User comments:", 2, True),
        ("23 users responded in this post", 6, True),
        ("23 comments", 2, True),
        ("x 23 comments", 3, False),
        ("© Reuters 2008", 2, True),
        ("Please rate this article", 4, True),
        ("Have your say below", 4, True),
        ("Tell us what you think...", 5, True),
        # too long, too short
        ("Comments are closed", 15, False),
        ("Comments are closed", 14, True),
        ("comments"[:7], 1, False),
    ],
)
def test_ends_of_text(text, n_words, is_marker):
    assert indicates_end_of_text(text, n_words) is is_marker


def test_title_candidates():
    assert title_candidates(None) == title_candidates("  ") == frozenset()
    candidates = title_candidates("Mayor's plan: a bridge, at last - the Daily News | Local")
    assert candidates == {
        "mayors plan: a bridge, at last - the daily news | local",
        # cut at bars and colons, at hyphens, at commas; by words
        "a bridge, at last - the daily news",
        "a bridge, at last",
        "the daily news",
    }
    # parts that name a site are none
    assert title_candidates("Bridge fell | www.news.com") == {
        "bridge fell | www.news.com",
        "bridge fell",
    }
    # a later part is longer when it is so in characters, as in the program
    assert title_candidates("By a | Transsubstantiation") == {
        "by a | transsubstantiation",
        "transsubstantiation",
    }
    assert comparable(" Mayor's  PLAN ") == "mayors plan"


def mean_token_f1(shared, name, methods):
    found = {method: [] for method in methods}
    for gold in open_dataset(shared / "data" / "extraction" / "dev" / name):
        page = build_page(gold.body, url="http://a.example/", content_type=gold.content_type)
        for method, cleaner in methods.items():
            kept = cleaner.label(page).kept.tolist()
            text = "\n".join(itertools.compress(page.blocks.text, kept))
            found[method].append(token_f1(text, gold.gold).f1)
    return {method: float(np.mean(scores)) for method, scores in found.items()}


@pytest.mark.long
def test_order_of_the_methods_on_news_and_on_cleaneval(shared):
    """Kohlschütter 2011, figure 4.21: the filters are for news, and fail on CleanEval."""
    methods = {
        "keep-all": KeepAll(),
        "minimum-words": MinimumWords(),
        "numwords": NumWordsTree(),
        "largest": LargestContent(),
        "main": MainContent(),
    }
    news = mean_token_f1(shared, "daniel", methods)
    assert news["keep-all"] < news["minimum-words"] < news["numwords"] < news["largest"]
    assert news["main"] >= news["largest"] - 0.005
    cleaneval = mean_token_f1(shared, "cleaneval-dev", methods)
    assert max(cleaneval["largest"], cleaneval["main"]) < cleaneval["keep-all"] - 0.1
    # "performed just as good": within a few points of each other, and little above all text
    assert abs(cleaneval["minimum-words"] - cleaneval["numwords"]) < 0.03
    assert cleaneval["numwords"] - cleaneval["keep-all"] < 0.08
