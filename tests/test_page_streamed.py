"""What React sends behind a page: read in its place."""

from __future__ import annotations

import pytest

from crawler.page import PageRules, build_page
from crawler.page.streamed import in_place

LATER = '<template id="{}"></template>'


def page_of(html, hidden="drop", inline="phrasing"):
    rules = PageRules(inline, hidden)
    return build_page(html.encode(), url="http://a.sample/", content_type="text/html", rules=rules)


def texts(html, hidden="drop", inline="phrasing"):
    return list(page_of(html, hidden, inline).blocks.text)


@pytest.mark.parametrize("hidden", ["keep", "drop"])
def test_a_part_replaces_its_stopgap(hidden):
    html = (
        f"<main><h1>Title</h1><!--$?-->{LATER.format('B:0')}<p>Loading<!--$-->,<!--/$--> wait</p><!--/$--></main>"
        '<footer>Imprint</footer><script>a=1</script><div hidden id="S:0"><div><p>The text</div> goes on</div>'
        '<script>$RC("B:0","S:0")</script><p>end</p>'
    )
    page = page_of(html, hidden)
    assert list(page.blocks.text) == ["Title", "The text", "goes on", "Imprint", "end"]
    assert page.blocks.path[1] == "body/main/div/p"
    assert not page.blocks.hidden.any()


def test_parts_stand_in_parts():
    html = (
        f"<p>one{LATER.format('B:a')}</p><div hidden id='S:b'>three</div>"
        f"<div hidden id=S:a>two <i>{LATER.format('P:b')}</i> four</div><p>five</p>"
    )
    assert texts(html) == ["onetwo three four", "five"]


def rows_of(html):
    blocks = page_of(html).blocks
    return [
        f"{path.removeprefix('body/')}: {text}"
        for path, text in zip(blocks.path, blocks.text, strict=True)
    ]


TABLE = "<table><thead><tr><th>A</th></tr></thead>{}</table><p>end</p>"


@pytest.mark.parametrize(
    ("place", "part", "expected"),
    [
        (
            "{}",
            '<table hidden id="S:0"><tbody><tr><td>B</td></tr></tbody></table>',
            ["table/tbody/tr/td: B", "p: end"],
        ),
        (
            "<tbody>{}<tr><td>C</td></tr></tbody>",
            '<table hidden><tbody id="S:0"><tr><td><table><tbody><tr><td>B</td></tr></tbody></table></td></tr></tbody></table>',
            ["table/tbody/tr/td/table/tbody/tr/td: B", "table/tbody/tr/td: C", "p: end"],
        ),
        (
            "<tbody><tr>{}<td>C</td></tr></tbody>",
            "<table hidden=''><tr id='S:0'><td>B</td></tr></table>",
            ["table/tbody/tr/td: B", "table/tbody/tr/td: C", "p: end"],
        ),
        # One that is no part.
        (
            "<tbody><tr>{}<td>C</td></tr></tbody>",
            "<table hidden><tr><td>B</td></tr></table>",
            ["table/tbody/tr/td: C", "p: end"],
        ),
        (
            "<tbody><tr>{}<td>C</td></tr></tbody>",
            "<table><tr id='S:0'><td>B</td></tr></table>",
            ["table/tbody/tr/td: C", "p: end", "table/tr/td: B"],
        ),
    ],
)
def test_parts_of_tables_come_in_tables(place, part, expected):
    html = (
        TABLE.format(place.format(LATER.format("B:0")))
        + part
        + "<p>of many words"
        + " and more" * 30
    )
    assert rows_of(html)[:-1] == ["table/thead/tr/th: A", *expected]


def test_a_part_of_a_table_without_a_place_is_shown_where_it_stands():
    html = "<p>one</p><table hidden><tbody id='S:0'><tr><td>two</td></tr></tbody></table>"
    assert rows_of(html) == ["p: one", "table/tr/td: two"]


def test_a_part_without_a_place_is_shown_where_it_stands():
    assert texts("<p>one</p><div hidden id='S:0'>two</div>") == ["one", "two"]


def test_the_last_part_of_a_page_that_was_cut_has_its_place():
    assert texts(f"<p>one{LATER.format('B:0')}</p><p>three<div hidden id='S:0'> two<div>") == [
        "one two",
        "three",
    ]


@pytest.mark.parametrize(
    "html",
    [
        "<p>one</p><div id='S:0' style='display:none'>two</div>",
        "<p>one</p><div hidden id='S:x'>two</div>",
        "<p>one</p><div hidden id='S'>two</div>",
        "<p>one</p><div hidden data-id='S:0'>two</div>",
        f"<p>one</p><script>'<div hidden id=S:0>two</div>{LATER.format('B:0')}'</script>",
    ],
)
def test_what_is_no_part_stays_hidden(html):
    assert texts(html + "<p>of many words" + " and more" * 20)[0] == "one"
    assert "two" not in " ".join(texts(html + "<p>of many words" + " and more" * 20))


def test_parts_that_are_parts_of_each_other_end():
    html = (
        f"{LATER.format('B:0')}<div hidden id=S:0>one {LATER.format('P:1')}</div>"
        f"<div hidden id=S:1>two {LATER.format('P:0')} {LATER.format('B:1')}</div>"
    )
    assert texts(html) == ["one two"]
    circle = f"<div hidden id=S:0>{LATER.format('P:1')}</div><div hidden id=S:1>{LATER.format('P:0')}</div>x"
    assert texts(circle) == ["x"]


def test_other_rules_read_pages_as_they_are_sent():
    html = f"<main>one{LATER.format('B:0')}</main><div hidden id=S:0>two</div>"
    assert texts(html, "keep", "gap") == ["one", "two"]
    assert page_of(html, "keep", "gap").blocks.hidden.tolist() == [False, True]


@pytest.mark.slow
@pytest.mark.parametrize(
    "part",
    [
        "<!--",
        "<!--$?-->",
        "<script>",
        "<div hidden id=S:1>",
        "<table hidden><tr id=S:1>",
        "</tr></table>",
        '<template id="B:1">',
        '<template id="B:{n}"></template>',
        "<div hidden id=S:{n}></div>",
        "<div ",
        "</div",
    ],
)
def test_pages_made_to_hurt_take_linear_time(part):
    html = "".join(part.replace("{n}", f"{n:x}") for n in range(100_000))
    whole = "<p>text<template id='B:f0'></template><div hidden id='S:f0'>more</div>" + html
    assert in_place(whole.encode()).startswith(b"<p>text")
