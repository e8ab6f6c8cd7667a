"""A crawl that keeps WARC files, killed on its way: one response a page, and the same corpus from the files."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from crawler.durable.journal import Journal
from crawler.durable.layout import journal_folder
from crawler.durable.warc_files import read_lengths
from crawler.ranking.hits.pagelet_links import read_links
from crawler.seeds.warc import WarcReader
from crawler.webgraph.graph import Graph
from pipelines.corpus.corpus import Corpus
from tests.conftest import crawl_arguments, run_scrapy, served_web
from tests.graph_commands import run_command
from tests.hostile_server import HTML, TEXT, Hostile, hosts_arguments, page, reply, served_bytes
from tests.made_warcs import records_of, whole_lengths
from tests.test_command_pagerank import store_graph
from tests.test_kill import kill_at

ARCHIVED = (
    *("-s", "WARC_ENABLED=1", "-s", "WARC_MAX_BYTES=60000"),
    *("-s", "HOST_DELAY_SECS=0", "-s", "FETCH_RETRY_SECS=0.05"),
    *("-s", "COMMIT_GROUP_PAGES=10", "-s", "SEAL_ROWS=40"),
)


def responses_of(corpus):
    """URL → (file, number of records) of all responses; every file is whole, its digests verified."""
    journal = Journal.open_reader(journal_folder(corpus))
    with journal.read() as txn:
        lengths = read_lengths(txn)
    journal.close()
    assert {f"warc/{path.name}" for path in (corpus / "warc").iterdir()} == set(lengths)
    found = Counter()
    for name, n_bytes in lengths.items():
        assert whole_lengths(corpus / name)[-1] == n_bytes
        found.update(uri for kind, uri, _ in records_of(corpus / name) if kind == "response")
    return found


def rows_of(corpus):
    """(table, row) of each page that was fetched and answered."""
    folder = Corpus.open(corpus)
    rows = [*folder.documents(), *folder.rejected()]
    return [row for row in rows if row["status"]]


@pytest.fixture(scope="module")
def archived(tmp_path_factory):
    """A crawl with WARC files of a small web, killed when they were ahead of the journal, and ended."""
    folder = tmp_path_factory.mktemp("archived")
    corpus = folder / "corpus"
    with served_web(folder / "web", "--hosts", "6", "--pages", "60") as web:
        kill_at(web, corpus, "before commit", *ARCHIVED, number=9)
        done = run_scrapy(*crawl_arguments(web, corpus), *ARCHIVED)
    assert done.returncode == 0, done.stderr
    return corpus


@pytest.mark.slow
def test_each_page_has_one_response(archived):
    responses, rows = responses_of(archived), rows_of(archived)
    assert len(rows) > 60
    assert responses == Counter(row["url"] for row in rows)
    assert len({row["warc_file"] for row in rows}) > 2
    for row in rows[::10]:
        path = archived / row["warc_file"]
        kind, uri, _ = records_of(path, row["warc_offset"])[0]
        assert (kind, uri) == ("response", row["url"])
    without = [row for row in Corpus.open(archived).rejected() if not row["status"]]
    assert {row["warc_file"] for row in without} <= {None}


def picture(corpus):
    """What a crawl kept and why not, by URL; which copy has which reason is left out."""
    columns = ["url", "text", "title", "digest", "charset", "language", "fetched_at", "raw_bytes"]
    columns += ["depth", "category"]
    kept = {row["url"]: row for row in Corpus.open(corpus).documents(columns)}
    rejected = {
        row["url"]: (row["reason"] if row["stage"] != "deduplicate" else row["stage"], row["depth"])
        for row in rows_of(corpus)
        if row["url"] not in kept
    }
    with closing(Graph.open(corpus)) as graph:
        categories = {key: graph.categories(host_id) for host_id, key in graph.hosts().items()}
    return kept, rejected, categories


def test_the_files_give_the_same_corpus(archived, tmp_path):
    done = run_scrapy(
        *("crawl", "warc", "-a", f"paths={archived}/warc/*.warc.gz"),
        *("-s", f"CORPUS_DIR={tmp_path / 'again'}", "--nolog"),
    )
    assert done.returncode == 0, done.stderr
    assert picture(tmp_path / "again") == picture(archived)


@pytest.mark.long
@pytest.mark.parametrize("step", ["before commit", "after commit", "seal renamed"])
@pytest.mark.parametrize("number", [1, 3, 6, 10, 14])
def test_killed_at_any_step(tmp_path, step, number):
    corpus = tmp_path / "corpus"
    with served_web(tmp_path / "web", "--hosts", "6", "--pages", "60") as web:
        times = min(number, 3) if step == "seal renamed" else number
        kill_at(web, corpus, step, *ARCHIVED, number=times)
        done = run_scrapy(*crawl_arguments(web, corpus), *ARCHIVED)
    assert done.returncode == 0, done.stderr
    assert responses_of(corpus) == Counter(row["url"] for row in rows_of(corpus))


def test_bodies_are_those_of_the_wire(archived):
    """A coding that the server used is still on the stored body."""
    coded = []
    for path in sorted((archived / "warc").iterdir()):
        for answer in WarcReader(path):
            headers = {name.lower(): value for name, value in answer.headers}
            assert b"transfer-encoding" not in headers
            if b"content-length" in headers:
                assert int(headers[b"content-length"]) == len(answer.body)
            if b"content-encoding" in headers:
                coded.append(answer.body[:2])
    assert b"\x1f\x8b" in coded


@pytest.mark.slow
def test_hits_on_the_pagelets_of_the_crawl(archived):
    done = run_command("pagelets", "--corpus", archived, "--json")
    assert done.code == 0, done.errors
    made = json.loads(done.out)
    answered = {row["url"] for row in rows_of(archived) if row["status"] == 200}
    assert made["pages"] + made["duplicates"] == len(answered)
    assert 0 < made["templates"] < made["pagelets"]
    done = run_command("pagelets", "--corpus", archived, "--local", "--json")
    found = json.loads(done.out)
    assert found["template_page_share"] >= made["template_page_share"] > 0
    assert (found["detection"], made["detection"]) == ("local", "global")
    again = run_command("pagelets", "--corpus", archived, "--json")
    assert json.loads(again.out) == made
    files = dict(zip(("--pagelets", "--templates"), made["files"], strict=True))
    whole = run_command("hits", "--corpus", archived, "--pagelets", files["--pagelets"], "--json")
    found = json.loads(whole.out)
    assert (found["pagelets"], found["links"]) == (made["pagelets"], made["links"])
    both = [argument for pair in files.items() for argument in pair]
    cleaned = json.loads(run_command("hits", "--corpus", archived, *both, "--json").out)
    assert cleaned["pagelets"] == made["pagelets"] - made["templates"]
    assert cleaned["links"] == made["links"] - made["template_links"]
    # each is a link of the graph
    with Graph.open(archived) as graph:
        web = graph.host_graph(nofollow=False)
        known = {*zip(*(web.packed[ends].tolist() for ends in web.arcs()), strict=True)}
    links = read_links(Path(files["--pagelets"]))
    assert {*zip(links.page.tolist(), links.target.tolist(), strict=True)} <= known


def test_pagelets_need_warc_files(tmp_path):
    store_graph(tmp_path)
    done = run_command("pagelets", "--corpus", tmp_path)
    assert (done.code, "give --warc, or crawl with WARC_ENABLED=1" in done.errors) == (2, True)
    done = run_command("pagelets", "--corpus", tmp_path, "--warc", tmp_path / "none*")
    assert (done.code, "give a WARC file or a glob" in done.errors) == (2, True)


def test_a_protocol_in_small_letters_is_archived_as_readers_know_it(tmp_path):
    answer = reply(page(), HTML).replace(b"HTTP/1.1", b"http/1.1", 1)
    with served_bytes(tmp_path, Hostile({"a/": answer})):
        done = run_scrapy(*hosts_arguments(tmp_path), "-s", "WARC_ENABLED=1")
    assert done.returncode == 0, done.stderr
    (path,) = (tmp_path / "corpus" / "warc").iterdir()
    reader = WarcReader(path)
    assert [(response.url, response.status) for response in reader] == [("http://a.sample/", 200)]
    assert reader.skipped == 0


def test_sitemaps_and_feeds_are_left_out_whenever_they_are_read(tmp_path):
    """One of text, or sent as HTML, would be a document of the crawl of the files."""
    urls = b"".join(b"http://a.sample/the-mill-and-the-road-%d\n" % n for n in range(30))
    answers = {
        "a/robots.txt": reply(b"Sitemap: /list.txt"),
        "a/list.txt": reply(urls, b"Content-Type: text/plain"),
        "a/feed": reply(b"<rss><channel><item><title>" + TEXT + b"</title></item></channel></rss>", HTML),
        "a/": reply(page(b'<link rel=alternate type="application/rss+xml" href=/feed>'), HTML),
    }  # fmt: skip
    lists = {"a/list.txt", "a/feed"}
    options = (
        *("-a", "sitemaps=1", "-a", "feeds=1", "-s", "WARC_ENABLED=1", "-s", "TRAP_EVIDENCE=0"),
        *("-s", "HOST_DELAY_SECS=0", "-s", "IP_DELAY_SECS=0", "-s", "DOMAIN_DELAY_SECS=0"),
        *("-s", "FETCH_RETRIES=0"),
    )
    with served_bytes(tmp_path, hostile := Hostile(answers)):
        for again in ((), ("-a", "recrawl_after=0.01s")):
            done = run_scrapy(*hosts_arguments(tmp_path), *options, *again)
            assert done.returncode == 0, done.stderr
    assert [hostile.asked.count(path) for path in lists] == [2, 2]
    paths = sorted((tmp_path / "corpus" / "warc").iterdir())
    uris = {uri for path in paths for _, uri, _ in records_of(path)}
    assert "http://a.sample/" in uris
    assert not uris & {f"http://a.sample{path[1:]}" for path in lists}


def test_what_says_to_be_packed_and_is_not_is_read_in_either_crawl(tmp_path):
    answers = {
        "a/": reply(page(b"a " * 9), HTML, b"Content-Encoding: gzip"),
        "b/": reply(b"\x1f\x8b" + page(b"b " * 9), HTML, b"Content-Encoding: gzip"),
    }
    with served_bytes(tmp_path, Hostile(answers)):
        done = run_scrapy(*hosts_arguments(tmp_path), "-s", "WARC_ENABLED=1")
    assert done.returncode == 0, done.stderr
    again = ("-a", f"paths={tmp_path}/corpus/warc/*", "-s", f"CORPUS_DIR={tmp_path / 'again'}")
    assert run_scrapy("crawl", "warc", *again, "--nolog").returncode == 0
    for name in ("corpus", "again"):
        corpus = Corpus.open(tmp_path / name)
        assert [row["url"] for row in corpus.documents(["url"])] == ["http://a.sample/"]
        reasons = {row["url"]: row["reason"] for row in corpus.rejected(["url", "reason"])}
        assert reasons == {"http://b.sample/": "content_encoding"}
