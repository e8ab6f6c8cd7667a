from __future__ import annotations

import gzip
import html
import re

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import etree

from crawler.page import build_page
from crawler.page.runs import TextRuns
from crawler.page.tree import build_tree
from crawler.page.tree_markers import out_of_order
from crawler.page.tree_source import MAX_ATTRIBUTES, parseable, with_ended_comments
from crawler.page.words import density_tokens

URL = "http://a.example/"


def made_runs(*rows):
    start, end, block = np.array(rows, np.uint32).reshape(-1, 3).T
    return TextRuns(start, end, block)


def scanned(source):
    """The source and runs of a page, as the scan finds them."""
    if isinstance(source, str):
        source = source.encode()
    model = build_page(source, url=URL, content_type="text/html; charset=utf-8")
    return model.source, model.runs


def tree_of(source):
    return build_tree(*scanned(source))


def texts_by_run(tree):
    """What the pieces of each run hold together; nothing for a run without any."""
    found = [""] * len(tree.dropped)
    for run, _, node, start, end in zip(*(c.tolist() for c in tree.pieces), strict=True):
        found[run] += tree.nodes[node].text[start:end]
    return found


def plain_text(source):
    """A run's source as the tree should have it."""
    text = re.sub("[\x00-\x08\x0e-\x1b\x7f]", "", source.decode())
    return html.unescape(text.strip("\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f "))


def words(text):
    return density_tokens(
        re.sub("[\x00-\x08\x0e-\x1b\x7f-\x9f\ufdd0\ufdd1\ufffd-\uffff]", "", text)
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("", []),
        (" <!-- x --> ", []),
        ("Hello", [(0, "body", False, "Hello")]),
        (
            "<p>one <a href=x>two</a> three<p>four",
            [
                (0, "p", False, "one"),
                (0, "a", False, "two"),
                (0, "a", True, "three"),
                (1, "p", False, "four"),
            ],
        ),
        # One text node of several runs: the tags between them match nothing.
        ("<p>one</b> two</i>", [(0, "p", False, "one"), (1, "p", False, "two")]),
        ("<p>a &amp; b &#x263a;", [(0, "p", False, "a & b ☺")]),
        # Text that the scan leaves out is in the tree, but in no piece.
        ("<div>a<script>b</script><select><option>c</select>d", [(0, "div", False, "a"), (1, "select", True, "d")]),
        ("<table>one<tr><td>two", [(0, "table", False, "one"), (1, "td", False, "two")]),
        # libxml2 would drop what follows the end of the document, and a comment without an end.
        ("<p>one</p></body></html>two", [(0, "p", False, "one"), (1, "body", True, "two")]),
        ("<p>one<!-- x > two", [(0, "p", False, "one"), (0, "!", True, "two")]),
        # libxml2 reads it as raw text.
        ("<noframes><p>one</noframes>", [(0, "noframes", False, "one")]),
        ("<p>a\x01b\x0cc\ufdd0d", [(0, "p", False, "ab c\ufdd1d")]),
        ("<p>a&#xFFFE;b", [(0, "p", False, "ab")]),
    ],
)  # fmt: skip
def test_pieces(source, expected):
    tree = tree_of(source)
    found = []
    for _, block, node, start, end in zip(*(c.tolist() for c in tree.pieces), strict=True):
        element, is_tail = tree.nodes[node]
        tag = element.tag if isinstance(element.tag, str) else "!"
        found.append((block, tag, is_tail, tree.nodes[node].text[start:end]))
    assert found == expected
    assert not tree.dropped.any()
    assert not tree.moved.any()


def test_a_run_that_the_parser_divides():
    source = b"<p>one<b>two</b>three</p>"
    tree = build_tree(source, made_runs((3, 21, 0)))
    assert texts_by_run(tree) == ["onetwothree"]
    assert tree.pieces.node.tolist() == [0, 1, 2]
    assert tree.dropped.tolist() == [False]


def test_what_is_no_text_of_the_tree_is_dropped_and_kept_clean():
    source = b"<!--one--><p title='two' alt>x<script>three</script><!--four-->"
    runs = made_runs((4, 7, 0), (20, 23, 1), (25, 28, 2), (29, 30, 3), (38, 43, 4), (56, 60, 5))
    tree = build_tree(source, runs)
    assert tree.dropped.tolist() == [True, True, True, False, True, True]
    assert texts_by_run(tree) == ["", "", "", "x", "", ""]
    assert etree.tostring(tree.root.getroottree()).count(b"&#") == 0
    assert dict(tree.root.find(".//p").attrib) == {"title": "two"}
    assert tree.root.find(".//script").text == "three"


def test_text_deeper_than_libxml2_goes_is_dropped():
    tree = tree_of("<p>a" + "<div>" * 5000 + "b")
    assert tree.dropped.tolist() == [False, True]
    assert tree.blocks_of(tree.root).tolist() == [0]


def test_runs_that_stand_elsewhere_count_as_moved():
    # The second text stands first: as a parser that moves text out of tables would have it.
    assert out_of_order(np.array([1, 0, 2])).tolist() == [False, True, False]
    assert out_of_order(np.array([], np.int64)).tolist() == []


def test_attributes_are_bounded_and_else_kept():
    many = " ".join(f"a{i}='<{i}>'" for i in range(20_000))
    tree = tree_of(f"<p {many}>one<p id=x class='y z'>two")
    first, second = tree.root.iter("p")
    assert len(first.attrib) == MAX_ATTRIBUTES
    assert dict(second.attrib) == {"id": "x", "class": "y z"}
    assert texts_by_run(tree) == ["one", "two"]


