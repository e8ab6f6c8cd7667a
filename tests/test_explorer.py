"""``scrapy explore``: a real server over real corpora, asked as a browser asks."""

from __future__ import annotations

import http.client
import json
import re
import shutil
from contextlib import closing
from urllib.parse import quote, urlsplit

import pytest
from lxml import html
from scrapy.settings import Settings

from crawler.commands.base import PROJECT_DEFAULTS
from crawler.commands.explore import Command
from crawler.durable.visits import microseconds, stale_key
from crawler.explorer.serve import listening
from crawler.explorer.state import PAGE_ROWS, Explorer
from crawler.items import Page
from pipelines.corpus.corpus import Corpus
from pipelines.corpus.stale import Stale
from pipelines.evaluation.foreign_cleaner import Limits
from tests.explorer_site import Site, warc_record
from tests.graph_commands import run_command
from tests.laws_corpus import AT, block, url, write_pages

MARKUP = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def site(small_crawl, tmp_path_factory):
    """The crawl of the small web, ranked and indexed."""
    corpus = shutil.copytree(small_crawl[1], tmp_path_factory.mktemp("explorer") / "corpus")
    for name in ("pagerank", "index"):
        done = run_command(name, "--corpus", corpus)
        assert done.code == 0, done.errors
    served = Site(corpus)
    yield served
    served.close()


@pytest.fixture(scope="module")
def odd_site(tmp_path_factory):
    """Pages with markup in all they say, one with a stored answer, one whose answer is gone."""
    corpus = tmp_path_factory.mktemp("odd") / "corpus"
    other = warc_record(url(9), b"<p>Another page")
    stored = warc_record(url(1), b"<h1>Head</h1><p>" + b"Words of the main text. " * 40)
    (corpus / "warc").mkdir(parents=True)
    (corpus / "warc" / "0.warc.gz").write_bytes(other + stored)
    blocks = [block(MARKUP, 0), {**block("Menu", 1), "kept": False, "label": "boilerplate"}]
    hostile = {"title": MARKUP, "author": MARKUP, "description": MARKUP, "text": MARKUP}
    pages = [
        Page(*(1, 0, f"javascript:{MARKUP}", MARKUP, AT, 200), blocks=blocks, n_words=9, **hostile),
        Page(1, 1, url(1), "a.com", AT, 200, warc_file="warc/0.warc.gz", warc_offset=len(other)),
        Page(1, 2, url(2), "a.com", AT, 200, warc_file="warc/1.warc.gz", warc_offset=0),
    ]
    write_pages(corpus, [*pages, *(Page(2, i, url(i), "b.com", AT, 200) for i in range(3, 120))])
    served = Site(corpus)
    yield served
    served.close()


def test_the_first_page_counts_the_corpus(site):
    text = site.tree("/").text_content()
    assert f"{Corpus.open(site.folder).n_rows('documents'):,}documents" in re.sub(r"\s", "", text)


def test_all_that_is_linked_is_there(site):
    """Each link of the explorer, of the first of its kind, leads to a page."""
    seen, waiting = set(), ["/"]
    while waiting:
        path = waiting.pop()
        kind = re.sub(r"\d+|=[^&]*", "#", path)
        if kind in seen:
            continue
        seen.add(kind)
        links = site.tree(path).xpath("//a/@href")
        waiting += [link for link in links if link.startswith("/")]
        waiting += [f"{urlsplit(path).path}{link}" for link in links if link.startswith("?")]
    assert {"/", "/report", "/rejected", "/host/#", "/page/#/#", "/url?u#"} <= seen


def test_search_shows_what_the_facets_command_finds(site):
    row = next(Corpus.open(site.folder).documents(["text"]))
    query = " ".join(row["text"].split()[3:5])
    found = json.loads(run_command("facets", "--corpus", site.folder, "--json", query).out)
    tree = site.tree(f"/search?q={quote(query)}")
    shown = tree.xpath("//div[@class='address']/text()")
    assert shown[:10] == [each["url"] for each in found["results"]]
    assert len(shown) <= 20
    assert {word.lower() for word in tree.xpath("//mark/text()")} <= set(query.lower().split())
    # Arabic runs from right to left, and so do its full stops.
    texts = "//mark/.. | //div[@class='title'] | //input[@type='search']"
    assert {each.get("dir") for each in tree.xpath(texts)} == {"auto"}


