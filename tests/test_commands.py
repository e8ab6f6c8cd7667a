"""Wrong calls and files: one line, exit 2, nothing written."""

from __future__ import annotations

import ctypes
import gzip
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from crawler.commands.base import interrupts_raised
from tests import forked_commands
from tests.before_commands import heed
from tests.conftest import ROOT, run_scrapy, scrapy_command, scrapy_environment, start_scrapy


def assert_one_line(done, *parts):
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("winnow: ")
    for part in parts:
        assert part in lines[0]


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (("crawl",), ("no spider",)),
        (("crawl", "odd"), ("'odd'", "odp")),
        (("crawl", "odp"), ("seeds", "-a seeds=")),
        (("crawl", "odp", "-a", "seeds=none.rdf"), ("none.rdf",)),
        (("crawl", "odp", "-a", "seeds=binary"), ("binary",)),
        (("crawl", "odp", "-a", "seeds=good.txt", "-a", "max_pages=many"), ("max_pages", "many")),
        (("crawl", "odp", "-a", "seeds=good.txt", "-a", "deepness=3"), ("deepness", "max_depth")),
        (("crawl", "odp", "-a", "seeds=good.txt", "-s", "DEPTH_LIMIT=1"), ("DEPTH_LIMIT is nothing", "-a max_depth=N")),
        # All categories would be crawled.
        (("crawl", "odp", "-a", "seeds=good.txt", "-a", "category="), ("-a category is empty; give it a value",)),
        (("crawl", "odp", "-a", "seeds=good.txt", "-a", "category=/"), ("category is '/', which is no category",)),
        (("crawl", "focused", "-a", "seeds=good.txt", "-a", "topic=/"), ("topic is '/', which is no category",)),
        (("crawl", "bootcat", "-a", "search=brave", "-a", "language=de,en"), ("language is 'de,en'; give a code",)),
        (("crawl", "odp", "-a", "seeds=good.txt", "--fast"), ("--fast",)),
        (("crawl", "odp", "-a", "seeds=good.txt", "-s", "HOST_DELAY_SECS=-1"), ("HOST_DELAY_SECS", "at least 0")),
        (("crawl", "odp", "-a", "seeds=good.txt", "-s", "HOST_DELAY=1"), ("no setting HOST_DELAY;", "HOST_DELAY_SECS meant")),
        (("crawl", "odp", "-a", "seeds=good.txt", "-s", "warc_enabled=1"), ("no setting warc_enabled;", "WARC_ENABLED meant")),
        (("crawl", "odp", "-a", "seeds=good.txt", "--logfile", "none/log"), ("log file", "none/log", "No such file")),
        (("crawl", "odp", "-a", "seeds=good.txt", "-s", "LOG_FILE=none/log", "--nolog"), ("log file", "none/log")),
        (("crawl", "odp", "-a", "seeds=good.txt", "--pidfile", "none/pid"), ("cannot use", "none/pid", "No such file")),
        (("clean", "good.txt", "--pidfile", "none/pid"), ("cannot use", "none/pid", "No such file")),
        (("clean", "good.txt", "--profile", "none/stats"), ("cannot use", "none/stats", "No such file")),
        (("crawl", "odp", "-a", "seeds=good.txt", "--profile", "none/stats"), ("cannot use", "none/stats", "No such file")),
        (("crawl", "odp", "-a", "seeds=good.txt", "-s", "SPIDER_MODULES=x"), ("SPIDER_MODULES has 'x'",)),
        (("crawl", "odp", "-a", "seeds=good.txt", "-s", "TWISTED_REACTOR=foo"), ("TWISTED_REACTOR is 'foo'",)),
        (("crawl", "odp", "-a", "seeds=good.txt", "-s", "ASYNCIO_EVENT_LOOP=foo"), ("ASYNCIO_EVENT_LOOP is 'foo'",)),
        (("crawl", "odp", "-a", "seeds=good.txt", "-s", "DNSCACHE_SIZE=x"), ("DNSCACHE_SIZE is 'x'; give a whole",)),
        (("crawl", "odp", "-a", "seeds=good.txt", "-s", "DNS_RESOLVER=foo.Bar"), ("DNS_RESOLVER is 'foo.Bar'",)),
        (("crawl", "odp", "-a", "seeds=good.txt", "-s", "TWISTED_REACTOR_ENABLED=0"), ("TWISTED_REACTOR_ENABLED is False",)),
        (("fleet", "odp", "-a", "seeds=good.txt", "-s", "STATS_CLASS=foo"), ("STATS_CLASS is 'foo'",)),
        (("crawl", "warc"), ("paths",)),
        (("crawl", "warc", "-a", "paths=*", "-s", "WARC_ENABLED=1"), ("keeps no WARC files", "WARC_ENABLED out")),
        (("crawl", "warc", "-a", "paths=none*.warc.gz"), ("none*.warc.gz",)),
        (("crawl", "warc", "-a", "paths=bad.warc.gz"), ("bad.warc.gz",)),
        (("pagerank", "--corpus", "corpus"), ("graph",)),
        (("pagerank", "--alpha", "2"), ("alpha",)),
        (("pagerank", "--fast"), ("--fast",)),
        (("dedup", "--corpus", "", "--close"), ("--corpus is empty; give it a value, or leave it out",)),
        (("hits", "--related="), ("--related is empty; give it a value",)),
        (("sampleweb", "--check="), ("--check is empty; give it a value",)),
        (("pagerank", "--alpha", ".5", "--alpha=.6"), ("--alpha is given twice; see --help",)),
        (("templates", "remove", "--output", "a", "--output", "b"), ("--output is given twice",)),
        (("fleet", "odp", "-p", "3", "-p", "4"), ("is given twice",)),
        # the first is the default
        (("fleet", "odp", "-p", "2", "-p", "4"), ("is given twice",)),
        (("facets", "--rounds", "1", "--rounds", "5", "a"), ("--rounds is given twice",)),
        (("clean", "none.html"), ("none.html",)),
        (("clean", "--fast", "good.txt"), ("unknown option --fast",)),
        (("passages", "good.txt", "good.txt", "--gap=-1"), ("--gap must be at least 0, got -1; see --help",)),
        (("passages", "good.txt", "good.txt", "--ngram-words", "0"), ("--ngram-words must be at least 1",)),
        (("dedup", "--unit", "block", "--ngram-words", "0"), ("--ngram-words must be at least 1, got 0; see --help",)),
        (("dedup", "--memory", "infG"), ("--memory is 'infG'; give a size such as 500M or 2G",)),
        (("pagerank", "--checkpoint-secs=-1"), ("--checkpoint-secs must be at least 0, got -1.0",)),
        (("pagerank", "--tolerance", "1e8"), ("--tolerance must be", "below 2, got 100000000.0")),
        (("passages", "good.txt"), ("1 named where two documents must be",)),
        (("clean", "--method", "magic", "good.txt"), ("magic", "scrapy clean --help")),
        (("sampleweb", "--hosts", "none"), ("hosts",)),
    ],
)  # fmt: skip
def test_wrong_call(tmp_path, arguments, parts):
    (tmp_path / "good.txt").write_text("http://www.a.sample/\n", encoding="utf-8")
    (tmp_path / "binary").write_bytes(bytes(range(256)) * 20)
    (tmp_path / "bad.warc.gz").write_bytes(gzip.compress(b"no WARC at all\n" * 10))
    before = sorted(tmp_path.rglob("*"))
    corpus = tmp_path / "corpus"
    settings = () if "--corpus" in arguments else ("-s", f"CORPUS_DIR={corpus}")
    # The commands are the distribution's: they are there outside a project as well.
    inside = [str(tmp_path / part) if part == "corpus" else part for part in arguments]
    inside = [_absolute(part, tmp_path) for part in inside]
    assert_one_line(run_scrapy(*inside, *settings), *parts)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_crawl_outside_of_a_project_is_one_line(tmp_path):
    done = run_scrapy("crawl", "odp", profile="", cwd=tmp_path)
    assert_one_line(done, "no spiders here", "scrapy.cfg")


