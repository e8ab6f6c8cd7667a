"""Sitemaps and feeds: every format, packed, cut, broken, hostile."""

from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.seeds.feeds import read_feed
from crawler.seeds.link_files import Entry, LinkFileLimits, root_name
from crawler.seeds.sitemaps import read_sitemap
from tests.traced_memory import least_traced

NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
URLSET = f"""<?xml version="1.0" encoding="UTF-8"?>
<!-- made by hand -->
<urlset {NS} xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:xhtml="http://www.w3.org/1999/xhtml">
  <url><loc> http://a.example/1?x=1&amp;y=2 </loc><lastmod>2026-01-02</lastmod><priority>0.5</priority>
    <image:image><image:loc>http://a.example/1.jpg</image:loc></image:image>
    <xhtml:link rel="alternate" hreflang="de" href="http://a.example/de/1"/></url>
  <url><lastmod>2026-01-03T04:05:06+01:00</lastmod><loc><![CDATA[http://a.example/2]]></loc></url>
  <url><loc></loc></url>
  <url><priority>1</priority></url>
</urlset>"""
PAGES = [
    Entry("http://a.example/1?x=1&y=2", "2026-01-02"),
    Entry("http://a.example/2", "2026-01-03T04:05:06+01:00"),
]
INDEX = f"""<sitemapindex {NS}><sitemap><loc>http://a.example/s1.xml.gz</loc><lastmod>2026</lastmod></sitemap>
<sitemap><loc>/s2.xml</loc></sitemap></sitemapindex>"""


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize(
    ("text", "kind", "entries"),
    [
        (URLSET, "urlset", PAGES),
        (INDEX, "sitemapindex", [Entry("http://a.example/s1.xml.gz", "2026"), Entry("/s2.xml")]),
        ("http://a.example/1\n\r\n http://a.example/2\r\n", "text",
         [Entry("http://a.example/1"), Entry("http://a.example/2")]),
        ("http://a.example/1\rhttp://a.example/2\r", "text",
         [Entry("http://a.example/1"), Entry("http://a.example/2")]),
        ("# all\n\n \n#http://a.example/old\nhttp://a.example/1\n# end", "text", [Entry("http://a.example/1")]),
        (" \n\ufeffhttp://a.example/1\n\ufeff# more\n\ufeff http://a.example/2", "text",
         [Entry("http://a.example/1"), Entry("http://a.example/2")]),
        ("# no URL so far\n" * 9000 + "http://a.example/1", "text", [Entry("http://a.example/1")]),
        ("\n \ufeff<urlset><url><loc>http://a.example/1</loc></url></urlset>", "urlset",
         [Entry("http://a.example/1")]),
        ("\ufeffhttps://a.example/é", "text", [Entry("https://a.example/é")]),
        ("<s:urlset xmlns:s='x'><s:url><s:loc>http://a.example/</s:loc></s:url></s:urlset>", "urlset",
         [Entry("http://a.example/")]),
    ],
)  # fmt: skip
def test_formats(text, kind, entries, pack):
    found = read_sitemap(pack(text.encode()))
    assert (found.kind, found.entries, found.problems) == (kind, entries, set())


@pytest.mark.parametrize("codec", ["utf-16", "iso-8859-1", "windows-1252"])
def test_other_encodings(codec):
    text = f'<?xml version="1.0" encoding="{codec}"?><urlset><url><loc>http://a.example/é</loc></url></urlset>'
    assert read_sitemap(text.encode(codec)).entries == [Entry("http://a.example/é")]


@pytest.mark.parametrize(
    "body",
    [b"", b"\0" * 50, b"hello", b"<html><body>http://a.example/</body></html>", b"http://a b\nhttp://c",
     b"Text with http://a.example/ in it\nhttp://a.example/", b"\x1f\x8bnot gzip", b"<rss/>", b"{}",
     b"# Links\nThe best:\nhttp://a.example/", b"# only\n# comments", b"# x\n" * 99 + b"make all\nhttp://a.example/"],
)  # fmt: skip
def test_what_is_no_sitemap(body):
    assert read_sitemap(body) is None


BROKEN = [
    (URLSET.encode()[:-60], "broken"),
    (gzip.compress(URLSET.encode(), mtime=0)[:-12], "damaged"),
    (URLSET.encode().replace(b"</urlset>", b"</wrong><url>"), "broken"),
    (URLSET.encode().replace(b"<priority>0.5", b"\x0b\xff<priority>0.5"), None),
    (URLSET.encode().replace(b"&amp;", b"&"), None),
]


@pytest.mark.parametrize(("body", "problem"), BROKEN)
def test_what_came_before_counts(body, problem):
    found = read_sitemap(body)
    assert found.entries == PAGES
    assert found.problems >= ({problem} if problem else set())


