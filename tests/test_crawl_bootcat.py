"""The crawl of what a search service finds: a real service and real hosts on loopback."""

from __future__ import annotations

import re
import signal
import time

import pytest

from crawler.durable.layout import SEARCHES
from pipelines.corpus.corpus import Corpus
from tests.conftest import run_scrapy, start_scrapy
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes
from tests.search_server import Reply, searching

WORDS = ["mill", "wheel", "grain", "sea bass"]


@pytest.fixture
def keywords(tmp_path):
    path = tmp_path / "keywords.txt"
    path.write_text("\n".join(WORDS), encoding="utf-8")
    return path


@pytest.fixture
def web(tmp_path):
    """Pages that differ, one that leads on by itself, one that redirects; all link to ``a/linked``."""
    link = b" <a href=http://a.sample/linked>more</a>"
    answers = {f"a/{n}": reply(page(b"%d " % n * 40 + link), HTML) for n in range(6)}
    answers["b/moved"] = reply(b"", b"Location: http://b.sample/there", status=b"301 Moved")
    answers["b/there"] = reply(page(b"there " * 40 + link), HTML)
    answers["a/linked"] = reply(page(b"linked " * 40), HTML)
    answers["a/on"] = reply(
        b"<meta http-equiv=refresh content='0; url=/behind'>" + page(b"on " * 40), HTML
    )
    answers["a/behind"] = reply(page(b"behind " * 40), HTML)
    hostile = Hostile(answers)
    with served_bytes(tmp_path / "web", hostile):
        yield hostile


def arguments(tmp_path, search, *more):
    return [
        *("crawl", "bootcat", "-s", f"CORPUS_DIR={tmp_path / 'corpus'}", "--nolog"),
        *("-s", f"HOSTS_FILE={tmp_path / 'web' / 'hosts.tsv'}", "-s", "SEARCH_DELAY_SECS=0"),
        *("-s", "DEDUP_THRESHOLD=0", "-s", "HOST_DELAY_SECS=0.05"),
        *("-s", "DOMAIN_DELAY_SECS=0", "-s", "IP_DELAY_SECS=0"),
        *("-a", f"search={search}", *more),
    ]


def asked_pages(hostile):
    return sorted(path for path in hostile.asked if not path.endswith("/robots.txt"))


def test_the_pages_that_are_found_are_fetched(tmp_path, keywords, web):
    found = {'mill wheel "sea bass"': ["http://a.sample/1", "http://b.sample/moved"]}

    def find(asked):
        return found.get(
            asked.parameters["q"], ["http://a.sample/1", "http://a.sample/on", "ftp://a/"]
        )

    with searching(find) as server:
        command = arguments(tmp_path, server.url, "-a", f"keywords={keywords}", "-a", "language=en")
        done = run_scrapy(*command)
        assert done.returncode == 0, done.stderr
        # Four keywords make four tuples of three.
        assert len(set(server.queries())) == len(server.asked) == 4
        assert {asked.parameters["language"] for asked in server.asked} == {"en"}
        # What is found is fetched and what it leads to by itself; other links are not followed.
        wanted = ["a/1", "a/behind", "a/on", "b/moved", "b/there"]
        assert asked_pages(web) == wanted
        rows = {
            row["url"]: row
            for row in Corpus.open(tmp_path / "corpus").documents(["url", "category"])
        }
        assert set(rows["http://a.sample/1"]["category"]) == set(server.queries())
        assert rows["http://b.sample/there"]["category"] == list(found)
        assert "searches           4  asked" in done.stdout
        # The same command asks nobody again.
        again = run_scrapy(*command)
        assert again.returncode == 0, again.stderr
        assert len(server.asked) == 4
        assert asked_pages(web) == wanted


def test_as_many_results_as_are_wanted_are_read_page_by_page(tmp_path, web):
    queries = tmp_path / "queries.txt"
    queries.write_text("one\ntwo\nnone\n", encoding="utf-8")
    pages = {("one", "1"): [f"http://a.sample/{n}" for n in range(3)], ("one", "2"): ["http://c.sample/", *(f"http://a.sample/{n}" for n in range(2, 6))], ("two", "1"): ["http://c.sample/", "http://x.b.sample/there"]}  # fmt: skip

    def find(asked):
        return pages.get((asked.parameters["q"], asked.parameters["pageno"]), [])

    with searching(find) as server:
        more = ("-a", f"queries={queries}", "-a", "results=25", "-a", "exclude=c.sample, b.sample")
        done = run_scrapy(*arguments(tmp_path, server.url, *more))
    assert done.returncode == 0, done.stderr
    assert server.queries() == ["one", "one", "one", "two", "two", "none"]
    assert asked_pages(web) == [f"a/{n}" for n in range(6)]
    assert re.search(r"skipped: excluded +2$", done.stdout, re.MULTILINE)  # one was found twice


