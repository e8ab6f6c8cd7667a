"""Markdown of text with signs: what a reader of CommonMark shows is what the page shows, sign by sign."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from lxml import html

from crawler.page import PageRules, build_page
from pipelines.boilerplate.labels import labels_of
from pipelines.boilerplate.renderers import markdown

GOLDEN = {
    # An exclamation mark before a link would make an image of it.
    "Read!<a href=/x>this</a> !<a href=/y>that</a>": (
        "Read\\![this](<http://a.sample/x>) \\![that](<http://a.sample/y>)"
    ),
    # Hosts that cannot be one.
    "<a href=http://>a</a> <a href=//>b</a> <a href='https://{{ x }}/'>c</a> <a href=http://[d>d</a>": "a b c d",
    "<a href='HTTPS://ü.sample:8080/'>a</a>": "[a](<HTTPS://ü.sample:8080/>)",
    # What the address itself has, a reader would take for a sign.
    "<a href='/x?a=1&amp;amp;b=2&amp;c#&amp;#42;'>a</a>": "[a](<http://a.sample/x?a=1\\&amp;b=2&c#\\&#42;>)",
    # Data for programs, of which nothing is shown.
    "<h2><b>News | <time>30.10.<meta content=x>2021 <link itemprop=a href=v></time></b>Title</h2>": "## **News | 30.10.2021** Title",
    # Slashes as browsers take them.
    r"<a href='https:\\b.sample\c\..\d?e\f#g\h'>a</a> <a href='https:b.sample'>b</a> <a href='https:///c.sample//d'>c</a>": (
        "[a](<https://b.sample/d?e%5Cf#g%5Ch>) [b](<https://b.sample>) [c](<https://c.sample//d>)"
    ),
    # Words of other attributes are none; a value without quotes may have some in it, and of two the first counts.
    """<a title="so href=v" href="/x">a</a> <a data-x='<a href="v">' href=/y>b</a> <a href=/u'v href=w>c</a>""": (
        "[a](<http://a.sample/x>) [b](<http://a.sample/y>) [c](<http://a.sample/u'v>)"
    ),
    """<a title="go href=#top" href=/z>d</a> <a title="href='#v'" href=/w>#</a> <a alt=" href='/v'">e</a>""": (
        "[d](<http://a.sample/z>) [#](<http://a.sample/w>) e"
    ),
    # Stars that are no marks.
    "<b>Price</b>* *<i>with</i>* <b>a\\</b><i>b</i> *<b>c</b><i>d</i>": (
        "**Price**\\* \\**with*\\* a\\\\*b* \\***c**d"
    ),
    # Marks that would be shown as they are.
    "shot<b>.</b> Then": "shot. Then",
    "हिन्दी<b>(x)</b> y": "हिन्दी(x) y",
    "<b>हिन्दी</b> y": "**हिन्दी** y",
    # Lines of code, in which nothing is escaped.
    "<code>ls<br># a<br>- b</code>": "`ls`  \n`# a`  \n`- b`",
    # Two spans side by side would be one.
    "<code>f(<i>x</i>y<b>)</b></code>": "`f(xy)`",
    "<code>git add</code> <kbd>C</kbd>\n<code>a</code>&nbsp;<code>b</code> <code><b>if</b> <i>x</i></code>": (
        "`git add` `C` `a` `b` `if x`"
    ),
    # Marks side by side are one word, boxes are not.
    "2<i>n</i><sup>2</sup>, <i>I</i><sub>n</sub>, <b>C</b><span>orn</span>": "2*n*<sup>2</sup>, *I*<sub>n</sub>, **C**orn",
    "<span>Name</span><span>Role</span> <a>one</a><a>two</a>": "Name Role one two",
    # What goes on behind a box, or in one, is no new word.
    "<span>See <a>this</a></span><span>, and (</span><code>that</code><span>).</span>": "See this, and (`that`).",
    "<span>C</span><span>orn</span>, <a>insight</a><span>-killing</span> tip<a></a><a>s</a> <span>$</span><span>5</span>": "Corn, insight-killing tips $5",
    "<a><span>https://</span><span>a.sample/20</span><span>22</span></a>": "https://a.sample/2022",
    "<span>位于</span><a>河北省</a><span>保定市</span><a>3</a>": "位于河北省保定市3",
    "<a>now</a><a>[1]</a> <b>5</b><span>“q”</span><span>#x</span><span>2022</span><span>41</span>": (
        "now \\[1\\] **5**“q” #x 2022 41"
    ),
    "<span>$</span><span>1<span>.</span></span><span>99</span> <span>1.</span><span>10</span><span>:</span><span>30</span>": (
        "$1.99 1. 10:30"
    ),
    # Code with colours, keys beside each other, declarations of Sphinx and Javadoc.
    "<code><span>a</span><span>.</span><span>b</span><span>(</span><a>C</a><span>=</span><span>1)</span></code>": (
        "`a.b(C=1)`"
    ),
    "<kbd><kbd>Ctrl</kbd><kbd>C</kbd></kbd>": "`Ctrl C`",
    "<span class='sig-prename descclassname'>a.</span><span class=descname>b</span><span>(</span><i>c</i><span>=</span><span>1</span>)": (
        "a.b(*c*=1)"
    ),
    # Signs of Chinese and Japanese hold their own room, but for the end of a sentence; an option has its value.
    "<span>MBC</span><span>（韩语：</span><span>MBC 뮤직</span><span>）</span>，<span>1978年。</span><span>37</span>": (
        "MBC（韩语：MBC 뮤직），1978年。 37"
    ),
    "<code>--author=</code><em><span>name</span></em> <span>a</span> = <span>b</span>": "`--author=`*name* a = b",
    "<span class=element-name>f</span><wbr><span>(<a>String</a> x)</span>": "f(String x)",
    # Signs without a width: within words, at the end of bold text, as a link to the place itself.
    "<b>Rain<br>\u200d</b>again, <b>a\u200db</b>c <a href=#a>\u200b</a>": "**Rain**  \n\u200dagain, **a\u200db**c",
    # A drawing stands in a line, as an image does.
    "地震<a>波<svg><path d=M0 /><title>i</title></svg></a>，是 <b>One<svg></svg></b><i>two <svg><g>+</g></svg>three</i>.": (
        "地震波，是 **One** *two three*."
    ),
    "One<img src=i alt=:)>two (<a>three<img></a>)<img>.": "One two (three).",
    # A formula goes on through its tags; the signs of its source are none of the page.
    "Let <math><semantics><mrow><mi>x</mi><mo>=</mo><msup><mi>y</mi><mn>2</mn></msup></mrow>"
    "<annotation>=</annotation><annotation-xml><apply><eq></eq><ci>x</ci></apply></annotation-xml>"
    "</semantics></math> be.": "Let $x=y^2$ be.",
    # Word marks the names of places; what is shown as it is written is code.
    "to <st1:place><st1:City>Paris</st1:City></st1:place>, <o:p>too</o:p>.<xmp>a <b>b</b></xmp>": (
        "to Paris, too.\n\n```\na <b>b</b>\n```"
    ),
}


