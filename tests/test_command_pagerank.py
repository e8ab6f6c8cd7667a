"""``scrapy pagerank`` on a stored graph: the ranks file, what is printed, wrong calls."""

from __future__ import annotations

import gzip
import json

import networkx as nx
import numpy as np
import pyarrow.parquet as pq
import pytest

from crawler.durable.files import make_folder
from crawler.durable.journal import Journal
from crawler.durable.layout import journal_folder
from crawler.durable.sealing import append_record
from crawler.ranking.store import computed_as, read_ranks
from crawler.urls import page_key
from crawler.webgraph.arcs.records import pack_arcs, page_arcs
from crawler.webgraph.graph import Graph
from crawler.webgraph.hosts.rows import HostBatch
from crawler.webgraph.pages.table import PageTable
from tests.conftest import run_scrapy

# source -> targets; a target with "!" is linked to by nofollow
WEB = {
    "http://www.a.sample/": [
        "http://www.a.sample/1",
        "http://www.a.sample/1",
        "http://www.b.sample/",
    ],
    "http://www.a.sample/1": ["http://www.a.sample/", "http://www.a.sample/1"],
    "http://www.b.sample/": [
        "!http://www.c.sample/",
        "http://www.c.sample/x",
        "http://www.a.sample/",
    ],
    "http://www.c.sample/x": [],
}
URLS = sorted({*WEB, *(t.removeprefix("!") for targets in WEB.values() for t in targets)})


def store_graph(corpus, web=WEB) -> None:
    """Put *web* into the journal of *corpus*, as commits of a crawl do."""
    urls = sorted({*web, *(t.removeprefix("!") for targets in web.values() for t in targets)})
    folder = journal_folder(corpus)
    make_folder(folder)
    journal = Journal.open_writer(folder)

    def commit(txn) -> None:
        hosts = HostBatch(txn)
        table = PageTable(txn, hosts)
        table.ids([page_key(url) for url in [*web, *urls]])
        pages = []
        for source, targets in web.items():
            ids = table.find([page_key(t.removeprefix("!")) for t in targets]).ids
            flags = np.array([t.startswith("!") for t in targets], dtype=np.uint8)
            pages.append(page_arcs(table.find_one(page_key(source)), ids, flags))
        append_record(txn, "arcs", 1, pack_arcs(pages))
        table.write_log(1)
        hosts.write()

    journal.write(commit)
    journal.close()


def expected_ranks(*, nofollow: bool, alpha: float = 0.85) -> dict[str, float]:
    graph = nx.DiGraph()
    graph.add_nodes_from(URLS)
    for source, targets in WEB.items():
        kept = [t.removeprefix("!") for t in targets if nofollow or not t.startswith("!")]
        graph.add_edges_from((source, target) for target in kept)
    ranks = nx.pagerank(graph, alpha, tol=1e-13 / len(URLS), max_iter=1000)
    return {url: rank * len(URLS) for url, rank in ranks.items()}


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    corpus = tmp_path_factory.mktemp("ranked") / "corpus"
    store_graph(corpus)
    return corpus


def ranks_of(corpus) -> dict[str, float]:
    table = read_ranks(corpus / "ranks" / "pagerank.parquet")
    return dict(zip(table["url"].to_pylist(), table["rank"].to_pylist(), strict=True))


def test_ranks_equal_networkx(stored):
    done = run_scrapy("pagerank", "--corpus", stored, "--tolerance", "1e-13")
    assert (done.returncode, done.stderr) == (0, "")
    assert ranks_of(stored) == pytest.approx(expected_ranks(nofollow=False), abs=1e-9)
    best = max(expected_ranks(nofollow=False).items(), key=lambda item: item[1])
    rows = done.stdout.split("url\n")[1].splitlines()
    assert rows[0].split() == [f"{best[1]:.4f}", best[0]]
    assert len(rows) == len(URLS)
    assert "pages       5" in done.stdout
    assert "arcs        6" in done.stdout
    assert "hosts       3" in done.stdout
    assert "method      host-blocks, threads " in done.stdout
    assert "votes" not in done.stdout  # threads send none


