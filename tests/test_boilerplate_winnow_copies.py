"""What winnow leaves out by rule: copies of paragraphs, comments beside a short main text, next to nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.boilerplate.winnow import Winnow
from pipelines.boilerplate.winnow.choice import best_blocks, beta_of
from pipelines.boilerplate.winnow.comments import may_be_comments
from pipelines.boilerplate.winnow.copies import PARAGRAPH_WORDS, copies
from pipelines.boilerplate.winnow.features.matrix import features
from tests.test_boilerplate_winnow import NAVIGATION, SENTENCES, kept_text, page_from

PARAGRAPHS = "".join(
    f"<p>{SENTENCES} That was told for the {turn} time in this place.</p>"
    for turn in ("first", "second", "third", "fourth")
)
POST = "I asked the miller of the next village, and he has done it in this way for all of his life, he says. "
COMMENT = "Thank you for writing this down, my grandmother did it in the same way when I was a child, in the yard. "


def tree(elements):
    """Return the *elements* (a text, or a list of them in an element of their own) as HTML."""
    return "".join(
        f"<p>{each}</p>" if isinstance(each, str) else f"<div>{tree(each)}</div>"
        for each in elements
    )


def parents(elements, own=()):
    """Yield each text and the place of the element that it stands in."""
    for place, each in enumerate(elements):
        if isinstance(each, str):
            yield each, own
        else:
            yield from parents(each, (*own, place))


def slow_copies(elements, probability):
    """Tell of each text whether the likeliest of the same words, the first of those, stands in another element.

    That is the smallest one with other texts, too.
    """
    texts = list(parents(elements))
    around = []
    for _, own in texts:
        within = [
            {k for k, (_, its) in enumerate(texts) if its[:depth] == own[:depth]}
            for depth in range(len(own) + 1)
        ]
        around.append(min((its for its in within if len(its) > 1), key=len, default=within[0]))
    found = []
    for (text, _), its in zip(texts, around, strict=True):
        others = [k for k, (other, _) in enumerate(texts) if other == text]
        likeliest = max(others, key=lambda k: (probability[k], -k))
        found.append(len(text.split()) >= PARAGRAPH_WORDS and around[likeliest] != its)
    return found


WORDS = st.sampled_from(["a short one", *("some words " * n + "end" for n in (9, 10, 15, 20))])
ELEMENTS = st.recursive(
    st.lists(WORDS, min_size=1, max_size=4),
    lambda inner: st.lists(inner | WORDS, min_size=2, max_size=4),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None)
@given(ELEMENTS, st.randoms(use_true_random=False))
def test_copies_are_those_of_the_slow_version(elements, random):
    page = page_from(tree(elements))
    texts = [text for text, _ in parents(elements)]
    assert list(page.blocks.text) == texts
    probability = np.array([random.choice([0.2, 0.5, 0.9]) for _ in texts])
    found = copies(page, features(page), np.zeros(len(texts), np.bool_), probability)
    wanted = slow_copies(elements, probability)
    assert (found.tolist() if found is not None else [False] * len(texts)) == wanted


def test_an_article_is_kept_without_its_copy_for_print():
    page = page_from(
        f"<title>Grain</title><ul>{NAVIGATION}</ul><div class=print>{PARAGRAPHS}</div>"
        f"<div class=article><h1>Grain</h1>{PARAGRAPHS}</div><div id=footer>All rights reserved.</div>"
    )
    assert kept_text(page, Winnow().label(page)).count("told for the third time") == 1


def test_the_reason_of_a_copy_is_told_at_any_chance():
    page = page_from(
        f"<ul>{NAVIGATION}</ul><div class=article><h1>Grain</h1>{PARAGRAPHS}</div>"
        f"<div class='footer related'>{NAVIGATION}{PARAGRAPHS}</div>"
    )
    reasons, texts = Winnow().reasons(page).blocks, list(page.blocks.text)
    for text in set(texts):
        places = [k for k, other in enumerate(texts) if other == text]
        if "told for the" in text:
            said = [reasons[k].said for k in places]
            assert said.count("a copy, left out: a likelier block has this text") == 1


def test_a_refrain_is_kept_as_often_as_it_stands_there():
    refrain = f"<p>{SENTENCES}</p>"
    verses = "".join(f"<p>Verse {n}. {POST}</p>{refrain}" for n in range(4))
    page = page_from(f"<title>A song</title><div class=article><h1>A song</h1>{verses}</div>")
    assert kept_text(page, Winnow().label(page)).count("The wind takes the chaff") == 4


def short_page(main_text):
    comments = "".join(f"<li class=comment><p>{COMMENT * n}</p></li>" for n in (1, 2, 3, 2, 1))
    return page_from(
        f"<title>Grain</title><ul>{NAVIGATION}</ul><div class=post><h1>Grain</h1><p>{main_text}</p></div>"
        f"<div id=comments><ol class=commentlist>{comments}</ol></div>"
    )


@pytest.mark.parametrize(("main_text", "are_cut"), [(SENTENCES + POST, True), ("See here.", False)])
def test_comments_are_cut_beside_a_paragraph_of_main_text(main_text, are_cut):
    page = short_page(main_text)
    labels = Winnow(comments="cut").label(page)
    assert ("my grandmother" not in kept_text(page, labels)) == are_cut
    assert ("comment" in labels.label) == are_cut


@pytest.mark.parametrize("preset", ["precision", "balanced", "recall"])
def test_what_cut_keeps_of_a_short_page_auto_and_keep_keep_too(preset):
    page = short_page(SENTENCES + POST)
    cut, auto, keep = (
        Winnow(preset, comments).label(page).kept for comments in ("cut", "auto", "keep")
    )
    assert may_be_comments(features(page)).any()
    assert not (cut & ~auto).any()
    assert not (auto & ~keep).any()


def test_a_lower_preset_keeps_something_only_where_a_higher_one_does():
    # Of few sure words before many doubtful ones: weighed evenly, hardly any of the page is found.
    p, n = np.array([0.9] + [0.05] * 19), np.array([50.0] + [1000.0] * 19)
    kept = [
        best_blocks(p, n, beta=beta_of(preset), least=0.2).sum() for preset in (0.0, 0.2, 0.4, 0.5)
    ]
    assert kept == [0] * 4