def written(source, hidden="keep"):
    page = build_page(
        source.encode(),
        url="http://a.sample/b/",
        content_type="text/html",
        rules=PageRules(inline="phrasing", hidden=hidden),
    )
    kept = np.ones(len(page.blocks), np.bool_)
    return markdown(page, labels_of(kept), with_links=True)


@pytest.mark.parametrize("source", GOLDEN)
def test_golden(source):
    assert written(f"<p>{source}") == GOLDEN[source]


CODE = {
    "<button>Copy</button><code>a = 1</code>": "Copy\na = 1",
    "<table><tr><td>1<td>a = 1<tr><td>2<td>  b</table>": "1 a = 1\n2   b",
    "<table><tr><td></td><td>a</td></tr><tr><td></td><td>b</td></tr></table>": "a\nb",
}


@pytest.mark.parametrize("source", CODE)
def test_what_stands_beside_code_is_apart(source):
    assert written(f"<pre>{source}</pre>") == f"```\n{CODE[source]}\n```"


HIDING = {
    # Formulas and dates of MediaWiki.
    "is <span style='display: none;'><math><mi>e</mi><mo>+</mo><mn>1</mn></math></span> big": "is big",
    "on <span style=display:none> (<span class=bday>1976-04-25</span>) </span>25 April": "on 25 April",
    "one<span hidden>(<span>)</span>)</span>, two": "one, two",
    "one <a hidden>(<a href=/x>two</a>)": "one [two](<http://a.sample/x>))",
    # KaTeX's second writing of a formula; the only one is shown.
    "is <span><math><mi>e</mi><mo>+</mo></math></span><span class=katex-html><i>e</i><i>+</i></span> big": "is $e+$ big",
    "is <span class=katex-html><span>e</span><span>+</span></span> big": "is e + big",
    # It ends with what it stands in.
    "one <b hidden>( <p>(two)": "one\n\n(two)",
    "one<span popover>(</span> <i style=backface-visibility:hidden>+</i>, two": "one *+*, two",
    "one<i hidden=until-found style=display:none>(</i> two": "one two",
    # Of styles as of popovers what browsers do counts: the last that is said, but for one that is important.
    "one<i style='display:none;display:inline'>(</i>two": "one(two",
    "one<i style='display:none!important;display:inline'>(</i> two": "one two",
    "one<i style='/* display:none */'>(</i>two": "one(two",
    "one<i hidden style=display:inline>(</i>two": "one(two",
    "one<i popover style=display:inline>(</i>two": "one(two",
    "one<i style='color:red' style='display:none'>(</i>two": "one(two",
    # What is shown, or holds nothing.
    "one <span class=hidden>(</span>two<i hidden=until-found>)</i>": "one (two)",
    "one (<img hidden>two<wbr style=display:none>)": "one (two)",
}


