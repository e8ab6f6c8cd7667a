"""Canonical links and refreshes that stand in HTTP headers: arcs as those of the page's own elements are."""

from __future__ import annotations

import pytest
from scrapy.http import Headers

from crawler.downloadermiddlewares.link_graph import take_declared
from crawler.page import build_page
from crawler.page.header_links import canonical_target, refresh_header
from crawler.page.links import LinkKind
from crawler.urls import page_url
from crawler.webgraph.arcs.records import KIND_SHIFT
from crawler.webgraph.graph import Graph
from pipelines.corpus.corpus import Corpus
from tests.conftest import run_scrapy
from tests.hostile_server import HTML, Hostile, hosts_arguments, page, reply, served_bytes

URL = "http://a.sample/d/page"

LINK_HEADERS = [
    # the headers; the canonical link among them
    ([], None),
    (['<http://b.sample/x>; rel="canonical"'], "http://b.sample/x"),
    (["</x>;rel=canonical"], "/x"),
    (["<x>; REL=Canonical"], "x"),
    (["< x > ; rel = canonical"], "x"),
    (['</a>; rel="next", </b>; rel="canonical"'], "/b"),
    (["</a>; rel=next", "</b>; rel=canonical"], "/b"),
    (['</a,b;c>; title="d, <e>; rel=canonical"; rel="up canonical"'], "/a,b;c"),
    ([r'</a>; title="a \" b"; rel=canonical'], "/a"),
    (["</a>; rel=canonical, </b>; rel=canonical"], "/a"),
    # the first rel counts, rev is none, and another context is not the page
    (["</a>; rel=next; rel=canonical"], None),
    (["</a>; rev=canonical"], None),
    (['</a>; rel=canonical; anchor="#part"'], None),
    # parameters without a value, empty elements, what is broken
    (["</a>; crossorigin; ; rel=canonical"], "/a"),
    ([", ,</a>; rel=canonical,"], "/a"),
    (["</a; rel=canonical"], None),
    (["/a; rel=canonical"], None),
    (['</a>; rel="canonical'], "/a"),
    (["<>; rel=canonical"], None),
    (["</caf\u00e9>; rel=canonical"], "/caf\u00e9"),
]


@pytest.mark.parametrize(("headers", "target"), LINK_HEADERS)
def test_canonical_link_of_headers(headers, target):
    assert canonical_target(Headers({"Link": headers} if headers else {})) == target


