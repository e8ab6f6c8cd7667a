"""Templates removed from a corpus: which blocks go, which pages stay as they are and why, and runs that fail."""

from __future__ import annotations

import signal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.errors import InputError
from pipelines.corpus.corpus import Corpus
from pipelines.corpus.manifest import read_manifest
from pipelines.duplicates.exact import text_digest
from pipelines.jobs.stored_answers import AnswerIndex, url_hash
from pipelines.jobs.templates import around
from pipelines.jobs.templates.detector_of import detector_of
from pipelines.jobs.templates.remove import RemovalOptions, remove_templates
from pipelines.jobs.templates.removed_blocks import Removed, RemovedBlocks
from pipelines.templates.detectors.registry import methods
from tests.forked_commands import call
from tests.template_corpus import END, MENU, Stored, killed_at, made_site, maker, removal
from tests.toy_duplicates import ToyCrawl, crawl, shuffled


def texts_of(folder):
    return {row["url"]: row["text"].split("\n") for row in Corpus.open(folder).documents()}


@pytest.fixture(scope="module")
def pages():
    return made_site()


@pytest.fixture(scope="module")
def corpus(pages, tmp_path_factory):
    folder = tmp_path_factory.mktemp("crawled") / "corpus"
    crawl(folder, pages)
    return folder


@pytest.mark.parametrize("method", ["document-frequency", "dom-hash", "content-extractor"])
def test_menus_go(corpus, pages, tmp_path, method):
    before = texts_of(corpus)
    report = remove_templates(
        corpus, maker(Stored(pages)), removal(method), output=tmp_path / "out"
    )
    assert texts_of(corpus) == before == pages
    own = {
        url: [block for block in blocks if block not in (*MENU, *END)]
        for url, blocks in pages.items()
    }
    own |= {url: blocks for url, blocks in pages.items() if "b.com" in url}
    assert texts_of(tmp_path / "out") == {url: blocks for url, blocks in own.items() if blocks}
    assert report.left == {"few_pages": 2}
    assert (report.documents, report.sites) == (18, 2)
    assert (report.changed_documents, report.dropped_documents) == (15, 1)
    n_words = [len(block.split()) for url in pages if "a.com" in url for block in pages[url]]
    removed = 16 * sum(len(block.split()) for block in MENU) + 11 * len(END[0].split())
    assert (report.removed_blocks, report.removed_words) == (16 * 2 + 11, removed)
    assert report.most_removed == [("a.com", 16, removed / sum(n_words))]


def test_the_new_corpus_is_whole(corpus, pages, tmp_path):
    output = tmp_path / "out"
    remove_templates(corpus, maker(Stored(pages)), removal(), output=output)
    row = next(row for row in Corpus.open(output).documents() if row["url"] == "http://www.a.com/3")
    assert (row["n_words"], row["digest"]) == (120, text_digest(row["text"]))
    labels = [(block["label"], block["kept"]) for block in row["blocks"]]
    assert labels == [("template", False)] * 2 + [("good", True)] * 4 + [("template", False)]
    (rejected,) = [row for row in Corpus.open(output).rejected() if row["stage"] == "templates"]
    assert (rejected["url"], rejected["reason"]) == ("http://www.a.com/none", "template_blocks")
    listed = {shard["name"] for shard in read_manifest(output).shards}
    for kind in ("documents", "rejected"):
        assert {f"{kind}/{path.name}" for path in (output / kind).iterdir()} <= listed
        for path in (output / kind).iterdir():
            pq.read_table(path)


def test_sites_are_told_in_a_file(corpus, pages):
    report = remove_templates(corpus, maker(Stored(pages)), removal(site="host"))
    lines = (corpus / "templates/removed.tsv").read_text().splitlines()
    assert lines[0].split("\t")[:4] == ["site", "pages", "changed_pages", "dropped_pages"]
    assert [line.split("\t")[:4] for line in lines[1:]] == [
        ["b.com", "2", "0", "0"],
        ["shop.a.com", "5", "5", "0"],
        ["www.a.com", "11", "10", "1"],
    ]
    assert report.output is None
    screen = report.screen()
    assert "18 of 3 sites, by document-frequency" in screen
    assert "15; 1 were nothing but template" in screen
    assert "left       2 few pages" in screen
    assert "of the words of www.a.com, 11 pages" in screen


