"""``scrapy templates cluster --truth``: the measures of Gottron 2008, 7.1.3, on pages of known templates."""

from __future__ import annotations

import gzip
import json
from math import log

import pyarrow.parquet as pq
import pytest

from pipelines.jobs.templates.truth import known_templates
from tests.graph_commands import run_command
from tests.warc_records import record

LISTS = "<ul><li><a>{}</a><li><b>x</b></ul><ol><li><i>y</i></ol><dl><dt>t<dd>d</dl>"
TABLES = "<table><tr><td><p>{}</p><td><em>x</em></table><form><label>l</label></form><h1>h</h1>"
# The last page of the second site is of the first one's template.
PAGES = {
    **{f"http://www.lists.sample/{n}": LISTS for n in range(4)},
    **{f"http://{host}.tables.sample/{n}": TABLES for host in ("a", "b") for n in range(2)},
    "http://b.tables.sample/odd": LISTS,
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    records = [
        record(url, f"<html><body>{body.format(url)}".encode(), "Content-Type: text/html")
        for url, body in PAGES.items()
    ]
    (folder / "warc").mkdir()
    (folder / "warc" / "a.warc.gz").write_bytes(b"".join(map(gzip.compress, records)))
    return folder


def run(corpus, *options):
    done = run_command("templates", "cluster", "--corpus", corpus, *options, "--json")
    assert done.code == 0, done.errors
    return json.loads(done.out)


def slow_measures(pages):
    """*pages*: cluster and template of each. All pairs, each page with itself too; sets; the sum as it is printed."""
    n = len(pages)
    agreed = sum((a == b) == (s == t) for a, s in pages for b, t in pages)
    clusters, templates = ({page[k] for page in pages} for k in (0, 1))
    purities, information = [], 0.0
    for cluster in clusters:
        its = [t for c, t in pages if c == cluster]
        purities.append(max(its.count(t) for t in templates) / len(its))
        for template in templates:
            all_of = sum(t == template for _, t in pages)
            if both := its.count(template):
                base = len(clusters) * len(templates)
                information += both / n * log(both * n / (len(its) * all_of)) / log(base)
    return agreed / n**2, sum(purities) / len(purities), information


@pytest.mark.parametrize(("truth", "n_templates"), [("domain", 2), ("host", 3)])
def test_sites_for_templates(corpus, truth, n_templates):
    report = run(corpus, "--truth", truth)
    found = report["agreement"]
    assert (found["pages"], found["templates"]) == (len(PAGES), n_templates)
    rows = pq.read_table(corpus / "templates" / "clusters.parquet").to_pylist()
    assert len({row["cluster"] for row in rows}) == 2
    hosts = {url: url.split("/")[2] for url in PAGES}
    site = hosts if truth == "host" else {url: hosts[url].partition(".")[2] for url in PAGES}
    expected = slow_measures([(row["cluster"], site[row["url"]]) for row in rows])
    assert [found[name] for name in ("rand", "purity", "mutual_information")] == pytest.approx(
        expected
    )
    # Pages of one template are of two sites, and far from others of theirs.
    assert found["dunn"] == 0


def test_templates_of_a_file(corpus, tmp_path):
    named = {url: "lists" if body == LISTS else "tables" for url, body in PAGES.items()}
    left_out = "http://a.tables.sample/0"
    lines = [f"{url}\t{name}" for url, name in named.items() if url != left_out]
    (tmp_path / "truth.tsv").write_text("\n".join([*lines, "", "http://else.sample/\tother"]))
    found = run(corpus, "--truth", tmp_path / "truth.tsv")["agreement"]
    assert (found["pages"], found["templates"]) == (len(PAGES) - 1, 2)
    assert (found["rand"], found["purity"], found["dunn"]) == (1, 1, None)
    done = run_command(
        "templates", "cluster", "--corpus", corpus, "--truth", tmp_path / "truth.tsv"
    )
    shown = {
        line.rpartition("  ")[0].strip(): line.rpartition("  ")[2] for line in done.out.splitlines()
    }
    assert (shown["Rand index"], shown["known templates"]) == ("1", "2, of 8 pages")
    assert run(corpus)["agreement"] is None


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "No such file or directory; give a file, host or domain"),
        ("http://a.sample/ a\n", "line 1 is no URL, tab and name; mend it"),
        ("http://else.sample/\ta\n", "--truth has the template of no page; give another"),
    ],
)
def test_wrong_files_are_one_line(corpus, tmp_path, content, told):
    if content is not None:
        (tmp_path / "truth.tsv").write_text(content)
    done = run_command(
        "templates", "cluster", "--corpus", corpus, "--truth", tmp_path / "truth.tsv"
    )
    assert (done.code, done.errors.count("\n")) == (2, 1)
    assert told in done.errors


def test_only_line_feeds_end_lines_of_the_file(tmp_path):
    """Tables of other programs may hold other signs that Python takes for ends of lines."""
    file = tmp_path / "truth.tsv"
    file.write_bytes("http://a.sample/1\tnews\u2028x\r\nhttp://a.sample/2\tlists\x85y\r\n".encode())
    truth = known_templates(str(file))
    assert [truth(f"http://a.sample/{n}") for n in (1, 2, 3)] == ["news\u2028x", "lists\x85y", None]
