"""The gap model, what is no text, and linked words; against an obvious reading of plain sources."""

from __future__ import annotations

import html
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page import PageLimits, build_page
from crawler.page.tags import FORCE_GAP, GAP_BITS, GAP_NAMES, NO_GAP, OTHER_BIT, names
from crawler.page.words import density_tokens


def page(source, content_type="text/html", **limits):
    return build_page(
        source.encode(),
        url="http://a.sample/",
        content_type=f"{content_type}; charset=utf-8",
        limits=PageLimits(**limits),
    )


def texts(source, content_type="text/html"):
    return page(source, content_type).blocks.text


def gaps(source):
    names = {bit: name for name, bit in GAP_BITS.items()} | {OTHER_BIT: "other"}
    masks = page(source).blocks.gap_mask.tolist()
    return [{name for bit, name in names.items() if mask & bit} for mask in masks]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("", []),
        ("plain", ["plain"]),
        ("<p>one<p>two", ["one", "two"]),
        # Kohlschütter, trap 33: a makes no gap; trap 34: every other inline tag does.
        ("<p>see <a href=x>this</a>, please", ["see this, please"]),
        ("<li><a href=/>Home</a></li><li><a>News</a></li>", ["Home", "News"]),
        ("x <b>y</b> z", ["x", "y", "z"]),
        ("a<br>b", ["a", "b"]),
        # Trap 41: what has no word makes no block.
        ("<p>one</p> | <p>&nbsp;</p><p>two", ["one", "two"]),
        # Comments, declarations and processing instructions are no gaps.
        ("<!doctype html>on<!-- x -->e <!-- y --> two<?php x ?>", ["one two"]),
        # Trap 43: references before words.
        ("a&nbsp;b &eacute;&#x301; &lt;p&gt;", ["a b é\u0301 <p>"]),
        # Menus are set apart by style: words of neighbouring anchors are words of their own.
        ("<p><a>one</a><a>two</a>three", ["one twothree"]),
        # What is no tag is text.
        ("1 < 2 <3 > 0", ["1 < 2 <3 > 0"]),
        ("a<>b", ["a<>b"]),
        ("I <3 you <b>too</b>", ["I <3 you", "too"]),
        ('<p title="a > b">one', ["one"]),
        ("<p title='>'x\">\">one", ['">one']),  # a quote opens a value only after "="
        ("<P>one</P\n>two", ["one", "two"]),
        ("<my-tag>one</my-tag>two", ["one", "two"]),
    ],
)
def test_gap_model(source, expected):
    assert texts(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<script>if (a < b) '<p>no</p>'</script>yes", ["yes"]),
        ("<SCRIPT>no</Script >yes", ["yes"]),
        ("<script>no</scripts></script>yes", ["yes"]),
        ("<style>p {}</style>yes", ["yes"]),
        ("<template><p>no</p></template>yes", ["yes"]),
        ("<textarea><b>no</textarea>yes", ["yes"]),
        ("<iframe><p>no</iframe>yes", ["yes"]),
        ("<xmp><p>no</xmp>yes", ["yes"]),
        ("<select><option>no<option>no</select>yes", ["yes"]),
        ("<option>no</option>yes", ["yes"]),
        ("<object>no<p>no</object>yes", ["yes"]),
        ("<svg><title>no</title><text>no</text></svg>yes", ["yes"]),
        ("<video>no</video><canvas>no</canvas>yes", ["yes"]),
        ("<title>no</title>yes", ["yes"]),
        ("<title><b>no</title>yes", ["yes"]),
        ("<head>yes</head>", ["yes"]),
        ("<noframes>yes</noframes>", ["yes"]),
        ("<button>yes</button><label>yes</label>", ["yes", "yes"]),
        ("<p hidden style='display:none'>yes", ["yes"]),
    ],
)
def test_what_is_no_text_of_the_page(source, expected):
    assert texts(source) == expected


def test_noscript_is_text_only_where_there_is_hardly_another():
    long = "word " * 30
    assert texts(f"<noscript>no</noscript><p>{long}") == [long.strip()]
    assert texts("<noscript><p>yes</noscript><p>short") == ["yes", "short"]


