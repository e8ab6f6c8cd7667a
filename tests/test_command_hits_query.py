"""``scrapy hits --query``: the six configurations of Bar-Yossef and Rajagopalan 2002, section 5, on a made web."""

from __future__ import annotations

import gzip
import json
import re

import numpy as np
import pyarrow.parquet as pq
import pytest

from crawler.page import PageLimits, PageRules
from crawler.ranking.corpus.answers import MadeBy
from crawler.ranking.hits.read_pages import read_pages
from crawler.stored_pages import stored_pages
from tests.graph_commands import run_command
from tests.test_command_pagerank import store_graph
from tests.warc_records import record

TOOLS = [f"http://tools{n}.sample/" for n in range(5)]
# All sites of one house have a menu that links to all of them; it has the word, and so has no other part of theirs.
MENU = "".join(f"<a href={url}>Java Tools {n}</a> " for n, url in enumerate(TOOLS))
GUIDES = ["http://guide.sample/", "http://manual.sample/"]
GAMES = ["http://chess.sample/", "http://go.sample/", "http://bridge.sample/"]
HUBS = ["http://one.sample/", "http://two.sample/", "http://three.sample/"]


def listed(heading, urls):
    """A pagelet of its own: an element without others in it."""
    return f"<p>{heading} {' '.join(f'<a href={url}>{url[7:-8]}</a>' for url in urls)}</p>"


def story(name):
    return "".join(f"<p>{name} {n} tells {name}{n} of {name}x{n} and more" for n in range(60))


def said(number):
    """Words enough that lists of different pages are not almost alike."""
    return " ".join(f"said{number}x{n}" for n in range(30))


PAGES = {
    **{url: f"<p>{MENU}</p><div>{story(f'tool{n}')}</div>" for n, url in enumerate(TOOLS)},
    **{
        url: listed(f"To learn JAVA, {said(n)}", GUIDES)
        + listed(said(n + 9), GAMES)
        + story(f"hub{n}")
        for n, url in enumerate(HUBS)
    },
    GUIDES[0]: "<p>A guide to Java, the language.",
    GUIDES[1]: "<p>The Java manual, français, ΟΔΟΣ.",
    **{url: f"<p>Rules of {url}" for url in GAMES},
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    web = {url: re.findall(r"href=(\S+?)>", body) for url, body in PAGES.items()}
    store_graph(folder, web)
    records = [
        record(url, f"<html><body>{body}".encode(), "Content-Type: text/html")
        for url, body in PAGES.items()
    ]
    (folder / "warc").mkdir()
    (folder / "warc" / "a.warc.gz").write_bytes(b"".join(map(gzip.compress, records)))
    assert run_command("pagelets", "--corpus", folder, "--local").code == 0
    return folder


def ranked(corpus, *options):
    """The report, and the authorities above 0, the best first."""
    done = run_command("hits", "--corpus", corpus, *options, "--json")
    assert done.code == 0, done.errors
    rows = pq.read_table(corpus / "ranks" / "hits.parquet").to_pylist()
    best = sorted(
        (row for row in rows if row["authority"] > 1e-6), key=lambda row: -row["authority"]
    )
    return json.loads(done.out), [row["url"] for row in best], {row["url"] for row in rows}


def test_the_six_configurations(corpus):
    pagelets = ("--pagelets", corpus / "ranks" / "pagelets.parquet")
    without_templates = (*pagelets, "--templates", corpus / "ranks" / "templates.parquet")
    asked = ("--query", "java")
    # The house's sites link to each other most; that a page has the word by its menu does not tell them apart.
    for options in ((), asked, pagelets, (*pagelets, *asked)):
        assert set(ranked(corpus, *options)[1]) == set(TOOLS), options
    # Without templates the lists of hubs are left, and of these the one about games is the longest.
    assert set(ranked(corpus, *without_templates)[1]) == set(GAMES)
    report, best, _ = ranked(corpus, *without_templates, *asked)
    assert best == GUIDES
    assert (report["pagelets"], report["links"]) == (len(HUBS), len(HUBS) * len(GUIDES))


def test_pages_are_those_that_match(corpus):
    report, _, pages = ranked(corpus, "--query", "Java")
    assert pages == {*TOOLS, *HUBS, *GUIDES}
    assert report["pages"] == len(pages)
    assert report["links"] == len(TOOLS) ** 2 + len(HUBS) * len(GUIDES)
    metadata = pq.read_schema(corpus / "ranks" / "hits.parquet").metadata
    assert json.loads(metadata[b"winnow_hits"])["query"] == "Java"


@pytest.mark.parametrize(
    ("query", "n_pages"),
    [
        ("java, the", 1),
        ("The language", 1),
        ("java manual", 1),
        ("franc\u0327ais", 1),
        ("οδός", 1),
        ("jav", None),
        ("manual java", None),
    ],
)
def test_words_in_a_row(corpus, query, n_pages):
    done = run_command("hits", "--corpus", corpus, "--query", query, "--json")
    if n_pages is None:
        assert (done.code, done.errors.count("\n")) == (2, 1)
        assert f"no page has the words of --query {query!r} in a row" in done.errors
    else:
        assert json.loads(done.out)["pages"] == n_pages


def test_authorities_are_those_of_the_graph_of_matching_pages(corpus):
    _, _, pages = ranked(corpus, "--query", "java")
    names = sorted(pages)
    links = np.array(
        [[float(f"href={target}>" in PAGES[source]) for target in names] for source in names]
    )
    hub = np.ones(len(names))
    for _ in range(200):
        authority = links.T @ hub
        hub = links @ (authority / np.linalg.norm(authority))
        hub /= np.linalg.norm(hub)
    expected = dict(zip(names, authority / np.linalg.norm(authority), strict=True))
    rows = pq.read_table(corpus / "ranks" / "hits.parquet").to_pylist()
    assert {row["url"]: row["authority"] for row in rows} == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--query", "..."], "--query '...' has no word; give one or more"),
        (["--warc", "x"], "--warc without --query or --weights; give one, or leave it out"),
        (
            ["--query", "java", "--pagelets", "x", "--related", "http://x/"],
            "--query is not for --related; leave it out",
        ),
        (["--query", "java", "--warc", "none*"], "none*"),
    ],
)
def test_wrong_calls(corpus, options, error):
    done = run_command("hits", "--corpus", corpus, *options)
    assert (done.code, done.errors.count("\n")) == (2, 1)
    assert error in done.errors


