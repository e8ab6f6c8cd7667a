"""The out-links of a page: which, of what kind, where, and what a spider may follow."""

from __future__ import annotations

import numpy as np
import pytest

from crawler.page import LinkKind, PageLimits, build_page, redirect_link
from crawler.urls import page_key

URL = "http://www.a.sample/dir/page.html"


def page(source, url=URL, **options):
    return build_page(source.encode(), url=url, content_type="text/html;charset=utf-8", **options)


def urls(source):
    return page(source).links.url


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<a href=x>", ["http://www.a.sample/dir/x"]),
        ("<A HREF='/x?b=2&amp;a=1#top'>", ["http://www.a.sample/x?a=1&b=2"]),
        ('<a href=" x\n.html ">', ["http://www.a.sample/dir/x.html"]),
        ('<a href="">', [URL]),  # a link of the page to itself
        ("<a href=page.html#top>", [URL]),
        ("<a href=#top><a href=' #'>", []),  # within the page
        ("<a name=top><a>", []),
        ("<a href=x>1</a><a href=x>2</a>", ["http://www.a.sample/dir/x"] * 2),
        ("<base href=/b/><base href=/c/><a href=x>", ["http://www.a.sample/b/x"]),
        ("<a href=x><base href=//b.sample>", ["http://b.sample/x"]),
        ("<base href=mailto:x><a href=x>", ["http://www.a.sample/dir/x"]),
        # Of no host, or of one that cannot be.
        ("<base href=http://><a href=x>", ["http://www.a.sample/dir/x"]),
        ("<base href='//{{ host }}/b/'><a href=x>", ["http://www.a.sample/dir/x"]),
        ("<!-- <a href=x> --><script>'<a href=y>'</script>", []),
        ("<noscript><a href=x></noscript><select><a href=y></select>" + "word " * 30,
         ["http://www.a.sample/dir/x", "http://www.a.sample/dir/y"]),
        # No reader sees them; the translations of a page would all vote for each other.
        ("<link rel=prev href=x><link rel=alternate hreflang=de href=y><link rel=alternate media=print href=z>", []),
        ("<img src=x><script src=y></script><link rel=stylesheet href=z><form action=f>", []),
    ],
)  # fmt: skip
def test_references(source, expected):
    assert urls(source) == expected


def test_unusable_references_are_counted():
    links = page(
        "<a href=mailto:x@y><a href=javascript:f()><a href=http://><a href=x><a href=#>"
    ).links
    assert (len(links), links.n_unusable) == (1, 3)


@pytest.mark.parametrize(
    ("source", "kind", "follow"),
    [
        ("<a href=x>", LinkKind.A, True),
        ("<area href=x>", LinkKind.AREA, True),
        ("<frameset><frame src=x>", LinkKind.FRAME, True),
        ("<iframe src=x></iframe>", LinkKind.IFRAME, True),
        ("<link rel=next href=x>", LinkKind.NEXT, True),
        ("<a rel='nofollow NEXT' href=x>", LinkKind.NEXT, False),
        ("<link rel=alternate type=application/rss+xml href=x>", LinkKind.FEED, False),
        ("<link rel='Alternate' type=APPLICATION/atom+xml href=x>", LinkKind.FEED, False),
        ("<meta http-equiv=refresh content='0; url=x'>", LinkKind.REFRESH, True),
        ("<a href=x rel=nofollow>", LinkKind.A, False),
        ("<a href=x rel='external ugc'>", LinkKind.A, False),
        ("<area href=x rel=sponsored>", LinkKind.AREA, False),
        ("<meta name=robots content=nofollow><a href=x>", LinkKind.A, False),
    ],
)
def test_kinds(source, kind, follow):
    links = page(source).links
    assert links.url == ["http://www.a.sample/dir/x"]
    assert links.kind.tolist() == [kind]
    assert links.follow.tolist() == [follow]


def test_robots_meta_marks_every_link_and_keeps_its_arc():
    links = page("<a href=1><meta name=robots content='noindex, NOFOLLOW'><a href=2>").links
    assert links.nofollow.tolist() == [True, True]
    assert list(links.key) == [page_key(f"http://www.a.sample/dir/{n}") for n in (1, 2)]


@pytest.mark.parametrize(
    ("href", "follow"),
    [
        ("a.html", True),
        ("a.php?file=b.zip", True),
        ("a.JPG", False),
        ("a.tar.gz", False),
        ("paper.pdf?x=1", False),
        ("v1.2/", True),
        ("zip", True),
        ("style.css", False),
        ("http://example.zip/", True),
    ],
)
def test_names_of_files_that_hold_no_text(href, follow):
    assert page(f"<a href={href}>").links.follow.tolist() == [follow]


def test_anchor_texts():
    source = (
        "<a href=1> one\n <b>t</b>wo<br>three</a> no <a href=2><h3>four</h3><p>five</p></a>"
        "<a href=3><img alt='six' src=x></a><a href=4></a><a href=5>seven<a href=6>eight<td>"
        "<area href=7 alt=nine>"
    )
    assert page(source).links.anchor == (
        ["one two three", "four five", "six", "", "seven", "eight", "nine"]
    )


def test_block_of_a_link():
    source = (
        "<a href=0></a><p>one <a href=1>x</a> <a href=2>y</a><p><a href=3><img></a>|<p>two"
        "<a href=4></a><hr><a href=5>-</a>"
    )
    model = page(source)
    assert model.blocks.text == ["one x y", "two"]
    assert model.links.block.tolist() == [0, 0, 0, 1, 1, 2]


def test_arrays_have_one_entry_a_link():
    for source in ("", "<a href=1><a href=mailto:x><area href=2>"):
        links = page(source).links
        assert links.kind.dtype == np.uint8
        assert links.block.dtype == np.uint32
        assert links.priority.dtype == np.float32
        assert links.follow.dtype == links.nofollow.dtype == np.bool_
        columns = (links.key, links.url, links.kind, links.nofollow, links.block, links.anchor)
        assert {len(column) for column in (*columns, links.follow, links.priority)} == {len(links)}


def test_query_is_sent_in_the_charset_of_the_page():
    body = '<meta charset=windows-1251><a href="/s?q=да">'.encode("cp1251")
    model = build_page(body, url=URL, content_type="text/html")
    assert model.links.url == ["http://www.a.sample/s?q=%E4%E0"]


def test_redirect():
    link = redirect_link(URL, "../x.pdf#y")
    assert (link.url, link.kind.tolist(), link.follow.tolist()) == (
        ["http://www.a.sample/x.pdf"],
        [LinkKind.REDIRECT],
        [True],
    )
    assert len(redirect_link(URL, "ftp://a.sample/")) == 0


def test_link_limits_are_reported():
    source = "".join(f"<a href={n}>{'word ' * 5}</a>" for n in range(10))
    model = page(source, limits=PageLimits(max_links=3, max_anchor_chars=9))
    assert len(model.links) == 3
    assert model.links.anchor == ["word word"] * 3
    assert model.cuts == ("anchors", "links")
