"""Images and drawings: they stand within a line of text, where the rule says so, and divide its words."""

from __future__ import annotations

import pytest

from tests.test_page_phrasing import page_of, texts

ICON = '<svg class="icon"><title>opens in a new tab</title><g><path d="M0 0"/><use href="#x"></use></g></svg>'


@pytest.mark.parametrize("drawing", [ICON, "<svg/>", '<img src="i.png" alt="smile">'])
@pytest.mark.parametrize(
    ("html", "expected"),
    [
        # What ends a sentence, and no word, was dropped with the block of its own that it was.
        ("<p>See <a href=/d>the docs#</a>. Then go on.</p>", "See the docs. Then go on."),
        ("<p>It is here (#see below).</p>", "It is here (see below)."),
        ("<p>It works #, mostly.</p>", "It works , mostly."),
        ("<p>One#two</p>", "One two"),
        ("<p>One#&eacute;t&eacute;</p>", "One \u00e9t\u00e9"),
        ("<p>One#&shy;two</p>", "Onetwo"),
        (
            "<p>\u6570\u636e<a href=/s>\u79d1\u5b66#</a>\uff0c\u662f</p>",
            "\u6570\u636e\u79d1\u5b66\uff0c\u662f",
        ),
        ("<p>#One #</p>", "One"),
        ("<p>Long <b>#</b><i>lines#</i>#of words</p>", "Long lines of words"),
    ],
)
def test_a_drawing_divides_no_sentence(html, expected, drawing):
    assert texts(html.replace("#", drawing)) == [expected]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<a href=1>One#</a><a href=2>Two#</a><a href=3>Three</a>", ["One", "Two", "Three"]),
        ("<a href=1>#One</a> <a href=2>#Two</a>", ["One", "Two"]),
        ("<a href=1>#One</a>, <a href=2>#Two</a>", ["One, Two"]),
        ("<a href=1>One</a>#<a href=2>Two</a>", ["One", "Two"]),
        ("<a href=1>One#two</a>#three", ["One two three"]),
    ],
)
def test_links_with_a_drawing_between_are_a_menu(html, expected):
    for drawing in (ICON, "<img src=i>"):
        assert texts(html.replace("#", drawing)) == expected


def test_it_is_a_gap_by_the_other_rules():
    html = f"<p>One {ICON} two <img src=i> three</p>"
    for inline in ("gap", "transparent"):
        assert texts(html, inline) == ["One", "two", "three"]


def test_words_of_an_anchor_are_divided_as_those_of_the_text():
    page = page_of(f"<p><a href=/x>One{ICON}two<img src=i>!</a>")
    assert list(page.blocks.text) == ["One two!"]
    assert list(page.links.anchor) == ["One two!"]


def test_links_in_a_drawing_are_links():
    page = page_of("<p>A<svg><a href=/x><text>B</text></a></svg> C")
    assert list(page.blocks.text) == ["A C"]
    assert list(page.links.url) == ["http://a.sample/x"]


@pytest.mark.parametrize(
    "html",
    [
        # Labels of a diagram; and a drawing that is not closed, up to the end of the next one.
        "<p>A<svg><foreignObject><div>label</div></foreignObject></svg>B",
        "<p>A<svg><path d=M0></p><div>lost</div><svg></svg>B",
    ],
)
def test_boxes_in_a_drawing_are_gaps(html):
    assert texts(html) == ["A", "B"]


def test_a_drawing_that_never_ends_divides():
    assert texts("<p>A<svg><g>B</g>C<p>D") == ["A", "B", "C", "D"]


def test_pictures_with_sources_stand_in_a_line():
    html = "<p>So<picture><source srcset=i.webp><img src=i.png></picture>it goes.</p>"
    assert texts(html) == ["So it goes."]