def test_query_and_weights_of_one_reading(corpus):
    """What can be read but once gives both, and the same as each by itself."""
    archive = corpus / "warc" / "a.warc.gz"
    made_by = MadeBy(PageLimits(), PageRules())

    def read(**asked):
        return read_pages(corpus, iter(stored_pages([archive], made_by.limits)), made_by, **asked)

    matches, anchors = read(query="java", with_anchors=True)
    assert read() == (None, None)
    for both, alone in ((matches, read(query="java")[0]), (anchors, read(with_anchors=True)[1])):
        assert [*map(repr, both)] == [*map(repr, alone)]
    report, best, _ = ranked(corpus, "--query", "java", "--weights", "anchor-entropy")
    # hosts of one page each, whose words all have an entropy of 0
    assert (report["weighed"], set(best)) == (report["links"], set(TOOLS))


def test_pagelets_of_another_k(corpus, tmp_path):
    """A query finds pagelets by their numbers, so by the k of the file; all files are of one."""
    reports = {}
    for k in (1, 2, 3, 9):
        done = run_command(
            *("pagelets", "--corpus", corpus, "--local", "--json"),
            *("--k", k, "--output", tmp_path / f"{k}"),
        )
        reports[k] = json.loads(done.out)
        assert reports[k]["k"] == k
    numbers = [reports[k]["pagelets"] for k in (1, 2, 3, 9)]
    # with 9 all pages are whole
    assert numbers == [11, 11, 11, len(TOOLS) + len(HUBS)]
    for k in (2, 3):
        files = ("--pagelets", tmp_path / f"{k}" / "pagelets.parquet")
        files += ("--templates", tmp_path / f"{k}" / "templates.parquet")
        report, best, _ = ranked(corpus, *files, "--query", "java")
        assert (best, report["pagelets"]) == (GUIDES, len(HUBS))
    metadata = pq.read_schema(corpus / "ranks" / "hits.parquet").metadata
    assert json.loads(metadata[b"winnow_hits"])["k"] == 3
    mixed = ("--pagelets", tmp_path / "9" / "pagelets.parquet")
    mixed += ("--templates", tmp_path / "3" / "templates.parquet")
    for options in (mixed, (*mixed, "--related", GUIDES[0])):
        done = run_command("hits", "--corpus", corpus, *options)
        assert (done.code, done.out, done.errors.count("\n")) == (2, "", 1)
        assert "has pagelets of k = 9" in done.errors
        assert "of 3; give files of one run" in done.errors


@pytest.mark.parametrize("k", ["0", "-1", "x", "1.5", "9999999999"])
def test_k_that_is_none(corpus, k):
    done = run_command("templates", "detect", "--corpus", corpus, f"--k={k}")
    assert (done.code, done.out) == (2, "")
    assert f"--k is '{k}'; give a whole number of 1 to 999999999" in done.errors