def test_pages_that_a_page_links_to(corpus, pages, tmp_path):
    """The notice is on one of the linked pages, the menu on all of them; other pages link to too few."""
    seed = "http://b.com/0"
    linked = ["/1", "http://shop.a.com/1", "http://www.a.com/1", "/1", "#top", "/unknown"]
    stored = Stored(pages, {seed: linked, "http://b.com/1": ["/0", "/unknown"]})
    report = remove_templates(corpus, maker(stored), removal(site="links"), output=tmp_path / "out")
    assert (report.left, report.changed_documents, report.sites) == ({"few_pages": 17}, 1, 2)
    assert texts_of(tmp_path / "out") == pages | {seed: pages[seed][2:]}


@pytest.mark.slow
@pytest.mark.parametrize("method", methods())
def test_what_is_read_of_a_page_serves_all_that_link_to_it(corpus, pages, monkeypatch, method):
    site = [url for url in pages if url.startswith("http://www.a.com/")]
    stored = Stored(pages, dict.fromkeys(site, site))
    answers, n_read = stored.page, []
    stored.page = lambda place: n_read.append(place) or answers(place)
    kept = remove_templates(corpus, maker(stored), removal(method, site="links"))
    # Once for itself, once for others.
    assert max(map(n_read.count, set(n_read))) <= 2
    n_read.clear()
    monkeypatch.setattr(around, "MAX_BYTES", 0)
    assert remove_templates(corpus, maker(stored), removal(method, site="links")) == kept
    assert max(map(n_read.count, set(n_read))) > 2


def test_pages_of_a_cluster(corpus, pages, tmp_path):
    options = removal(site="cluster")
    with pytest.raises(InputError, match="run `scrapy templates cluster` first"):
        remove_templates(corpus, maker(Stored(pages)), options)
    (corpus / "templates").mkdir(exist_ok=True)
    pq.write_table(pa.table({"page": ["x"]}), corpus / "templates" / "clusters.parquet")
    with pytest.raises(InputError, match=r"clusters\.parquet has no columns url and cluster; run"):
        remove_templates(corpus, maker(Stored(pages)), options)
    clustered = [url for url in pages if url.endswith(("/0", "/1"))]
    file = corpus / "templates" / "clusters.parquet"
    pq.write_table(pa.table({"url": clustered, "cluster": [3] * len(clustered)}), file)
    report = remove_templates(corpus, maker(Stored(pages)), options, output=tmp_path / "out")
    file.unlink()
    assert report.left == {"few_pages": 12}
    assert report.most_removed[0][:2] == ("cluster 3", 6)
    # the notice is on two of six pages: a third, and no more
    own = {url: [*pages[url][2:]] for url in clustered}
    assert texts_of(tmp_path / "out") == pages | own


def test_pages_that_stay_as_they_are(corpus, pages, tmp_path):
    """Their answers are gone, are damaged, are others, or no pages."""
    changed = {"0": b"gone", "1": b"", "2": b"image", "3": b"<p>other text</p>"}
    stored = Stored({url: pages[url] for url in pages if url != "http://www.a.com/4"}, **changed)
    report = remove_templates(corpus, maker(stored), removal(), output=tmp_path / "out")
    assert report.left == {
        "few_pages": 2,
        "no_answer": 3,
        "no_page": 2,
        "other_blocks": 2,
        "undecodable": 2,
    }
    after = texts_of(tmp_path / "out")
    for number in range(5):
        url = f"http://www.a.com/{number}"
        assert after[url] == pages[url]
    assert len(after["http://www.a.com/5"]) == 4


def test_order_of_the_crawl(pages, tmp_path):
    for seed in (1, 2):
        crawl(tmp_path / str(seed), shuffled(pages, seed))
        stored = Stored(shuffled(pages, seed + 5))
        options = removal("bootstrapped", "max_pages=4")
        remove_templates(
            tmp_path / str(seed), maker(stored), options, output=tmp_path / f"out{seed}"
        )
    assert texts_of(tmp_path / "out1") == texts_of(tmp_path / "out2") != pages


