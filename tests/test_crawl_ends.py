"""How a crawl ends: by its limits, and in order when it is told to; how many seeds it can take."""

from __future__ import annotations

import gzip
import signal
import struct
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import lmdb
import pytest

from crawler.errors import InputError
from crawler.frontier.store.crawl_store import CrawlStore
from crawler.spiders.base import Limits, parse_limits
from pipelines.corpus.corpus import Corpus
from tests import forked_commands
from tests.before_commands import (
    interrupt_at_the_making,
    interrupt_at_the_opening,
    interrupt_the_closing_pass,
)
from tests.conftest import ROOT, run_scrapy, scrapy_command, scrapy_environment, start_scrapy
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes
from tests.toy_store import OTHER, A, B, C, StoreMaker, fetch

# Answers of 100,000 bytes and more.
BODY = page(b"word " * 20_000)


def arguments(folder, *options):
    return (
        *("crawl", "odp", "-a", f"seeds={folder / 'seeds.txt'}", "--nolog"),
        *("-s", f"CORPUS_DIR={folder / 'corpus'}", "-s", f"HOSTS_FILE={folder / 'hosts.tsv'}"),
        *options,
    )


def rows(folder):
    corpus = Corpus.open(folder / "corpus")
    return [row["url"] for row in (*corpus.documents(["url"]), *corpus.rejected(["url"]))]


def test_limits_are_read():
    given = {"max_pages": "7", "max_hours": "1.5", "max_bytes": "1000"}
    assert parse_limits(given) == Limits(max_pages=7, max_hours=1.5, max_bytes=1000)
    wrong = {"max_hours": ("-1", "nan", "9" * 5000), "max_bytes": ("1.5", "9" * 5000)}
    for name, text in [(name, text) for name, texts in wrong.items() for text in texts]:
        with pytest.raises(InputError, match=f"{name} is '{text[:30]}'; give a"):
            parse_limits({name: text})


def test_bytes_and_hours_hold_over_a_crash(tmp_path):
    maker = StoreMaker(tmp_path / "corpus")
    store = maker(host_delay_secs=0, max_bytes=100)
    store.add_seeds([(A, []), (B, []), (C, []), (OTHER, [])])
    secs = store.totals.secs
    fetch(store, 0.0, n_bytes=60)
    store = maker(host_delay_secs=0, max_bytes=100)
    # Kept in whole milliseconds.
    assert (store.totals.n_bytes, store.totals.secs >= secs - 0.001) == (60, True)
    store.tick(0.0)
    fetch(store, 0.0, n_bytes=40)
    store.tick(0.0)
    assert fetch(store, 0.0) is None
    assert not store.has_pending()
    store = maker(host_delay_secs=0, max_hours=1e-9)
    store.tick(0.0)
    assert not store.has_pending()
    store = maker(host_delay_secs=0, max_hours=1e9, max_bytes=101)
    store.tick(0.0)
    assert fetch(store, 0.0) is not None
    maker.leave()


def test_max_bytes_of_a_crawl(tmp_path):
    names = [f"h{n}" for n in range(12)]
    hostile = Hostile({f"{name}/": reply(BODY, HTML) for name in names})
    limit = ("-a", "max_bytes=250000", "-s", "CONCURRENT_REQUESTS=1")
    with served_bytes(tmp_path, hostile):
        for n_most in (6, 0):  # the second run finds the limit reached
            n_before = len(hostile.asked)
            done = run_scrapy(*arguments(tmp_path, *limit))
            assert done.returncode == 0, done.stderr
            # One page may be on its way while another is at the stages.
            assert len(rows(tmp_path)) in (3, 4, 5)
            assert len(hostile.asked) - n_before <= 2 * n_most


def overwrite_table(data_file, table):
    """Overwrite the page of LMDB that the rows of *table* begin on."""
    with lmdb.open(str(data_file.parent), max_dbs=1) as env, env.begin() as txn:
        # MDB_db: 40 bytes of numbers before the root.
        (root,) = struct.unpack_from("<Q", dict(txn.cursor())[table], 40)
    with data_file.open("r+b") as file:
        file.seek(4096 * root)
        file.write(b"\xa5" * 4096)


