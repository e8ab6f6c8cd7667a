"""Canonical links: an arc of its own kind to another page, none to the page itself."""

from __future__ import annotations

import pytest
from scrapy.http import Headers

from crawler.downloadermiddlewares.link_graph import take_declared
from crawler.page import build_page
from crawler.page.links import LinkKind
from crawler.urls import page_url
from crawler.webgraph.arcs.records import KIND_SHIFT
from crawler.webgraph.graph import Graph
from pipelines.corpus.corpus import Corpus
from tests.test_crawl_warc import crawl_warc
from tests.warc_records import TEXT, html, record

URL = "http://a.sample/page?b=2&a=1"

LINKS = [
    # what the page says; where its canonical arc leads, whether it is followed
    ("<link rel=canonical href=/other>", "http://a.sample/other", True),
    ("<link rel='Canonical' href='https://b.sample/x.pdf'>", "https://b.sample/x.pdf", True),
    ("<base href=http://c.sample/d/><link rel=canonical href=e>", "http://c.sample/d/e", True),
    ("<meta name=robots content=nofollow><link rel=canonical href=/x>", "http://a.sample/x", False),
    ("<link rel=canonical href='http://A.sample:80/page?a=1&b=2#top'>", None, True),
    ("<link rel=canonical href='?b=2&a=1'>", None, True),
    ("<link rel=canonical href=''>", None, True),
    ("<link rel=canonical href='mailto:me@a.sample'>", None, True),
    ("<link rel=canonical href='http://['>", None, True),
    ("<p>none</p>", None, True),
]


@pytest.mark.parametrize(("markup", "target", "follow"), LINKS)
def test_arcs(markup, target, follow):
    source = f"{markup}<a href=/first>first</a>".encode()
    model = build_page(source, url=URL, content_type="text/html")
    take_declared(URL, Headers(), model)
    links = model.links
    sizes = {len(getattr(links, name)) for name in ("key", "anchor", "url")}
    sizes |= {
        getattr(links, name).size
        for name in ("kind", "nofollow", "follow", "priority", "block", "reference")
    }
    assert sizes == {1 if target is None else 2}
    if target is not None:
        assert page_url(links.key[-1]) == links.url[-1] == target
        assert links.kind.tolist() == [LinkKind.A, LinkKind.CANONICAL]
        assert (links.follow[-1], links.nofollow[-1]) == (follow, not follow)


def test_stored_with_its_kind(tmp_path):
    body = html(TEXT, "/b").replace(b"<title>", b"<link rel=canonical href=/main><title>")
    (tmp_path / "one.warc").write_bytes(record("http://a.sample/", body, "Content-Type: text/html"))
    assert crawl_warc(tmp_path / "one.warc", tmp_path / "corpus").returncode == 0
    assert Corpus.open(tmp_path / "corpus").n_rows("documents") == 1
    with Graph.open(tmp_path / "corpus") as graph:
        _, targets, flags = graph.arcs()
        found = dict(zip(graph.urls(targets), (flags >> KIND_SHIFT).tolist(), strict=True))
    assert found == {"http://a.sample/b": LinkKind.A, "http://a.sample/main": LinkKind.CANONICAL}
