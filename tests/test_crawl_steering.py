"""Steering in a real crawl: traps are left, and known after a restart; the stop rule ends it in order."""

from __future__ import annotations

from collections import Counter

import pytest
from scrapy.utils.test import get_crawler

from crawler.durable.capture import Capture
from crawler.extensions.steering import SteeringExtension
from crawler.frontier.steering.host_yields import HostYields
from crawler.frontier.steering.steering import Steering
from crawler.frontier.steering.traps import Traps
from crawler.sampleweb.web import SampleWeb
from pipelines.corpus.corpus import Corpus
from tests.conftest import SMALL_WEB, crawl_arguments, run_scrapy, served_web
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes
from tests.test_traps_avoided import MOST_FETCHES, genuine
from tests.warc_records import record


def rows(corpus):
    folder = Corpus.open(corpus)
    return [
        row for table in ("documents", "rejected") for row in folder.rows(table, ["url", "host"])
    ]


def test_nothing_is_closed_on_the_sample_web_itself(small_crawl):
    """Its mirrors, sessions, calendars and soft 404s are finite."""
    _, corpus, done = small_crawl
    assert not list(corpus.glob("closed-*.tsv"))
    assert "patterns of URLs" not in done.stdout
    assert "low yield" not in done.stdout


def test_what_cannot_be_learned_from_is_counted_and_the_rest_is_learned(caplog):
    crawler = get_crawler()
    extension = SteeringExtension(crawler, Steering(Traps(16), HostYields(0.01)))
    broken, good = (
        Capture(page_id=n, url=f"http://a.sample/{n}", host="a.sample", status=200)
        for n in range(2)
    )
    broken.row = {"raw_bytes": 10}
    good.reject(stage="quality", reason="short_text")
    extension.pages_committed([broken, good, broken, good])
    assert extension.steering.n_learned == 2
    assert crawler.stats.get_value("steering/failed/KeyError") == 2
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert "http://a.sample/0" in caplog.text


@pytest.mark.slow
def test_a_host_of_low_yield_is_dropped_and_told(tmp_path):
    names = [f"x{n}" for n in range(150)]
    links = "".join(f"<a href=/{name}>{name}</a> " for name in names).encode()
    answers = {"thin/": reply(page(links), HTML), "good/": reply(page(b"good"), HTML)}
    answers |= {f"thin/{name}": reply(name.encode() + b"<hr>" * 900, HTML) for name in names}
    hostile, corpus = Hostile(answers), tmp_path / "corpus"
    settings = (f"CORPUS_DIR={corpus}", f"HOSTS_FILE={tmp_path / 'hosts.tsv'}", "TRAP_EVIDENCE=0")
    arguments = ["crawl", "odp", "-a", f"seeds={tmp_path / 'seeds.txt'}", "--nolog"]
    for setting in (*settings, "HOST_DELAY_SECS=0"):
        arguments += ["-s", setting]
    with served_bytes(tmp_path, hostile):
        done = run_scrapy(*arguments)
    assert done.returncode == 0, done.stderr
    reasons = Counter(row["reason"] for row in Corpus.open(corpus).rejected(["reason"]))
    n_asked = sum(path.startswith("thin/x") for path in hostile.asked)
    assert n_asked == reasons["short_text"] < len(names)
    assert reasons["low_yield"] == len(names) - n_asked
    assert " host of low yield" in done.stdout
    evidence = (corpus / "closed-0000.tsv").read_text("utf-8")
    assert "low_yield\tthin.sample\thost\t" in evidence
    assert "good.sample" not in evidence
    report = run_scrapy("report", "--corpus", corpus, "--no-page").stdout
    assert f"frontier/low_yield {reasons['low_yield']:>6}" in report


def test_of_warc_files_all_is_read_and_nothing_told_to_be_dropped(tmp_path):
    thin = [
        record(f"http://thin.sample/{n}", b"thin" + b"<hr>" * 900, "Content-Type: text/html")
        for n in range(150)
    ]
    (tmp_path / "thin.warc").write_bytes(b"".join(thin))
    corpus = tmp_path / "corpus"
    arguments = ("-a", f"paths={tmp_path / 'thin.warc'}", "-s", f"CORPUS_DIR={corpus}", "--nolog")
    done = run_scrapy("crawl", "warc", *arguments)
    assert done.returncode == 0, done.stderr
    assert "fetched          150  pages" in done.stdout
    assert "low yield" not in done.stdout
    assert not list(corpus.glob("closed-*.tsv"))


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    with served_web(tmp_path_factory.mktemp("stop"), *SMALL_WEB) as folder:
        yield folder


@pytest.mark.slow
def test_the_stop_rule_ends_a_crawl_in_order(web, tmp_path):
    stop = ("-s", "STOP_WORDS_PER_MB=1e9", "-s", "STOP_WINDOW_MB=0.2")
    done = run_scrapy(*crawl_arguments(web, tmp_path), *stop)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Crawl few_new_words after")
    assert "new ones a megabyte, below the 1,000,000,000 of STOP_WORDS_PER_MB" in done.stdout
    n_pages = len(rows(tmp_path))
    assert 30 < n_pages < 400
    again = run_scrapy(*crawl_arguments(web, tmp_path), *stop)
    assert again.stdout.startswith("Crawl few_new_words after")  # its windows are remembered
    assert len(rows(tmp_path)) < n_pages + 150


@pytest.mark.long
def test_the_stop_rule_ends_a_fleet_by_what_all_found(web, tmp_path):
    stop = ("-s", "STOP_WORDS_PER_MB=1e9", "-s", "STOP_WINDOW_MB=0.2", "-s", "HOST_DELAY_SECS=0.3")
    arguments = [*crawl_arguments(web, tmp_path)[1:], "-p", "2", *stop]
    done = run_scrapy("fleet", *arguments)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Crawl few_new_words after")
    assert "new ones a megabyte, below the 1,000,000,000 of STOP_WORDS_PER_MB" in done.stdout
    n_pages = len(rows(tmp_path))
    assert 30 < n_pages < 400
    again = run_scrapy("fleet", *arguments)
    assert again.stdout.startswith("Crawl few_new_words after")
    assert len(rows(tmp_path)) < n_pages + 150


@pytest.mark.long  # a crawl of 900 pages
def test_traps_are_left_and_known_after_a_restart(tmp_path):
    web = SampleWeb(1, 20, 160, plain=True, n_traps=1)
    options = ("--hosts", "20", "--pages", "160", "--plain", "--traps", "1")
    with served_web(tmp_path / "web", *options) as folder:
        arguments = crawl_arguments(folder, tmp_path / "corpus")
        assert run_scrapy(*arguments, "-a", "max_pages=500").returncode == 0
        assert run_scrapy(*arguments).returncode == 0
    lines = (tmp_path / "web" / "requests.tsv").read_text(encoding="utf-8").splitlines()
    asked = [tuple(line.split("\t")[1:3]) for line in lines]
    of_kind = Counter(trap.kind for name, path in asked if (trap := web.traps.find(name, path)))
    for kind, most in MOST_FETCHES.items():
        # By the order of answers facets have 154 to 166.
        assert 2 <= of_kind[kind] <= 1.6 * most, kind
    assert set(genuine(web)) <= {f"http://{name}{path}" for name, path in asked}
    listed = (tmp_path / "corpus" / "closed-0000.tsv").read_text(encoding="utf-8").splitlines()
    reasons = {line.split("\t")[0] for line in listed[1:]}
    assert {"trap_session", "trap_maze", "trap_subdomain", "trap_redirect"} <= reasons