def test_limits():
    entries = b"".join(b"<url><loc>http://a.example/%d</loc></url>" % n for n in range(5000))
    body = b"<urlset>" + entries + b"</urlset>"
    found = read_sitemap(body, LinkFileLimits(max_urls=100))
    assert (len(found.entries), found.problems) == (100, {"urls"})
    for packed in (body, gzip.compress(body)):
        found = read_sitemap(packed, LinkFileLimits(max_bytes=100_000))
        assert 2000 < len(found.entries) < 3000
        assert "bytes" in found.problems
    lines = b"http://a.example/x\n" * 200
    assert len(read_sitemap(lines, LinkFileLimits(max_urls=100)).entries) == 100
    long_one = b"<urlset><url><loc>http://a.example/" + b"x" * 3000 + b"</loc></url></urlset>"
    assert read_sitemap(long_one).entries == []
    with pytest.raises(ValueError, match="max_urls"):
        LinkFileLimits(max_urls=0)


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
HOSTILE = {
    "laughs": f'<!DOCTYPE x [<!ENTITY l0 "lol">{LAUGHS}]><urlset><url><loc>http://a.example/&l9;</loc></url>',
    "quadratic": f'<!DOCTYPE x [<!ENTITY l "{"l" * 50_000}">]><urlset><url><loc>{"&l;" * 9000}</loc></url>',
    "file": '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><urlset><url><loc>&f;</loc></url></urlset>',
    "parameter": '<!DOCTYPE x [<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p;]><urlset><url><loc>&f;</loc></url>',
    "doctype": '<!DOCTYPE x SYSTEM "file:///etc/passwd"><urlset><url><loc>&f;</loc></url></urlset>',
    "xinclude": '<urlset xmlns:xi="http://www.w3.org/2001/XInclude"><url><loc><xi:include parse="text" '
    'href="file:///etc/passwd"/></loc></url></urlset>',
    "deep": "<urlset>" + "<url>" * 200_000,
    "attributes": "<urlset "
    + " ".join(f'a{n}="x"' for n in range(100_000))
    + "><url><loc>x</loc></url>",
    "one text": "<urlset><url><loc>" + "x" * 20_000_000,
    "one comment": "<urlset><!--" + "-" * 5_000_000,
    "ampersands": "<urlset><url><loc>" + "&" * 200_000,
    "one line": "http://a.example/" + "x" * 5_000_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_cost_little_memory_and_open_nothing(name):
    body = HOSTILE[name].encode()

    def read():
        feed = body.replace(b"urlset", b"rss").replace(b"url>", b"item>").replace(b"loc>", b"link>")
        return read_sitemap(body), read_feed(feed)

    (found, feed), _, peak = least_traced(read)
    shown = str([found and found.entries, feed and feed.entries])
    assert "root:" not in shown
    assert "lollol" not in shown
    assert len(shown) < 10_000
    assert peak < 3 * len(body) + 3 * 2**20


def test_gzip_bomb_is_cut():
    bomb = gzip.compress(b"<urlset>" + b" " * 30_000_000)
    found, _, peak = least_traced(lambda: read_sitemap(bomb, LinkFileLimits(max_bytes=2**20)))
    assert "bytes" in found.problems
    assert peak < 4 * 2**20


@pytest.mark.parametrize(
    "fill",
    [b"<a/>" * 2**20, b"<url>" + b"<a/>" * 2**20, b"<a>" * 2**20, b"<!--" + b"x" * 2**22,
     None],
    ids=["siblings", "children", "deep", "comment", "attributes"],
)  # fmt: skip
def test_what_has_no_entry_for_megabytes_is_cut(fill):
    if fill is None:  # not made by each worker that collects this
        fill = b"<url " + b" ".join(b"a%d='>'" % n for n in range(300_000))
    # A tree of the whole file, which lxml keeps until an entry ends, takes 1.6 GB at the default limit.
    entry = b"<url><loc>http://a.example/</loc></url>"
    found = read_sitemap(b"<urlset>" + entry + fill + entry)
    assert found.entries == [Entry("http://a.example/")]
    assert found.problems == {"bytes"}


def test_what_stands_between_entries_is_let_go_of():
    entry = b"<g>" + b"<a/>" * 2**18 + b"<h><url><loc>http://a.example/</loc></url></h></g>"
    found = read_sitemap(b"<urlset>" + entry * 4 + b"</urlset>")
    assert (len(found.entries), found.problems) == (4, set())


@pytest.mark.parametrize(
    "line", [b"<url/>", b"<g><url><loc>no\0</loc></url></g>", b"\n \n", b"http://a b\n"]
)
def test_entries_that_name_no_page_count_too(line):
    start = b"<urlset>" if line.startswith(b"<") else b"http://a.example/\n" * 20
    found = read_sitemap(start + line * 300_000, LinkFileLimits(max_urls=5000))
    assert found.problems == {"urls"}
    assert found.n_seen == 5001


def test_surrogates_and_ampersands():
    for number in (b"&#xD800;", b"&#57343;", b"&#x00dFfF;", b"&#0055296;"):
        body = b"<urlset><url><loc>http://a.example/%s&#xE9;</loc></url></urlset>" % number
        assert read_sitemap(body).entries == [Entry("http://a.example/é")]
    for loc in (b"<![CDATA[http://a.example/?x=1&y=2]]>", b"http://a.example/?x=1&amp;amp;y=2"):
        body = b"<urlset><url><loc>%s</loc></url></urlset>" % loc
        assert read_sitemap(body).entries == [Entry("http://a.example/?x=1&y=2")]


def test_members_behind_the_first_are_told():
    body = gzip.compress(URLSET.encode())
    found = read_sitemap(body + body)
    assert (found.entries, found.problems) == (PAGES, {"damaged"})


def test_memory_of_a_large_sitemap_is_that_of_its_entries():
    fill = b"<priority>0.8</priority><changefreq>daily</changefreq>" + b"<image>x</image>" * 20
    body = b"".join(b"<url><loc>http://a.example/%d</loc>%s</url>" % (n, fill) for n in range(5000))
    found, _, peak = least_traced(lambda: read_sitemap(b"<urlset>" + body + b"</urlset>"))
    assert len(found.entries) == 5000
    assert peak < len(body) + 8 * 2**20


RSS = """<?xml version="1.0" encoding="utf-8"?><!DOCTYPE rss PUBLIC "-//Netscape//DTD RSS 0.91//EN" "http://x/y.dtd">
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><link>http://a.example/</link>
<atom:link href="http://a.example/feed" rel="self"/>
<item><title>x &nbsp; y</title><link>http://a.example/1</link><guid>http://a.example/?p=1</guid><pubDate>d1</pubDate></item>
<item><guid>http://a.example/2</guid></item>
<item><guid isPermaLink="false">http://a.example/3</guid></item>
<item><guid>17</guid></item></channel></rss>"""
RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
xmlns:dc="d"><channel><link>http://a.example/</link></channel><item rdf:about="x"><link>http://a.example/1</link>
<dc:date>d1</dc:date></item></rdf:RDF>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><link href="http://a.example/"/><entry>
<link rel="edit" href="http://a.example/e"/><link rel="alternate" href="http://a.example/1"/><updated>d1</updated>
<published>d0</published></entry><entry><link href="/2"/></entry><entry><id>x</id></entry></feed>"""
BASED = """<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://b.example/blog/"><entry><link href="1"/></entry>
<entry xml:base="sub/"><link href=" 2"/></entry><entry><link xml:base="/x/" href="?3"/></entry>
<entry><link xml:base="http://[" href="4"/></entry><entry xml:base="/y/"><link href="http://a.example/5"/></entry></feed>"""
JSON_FEED = {
    "version": "https://jsonfeed.org/version/1.1",
    "items": [
        {"url": "http://a.example/1", "date_modified": "d1"},
        {"external_url": "/2"}, {"id": 3}, 4, {"url": 5, "date_published": 6},
    ],
}  # fmt: skip


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize(
    ("text", "kind", "entries"),
    [
        (RSS, "rss", [Entry("http://a.example/1", "d1"), Entry("http://a.example/2")]),
        (RDF, "rdf", [Entry("http://a.example/1", "d1")]),
        (ATOM, "atom", [Entry("http://a.example/1", "d1"), Entry("/2")]),
        (
            BASED,
            "atom",
            [
                *(
                    Entry(f"http://b.example/{path}")
                    for path in ("blog/1", "blog/sub/2", "x/?3", "blog/4")
                ),
                Entry("http://a.example/5"),
            ],
        ),
        (
            "<rss xml:base='/r/'><channel><item><link>1</link></item></channel></rss>",
            "rss",
            [Entry("/r/1")],
        ),
        (json.dumps(JSON_FEED), "json", [Entry("http://a.example/1", "d1"), Entry("/2")]),
    ],
)
def test_feeds(text, kind, entries, pack):
    if kind == "json" and pack is not bytes:
        return
    found = read_feed(pack(text.encode()))
    assert (found.kind, found.entries) == (kind, entries)


@pytest.mark.parametrize(
    "body",
    [b"", b"{}", b'{"version": 1, "items": []}', b"[" * 100_000, b'{"a":' * 100_000, b"{" + b"1" * 9999,
     b"<html/>", b"http://a.example/", b'{"version": "https://jsonfeed.org/version/1", "items": 7}'[:-2]],
)  # fmt: skip
def test_what_is_no_feed(body):
    assert read_feed(body) is None


@given(st.binary(max_size=200))
def test_any_file_is_read(body):
    for start in (
        b"",
        b"<urlset>",
        b"<rss>",
        b"<?xml",
        b"\x1f\x8b\x08\0",
        b"http://",
        b'{"version":"https:',
    ):
        read_sitemap(start + body)
        read_feed(start + body)


@pytest.mark.parametrize(
    ("body", "name"),
    [(b"<a/>", "a"), (b"\xef\xbb\xbf <?xml ?>\n<!DOCTYPE a>\n<!-- <b> --><x:Y z>", "Y"), (b"< a>", ""),
     (b"<!-- no end " + b"-" * 9000, ""), (b"<" * 9000, ""), (b" " * 9000 + b"<a>", "")],
)  # fmt: skip
def test_root_names(body, name):
    assert root_name(body) == name
