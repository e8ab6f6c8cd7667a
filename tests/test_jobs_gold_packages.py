"""``scrapy gold``: packages of saved pages, WARC files and a corpus, scored."""

from __future__ import annotations

import gzip
import json
import shutil
from itertools import chain

import pytest

from pipelines.evaluation.landmarks.rules import read_rules
from pipelines.evaluation.readers import linked_pages, open_dataset
from pipelines.jobs.gold_packages.making import ByRules, ServedPage
from tests.conftest import run_scrapy
from tests.gold_packages import TYPE, blog, gold_work, make, news
from tests.gold_standard import SENTENCE
from tests.graph_commands import run_command
from tests.hostile_server import HTML, Hostile, reply, served_bytes
from tests.warc_records import record


@pytest.fixture
def work(tmp_path):
    return gold_work(tmp_path)


def test_saved_pages_by_the_rules_of_their_hosts(work):
    code, out, _ = work("make", "@p.zip", "@pages", "--rules", "@rules.toml", "--name", "mine")
    assert code == 0
    assert out.endswith(
        "4 documents written; left out: 1 no address, 1 no end of body, 1 no rule\n"
    )
    pages = {page.page_id: page for page in open_dataset(work.folder / "p.zip")}
    assert {name: page.gold for name, page in pages.items()} == {
        "in-b": blog(7)[1], "n0": news(0)[1], "n1": news(1)[1], "n2": news(2)[1],
    }  # fmt: skip
    page = pages["n1"]
    assert (page.dataset, page.url, page.language) == ("mine", "http://news.sample/1", "en")
    assert (page.page_type, page.body.endswith(news(1)[0])) == ("news", True)
    assert pages["in-b"].language is None


def test_a_package_of_rules_is_scored(work):
    path = make(work)
    done = run_command("evaluate", path, "--methods", "keep-all", "--measures", "cs,bow", "--json")
    assert done.code == 0, done.errors
    told = done.out
    assert '"p"' in told
    # The whole page has all of the gold text, and more.
    rows = [row for row in _dicts(json.loads(told)) if row.keys() >= {"recall", "precision"}]
    assert rows
    assert all(row["recall"] == pytest.approx(1) and row["precision"] < 1 for row in rows)


def _dicts(told):
    if isinstance(told, dict):
        return [told, *chain.from_iterable(map(_dicts, told.values()))]
    return list(chain.from_iterable(map(_dicts, told))) if isinstance(told, list) else []


def test_the_language_of_a_rule_comes_before_that_of_the_crawl(work):
    source = ByRules(read_rules(work.folder / "rules.toml"))
    for url, (body, _), language in (
        ("http://news.sample/", news(1), "en"),
        ("http://blog.sample/", blog(1), "nl"),
    ):
        page = source.gold_page(ServedPage("x", url, body, TYPE, "nl"), body)
        assert page.language == language


def test_a_package_within_the_folder_of_its_pages_is_none_of_them(work):
    _, out, _ = work("make", "@pages/p.zip", "@pages", "--rules", "@rules.toml", "--json")
    left = {each["page_id"] for each in json.loads(out)["left_out"]}
    assert left == {"broken", "none", "other"}


def test_one_rule_for_all_pages(work):
    _, out, _ = work(
        "make", "@p.zip", "@pages", "--rules", "@rules.toml", "--site", "news", "--json"
    )
    told = json.loads(out)
    assert told["documents"] == ["n0", "n1", "n2"]
    assert {each["page_id"]: each["reason"] for each in told["left_out"]} == {
        "broken": "no end of body", "in-b": "no title", "none": "no title", "other": "no title",
    }  # fmt: skip


def test_pages_by_given_texts(work):
    texts = work.folder / "texts"
    texts.mkdir()
    (texts / "n0.txt").write_text("Näws", encoding="utf-8")
    (texts / "in-b.txt").write_text(" - ", encoding="utf-8")
    code, out, _ = work("make", "@p.zip", "@pages", "--texts", "@texts", "--language", "de")
    assert (code, out[out.index("1 doc") :]) == (
        0,
        "1 document written; left out: 5 no text, 1 empty text\n",
    )
    (page,) = open_dataset(work.folder / "p.zip")
    assert (page.page_id, page.gold, page.language) == ("n0", "Näws", "de")


