"""The Spark engines on a local cluster, against the local engines.

One file, so that one process of the suite starts the cluster; what needs no cluster is in
test_spark_tables.
"""

from __future__ import annotations

import json
import random

import numpy as np
import pyarrow.parquet as pq
import pytest

from crawler.errors import InputError, WinnowError
from crawler.ranking.methods import pagerank
from crawler.ranking.options import RankOptions
from crawler.webgraph.large_web import LargeWeb, WebShape
from pipelines.corpus.corpus import Corpus
from pipelines.jobs.dedup.options import DedupOptions
from pipelines.jobs.dedup.run import dedup_corpus
from tests.dedup_corpus import make_corpus, sentences
from tests.graph_commands import run_command
from tests.ranking_graphs import graph_of, random_graph
from tests.spark_session import spark
from tests.test_command_pagerank import store_graph

__all__ = ["spark"]


def test_ranks_are_those_of_the_local_engine(spark):
    from crawler.ranking.cluster.spark import spark_pagerank

    graph = random_graph(1)
    preference = np.random.default_rng(1).random(graph.n_pages)
    options = RankOptions(tolerance=1e-11, alpha=0.3)
    result = spark_pagerank(graph, options, n_partitions=3, preference=preference)
    local = pagerank(graph, options, preference=preference)
    assert result.converged
    assert result.iterations > 8  # the lineage was cut on the way
    assert result.n_votes < result.n_remote_arcs
    assert np.abs(result.rank - local.rank).max() < 1e-9


@pytest.mark.long
def test_large_web_ranks_are_those_of_the_local_engine(spark):
    from crawler.ranking.cluster.spark import spark_pagerank

    graph = LargeWeb(WebShape.large(20_000, dangling=0.1)).host_graph()
    options = RankOptions(tolerance=1e-12, dangling="self")
    result = spark_pagerank(graph, options, n_partitions=2)
    assert np.abs(result.rank - pagerank(graph, options).rank).max() < 1e-9


def test_the_command_writes_the_ranks_of_the_local_engine(spark, tmp_path):
    store_graph(tmp_path)
    call = ("pagerank", "--corpus", tmp_path, "--alpha", "0.4", "--json", "--partitions", 2)
    written = []
    for engine in ("local", "spark"):
        run = run_command(*call, "--engine", engine, "--tolerance", "1e-10")
        assert run.code == 0, run.errors
        assert json.loads(run.out)["engine"] == engine
        written.append(pq.read_table(tmp_path / "ranks/pagerank.parquet"))
    local, ours = written
    assert ours.drop_columns("rank").equals(local.drop_columns("rank"))
    assert ours["rank"].to_numpy() == pytest.approx(local["rank"].to_numpy(), abs=1e-9)


def test_no_pages_need_no_cluster():
    from crawler.ranking.cluster.spark import spark_pagerank

    result = spark_pagerank(graph_of([], []), n_partitions=2, master="spark://nobody:1")
    assert (result.rank.size, result.converged) == (0, True)


def test_rows_of_several_batches_come_whole_and_in_order(spark, monkeypatch):
    from crawler.ranking.cluster import row_pieces
    from crawler.ranking.cluster import spark as engine

    monkeypatch.setattr(engine, "BATCH_BYTES", 4000)
    monkeypatch.setattr(row_pieces.pieces, "__defaults__", (500,))
    rows = [(number, np.arange(number * 100)) for number in range(9)]
    placed = engine.place(spark, iter(rows), 4)
    found = placed.map(lambda part: [each.tolist() for each in part]).collect()
    placed.unpersist()
    assert found == [[row.tolist() for k, row in rows if k % 4 == part] for part in range(4)]


@pytest.fixture
def corpus(tmp_path):
    """Articles in changed copies and exact ones, pages of one template, quoted paragraphs."""
    rng = random.Random(7)
    quoted = sentences(rng, 2)
    documents = {}
    for number in range(14):
        blocks = sentences(rng, 5)
        if number % 3 == 0:
            blocks.insert(2, " ".join(quoted))
        documents[f"http://a.com/{number:02}"] = blocks
        if number % 2:
            changed = [*blocks[:-1], blocks[-1] + " And a few words more."]
            documents[f"http://a.com/copy/{number}"] = changed
        if number % 5 == 0:
            documents[f"http://a.com/exact/{number}"] = blocks
    documents["http://a.com/empty"] = []
    folder = tmp_path / "corpus"
    make_corpus(folder, documents, n_sealed=9, language="en")
    return folder


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"unit": "block"},
        {"unit": "block", "stop_words": "exclude"},
        pytest.param({"method": "simhash", "keep": "first"}, marks=pytest.mark.long),
    ],
)
def test_clusters_are_those_of_the_local_engine(spark, corpus, options, tmp_path):
    found = []
    for engine in ("local", "spark"):
        output = tmp_path / engine
        report = dedup_corpus(corpus, DedupOptions(engine=engine, **options), output=output)
        assert report.clusters >= (0 if options else 6)
        rows = pq.read_table(report.findings).to_pylist()
        kept = {row["url"]: row["text"] for row in Corpus.open(output).documents(["url", "text"])}
        found.append((report.dropped_documents, report.removed_words, rows, kept))
    assert found[0] == found[1]


def blocks_of(folder):
    """(URLs, and of each document its blocks and their classes) of the corpus in *folder*."""
    rows = list(Corpus.open(folder).documents(["url", "blocks"]))
    blocks = [
        ([each["text"] for each in row["blocks"]], ["good"] * len(row["blocks"])) for row in rows
    ]
    return [row["url"] for row in rows], blocks


def test_removed_blocks_are_those_of_the_local_engine(spark, corpus):
    from pipelines.jobs.dedup import blocks as local
    from pipelines.jobs.dedup import spark as engine

    urls, blocks = blocks_of(corpus)

    def ties(numbers):
        return [urls[number] for number in numbers.tolist()]

    options = DedupOptions(unit="block", engine="spark")
    expected = local.remove_blocks(iter(blocks), ties, options)
    found = engine.remove_blocks(iter(blocks), ties, options)
    assert found[1:] == expected[1:]
    n_decided = 0
    for number in range(len(urls)):
        assert (number in found.decided) == (number in expected.decided)
        if number in found.decided:
            n_decided += 1
            for mine, theirs in zip(found.decided[number], expected.decided[number], strict=True):
                assert (mine == theirs).all()
    assert n_decided > 8


def test_blocks_of_an_empty_corpus(spark):
    from pipelines.jobs.dedup import spark as engine

    options = DedupOptions(unit="block", engine="spark")
    found = engine.remove_blocks(iter([]), lambda numbers: [], options)
    assert found[1:] == (0, 0, 0)


def test_what_fails_on_the_cluster_is_one_line(spark):
    from crawler.ranking.cluster.spark import spark_context

    with (
        pytest.raises(WinnowError, match=r"^Spark failed \(.*\); run again, see its log$"),
        spark_context() as context,
    ):
        context.parallelize([0], 1).map(lambda number: 1 // number).collect()


def test_without_java_one_line_says_so(monkeypatch):
    from crawler.ranking.cluster import spark as engine

    monkeypatch.setattr(engine, "_running", [])
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(InputError, match="needs Java"), engine.spark_context():
        pass
