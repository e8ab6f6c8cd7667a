"""``scrapy export`` of a graph: each format read again, wrong calls."""

from __future__ import annotations

import gzip
import json

import networkx as nx
import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.ranking.store import write_ranks
from crawler.webgraph.bv.graph import DEFAULTS
from crawler.webgraph.export_text import write_ascii_graph
from crawler.webgraph.forward import ForwardGraph, forward_graph, host_forward_graph
from crawler.webgraph.host_export import best_hosts, host_networkx
from crawler.webgraph.named_graph import NamedGraph, read_tables
from pipelines.jobs.graph_export.options import GraphExportOptions
from pipelines.jobs.graph_export.run import export_graph
from tests.bv_by_hand import read_slowly
from tests.graph_commands import run_command
from tests.ranking_graphs import graph_of, random_graph
from tests.test_command_locality import tables

# Two pages of a, one of b, c with a name that is no host; nodes are numbered by host, then page.
NODES = "0\thttp://a.sample/\n1\thttp://b.sample/x\n2\thttp://a.sample/y\n3\tc \x01&d\n"
EDGES = "0\t1\n0\t2\n2\t0\n2\t1\n3\t1\n1\t1\n1\t0\n"
ARCS = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 2), (3, 2)]
URLS = ["http://a.sample/", "http://a.sample/y", "http://b.sample/x"]


@pytest.fixture
def folder(tmp_path):
    return tables(tmp_path / "graph", NODES, EDGES)


def export(folder, *options):
    done = run_command("export", "--corpus", folder, *options, "--json")
    assert done.code == 0, done.errors
    return json.loads(done.out)


def gzip_rows(path):
    return [line.split("\t") for line in gzip.decompress(path.read_bytes()).decode().splitlines()]


def bv_arcs(path, n_nodes):
    lists, _ = read_slowly(path.read_bytes(), n_nodes, DEFAULTS)
    return [(source, target) for source, targets in enumerate(lists) for target in targets]


def test_edges(folder):
    report = export(folder, "--format", "edges")
    out = folder / "export"
    assert (report["nodes"], report["edges"]) == (4, 7)
    assert sorted(map(str, out.iterdir())) == sorted(report["files"])
    table = pq.read_table(out / "edges.parquet")
    assert list(zip(*(column.to_pylist() for column in table.columns), strict=True)) == ARCS
    vertices = pq.read_table(out / "vertices.parquet").to_pylist()
    assert [row["url"] for row in vertices][:3] == URLS
    assert [(row["id"], row["host_id"], row["local_id"]) for row in vertices] == [
        (0, 0, 0), (1, 0, 1), (2, 1, 0), (3, 2, 0)
    ]  # fmt: skip
    assert gzip_rows(out / "edges.tsv.gz") == [[str(s), str(t)] for s, t in ARCS]
    rows = gzip_rows(out / "vertices.tsv.gz")
    assert [row[:2] for row in rows[:3]] == [
        ["0", "sample.a"],
        ["1", "sample.a"],
        ["2", "sample.b"],
    ]
    assert [row[2] for row in rows[:3]] == URLS


def test_edges_of_hosts(folder):
    export(folder, "--format", "edges", "--level", "host")
    table = pq.read_table(folder / "export" / "host-edges.parquet")
    rows = [tuple(row.values()) for row in table.to_pylist()]
    assert rows == [(0, 0, 2), (0, 1, 2), (1, 0, 1), (1, 1, 1), (2, 1, 1)]
    assert gzip_rows(folder / "export" / "host-vertices.tsv.gz")[0] == ["0", "sample.a"]


def test_webgraph(folder):
    report = export(folder, "--format", "webgraph")
    out = folder / "export"
    assert len(report["files"]) == 6
    assert bv_arcs(out / "graph.graph", 4) == ARCS
    assert (out / "graph.graph-txt").read_text() == "4\n1 2\n0 2\n0 2\n2\n"
    assert (out / "graph.arcs").read_text() == "".join(f"{s}\t{t}\n" for s, t in ARCS)


def test_pages_and_hosts_side_by_side(folder):
    for name in ("edges", "webgraph"):
        for level in ("page", "host"):
            export(folder, "--format", name, "--level", level)
    out, hosts = folder / "export", [["0", "sample.a"], ["1", "sample.b"]]
    for start in ("", "graph."):
        assert [row[2] for row in gzip_rows(out / f"{start}vertices.tsv.gz")[:3]] == URLS
        assert gzip_rows(out / f"host-{start}vertices.tsv.gz")[:2] == hosts
    assert bv_arcs(out / "graph.graph", 4) == ARCS
    assert len(bv_arcs(out / "host-graph.graph", 3)) == 5


def test_graphml(folder):
    report = export(folder, "--format", "graphml")
    assert (report["nodes"], report["edges"]) == (3, 3)
    path = folder / "export" / "hosts.graphml"
    graph = nx.read_graphml(path)
    assert graph.nodes["a.sample"] == {
        "label": "a.sample",
        "pages": 2,
        "in_links": 1,
        "out_links": 2,
        "in_hosts": 1,
        "links_within": 2,
    }
    assert graph.edges["a.sample", "b.sample"]["weight"] == 2.0
    assert sorted(graph) == ["a.sample", "b.sample", "c ?&d"]
    text = path.read_text()
    assert 'attr.type="long"' in text
    assert 'attr.name="weight" attr.type="double"' in text
    report = export(folder, "--format", "graphml", "--top", "1")
    assert (report["nodes"], report["edges"]) == (1, 0)
    assert list(nx.read_graphml(path)) == ["b.sample"]


