"""``scrapy export --merge`` of corpora that were read from WARC files apart: what one crawl of all files comes to."""

from __future__ import annotations

import shutil
from collections import Counter
from contextlib import closing

import pytest

from crawler.durable.journal import Journal
from crawler.durable.keys import u64_key
from crawler.durable.layout import journal_folder
from crawler.durable.visits import CLAIMS
from crawler.errors import InputError
from crawler.frontier.store.crawl_store import CrawlStore
from crawler.urls import page_key
from crawler.webgraph.graph import Graph
from crawler.webgraph.pages.table import PageTable
from pipelines.corpus.corpus import Corpus
from pipelines.corpus.manifest import write_manifest
from pipelines.jobs.merge.archives import merge_archives, were_read_apart
from tests.conftest import run_scrapy
from tests.test_kill import end_state
from tests.toy_crawl import SEEDS, crawl, open_store
from tests.warc_records import html, named, notes, record, revisit

KIND = "Content-Type: text/html"


def text(name):
    return f"The page {name} of this site has a text with words enough to be kept. " * 9


def page(path, name, date, *links):
    return record(f"http://{path}", html(text(name), *links), KIND, date=f"{date}T00:00:00Z")


def gone(path, date):
    return record(f"http://{path}", b"", KIND, status="404 Not Found", date=f"{date}T00:00:00Z")


FILES = (
    (
        page("b.sample/", "first", "2019-01-01", "/old", "http://a.sample/"),
        page("a.sample/", "home", "2020-01-01", "/gone", "/copy"),
        page("a.sample/gone", "that goes", "2020-01-01"),
        page("a.sample/named", "that a revisit names", "2020-01-01", "/of-named"),
        record("http://a.sample/moved", b"", "Location: /", status="301 Moved"),
        page("a.sample/copy", "of a copy", "2020-01-01"),
        revisit("http://c.sample/", "2022-01-01T00:00:00Z", "2020-01-01T00:00:00Z"),
    ),
    (
        page("c.sample/", "named from elsewhere", "2020-01-01", "http://a.sample/x"),
        page("a.sample/", "home as it was", "2018-01-01", "/never"),
        gone("a.sample/gone", "2021-01-01"),
        page("a.sample/named", "between", "2021-01-01", "/between"),
        revisit("http://a.sample/named", "2022-01-01T00:00:00Z", "2020-01-01T00:00:00Z"),
        page("b.sample/copy", "of a copy", "2020-01-01"),
    ),
    (
        page("c.sample/", "between", "2021-01-01", "http://a.sample/y"),
        page("b.sample/", "latest", "2023-01-01", "http://c.sample/"),
        page("b.sample/", "of before", "2017-01-01"),
        page("b.sample/", "of before that", "2016-01-01"),
        page("a.sample/moved", "that came back", "2021-01-01"),
    ),
)


def read(paths, corpus, *more):
    arguments = ("-a", f"paths={paths}", "-s", f"CORPUS_DIR={corpus}", "--nolog", *more)
    done = run_scrapy("crawl", "warc", *arguments)
    assert done.returncode == 0, done.stderr
    return done


def merge(output, *folders):
    done = run_scrapy("export", "--merge", "--output", output, *folders)
    assert done.returncode == 0, done.stderr
    return done.stdout


def other_rows(folder):
    """The rows that are of no page as it is now, by what names them."""
    corpus = Corpus.open(folder)
    replaced = Counter((row["url"], row["fetched_at"], row["reason"]) for row in corpus.replaced())
    return replaced, Counter((row["url"], row["visited_at"]) for row in corpus.visits())


@pytest.fixture(scope="module")
def corpora(tmp_path_factory):
    """The folder of three corpora, each of one file, and of ``one``, of all of them."""
    folder = tmp_path_factory.mktemp("apart")
    for number, records in enumerate(FILES):
        (folder / f"{number}.warc").write_bytes(b"".join(records))
        read(folder / f"{number}.warc", folder / f"corpus-{number}")
    read(folder / "*.warc", folder / "one")
    return folder


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
def test_corpora_that_were_read_apart_come_to_what_one_crawl_does(corpora, tmp_path, order):
    said = merge(tmp_path / "all", *(corpora / f"corpus-{number}" for number in order))
    assert "8 pages, 3 hosts; 6 captures left for a later one in another folder" in said
    done = run_scrapy("dedup", "--close", "--corpus", tmp_path / "all")
    assert done.returncode == 0, done.stderr
    *ours, urls = end_state(tmp_path / "all")
    *alone, known = end_state(corpora / "one")
    assert ours == alone
    assert urls >= known  # those that only replaced captures link to, besides
    assert other_rows(tmp_path / "all") == other_rows(corpora / "one")
    texts = {row["url"]: row["text"] for row in Corpus.open(tmp_path / "all").documents()}
    assert "named from elsewhere" in texts["http://c.sample/"]
    # A crawl of further files goes on with it, and finds nothing new in these.
    done = read(corpora / "*.warc", tmp_path / "all")
    assert "fetched            0" in done.stdout
    assert end_state(tmp_path / "all")[:-1] == tuple(alone)


