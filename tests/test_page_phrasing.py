"""Sentences with elements that stand within a line of text: whole, where the rule says so."""

from __future__ import annotations

import pytest

from crawler.page import PageRules, build_page
from crawler.page.code_lines import code_texts
from crawler.page.tags import MUTED_IN_LINE, PHRASING, SKIPPED_IN_LINE, TRANSPARENT, VOID


def page_of(html, inline="phrasing", hidden="drop", content_type="text/html; charset=utf-8"):
    return build_page(
        html.encode(),
        url="http://a.sample/",
        content_type=content_type,
        rules=PageRules(inline, hidden),
    )


def texts(html, inline="phrasing", hidden="drop"):
    return list(page_of(html, inline, hidden).blocks.text)


def test_an_element_within_a_line_divides_no_sentence():
    for name in TRANSPARENT | PHRASING - VOID - {*MUTED_IN_LINE, *SKIPPED_IN_LINE, "svg"}:
        html = f"<p>He read <{name}>The Times</{name}>, and left.</p><p>She did, too.</p>"
        assert texts(html) == ["He read The Times, and left.", "She did, too."], name


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>super<wbr>cali<wbr />fragilistic</p>", ["supercalifragilistic"]),
        # The reading of a character, which no running text has; its end tags may be left out.
        ("<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字</ruby>を読む</p>", ["漢字を読む"]),
        (
            "<p><ruby>漢<rt>かん</ruby>字<ruby>読<rp>(<rt>よ<rp>)</ruby>む<p>本</p>",
            ["漢字読む", "本"],
        ),
        ("<p><ruby>東<rb>京<rtc><rt>とう<rt>きょう</rtc></ruby>へ", ["東京へ"]),
        ("<p>本<rt>ほん</p><p>を読む</p>", ["本ほん", "を読む"]),
        ("<p>Press <kbd>Ctrl</kbd>+<kbd>C</kbd> to stop.</p>", ["Press Ctrl+C to stop."]),
        (
            "<p>Let <math><mrow><mi>x</mi><mo>=</mo><mn>1</mn></mrow><annotation>x={1}</annotation></math> be given.",
            ["Let x=1 be given."],
        ),
        # As LaTeXML writes it.
        (
            "<p>Let <math><menclose><mi>x</mi></menclose><annotation-xml><apply><ci>x</ci></apply></annotation-xml></math> be given.",
            ["Let x be given."],
        ),
        ("<p>By <small>A. Miller</small><div><time>May 3</time></div>", ["By A. Miller", "May 3"]),
        ("<ins><p>One paragraph.</p><p>Another one.</p></ins>", ["One paragraph.", "Another one."]),
    ],
)
def test_lines_are_as_they_are_read(html, expected):
    assert texts(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("A<span style='display:block'>B</span>C", "A B C"),
        ("<b style='DISPLAY: list-item'>A</b><b style='display:table-cell!important'>B</b>", "A B"),
        ("<a href=x style='display:-webkit-box;display:flex'>A</a><a href=y>B</a>C", "A BC"),
        ("<i style='display:grid'>A<i>B</i>C</i>D", "ABC D"),
        ("<i style='display:block'>A<b style='display:block'>B</b></i>C", "A B C"),
        # Letters that move one by one, and words that do not.
        ("<i style='display:inline-block'>A</i><i style='display:inline-flex'>B</i>C", "ABC"),
        ("<i style='display:block;display:inline'>A</i><i style='display:contents'>B</i>", "AB"),
        ("<i style='display:none;'>A</i>B<i style='display:block' hidden>C</i>D", "B C D"),
        ("<i hidden><i style='display:block'>A</i></i>B<b style='xdisplay:block'>C</b>", "BC"),
    ],
)
def test_what_has_a_line_of_its_own_divides_words(html, expected):
    shown = "<p>" + "many words " * 30
    assert texts(f"<p>{html}{shown}")[0] == expected


