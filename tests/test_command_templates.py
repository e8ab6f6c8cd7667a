"""``scrapy templates cluster``: pages of the sample web, by the templates of their hosts."""

from __future__ import annotations

import gzip
import json
from itertools import islice

import numpy as np
import pyarrow.parquet as pq
import pytest

from crawler.sampleweb.web import SampleWeb
from pipelines.templates.cluster_measures import contingency, rand_index
from tests.graph_commands import run_command
from tests.test_command_pagerank import URLS, store_graph
from tests.warc_records import html, record

HTML = "Content-Type: text/html"
# cp has those of a shop and of a directory in one cluster; xas sees the texts of hosts, too.
LEAST_RAND = {"cp": 0.97, "cps": 1.0, "ctss": 1.0, "bop": 1.0, "xas": 0.95}


@pytest.fixture(scope="module")
def sample():
    """Pages of hosts that show their own content, with the names of the hosts' templates."""
    web = SampleWeb(1, 12, 300, plain=True)
    return {
        truth.url: (web.page(host.name, truth.url.removeprefix(host.root)), truth.template)
        for host in web.hosts()
        for truth in islice((t for t in web.truths(host.name) if t.main_text), 8)
    }


@pytest.fixture(scope="module")
def corpus(sample, tmp_path_factory):
    folder = tmp_path_factory.mktemp("templates")
    records = []
    for url, (answer, _) in sample.items():
        head = [f"Content-Type: {answer.content_type}"]
        records.append(record(url, answer.body, *head))
    records += [
        record("http://a.sample/broken", b"\x1f\x8bno", HTML, "Content-Encoding: gzip"),
        record("http://a.sample/data", b"%PDF-1.4", "Content-Type: application/pdf"),
        record("http://a.sample/text", b"no tag", "Content-Type: text/plain"),
        record("http://a.sample/gone", b"<p>gone", HTML, status="404 Not Found"),
    ]
    write_warc(folder / "warc" / "a.warc.gz", records)
    return folder


def write_warc(path, records):
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"".join(map(gzip.compress, records)))


def run(*arguments):
    return run_command("templates", "cluster", *arguments)


@pytest.mark.slow
@pytest.mark.parametrize("distance", ["cp", "cps", "ctss"])
def test_clusters_of_the_sample_web(corpus, sample, distance):
    found = run("--corpus", corpus, "--distance", distance, "--json")
    assert found.code == 0, found.errors
    report = json.loads(found.out)
    assert report["left_out"] == {"no_html": 2, "undecodable": 1}
    assert report["pages"] == len(sample)
    table = pq.read_table(corpus / "templates" / "clusters.parquet")
    assert table.schema.metadata[b"distance"] == distance.encode()
    rows = table.to_pylist()
    assert {row["url"] for row in rows} == set(sample)
    assert {row["host_id"] for row in rows} == {None}
    assert all(row["medoid_similarity"] == 1 - row["medoid_distance"] for row in rows)
    assert [row["cluster"] for row in rows] == sorted(row["cluster"] for row in rows)
    for number, cluster in enumerate(report["clusters"]):
        members = [row for row in rows if row["cluster"] == number]
        assert len(members) == cluster["pages"]
        assert [row["url"] for row in members if row["is_medoid"]] == [cluster["medoid"]]
        assert max(row["medoid_distance"] for row in members) == cluster["max_distance"]
    sizes = [cluster["pages"] for cluster in report["clusters"]]
    assert sizes == sorted(sizes, reverse=True)


def test_the_screen(corpus):
    found = run("--corpus", corpus)
    lines = found.out.splitlines()
    shown = {line.rpartition("  ")[0].strip(): line.rpartition("  ")[2] for line in lines}
    assert (shown["distance"], shown["linked below"], shown["left out: no_html"]) == (
        "cp",
        "0.7",
        "2",
    )
    assert shown["written"].endswith("clusters.parquet")