def test_files_that_are_read_into_two_corpora_count_once(corpora, tmp_path):
    twice = [corpora / "corpus-2", corpora / "corpus-2"]
    report = merge_archives(twice, tmp_path / "all", CrawlStore)
    assert (report.pages, report.replaced) == (3, 0)
    assert end_state(tmp_path / "all")[:-1] == end_state(corpora / "corpus-2")[:-1]


def test_categories_of_hosts_are_those_of_all_folders(tmp_path):
    """Those that crawls noted of their answers in WARC files."""
    noted = {"a": ("Top/A",), "b": ("Top/B", "Top/C")}
    for name, paths in noted.items():
        fields = ("pageId: 0:0", "depth: 2", *(f"category: {path}" for path in paths))
        page_of = page(f"www.sample/{name}", name, "2020-01-01")
        (tmp_path / f"{name}.warc").write_bytes(named(page_of, name) + notes(name, *fields))
        read(tmp_path / f"{name}.warc", tmp_path / name)
    merge_archives([tmp_path / name for name in noted], tmp_path / "all", CrawlStore)
    with closing(Graph.open(tmp_path / "all")) as graph:
        assert graph.categories(0) == ("Top/A", "Top/B", "Top/C")
    rows = Corpus.open(tmp_path / "all").documents()
    assert {(tuple(row["category"]), row["depth"]) for row in rows} == {
        (paths, 2) for paths in noted.values()
    }


def test_what_a_fleet_has_read_is_merged_too(corpora, tmp_path):
    done = run_scrapy(
        "fleet", "warc", "-p", "2", "-a", f"paths={corpora / '[01].warc'}",
        "-s", f"CORPUS_DIR={tmp_path / 'fleet'}", "--nolog",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    merge(tmp_path / "all", tmp_path / "fleet", corpora / "corpus-2")
    assert run_scrapy("dedup", "--close", "--corpus", tmp_path / "all").returncode == 0
    assert end_state(tmp_path / "all")[:-1] == end_state(corpora / "one")[:-1]


def test_what_cannot_be_merged(corpora, tmp_path):
    read_apart, web = corpora / "corpus-0", tmp_path / "web"
    store = open_store(web)
    store.add_seeds(SEEDS)
    crawl(store)
    store.close()
    row = next(Corpus.open(web).documents())
    assert were_read_apart([read_apart, corpora / "corpus-1"])
    assert not were_read_apart([read_apart, web])
    write_manifest(web, settings="0" * 32, counts={}, shards=())
    journal = Journal.open_writer(journal_folder(web))
    journal.write(
        lambda txn: txn.put(CLAIMS, u64_key(row["host_id"] << 32 | row["local_id"]), b"of one page")
    )
    journal.close()
    with pytest.raises(InputError, match="has pages that are in no WARC file, as http"):
        merge_archives([read_apart, web], tmp_path / "all", CrawlStore)
    assert not (tmp_path / "all").exists()


def test_a_crawl_that_is_not_at_its_end_is_not_merged(corpora, tmp_path):
    copy = shutil.copytree(corpora / "corpus-1", tmp_path / "copy")
    journal = Journal.open_writer(journal_folder(copy))
    with journal.read() as txn:
        # What is linked to alone was claimed by nobody.
        known = PageTable(txn).find_one(page_key("http://a.sample/x"))
    journal.write(lambda txn: txn.put(CLAIMS, u64_key(known), b"of a page on its way"))
    journal.close()
    with pytest.raises(InputError, match="copy is not at its end; the same command goes on"):
        merge_archives([corpora / "corpus-0", copy], tmp_path / "all", CrawlStore)