def test_a_crawl_that_does_not_start_says_why(tmp_path):
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("http://www.a.sample/\n", encoding="utf-8")
    folder = (
        "-s",
        f"CORPUS_DIR={tmp_path / 'corpus'}",
        "-s",
        "ALLOWED_PRIVATE_NETWORKS=127.0.0.0/8",
    )
    done = run_scrapy(
        "crawl", "odp", "-a", f"seeds={seeds}", *folder, "-s", "CLEAN_METHOD=magic", "--nolog"
    )
    assert_one_line(done, "CLEAN_METHOD", "'magic'")


def _absolute(part: str, folder) -> str:
    for name in ("good.txt", "binary", "bad.warc.gz", "none"):
        for prefix in ("seeds=", "paths=", ""):
            if part.startswith(prefix + name):
                return part.replace(prefix + name, f"{prefix}{folder / name}", 1)
    return part


def test_a_reader_that_ends_early_is_no_error(tmp_path):
    page = tmp_path / "page.html"
    page.write_text("<p>" + "words of a long page " * 100_000, encoding="utf-8")
    command = start_scrapy("clean", "--method", "keep-all", page)
    assert command.stdout.read(10) == "words of a"
    command.stdout.close()
    assert (command.wait(60), command.stderr.read()) == (0, "")
    command.stderr.close()