def test_nothing_of_an_excluded_host_is_fetched_though_it_waits(tmp_path, keywords, web):
    urls = ["http://a.sample/1", "http://b.sample/there", "http://b.sample/moved"]
    with searching(lambda _: urls) as server:
        more = ("-a", f"keywords={keywords}", "-a", "tuples=1", "-a", "max_depth=1")
        run_scrapy(*arguments(tmp_path, server.url, *more, "-a", "pages_per_host=1"))
        before = asked_pages(web)
        done = run_scrapy(*arguments(tmp_path, server.url, *more, "-a", "exclude=b.sample"))
    assert done.returncode == 0, done.stderr
    assert len(before) == 2  # one of each host
    assert asked_pages(web) == sorted([*before, "a/linked"])
    rows = Corpus.open(tmp_path / "corpus").rejected(["url", "stage", "reason"])
    left_out = {row["url"]: row["reason"] for row in rows if row["stage"] == "frontier"}
    waited = set(urls) - {f"http://{page.replace('/', '.sample/')}" for page in before}
    assert left_out == dict.fromkeys(waited, "excluded")


def test_links_are_followed_as_deep_as_is_said(tmp_path, keywords, web):
    with searching(lambda _: ["http://a.sample/1"]) as server:
        more = ("-a", f"keywords={keywords}", "-a", "max_depth=1", "-a", "tuples=1")
        done = run_scrapy(*arguments(tmp_path, server.url, *more))
    assert done.returncode == 0, done.stderr
    assert asked_pages(web) == ["a/1", "a/linked"]


def test_a_template_and_its_key(tmp_path, keywords, web):
    body = {"channels": [{"items": [{"link": "http://a.sample/2"}]}]}
    with searching(lambda _: Reply(body)) as server:
        search = server.url + "/yacysearch.json?q={query}&maximumRecords={count}&k={key}"
        more = ("-a", f"keywords={keywords}", "-a", "tuples=1", "-s", "SEARCH_KEY=s3cret")
        # Without the names on the way to the addresses it has found none, and is asked again.
        assert run_scrapy(*arguments(tmp_path, search, *more)).returncode == 1
        done = run_scrapy(*arguments(tmp_path, search, *more, "-a", "urls=channels.items.link"))
    assert done.returncode == 0, done.stderr
    assert asked_pages(web) == ["a/2"]
    assert server.asked[0].parameters["k"] == "s3cret"
    kept = [path.read_bytes() for path in (tmp_path / "corpus").glob("*") if path.is_file()]
    assert not any(b"s3cret" in data for data in kept)


def test_a_service_that_has_enough_is_waited_for(tmp_path, keywords, web):
    answers = [Reply(b"", 429, (("Retry-After", "1"),))]

    def find(_):
        return answers.pop() if answers else ["http://a.sample/3"]

    with searching(find) as server:
        more = ("-a", f"keywords={keywords}", "-a", "tuples=9")
        done = run_scrapy(*arguments(tmp_path, server.url, *more))
    assert done.returncode == 0, done.stderr
    assert "make 4 tuples of 3, not 9" in done.stderr
    assert len(server.asked) == 5
    assert asked_pages(web) == ["a/3"]


def test_a_service_that_refuses_is_told_and_asked_again_by_the_next_run(tmp_path, keywords, web):
    refuses = True

    def find(asked):
        if refuses and server.queries().index(asked.parameters["q"]) == 1:
            return Reply(b"", 403)
        return ["http://a.sample/4"]

    with searching(find) as server:
        command = arguments(tmp_path, server.url, "-a", f"keywords={keywords}")
        done = run_scrapy(*command)
        assert done.returncode == 0, done.stderr
        assert "http_403" in done.stderr
        assert len(server.asked) == 2
        assert asked_pages(web) == ["a/4"]
        refuses = False
        again = run_scrapy(*command)
        assert again.returncode == 0, again.stderr
        assert len(server.asked) == 5


