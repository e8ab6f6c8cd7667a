"""The method winnow: what it keeps of plain pages, its options, and pages that are hardly any."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from itertools import pairwise, product

import numpy as np
import pytest

from crawler.page import PageRules, build_page
from crawler.page.words import evaluation_words
from pipelines.boilerplate.winnow import Winnow
from pipelines.boilerplate.winnow.comments import COMMENTS
from pipelines.boilerplate.winnow.features.matrix import features
from pipelines.boilerplate.winnow.manuals import DOUBT as MANUAL_DOUBT
from pipelines.boilerplate.winnow.method import ARTICLE_DOUBT, DOUBT, DOUBT_WITHIN, doubts
from pipelines.evaluation.gold import scores
from tests.made_blocks import made_blocks, page_of

RULES = PageRules(inline=Winnow.inline)
SENTENCES = (
    "The wind takes the chaff away, and what falls back onto the floor is the grain that we wanted. "
    "It is an old way of doing it, older than most of the words that we have for it, and it still works. "
)
NAMED_ARTICLE = '<script type="application/ld+json">{"@type": "NewsArticle"}</script>'
NAVIGATION = "".join(
    f"<li><a href=/{name}>{name.title()}</a></li>"
    for name in ("home", "news", "about", "contact", "search")
)
ARTICLE = (
    "<html><head><title>How grain is cleaned</title></head><body>"
    f"<div id=header class=nav><ul>{NAVIGATION}</ul></div>"
    f"<div class=article><h1>How grain is cleaned</h1>{('<p>' + SENTENCES + '</p>') * 6}</div>"
    "<div id=comments><h3>2 comments</h3>"
    + "".join(
        f"<div class=comment><span>Ann {n}, 12 May 2012</span><p>I never knew that this is where the word comes "
        f"from, thank you for writing it down {n} times.</p><a href=#r>Reply</a></div>"
        for n in range(2)
    )
    + "</div><div id=footer>Copyright 2012. All rights reserved. <a href=/p>Privacy</a></div></body></html>"
)


def page_from(html, **options):
    body = html if isinstance(html, bytes) else html.encode()
    return build_page(
        body,
        url="http://a.sample/",
        content_type="text/html; charset=utf-8",
        rules=RULES,
        **options,
    )


def kept_text(page, labels):
    return " ".join(text for text, kept in zip(page.blocks.text, labels.kept, strict=True) if kept)


def test_keeps_the_article_and_cuts_the_rest():
    page = page_from(ARTICLE)
    text = kept_text(page, Winnow().label(page))
    assert text.count("The wind takes the chaff") == 6
    assert "Privacy" not in text
    assert "Contact" not in text


@pytest.mark.parametrize(("comments", "is_kept"), [("auto", False), ("cut", False), ("keep", True)])
def test_comments_have_a_label_and_an_option(comments, is_kept):
    page = page_from(ARTICLE)
    labels = Winnow(comments=comments).label(page)
    found = [
        (kept, label)
        for text, kept, label in zip(
            page.blocks.text, labels.kept.tolist(), labels.label, strict=True
        )
        if text.startswith("I never knew")
    ]
    assert found == [(is_kept, "comment")] * 2


def thread(n_posts, n_comments, n_notes):
    """A page of posts, comments on them, and short texts around."""
    post = f"<div class=post><h4>Ann, 12 May 2012</h4><p>{SENTENCES}</p><p>Rated 3 by 12 readers</p></div>"
    comment = (
        f"<li class=comment><b>Ben wrote</b><p>{SENTENCES}</p><a href=#r>Reply to this</a></li>"
    )
    notes = "<p>Started by Ann, 40 views, last reply by Ben</p><h3>Cleaning of grain by hand</h3>"
    return (
        f"<body>{notes * n_notes}{post * n_posts}<ul id=comments>{comment * n_comments}</ul>"
        f"<h2>Similar topics</h2>{notes * n_notes}"
    )


@pytest.mark.parametrize("n_posts", [0, 1, 3])
@pytest.mark.parametrize("n_notes", [0, 1, 4])
@pytest.mark.parametrize("n_comments", [1, 5, 30])
def test_fewer_comments_are_no_more_text(n_posts, n_notes, n_comments):
    page = page_from(thread(n_posts, n_comments, n_notes))
    for preset, least in product(("precision", "balanced", "recall"), (0.2, 0.6)):
        cut, auto, keep = (
            Winnow(preset, comments, least=least).label(page).kept
            for comments in ("cut", "auto", "keep")
        )
        assert not (cut & ~auto).any(), (preset, least)
        assert not (auto & ~keep).any(), (preset, least)


def test_fewer_comments_are_no_more_text_of_real_pages(shared):
    cut, keep = Winnow(comments="cut"), Winnow(comments="keep")
    # All of the last are posts that may be comments.
    for name in ("0508", "0528", "0546", "1126", "0549"):
        file = shared / "data" / "extraction" / "train" / "wcxb-dev" / "pages" / f"{name}.html.gz"
        page = page_from(gzip.decompress(file.read_bytes()))
        fewer = cut.label(page).kept
        assert fewer.any()
        assert not (fewer & ~keep.label(page).kept).any()


def assert_presets_keep_more(page, comments):
    kept = [Winnow(preset / 10, comments).label(page).kept for preset in range(11)]
    for lower, higher in pairwise(kept):
        assert not (lower & ~higher).any()


@pytest.mark.parametrize("comments", COMMENTS)
@pytest.mark.parametrize(("n_posts", "n_comments"), [(0, 2), (1, 3), (2, 30), (3, 5)])
def test_a_higher_preset_keeps_all_that_a_lower_one_does(n_posts, n_comments, comments):
    # Of some presets the main text is long enough to have comments beside it, of others not.
    assert_presets_keep_more(page_from(thread(n_posts, n_comments, 4)), comments)


@pytest.mark.parametrize("comments", COMMENTS)
def test_a_higher_preset_keeps_all_that_a_lower_one_does_of_real_pages(shared, comments):
    for name in ("0506", "0521", "0546", "0562"):
        file = shared / "data" / "extraction" / "train" / "wcxb-dev" / "pages" / f"{name}.html.gz"
        assert_presets_keep_more(page_from(gzip.decompress(file.read_bytes())), comments)


def test_the_more_is_asked_the_more_pages_have_no_main_text():
    login = "<ul><li><a href=/a>Home</a></ul>Name <input><button>Log in</button><div class=footer>© 2020 The Mill</div>"
    pages = [page_from(login), page_from(ARTICLE)]
    n_kept = [
        [int(Winnow(least=least).label(page).kept.sum()) for page in pages]
        for least in (0.0, 0.2, 0.6, 1.0)
    ]
    assert n_kept == sorted(n_kept, reverse=True)
    assert n_kept[0][0] > n_kept[2][0] == 0
    assert n_kept[2][1] == 7
    assert n_kept[3] == [0, 0]


def test_presets_keep_more_and_more():
    page = page_from(ARTICLE)
    n = [
        Winnow(preset).label(page).kept.sum() for preset in ("precision", "balanced", 0.8, "recall")
    ]
    assert n == sorted(n)


@pytest.mark.parametrize(
    ("head", "manual", "expected"),
    [
        ("", False, [DOUBT, DOUBT_WITHIN, DOUBT_WITHIN]),
        (NAMED_ARTICLE, False, ARTICLE_DOUBT),
        ("", True, MANUAL_DOUBT),
    ],
)
def test_doubt_goes_by_what_the_author_says(head, manual, expected):
    body = f"<p>Menu</p><main><p>{SENTENCES}</p></main><article>{SENTENCES}</article>"
    page = page_from(f"<html><head>{head}</head><body>{body}</body></html>")
    assert np.all(np.equal(doubts(features(page), manual=manual), expected))


def test_labels_are_those_of_kept_blocks():
    page = page_from(ARTICLE)
    for labels in (Winnow("recall", "keep").label(page), Winnow("precision", "cut").label(page)):
        assert len(labels.kept) == len(labels.label) == len(page.blocks)
        for kept, label in zip(labels.kept.tolist(), labels.label, strict=True):
            assert label in ({"content", "comment"} if kept else {"boilerplate", "comment"})


def test_the_same_page_has_the_same_labels():
    cleaner, page = Winnow(), page_from(ARTICLE)
    first = cleaner.label(page)
    cleaner.label(page_from("<p>another"))
    assert cleaner.label(page_from(ARTICLE)).kept.tolist() == first.kept.tolist()


def test_scripts_without_spaces():
    chinese = "风把谷壳吹走，落下来的就是我们想要的粮食。这是一种很古老的办法，比我们今天用的许多词都要古老，但是它仍然有用。"
    html = (
        "<title>怎样清理粮食</title><div class=nav><a href=/>首页</a> <a href=/n>新闻</a></div>"
        f"<div class=article><h1>怎样清理粮食</h1>{('<p>' + chinese + '</p>') * 8}</div>"
        "<div class=footer>版权所有</div>"
    )
    page = page_from(html)
    text = kept_text(page, Winnow().label(page))
    assert text.count("风把谷壳吹走") == 8
    assert "首页" not in text


HARDLY_PAGES = {
    "nothing": b"",
    "no markup": b"just text",
    "only a link": b"<a href=/>home</a>",
    "unclosed": b"<div class='",
    "open comment": b"text <!-- and <p> more",
    "script": b"<script>if (a < b) </script",
    "ends": b"</p>" * 3000 + b"text" + b"</div>" * 3000,
    "deep": b"<div class=comment>" * 5000 + b"text" + b"<p>more" * 100,
    "quotes": b"<p class='a\"b id=\"x'>text<p id=>more<p class>end",
    "binary": bytes(range(256)) * 40,
    "one long word": b"<p>" + b"x" * 100_000,
    "many blocks": b"<p>a <a href=/>b</a>" * 20_000,
    "attributes": b"<p " + b"a=b " * 20_000 + b">text",
    "marks": "<p>\u0300\u0301 e\u0301 字\u3000\ufeff".encode() * 100,
}


@pytest.mark.parametrize("name", HARDLY_PAGES)
def test_labels_any_page(name):
    page = page_from(HARDLY_PAGES[name])
    labels = Winnow().label(page)
    assert len(labels.kept) == len(labels.label) == len(page.blocks)
    assert np.isfinite(features(page)).all()


def test_labels_plain_text_and_blocks_without_a_source():
    plain = build_page(
        b"One paragraph.\n\nAnother one.", url="http://a.sample/", content_type="text/plain"
    )
    assert len(Winnow().label(plain).kept) == 2
    assert len(Winnow().label(page_of(made_blocks([[20], [3], [40, 10]]))).kept) == 3
    assert not len(Winnow().label(page_of(made_blocks([]))).kept)


def test_links_only_are_no_main_text():
    page = page_from(f"<ul>{NAVIGATION}</ul>")
    assert not Winnow("precision").label(page).kept.any()


@pytest.mark.parametrize(
    "options", [{"preset": "most"}, {"preset": 2}, {"comments": "some"}, {"least": 1.1}]
)
def test_other_options_are_refused(options):
    with pytest.raises(ValueError, match="must be"):
        Winnow(**options)


def token_f1(page, labels, gold):
    words = Counter(evaluation_words(kept_text(page, labels)))
    wanted = Counter(evaluation_words(gold))
    return scores((words & wanted).total(), words.total(), wanted.total()).f1


def dev_f1(folder, step=1, gold="gold", **options):
    """Mean token F1 on the pages of a set, comments as *options* say."""
    cleaner, found = Winnow(**options), []
    for line in (folder / "manifest.jsonl").read_text("utf-8").splitlines()[::step]:
        row = json.loads(line)
        body = gzip.decompress((folder / "pages" / f"{row['id']}.html.gz").read_bytes())
        charset = "text/html; charset=utf-8" if row.get("charset_conflict") else None
        page = build_page(
            body, url=row.get("url") or "http://a.sample/", content_type=charset, rules=RULES
        )
        text = (folder / gold / f"{row['id']}.txt").read_text("utf-8")
        found.append(token_f1(page, cleaner.label(page), text))
    return float(np.mean(found))


def test_a_sample_of_pages_is_cleaned_well(shared):
    folder = shared / "data" / "extraction" / "dev" / "krdwrd-canola"
    assert dev_f1(folder, step=3) > 0.88