@pytest.mark.slow
def test_plots(corpus, sample):
    arguments = ("--corpus", corpus, "--distance", "bop", "--clusters", 8, "--plots", "--json")
    report = json.loads(run(*arguments).out)
    assert report["drawn"] == len(sample)
    assert report["gap"] > 0
    names = [file.rpartition("/")[2] for file in report["files"]]
    pictures = ["distances.png", "histogram.png", "points.png"]
    assert names == ["clusters.parquet", *pictures, "clusters.html"]
    for name in pictures:
        assert (corpus / "templates" / name).read_bytes().startswith(b"\x89PNG")
    page = (corpus / "templates" / "clusters.html").read_text("utf-8")
    assert "Dunn index of" in page
    assert page.count("<img") == 3
    before = {name: (corpus / "templates" / name).read_bytes() for name in names}
    run(*arguments)
    assert {name: (corpus / "templates" / name).read_bytes() for name in names} == before


@pytest.mark.slow
@pytest.mark.parametrize("distance", ["cp", "cps", "ctss", "bop", "xas"])
def test_eight_clusters_are_the_templates_of_the_sample_web(corpus, sample, distance):
    """Not so those at the published thresholds: pages of some twenty paths are too near."""
    run("--corpus", corpus, "--distance", distance, "--clusters", 8)
    rows = pq.read_table(corpus / "templates" / "clusters.parquet").to_pylist()
    templates = np.unique([sample[row["url"]][1] for row in rows], return_inverse=True)[1]
    table = contingency(np.array([row["cluster"] for row in rows]), templates)
    assert table.shape == (8, 8)
    assert rand_index(table) >= LEAST_RAND[distance]


@pytest.mark.slow
@pytest.mark.parametrize("distance", ["tv", "bop", "dft"])
def test_a_number_of_clusters(corpus, distance):
    single = run("--corpus", corpus, "--distance", distance, "--clusters", 3, "--json")
    median = run(
        "--corpus",
        corpus,
        "--distance",
        distance,
        "--clusters",
        3,
        "--method",
        "k-median",
        "--json",
    )
    assert len(json.loads(single.out)["clusters"]) == 3
    assert 1 <= len(json.loads(median.out)["clusters"]) <= 3


@pytest.mark.slow
def test_the_gap_of_merges(corpus):
    found = run("--corpus", corpus, "--distance", "lcts", "--threshold", "gap", "--plots", "--json")
    report = json.loads(found.out)
    # all pages are drawn
    assert report["threshold"] == report["gap"] > 0
    assert 1 < len(report["clusters"]) < report["pages"]
    metadata = pq.read_schema(corpus / "templates" / "clusters.parquet").metadata
    assert metadata[b"threshold"] == str(report["threshold"]).encode()


def test_ids_where_the_corpus_knows_the_pages(tmp_path):
    store_graph(tmp_path)
    unknown = "http://unknown.sample/"
    write_warc(
        tmp_path / "warc" / "a.warc.gz",
        [record(url, html("word"), HTML) for url in (*URLS[:3], unknown, URLS[0])],
    )
    report = json.loads(run("--corpus", tmp_path, "--json").out)
    assert (report["pages"], report["left_out"]) == (4, {"replaced": 1})
    rows = pq.read_table(tmp_path / "templates" / "clusters.parquet").to_pylist()
    known = {row["url"]: row["host_id"] is not None for row in rows}
    assert known == {**dict.fromkeys(URLS[:3], True), unknown: False}
    assert {row["cluster"] for row in rows} == {0}


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_the_last_answer_counts_in_any_order(tmp_path, order):
    """Of one page it is no page, of the other it is coded otherwise than it says."""
    records = []
    for url, last in (
        (
            "http://a.sample/",
            record("http://a.sample/", b"%PDF-1.4", "Content-Type: application/pdf"),
        ),
        (
            "http://b.sample/",
            record("http://b.sample/", b"\x1f\x8bno", HTML, "Content-Encoding: gzip"),
        ),
    ):
        answers = [record(url, html("old"), HTML), record(url, html("older"), HTML), last]
        for place, answer in enumerate(answers):
            answers[place] = answer.replace(b"2020-02", b"20%d-02" % (20 + place))
        records += [answers[place] for place in order]
    write_warc(tmp_path / "warc" / "a.warc.gz", records)
    report = json.loads(run("--corpus", tmp_path, "--json").out)
    assert (report["pages"], report["left_out"]["replaced"]) == (0, 4)
    assert (report["left_out"]["no_html"], report["left_out"]["undecodable"]) == (1, 1)