def test_graphml_is_told_meanwhile(folder):
    told = []
    export_graph(folder, GraphExportOptions("graphml"), output=folder / "told", tell=told.append)
    assert told == [
        "reading the graph ",
        "counting the links of hosts ",
        "0 of 3 hosts ",
        "writing hosts.graphml, 3 edges ",
    ]


def test_graphml_by_rank(folder):
    wrong = run_command("export", "--corpus", folder, "--format", "graphml", "--by", "rank")
    assert (wrong.code, "run `scrapy pagerank` first" in wrong.errors) == (2, True)
    assert not (folder / "export").exists()
    named = read_tables(folder)
    rank = np.array([0.5, 1.0, 0.25, 3.0])
    (folder / "ranks").mkdir()
    write_ranks(
        folder / "ranks" / "pagerank.parquet",
        named.graph,
        rank,
        urls=lambda ids: ["" for _ in ids],
        computed={},
    )
    export(folder, "--format", "graphml", "--by", "rank", "--top", "2")
    graph = nx.read_graphml(folder / "export" / "hosts.graphml")
    assert {name: node["rank"] for name, node in graph.nodes.items()} == {
        "c ?&d": 3,
        "a.sample": 1.5,
    }


def test_equal_bytes(folder, tmp_path):
    for name in ("one", "two"):
        for each in ("edges", "webgraph", "graphml"):
            export(folder, "--format", each, "--output", tmp_path / name)
    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert len(files) == 11
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


@given(st.integers(0, 40))
def test_forwards(seed):
    graph = random_graph(seed, n_hosts=10, n_arcs=80)
    arcs = sorted(zip(*(ends.tolist() for ends in graph.arcs()), strict=True))
    forward = forward_graph(graph)
    sources = forward.sources(0, forward.n_nodes).tolist()
    assert list(zip(sources, forward.indices.tolist(), strict=True)) == arcs
    host = graph.host_of_page.tolist()
    model = {}
    for source, target in arcs:
        pair = host[source], host[target]
        model[pair] = model.get(pair, 0) + 1
    hosts = host_forward_graph(graph)
    pairs = zip(hosts.sources(0, hosts.n_nodes).tolist(), hosts.indices.tolist(), strict=True)
    assert dict(zip(pairs, hosts.links.tolist(), strict=True)) == model
    assert len(hosts.indices) == len(model)


@given(st.integers(0, 10))
def test_chunks_hold_each_node_once(seed):
    forward = forward_graph(random_graph(seed, n_hosts=10, n_arcs=80))
    for n_arcs in (1, 5, 1000):
        chunks = forward.chunks(n_arcs)
        assert [node for first, stop in chunks for node in range(first, stop)] == list(
            range(forward.n_nodes)
        )


def test_a_networkx_object():
    graph = graph_of([2, 1, 1], [(0, 1), (0, 2), (1, 2), (3, 2), (2, 0)])
    named = NamedGraph(graph, ["com.a", "com.b", "com.c"], lambda ids: [])
    hosts = host_forward_graph(graph)
    assert best_hosts(hosts, 0).tolist() == [1, 0, 2]
    found = host_networkx(named, hosts, best_hosts(hosts, 0), np.array([1.0, 2.0, 3.0]))
    assert set(found.edges(data="weight")) == {
        ("a.com", "b.com", 2.0),
        ("c.com", "b.com", 1.0),
        ("b.com", "a.com", 1.0),
    }
    assert found.nodes["a.com"]["rank"] == 1.0
    with pytest.raises(ValueError, match="n_best must be at least 0, got -1"):
        best_hosts(hosts, -1)


def test_ascii_graph_of_nothing(tmp_path):
    empty = ForwardGraph(np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.uint32))
    write_ascii_graph(empty, tmp_path / "g")
    assert (tmp_path / "g").read_text() == "0\n"


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ([], "--format is missing; give one of text, vertical"),
        (["--format", "dot"], "jsonl, markdown, parquet, edges, webgraph, graphml"),
        (
            ["--format", "edges", "--level", "site"],
            "winnow: --level must be one of page, host, got 'site'",
        ),
        (["--format", "graphml", "--top", "-1"], "--top is '-1'; give a whole number"),
        (["--format", "graphml", "--by", "size"], "--by is 'size'; give one of in-degree, rank"),
        (["--format", "edges", "--nofollow", "x"], "--nofollow is 'x'; give drop or keep"),
        (["--format", "edges", "--corpus", "nowhere"], "no graph in nowhere; run a crawl first"),
    ],
)
def test_wrong_calls(options, error):
    done = run_command("export", *options)
    assert done.code == 2
    assert done.errors.startswith("winnow: ")
    assert done.errors.count("\n") == 1
    assert error in done.errors
