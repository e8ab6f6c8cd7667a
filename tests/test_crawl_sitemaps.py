"""Sitemaps and feeds as sources of links, over the wire; redirects and canonical links beside them."""

from __future__ import annotations

import gzip

import pytest

from crawler.fleet.owners import owner_of
from crawler.page import build_page
from crawler.page.links import LinkKind
from crawler.webgraph.arcs.records import KIND_SHIFT
from crawler.webgraph.graph import Graph
from pipelines.corpus.corpus import Corpus
from tests.conftest import run_scrapy
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes

XML = b"Content-Type: application/xml"
GZIP = b"Content-Type: application/gzip"
FEED = b"Content-Type: application/rss+xml"


def urlset(*urls):
    entries = "".join(f"<url><loc>{url}</loc><lastmod>2026</lastmod></url>" for url in urls)
    return (
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'.encode()
    )


def index(*urls):
    entries = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return f"<sitemapindex>{entries}</sitemapindex>".encode()


def robots(*lines):
    return reply("\n".join(("User-agent: *", "Disallow: /private", *lines)).encode())


RSS = b"<rss><channel><item><link>/post</link></item><item><link>http://b.sample/post</link></item></channel></rss>"
LAUGHS = (
    b'<!DOCTYPE x [<!ENTITY l "http://a.sample/laugh">]><urlset><url><loc>&l;</loc></url></urlset>'
)
ANSWERS = {
    # a: named in robots.txt: an index, packed, with an index in it, and a text; /sitemap.xml is not asked for
    "a/robots.txt": robots("Sitemap: http://a.sample/index.xml", "Sitemap: /list.txt", "Sitemap: /bad.xml"),
    "a/index.xml": reply(gzip.compress(index("/s1.xml.gz", "http://b.sample/s.xml", "/inner.xml")), GZIP),
    "a/s1.xml.gz": reply(
        gzip.compress(urlset("http://a.sample/1", "/private/x", "http://b.sample/stolen", "ftp://a.sample/f")),
        GZIP,
    ),
    "a/inner.xml": reply(index("/s9.xml"), XML),
    "a/list.txt": reply(
        b"\xef\xbb\xbf# all pages\n\nhttp://a.sample/2\nhttp://a.sample/3\n", b"Content-Type: text/plain"
    ),
    "a/bad.xml": reply(LAUGHS, XML),
    # b: none named; its own map is cut in the middle
    "b/robots.txt": reply(b"", status=b"404 Not Found"),
    "b/sitemap.xml": reply(urlset("http://b.sample/1", "http://b.sample/half")[:-60], XML),
    # c: a map on another host, which it names, and which lists pages of both and of a third
    "c/robots.txt": robots("Sitemap: http://d.sample/c.xml"),
    "d/robots.txt": robots(),
    "d/c.xml": reply(urlset("http://c.sample/1", "http://d.sample/1", "http://b.sample/stolen"), XML),
    "d/sitemap.xml": reply(b"", status=b"404 Not Found"),
    # e: everything is forbidden, the map too
    "e/robots.txt": reply(b"User-agent: *\nDisallow: /\nSitemap: http://e.sample/s.xml"),
    # f: a feed; a redirect; a canonical link
    "f/robots.txt": robots(),
    "f/sitemap.xml": reply(page(), HTML),
    "f/": reply(
        page(b'<link rel=canonical href="/canon?b=2&a=1"><link rel=alternate type="application/rss+xml" '
             b'href=/feed><a href=/moved>m</a>'), HTML),
    "f/feed": reply(RSS, FEED),
    "f/moved": reply(b"", b"Location: /target", status=b"301 Moved"),
}  # fmt: skip
PAGES = [
    *("a/1", "a/2", "a/3", "a/s9.xml", "a/laugh", "b/1", "b/half", "b/stolen", "b/post", "b/s.xml"),
    *("c/1", "d/1", "e/1", "f/post", "f/target", "f/canon?a=1&b=2"),
    *("a/", "b/", "c/", "d/", "e/"),
]
# What the links, redirects and canonical links of pages lead to.
FOLLOWED = ["f/canon?a=1&b=2", "f/moved", "f/target"]