def test_boxes_divide_words_where_hidden_text_is_kept_and_lines_are_as_they_are_shown():
    html = "<p>A<b style='display:block'>B</b>C<b style='display:block' hidden>D</b>E"
    assert texts(html, hidden="keep") == ["A B C D E"]
    assert texts(html, "transparent", "keep") == ["ABCDE"]


def test_an_anchor_has_the_words_that_its_boxes_divide():
    boxes = "<b style='display:block'>A</b><b style='display:block'>B</b>"
    assert page_of(f"<a href=x>{boxes}</a>").links.anchor[0] == "A B"


def test_what_an_element_within_a_line_hides_is_no_text():
    shown = "of many words " * 40
    html = f"<p>Seen <mark hidden>never</mark>often<wbr hidden>times {shown}</p>"
    assert texts(html) == [f"Seen oftentimes {shown.strip()}"]


def test_what_has_a_prefix_divides_no_sentence():
    place = '<st1:place w:st="on"><ST1:City>Paris</ST1:City></st1:place>'
    html = f"<p>We flew to {place} and <o:p style='display:none'>not <st1:x>on</st1:x> </o:p>home.</p><p>Long{' and long' * 30}"
    assert texts(html)[:-1] == ["We flew to Paris and home."]
    assert texts(html, "gap", "keep")[:-1] == ["We flew to", "Paris", "and", "not", "on", "home."]


def test_what_a_dialogue_that_is_closed_has_is_dropped():
    html = (
        "<p>Seen</p><dialog class=accordion>Sign <p>up</dialog>"
        '<dialog data-x="a open" id=open>Never</dialog><dialog id=a OPEN>Today</dialog><dialog open style="display: none">Not</dialog><p>often'
    )
    shown = " of many words" * 40
    assert texts(html + shown) == ["Seen", "Today", f"often{shown}"]
    kept = page_of(html + shown, hidden="keep").blocks
    assert [text for text, hides in zip(kept.text, kept.hidden, strict=True) if hides] == ["Not"]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<xmp>Write <b>so</b> &amp; so</xmp>", [("Write <b>so</b> &amp; so", "code")]),
        ("<p>A<XMP\nid=x><p>B</XMP >C", [("A", "paragraph"), ("<p>B", "code"), ("C", "paragraph")]),
        ("<xmp>A<xmp></xmpx></xmp>B", [("A<xmp></xmpx>", "code"), ("B", "paragraph")]),
        # One that never ends is an element like others.
        ("<xmp>A <b>B</b>", [("A B", "code")]),
        (
            "<script>'<xmp>'</script>A<!-- <xmp> -->B<xmp>C</xmp>",
            [("AB", "paragraph"), ("C", "code")],
        ),
        (
            "<p>A<xmp hidden>B</xmp>" + "C " * 100,
            [("A", "paragraph"), ("C " * 99 + "C", "paragraph")],
        ),
    ],
)
def test_literal_text_is_shown_as_it_is_written(html, expected):
    blocks = page_of(html).blocks
    assert list(zip(blocks.text, blocks.kind, strict=True)) == expected


def test_literal_text_that_never_ends_is_looked_for_once():
    source = "<p>A</p><xmp>B</xmp>" + "<xmp>" * 300_000
    assert texts(source) == ["A", "B"]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>one <![CDATA[two]]> three</p>", ["one two three"]),
        (
            "<pre><![CDATA[if (a < b && <i>c</i> > d[e[0]]) &lt;]]></pre>",
            ["if (a < b && <i>c</i> > d[e[0]]) &lt;"],
        ),
        ("<p>one<![CDATA[]]>two<![CDATA[three]]></p>", ["onetwothree"]),
        # Within these no section is read, and none that never ends.
        ("<script>//<![CDATA[\n'<p>'//]]></script><style><![CDATA[]]></style><p>one", ["one"]),
        ("<!-- <![CDATA[ --><p>one</p><!-- ]]> -->", ["one"]),
        ("<p>one<![CDATA[two]]></p><p>three<![CDATA[four", ["onetwo", "three"]),
        ("<p>one<![cdata[two]]></p>", ["one"]),
        # Elements that their own tag ends have nothing within.
        ("<title/><script src='a'/><p><![CDATA[one]]></p>", ["one"]),
    ],
)
def test_cdata_sections_are_text_of_pages_sent_as_xml(html, expected):
    assert list(page_of(html, content_type="application/xhtml+xml").blocks.text) == expected