def test_damage_that_a_crawl_meets_ends_it_in_one_line(tmp_path):
    # Scrapy's engine would ask for a page again every five seconds, for ever.
    hostile = Hostile({f"{name}/": reply(BODY, HTML) for name in ("a", "b", "c")})
    with served_bytes(tmp_path, hostile):
        done = run_scrapy(*arguments(tmp_path, "-a", "max_pages=1"))
        assert done.returncode == 0, done.stderr
        overwrite_table(tmp_path / "corpus" / "frontier" / "0000" / "data.mdb", b"visited")
        done = run_scrapy(*arguments(tmp_path))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "frontier/0000 is damaged" in done.stderr
    assert "restore it from a copy" in done.stderr


def test_ctrl_c_does_not_wait_for_a_site(tmp_path):
    silent = frozenset({"page/", "robots/robots.txt"})
    hostile = Hostile({"page/": b"", "robots/": b"", "fine/": reply(BODY, HTML)}, silent=silent)
    with served_bytes(tmp_path, hostile):
        settings = ("-s", "DOWNLOAD_TIMEOUT=300", "-s", "STOP_WAIT_SECS=1")
        crawl = start_scrapy(*arguments(tmp_path, *settings))
        deadline = time.monotonic() + 60
        while not silent <= set(hostile.asked) or "fine/" not in hostile.asked:
            assert crawl.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        crawl.send_signal(signal.SIGINT)
        out, err = crawl.communicate(timeout=30)
        assert crawl.returncode == 0, err
        assert "Traceback" not in err
        assert out.startswith("Crawl shutdown after")
        assert "         2  pages queued" in out
        hostile.silent = frozenset()
        hostile.answers.update({f"{name}/": reply(BODY, HTML) for name in ("page", "robots")})
        done = run_scrapy(*arguments(tmp_path))
    assert done.returncode == 0, done.stderr
    assert sorted(rows(tmp_path)) == [
        f"http://{name}.sample/" for name in ("fine", "page", "robots")
    ]
    store = CrawlStore(tmp_path / "corpus")
    assert store.patience_of("sample.page").errors == 0
    store.close()


def test_ctrl_c_before_a_crawl_runs_is_one_line(tmp_path):
    with served_bytes(tmp_path, Hostile({"fine/": reply(BODY, HTML)})):
        for number in (signal.SIGINT, signal.SIGTERM):
            before = partial(interrupt_at_the_making, number)
            done = run_scrapy(*arguments(tmp_path), before=before)
            assert (done.returncode, done.stdout) == (1, "")
            assert done.stderr == "winnow: interrupted before it began\n"
        done = run_scrapy(*arguments(tmp_path), before=interrupt_at_the_opening)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == "winnow: interrupted; the same command goes on\n"
        assert run_scrapy(*arguments(tmp_path)).returncode == 0
    assert sorted(rows(tmp_path)) == ["http://fine.sample/"]


@pytest.mark.parametrize(
    "step", [1, *(pytest.param(step, marks=pytest.mark.long) for step in (6, 12))]
)  # of twelve
def test_ctrl_c_ends_the_closing_pass_and_the_next_run_makes_it(tmp_path, step):
    """Whatever was committed of it: the same duplicates are found, one of three is kept."""
    answers = {f"a/{n}": reply(page(), HTML) for n in range(3)}
    links = b"".join(b"<a href=/%d>%d</a> " % (n, n) for n in range(3))
    hostile = Hostile({"a/": reply(b"<title>L</title>" + links, HTML), **answers})
    with served_bytes(tmp_path, hostile):
        options = ("-s", "DEDUP_BLOCKS_COVERAGE=0.9")
        done = run_scrapy(
            *arguments(tmp_path, *options), before=partial(interrupt_the_closing_pass, step)
        )
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
        assert "stopped while deciding over duplicates" in done.stderr
        assert done.stdout.startswith("Crawl stopped while deciding over duplicates after ")
        again = run_scrapy(*arguments(tmp_path, *options))
        assert again.returncode == 0, again.stderr
        assert again.stdout.startswith("Crawl finished after ")
    assert len(hostile.asked) == 5
    corpus = Corpus.open(tmp_path / "corpus")
    assert len([*corpus.documents(["url"])]) == 1
    assert not [*corpus.rows("provisional", ["url"])]
    reasons = [row["reason"] for row in corpus.rejected(["reason"])]
    assert reasons.count("duplicate_bytes") + reasons.count("duplicate") == 2, reasons


