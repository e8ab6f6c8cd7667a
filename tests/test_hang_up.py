"""A crawl whose terminal closes: it stops in order, once, and what it says is lost without a traceback."""

from __future__ import annotations

import os
import pty
import signal
import threading
import time
from functools import partial
from pathlib import Path

import pytest

from crawler.commands.hang_up import stop_at_hang_up
from pipelines.corpus.corpus import Corpus
from tests import forked_commands
from tests.before_commands import heed, own_terminal
from tests.conftest import ROOT, run_scrapy, scrapy_environment, start_scrapy
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes
from tests.test_fleet_crawl import children

SILENT = "silent/"


def hostile():
    """Two hosts, one of which never answers."""
    return Hostile({SILENT: b"", "fine/": reply(page(), HTML)}, silent=frozenset({SILENT}))


def arguments(folder, *command):
    values = {"CORPUS_DIR": folder / "corpus", "HOSTS_FILE": folder / "hosts.tsv"}
    values |= {"DOWNLOAD_TIMEOUT": 300, "STOP_WAIT_SECS": 1, "PROGRESS_SECS": 0.2}
    settings = [word for name, value in values.items() for word in ("-s", f"{name}={value}")]
    return [*command, "odp", "-a", f"seeds={folder / 'seeds.txt'}", *settings]


def wait_for_both(served):
    deadline = time.monotonic() + 60
    while not {SILENT, "fine/"} <= set(served.asked):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def urls(folder):
    corpus = Corpus.open(folder / "corpus")
    return sorted(row["url"] for row in (*corpus.documents(["url"]), *corpus.rejected(["url"])))


@pytest.mark.parametrize(
    "command", [("crawl",), pytest.param(("fleet", "-p", "2"), marks=pytest.mark.long)]
)
def test_a_crawl_whose_terminal_closes_stops_in_order(tmp_path, command):
    """The crawl is what the terminal belongs to; its log is a file, which tells of tracebacks."""
    with served_bytes(tmp_path, served := hostile()):
        terminal, its_end = pty.openpty()
        log = tmp_path / "log"
        options = ("-L", "INFO", "--logfile", log)
        streams = [Path(os.ttyname(its_end))] * 3
        asked = [*map(str, [*arguments(tmp_path, *command), *options])]
        crawl = forked_commands.start(asked, ROOT, scrapy_environment(), streams, own_terminal)
        wait_for_both(served)
        shards = children(crawl)
        os.close(its_end)
        os.close(terminal)  # the kernel sends SIGHUP
        os.kill(crawl.pid, signal.SIGHUP)  # and the shell
        crawl.join(10)
        assert crawl.exitcode == 0
        assert not any(Path(f"/proc/{shard}").exists() for shard in shards)
        text = log.read_text()
        assert "Traceback" not in text
        assert "Spider closed (shutdown)" in text
        served.silent = frozenset()
        served.answers[SILENT] = reply(page(), HTML)
        done = run_scrapy(*arguments(tmp_path, *command), "--nolog")
    assert done.returncode == 0, done.stderr
    assert urls(tmp_path) == ["http://fine.sample/", "http://silent.sample/"]


@pytest.mark.parametrize(
    ("first", "secs"),
    [
        (signal.SIGTERM, 0),
        pytest.param(signal.SIGHUP, 0, marks=pytest.mark.long),
        pytest.param(signal.SIGINT, 0.3, marks=pytest.mark.long),
    ],
)
def test_a_hang_up_is_no_second_signal(tmp_path, first, secs):
    """The end of a session is SIGTERM and SIGHUP together; a second SIGTERM would break off what is on its way."""
    with served_bytes(tmp_path, served := hostile()):
        heeding = partial(heed, signal.SIGHUP)
        crawl = start_scrapy(*arguments(tmp_path, "crawl"), "--nolog", before=heeding)
        wait_for_both(served)
        crawl.send_signal(first)
        time.sleep(secs)
        crawl.send_signal(signal.SIGHUP)
        out, err = crawl.communicate(timeout=30)
    assert crawl.returncode == 0, err
    assert out.startswith("Crawl shutdown after ")
    assert "         1  page queued" in out


@pytest.fixture
def heard():
    """The signals that SIGTERM's handler is told of; all handlers are as before in the end."""
    numbers = (signal.SIGHUP, signal.SIGTERM)
    before = [signal.getsignal(number) for number in numbers]
    found = []
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, lambda number, _: found.append(number))
    yield found
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


def test_a_hang_up_stops_once(heard):
    stop_at_hang_up()
    for _ in range(2):
        signal.raise_signal(signal.SIGHUP)
    assert heard == [signal.SIGTERM]


def test_a_hang_up_changes_nothing_while_a_crawl_stops(heard):
    stop_at_hang_up(lambda: True)
    signal.raise_signal(signal.SIGHUP)
    assert heard == []


def test_a_sigterm_that_comes_a_little_later_is_the_same(heard):
    stop_at_hang_up(lambda: bool(heard))
    late = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGTERM))
    late.start()
    signal.raise_signal(signal.SIGHUP)
    late.join()
    assert heard == [signal.SIGTERM]


def test_a_hang_up_while_a_sigterm_is_being_heard_is_the_same(heard):
    def hear(number, _):
        heard.append(number)
        if len(heard) == 1:
            os.kill(os.getpid(), signal.SIGHUP)

    signal.signal(signal.SIGTERM, hear)
    stop_at_hang_up()
    signal.raise_signal(signal.SIGTERM)
    assert heard == [signal.SIGTERM]


def test_a_hang_up_before_signals_are_heard_interrupts(heard):
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    stop_at_hang_up()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGHUP)
    signal.raise_signal(signal.SIGHUP)


def test_nohup_is_heeded(heard):
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    stop_at_hang_up()
    signal.raise_signal(signal.SIGHUP)
    assert heard == []
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
