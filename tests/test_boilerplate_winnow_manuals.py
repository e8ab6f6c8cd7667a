"""More is kept of manuals, and code with the text before it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.boilerplate.winnow import Winnow
from pipelines.boilerplate.winnow.features.matrix import FEATURE_NAMES, features
from pipelines.boilerplate.winnow.manuals import (
    CODE_BLOCKS,
    DOUBT,
    GAP_BLOCKS,
    GAP_WORDS,
    gaps,
    is_manual,
    rest_of_tables,
    with_code,
)
from tests.test_boilerplate_winnow import page_from
from tests.test_boilerplate_winnow_reasons import asking, place_of

PRE = FEATURE_NAMES.index("within pre")
SENTENCES = (
    "The wind takes the chaff from the grain, and the grain falls back to the floor of the barn. "
)
LISTING = "<pre>for grain in harvest:\n    winnow(grain)</pre>"
NAMED_ARTICLE = '<script type="application/ld+json">{"@type": "NewsArticle"}</script>'


def with_code_slowly(probability, is_code):
    found = list(probability)
    for i, code in enumerate(is_code):
        texts = [k for k in range(i) if not is_code[k]]
        if code and texts and probability[i] > 0:
            found[i] = max(probability[i], probability[texts[-1]])
    return found


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0]), st.booleans())))
def test_code_is_as_likely_as_the_text_before_it(blocks):
    probability = np.array([p for p, _ in blocks])
    x = np.zeros((len(FEATURE_NAMES), len(blocks)), np.float32)
    x[PRE] = [code for _, code in blocks]
    before = probability.copy()
    found = with_code(probability, x)
    assert found.tolist() == with_code_slowly(before, [code for _, code in blocks])
    assert np.array_equal(probability, before)


def gaps_slowly(kept, n_words):
    found = [False] * len(kept)
    for start in range(len(kept)):
        for end in range(start + 2, len(kept)):
            within = range(start + 1, end)
            is_gap = kept[start] and kept[end] and not any(kept[k] for k in within)
            if (
                is_gap
                and len(within) <= GAP_BLOCKS
                and sum(n_words[k] for k in within) <= GAP_WORDS
            ):
                for k in within:
                    found[k] = True
    return found


@given(st.lists(st.tuples(st.booleans(), st.sampled_from([1, 9, 10, 11, 30, 31])), max_size=20))
def test_short_gaps_are_found(blocks):
    kept = np.array([k for k, _ in blocks], np.bool_)
    n_words = np.array([n for _, n in blocks], np.float64)
    assert gaps(kept, n_words).tolist() == gaps_slowly(kept, n_words)


def rest_of_tables_slowly(kept, is_cell, n_words):
    found = [False] * len(kept)
    for start in range(len(kept)):
        for end in range(start + 1, len(kept) + 1):
            begins, ends = (
                start == 0 or not is_cell[start - 1],
                end == len(kept) or not is_cell[end],
            )
            if all(is_cell[start:end]) and begins and ends:
                words = sum(n_words[k] for k in range(start, end) if kept[k])
                for k in range(start, end):
                    found[k] = not kept[k] and words > 0 and words >= sum(n_words[start:end]) / 2
    return found


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(1, 4)), max_size=12))
def test_rests_of_tables_are_found(blocks):
    kept, is_cell = (np.array([block[k] for block in blocks], np.bool_) for k in (0, 1))
    n_words = np.array([block[2] for block in blocks], np.float64)
    found = rest_of_tables(kept, is_cell, n_words)
    assert found.tolist() == rest_of_tables_slowly(kept, is_cell, n_words)


@pytest.mark.parametrize(
    ("head", "n_listings", "expected"),
    [
        ("", CODE_BLOCKS, True),
        ("", CODE_BLOCKS - 1, False),
        (NAMED_ARTICLE, CODE_BLOCKS, False),
        ('<meta name="generator" content="DocBook XSL Stylesheets V1.79.1">', 0, True),
        ("<META content='Doxygen 1.9.4' name=Generator />", 0, True),
        (
            '<meta name="generator" content="WordPress 6"><meta name=generator content=mkdocs-1.4>',
            0,
            True,
        ),
        ('<meta name="generator" content="WordPress 6.1">', 0, False),
        ('<meta name="description" content="A generator of sphinx documentation">', 0, False),
        ("<title>doxygen, a generator</title><script>generator = 'sphinx'</script>", 0, False),
        (f'{NAMED_ARTICLE}<meta name="generator" content="Docusaurus v2.4">', 0, False),
        ('<meta name="generator" content="', 0, False),
    ],
)
def test_manuals_have_code_or_name_a_program_for_them(head, n_listings, expected):
    page = page_from(f"<head>{head}</head><body><p>{SENTENCES}</p>{LISTING * n_listings}</body>")
    if len(page.blocks):
        assert is_manual(features(page), page.source) == expected
    assert Winnow().decide(features(page), page).manual == (expected and len(page.blocks) > 0)


def manual(listing):
    entries = "".join(
        f"<h2>Sieve {n}</h2><p>{SENTENCES * 2}</p>{listing}<p>{SENTENCES}</p>" for n in range(4)
    )
    menu = "".join(f"<li><a href=/{n}>Part {n}</a></li>" for n in range(20))
    return page_from(f"<ul>{menu}</ul><div>{entries}</div><footer>(c) The barn</footer>")


def test_listings_of_a_manual_are_kept_with_its_text():
    page = manual(LISTING)
    labels = Winnow().label(page)
    kinds = page.blocks.kind
    assert kinds.count("code") == 4
    told = list(zip(kinds, labels.kept.tolist(), strict=True))
    assert all(kept for kind, kept in told[:-1] if kind in {"code", "paragraph"})
    assert not any(kept for kind, kept in told if kind == "item")
    assert not told[-1][1]


def test_code_in_a_comment_is_a_comment():
    comment = f"<li class=comment><p>{SENTENCES}</p>{LISTING}</li>"
    body = f"<article><h1>Grain</h1><p>{SENTENCES * 12}</p></article><ol id=comments>{comment * 3}</ol>"
    page = page_from(f"<head>{NAMED_ARTICLE}</head><body>{body}</body>")
    for comments, kept in (("cut", {False}), ("keep", {True})):
        labels = Winnow(comments=comments).label(page)
        codes = [k for k, kind in enumerate(page.blocks.kind) if kind == "code"]
        assert {labels.label[k] for k in codes} == {"comment"}
        assert {bool(labels.kept[k]) for k in codes} == kept


def test_the_page_says_that_its_chances_are_raised():
    reasons = Winnow().reasons(manual(LISTING))
    note = "Chances are raised, and short gaps and tables closed: the page is a manual, by its program or its code."
    assert note in reasons.page
    doubts_told = {
        (round(push.amount, 3), push.said)
        for reason in reasons.blocks
        for push in reason.pushes
        if push.about == "doubt"
    }
    assert doubts_told == {(-DOUBT, "the page is a manual")}


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(["code", "comment", "text", "short", "menu", "thread"]), max_size=40),
    st.sampled_from(["precision", "balanced", "recall"]),
)
def test_what_cuts_comments_keeps_no_more_than_what_keeps_them(pieces, preset):
    """Also on forums about code, where some comments are the main text."""
    markup = {
        "code": LISTING,
        "comment": f"<div class=comment><b>Ann, 12 May</b><p>{SENTENCES}</p>{LISTING}</div>",
        "text": f"<p>{SENTENCES * 3}</p>",
        "short": "<p>12 May</p>",
        "menu": "<ul><li><a href=/a>Home</a></ul>",
        "thread": "<a href=/threads/grain.12/>Grain</a>",
    }
    page = page_from("".join(markup[name] for name in pieces))
    cut, auto, keep = (Winnow(preset, how).label(page).kept for how in ("cut", "auto", "keep"))
    assert not (cut & ~auto).any()
    assert not (auto & ~keep).any()


@pytest.mark.parametrize(
    ("listings", "words", "said"),
    [
        (LISTING * 2, "Sieve", "kept: it stands in a short gap or a table of which half is kept"),
        (LISTING, "Sieve", ""),
        (LISTING * 2, SENTENCES * 3, "kept"),
    ],
)
def test_short_gaps_of_manuals_are_closed(tmp_path, listings, words, said):
    """Trees that ask for nine words drop the short ones."""
    page = page_from(f"<p>{SENTENCES}</p><p>{words}</p><p>{SENTENCES}</p>{listings}")
    method = asking(tmp_path, "words", 9, -4.0, 4.0)
    assert bool(method.label(page).kept[1]) == said.startswith("kept")
    if words == "Sieve":
        assert method.reasons(page).blocks[place_of(page, words)].said == said