def test_cdata_sections_are_comments_of_other_pages():
    assert texts("<p>one<![CDATA[two]]> three<![CDATA[ a > b ]]></p>") == ["one three b ]]>"]


def test_cdata_sections_that_never_end_are_looked_for_once():
    for more in ("<![CDATA[", "<script", "<script/>", "<title>", "<!--"):
        source = "<p>A<![CDATA[B]]></p>" + more * 300_000
        assert list(page_of(source, content_type="application/xhtml+xml").blocks.text) == ["AB"]


def test_other_rules_divide_them():
    html = "<p>He <b>read</b> <cite>The Times</cite></p>"
    assert texts(html, "transparent") == ["He read", "The Times"]
    assert texts(html, "gap") == ["He", "read", "The Times"]
    assert texts("<p><ruby>漢<rt>かん</rt>字</ruby>", "transparent") == ["漢", "かん", "字"]


def test_a_formula_whose_source_does_not_end_is_text():
    html = "<p>Let <math><mi>x</mi><annotation>x</math> be</p><p>and so on</p>"
    assert texts(html) == ["Let xx be", "and so on"]


HINTS = "Über\u00adset\u00adzun\u00adgen &shy;und\ufeff Do\u2060nau"


def test_what_says_how_lines_break_is_no_text():
    html = (
        f"<title>{HINTS}</title><p>{HINTS} <a href=/x>{HINTS}</a></p><pre>{HINTS}\n {HINTS}</pre>"
    )
    page = page_of(html)
    whole = "Übersetzungen und Donau"
    assert list(page.blocks.text) == [f"{whole} {whole}", f"{whole} {whole}"]
    assert page.links.anchor == [whole]
    assert page.title == whole
    assert code_texts(page) == {1: f"{whole}\n {whole}"}
    assert (
        page_of(HINTS.replace("&shy;", ""), content_type="text/plain; charset=utf-8").blocks.text[0]
        == whole
    )


def test_the_zero_width_space_divides_words():
    assert texts("<p>ភាសា\u200bខ្មែរ</p>") == ["ភាសា\u200bខ្មែរ"]


def test_other_rules_leave_soft_hyphens_to_the_published_methods():
    assert texts("<p>Do\u00adnau</p>", "transparent") == ["Do\u00adnau"]


NEWS = "<p>The news stand in the shadow.</p>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            f"<x-news><template shadowrootmode=open>{NEWS}</template></x-news>",
            ["The news stand in the shadow."],
        ),
        (f"<x-news><TEMPLATE  ShadowRootMode='closed'>{NEWS}", ["The news stand in the shadow."]),
        (
            f"<x-news><template shadowrootmode=open><template><p>no</p></template>{NEWS}</template><p>yes</p></x-news>",
            ["The news stand in the shadow.", "yes"],
        ),
        (
            f"<template><x-news><template shadowrootmode=open>{NEWS}</template></x-news></template><p>yes</p>",
            ["yes"],
        ),
        (f"<template id=news>{NEWS}</template><p>yes</p>", ["yes"]),
    ],
)
def test_a_declarative_shadow_root_is_shown_and_a_template_is_not(html, expected):
    assert texts(html) == expected


def test_other_rules_read_no_shadow_root():
    assert texts(f"<template shadowrootmode=open>{NEWS}</template><p>yes</p>", "gap") == ["yes"]


# As MediaWiki writes it: for those who hear the page, and for those who see it.