def test_the_last_answer_of_a_page_counts():
    class Twice:
        def urls(self):
            yield from (("http://a/", 2.0), ("http://b/", 1.0), ("http://a/", 1.0))

    urls = np.array([url_hash(url) for url in ("http://b/", "http://a/", "http://c/")], np.uint64)
    assert AnswerIndex(Twice()).places(urls).tolist() == [1, 0, -1]
    assert AnswerIndex(Stored({})).places(urls).tolist() == [-1, -1, -1]
    assert [*AnswerIndex(Twice())] == [0, 1]
    assert [*AnswerIndex(Stored({}))] == []


@given(st.dictionaries(st.integers(0, 9), st.lists(st.booleans(), max_size=20)))
def test_removed_blocks(flags):
    removed = RemovedBlocks(10)
    for number, each in flags.items():
        removed[number] = Removed(np.array(each, np.bool_), number + 2**63)
    for number in range(10):
        found = removed.get(number)
        if number in flags:
            assert (found.blocks.tolist(), found.digest) == (flags[number], number + 2**63)
        else:
            assert found is None


def test_an_output_that_is_there(corpus, pages, tmp_path):
    with pytest.raises(InputError, match="is there already"):
        remove_templates(corpus, maker(Stored(pages)), removal(), output=tmp_path)
    with pytest.raises(InputError, match="is within the corpus"):
        remove_templates(corpus, maker(Stored(pages)), removal(), output=corpus / "out")


@pytest.mark.parametrize("step", ["before commit", "after commit"])
def test_a_run_that_is_killed(corpus, pages, tmp_path, step):
    output = tmp_path / "out"
    killed = call(killed_at, step, corpus, output)
    killed.join()
    assert killed.exitcode == -signal.SIGKILL
    assert not output.exists()
    assert texts_of(corpus) == pages
    remove_templates(corpus, maker(Stored(pages)), removal(), output=output)
    assert len(texts_of(output)) == 17
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]


def test_a_corpus_that_waits_in_its_journal(pages, tmp_path):
    """A crawl that was stopped: its last pages have no file yet."""
    toy = ToyCrawl(tmp_path / "corpus")
    for url, blocks in pages.items():
        toy.fetch(url, blocks)
    toy.store.flush()
    toy.store.journal.close()
    report = remove_templates(
        tmp_path / "corpus", maker(Stored(pages)), removal(), output=tmp_path / "out"
    )
    assert report.changed_documents == 15
    assert len(texts_of(tmp_path / "out")["http://www.a.com/9"]) == 4


@pytest.mark.parametrize(
    ("method", "options", "fallback", "message"),
    [
        ("x", [], None, "--method x: unknown template detector 'x'; known are bootstrapped"),
        ("ma", ["tag=div"], None, "--method ma: it has no option 'tag'; it takes df, max_pages"),
        ("ma", ["df=many"], None, "--method ma: df must be a finite number, got 'many'"),
        ("ma", ["df"], None, "--option is 'df'; give NAME=VALUE"),
        ("ma", [], "accb", "--fallback is for bootstrapped, not ma; leave it out"),
        (
            "bootstrapped",
            ["fallback=accb"],
            None,
            "has no option 'fallback'; it takes df, distance",
        ),
        ("bootstrapped", [], "abcc", "--fallback abcc: unknown cleaning method"),
        ("bootstrapped", [], "peer/x", "--fallback is 'peer/x'; give a method of our own"),
    ],
)
def test_wrong_options(method, options, fallback, message):
    with pytest.raises(InputError) as error:
        detector_of(method, options, fallback=fallback)
    assert message in str(error.value)


def test_options_and_fallback(pages, tmp_path, corpus):
    made = detector_of("ma", ["tags=div,p", "df=0.5"])()
    assert (made.tags, made.df) == ({"div", "p"}, 0.5)
    options = RemovalOptions(
        "bootstrapped", detector_of("bootstrapped", fallback="minimum-words"), min_pages=1
    )
    report = remove_templates(corpus, maker(Stored(pages)), options, output=tmp_path / "out")
    assert report.left == {"small_cluster": 2}
    # minimum-words keeps blocks of ten words and more
    assert len(texts_of(tmp_path / "out")["http://b.com/1"]) == 4
    for wrong in ({"site": "planet"}, {"min_pages": 0}):
        with pytest.raises(ValueError, match="must be"):
            RemovalOptions("ma", detector_of("ma"), **wrong)