@pytest.mark.parametrize(
    ("name", "streams", "told"),
    [
        (
            "page.html",
            [Path("/dev/null"), Path("/dev/full")],
            "cannot use the output: No space left on device",
        ),
        ("page.html", [Path("/dev/null"), None], "standard output is closed"),
        ("-", [None, Path("/dev/null")], "standard input is closed"),
    ],
)
def test_streams_that_take_or_give_nothing(tmp_path, name, streams, told):
    (tmp_path / "page.html").write_text("<p>words", encoding="utf-8")
    errors = tmp_path / "errors"
    errors.touch()
    arguments = ["clean", "--method", "keep-all", name]
    done = forked_commands.start(arguments, tmp_path, scrapy_environment(), [*streams, errors])
    done.join(60)
    assert done.exitcode == 2
    (line,) = errors.read_text(encoding="utf-8").splitlines()
    assert told in line


@pytest.mark.slow
def test_an_output_that_is_said_to_be_ascii(tmp_path):
    page = tmp_path / "page.html"
    page.write_text("<meta charset=utf-8><p>für数据", encoding="utf-8")
    done = subprocess.run(
        scrapy_command("clean", "--method", "keep-all", "page.html"),
        cwd=tmp_path, capture_output=True, check=False,
        env=scrapy_environment() | {"PYTHONIOENCODING": "ascii"}, encoding="utf-8",
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "für数据\n", "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_command_that_is_interrupted_says_so_in_one_line(tmp_path, number):
    page = tmp_path / "page.html"
    os.mkfifo(page)
    # What a shell starts in the background ignores the signal, as the tests may be.
    command = start_scrapy("clean", page, before=partial(heed, number))
    with page.open("w"):  # which waits for its reader
        time.sleep(1)  # a signal between its opening and its reading would be seen after both
        command.send_signal(number)
        out, err = command.communicate(timeout=60)
    assert (command.returncode, out, err) == (1, "", "winnow: interrupted\n")


@pytest.mark.parametrize(
    "loaded",
    [
        "import argparse; from crawler.commands.base import *; one_line_errors(argparse.ArgumentParser())",
        *(f"import settings.{profile}" for profile in ("base", "broad", "local")),
    ],
)
def test_ctrl_c_while_a_command_is_loaded_is_one_line(loaded):
    for error, told in (("KeyboardInterrupt", "winnow: interrupted"), ("ValueError", "ValueError")):
        done = subprocess.run(
            [sys.executable, "-c", f"{loaded}; raise {error}"],
            cwd=ROOT, capture_output=True, check=False,
        )  # fmt: skip
        assert done.returncode != 0
        assert done.stderr.decode().splitlines()[-1] == told
        assert (b"Traceback" in done.stderr) == (error == "ValueError")


def test_ctrl_c_while_a_kernel_is_loaded_is_not_lost():
    @ctypes.CFUNCTYPE(None)
    def loaded():
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    started = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt), interrupts_raised():
            _call_and_wait(loaded)
        assert time.monotonic() - started < 50, "the wait was not broken off"
    finally:
        signal.signal(signal.SIGINT, before)


def _call_and_wait(function):
    function()
    time.sleep(60)
