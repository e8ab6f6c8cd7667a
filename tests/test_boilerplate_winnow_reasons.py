"""Winnow's reasons: they add up, agree with the labels, and say what is plain on made pages."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.page import PageRules, build_page
from pipelines.boilerplate.winnow import Winnow
from pipelines.boilerplate.winnow.comments import KIND_NAMES
from pipelines.boilerplate.winnow.decision import Course
from pipelines.boilerplate.winnow.features.matrix import FEATURE_NAMES, features
from pipelines.boilerplate.winnow.method import ARTICLE_DOUBT, doubts
from pipelines.boilerplate.winnow.model_file import Model, default_model, write_model
from pipelines.boilerplate.winnow.reasons.feature_words import ABOUT, SAID
from pipelines.boilerplate.winnow.reasons.wording import about, said
from pipelines.boilerplate.winnow.trees import forest_of, forest_scores

SENTENCES = (
    "The wind takes the chaff away, and what falls back onto the floor is the grain that we wanted. "
    "It is an old way of doing it, older than most of the words that we have for it, and it still works. "
)
NAVIGATION = "".join(f"<li><a href=/{name}>{name}</a>" for name in ("home", "news", "contact"))
COMMENT = f"<div class=comment><b>Ann wrote</b><p>{SENTENCES}</p><a href=#r>Reply</a></div>"
PAGE = (
    f"<title>How grain is cleaned</title><div class=nav><ul>{NAVIGATION}</ul></div>"
    f"<div class=text><h1>How grain is cleaned</h1>{f'<p>{SENTENCES}</p>' * 6}</div>"
    f"<div id=comments>{COMMENT * 2}</div><div id=footer>Copyright 2012</div>"
)


def page_from(html):
    return build_page(
        html.encode(),
        url="http://a.sample/",
        content_type="text/html; charset=utf-8",
        rules=PageRules(inline=Winnow.inline),
    )


def place_of(page, text):
    return next(i for i, block in enumerate(page.blocks.text) if block.startswith(text))


def log_odds(reason):
    return reason.start + sum(push.amount for push in reason.pushes)


PIECES = {
    "text": f"<p>{SENTENCES}</p>",
    "short": "<p>Some words</p>",
    "heading": "<h2>Of grain</h2>",
    "links": f"<ul>{NAVIGATION}</ul>",
    "comment": f"<div id=comments>{COMMENT}</div>",
    "article": f"<article><h1>Grain</h1><p>{SENTENCES * 3}</p></article>",
    "named": '<script type="application/ld+json">{"@type": "NewsArticle"}</script>',
    "code": "<pre>grain = 1</pre>",
    "table": "<table><tr><td>1<td>2 of 3<tr><td>4<td>5</table>",
}


@cache
def cleaner(preset, comments):
    return Winnow(preset, comments)


def with_code_slowly(scores, kinds, places):
    """No code has a smaller score than the last block before it that is none, among comments or without them."""
    found = list(scores)
    for i, (kind, place) in enumerate(zip(kinds, places, strict=True)):
        texts = [k for k in range(i) if kinds[k] != "code"]
        if kind == "code" and texts and places[texts[-1]] == place:
            found[i] = max(scores[i], scores[texts[-1]])
    return np.array(found)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.sampled_from(sorted(PIECES)), max_size=30),
    st.sampled_from(["precision", "balanced", "recall"]),
    st.sampled_from(["auto", "keep", "cut"]),
)
def test_reasons_are_the_log_odds_and_agree_with_the_labels(pieces, preset, comments):
    page = page_from("".join(PIECES[name] for name in pieces))
    method = cleaner(preset, comments)
    reasons, labels = method.reasons(page), method.label(page)
    assert len(reasons.blocks) == len(page.blocks)
    if not len(page.blocks):
        assert reasons.page == []
        return
    x, model = features(page), default_model()
    decision = method.decide(x, page)
    scores = forest_scores(model.main, x).astype(float)
    places = np.zeros(len(scores), np.bool_)
    if decision.course in {Course.TOGETHER, Course.BESIDE}:
        places = decision.places
        scores = np.where(places, forest_scores(model.full, x), scores)
    scores = with_code_slowly(scores, page.blocks.kind, places)
    told = [log_odds(reason) for reason in reasons.blocks]
    np.testing.assert_allclose(told, scores - doubts(x, manual=decision.manual), atol=1e-4)
    np.testing.assert_allclose(
        [reason.chance for reason in reasons.blocks], 1 / (1 + np.exp(-np.array(told)))
    )
    none = np.zeros(len(page.blocks), np.bool_)
    of_decision = (decision.alike, decision.copies, decision.closed)
    special = np.array([none if blocks is None else blocks for blocks in of_decision]).T.tolist()
    for reason, label, kept, (is_alike, is_copy, is_closed) in zip(
        reasons.blocks, labels.label, labels.kept.tolist(), special, strict=True
    ):
        is_chosen = label != "boilerplate"
        if label == "comment":
            like = " like others of its tags" if is_alike else ""
            assert reason.said == f"a comment, {'kept' if kept else 'left out'}{like}"
        elif is_copy:
            assert reason.said == "a copy, left out: a likelier block has this text"
        elif is_closed:
            assert reason.said == "kept: it stands in a short gap or a table of which half is kept"
        else:
            assert bool(reason.said) == ((reason.chance >= 0.5) != is_chosen)
        assert all(push.said for push in reason.pushes)
        check_order(reason, is_chosen=is_chosen)


def check_order(reason, *, is_chosen):
    """What pushed most to the label comes first, where anything pushed."""
    towards = [
        push.amount if is_chosen else -push.amount
        for push in reason.pushes
        if push.about != "doubt"
    ]
    assert towards[0] == max(towards) or max(towards) < 0.2


def stump(name, threshold, low, high):
    """Trees of one question: *low* up to the *threshold*, *high* above it."""
    leaf = np.zeros((1, 32), np.float32)
    leaf[0, :2] = low, high
    return forest_of(
        np.array([0, 1], np.uint32),
        np.array([FEATURE_NAMES.index(name)], np.uint32),
        np.array([threshold], np.float32),
        np.array([~0], np.int8),
        np.array([~1], np.int8),
        np.array([(low + high) / 2], np.float32),
        leaf,
    )


def asking(folder, *question, **options):
    """A cleaner that asks one question."""
    file = Path(folder) / "model.npz"
    # Question 0 of the trees for forums is another one: whether the page names itself an article.
    no_forum = stump(FEATURE_NAMES[0], 0.5, -3.0, -2.0)
    write_model(Model(stump(*question), stump(*question), no_forum, {}), file)
    return Winnow(model=file, **options)


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        (("words", 9, -2, 2), "The wind", ("its text", 2, "42 words")),
        (("words", 9, -2, 2), "home", ("its text", -2, "1 word")),
        (("link share", 0.5, 1, -3), "home", ("its links", -2, "100% of its words")),
        (
            ("navigation near", 30, -2, 2),
            "home",
            ("what it stands in", -2, "class or id 1 box out says “navigation”"),
        ),
        (("words at 1", 9, -2, 2), "How grain", ("its neighbours", 2, "42 words in the block after it")),
        (
            ("good share of same path", 0.5, -2, 2),
            "The wind",
            ("elements like its own", 2, "6 by tag path: 100% running text"),
        ),
        (
            ("link share of same path", 0.5, 2, -2),
            "home",
            ("elements like its own", -2, "3 by tag path: 100% links"),
        ),
        (("title likeness", 0.5, -2, 2), "How grain", ("its text", 2, "100% like the title")),
        (("blocks to end", 1, -2, 2), "Copyright", ("its place", -2, "1 block to the end")),
    ],
)  # fmt: skip
def test_the_only_question_is_the_reason(tmp_path, question, text, expected):
    page = page_from(PAGE)
    reason = asking(tmp_path, *question).reasons(page).blocks[place_of(page, text)]
    pushes = [push for push in reason.pushes if push.about != "doubt"]
    assert [tuple(push) for push in pushes] == [expected]


def test_what_may_be_comments_is_told_by_its_own_trees(tmp_path):
    write_model(
        Model(
            stump("words", 9, -2, 2),
            stump("comment around", 0, -2, 4),
            stump(FEATURE_NAMES[0], 0.5, -3.0, -2.0),
            {},
        ),
        tmp_path / "model.npz",
    )
    page = page_from(PAGE)
    for comments, is_kept in (("auto", "left out"), ("keep", "kept")):
        reasons = Winnow(comments=comments, model=tmp_path / "model.npz").reasons(page)
        assert (
            "Where comments may stand, a chance is that of main text or a comment." in reasons.page
        )
        reply = reasons.blocks[place_of(page, "Reply")]
        assert reply.pushes[0].about == "what it stands in"
        assert reply.said == f"a comment, {is_kept}"
        assert any(
            "Taken for no forum (5%; does not name itself an article)" in note
            and f"{is_kept} (comments={comments})" in note
            for note in reasons.page
        )
    form = "<form class=comment><p>Your address will not be published</p></form>"
    page = page_from(PAGE + form)
    said = Winnow(model=tmp_path / "model.npz").reasons(page).blocks[place_of(page, "Your")].said
    assert said == "left out: of the form for a comment"


def test_the_choice_is_told_where_it_is_not_the_chance(tmp_path):
    """Of two kinds of blocks the better one is likely or not; which are taken is the page's matter."""
    page = page_from(PAGE.replace("id=comments", "").replace("class=comment", ""))
    doubt = float(doubts(features(page), manual=False)[0])
    for low, high, text, choice in (
        (-4.0, -0.2, "The wind", "taken all the same: the limit of this page is 33%"),
        (0.6, 6.0, "home", "left out all the same: the limit of this page is >99%"),
        # A chance of one half is one of main text.
        (-4.0, doubt, "The wind", ""),
        (doubt, 6.0, "home", "left out all the same: the limit of this page is >99%"),
    ):
        method = asking(tmp_path, "words", 9, low, high, preset="precision")
        reason = method.reasons(page).blocks[place_of(page, text)]
        assert reason.said == choice
        assert "Preset precision: kept are the blocks" in method.reasons(page).page[0]


