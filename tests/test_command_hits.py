"""``scrapy hits``, and the graph commands on a corpus folder: a stored graph, as a crawl leaves it."""

from __future__ import annotations

import json

import networkx as nx
import numpy as np
import pyarrow.parquet as pq
import pytest

from crawler.ranking.hits.pagelet_links import (
    joined_links,
    links_of_page,
    template_pagelets,
    write_links,
    write_templates,
)
from crawler.urls import page_key
from crawler.webgraph.graph import Graph
from tests.graph_commands import run_command
from tests.test_command_pagerank import URLS, WEB, store_graph


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    store_graph(folder)
    return folder


def run(name, corpus, *options):
    done = run_command(name, "--corpus", corpus, *options, "--json")
    assert done.code == 0, done.errors
    return json.loads(done.out)


def followed():
    """The followed links of the web, each once."""
    return {(s, t) for s, targets in WEB.items() for t in targets if not t.startswith("!")}


def test_pages(corpus):
    report = run("hits", corpus)
    assert (report["pages"], report["links"], report["pagelets"]) == (len(URLS), len(followed()), 0)
    hubs, authorities = nx.hits(nx.DiGraph(list(followed())))
    rows = pq.read_table(corpus / "ranks" / "hits.parquet").to_pylist()
    assert sorted(row["url"] for row in rows) == URLS
    for name, expected in (("hub", hubs), ("authority", authorities)):
        total = sum(row[name] for row in rows)
        found = {row["url"]: row[name] / total for row in rows}
        for url in URLS:
            assert found[url] == pytest.approx(expected.get(url, 0), abs=1e-7)
    best = max(rows, key=lambda row: row["authority"])
    assert report["authorities"][0] == [round(best["authority"], 4), best["url"]]
    screen = run_command("hits", "--corpus", corpus).out
    assert "authority  url" in screen


def test_links_within_a_host_left_out(corpus):
    between = {(s, t) for s, t in followed() if page_key(s).host != page_key(t).host}
    assert run("hits", corpus, "--nepotistic", "drop")["links"] == len(between)


def test_pagelets_without_templates(corpus, tmp_path):
    with Graph.open(corpus) as graph:
        ids = dict(zip(graph.urls(graph.pages()), graph.pages().tolist(), strict=True))
    a, b, x = (ids[url] for url in URLS[:3])
    numbers = np.array([0, 0, 1], dtype=np.uint32)
    parts = [links_of_page(p, numbers, np.array([a, b, x], dtype=np.uint64)) for p in (a, b)]
    write_links(joined_links(parts), tmp_path / "links")
    menu = template_pagelets(np.array([a, b], dtype=np.uint64), numbers[:2])
    write_templates(menu, tmp_path / "flags")
    whole = run("hits", corpus, "--pagelets", tmp_path / "links")
    assert (whole["pagelets"], whole["links"]) == (4, 6)
    options = ("--pagelets", tmp_path / "links", "--templates", tmp_path / "flags")
    report = run("hits", corpus, *options)
    assert (report["pagelets"], report["links"]) == (2, 2)
    assert report["authorities"] == [[1.0, URLS[2]]]
    assert [name for _, name in report["hubs"]] == [f"{URLS[0]} pagelet 1", f"{URLS[1]} pagelet 1"]
    rows = pq.read_table(corpus / "ranks" / "hits_pagelets.parquet").to_pylist()
    assert [row["pagelet"] for row in rows] == [1, 1]
    assert pq.read_table(corpus / "ranks" / "hits.parquet").column("hub").null_count == 3


def test_related_pages(corpus, tmp_path):
    with Graph.open(corpus) as graph:
        ids = dict(zip(graph.urls(graph.pages()), graph.pages().tolist(), strict=True))
    a, b, x, y, z = (ids[url] for url in URLS)
    # two pages cite x beside y in one pagelet, and z in another, b in a template
    numbers = np.array([0, 0, 1, 2, 2], dtype=np.uint32)
    parts = [
        links_of_page(page, numbers, np.array([x, y, z, b, x], dtype=np.uint64)) for page in (a, b)
    ]
    write_links(joined_links(parts), tmp_path / "links")
    menu = template_pagelets(np.array([a, b], dtype=np.uint64), numbers[3:5])
    write_templates(menu, tmp_path / "flags")
    options = ("--pagelets", tmp_path / "links", "--related", URLS[2])
    assert run("hits", corpus, *options) == {
        "url": URLS[2],
        "citing": 4,
        "related": [[2.0, url] for url in sorted([URLS[3], URLS[1]], key=ids.get)],
    }
    options += ("--templates", tmp_path / "flags")
    assert run("hits", corpus, *options)["related"] == [[2.0, URLS[3]]]
    found = run("hits", corpus, *options, "--same-page", ".25")
    assert found["related"] == [[2.0, URLS[3]], [0.5, URLS[4]]]
    done = run_command("hits", "--corpus", corpus, *options)
    assert done.out.splitlines()[-1].split() == ["2", URLS[3]]
    for url, message in (
        ("mailto:x", "--related is 'mailto:x'; give the URL of a page"),
        ("http://unknown.sample/", "has no page http://unknown.sample/; give another --related"),
    ):
        done = run_command(
            "hits", "--corpus", corpus, "--pagelets", tmp_path / "links", "--related", url
        )
        assert (done.code, message in done.errors) == (2, True)