def test_hidden_text_does_not_stand_in_for_that_in_noscript():
    alert = "This forum could not be loaded. " * 10
    hidden = f"<div style='display: none'>{alert}</div>"
    assert texts(f"{hidden}<noscript><p>yes</noscript>") == [alert.strip(), "yes"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p>one <!-- never closed <p>two", ["one two"]),  # the first > ends it
        ("<title>never closed<p>two", ["two"]),
        ("<p>one<textarea>two<p>three", ["one", "two", "three"]),
        ("<select>one<p>two", ["one", "two"]),
        ("<svg>one<p>two", ["one", "two"]),
        ("<p>one<script>never closed() </p>", ["one"]),
        ("<head><style>never closed </head><body>two", ["two"]),
        ("<p>one<p two", ["one"]),
        ("<p>one<p <b>two", ["one", "two"]),
        ('<p>one<p title="never closed>two <b>three</b>', ["one", "two", "three"]),
        ('<p>one<p x="a" y="b>two"> three</p>', ["one", "three"]),
        ("<p>one</", ["one"]),
        ("<p>one<", ["one<"]),
        ("</p></b>one</td>", ["one"]),
    ],
)
def test_broken_sources_keep_their_text(source, expected):
    assert texts(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("one", [set()]),
        ("<p>one</p><h2>two", [{"p"}, {"p", "h2"}]),
        ("one <b>two</b> three", [set(), {"b"}, {"b"}]),
        # An a within a gap belongs to it, one within text does not.
        ("<p><a>one</a></p><p>two", [{"p", "a"}, {"p", "a"}]),
        ("<p>one <a>two</a> three<p>four", [{"p"}, {"p"}]),
        # Trap 40: tags without text count; trap 41: gaps around no word are united.
        ("one<img>two<script>x</script>three", [set(), {"img"}, {"script"}]),
        ("one<hr>|<p>two", [set(), {"hr", "p"}]),
        ("one<p><a> </a>-<a> </a><p>two", [set(), {"p", "a"}]),
        # Trap 42: tags that a parser implies are not in the source.
        ("<td>one<td>two", [{"td"}, {"td"}]),
        ("<video>no</video>two", [{"other"}]),
    ],
)
def test_gap_sets(source, expected):
    assert gaps(source) == expected


def test_rule_sets_are_those_of_the_paper():
    force = {name for name in GAP_NAMES if GAP_BITS[name] & FORCE_GAP}
    assert force == names("h1 h2 h3 h4 h5 h6 ul dl ol hr table address img script")
    no_gap = {name for name in GAP_NAMES if GAP_BITS[name] & NO_GAP}
    assert no_gap == names("a b br em font i s span strong sub sup u tt")
    assert len(GAP_NAMES) == len(set(GAP_NAMES)) == 63


@pytest.mark.parametrize(
    ("source", "n_words", "n_linked"),
    [
        ("one <a href=x>two three</a> four", 4, 2),
        ("<a href=x>one</a>, two", 2, 1),  # the comma belongs to the word before it
        ("(<a href=x>one</a>) two", 2, 1),
        ("un<a href=x>linked</a> two", 2, 0),
        ("<a href=x>one</a>two <a href=x>three</a>", 2, 2),
        ("<a href=x>- one -</a> two", 2, 1),
        ("<a>one</a> two", 2, 1),
        ("<a name=top>one two", 2, 0),  # old pages do not close these
        ("<a href=x>one<td>two</td>three", 3, 3),
        ("<ul><li><a href=x>one</li></ul>two", 2, 1),  # not closed: it ends with its item
        ("<a href=x>one <a href=y>two</a> three", 3, 2),
        ("数据<a href=x>科学</a>家", 3, 1),
    ],
)
def test_linked_words(source, n_words, n_linked):
    blocks = page(source).blocks
    assert (blocks.n_words.sum(), blocks.linked_words.sum()) == (n_words, n_linked)
    assert (blocks.linked_words <= blocks.n_words).all()