def test_a_facet_ranks_the_results(site):
    tree = site.tree("/search?q=the")
    facets = tree.xpath("//div[@class='facets']/a/@href")
    chosen = site.tree(facets[0])
    assert len(chosen.xpath("//a[@class='chosen']")) == 1
    assert "ranked by Top" in chosen.text_content() or "General" in chosen.text_content()
    assert site.ask("/search?q=the&facet=nonsense")[0] == 422


def test_more_results_are_a_link_away(site):
    tree = site.tree("/search?q=the")
    assert len(tree.xpath("//ol/li")) == 20
    (more,) = tree.xpath("//a[text()='More results']/@href")
    assert len(site.tree(more).xpath("//ol/li")) == 40


def test_a_url_leads_to_its_page(site):
    for row in list(Corpus.open(site.folder).documents(["url", "title", "blocks"]))[::60]:
        tree = site.tree(f"/search?q={quote(row['url'])}")
        assert tree.xpath("//p[@class='address']/a/text()") == [row["url"]]
        assert len(tree.xpath("//div[contains(@class, 'block ') or @class='block']")) >= 1
        kept = tree.xpath("//div[contains(@class, ' kept')]")
        assert len(kept) == sum(each["kept"] for each in row["blocks"])


def test_a_url_is_taken_as_it_is_written(site):
    address = next(Corpus.open(site.folder).documents(["url"]))["url"]
    scheme, host, path = urlsplit(address)[:3]
    for written in (f"{scheme}://{host.upper()}{path}", f"{address}#part"):
        status, headers, _ = site.ask(f"/url?u={quote(written)}")
        assert status == 307
        assert headers["Location"].endswith(site.ask(f"/url?u={quote(address)}")[1]["Location"])


def test_results_that_left_the_corpus_hide_no_others(site, tmp_path):
    """The index still has pages that a later crawl rejected."""
    corpus = shutil.copytree(site.folder, tmp_path / "corpus")
    explorer = Explorer(corpus)
    found = explorer.search("the", 20)
    first = found.results[0]
    explorer.corpus._stale = Stale(
        [(stale_key(row["host_id"] << 32 | row["local_id"], microseconds(row["fetched_at"])), b"")
         for row in explorer.corpus.documents(["host_id", "local_id", "fetched_at", "url"])
         if row["url"] == first.url]
    )  # fmt: skip
    again = explorer.search("the", 20)
    assert [each.url for each in again.results] == [each.url for each in found.results[1:]]
    assert again.has_more


def test_rejected_pages_are_listed_by_reason(site):
    rows = [row for row in Corpus.open(site.folder).rejected() if row["reason"] == "short_text"]
    shown, path = [], "/rejected?reason=quality/short_text"
    while path:
        tree = site.tree(path)
        shown += tree.xpath("//table//a[starts-with(@href, '/page/')]/text()")
        path = next(iter(tree.xpath("//a[text()='More pages']/@href")), None)
    assert shown == [row["url"] for row in rows]


def test_each_kind_of_rejected_page_is_shown(site):
    rows = {row["reason"]: row for row in Corpus.open(site.folder).rejected()}
    assert len(rows) > 5
    for reason, row in rows.items():
        text = site.tree(f"/page/{row['host_id']}/{row['local_id']}").text_content()
        assert row["url"] in text
        assert reason in text


def test_a_host_is_listed_in_parts(odd_site):
    first, second, third = (odd_site.tree(f"/host/2?start={start}") for start in (0, 50, 100))
    counts = [len(tree.xpath("//tr")) - 1 for tree in (first, second, third)]
    assert counts == [PAGE_ROWS, PAGE_ROWS, 17]
    assert first.xpath("//a[text()='More pages']/@href") == ["?start=50"]
    assert third.xpath("//a[text()='More pages']") == []
    for path, told in (("/host/7", "has no pages of"), ("/host/2?start=150", "has no more pages")):
        status, _, body = odd_site.ask(path)
        assert (status, told in body) == (404, True)


def test_narrow_windows_and_lines_from_right_to_left_are_provided_for(odd_site):
    tree = odd_site.tree("/")
    (style,) = tree.xpath("//style/text()")
    # "left" would set the last line of an Arabic description at its wrong end.
    assert re.findall(r"td[.]left.*text-align: (\w+)", style)[0] == "start"
    # Without these the button is out of a window of 400 pixels, and names of hosts are cut after some letters.
    assert re.search(r"input.*min-width: 0;.*", style)
    assert re.search(r"td[.]name { overflow-wrap: normal }", style)
    assert len(tree.xpath("//td[@class='left name']/a")) == 2