def crawl(folder, *options):
    done = run_scrapy(
        "crawl", "odp", "-a", f"seeds={folder / 'seeds.txt'}", "-L", "INFO",
        *("-s", f"CORPUS_DIR={folder / 'corpus'}", "-s", f"HOSTS_FILE={folder / 'hosts.tsv'}"),
        *("-s", "FETCH_RETRIES=0"), *options,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "] ERROR" not in done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    """(what was asked without the options, and with them, the corpus of the latter, and what that crawl told)."""
    folder = tmp_path_factory.mktemp("sitemaps")
    hostile = Hostile({**{path: reply(page(path.encode()), HTML) for path in PAGES}, **ANSWERS})
    with served_bytes(folder, hostile):
        crawl(folder)
        n_plain = len(hostile.asked)
        (folder / "corpus").rename(folder / "plain")
        told = crawl(folder, "-a", "sitemaps=1", "-a", "feeds=1")
    return set(hostile.asked[:n_plain]), hostile.asked[n_plain:], folder / "corpus", told


def pages(asked):
    return sorted(path for path in asked if not path.endswith(("/robots.txt", "/")))


def test_without_the_options_none_is_asked_for(crawled):
    assert pages(crawled[0]) == FOLLOWED


def test_what_sitemaps_and_feeds_list_is_fetched_once(crawled):
    files = [
        "a/bad.xml",
        "a/index.xml",
        "a/inner.xml",
        "a/list.txt",
        "a/s1.xml.gz",
        "b/sitemap.xml",
    ]
    files += ["d/c.xml", "d/sitemap.xml", "f/feed", "f/sitemap.xml"]
    listed = ["a/1", "a/2", "a/3", "b/1", "b/post", "c/1", "d/1", "f/post"]
    assert pages(crawled[1]) == sorted([*files, *listed, *FOLLOWED])


def test_they_are_no_text_and_their_links_are_arcs(crawled):
    corpus = Corpus.open(crawled[2])
    rows = {row["url"]: row["reason"] for row in corpus.rejected(["url", "reason"])}
    sitemaps = {url for url, reason in rows.items() if reason == "sitemap"}
    assert sitemaps == {
        *(f"http://a.sample/{name}" for name in ("bad.xml", "index.xml", "inner.xml", "list.txt")),
        *("http://a.sample/s1.xml.gz", "http://b.sample/sitemap.xml", "http://d.sample/c.xml"),
    }
    assert rows["http://f.sample/feed"] == "feed"
    depths = {row["url"]: row["depth"] for row in corpus.documents(["url", "depth"])}
    depths |= {row["url"]: row["depth"] for row in corpus.rejected(["url", "depth"])}
    assert depths["http://a.sample/index.xml"] == 0
    assert depths["http://a.sample/1"] == 2
    assert depths["http://f.sample/post"] == 2


def test_an_index_within_an_index_is_told(crawled):
    what = "index of sitemaps within another one, or that a page links to"
    assert f"  skipped   {1:>10,}  {what}\n" in crawled[3]


def test_canonical_links_are_kept_and_are_no_references():
    model = build_page(
        b'<link rel=canonical href="/canon?b=2&amp;a=1"><p>text',
        url="http://f.sample/",
        content_type=None,
    )
    assert model.canonical == "http://f.sample/canon?a=1&b=2"
    assert model.links.url == []


def test_redirects_and_canonical_links_are_arcs(crawled):
    with Graph.open(crawled[2]) as graph:
        ids = graph.pages()
        urls = dict(zip(ids.tolist(), graph.urls(ids), strict=True))
        sources, targets, flags = graph.arcs()
    arcs = {
        (urls[source], urls[target]): flag
        for source, target, flag in zip(
            sources.tolist(), targets.tolist(), flags.tolist(), strict=True
        )
    }
    redirect = arcs["http://f.sample/moved", "http://f.sample/target"]
    link = arcs["http://f.sample/", "http://f.sample/moved"]
    assert (redirect >> KIND_SHIFT, link >> KIND_SHIFT) == (LinkKind.REDIRECT, LinkKind.A)
    canonical = arcs["http://f.sample/", "http://f.sample/canon?a=1&b=2"]
    assert canonical >> KIND_SHIFT == LinkKind.CANONICAL
    assert ("http://f.sample/feed", "http://b.sample/post") in arcs


# A host whose robots.txt names a sitemap on another one, which lists pages of both and of a third.
NAMED = {
    "c/": reply(page(), HTML),
    "c/robots.txt": robots("Sitemap: http://d.sample/c.xml"),
    "c/1": reply(page(b"1"), HTML),
    "d/c.xml": reply(urlset("http://c.sample/1", "http://e.sample/2"), XML),
    "d/sitemap.xml": reply(b"", status=b"404 Not Found"),
}


@pytest.mark.slow
@pytest.mark.parametrize("runs", [["crawl", "crawl"], ["fleet"]])
def test_a_sitemap_may_list_who_names_it_in_later_runs_and_other_processes(tmp_path, runs):
    """Sitemaps and pages of a fleet of three are of two processes; a second run does not read robots.txt anew."""
    assert [owner_of(host, range(3)) for host in ("sample.c", "sample.d")] == [2, 1]
    hostile = Hostile(NAMED)
    with served_bytes(tmp_path, hostile):
        (tmp_path / "seeds.txt").write_text("http://c.sample/\n")
        for n, command in enumerate(runs, 1):
            done = run_scrapy(
                *(command, "odp", "-a", f"seeds={tmp_path / 'seeds.txt'}", "-a", "sitemaps=1"),
                *("-s", f"CORPUS_DIR={tmp_path / 'corpus'}", "-a", f"max_pages={n % len(runs)}"),
                *("-s", f"HOSTS_FILE={tmp_path / 'hosts.tsv'}", "--nolog"),
                *(("-p", "3") if command == "fleet" else ()),
            )
            assert done.returncode == 0, done.stderr
    asked = {path for path in hostile.asked if not path.endswith("robots.txt")}
    assert asked == set(NAMED) - {"c/robots.txt"}


@pytest.mark.parametrize("kind", [FEED, HTML])
def test_a_feed_may_be_a_sitemap_and_lists_what_such_may(tmp_path, kind):
    hostile = Hostile({
        "a/": reply(page(b"a"), HTML),
        "a/robots.txt": robots("Sitemap: http://a.sample/feed"),
        "a/feed": reply(RSS, kind),
        "a/post": reply(page(b"post"), HTML),
    })  # fmt: skip
    with served_bytes(tmp_path, hostile):
        crawl(tmp_path, "-a", "sitemaps=1")
    assert pages(hostile.asked) == ["a/feed", "a/post"]
    rows = Corpus.open(tmp_path / "corpus").rejected(["url", "reason"])
    assert {row["url"]: row["reason"] for row in rows}["http://a.sample/feed"] == "sitemap"


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("SITEMAP_MAX_FILES=1", ["a/1", "a/2", "a/3", "a/4", "a/s1.txt"]),
        ("SITEMAP_MAX_URLS=2", ["a/1", "a/2", "a/5", "a/6", "a/s1.txt", "a/s2.txt"]),
        ("SITEMAP_MAX_BYTES=36", ["a/1", "a/2", "a/5", "a/6", "a/s1.txt", "a/s2.txt"]),
        ("SITEMAP_HOST_URLS=4", None),  # of whichever of the two comes first
    ],
)
def test_settings_bound_what_sitemaps_list(tmp_path, setting, expected):
    listed = [f"http://a.sample/{n}\n".encode() for n in range(1, 9)]
    text = b"Content-Type: text/plain"
    hostile = Hostile({
        **{f"a/{n}": reply(page(b"%d" % n), HTML) for n in range(1, 9)},
        "a/": reply(page(), HTML),
        "a/robots.txt": robots("Sitemap: /s1.txt", "Sitemap: /s2.txt"),
        "a/s1.txt": reply(b"".join(listed[:4]), text),
        "a/s2.txt": reply(b"".join(listed[4:]), text),
    })  # fmt: skip
    with served_bytes(tmp_path, hostile):
        crawl(tmp_path, "-a", "sitemaps=1", "-s", setting, "-s", "HOST_DELAY_SECS=0")
    asked = pages(hostile.asked)
    assert len(asked) == 6 if expected is None else asked == expected


