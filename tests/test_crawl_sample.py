"""The main job, end to end: the small sample web crawled over loopback, and its answers."""

from __future__ import annotations

import json

from crawler.webgraph.graph import Graph
from pipelines.corpus.corpus import Corpus
from tests.conftest import crawl_arguments, run_scrapy


def test_summary_is_all_that_nolog_leaves(small_crawl):
    _, _, done = small_crawl
    assert done.stdout.startswith("Crawl finished after ")
    assert "queued" in done.stdout
    assert all("pages (" in line for line in done.stderr.splitlines())


def test_answers_of_the_sample_web(small_crawl):
    web, corpus, _ = small_crawl
    checked = run_scrapy(
        "sampleweb", "--folder", web, "--check", corpus, "--hosts", 16, "--pages", 400
    )
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


def test_pagerank_of_the_crawl(small_crawl):
    _, corpus, _ = small_crawl
    ranked = run_scrapy("pagerank", "--corpus", corpus, "--json")
    assert ranked.returncode == 0, ranked.stderr
    assert json.loads(ranked.stdout)["pages"] == len(Graph.open(corpus).pages())
    assert list((corpus / "ranks").glob("*.parquet"))