@pytest.mark.parametrize("source", ["<script>if (a<b" + " && c<d" * 600 + ")</script><p>x", "<!--" + "<p a=1" * 999 + "--><p>x"])  # fmt: skip
def test_scripts_and_comments_have_no_attributes(source):
    assert parseable(source.encode()) == source.encode()


SOUP = st.lists(
    st.sampled_from(
        [
            *("<p>", "</p>", "<div>", "</div>", "<b>", "</b>", "<a href='x>y'>", "</a>", "<br/>"),
            *("<table>", "<tr>", "<td>", "</td>", "</table>", "<ul>", "<li>", "</ul>", "<h1>"),
            *("<script>", "</script>", "<title>", "</title>", "<textarea>", "</textarea>"),
            *("<select>", "<option>", "</select>", "<svg>", "</svg>", "<noframes>", "<frameset>"),
            *("<!-- c -->", "<!--", "-->", "<!x>", "<?y?>", "<![CDATA[", "]]>", "</html>", "<body>"),
            *("one", "two three", " ", "\n", "&amp;", "&nbsp;", "&lt", "&#65;", "&#1;", "&", "<", ">"),
            *("é", "数据", "\U0001f600", "\x01", "\x0c", "\ufdd0", "\ufffe", "\ue000", "&#xfdd0;", "'", '"'),
        ]
    ),
    max_size=25,
).map("".join)  # fmt: skip


@settings(deadline=None)  # the first page loads tables and kernels
@given(SOUP)
@example("<p title='one")
@example("<p>a<title>b")
def test_markers_do_not_change_the_tree(source):
    source, runs = scanned(source)
    tree = build_tree(source, runs)
    bare = build_tree(source, made_runs())
    # What lxml does not let into a tree leaves it with the markers.
    marked, unmarked = (
        re.sub(rb"&#(?:xFFFD|65534);", b"", etree.tostring(tree.root.getroottree()))
        for tree in (tree, bare)
    )
    assert marked == unmarked


@settings(deadline=None)
@given(SOUP)
@example(b"<noframes>&#65;&#xfdd0;")
def test_pieces_are_the_text_of_their_runs(source):
    source, runs = scanned(source)
    tree = build_tree(source, runs)
    found = texts_by_run(tree)
    for run, (start, end) in enumerate(zip(runs.start.tolist(), runs.end.tolist(), strict=True)):
        if not tree.dropped[run]:
            raw = source[start:end]
            # In raw text (of noframes, say) references are not decoded, but for the lead of a marker.
            as_it_is = raw.decode().replace("&#xfdd0;", "\ufdd1")
            assert words(found[run]) in (words(plain_text(raw)), words(as_it_is))
    assert (np.diff(tree.pieces.node.astype(np.int64)) >= 0).all()
    assert (tree.pieces.start < tree.pieces.end).all()
    assert (tree.pieces.block == runs.block[tree.pieces.run]).all()
    assert not tree.moved.any()


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_no_bytes_raise(source):
    build_tree(source, made_runs())
    if source:
        build_tree(source, made_runs((0, len(source), 0)))
    tree_of(source)


@settings(deadline=None)
@given(SOUP)
def test_blocks_of_is_what_the_nodes_within_hold(source):
    tree = tree_of(source)
    for element in tree.root.iter():
        within = set(element.iter())
        expected = set()
        for block, node in zip(tree.pieces.block.tolist(), tree.pieces.node.tolist(), strict=True):
            holder, is_tail = tree.nodes[node]
            if (holder.getparent() if is_tail else holder) in within:
                expected.add(block)
        assert tree.blocks_of(element).tolist() == sorted(expected)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (b"<!-- a", b"<!-  a"),
        (b"<!-- a --> <!-- b --!> c", b"<!-- a --> <!-- b --!> c"),
        (b"--> <!-- a", b"--> <!-  a"),
    ],
)
def test_comments_without_an_end(source, expected):
    assert with_ended_comments(source) == expected


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (([0], [1], [0, 1]), "of one length"),
        (([1], [1], [0]), "start must be before end"),
        (([0, 1], [2, 3], [0, 0]), "in page order"),
        (([0, 2], [1, 3], [1, 0]), "in page order"),
    ],
)
def test_runs_are_checked(columns, message):
    with pytest.raises(ValueError, match=message):
        TextRuns(*(np.array(column, np.uint32) for column in columns))


def _check_coverage(files):
    n_words = n_found = n_dropped = n_moved = 0
    for file in files:
        source, runs = scanned(gzip.decompress(file.read_bytes()))
        tree = build_tree(source, runs)
        places = zip(runs.start.tolist(), runs.end.tolist(), strict=True)
        for run, (text, (start, end)) in enumerate(zip(texts_by_run(tree), places, strict=True)):
            expected = words(plain_text(source[start:end]))
            n_words += len(expected)
            n_found += len(expected) if words(text) == expected else 0
            n_dropped += len(expected) if tree.dropped[run] else 0
            n_moved += len(expected) if tree.moved[run] else 0
    print(f"{n_words} words, {n_found} found, {n_dropped} dropped, {n_moved} moved")
    assert n_found >= 0.999 * n_words > 0
    assert n_dropped + n_moved <= 0.001 * n_words


def test_words_of_some_real_pages_are_found(shared):
    _check_coverage(sorted(shared.glob("data/extraction/*/*/pages/*.html.gz"))[::50])


@pytest.mark.long
def test_words_of_all_real_pages_are_found(shared):
    _check_coverage(sorted(shared.glob("data/extraction/*/*/pages/*.html.gz")))