def test_json_and_options(stored):
    options = ["--alpha", ".5", "--method", "jacobi", "--nofollow", "keep", "--json"]
    done = run_scrapy("pagerank", "-s", f"CORPUS_DIR={stored}", *options)
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert (report["pages"], report["arcs"], report["hosts"]) == (5, 7, 3)
    assert report["method"] == "jacobi"
    assert report["residual"] <= report["error_bound"] <= 1e-8
    assert [number for number, _ in report["changes"]] == list(range(1, report["iterations"] + 1))
    assert report["file"] == str(stored / "ranks" / "pagerank.parquet")
    expected = expected_ranks(nofollow=True, alpha=0.5)
    assert ranks_of(stored) == pytest.approx(expected, abs=1e-6)
    assert [url for _, url in report["top"]] == sorted(URLS, key=lambda url: (-expected[url], url))


def test_no_more_partitions_than_hosts_are_told(stored):
    report = report_of(stored, "--method", "partitioned", "--partitions", "1000")
    assert (report["hosts"], report["partitions"]) == (3, 3)


def report_of(corpus, *options):
    done = run_scrapy("pagerank", "--corpus", corpus, "--json", *options)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_tables_of_nodes_and_edges_are_ranked_as_a_corpus(stored, tmp_path):
    with Graph.open(stored) as graph:
        sources, targets, _ = graph.arcs(nofollow=False)
        ids = graph.pages().tolist()
        urls = graph.urls(ids)
    number = {page: n for n, page in enumerate(ids)}
    arcs = zip(sources.tolist(), targets.tolist(), strict=True)
    tables = {
        "nodes": [f"{n}\t{url}" for n, url in enumerate(urls)],
        "edges": [f"{number[source]}\t{number[target]}" for source, target in arcs],
    }
    folder = tmp_path / "tables"
    folder.mkdir()
    for name, lines in tables.items():
        packed = gzip.compress("".join(f"{line}\n" for line in lines).encode())
        (folder / f"{name}.tsv.gz").write_bytes(packed)
    report_of(folder)
    assert ranks_of(folder) == pytest.approx(expected_ranks(nofollow=False), abs=1e-7)
    topics = tmp_path / "topics.tsv"
    topics.write_text(f"Top/A\t{URLS[0]}\nTop/B\thttp://unknown.example/\n")
    told = report_of(folder, "--topics", topics)
    assert (told["topics"], told["not_found"]) == (1, 1)
    assert pq.read_table(folder / "ranks" / "topics.parquet").num_rows == len(URLS)
    done = run_scrapy("pagerank", "--corpus", folder, "--topics", "seeds")
    assert "has a category; give a list to --topics" in done.stderr
    done = run_scrapy("hits", "--corpus", folder, "--json")
    assert (done.returncode, json.loads(done.stdout)["pages"]) == (0, len(URLS))


def test_runs_after_the_first_start_from_its_ranks(tmp_path):
    corpus = tmp_path / "corpus"
    store_graph(corpus)
    first = report_of(corpus, "--checkpoint-secs", "0")
    assert (first["method"], first["warm_pages"], first["resumed_at"]) == ("host-blocks", 0, 0)
    again = report_of(corpus, "--scale", "sum", "--arrays", "mapped")
    assert again["warm_pages"] == len(URLS)
    assert again["iterations"] < first["iterations"]
    expected = expected_ranks(nofollow=False)
    assert ranks_of(corpus) == pytest.approx(expected, abs=1e-7)
    assert again["top"][0][0] == pytest.approx(max(expected.values()) / len(URLS), abs=1e-4)
    stored = pq.read_table(corpus / "ranks" / "pagerank.parquet")
    assert sum(stored["rank"].to_pylist()) == pytest.approx(1)
    assert sorted(path.name for path in (corpus / "ranks").iterdir()) == ["pagerank.parquet"]
    assert not list(corpus.glob("tmp*"))


def test_share_of_internal_links(tmp_path):
    """Told in the report and the file; ranks of another share are nothing to start from."""
    corpus = tmp_path / "corpus"
    store_graph(corpus)
    plain = report_of(corpus)
    assert plain["internal_share"] is None
    told = report_of(corpus, "--internal-share", "0.2", "--tolerance", "1e-13")
    assert (told["internal_share"], told["warm_pages"]) == (0.2, 0)
    path = corpus / "ranks" / "pagerank.parquet"
    assert computed_as(read_ranks(path))["internal_share"] == 0.2
    ranks = ranks_of(corpus)
    assert ranks != pytest.approx(expected_ranks(nofollow=False), abs=1e-3)
    partitioned = report_of(
        corpus, "--internal-share", "0.2", "--tolerance", "1e-13", "--method", "partitioned"
    )
    assert partitioned["internal_share"] == 0.2
    assert ranks_of(corpus) == pytest.approx(ranks, abs=1e-11)
    assert report_of(corpus, "--internal-share", ".2")["warm_pages"] == len(URLS)
    done = run_scrapy("pagerank", "--corpus", corpus, "--internal-share", "0")
    assert "anew\ninternal    0 of its rank a page gives to links within its host\n" in done.stdout
    assert report_of(corpus)["warm_pages"] == 0


