"""Sitemaps and feeds in a crawl of one site: its own pages out of them, wherever the sitemaps are."""

from __future__ import annotations

import pytest

from pipelines.corpus.corpus import Corpus
from tests.conftest import run_scrapy
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes

XML = b"Content-Type: application/xml"
RSS = b"Content-Type: application/rss+xml"
NONE = reply(b"", status=b"404 Not Found")


def robots(*sitemaps):
    return reply("\n".join(f"Sitemap: {url}" for url in sitemaps).encode())


def listing(root, *urls):
    entry = "sitemap" if root == "sitemapindex" else "url"
    entries = "".join(f"<{entry}><loc>{url}</loc></{entry}>" for url in urls)
    return reply(f"<{root}>{entries}</{root}>".encode(), XML)


def moved(url):
    return reply(b"", b"Location: " + url, status=b"301 Moved")


# The address leads to b, whose sitemaps are on it and on d; no page of c is of the site.
ANSWERS = {
    "a/": moved(b"http://b.sample/"),
    "a/sitemap.xml": NONE,
    "b/robots.txt": robots("http://d.sample/index.xml", "/moved.xml", "http://d.sample/page.xml"),
    "b/": reply(page(b"<link rel=alternate type=application/rss+xml href=/feed>"
                     b"<link rel=alternate type=application/rss+xml href=http://c.sample/feed>"), HTML),
    "b/feed": reply(b"<rss><channel><item><link>/post</link></item>"
                    b"<item><link>http://c.sample/post</link></item></channel></rss>", RSS),
    "b/moved.xml": moved(b"http://c.sample/map.xml"),
    "d/index.xml": listing("sitemapindex", "http://d.sample/list.xml", "http://c.sample/list.xml"),
    "d/list.xml": listing("urlset", "http://b.sample/old", "http://d.sample/own", "http://c.sample/x"),
    "d/page.xml": reply(page(b"<a href=/more>more</a> <a href=http://b.sample/linked>b</a>"), HTML),
}  # fmt: skip
PAGES = ("b/post", "b/old", "b/linked", "c/feed", "c/post", "c/map.xml", "c/list.xml", "c/x")
FOUND = {"a/", "b/"}
OF_SITEMAPS = {"a/sitemap.xml", "b/moved.xml", "d/index.xml", "d/list.xml", "d/page.xml"}


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        ((), set()),
        (("sitemaps=1",), OF_SITEMAPS | {"b/old", "b/linked"}),
        (("feeds=1",), {"b/feed", "b/post"}),
        (("links=0", "sitemaps=1"), OF_SITEMAPS | {"b/old"}),
        (("links=0", "feeds=1"), {"b/feed", "b/post"}),
        (("sitemaps=1", "feeds=1"), OF_SITEMAPS | {"b/old", "b/linked", "b/feed", "b/post"}),
    ],
)
def test_a_site_crawl_takes_its_own_pages_out_of_sitemaps_and_feeds(tmp_path, options, asked):
    pages = {path: reply(page(path.encode()), HTML) for path in (*PAGES, "d/own", "d/more")}
    hostile = Hostile(pages | ANSWERS)
    arguments = [part for option in options for part in ("-a", option)]
    with served_bytes(tmp_path, hostile):
        done = run_scrapy(
            *("crawl", "site", "-a", "url=http://a.sample/", *arguments, "--nolog"),
            *("-s", f"CORPUS_DIR={tmp_path / 'corpus'}", "-s", "DEDUP_THRESHOLD=0"),
            *("-s", f"HOSTS_FILE={tmp_path / 'hosts.tsv'}", "-s", "FETCH_RETRIES=0"),
        )
    assert done.returncode == 0, done.stderr
    assert {path for path in hostile.asked if not path.endswith("/robots.txt")} == FOUND | asked
    corpus = Corpus.open(tmp_path / "corpus")
    hosts = {row["host"] for row in corpus.documents(["host"])}
    assert hosts == {"b.sample"}
    reasons = {row["url"]: row["reason"] for row in corpus.rejected(["url", "reason"])}
    if "sitemaps=1" in options:
        assert reasons["http://d.sample/page.xml"] == "off_site"
        assert reasons["http://d.sample/list.xml"] == "sitemap"