LISTED = urlset(*(f"http://a.sample/{n}" for n in range(100)))
PACKED = reply(gzip.compress(LISTED), XML, b"Content-Encoding: gzip")


@pytest.mark.parametrize(
    ("path", "answer", "setting", "reason"),
    [
        ("s.xml", PACKED, "DOWNLOAD_MAXSIZE=4000", "sitemap"),
        ("sitemap?page=1", reply(LISTED, XML), "DOWNLOAD_MAXSIZE=4000", "sitemap"),
        ("map", PACKED, "DOWNLOAD_MAXSIZE=4000", "too_large"),
        ("map", PACKED, "DOWNLOAD_MAXSIZE=40000", "sitemap"),
        ("s.xml", PACKED, "SITEMAP_MAX_BYTES=4500", "too_large"),
        ("s.xml", reply(page(b"word " * 1000), HTML), "DOWNLOAD_MAXSIZE=4000", "too_large"),
    ],
)
def test_a_sitemap_may_be_larger_than_a_page(tmp_path, path, answer, setting, reason):
    """A URL that says so is believed while the answer is downloaded; what is no sitemap is measured as a page."""
    hostile = Hostile({
        "a/": reply(page(), HTML),
        "a/robots.txt": robots(f"Sitemap: /{path}"),
        f"a/{path}": answer,
    })  # fmt: skip
    with served_bytes(tmp_path, hostile):
        crawl(
            tmp_path, "-a", "sitemaps=1", "-s", "DOWNLOAD_MAXSIZE=4000", "-s", setting,
            "-a", "max_pages=2",
        )  # fmt: skip
    rows = Corpus.open(tmp_path / "corpus").rejected(["url", "reason"])
    reasons = {row["url"]: row["reason"] for row in rows}
    assert reasons[f"http://a.sample/{path}"] == reason
    with Graph.open(tmp_path / "corpus") as graph:
        assert len(graph.pages()) == 2 + (100 if reason == "sitemap" else 0)


@pytest.mark.parametrize("argument", ["sitemaps=yes", "feeds=2"])
def test_a_wrong_switch_is_one_line(tmp_path, argument):
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("http://a.sample/\n", encoding="utf-8")
    done = run_scrapy("crawl", "odp", "-a", f"seeds={seeds}", "-a", argument)
    assert done.returncode == 2
    assert done.stderr.startswith(f"winnow: {argument.partition('=')[0]} is ")
    assert done.stderr.count("\n") == 1