def test_the_page_is_told(tmp_path):
    named = PIECES["named"]
    assert any(
        "names itself an article" in note for note in Winnow().reasons(page_from(named + PAGE)).page
    )
    doubted = Winnow().reasons(page_from(named + PAGE)).blocks[0].pushes
    assert [push.amount for push in doubted if push.about == "doubt"] == [-ARTICLE_DOUBT]
    few = Winnow().reasons(page_from(f"<ul>{NAVIGATION}</ul>")).page
    assert few[0] == "Preset balanced: nothing is kept; a few links alone are no main text."
    hopeless = asking(tmp_path, "words", 9, -6, -5, preset=0.5).reasons(page_from(PAGE))
    assert hopeless.page[0].startswith(
        "Preset 0.5: nothing is kept; no choice of blocks promises an F of 0.2"
    )


def test_something_is_said_of_every_feature():
    names = (*FEATURE_NAMES, *KIND_NAMES)
    assert {about(name) for name in names} == set(ABOUT) == set(SAID)
    for name in names:
        for value in (-999, -1, 0, 0.3, 1, 2, 999):
            assert said(name, value)
            assert not set("{}|") & set(said(name, value)), name
    with pytest.raises(KeyError, match="nothing is said of the feature 'colour of it'"):
        about("colour of it")


def test_reasons_are_a_sequence():
    blocks = Winnow().reasons(page_from(PAGE)).blocks
    every = list(blocks)
    assert len(every) == len(blocks)
    assert blocks[-1] == every[-1]
    assert blocks[2:5] == every[2:5]
    with pytest.raises(IndexError):
        blocks[len(every)]
