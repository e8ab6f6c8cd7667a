"""A corpus that is crawled again: what changed is replaced, what did not stays, one row a page, also after kills."""

from __future__ import annotations

import json
from collections import Counter
from operator import itemgetter
from urllib.parse import urlsplit

import pytest
from scrapy.settings import Settings

from crawler.errors import InputError
from crawler.sampleweb.editions import in_edition
from crawler.sampleweb.running import read_web
from crawler.spiders.odp import OdpSpider
from crawler.spiders.warc import WarcSpider
from crawler.webgraph.graph import Graph
from pipelines.corpus.corpus import Corpus
from tests.conftest import crawl_arguments, run_scrapy, served_web
from tests.made_warcs import records_of
from tests.test_crawl_archive import ARCHIVED
from tests.test_kill import kill_at

WEB = ("--hosts", "6", "--pages", "60")
SMALL = (
    *("-s", "COMMIT_GROUP_PAGES=10", "-s", "SEAL_ROWS=40", "-s", "WARC_ENABLED=1"),
    *("-s", "HOST_DELAY_SECS=0", "-s", "FETCH_RETRY_SECS=0.05"),
)
AGAIN = ("-a", "recrawl_after=0.001s")


def crawl(web, corpus, *options):
    arguments = [each for each in crawl_arguments(web, corpus) if each != "--nolog"]
    done = run_scrapy(*arguments, "-L", "ERROR", *SMALL, *options)
    assert done.returncode == 0, done.stderr
    assert "] ERROR" not in done.stderr
    return done


def rows_of(corpus):
    """URL → row of each page; there is one a page, in the shards themselves as well."""
    folder = Corpus.open(corpus)
    rows = [*folder.documents(), *folder.rejected()]
    found = {row["url"]: row for row in rows}
    assert len(found) == len(rows)
    return found


def arcs_of(corpus):
    """URL → the targets of its arcs."""
    with Graph.open(corpus) as graph:
        ids = graph.pages()
        urls = dict(zip(ids.tolist(), graph.urls(ids), strict=True))
        sources, targets, _ = graph.arcs()
    found = {}
    for source, target in zip(sources.tolist(), targets.tolist(), strict=True):
        found.setdefault(urls[source], set()).add(urls[target])
    return found


@pytest.fixture(scope="module")
def twice(tmp_path_factory):
    """(web, what the first crawl came to, corpus) of two editions, the second crawl killed when it moved rows."""
    folder = tmp_path_factory.mktemp("twice")
    web, corpus = folder / "web", folder / "corpus"
    with served_web(web, *WEB):
        crawl(web, corpus)
    first = rows_of(corpus), arcs_of(corpus)
    with served_web(web, *WEB, "--edition", "2"):
        kill_at(web, corpus, "rewrite renamed", *ARCHIVED, *AGAIN)
        crawl(web, corpus)
    return web, first, corpus