def test_links_of_pagelets_within_a_host_are_left_out(corpus, tmp_path):
    keys = [page_key(url) for url in URLS]
    with Graph.open(corpus) as graph:
        ids, _ = graph.find(keys)
    here = ids[0] >> np.uint64(32)
    within = next(n for n in range(1, len(ids)) if ids[n] >> np.uint64(32) == here)
    without = next(n for n in range(1, len(ids)) if ids[n] >> np.uint64(32) != here)
    numbers = np.array([0, 1], dtype=np.uint32)
    write_links(links_of_page(int(ids[0]), numbers, ids[[within, without]]), tmp_path / "links")
    options = ("--pagelets", tmp_path / "links")
    kept, dropped = (
        run("hits", corpus, *options, "--nepotistic", word) for word in ("keep", "drop")
    )
    assert {url for _, url in kept["authorities"]} == {URLS[within], URLS[without]}
    assert (dropped["pagelets"], dropped["authorities"]) == (1, [[1.0, URLS[without]]])


def test_pagelets_of_another_corpus(corpus, tmp_path):
    strange = links_of_page(7 << 32, np.zeros(1, np.uint32), np.array([1], dtype=np.uint64))
    write_links(strange, tmp_path / "links")
    done = run_command("hits", "--corpus", corpus, "--pagelets", tmp_path / "links")
    assert (done.code, "give the pagelets of this corpus" in done.errors) == (2, True)


@pytest.mark.slow
def test_locality_and_export_of_a_corpus(corpus, tmp_path):
    report = run("locality", corpus, "--output", tmp_path)
    between = [(s, t) for s, t in followed() if page_key(s).host != page_key(t).host]
    assert (report["links"], report["inter_host"]) == (len(followed()), len(between))
    assert (tmp_path / "sorted.png").read_bytes()[:4] == b"\x89PNG"
    assert run("locality", corpus, "--nofollow", "keep", "--no-plots")["links"] > report["links"]
    run("export", corpus, "--format", "edges", "--output", tmp_path)
    urls = pq.read_table(tmp_path / "vertices.parquet").column("url").to_pylist()
    edges = pq.read_table(tmp_path / "edges.parquet")
    ends = zip(*(column.to_pylist() for column in edges.columns), strict=True)
    assert {(urls[s], urls[t]) for s, t in ends} == followed()


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--nepotistic", "no"], "--nepotistic is 'no'; give drop or keep"),
        (["--templates", "x"], "--templates without --pagelets; give the links of pagelets too"),
        (["--related", "http://x/"], "--related without --pagelets; give the links of pagelets"),
        (["--pagelets", "x", "--nofollow", "keep"], "--nofollow keep is not for --pagelets"),
        (
            ["--pagelets", "x", "--related", "http://x/", "--nepotistic", "drop"],
            "--nepotistic drop is not for --related; leave it out",
        ),
        (["--same-page", "2"], "--same-page is 2; give 0 to 1"),
        (["--same-page", "some"], "--same-page is 'some'; give a number"),
        (["--same-page", ".5"], "--same-page without --related"),
        (["--tolerance", "small"], "--tolerance is 'small'; give a number"),
        (["--tolerance", "0"], "--tolerance must be above 0, got 0.0; see --help"),
        (["--max-iterations", "-2"], "--max-iterations is '-2'; give a whole number"),
        (["--max-iterations", "0"], "--max-iterations must be at least 1, got 0; see --help"),
        (
            ["--pagelets", "none"],
            "--pagelets is 'none', which is no file; give one that `scrapy pagelets` wrote",
        ),
        (
            ["--pagelets", __file__, "--templates", "."],
            "--templates is '.', which is no file; give one",
        ),
        (["--corpus", "nowhere"], "no graph in nowhere; run a crawl first"),
    ],
)
def test_wrong_calls(options, error):
    done = run_command("hits", *options)
    assert done.code == 2
    assert done.errors.startswith("winnow: ")
    assert done.errors.count("\n") == 1
    assert error in done.errors


def test_not_converged(corpus):
    done = run_command("hits", "--corpus", corpus, "--max-iterations", "1")
    assert done.code == 2
    assert "not converged after 1 iteration:" in done.errors
