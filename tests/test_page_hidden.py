"""What a page hides, as browsers do: attributes, styles, and what is opened by a script or its reader."""

from __future__ import annotations

import pytest

from crawler.page import PageRules, build_page

# A page that shows next to nothing is read as one that only its scripts make.
SHOWN = "<p>" + "of many words " * 30


def blocks_of(html, hidden="drop"):
    rules = PageRules("phrasing", hidden)
    return build_page(
        (html + SHOWN).encode(), url="http://a.sample/", content_type="text/html", rules=rules
    ).blocks


def texts(html):
    return list(blocks_of(html).text)[:-1]


@pytest.mark.parametrize(
    "style",
    [
        "display:none",
        "DISPLAY : None",
        "color: red; display:none;",
        "display:none !important",
        "display:none!important; display: block",
        "/* a; */ display/**/:/* b */none/* c",
        "display:block;display:none",
        "display:none;display:inline\\9",
        "font-family:&quot;A&quot;;display:none",
        "background:url(data:x;base64,y);display:none",
        "visibility:hidden",
        "visibility:visible;visibility:hidden",
        "display:block;visibility:hidden",
    ],
)
def test_styles_that_hide(style):
    assert texts(f'<p>A<p style="{style}">B') == ["A"]
    assert texts(f'<p>A<b style="{style}">B</b>') == ["A"]


@pytest.mark.parametrize(
    "style",
    [
        "",
        # Of cards that turn over, and of sliders.
        "backface-visibility:hidden",
        "transform:rotateY(0);-webkit-backface-visibility: hidden;",
        "--x-display:none",
        "display:none;display:block",
        "display:none;display:flex!important;display:none",
        "visibility:hidden;visibility:visible",
        "/* display:none */",
        "/* display:none",
        "display:none\\9",
        "display:none none",
        "display:nonesuch",
        "display:",
        "color:red display:none",
        "{display:none}",
        "overflow:hidden;opacity:0",
    ],
)
def test_styles_that_do_not(style):
    assert texts(f'<p>A<p style="{style}">B') == ["A", "B"]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p hidden style='display:block'>A<p style='display:flex' hidden>B", ["A", "B"]),
        ("<p hidden style='color:red'>A<p hidden style='display:none'>B", []),
        ("<p hidden style='visibility:visible'>A", []),
        # The first of equal attributes counts.
        ("<p style='color:red' style='display:none'>A", ["A"]),
        ("<dialog style='display:block'>A</dialog><dialog popover open>B</dialog>", ["A", "B"]),
        ("<dialog popover>A</dialog>", []),
    ],
)
def test_what_overrides_what_hides(html, expected):
    assert texts(html) == expected


UNSEEN, SEEN = "style=visibility:hidden", "style=visibility:visible"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"<div {UNSEEN}>A<div {SEEN}>B<p>C</p></div>D</div>E", ["B", "C", "E"]),
        (f"<div {UNSEEN}>A<div><p style=visibility:initial!important>B</div>C</div>", ["B"]),
        (f"<div {UNSEEN}>A<div {SEEN}>B<p {UNSEEN}>C</p></div></div>", ["B"]),
        (f"<div {UNSEEN}>A<p style=visibility:inherit>B<p style='color:red'>C</div>", []),
        (f"<p>A<b {UNSEEN}>B <b>C</b> <i {SEEN}>D <b {UNSEEN}>E</b></i> F</b> G", ["AD G"]),
        (f"<p {UNSEEN}>A <b {SEEN}>B <i>C</i></b> D<p>E", ["B C", "E"]),
        (f"<p {UNSEEN}>A <a {SEEN}>B <a>C", ["B"]),
        (f"<div {UNSEEN}><span {SEEN}><div>A</div>B</span>C</div>", ["A", "B"]),
        (f"<div><span {UNSEEN}>A<div {SEEN}>B</div>C</span>D</div>", ["B", "D"]),
        # Where there is no box, nothing is seen.
        (f"<div hidden>A<p {SEEN}>B</div><div style=display:none><b {SEEN}>C</b></div>", []),
        (f"<p><b hidden>A <i {SEEN}>B</i></b>C", ["C"]),
    ],
)
def test_what_is_seen_in_what_is_not(html, expected):
    assert texts(html) == expected


def test_blocks_that_are_kept_say_whether_they_are_seen():
    blocks = blocks_of(f"<div {UNSEEN}>A<p {SEEN}>B</p></div>C", "keep")
    assert list(blocks.text)[:3] == ["A", "B", "C"]
    assert blocks.hidden.tolist()[:3] == [True, False, False]
    assert not blocks_of(f"<p>A<b {UNSEEN}>B<p {UNSEEN}><b {SEEN}>C").hidden.any()


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>A</p><div popover>B<p>C</p></div><div POPOVER='manual'>D</div><p>E", ["A", "E"]),
        ("<p>A<span popover=auto>B <b>C</b></span>D", ["AD"]),
        ("<ul class=accordion popover=''><li>A</ul><p>B", ["B"]),
        ("<div popover style='display:block'>A</div>", ["A"]),
        ("<button popovertarget=x>A</button><p data-popover>B<p title=popover>C", ["A", "B", "C"]),
    ],
)
def test_what_waits_to_be_opened_is_dropped(html, expected):
    assert texts(html) == expected


def test_what_waits_to_be_opened_is_text_where_hidden_text_is_kept():
    blocks = blocks_of("<p>A<div popover>B</div>", "keep")
    assert list(blocks.text)[:-1] == ["A", "B"]
    assert not blocks.hidden.any()


def test_a_drawing_may_be_closed_by_its_own_tag():
    assert texts("<p>A<svg class=i /> B<p>C<svg><text>D</text></svg><p>E") == ["A B", "C", "E"]


@pytest.mark.parametrize(
    ("attributes", "is_shown"),
    [
        ("shadowrootmode=open", True),
        ("id=x ShadowRootMode='CLOSED'", True),
        ("shadowrootmode", False),
        ("shadowrootmode=none", False),
        ("shadowrootmode=none shadowrootmode=open", False),
        ("data-shadowrootmode=open", False),
        ("class=shadowrootmode", False),
    ],
)
def test_a_template_is_a_shadow_root_by_its_mode(attributes, is_shown):
    assert texts(f"<x-y><template {attributes}><p>A</p></template></x-y>") == ["A"] * is_shown