def test_crawled_text_is_never_markup(odd_site):
    for path in ("/", "/host/1", "/page/1/0", "/report"):
        status, headers, body = odd_site.ask(path)
        assert status == 200
        assert "<script" not in body
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert not [link for link in html.fromstring(body).xpath("//@href") if "script:" in link]
    shown = odd_site.tree("/page/1/0")
    assert MARKUP in shown.text_content()
    said = shown.xpath("//th[text()='author' or text()='description']/following-sibling::td")
    assert [each.get("dir") for each in said] == ["auto", "auto"]


def test_the_inspector_reads_the_stored_answer(odd_site):
    status, _, body = odd_site.ask("/inspect/1/1")
    assert status == 200
    assert "Words of the main text." in body
    assert "Another page" not in body
    for path in ("/inspect/1/2", "/inspect/2/3"):
        status, _, body = odd_site.ask(path)
        assert status == 422
        assert "crawl with WARC_ENABLED=1" in body


@pytest.mark.parametrize(
    "path",
    [
        *("/nope", "/page/9/9", "/page/99999999999999999999/1", "/host/77", "/url?u=http://no/"),
        *("/host/4294967296", "/host/99999999999999999999", "/url?u=http://[", "/url"),
        *("/files/manifest.json", "/files/../manifest.json", "/files/laws/laws.html", "/page/a/b"),
        "/host/2?start=100000",
    ],
)
def test_what_is_not_there_is_told(odd_site, path):
    status, _, body = odd_site.ask(path)
    assert status == 404
    assert "Traceback" not in body


def test_odd_arguments_are_passed_over(site):
    for path in ("/rejected?start=-1", "/rejected?start=x&reason=%00", "/search", "/search?q=%22",
                 "/search?q=%00&n=0", "/search?q=a&n=999999999999", "/report?x=y"):  # fmt: skip
        assert site.ask(path)[0] == 200, path


def test_without_an_index_the_mend_is_told(odd_site):
    status, _, body = odd_site.ask("/search?q=words")
    assert status == 422
    assert "run `scrapy index` first" in body


def test_other_names_of_the_host_are_refused(site):
    assert site.ask("/", Host="evil.example")[0] == 400
    assert site.ask("/", Host=f"localhost:{site.port}")[0] == 200


def test_methods_that_change_are_refused(site):
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=30)
    connection.request("POST", "/search?q=a", body="x")
    assert connection.getresponse().status == 405
    connection.close()


def test_a_cleaner_of_another_project_may_take_what_it_may_in_a_crawl():
    command = Command()
    ours = {
        "CLEAN_METHOD": "peer/justext",
        "CLEAN_WORKER_SECS": 2.5,
        "CLEAN_WORKER_BYTES": 300_000_000,
    }
    command.settings = Settings({**PROJECT_DEFAULTS, **ours})
    with closing(command._inspector().cleaner) as cleaner:
        assert cleaner.limits == Limits(page_secs=2.5, memory_bytes=300_000_000)


def test_files_that_are_gone_are_told(site):
    corpus = Corpus.open(site.folder)
    (shard,) = [each for each in corpus.shards if each.kind == "documents"]
    row = next(corpus.documents(["host_id", "local_id"]))
    path = f"/page/{row['host_id']}/{row['local_id']}"
    assert site.ask(path)[0] == 200
    other = (site.folder / shard.name).rename(site.folder / "other.parquet")
    status, _, body = site.ask(path)
    assert status == 422
    assert "Traceback" not in body
    other.rename(site.folder / shard.name)
    assert site.ask(path)[0] == 200


def test_wrong_calls_are_told_in_one_line(odd_site, tmp_path):
    with listening("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        for arguments, told in (
            (("--corpus", tmp_path), "run a crawl first"),
            (("--port", "70000"), "--port is '70000'; give a number, 0 to 65535"),
            (("--port", "http"), "--port is 'http'"),
            (("--corpus", odd_site.folder, "--port", port), "give another --port or --host"),
            (("--corpus", odd_site.folder, "--host", "no.invalid"), "cannot listen on no.invalid"),
            (("--corpus", odd_site.folder, "--host", "a..b"), "(no name of a host); give another"),
            (("more",), "more"),
        ):
            done = run_command("explore", *arguments)
            assert done.code == 2, arguments
            assert told in done.errors
            assert len(done.errors.splitlines()) == 1