def test_warc_files_the_last_answer_of_an_address_counts(work):
    old, new = "2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z"
    records = [
        record("http://news.sample/a", news(2)[0], TYPE, date=new),
        record("http://news.sample/a", news(1)[0], TYPE, date=old),
        record("http://blog.sample/", gzip.compress(blog(1)[0]), TYPE, "Content-Encoding: gzip"),
        record("http://blog.sample/x", b"\x1f\x8bno", TYPE, "Content-Encoding: gzip"),
        record("http://blog.sample/pdf", b"%PDF-1.4 " + blog(3)[0], TYPE),
        record("http://blog.sample/png", blog(4)[0], "Content-Type: image/png"),
        record("http://blog.sample/gone", blog(2)[0], TYPE, status="404 Not Found"),
    ]
    (work.folder / "a.warc.gz").write_bytes(b"".join(map(gzip.compress, records)))
    code, out, err = work("make", "@p.zip", "@a.warc.gz", "--rules", "@rules.toml")
    assert (code, err) == (0, "")
    assert out.endswith("2 documents written; left out: 2 no page, 1 undecodable\n")
    pages = {page.url: page for page in open_dataset(work.folder / "p.zip")}
    assert {url: page.gold for url, page in pages.items()} == {
        "http://news.sample/a": news(2)[1], "http://blog.sample/": blog(1)[1],
    }  # fmt: skip
    page = pages["http://news.sample/a"]
    assert page.content_type == "text/html; charset=utf-8"
    assert page.page_id.startswith("news.sample-")
    # The same page has the same id in each run.
    code, _, err = work("add", "@p.zip", "@a.warc.gz", "--rules", "@rules.toml")
    assert (code, f"has a document '{page.page_id}'" in err) == (2, True)


def test_linked_pages_are_those_that_documents_link_to(work):
    bodies = {
        "http://news.sample/a": news(1)[0]
        + b"<a href=/b>on</a> <a href=//x.sample/?q>off</a> <a href=/none>",
        "http://news.sample/b": b"<p>b <a href=/c>on</a>",
        "http://news.sample/c": b"<p>of a page that is none",
        "http://x.sample/?q": b"<p>x",
    }
    records = [record(url, body, TYPE) for url, body in bodies.items()]
    (work.folder / "a.warc.gz").write_bytes(b"".join(map(gzip.compress, records)))
    code, out, err = work("make", "@p.zip", "@a.warc.gz", "--rules", "@rules.toml", "--linked")
    assert (code, err) == (0, "")
    assert out.endswith("1 document written, 2 pages linked; left out: 2 no title, 1 no rule\n")
    wanted = {url: bodies[url] for url in ("http://news.sample/b", "http://x.sample/?q")}
    assert dict(linked_pages(work.folder / "p.zip")) == wanted
    # Without the option there are none.
    assert work("make", "@q.zip", "@a.warc.gz", "--rules", "@rules.toml")[0] == 0
    assert dict(linked_pages(work.folder / "q.zip")) == {}


@pytest.mark.slow
def test_documents_of_a_corpus(work, tmp_path_factory):
    folder = tmp_path_factory.mktemp("crawled")
    body = (
        f"<html lang=en><a href=/b>on</a><div class=post>{SENTENCE.format(n=1) * 9}</div>".encode()
    )
    answers = {"a/": reply(body, HTML), "a/b": reply(b"<p>short", HTML)}
    with served_bytes(folder, Hostile(answers)):
        done = run_scrapy(
            *("crawl", "site", "-a", "url=http://a.sample/", "--nolog", "-s", "WARC_ENABLED=1"),
            *("-s", f"CORPUS_DIR={folder / 'corpus'}", "-s", f"HOSTS_FILE={folder / 'hosts.tsv'}"),
        )
    assert done.returncode == 0, done.stderr
    code, out, err = work("make", "@p.zip", str(folder / "corpus"), "--rules", "@rules.toml")
    assert (code, err) == (0, "")
    assert out.endswith("1 document written\n")
    (page,) = open_dataset(work.folder / "p.zip")
    assert (page.url, page.body, page.language) == ("http://a.sample/", body, "en")
    assert page.gold == (SENTENCE.format(n=1) * 9).strip()
    shutil.rmtree(folder / "corpus" / "warc")
    code, _, err = work("make", "@q.zip", str(folder / "corpus"), "--rules", "@rules.toml")
    assert (code, err.split("; ")[1:]) == (
        2,
        ["put those of its crawl there, or crawl with WARC_ENABLED=1\n"],
    )
