"""The main job, end to end: the small sample web crawled over loopback, and its answers."""

from __future__ import annotations

import json

import pyarrow.parquet as pq
import pytest

from crawler.webgraph.graph import Graph
from pipelines.corpus.corpus import Corpus
from tests.conftest import SMALL_WEB, crawl_arguments, run_scrapy, served_web


def test_summary_is_all_that_nolog_leaves(small_crawl):
    _, _, done = small_crawl
    assert done.stdout.startswith("Crawl finished after ")
    assert "queued" in done.stdout
    assert " links of this run; " in done.stdout  # more than the arcs that `scrapy pagerank` counts
    told = [line for line in done.stderr.splitlines() if not line.startswith("Compiling")]
    assert all("pages (" in line for line in told)


def test_answers_of_the_sample_web(small_crawl):
    web, corpus, _ = small_crawl
    checked = run_scrapy("sampleweb", "--folder", web, "--check", corpus, *SMALL_WEB)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_every_page_has_one_row(small_crawl):
    _, folder, _ = small_crawl
    corpus = Corpus.open(folder)
    kept = list(corpus.documents(["host_id", "local_id"]))
    rejected = list(corpus.rejected())
    ids = [(row["host_id"], row["local_id"]) for row in kept + rejected]
    assert len(ids) == len(set(ids))
    assert all(row["stage"] and row["reason"] for row in rejected)


def test_documents_have_their_columns(small_crawl):
    _, folder, _ = small_crawl
    rows = list(Corpus.open(folder).documents())
    assert rows
    for row in rows:
        assert row["text"] == "\n".join(block["text"] for block in row["blocks"] if block["kept"])
        assert row["language"]
        assert len(row["digest"]) == 16
        assert row["n_words"] >= 25
        assert row["fetched_at"].tzinfo is not None


def urls_by_id(corpus):
    with Graph.open(corpus) as graph:
        ids = graph.pages()
        return dict(zip(ids.tolist(), graph.urls(ids), strict=True))


def test_same_command_again_fetches_nothing(small_crawl):
    web, corpus, _ = small_crawl
    before = urls_by_id(corpus)
    again = run_scrapy(*crawl_arguments(web, corpus))
    assert again.returncode == 0, again.stderr
    assert "fetched            0  pages" in again.stdout
    assert urls_by_id(corpus) == before
    assert len(set(before.values())) == len(before)


def verdicts(folder):
    """What became of each page, by URL."""
    corpus = Corpus.open(folder)
    kept = {row["url"]: row["text"] for row in corpus.documents(["url", "text"])}
    rows = corpus.rejected(["url", "reason", "duplicate_of"])
    return kept, {row["url"]: (row["reason"], row["duplicate_of"]) for row in rows}


def test_duplicates_are_decided_at_the_end(small_crawl):
    _, folder, _ = small_crawl
    kept, rejected = verdicts(folder)
    copies = {url: of for url, (reason, of) in rejected.items() if "duplicate" in reason}
    assert copies
    assert set(copies.values()) <= kept.keys()
    assert Corpus.open(folder).n_rows("provisional") == 0
    (path,) = (folder / "duplicates").glob("crawl-clusters-*.parquet")
    rows = pq.read_table(path).to_pylist()
    assert {row["url"]: row["duplicate_of"] for row in rows if not row["kept"]} == copies


@pytest.mark.long
def test_another_order_keeps_the_same_pages(small_crawl, tmp_path):
    with served_web(tmp_path / "web", *SMALL_WEB) as web:
        others = ("-s", "HOST_DELAY_SECS=0.1", "-s", "CONCURRENT_REQUESTS=3")
        done = run_scrapy(*crawl_arguments(web, tmp_path / "corpus"), *others)
    assert done.returncode == 0, done.stderr
    assert verdicts(tmp_path / "corpus") == verdicts(small_crawl[1])


def test_pagerank_of_the_crawl(small_crawl):
    _, corpus, _ = small_crawl
    ranked = run_scrapy("pagerank", "--corpus", corpus, "--json")
    assert ranked.returncode == 0, ranked.stderr
    assert json.loads(ranked.stdout)["pages"] == len(Graph.open(corpus).pages())
    assert list((corpus / "ranks").glob("*.parquet"))