@pytest.mark.long
def test_ctrl_c_ends_a_crawl_within_ten_seconds(tmp_path):
    silent = frozenset({f"h{n}/" for n in range(20)})
    with served_bytes(tmp_path, Hostile(dict.fromkeys(silent, b""), silent=silent)):
        settings = ("-s", "DOWNLOAD_TIMEOUT=300", "-s", "PROGRESS_SECS=1")
        crawl = start_scrapy(*arguments(tmp_path, *settings))
        assert "queued" in crawl.stderr.readline()  # it is at work
        crawl.send_signal(signal.SIGINT)
        started = time.monotonic()
        crawl.communicate(timeout=30)
        assert time.monotonic() - started < 10
    assert crawl.returncode == 0


@pytest.mark.long
def test_one_host_of_twenty_pages_takes_six_seconds(tmp_path):
    """Scrapy's engine asks its scheduler every 5 s: without a wake-up it would be a hundred."""
    links = b" ".join(b'<a href="/p%d">p</a>' % n for n in range(19))
    answers = {f"one/p{n}": reply(page(b"word%d " % n * 50), HTML) for n in range(19)}
    hostile = Hostile({"one/": reply(page(links), HTML), **answers})
    with served_bytes(tmp_path, hostile):
        done = run_scrapy(*arguments(tmp_path, "-s", "HOST_DELAY_SECS=0.3"))
    assert done.returncode == 0, done.stderr
    times = [
        at for path, at in zip(hostile.asked, hostile.asked_at, strict=True) if "robots" not in path
    ]
    assert len(times) == 20
    assert 19 * 0.3 - 0.1 <= times[-1] - times[0] < 30  # the upper end is for a busy machine


READ_SEEDS = """
import sys
from crawler.seeds import read_seeds
n = most = 0
for seed in read_seeds(sys.argv[1]):
    n += 1
    if n % 20_000 == 0:
        status = open("/proc/self/status").read().split("RssAnon:")[1]
        most = max(most, int(status.split()[0]))
        if n == 20_000:
            first = most
print(n, most - first)
"""


@pytest.mark.long
def test_seeds_in_millions_are_read_lazily(tmp_path):
    seeds = tmp_path / "seeds.tsv.gz"
    with gzip.open(seeds, "wt", compresslevel=1) as file:
        file.writelines(
            f"Top/Science/Topic_{n % 5000}\thttp://www.host{n % 300_000}.example/page/{n}.html\n"
            for n in range(2_000_000)
        )
    done = subprocess.run(
        [sys.executable, "-c", READ_SEEDS, seeds], cwd=ROOT, capture_output=True, text=True, check=True
    )  # fmt: skip
    n, more_kb = map(int, done.stdout.split())
    assert n == 2_000_000
    # A list of them would take 600 MB; what grows are caches of host keys, which have an end.
    assert more_kb < 64 * 1024


QUIET = ("-s", "USER_AGENT=ann@a.sample", "-s", "PROGRESS_SECS=0")


@pytest.mark.parametrize(
    ("output", "told"),
    [
        (
            Path("/dev/full"),
            "winnow: cannot use the output: No space left on device; mend that",
        ),
        (None, ""),
    ],
    ids=["full", "closed"],
)
def test_a_summary_that_nobody_takes(tmp_path, output, told):
    errors = tmp_path / "errors"
    errors.touch()
    with served_bytes(tmp_path, Hostile({"fine/": reply(BODY, HTML)})):
        streams = [Path("/dev/null"), output, errors]
        crawl = forked_commands.start(
            [*arguments(tmp_path, *QUIET)], ROOT, scrapy_environment(), streams
        )
        crawl.join(60)
    said = errors.read_text(encoding="utf-8")
    assert crawl.exitcode == 0, said
    assert rows(tmp_path) == ["http://fine.sample/"]
    assert "Error" not in said
    assert said.startswith(told)


@pytest.mark.long
def test_a_summary_that_a_reader_leaves(tmp_path):
    command = " ".join(scrapy_command(*arguments(tmp_path, *QUIET)))
    with served_bytes(tmp_path, Hostile({"fine/": reply(BODY, HTML)})):
        done = subprocess.run(
            ["bash", "-c", f"set -o pipefail; {command} | true"],
            cwd=ROOT, env=scrapy_environment(), capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "")
    assert "Error" not in done.stderr
