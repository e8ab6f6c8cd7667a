"""Answers that are cut on their way, by a server or a network that breaks off, and one that its connection ends."""

from __future__ import annotations

from crawler.seeds.warc import WarcReader
from pipelines.corpus.corpus import Corpus
from tests.conftest import run_scrapy
from tests.hostile_server import HTML, Hostile, hosts_arguments, page, reply, served_bytes


def crawl(folder, *options):
    """Crawl; return what it printed, and host → text."""
    done = run_scrapy(*hosts_arguments(folder), "-s", "FETCH_RETRY_SECS=0.05", *options)
    assert done.returncode == 0, done.stderr
    rows = Corpus.open(folder / "corpus").documents(["host", "text"])
    return done.stdout, {row["host"].partition(".")[0]: row["text"] for row in rows}


def test_an_answer_that_its_connection_ends_is_no_cut_one(tmp_path):
    answers = {
        "ends/": reply(page(), HTML),
        "cut/": reply(page(b"cut"), HTML, b"Content-Length: 9999"),
    }
    with served_bytes(tmp_path, Hostile(answers)):
        crawl(tmp_path, "-s", "WARC_ENABLED=1", "-s", "DEDUP_THRESHOLD=0")
    (path,) = (tmp_path / "corpus" / "warc").iterdir()
    truncated = {record.url: record.truncated for record in WarcReader(path)}
    assert truncated == {"http://ends.sample/": False, "http://cut.sample/": True}