def test_pages_that_are_compared_in_part(tmp_path):
    """Of two pages of 100,000 siblings with children RTDM would align all pairs, for hours."""
    pages = [html("word"), *("<ul>" + f"<li><b></b><i>{n}</i>" * 4000 for n in "ab")]
    records = [
        record(f"http://a.sample/{n}", each if n == 0 else each.encode(), HTML)
        for n, each in enumerate(pages)
    ]
    write_warc(tmp_path / "warc" / "a.warc.gz", records)
    arguments = ("--corpus", tmp_path, "--distance", "rtdm", "--clusters", 2)
    report = json.loads(run(*arguments, "--json").out)
    assert report["compared_in_part"] == {"first 10000 elements": 2}
    assert [each["pages"] for each in report["clusters"]] == [2, 1]
    assert "by their first 10000 elements" in run(*arguments).out


def test_no_page_at_all(tmp_path):
    write_warc(tmp_path / "warc" / "a.warc.gz", [record("http://a.sample/", b"", HTML)])
    report = json.loads(run("--corpus", tmp_path, "--json").out)
    assert (report["pages"], report["clusters"], report["left_out"]) == (0, [], {"no_html": 1})


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ((), "no subcommand; give one of detect, cluster, remove, structure"),
        (("cluster", "--distance", "x"), "--distance is 'x'; give one of rtdm, cp"),
        (("cluster", "--distance", "lcts"), "no threshold of lcts is published; give --threshold"),
        (("cluster", "--threshold", "x"), "--threshold is 'x'; give a number, or gap"),
        (("cluster", "--threshold", "nan"), "--threshold is nan; give 0 or more"),
        (("cluster", "--threshold", "1.5"), "no cp distance is above 1; give 0 to 1"),
        (("cluster", "--threshold", ".5", "--clusters", "2"), "give one of them"),
        (("cluster", "--threshold", "gap", "--clusters", "2"), "give one of them"),
        (
            ("cluster", "--distance", "bop", "--threshold", "2"),
            "no bop distance is above 1; give 0 to 1",
        ),
        (
            ("cluster", "--distance", "tv", "--threshold", "inf"),
            "--threshold is inf; give 0 or more",
        ),
        (("cluster", "--clusters", "2", "--seed", "-1"), "--seed is -1; give 0 to 2^64 - 1"),
        (("cluster", "--clusters", "0"), "--clusters is 0; give 1 or more"),
        (("cluster", "--clusters", "1.5"), "--clusters is '1.5'; give a whole number"),
        (("cluster", "--method", "x"), "--method is 'x'; give one of single-linkage, k-median"),
        (("cluster", "--method", "k-median"), "wants a number of clusters; give --clusters"),
        (("cluster", "--corpus", "/nowhere"), "no corpus in /nowhere; run a crawl first"),
        (("cluster", "--warc", "/nowhere/*.gz"), "no file matches --warc /nowhere/*.gz; give"),
        (("cluster", "more"), "unexpected argument 'more'; see --help"),
    ],
)
def test_wrong_calls_are_one_line(arguments, line):
    found = run_command("templates", *arguments)
    assert found.code == 2
    assert line in found.errors
    assert found.errors.count("\n") == 1