def test_partitions_by_speed(tmp_path):
    corpus = tmp_path / "corpus"
    store_graph(corpus)
    report = report_of(corpus, "--method", "partitioned", "--speeds", "2,1")
    assert (report["partitions"], report["remote_arcs"] > 0) == (2, True)
    assert ranks_of(corpus) == pytest.approx(expected_ranks(nofollow=False), abs=1e-6)


def test_ranks_are_written_elsewhere(tmp_path):
    corpus, output = tmp_path / "corpus", tmp_path / "other" / "ranks"
    store_graph(corpus)
    topics = tmp_path / "topics.tsv"
    topics.write_text("Top/A\thttp://www.a.sample/\n")
    before = sorted(corpus.rglob("*"))
    assert report_of(corpus, "--output", output, "--arrays", "mapped")["file"] == str(
        output / "pagerank.parquet"
    )
    assert report_of(corpus, "--output", output)["warm_pages"] == len(URLS)
    report = report_of(corpus, "--output", output, "--topics", topics)
    assert report["file"] == str(output / "topics.parquet")
    assert {path.name for path in output.iterdir()} == {"pagerank.parquet", "topics.parquet"}
    assert sorted(corpus.rglob("*")) == before


@pytest.mark.parametrize("options", [[], ["--topics", "seeds"], ["--output", "/dev/null/ranks"]])
def test_ranks_that_cannot_be_written_are_told_before_they_are_computed(tmp_path, options):
    store_graph(tmp_path)
    (tmp_path / "ranks").write_text("no folder")
    done = run_scrapy("pagerank", "--corpus", tmp_path, *options)
    assert (done.returncode, done.stdout) == (2, "")
    folder = options[1] if "--output" in options else tmp_path / "ranks"
    assert done.stderr == (
        f"winnow: cannot write into {folder} (Not a directory); "
        "give another folder for the ranks as --output\n"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--output", "-"], "--output is '-', but there are files to write; name a folder"),
        (["--alpha", "1"], "--alpha must be at least 0 and below 1, got 1.0; see --help"),
        (["--internal-share", "1.01"], "--internal-share must be 0 to 1, got 1.01; see --help"),
        (
            ["--internal-share", ".5", "--engine", "spark"],
            "--internal-share is for --engine local; leave it out",
        ),
        (["--partitions", "-1"], "--partitions must be 0 to 1024, got -1"),
        (["--partitions", "100000"], "--partitions must be 0 to 1024, got 100000"),
        (
            ["--mean-change", "1e-3", "--tolerance", "1e-3"],
            "--tolerance does nothing with --mean-change; leave one out",
        ),
        (["--topics", "none.tsv"], "cannot read none.tsv (No such file or directory); give"),
        (["--method", "power"], "--method must be one of host-blocks, partitioned"),
        (["--dangling", "keep"], "--dangling must be one of redistribute, drop, self, got 'keep'"),
        (["--nofollow", "maybe"], "--nofollow is 'maybe'; give drop or keep"),
        (["--max-iterations", "2"], "give a larger --tolerance or --max-iterations"),
        (
            ["--max-iterations", "2", "--mean-change", "1e-9"],
            "give a larger --mean-change or --max-iterations",
        ),
        (["extra"], "unexpected argument 'extra'"),
    ],
)
def test_wrong_call_is_one_line_and_writes_nothing(tmp_path, options, message):
    corpus = tmp_path / "corpus"
    store_graph(corpus)
    done = run_scrapy("pagerank", "--corpus", corpus, *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("winnow: ")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (corpus / "ranks").exists()


def test_folder_without_a_graph(tmp_path):
    done = run_scrapy("pagerank", "--corpus", tmp_path / "none")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("winnow: no graph in ")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "none").exists()