def test_what_a_service_that_failed_half_way_had_left_is_asked_for_again(tmp_path, web):
    queries = tmp_path / "queries.txt"
    queries.write_text("one\n", encoding="utf-8")
    fails = True

    def find(asked):
        page = int(asked.parameters["pageno"])
        if page == 2 and fails:
            return Reply(b"", 503)
        return {1: ["http://a.sample/1"], 2: ["http://a.sample/2"]}.get(page, [])

    with searching(find) as server:
        command = arguments(tmp_path, server.url, "-a", f"queries={queries}", "-a", "results=20")
        done = run_scrapy(*command)
        assert done.returncode == 0, done.stderr
        assert asked_pages(web) == ["a/1"]
        assert "failed: http_503" in done.stdout
        fails = False
        again = run_scrapy(*command)
    assert again.returncode == 0, again.stderr
    assert asked_pages(web) == ["a/1", "a/2"]


def test_a_search_that_finds_nothing_at_all_ends_with_an_error(tmp_path, keywords, web):
    with searching(lambda _: Reply(b"<html>")) as server:
        done = run_scrapy(*arguments(tmp_path, server.url, "-a", f"keywords={keywords}"))
    assert done.returncode == 1
    assert "no_json" in done.stderr
    assert not web.asked
    with searching(lambda _: ["http://a.sample/1"]) as server:
        more = ("-a", f"keywords={keywords}", "-a", "urls=items.link")
        done = run_scrapy(*arguments(tmp_path, server.url, *more))
    assert done.returncode == 1
    assert f"no answer of {server.url} names an address at items.link" in done.stderr


def test_results_that_were_saved_from_a_browser(tmp_path, web):
    saved = tmp_path / "saved"
    saved.mkdir()
    for n in range(2):
        (saved / f"results {n}.html").write_text(
            f"""<!-- saved from url=(0042)https://search.test/?q=mill -->
            <title>mill wheel {n}</title><a href=https://search.test/about>About</a>
            <a href=/url?q=http://a.sample/{n}&s=1>Mill</a><a href=http://b.sample/there>There</a>""",
            encoding="utf-8",
        )
    (saved / "none.html").write_text("<title>none</title><p>No result.")
    more = ("-a", f"saved={saved}/*.html")
    command = [part for part in arguments(tmp_path, "", *more) if part != "search="]
    command.remove("-a")
    done = run_scrapy(*command)
    assert done.returncode == 0, done.stderr
    assert asked_pages(web) == ["a/0", "a/1", "b/there"]
    assert f"{saved / 'none.html'} has no link to another site; save pages of" in done.stderr
    rows = {
        row["url"]: row for row in Corpus.open(tmp_path / "corpus").documents(["url", "category"])
    }
    assert set(rows["http://b.sample/there"]["category"]) == {"mill wheel 0", "mill wheel 1"}


def test_a_damaged_record_is_one_line(tmp_path, keywords, web):
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / SEARCHES).write_bytes(b"nonsense\n")
    command = arguments(tmp_path, "http://127.0.0.1:1", "-a", f"keywords={keywords}")
    done = run_scrapy(*command)
    assert done.returncode == 2
    assert SEARCHES in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_stop_waits_for_no_service(tmp_path, keywords, web):
    with searching(lambda _: Reply([], delay_secs=60)) as server:
        crawl = start_scrapy(*arguments(tmp_path, server.url, "-a", f"keywords={keywords}"))
        deadline = time.monotonic() + 60
        while not server.asked:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        crawl.send_signal(signal.SIGINT)
        try:
            _, told = crawl.communicate(timeout=10)
        finally:
            crawl.kill()
            crawl.wait()
    assert "Traceback" not in told
    assert not (tmp_path / "corpus" / SEARCHES).exists()


def test_a_crash_between_an_answer_and_its_pages_loses_none(tmp_path, keywords, web):
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    with searching(lambda _: ["http://a.sample/5"]) as server:
        first = arguments(tmp_path, server.url, "-a", f"keywords={keywords}", "-a", "tuples=1")
        assert run_scrapy(*first).returncode == 0
        answered = (corpus / SEARCHES).read_bytes()
        other = tmp_path / "other"
        other.mkdir()
        (other / SEARCHES).write_bytes(answered)
        done = run_scrapy(*first, "-s", f"CORPUS_DIR={other}")
    assert done.returncode == 0, done.stderr
    assert len(server.asked) == 1
    assert asked_pages(web) == ["a/5", "a/5"]
