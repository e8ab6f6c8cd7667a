"""Sentences with elements that stand within a line of text: whole, where the rule says so."""

from __future__ import annotations

import pytest

from crawler.page import PageRules, build_page
from crawler.page.tags import PHRASING, TRANSPARENT, VOID


def texts(html, inline="phrasing", hidden="drop"):
    page = build_page(
        html.encode(),
        url="http://a.sample/",
        content_type="text/html; charset=utf-8",
        rules=PageRules(inline, hidden),
    )
    return list(page.blocks.text)


@pytest.mark.parametrize("name", sorted(TRANSPARENT | PHRASING - VOID - {"annotation"}))
def test_an_element_within_a_line_divides_no_sentence(name):
    html = f"<p>He read <{name}>The Times</{name}>, and left.</p><p>She did, too.</p>"
    assert texts(html) == ["He read The Times, and left.", "She did, too."]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>super<wbr>cali<wbr />fragilistic</p>", ["supercalifragilistic"]),
        ("<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字</ruby>を読む</p>", ["漢(かん)字を読む"]),
        ("<p>Press <kbd>Ctrl</kbd>+<kbd>C</kbd> to stop.</p>", ["Press Ctrl+C to stop."]),
        (
            "<p>Let <math><mrow><mi>x</mi><mo>=</mo><mn>1</mn></mrow><annotation>x={1}</annotation></math> be given.",
            ["Let x=1 be given."],
        ),
        ("<p>By <small>A. Miller</small><div><time>May 3</time></div>", ["By A. Miller", "May 3"]),
        ("<ins><p>One paragraph.</p><p>Another one.</p></ins>", ["One paragraph.", "Another one."]),
    ],
)
def test_lines_are_as_they_are_read(html, expected):
    assert texts(html) == expected


def test_what_an_element_within_a_line_hides_is_no_text():
    shown = "of many words " * 40
    html = f"<p>Seen <mark hidden>never</mark>often<wbr hidden>times {shown}</p>"
    assert texts(html) == [f"Seen oftentimes {shown.strip()}"]


def test_other_rules_divide_them():
    html = "<p>He <b>read</b> <cite>The Times</cite></p>"
    assert texts(html, "transparent") == ["He read", "The Times"]
    assert texts(html, "gap") == ["He", "read", "The Times"]


def test_a_formula_whose_source_does_not_end_is_text():
    html = "<p>Let <math><mi>x</mi><annotation>x</math> be</p><p>and so on</p>"
    assert texts(html) == ["Let xx be", "and so on"]
