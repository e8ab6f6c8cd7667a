"""Comments beside a main text: where they may stand, which of them are alike, and what a forum is told by."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page import build_page
from crawler.page.links import no_references
from pipelines.boilerplate.winnow import Winnow
from pipelines.boilerplate.winnow.comments import (
    KIND_NAMES,
    KIND_SIGNS,
    may_be_comments,
    of_comment_forms,
    page_kind,
    with_others_alike,
)
from pipelines.boilerplate.winnow.features.matrix import FEATURE_NAMES, features
from pipelines.boilerplate.winnow.thread_links import thread_link_share
from tests.test_boilerplate_winnow import SENTENCES, page_from

FORM = (
    "<div id=respond class=comment-respond><h3>Leave a Reply</h3><form class=comment-form>"
    "<p class=comment-notes>Your email address will not be published. Required fields are marked *</p>"
    "<p><label>Comment</label><textarea></textarea></p>"
    "<p><label>Save my name, email, and website in this browser for the next time I comment.</label></p>"
    "<p>You may use these HTML tags and attributes: a href title abbr acronym b blockquote cite code</p>"
    "</form></div>"
)
COMMENT = "My mother still has one of these baskets in the barn."


def made_links(*hrefs):
    body = "".join(f'<a href="{href}">text</a>' for href in hrefs)
    return build_page(body.encode(), url="http://a.sample/", content_type=None).references


def test_places_for_comments_are_not_the_whole_page():
    inside = build_page(
        b"<div class=comment-page><p>text of some words</p></div>",
        url="http://a.sample/",
        content_type=None,
    )
    assert not may_be_comments(features(inside)).any()


def test_comments_of_one_path_are_kept_or_not_together():
    wanted = np.array([1, 0, 1, 0, 0, 1, 0], np.bool_)
    places = np.array([0, 1, 1, 1, 1, 1, 1], np.bool_)
    n_words = np.array([90.0, 20, 20, 9, 30, 5, 6])
    paths = np.array([3, 3, 3, 3, 1, 1, 0], np.uint32)
    # 20 of 49 words below path 3, where what is no place for comments says nothing; 5 of 35 below path 1
    assert not with_others_alike(wanted, places, n_words, paths)[[0, 1, 3, 4, 6]].any()
    n_words[3] = 0
    found = with_others_alike(wanted, places, n_words, paths)
    assert found.tolist() == [False, True, True, True, False, True, False]


@given(data=st.data(), n=st.integers(1, 30))
def test_others_alike_are_those_of_half_wanted_paths(data, n):
    wanted, places = (
        np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n))) for _ in "ab"
    )
    n_words, paths = (
        np.array(data.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))) for _ in "ab"
    )
    alike = [
        bool(places[i])
        and any(wanted[j] and n_words[j] for j in its)
        and 2 * sum(n_words[j] for j in its if wanted[j]) >= sum(n_words[j] for j in its)
        for i in range(n)
        for its in [[j for j in range(n) if places[j] and paths[j] == paths[i]]]
    ]
    found = with_others_alike(wanted, places, n_words.astype(float), paths.astype(np.uint32))
    assert found.tolist() == (np.array(alike) | (wanted & places)).tolist()


@pytest.mark.parametrize("n_paragraphs", [6, 20, 60])
def test_one_comment_beside_a_long_text_is_found_and_the_form_below_is_none(n_paragraphs):
    text = "".join(f"<p>{number} {SENTENCES}</p>" for number in range(n_paragraphs))
    page = page_from(
        f"<title>How grain is cleaned</title><div class=article><h1>How grain is cleaned</h1>{text}</div>"
        "<div id=comments><h3>One thought on grain</h3><ol><li class=comment><cite>Ann</cite> <i>12 May 2012</i>"
        f"<p>{COMMENT}</p></li></ol>{FORM}</div>"
    )
    for comments in ("auto", "keep"):
        labels = Winnow(comments=comments).label(page)
        told = dict(zip(page.blocks.text, zip(labels.label, labels.kept, strict=True), strict=True))
        assert told[COMMENT] == ("comment", comments == "keep")
        form = [
            told[text] for text in told if text.startswith(("Your email", "Save my", "You may"))
        ]
        assert form == [("boilerplate", False)] * 3


def test_blocks_of_the_form_for_a_comment():
    x = np.zeros((len(FEATURE_NAMES), 4), np.float32)
    x[FEATURE_NAMES.index("within form")] = 0, 0, 1, 1
    places, wanted = np.array([0, 1, 1, 1], np.bool_), np.array([1, 0, 0, 0], np.bool_)
    few, many = np.array([90.0, 20, 12, 30]), np.array([90.0, 20, 12, 300])
    assert of_comment_forms(x, places, wanted, few).tolist() == [False, False, True, True]
    # all the comments stand in the form, or the whole page does
    assert not of_comment_forms(x, places, wanted, many).any()
    x[FEATURE_NAMES.index("within form")] = 1
    assert not of_comment_forms(x, places, wanted, few).any()


def test_the_kind_of_a_page_is_told_by_what_is_expected_of_its_blocks():
    x = np.zeros((len(FEATURE_NAMES), 4), np.float32)
    x[FEATURE_NAMES.index("words")] = 40, 10, 30, 20
    places = np.array([False, False, True, True])
    main, full = np.array([0.9, 0.6, 0.2, 0.1]), np.array([0.0, 0.0, 0.8, 0.5])
    links = made_links("/showthread.php?t=1", "http://Forum.sample/", "//a.sample/t/1", "/about")
    told = page_kind(x, places, main, full, links=links)
    kind = dict(zip(KIND_NAMES, told[:, 0].tolist(), strict=True))
    assert kind["expected elsewhere"] == pytest.approx(0.9 * 40 + 0.6 * 10)
    assert kind["expected in places"] == pytest.approx(0.8 * 30 + 0.5 * 20)
    assert kind["share expected elsewhere"] == pytest.approx(42 / 77)
    assert kind["main share of places"] == pytest.approx((0.2 * 30 + 0.1 * 20) / 50)
    assert kind["long blocks expected elsewhere"] == pytest.approx(0.9)
    assert kind["longest main elsewhere"] == 40
    assert kind["links to threads"] == pytest.approx(3 / 9)
    assert len(KIND_SIGNS) == len(KIND_NAMES)
    # a page without places, and one of nothing else
    for alone in (np.zeros(4, np.bool_), np.ones(4, np.bool_)):
        assert np.isfinite(page_kind(x, alone, main, full, links=no_references())).all()


def plain_kind(x, places, main, full):
    """What `page_kind` tells of text and of what is expected, in whole arrays."""
    row = {name: x[number].astype(float) for number, name in enumerate(FEATURE_NAMES)}
    words, forum, paragraph = row["words"], row["forum around"], row["words"] >= 20
    text = words * ((words >= 10) & (x[FEATURE_NAMES.index("link share")] < np.float32(0.35)))
    in_forum = (forum > 0) & (forum != row["comment around"])
    first = int(places.argmax()) if places.any() else len(places)
    elsewhere, in_places = (words * main)[~places].sum(), (words * full)[places].sum()
    of_text = [text[~places].sum(), text[~places].max(initial=0), text[in_forum].sum()]
    of_text += [text[(row["main_text around"] > 0) & ~places].sum(), text[:first].sum()]
    shares = np.array(of_text) / np.array([1, 1, *[max(text.sum(), 1)] * 3])
    said = [elsewhere, in_places, elsewhere / (elsewhere + in_places + 1)]
    said += [(words * main)[places].sum() / max(words[places].sum(), 1)]
    said += [main[~places & paragraph].sum(), words[~places & (main > 0.5)].max(initial=0)]
    page = [row[name][0] for name in KIND_NAMES[: -len(shares) - len(said) - 1]]
    return np.array([*page, *shares, *said], np.float32)


@given(st.lists(st.text("/tforumhead?q12", max_size=12), max_size=8))
def test_links_to_threads_have_a_word_of_forums_in_their_address(paths):
    links = made_links(*(f"/a{path}" for path in paths))
    words = ("forum", "thread", "topic", "/question/", "/questions/", "/t/")
    n_found = sum(any(word in href for word in words) for href in links.href)
    assert thread_link_share(links) == n_found / (len(links) + 5)


def test_links_to_threads_of_any_case_and_none():
    hrefs = ("/ShowThread.aspx", "/VIEWTOPIC.php", "/questions/7/why", "/question", "x/t/", "/t")
    assert thread_link_share(made_links(*hrefs)) == 4 / 11
    assert thread_link_share(no_references()) == 0


@pytest.mark.parametrize("seed", range(30))
def test_the_kind_of_a_page_is_the_plain_one(seed):
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 90))
    x = random.integers(0, 3, (len(FEATURE_NAMES), n)).astype(np.float32)
    x[FEATURE_NAMES.index("words")] = random.integers(1, 60, n)
    x[FEATURE_NAMES.index("link share")] = random.choice(np.float32([0, 0.1, 0.35, 1]), n)
    places, main, full = random.random(n) < random.random(), random.random(n), random.random(n)
    kind = page_kind(x, places, main, full, links=no_references())[:-1, 0]
    np.testing.assert_allclose(kind, plain_kind(x, places, main, full), rtol=1e-6)
