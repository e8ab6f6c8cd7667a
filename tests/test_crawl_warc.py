"""The crawl of WARC files: real records, no socket, each response in documents or rejected."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from itertools import islice

import networkx as nx
import numpy as np
import pytest

from crawler.ranking.store import read_ranks
from crawler.seeds.warc import WarcReader
from crawler.webgraph.graph import Graph
from pipelines.corpus.corpus import Corpus
from tests.before_commands import end_at_a_connection
from tests.conftest import run_scrapy
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes
from tests.warc_records import DATE, TEXT, chunked, html, record, revisit, segments


def write_warcs(folder):
    """Write one plain and one gzip file; two of the responses are of one canonical URL."""
    kind = "Content-Type: text/html; charset=utf-8"
    first = [
        record("http://a.sample/", html(TEXT, "/b", "http://c.sample/x#top", "/b"), kind),
        record(
            "http://A.sample:80/b?y=2&x=1",
            html("Other words stand on this page of the site. " * 9, "/"),
            kind,
        ),
        record("http://a.sample/b?x=1&y=2", html("Another capture of the same URL. " * 9), kind),
    ]
    second = [
        record("http://a.sample/zip", gzip.compress(html("Packed text. " * 40)), kind,
               "Content-Encoding: gzip"),
        record("http://a.sample/old", b"", "Location: /zip", status="301 Moved Permanently"),
        record("http://a.sample/away", b"", "Location: http://b.sample/", status="302 Found"),
        record("http://a.sample/image", b"\x89PNG\r\n", "Content-Type: image/png"),
        record("http://a.sample/none", html("Nothing here."), kind, status="404 Not Found"),
    ]  # fmt: skip
    (folder / "1.warc").write_bytes(b"".join(first))
    (folder / "2.warc.gz").write_bytes(b"".join(map(gzip.compress, second)))
    return folder


@pytest.fixture
def warc(tmp_path):
    """A folder of its own with the files of :func:`write_warcs`."""
    return write_warcs(tmp_path)


def write_codings(path):
    """Write answers whose headers name codings that their bodies have, or have not."""
    kind, packed = "Content-Type: text/html", "Content-Encoding: gzip"
    sent = "Transfer-Encoding: gzip, chunked"
    marked = b"\xef\xbb\xbf" + html("A mark stands before it. " * 9)
    wide = html("Wide letters stand on this page of the site. " * 9).decode().encode("utf-16")
    path.write_bytes(
        record("http://a.sample/decoded", html(TEXT), kind, packed)
        + record("http://a.sample/marked", marked, kind, packed)
        + record("http://a.sample/wide", wide, kind, packed)
        + record("http://a.sample/words", b"Plain words. " * 40, "Content-Encoding: br")
        + record(
            "http://a.sample/sent",
            chunked(gzip.compress(html("Sent in a coding of its transfer. " * 9))),
            kind,
            sent,
        )
        + record(
            "http://a.sample/unsent", html("Sent in no coding of its transfer. " * 9), kind, sent
        )
        + record("http://a.sample/broken", gzip.compress(html(TEXT))[1:], kind, packed)
        + record("http://a.sample/status", html(TEXT), kind, status="99999999 OK")
        + record("http://a.sample/zero", html(TEXT), kind, status="0 OK")
    )


def test_codings_that_the_body_does_not_have(tmp_path):
    path = tmp_path / "codings.warc"
    write_codings(path)
    done = run_scrapy(
        "crawl", "warc", "-a", f"paths={path}",
        "-s", f"CORPUS_DIR={tmp_path / 'corpus'}", "-L", "INFO",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    corpus = Corpus.open(tmp_path / "corpus")
    kept = {row["url"][16:]: row["text"][:4] for row in corpus.documents()}
    assert kept == {
        "decoded": "This",
        "marked": "A ma",
        "wide": "Wide",
        "words": "Plai",
        "sent": "Sent",
        "unsent": "Sent",
    }
    assert {row["url"][16:]: row["reason"] for row in corpus.rejected()} == {
        "broken": "content_encoding",
        "zero": "invalid_status",
    }
    done = run_scrapy("pagelets", "--corpus", tmp_path / "corpus", "--warc", path, "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["pages"], report["undecodable"], report["unknown"]) == (6, 1, 0)


def crawl_warc(paths, corpus, *settings):
    """Crawl the WARC files *paths* in a process that ends when it opens a connection."""
    arguments = ("-a", f"paths={paths}", "-s", f"CORPUS_DIR={corpus}", "--nolog", *settings)
    arguments += ("-s", "PROGRESS_SECS=0")  # what is told of files stands alone
    return run_scrapy("crawl", "warc", *arguments, profile="default", before=end_at_a_connection)


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    """The corpus of the files of `warc`."""
    folder = write_warcs(tmp_path_factory.mktemp("crawled"))
    done = crawl_warc(folder / "*.warc*", folder / "corpus")
    assert done.returncode == 0, done.stderr
    return folder / "corpus"


def test_every_response_has_its_row(crawled):
    corpus = Corpus.open(crawled)
    kept = {row["url"]: row for row in corpus.documents()}
    assert sorted(kept) == ["http://a.sample/", "http://a.sample/b?x=1&y=2", "http://a.sample/zip"]
    assert kept["http://a.sample/"]["fetched_at"].isoformat() == "2020-02-02T02:02:02+00:00"
    assert kept["http://a.sample/zip"]["text"].startswith("Packed text.")
    assert {row["url"]: row["reason"] for row in corpus.rejected()} == {
        "http://a.sample/old": "redirect",
        "http://a.sample/away": "redirect",
        "http://a.sample/image": "content_type",
        "http://a.sample/none": "status_404",
    }
    replaced = list(corpus.replaced())
    assert [(row["url"], row["source"][:7]) for row in replaced] == [
        ("http://a.sample/b?x=1&y=2", "1.warc:")
    ]


def test_again_changes_nothing(crawled):
    assert crawl_warc(crawled.parent / "*.warc*", crawled).returncode == 0
    corpus = Corpus.open(crawled)
    assert [corpus.n_rows(table) for table in ("documents", "rejected", "replaced")] == [3, 4, 1]


def test_pages_that_another_crawl_left_queued_are_not_fetched(tmp_path, warc):
    links = b"".join(b'<a href="/b?%d">x</a>' % n for n in range(9))
    with served_bytes(tmp_path, Hostile({"h/": reply(page(links), HTML)})):
        first = run_scrapy(
            *(
                "crawl",
                "odp",
                "-a",
                f"seeds={tmp_path / 'seeds.txt'}",
                "-a",
                "max_pages=1",
                "--nolog",
            ),
            *("-s", f"CORPUS_DIR={warc / 'corpus'}", "-s", f"HOSTS_FILE={tmp_path / 'hosts.tsv'}"),
        )
    assert first.returncode == 0, first.stderr
    for _ in range(2):
        done = crawl_warc(warc / "[12].warc*", warc / "corpus")
        assert done.returncode == 0, done.stderr
        assert re.search(r"left +9  pages queued", done.stdout), done.stdout
    assert Corpus.open(warc / "corpus").n_rows("documents") == 4


def test_arcs_of_stored_pages(crawled):
    graph = Graph.open(crawled)
    ids = graph.pages()
    urls = dict(zip(ids.tolist(), graph.urls(ids), strict=True))
    sources, targets, _ = graph.arcs(nofollow=True)
    assert Counter(
        (urls[source], urls[target])
        for source, target in zip(sources.tolist(), targets.tolist(), strict=True)
    ) == {
        ("http://a.sample/", "http://a.sample/b"): 1,
        ("http://a.sample/", "http://c.sample/x"): 1,
        ("http://a.sample/b?x=1&y=2", "http://a.sample/"): 1,
        ("http://a.sample/old", "http://a.sample/zip"): 1,
        ("http://a.sample/away", "http://b.sample/"): 1,
    }


def test_damaged_end_is_counted_and_the_rest_kept(warc):
    whole = (warc / "1.warc").read_bytes()
    (warc / "1.warc").write_bytes(whole[:-200])
    packed = (warc / "2.warc.gz").read_bytes()
    (warc / "2.warc.gz").write_bytes(packed[:-40] + b"\xff" * 40)
    done = crawl_warc(warc / "[12].warc*", warc / "corpus")
    assert done.returncode == 0, done.stderr
    assert re.search(r"truncated +[12]  responses? cut", done.stdout), done.stdout
    assert re.search(r"damaged +2  files with places that", done.stdout), done.stdout
    assert f"{warc / '2.warc.gz'} is damaged in 1 place: " in done.stderr
    assert Corpus.open(warc / "corpus").n_rows("documents") >= 2


def check_shared(paths, corpus, n_responses):
    """Crawl shared WARCs, rank the graph, and compare with networkx on the exported arcs."""
    done = crawl_warc(paths, corpus)
    assert done.returncode == 0, done.stderr
    folder = Corpus.open(corpus)
    rows = [folder.n_rows(table) for table in ("documents", "rejected", "replaced")]
    assert sum(rows) == n_responses
    assert not [row for row in folder.rejected(["stage"]) if row["stage"] in ("stages", "spider")]
    ranked = run_scrapy(
        "pagerank", "--corpus", corpus, "--tolerance", "1e-12", "--nofollow", "keep"
    )
    assert ranked.returncode == 0, ranked.stderr
    graph = Graph.open(corpus)
    sources, targets, _ = graph.arcs(nofollow=True)
    theirs = nx.DiGraph()
    theirs.add_nodes_from(graph.pages().tolist())
    theirs.add_edges_from(zip(sources.tolist(), targets.tolist(), strict=True))
    expected = nx.pagerank(theirs, tol=1e-13 / len(theirs), max_iter=2000)
    table = read_ranks(corpus / "ranks" / "pagerank.parquet")
    ids = table["host_id"].to_numpy().astype(np.uint64) << np.uint64(32)
    ids |= table["local_id"].to_numpy().astype(np.uint64)
    ours = table["rank"].to_numpy() / len(table)
    assert len(table) == len(expected)
    assert sum(abs(ours - [expected[i] for i in ids.tolist()])) < 1e-9


def test_first_real_pages(shared, tmp_path):
    path = shared / "data" / "warc" / "pages-2011-2026.warc.gz"
    behind = next(islice(WarcReader(path), 100, None))
    end = int(behind.source.rpartition(":")[2])
    (tmp_path / "first.warc.gz").write_bytes(path.read_bytes()[:end])
    check_shared(tmp_path / "first.warc.gz", tmp_path / "corpus", 100)


@pytest.mark.long
def test_real_pages(shared, tmp_path):
    check_shared(shared / "data" / "warc" / "pages-2011-2026.warc.gz", tmp_path / "corpus", 751)


@pytest.mark.long
def test_all_real_pages(shared, tmp_path):
    check_shared(shared / "data" / "warc" / "*.warc.gz", tmp_path / "corpus", 8949)


def test_without_a_limit_of_bytes_answers_are_whole(tmp_path):
    (tmp_path / "one.warc").write_bytes(record("http://a.sample/", html(TEXT)))
    done = crawl_warc(tmp_path / "one.warc", tmp_path / "corpus", "-s", "DOWNLOAD_MAXSIZE=0")
    assert done.returncode == 0, done.stderr
    assert "truncated" not in done.stdout
    assert Corpus.open(tmp_path / "corpus").n_rows("documents") == 1


def test_headers_are_read_as_the_bytes_they_are(tmp_path):
    away = record("http://a.sample/away", b"", "Location: /caf\xe9", status="302 Found")
    link = record("http://a.sample/", html(TEXT), "Link: </\u0161>; rel=canonical")
    (tmp_path / "one.warc").write_bytes(away + link)
    assert crawl_warc(tmp_path / "one.warc", tmp_path / "corpus").returncode == 0
    with Graph.open(tmp_path / "corpus") as graph:
        _, targets, _ = graph.arcs()
        assert sorted(graph.urls(targets)) == [
            "http://a.sample/%C5%A1", "http://a.sample/caf%C3%A9"
        ]  # fmt: skip


def test_resources_are_pages_and_files_without_answers_are_told(tmp_path):
    body = record("http://a.sample/", html(TEXT), "Content-Type: text/html")
    text = html("\xb9" + TEXT).decode().encode("latin-1")
    head = (
        "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.sample/file\r\n"
        f"Content-Type: text/html; charset=iso-8859-2\r\nContent-Length: {len(text)}\r\n\r\n"
    )
    (tmp_path / "1.warc").write_bytes(body.replace(b"Type: response", b"Type: conversion"))
    # Heritrix and wget keep what a site says to crawlers; it is no text, though it may look like one.
    robots = record("http://a.sample/robots.txt", html(TEXT), "Content-Type: text/html")
    # Heritrix names the answer of another URL where the bytes were the same.
    other = revisit(
        "http://a.sample/other", DATE, DATE, "WARC-Refers-To-Target-URI: http://a.sample/file"
    )
    # One that withdraws its page says something without an answer.
    block = b"HTTP/1.1 304 Not Modified\r\nX-Robots-Tag: noindex\r\n\r\n"
    gone = revisit("http://a.sample/gone", DATE, None, block=block)
    (tmp_path / "2.warc").write_bytes(head.encode() + text + b"\r\n\r\n" + robots + other + gone)
    (tmp_path / "3.warc").write_bytes(segments("http://a.sample/long", html(TEXT)))
    done = crawl_warc(tmp_path / "*.warc", tmp_path / "corpus")
    told = f"{tmp_path}/1.warc holds no answer to a request, only records of type conversion\n"
    assert (done.returncode, done.stderr) == (0, told)
    assert "  skipped            1  response stored in segments, of which none" in done.stdout
    assert "  skipped            1  revisit without an answer of its own URL" in done.stdout
    rejected = Corpus.open(tmp_path / "corpus").rejected()
    reasons = {row["url"].rpartition("/")[2]: row["reason"] for row in rejected}
    assert reasons == {"robots.txt": "robots_txt", "gone": "noindex"}
    (row,) = Corpus.open(tmp_path / "corpus").documents()
    assert (row["url"], row["status"]) == ("http://a.sample/file", 200)
    assert row["text"].startswith("\u0161")
