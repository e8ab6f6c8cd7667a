"""Limits of a crawl, an orderly stop, and addresses that a crawl must not reach."""

from __future__ import annotations

import signal
import subprocess
from collections import Counter

import pytest

from pipelines.corpus.corpus import Corpus
from tests.conftest import (
    ROOT,
    SMALL_WEB,
    crawl_arguments,
    run_scrapy,
    scrapy_command,
    scrapy_environment,
    served_web,
)
from tests.hostile_server import HTML, Hostile, hosts_arguments, page, reply, served_bytes


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    with served_web(tmp_path_factory.mktemp("limits"), *SMALL_WEB) as folder:
        yield folder


def captured(corpus, *columns):
    folder = Corpus.open(corpus)
    return [
        tuple(row[column] for column in columns)
        for table in ("documents", "rejected")
        for row in folder.rows(table, columns)
    ]


def test_max_pages_holds_over_restarts(web, tmp_path):
    for most, n_fetched in ((15, 15), (25, 25), (20, 25)):
        done = run_scrapy(*crawl_arguments(web, tmp_path), "-a", f"max_pages={most}")
        assert done.returncode == 0, done.stderr
        # Pages that robots.txt forbids were not fetched, and do not count.
        fetched = [row for row in captured(tmp_path, "url", "status") if row[1] is not None]
        assert len(fetched) == n_fetched
        assert "  max_pages  is reached; all runs" in done.stdout


def test_max_depth_and_pages_per_host(web, tmp_path):
    limits = ("-a", "max_depth=1", "-a", "pages_per_host=4")
    done = run_scrapy(*crawl_arguments(web, tmp_path), *limits)
    assert done.returncode == 0, done.stderr
    rows = [row for row in captured(tmp_path, "host", "depth", "status") if row[2] is not None]
    assert {depth for _, depth, _ in rows} == {0, 1}
    per_host = Counter(host for host, _, _ in rows)
    assert max(per_host.values()) == 4


@pytest.mark.slow
def test_max_depth_holds_for_what_an_earlier_run_queued_or_fetched(tmp_path):
    answers = {
        f"a/{n or ''}": reply(page(b"<a href=/%d>%d</a> " % (n + 1, n)), HTML) for n in range(6)
    }

    def asked(*options):
        hostile.asked.clear()
        done = run_scrapy(*hosts_arguments(tmp_path), *options)
        assert done.returncode == 0, done.stderr
        return [path for path in hostile.asked if not path.endswith("robots.txt")]

    with served_bytes(tmp_path, hostile := Hostile(answers)):
        assert asked("-a", "max_pages=3") == ["a/", "a/1", "a/2"]
        assert asked("-a", "max_depth=2") == []
        assert asked("-a", "max_depth=1", "-a", "recrawl_after=0.001s") == ["a/", "a/1"]
        again = ("-a", "max_depth=4", "-a", "recrawl_after=0.001s", "-a", "max_pages=4")
        assert asked(*again) == ["a/", "a/1", "a/2", "a/3"]
        assert asked() == ["a/4", "a/5", "a/6"]
    urls = [url for (url,) in captured(tmp_path / "corpus", "url")]
    assert len(urls) == len(set(urls)) == 7


@pytest.mark.parametrize("limit", ["max_pages=3", "pages_per_host=3"])
def test_pages_without_a_usable_answer_count(tmp_path, limit):
    answers = {
        f"a/{n}": b"no HTTP\r\n\r\n" if n % 2 else reply(b"x" * 9_000, HTML) for n in range(9)
    }
    links = b"".join(b"<a href=/%d>x</a>" % n for n in range(9))
    with served_bytes(tmp_path, hostile := Hostile({"a/": reply(page(links), HTML), **answers})):
        done = run_scrapy(*hosts_arguments(tmp_path), "-a", limit, "-s", "DOWNLOAD_MAXSIZE=8000")
    assert done.returncode == 0, done.stderr
    assert len([path for path in hostile.asked if not path.endswith("robots.txt")]) == 3
    assert (
        f"{limit.partition('=')[0]}  is reached; all runs of a crawl count together" in done.stdout
    )


@pytest.mark.long
def test_interrupt_stops_in_order_and_the_crawl_goes_on(web, tmp_path):
    slowly = ("-s", "HOST_DELAY_SECS=0.2", "-s", "PROGRESS_SECS=1")
    with subprocess.Popen(
        scrapy_command(*crawl_arguments(web, tmp_path), *slowly),
        cwd=ROOT, env=scrapy_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as crawl:  # fmt: skip
        # What it says before, where kernels are not compiled, is none of its work.
        at_work = next((line for line in crawl.stderr if " page" in line), "")
        crawl.send_signal(signal.SIGINT)
        out, err = crawl.communicate(timeout=30)
    assert at_work
    assert crawl.returncode == 0, err
    assert out.startswith("Crawl shutdown after")
    first = captured(tmp_path, "url")
    assert first
    done = run_scrapy(*crawl_arguments(web, tmp_path))
    assert done.returncode == 0, done.stderr
    urls = captured(tmp_path, "url")
    assert len(urls) == len(set(urls)) > len(first)


def test_private_addresses_are_refused_but_in_the_profile_local(tmp_path):
    seeds = tmp_path / "seeds.txt"
    seeds.write_text(
        "http://127.0.0.1:9/\nhttp://localhost:9/\nhttp://2130706433:9/\nhttp://[::1]:9/\n",
        encoding="utf-8",
    )
    done = run_scrapy(
        "crawl", "odp", "-a", f"seeds={seeds}", "-s", f"CORPUS_DIR={tmp_path / 'corpus'}", "--nolog",
        "-s", "USER_AGENT=t (+http://t.sample/)", profile="default",
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    rows = captured(tmp_path / "corpus", "url", "status")
    assert rows
    reasons = {(row["url"], row["reason"]) for row in Corpus.open(tmp_path / "corpus").rejected()}
    assert {reason for _, reason in reasons} == {"private_address"}, reasons