@pytest.mark.parametrize("piece", ["<", "<a>;", '<a>;b="', " ", ";", "\\", '"', "<a>;b=c,", "; "])
def test_headers_are_read_in_linear_time(piece):
    header = "<a>;rel=next" + piece * (262_144 // len(piece))
    assert canonical_target(Headers({"Link": header})) is None
    assert refresh_header(Headers({"Refresh": piece * 262_144})) is None or piece != " "


DECLARED = [
    # the page, its headers; the arcs behind those of its references, and whether they are followed
    ("", {"Link": "<../x>; rel=canonical"}, [(LinkKind.CANONICAL, "http://a.sample/x", True)]),
    ("<base href=/b/>", {"Link": "<x>; rel=canonical"},
     [(LinkKind.CANONICAL, "http://a.sample/d/x", True)]),
    ("<link rel=canonical href=/own>", {"Link": "</other>; rel=canonical"},
     [(LinkKind.CANONICAL, "http://a.sample/own", True)]),
    ("", {"Link": "<page#top>; rel=canonical"}, []),
    ("", {"Link": "<mailto:me@a.sample>; rel=canonical"}, []),
    ("<meta name=robots content=nofollow>", {"Link": "</x>; rel=canonical", "Refresh": "0;url=y"},
     [(LinkKind.CANONICAL, "http://a.sample/x", False), (LinkKind.REFRESH, "http://a.sample/d/y", False)]),
    ("<base href=/b/>", {"Refresh": "5; URL='y'"}, [(LinkKind.REFRESH, "http://a.sample/d/y", True)]),
    ("", {"Refresh": "0; url=y.zip"}, [(LinkKind.REFRESH, "http://a.sample/d/y.zip", False)]),
    ("", {"Refresh": "300"}, []),
    ("", {"Refresh": "0; url=javascript:void(0)"}, []),
]  # fmt: skip


@pytest.mark.parametrize(("markup", "headers", "arcs"), DECLARED)
def test_arcs(markup, headers, arcs):
    model = build_page(f"{markup}<a href=/a>a</a>".encode(), url=URL, content_type="text/html")
    take_declared(URL, Headers(headers), model)
    links = model.links
    found = zip(links.kind.tolist(), map(page_url, links.key), links.follow.tolist(), strict=True)
    assert list(found)[1:] == arcs


def arcs_of(corpus):
    with Graph.open(corpus) as graph:
        sources, targets, flags = graph.arcs()
        ends = zip(graph.urls(sources), graph.urls(targets), strict=True)
        return {
            (source, target, int(flag) >> KIND_SHIFT)
            for (source, target), flag in zip(ends, flags, strict=True)
        }


def test_redirects_whose_bytes_are_no_utf_8_lead_where_browsers_go(tmp_path):
    def moved(target):
        return reply(b"", b"Location: " + target, status=b"302 Found")

    hostile = Hostile({
        "a/": moved("/caf\u00e9?q=\u00fc".encode("latin-1")),
        "b/": moved("/caf\u00e9?q=\u00fc".encode()),
        "a/caf%E9?q=%FC": reply(page(), HTML),
    })  # fmt: skip
    with served_bytes(tmp_path, hostile):
        done = run_scrapy(*hosts_arguments(tmp_path), "-s", "HOST_DELAY_SECS=0")
    assert done.returncode == 0, done.stderr
    assert {"a/caf%E9?q=%FC", "b/caf%C3%A9?q=%C3%BC"} <= set(hostile.asked)


def test_what_headers_name_is_fetched_and_a_new_target_is_seen(tmp_path):
    def answers(target):
        link = b'Link: </style.css>; rel=preload, </%s>; rel="canonical"' % target
        words = [b"page %d " % number * 9 for number in range(3)]
        return {
            "a/": reply(page(words[0]), HTML, link),
            "b/": reply(b"%PDF-1.4", b"Content-Type: application/pdf", b"Link: <text>; rel=canonical"),
            "c/": reply(page(words[1]), HTML, b"Refresh: 0; url=http://c.sample/home"),
            "c/home": reply(page(words[2]), HTML),
        }  # fmt: skip

    hostile = Hostile(answers(b"first"))
    expected = {
        ("http://b.sample/", "http://b.sample/text", LinkKind.CANONICAL),
        ("http://c.sample/", "http://c.sample/home", LinkKind.REFRESH),
    }
    with served_bytes(tmp_path, hostile):
        quick = ("-s", "DEDUP_THRESHOLD=0", "-s", "HOST_DELAY_SECS=0")
        options = (*hosts_arguments(tmp_path), *quick)
        for target, more in (("first", ()), ("second", ("-a", "recrawl_after=0.001s"))):
            hostile.answers = answers(target.encode())
            done = run_scrapy(*options, *more)
            assert done.returncode == 0, done.stderr
            canonical = ("http://a.sample/", f"http://a.sample/{target}", LinkKind.CANONICAL)
            assert arcs_of(tmp_path / "corpus") == {*expected, canonical}
    assert {"a/first", "a/second", "b/text", "c/home"} <= set(hostile.asked)
    assert "a/style.css" not in hostile.asked
    outcomes = {row["url"]: row["outcome"] for row in Corpus.open(tmp_path / "corpus").visits()}
    assert outcomes["http://c.sample/"] == "same_answer"
    assert "http://a.sample/" not in outcomes