@pytest.mark.parametrize(
    ("source", "paths", "kinds"),
    [
        ("<html><body><div><p>x", ["body/div/p"], ["paragraph"]),
        ("x", ["body"], ["paragraph"]),
        ("<p>x<p>y<div>z", ["body/p", "body/p", "body/div"], ["paragraph"] * 3),
        ("<ul><li>x<li>y<ul><li>z", ["body/ul/li"] * 2 + ["body/ul/li/ul/li"], ["item"] * 3),
        ("<dl><dt>x<dd>y", ["body/dl/dt", "body/dl/dd"], ["item"] * 2),
        (
            "<table><tr><td>x<td><font>y<tr><td>z",
            ["body/table/tr/td", "body/table/tr/td/font", "body/table/tr/td"],
            ["cell"] * 3,
        ),
        ("<td><p>x", ["body/td/p"], ["paragraph"]),  # a layout table
        ("<li><p>x", ["body/li/p"], ["item"]),
        ("<h1><span>x</span></h1>", ["body/h1/span"], ["heading1"]),
        ("<h6>x", ["body/h6"], ["heading6"]),
        ("<pre>x</pre>", ["body/pre"], ["code"]),
        ("<blockquote><p>x", ["body/blockquote/p"], ["quote"]),
        ("<div><b>x</div>y", ["body/div/b", "body"], ["paragraph"] * 2),
        ("<br><a href=x>x</a>", ["body"], ["paragraph"]),
    ],
)
def test_paths_and_kinds(source, paths, kinds):
    blocks = page(source).blocks
    assert blocks.path == paths
    assert blocks.kind == kinds


def test_xhtml_tags_that_close_themselves():
    source = "<a name='x'/><script src='x'/>one<p/>two"
    assert texts(source, "application/xhtml+xml") == ["one", "two"]
    assert page(source, "application/xhtml+xml").blocks.path == ["body", "body"]


class ObviousReader(HTMLParser):
    """Reads well-formed sources tag by tag and word by word."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.blocks = []  # (text, gap, linked letters)
        self.gap = set()
        self.pending = set()
        self.text = ""
        self.linked = ""
        self.in_a = False

    def handle_starttag(self, tag, attrs):
        self.take(tag, opens=True)

    def handle_endtag(self, tag):
        self.take(tag, opens=False)

    def handle_data(self, data):
        if data.strip():
            self.pending = set()
        if self.text.strip() or data.strip():
            self.text += data
            self.linked += ("1" if self.in_a else "0") * len(data)

    def take(self, tag, *, opens):
        if tag == "a":
            self.in_a = opens
            (self.pending if self.text.strip() else self.gap).add("a")
            return
        self.end()
        self.gap.add(tag)

    def end(self):
        if density_tokens(self.text):
            self.blocks.append((" ".join(self.text.split()), self.gap, self.n_linked()))
            self.gap = set()
        self.gap |= self.pending
        self.pending = set()
        self.text = self.linked = ""

    def n_linked(self):
        n_linked, in_word = 0, False
        for character, flag in zip(self.text, self.linked, strict=True):
            if character.isspace():
                in_word = False
            elif character.isalnum() and not in_word:
                in_word = True
                n_linked += flag == "1"
        return n_linked


WORDS = st.text(st.sampled_from("ab1 .,-_&<é\u00a0\n"), max_size=8).map(html.escape)
TREES = st.recursive(
    st.one_of(WORDS, st.just("<!-- c -->"), st.just("<br>"), st.just("<img src=x>")),
    lambda children: st.builds(
        lambda tag, inside: f"<{tag}>{''.join(inside)}</{tag}>",
        st.sampled_from(["p", "div", "b", "h2", "li", "td", "span"]),
        st.lists(st.one_of(children, st.builds("<a href='x'>{}</a>.".format, WORDS)), max_size=5),
    ),
    max_leaves=25,
)


@given(TREES)
def test_equals_the_obvious_reading(source):
    reader = ObviousReader()
    reader.feed(source)
    reader.close()
    reader.end()
    blocks = page(source).blocks
    assert blocks.text == [text for text, _, _ in reader.blocks]
    assert gaps(source) == [gap for _, gap, _ in reader.blocks]
    assert blocks.linked_words.tolist() == [n_linked for _, _, n_linked in reader.blocks]
    assert blocks.n_words.tolist() == [len(density_tokens(text)) for text in blocks.text]