def expected_of(sample, url):
    """What edition 2 answers for *url*, and whether that is another answer than edition 1's."""
    parts = urlsplit(url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    old = sample.page(parts.netloc, path)
    new = in_edition(old, parts.netloc, path, 2)
    same = (old.status, old.body, old.location) == (new.status, new.body, new.location)
    return new, not same


@pytest.mark.slow
def test_what_changed_is_replaced_and_the_rest_stays(twice):
    web, (before, _), corpus = twice
    sample, now = read_web(web), rows_of(corpus)
    replaced = {row["url"]: row for row in Corpus.open(corpus).replaced()}
    visits = Counter(row["url"] for row in Corpus.open(corpus).visits())
    kinds = Counter()
    for url, row in before.items():
        answered = row["status"] is not None and row["status"] < 400
        if not answered or row["reason" if "reason" in row else "url"] == "status_302":
            assert now[url] == row  # what was missed then is missed again
            assert visits[url] == (row["stage"] == "fetch")
            continue
        answer, is_other = expected_of(sample, url)
        is_copy = row.get("duplicate_of") is not None
        if not is_other and not is_copy:
            if now[url].get("duplicate_of") is None:  # or a page that changed is kept instead
                assert now[url].get("text") == row.get("text")
            continue
        kinds[answer.status, is_other] += 1
        assert now[url]["fetched_at"] > row["fetched_at"]
        assert now[url]["status"] == answer.status
        assert replaced[url]["fetched_at"] == row["fetched_at"]
        assert replaced[url]["text"] == row.get("text")
        assert replaced[url]["source"] == f"{row['warc_file']}:{row['warc_offset']}"
        reason = {200: "changed", 301: "redirect", 404: "gone"}
        if is_other:
            assert replaced[url]["reason"] == reason[answer.status]
    assert {(200, True), (404, True), (200, False)} <= set(kinds)
    assert len(visits) > 60
    lost = {url for url, row in now.items() if row["status"] == 404 and url in replaced}
    assert lost
    assert not visits.keys() & lost


def test_a_page_that_is_the_same_keeps_its_row(twice):
    _, (before, _), corpus = twice
    now, outcomes = rows_of(corpus), Counter()
    for visit in Corpus.open(corpus).visits():
        url = visit["url"]
        outcomes[visit["outcome"]] += 1
        if visit["outcome"] in {"not_modified", "same_answer"}:
            assert now[url]["fetched_at"] == visit["fetched_at"]
            assert visit["visited_at"] > visit["fetched_at"]
            if "text" in before[url]:
                assert now[url].get("text") in {before[url]["text"], None}
    assert outcomes["not_modified"] > 20
    assert outcomes["same_answer"] > 5


def test_arcs_are_those_of_the_last_answer(twice):
    web, (rows, before), corpus = twice
    sample, now = read_web(web), arcs_of(corpus)
    for url, row in rows.items():
        if row["status"] != 200:
            continue
        answer, is_other = expected_of(sample, url)
        home = f"{url.partition('://')[0]}://{urlsplit(url).netloc}/"
        if answer.status == 404:
            assert url not in now
        elif answer.status == 301:
            assert now[url] == {home}
        else:
            assert now.get(url, set()) == before.get(url, set()) | ({home} if is_other else set())


def kind_of(visit):
    """The record of a later visit: of one that found no page, what was answered."""
    return "revisit" if visit["outcome"] in {"not_modified", "same_answer"} else "response"


def test_revisits_in_the_archive(twice):
    _, _, corpus = twice
    found = Counter(
        (kind, uri)
        for path in sorted((corpus / "warc").iterdir())
        for kind, uri, _ in records_of(path)
        if kind in {"response", "revisit"}
    )
    folder = Corpus.open(corpus)
    captures = [row for row in rows_of(corpus).values() if row["warc_file"]]
    captures += [row for row in folder.replaced() if row["source"]]
    answered = [visit for visit in folder.visits() if visit["warc_file"]]
    expected = Counter(("response", row["url"]) for row in captures)
    assert found == expected + Counter((kind_of(visit), visit["url"]) for visit in answered)
    for visit in answered:
        kind, uri, _ = records_of(corpus / visit["warc_file"], visit["warc_offset"])[0]
        assert (kind, uri) == (kind_of(visit), visit["url"])
    assert {kind_of(visit) for visit in answered} == {"response", "revisit"}


def test_the_archive_gives_the_same_rows(twice, tmp_path):
    _, _, corpus = twice
    done = run_scrapy(
        *("crawl", "warc", "-a", f"paths={corpus / 'warc'}/*.warc.gz", "--nolog"),
        *("-s", f"CORPUS_DIR={tmp_path}"),
    )
    assert done.returncode == 0, done.stderr
    columns = ("status", "stage", "reason", "text")
    ours, now = (
        {url: [row.get(name) for name in columns] for url, row in rows_of(each).items()}
        for each in (tmp_path, corpus)
    )
    assert {row[0] for row in ours.values()} > {200, 301, 404, 503}
    assert ours == {url: row for url, row in now.items() if row[2] != "robots"}
    columns = ("url", "fetched_at", "visited_at", "status", "outcome")
    told, visits = (
        [{name: row[name] for name in columns} for row in Corpus.open(each).visits()]
        for each in (tmp_path, corpus)
    )
    by_url = itemgetter("url")
    assert sorted(told, key=by_url) == sorted(
        (row for row in visits if kind_of(row) == "revisit"), key=by_url
    )


def test_shards_hold_one_row_a_page_too(twice):
    _, _, corpus = twice
    manifest = json.loads((corpus / "manifest.json").read_text())
    named = {shard["name"] for shard in manifest["shards"]}
    for table in ("documents", "rejected", "replaced", "visits"):
        assert {f"{table}/{path.name}" for path in (corpus / table).iterdir()} <= named
    with_stale = Corpus.open(corpus)
    assert len(with_stale._stale) == 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("step", "number"),
    [
        *(("after commit", number) for number in (2, 5, 9, 14)),
        *(("before commit", number) for number in (3, 8, 15)),
        *(("seal renamed", 1), ("seal committed", 2)),
        *(("rewrite written", 1), ("rewrite renamed", 2), ("rewrite committed", 1)),
    ],
)
def test_killed_at_any_step(twice, tmp_path, step, number):
    web, _, corpus = twice
    again = tmp_path / "corpus"
    with served_web(web, *WEB):
        crawl(web, again)
    with served_web(web, *WEB, "--edition", "2"):
        kill_at(web, again, step, *ARCHIVED, *AGAIN, number=number)
        crawl(web, again)
    ours, expected = rows_of(again), rows_of(corpus)
    columns = ("status", "text", "stage", "reason")
    assert {url: [row.get(name) for name in columns] for url, row in ours.items()} == {
        url: [row.get(name) for name in columns] for url, row in expected.items()
    }
    assert arcs_of(again) == arcs_of(corpus)
    for table in ("replaced", "visits"):
        found = [
            Counter(row["url"] for row in Corpus.open(folder).rows(table, ["url"]))
            for folder in (again, corpus)
        ]
        assert found[0] == found[1]


def test_a_wrong_duration_is_said():
    with pytest.raises(InputError, match="'week'; give a number and s, m, h or d, such as 7d"):
        OdpSpider.check({"seeds": "x", "recrawl_after": "week"}, Settings())
    with pytest.raises(InputError, match="has no argument 'recrawl_after'"):
        WarcSpider.check({"paths": "x", "recrawl_after": "7d"}, Settings())
