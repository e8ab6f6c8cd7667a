"""Markdown: golden pages, and every page read back by a CommonMark reader where one is installed."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from lxml import html

from crawler.page import PageRules, build_page
from crawler.page.words import evaluation_words
from pipelines.boilerplate.labels import labels_of
from pipelines.boilerplate.renderers import extract, markdown
from pipelines.boilerplate.renderers.frames import MAX_DEPTH
from tests.hostile_pages import HOSTILE
from tests.page_fuzzing import soup


def built(source, inline="gap", content_type="text/html;charset=utf-8"):
    rules = PageRules(inline=inline, hidden="keep")
    data = source if isinstance(source, bytes) else source.encode()
    return build_page(data, url="http://a.sample/b/", content_type=content_type, rules=rules)


def written(source, dropped=(), *, links=False, inline="gap", **options):
    """The Markdown of *source* without the blocks that hold one of the texts *dropped*."""
    page = built(source, inline, **options)
    kept = [not any(word in text for word in dropped) for text in page.blocks.text]
    return markdown(page, labels_of(np.array(kept, dtype=np.bool_)), with_links=links)


GOLDEN = {
    "headings": ("<h1>One</h1>text<h3>Three #</h3>", "# One\n\ntext\n\n### Three \\#"),
    "tasks": (
        "<ul><li><input type=checkbox checked> Buy milk<li><p><label><input disabled TYPE='checkbox'>Sell<br>it</label></p><p>now<ul><li>all<li>none <input type=checkbox>of it<li><input type=checkbox hidden>b<li><input>c</ul><li><input type=checkbox><li>[ ] d</ul><input type=checkbox>e<ol><li><input type=checkbox><h3>F</h3></ol>",
        "- [x] Buy milk\n\n- [ ] Sell  \n  it\n\n  now\n\n  - all\n\n  - none\n\n    of it\n\n  - b\n\n  - c\n\n- \\[ \\] d\n\ne\n\n1. ### F",
    ),
    "boxes in a heading": (
        "<h2><div>One</div> <div><p>two</p>three<br>four</div></h2>a<h3><p>Five</h3><h2>Six<div>b</div><h2>Seven</h2><p>c<h2><div>Eight</div>",
        "## One two three four\n\na\n\n### Five\n\n## Six\n\n## b\n\n## Seven\n\n## c\n\n## Eight",
    ),
    "signs that link to their own place": (
        "<h2>One<a class=x href='#a'>\u00b6</a></h2>a<a href='#n'>*</a> b <a href=#f>\u21a9\ufe0e</a><p>C<a href=/>#</a><h2>D<a href='#d'>\uf0c1</a></h2>",
        "## One\n\na\\* b\n\nC#\n\n## D",
    ),
    "emphasis": (
        "a <b>bold</b>, <i>slanted</i> and <b><em>both</em></b> <code>co`de</code>.",
        "a **bold**, *slanted* and ***both*** ``co`de``.",
    ),
    "emphasis that no reader would see": ("x<b>(y)</b>z", "x(y)z"),
    "emphasis without spaces": ("数据<b>科学</b>家", "数据**科学**家"),
    "blanks within emphasis": ("a<b> bold </b>b", "a **bold** b"),
    "signs": (
        "*a* _b_ snake_case [c](d) &lt;e> `f` \\ &amp;amp; g",
        "\\*a\\* \\_b\\_ snake_case \\[c\\](d) \\<e> \\`f\\` \\\\ \\&amp; g",
    ),
    "tildes": ("哈~好~的 ~5 x", "哈\\~好\\~的 ~5 x"),
    "line starts": (
        "<p># a<p>1. b<p>- c<p>> d<p>1999 e<p>+f<p>= g",
        "\\# a\n\n1\\. b\n\n\\- c\n\n\\> d\n\n1999 e\n\n\\+f\n\n\\= g",
    ),
    "line breaks": ("<p>a<br>b<br>- c</p>", "a  \nb  \n\\- c"),
    "lists": (
        "<ul><li>a<ul><li>b<li>c<ol><li>d</ol></ul><li>e</ul>",
        "- a\n  - b\n  - c\n    1. d\n- e",
    ),
    "numbered lists": ("<ol start=9><li>i<li>j<ul><li>k</ul></ol>", "9. i\n10. j\n    - k"),
    # No paragraph is ended by a number but 1.
    "numbers within items": ("<ol><li>a<ol start=2><li>b</ol></ol>", "1. a\n\n   2. b"),
    "items of paragraphs": ("<ul><li><p>a<p>b<li>c</ul>", "- a\n\n  b\n\n- c"),
    "a list in a list": ("<ul><li>a</li><ul><li>b</ul></ul>", "- a\n  - b"),
    "lists side by side": ("<ul><li>a</ul><ul><li>b</ul><ol><li>c</ol>", "- a\n\n* b\n\n1. c"),
    "items without a list": ("<li>a<li>b</li><p>c<p>d", "- a\n- b\n\nc\n\nd"),
    "definitions of lists": (
        "<dl><dt>a<dd><dl><dt>b<dd><ol><li>c</ol></dl><dt>d<dd>e<ul><li>f</ul></dl>",
        "- a\n  - b\n    1. c\n- d\n- e\n  - f",
    ),
    "definitions": ("<dl><dt>a<dd>b</dl>", "- a\n- b"),
    "a table": (
        "<table><caption>T</caption><tr><th>a<th>b<tr><td>c|d<td><b>e</b><br>f<tr><td>g</table>",
        "T\n\n| a | b |\n| --- | --- |\n| c\\|d | **e**<br>f |\n| g |",
    ),
    "cells over columns": (
        "<table><tr><td colspan=2>a<td>b<tr><td>c<td>d<td>e</table>",
        "| a |  | b |\n| --- | --- | --- |\n| c | d | e |",
    ),
    "cells over rows": (
        "<table><tr><th>a<th rowspan=2>b<th>c<tr><td>d<td>e<tr><td rowspan=3 colspan=2>f<td>g<tr><td>h</table>",
        "| a | b | c |\n| --- | --- | --- |\n| d |  | e |\n| f |  | g |\n|  |  | h |",
    ),
    "cells of several paragraphs": (
        "<table><tr><th>a<th>b<tr><td><p>c<p>d<td>e<tr><td>f<td>g<div>h<br>i</div>j</table>",
        "| a | b |\n| --- | --- |\n| c<br>d | e |\n| f | g<br>h<br>i<br>j |",
    ),
    "cells of lists": (
        "<table><tr><th>for<th>against<tr><td><ul><li>a<li>b|c</ul><td>d<ol><li>e<ul><li>f</ul><li>g</ol></table>",
        "| for | against |\n| --- | --- |\n| - a<br>- b\\|c | d<br>1. e<br>  - f<br>2. g |",
    ),
    "records with lists": (
        "<table><tr><td>a<td><ul><li>b</ul><tr><td>c<td>d<tr><td>e<td>f</table>",
        "| a | - b |\n| --- | --- |\n| c | d |\n| e | f |",
    ),
    "cells with a heading and code": (
        "<table><tr><th>a<th>b<tr><td><h4>c</h4>d<td><pre>e | f\n  g</pre></table>",
        "| a | b |\n| --- | --- |\n| **c**<br>d | `e \\| f`<br>`g` |",
    ),
    "lines of code in a cell": (
        "<table><tr><td>a<td><code>b<br>c</code><tr><td>d<td>e</table>",
        "| a | `b`<br>`c` |\n| --- | --- |\n| d | e |",
    ),
    "layout of lists": (
        "<table><tr><td>a<td>b<tr><td><ul><li>c</ul><td>d</table>",
        "a\n\nb\n\n- c\n\nd",
    ),
    "layout of one column": (
        "<table><tr><th>a<tr><td><ul><li>b</ul><tr><td>c</table>",
        "a\n\n- b\n\nc",
    ),
    "layout of quotes": (
        "<table><tr><th>a<th>b<tr><td>c<td><blockquote>d</blockquote>e</table>",
        "a\n\nb\n\nc\n\n> d\n\ne",
    ),
    "layout of long lists": (
        "<table><tr><th>a<th>b<tr><td>c<td><ul>" + "<li>d" * 21 + "</ul></table>",
        "a\n\nb\n\nc\n\n" + "\n".join(["- d"] * 21),
    ),
    "layout of headings": (
        "<table><tr><td>a<td>b<tr><td><h2>c</h2>d<td>e<tr><td>f<td>g</table>",
        "a\n\nb\n\n## c\n\nd\n\ne\n\nf\n\ng",
    ),
    "layout of rows": (
        "<table><tr><td>a<td>b<tr><td><p>c<p>d<td>e<tr><td>f<td>g<tr><td>h<tr><td>i<tr><td>j<tr><td>k</table>",
        "\n\n".join("abcdefghijk"),
    ),
    "layout of columns": (
        "<table><tr><td>a<td>b<tr><td><p>c<p>d<p>e<p>f<p>g<td>h<tr><td>i<td>j</table>",
        "\n\n".join("abcdefghij"),
    ),
    "layout": (
        "<table><tr><td>nav<td><p>a<p>b<tr><td>foot<td>c</table>",
        "nav\n\na\n\nb\n\nfoot\n\nc",
    ),
    "quotes": ("<blockquote>a<p>b<ul><li>c</ul></blockquote>d", "> a\n>\n> b\n>\n> - c\n\nd"),
    "code": (
        "<pre><code class='x language-Python'>\ndef f(x):\n\treturn <i>x</i>  ( <b>x</b> )\n\n</code></pre>",
        "```python\ndef f(x):\n\treturn x  ( x )\n```",
    ),
    "language by a brush": ("<pre class='brush: js notranslate'>a</pre>", "```js\na\n```"),
    "language by Sphinx": (
        "<div class='highlight-c notranslate'><div><pre>a</pre></div></div><pre>b", "```c\na\n```\n\n```\nb\n```",
    ),
    "language by Rouge": ("<div class='language-c highlighter-rouge'><pre><code>a", "```c\na\n```"),
    "language by GitHub": ("<div class='highlight highlight-source-c'><pre>a", "```c\na\n```"),
    "no language": ("<div class='highlight-default notranslate'><pre>a", "```\na\n```"),
    "no language, either": ("<div class=highlight-box><pre>a", "```\na\n```"),
    "language before a text": ("<div class=language-switch>a</div><pre>b", "a\n\n```\nb\n```"),
    "code with fences": ("<pre>a\n```\nb</pre>", "````\na\n```\nb\n````"),
    "lines of code": ("<pre><div>a  b</div><div> c</div></pre>d<br>e", "```\na  b\n c\n```\n\nd  \ne"),
    "code that its box ends": ("<div><pre>a  b</div><p>c  d", "```\na  b\n```\n\nc d"),
    "boxes in a row": ("<p><span>Ann</span><span>5 May</span>", "Ann 5 May"),
    "signs beside kept text": ("<p>“<a href=x>a</a>” (<b>b</b>).", "“a” (**b**)."),
}  # fmt: skip


@pytest.mark.parametrize("name", GOLDEN)
def test_golden(name):
    source, expected = GOLDEN[name]
    assert written(source) == expected


def test_signs_beside_other_text_go_with_it():
    source = "<p><b>kept</b> | <i>other</i> - <b>kept too</b> / <i>other</i> ."
    assert written(source, ["other"]) == "**kept kept too**"


def test_empty_parents_leave_nothing():
    source = "<ul><li>x<li>kept<li>x</ul><blockquote>x</blockquote><table><tr><td>x<td>x</table>"
    assert written(source, ["x"]) == "- kept"


def test_plain_text():
    assert written("# a\nb\n\n* c", content_type="text/plain") == "\\# a b\n\n\\* c"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<div><ul><li>a</div><h2>b</h2>c", "- a\n\n## b\n\nc"),
        ("<section><ul><li>a<ul><li>b</section>c", "- a\n  - b\n\nc"),
        ("<div><blockquote>a</div>b", "> a\n\nb"),
        # What began within an item ends with it, and a cell ends nothing around its table.
        ("<ul><li><div>a</li><li>b</div><li>c</ul>d", "- a\n- b\n- c\n\nd"),
        ("<ul><li><div>a</div>b<li>c</ul>", "- a\n\n  b\n\n- c"),
        (
            "<div><table><tr><td>a</div><td>b<tr><td>c<td>d</table>e",
            "| a | b |\n| --- | --- |\n| c | d |\n\ne",
        ),
    ],
)
def test_the_end_of_a_box_ends_the_lists_in_it(source, expected):
    assert written(source).strip() == expected


def test_many_boxes_end():
    assert written("<div>" * 4000 + "<ul><li>a" + "</section></div>" * 4000 + "b").endswith("b")


def test_depth_is_bounded():
    lines = written("<ul><li>x " * 300 + "end").split("\n")
    assert max(len(line) - len(line.lstrip()) for line in lines) <= 4 * MAX_DEPTH
    assert "end" in lines[-1]
    quotes = written("<blockquote>" * 300 + "end")
    assert quotes.count(">") == MAX_DEPTH


@pytest.mark.parametrize("inline", ["gap", "transparent", "phrasing"])
def test_hostile_pages(inline):
    for hostile in HOSTILE.values():
        page = built(hostile.make(40), inline, hostile.content_type)
        assert markdown(
            page, labels_of(np.ones(len(page.blocks), np.bool_)), with_links=True
        ) or not len(page.blocks)


@pytest.mark.parametrize("size", [2000])
@pytest.mark.parametrize(
    "start",
    ["<b>x ", "<i><b>", "<td>", "<tr><td>", "<blockquote>", "<ol><li>", "</ul>", "<br>", "<pre>"],
)
def test_many_of_anything_end(start, size):
    assert written(start * size + "end").rstrip("`*\n").endswith("end")


@hypothesis_settings(max_examples=60)
@given(soup(), st.integers(0, 2**32), st.sampled_from(["gap", "transparent", "phrasing"]))
def test_words_are_those_of_the_kept_blocks(source, seed, inline):
    page = built(source, inline)
    kept = np.random.default_rng(seed).random(len(page.blocks)) < 0.7
    labels = labels_of(kept)
    found = _letters(_read(markdown(page, labels, with_links=True)))
    expected = _letters(extract(page, labels))
    assert sorted(found) == sorted(expected)
    # What stands in a table, but in no cell, is shown before it.
    assert found == expected or re.search("<(?:table|caption|t[rdh])", source, re.IGNORECASE)


def _letters(text):
    """The words of *text* without the spaces between them, which markup may add or leave out."""
    return "".join(evaluation_words(text))


def _read(text):
    # In a cell the marks and numbers of a list are text.
    text = re.sub(r"(?<=\| |r>)(?: *(?:-|[0-9]+\.)(?= ))+", "", text)
    reader = pytest.importorskip("markdown_it").MarkdownIt("commonmark").enable("table")
    rendered = reader.render(text)
    # Blocks and line breaks divide words.
    rendered = re.sub(r"(</(?:p|li|h\d|td|th|pre|blockquote)>|<br)", r" \1", rendered)
    return html.fromstring(f"<div>{rendered}</div>").text_content() if rendered else ""