@pytest.mark.parametrize("source", HIDING)
def test_hidden_signs_are_none_of_the_text(source):
    shown = "word " * 40
    assert written(f"<p>{source}<p>{shown}", "drop") == f"{HIDING[source]}\n\n{shown.strip()}"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("one<iframe src=x /><ol start=5><li>two", "one\n\n5. two"),
        ("one<textarea><iframe /><p>two<p>three", "one\n\ntwo\n\nthree"),
        ("one<iframe><script>x<ol></script><ol><li>two", "one\n\n1. two"),
    ],
)
def test_tags_behind_raw_text_that_is_never_closed_count(source, expected):
    assert written(source) == expected


SIGNS = st.lists(
    st.sampled_from(
        [
            *("foo", "a", "é", "字", "हि", "(x)", "“q”", "y.", "1.", "- x", " "),
            *("!", "*", "_", "`", "#", "~~", "|", "\\", "[z]", "<br>", "&lt;", "&amp;amp;"),
        ]
    ),
    max_size=4,
).map("".join)


def in_a_tag(inner):
    return st.tuples(st.sampled_from(["b", "i", "code", "a href=/x"]), inner).map(
        lambda made: f"<{made[0]}>{made[1]}</{made[0].split()[0]}>"
    )


LINE = st.recursive(
    SIGNS, lambda inner: st.lists(inner | in_a_tag(inner), max_size=4).map("".join), max_leaves=8
)


@hypothesis_settings(max_examples=150, deadline=None)
@given(LINE, st.sampled_from(["<p>w {} w", "<table><tr><th>h<th>i<tr><td>w {} w<td>k</table>"]))
def test_signs_are_those_of_the_page(line, around):
    reader = pytest.importorskip("markdown_it").MarkdownIt("commonmark").enable("table")
    source = around.format(line)
    shown = html.fromstring(f"<div>{reader.render(written(source))}</div>")
    assert not shown.xpath("//img")
    assert _signs(shown) == _signs(html.fromstring(f"<div>{source}</div>"))


def _signs(tree):
    return "".join(tree.text_content().split())


def test_an_accent_behind_a_tag_is_on_its_letter():
    assert (
        written("<p><a>U</a>\N{COMBINING DIAERESIS} x</p>")
        == "\N{LATIN CAPITAL LETTER U WITH DIAERESIS} x"
    )


def test_an_accent_in_an_address_stays_as_it_is():
    """Put together with its letter, as in the text beside it, it is another address."""
    source = "<a href='/cafe&#x301;/ü?e&#x301;'>cafe&#x301;</a> <a href='/ü'>b</a>"
    page = build_page(
        source.encode(), url="http://a.sample/", content_type="text/html;charset=utf-8"
    )
    found = markdown(page, labels_of(np.ones(len(page.blocks), np.bool_)), with_links=True)
    assert found == "[café](<http://a.sample/cafe%CC%81/%C3%BC?e%CC%81>) [b](<http://a.sample/ü>)"


@pytest.mark.parametrize("sign", ["\x85", "\u2028", "\x1e", "\x0b", "\x93", "\x01"])
def test_lines_end_at_line_feeds_alone_and_no_control_character_is_left(sign):
    source = f"""<p>so{sign}me <a href="/x{sign}y?q={sign}">words</a>
        <math alttext="a{sign}+1"><mi>b</mi></math></p><pre>a{sign} = 1\nb</pre>"""
    page = build_page(
        source.encode(), url="http://a.sample/", content_type="text/html;charset=utf-8"
    )
    kept = labels_of(np.ones(len(page.blocks), np.bool_))
    for text in (page.main_text(kept.kept), markdown(page, kept, with_links=True)):
        assert text.splitlines() == text.split("\n")
        assert {each for each in text if unicodedata.category(each) == "Cc"} == {"\n"}
