"""``scrapy templates detect`` and ``remove`` on a corpus folder: a crawl of the sample web that kept its answers."""

from __future__ import annotations

import gzip
import json

import pytest

from pipelines.corpus.corpus import Corpus
from tests.conftest import crawl_arguments, run_scrapy, served_web
from tests.graph_commands import run_command

KEPT = (
    *("-s", "WARC_ENABLED=1", "-s", "CLEAN_METHOD=keep-all"),
    *("-s", "HOST_DELAY_SECS=0", "-s", "FETCH_RETRY_SECS=0.05"),
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kept")
    with served_web(folder / "web", "--hosts", "4", "--pages", "60", "--plain") as web:
        done = run_scrapy(*crawl_arguments(web, folder / "corpus"), *KEPT)
    assert done.returncode == 0, done.stderr
    return folder / "corpus"


def run(*arguments):
    done = run_command("templates", *arguments, "--json")
    assert done.code == 0, done.errors
    return json.loads(done.out)


@pytest.mark.slow
def test_detect_is_pagelets(corpus):
    for options in ((), ("--local",), ("--same", "content")):
        found = run("detect", "--corpus", corpus, *options)
        again = run_command("pagelets", "--corpus", corpus, *options, "--json")
        assert found == json.loads(again.out)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["bootstrapped", "dom-hash"])
def test_remove(corpus, tmp_path, method):
    report = run("remove", "--corpus", corpus, "--method", method, "--output", tmp_path / "out")
    assert report["left"].keys() <= {"few_pages"}
    assert 0 < report["removed_words"] < report["words"]
    before = {row["url"]: row for row in Corpus.open(corpus).documents()}
    after = {row["url"]: row for row in Corpus.open(tmp_path / "out").documents()}
    assert len(before) == report["documents"] == len(after) + report["dropped_documents"]
    n_words = sum(row["n_words"] for row in after.values())
    assert n_words <= report["words"] - report["removed_words"]
    for url, row in after.items():
        assert len(row["blocks"]) == len(before[url]["blocks"])
    # the WARC files are in the new corpus, too: what is left has no template any more
    again = run("remove", "--corpus", tmp_path / "out", "--method", method)
    assert again["removed_words"] == 0


def test_pages_that_are_packed_together_are_refused(corpus, tmp_path):
    path = tmp_path / "whole.warc.gz"
    records = [gzip.decompress(each.read_bytes()) for each in (corpus / "warc").iterdir()]
    path.write_bytes(gzip.compress(b"".join(records)))
    done = run_command("templates", "remove", "--corpus", corpus, "--warc", path)
    assert done.code == 2
    assert f"{path} is packed as a whole, so none of its pages can be read alone;" in done.errors


def test_pagelets_of_another_k(corpus):
    """With one pagelet a page nothing is on two pages; with smaller ones menus are."""
    asked = ("remove", "--corpus", corpus, "--method", "page-partitioning")
    removed = {k: run(*asked, "--k", k)["removed_words"] for k in (1, 3, 100_000)}
    assert removed[3] == run(*asked)["removed_words"] > 0 < removed[1]
    assert removed[100_000] < removed[3]


def test_remove_without_an_output_changes_nothing(corpus):
    before = sorted(path.name for path in (corpus / "documents").iterdir())
    report = run("remove", "--corpus", corpus, "--site", "host", "--sample", "5")
    assert report["output"] is None
    assert sorted(path.name for path in (corpus / "documents").iterdir()) == before
    assert (corpus / "templates" / "removed.tsv").read_text().startswith("site\tpages\t")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("remove", "--corpus", "none"), "no corpus in none; run a crawl first"),
        (("remove", "--method", "x"), "--method x: unknown template detector 'x'"),
        (("remove", "--min-pages", "x"), "--min-pages is 'x'; give a whole number"),
        (("remove", "--min-pages", "0"), "--min-pages must be at least 1, got 0; see --help"),
        (
            ("remove", "--site", "x"),
            "--site must be one of domain, host, cluster, links, got 'x'; see --help",
        ),
        (("remove", "--sample", "0"), "--sample is '0'; give a whole number of 1 or more"),
        (("remove", "--k", "7"), "--k is for page-partitioning, not bootstrapped; leave it out"),
        (
            ("remove", "--method", "page-partitioning", "--k", "0"),
            "--k is '0'; give a whole number of 1 to 999999999",
        ),
        (("detect", "--same", "x"), "--same is 'x'; give shingles or content"),
        (("detect", "extra"), "unexpected argument 'extra'; see --help"),
    ],
)
def test_wrong_calls(arguments, message):
    done = run_command("templates", *arguments)
    assert (done.code, message in done.errors) == (2, True), done.errors
    assert done.errors.count("\n") == 1


def test_a_folder_that_is_no_corpus(corpus, tmp_path):
    done = run_command(
        "templates", "remove", "--corpus", tmp_path, "--warc", f"{corpus}/warc/*.warc.gz"
    )
    assert (done.code, "no corpus in" in done.errors) == (2, True), done.errors


def test_help():
    done = run_scrapy("templates", "remove", "--help")
    assert (done.returncode, "scrapy templates remove [options]" in done.stdout) == (0, True)