def crawl(folder, url, *options, sitemaps=1):
    done = run_scrapy(
        *("crawl", "site", "-a", f"url={url}", "-a", f"sitemaps={sitemaps}", "--nolog", *options),
        *("-s", f"CORPUS_DIR={folder / 'corpus'}", "-s", "DEDUP_THRESHOLD=0"),
        *("-s", f"HOSTS_FILE={folder / 'hosts.tsv'}"),
    )
    assert done.returncode == 0, done.stderr
    corpus = Corpus.open(folder / "corpus")
    kept = {row["url"].partition("//")[2] for row in corpus.documents(["url"])}
    return kept, {row["url"]: row["reason"] for row in corpus.rejected(["url", "reason"])}


def test_a_site_that_was_crawled_without_sitemaps_has_them_in_a_later_run(tmp_path):
    hostile = Hostile({
        "a/robots.txt": robots("/own.xml"),
        "a/": moved(b"http://b.sample/"),
        "a/own.xml": listing("urlset", "http://a.sample/new"),
        "a/new": reply(page(b"new"), HTML),
        "b/": reply(page(), HTML),
        "b/sitemap.xml": listing("urlset", "http://b.sample/old", "http://c.sample/"),
        "b/old": reply(page(b"old"), HTML),
    })  # fmt: skip
    with served_bytes(tmp_path, hostile):
        kept, _ = crawl(tmp_path, "http://a.sample/", sitemaps=0)
        assert kept == {"b.sample/"}
        for _ in range(2):
            kept, _ = crawl(tmp_path, "http://a.sample/")
            assert kept == {"a.sample/new", "b.sample/", "b.sample/old"}
    asked = sorted(path for path in hostile.asked if not path.endswith("/robots.txt"))
    assert asked == ["a/", "a/new", "a/own.xml", "a/sitemap.xml", "b/", "b/old", "b/sitemap.xml"]


def test_a_sitemap_on_another_host_may_redirect_there(tmp_path):
    hostile = Hostile({
        "a/robots.txt": robots(*(f"http://{path}.xml" for path in ("c.sample/1", "c.sample/2", "c.sample/3"))),
        "a/": reply(page(), HTML),
        "a/old": reply(page(b"old"), HTML),
        "c/1.xml": moved(b"/map.xml"),
        "c/map.xml": listing("urlset", "http://a.sample/old"),
        "c/2.xml": moved(b"/"),
        "c/": reply(page(b"<a href=/more>more</a>"), HTML),
        "c/3.xml": moved(b"http://d.sample/"),
        "d/": reply(page(), HTML),
    })  # fmt: skip
    with served_bytes(tmp_path, hostile):
        kept, reasons = crawl(tmp_path, "http://a.sample/")
    assert kept == {"a.sample/", "a.sample/old"}
    assert reasons["http://c.sample/"] == "off_site"
    assert not {"c/more", "d/"} & set(hostile.asked)


def test_pages_that_wait_of_another_site_are_no_sitemaps_of_this_one(tmp_path):
    links = b"<a href=/1>1</a> <a href=/moved>2</a>"
    hostile = Hostile({
        "a/": reply(page(links), HTML),
        "a/1": reply(page(b"one"), HTML),
        "a/moved": moved(b"/2"),
        "b/": reply(page(b"b"), HTML),
    })  # fmt: skip
    with served_bytes(tmp_path, hostile):
        crawl(tmp_path, "http://a.sample/", "-a", "max_pages=1")
        kept, _ = crawl(tmp_path, "http://b.sample/", "-s", "CORPUS_RULES_MAY_CHANGE=1")
    assert kept == {"a.sample/", "a.sample/1", "b.sample/"}


def test_a_sitemap_that_redirects_is_not_where_the_address_leads(tmp_path):
    """Its host is one that the address led to, and it stands as deep as the address."""
    hostile = Hostile({
        "a/": moved(b"http://b.sample/"),
        "a/sitemap.xml": moved(b"http://c.sample/"),
        "b/": reply(page(), HTML),
        "b/sitemap.xml": moved(b"http://c.sample/"),
        "c/": reply(page(b"<a href=/1>1</a>"), HTML),
    })  # fmt: skip
    with served_bytes(tmp_path, hostile):
        done = run_scrapy(
            *("crawl", "site", "-a", "url=http://a.sample/", "-a", "sitemaps=1", "--nolog"),
            *("-s", f"CORPUS_DIR={tmp_path / 'corpus'}"),
            *("-s", f"HOSTS_FILE={tmp_path / 'hosts.tsv'}"),
        )
    assert done.returncode == 0, done.stderr
    asked = {path for path in hostile.asked if not path.endswith("/robots.txt")}
    assert asked == {"a/", "b/", "a/sitemap.xml", "b/sitemap.xml"}
