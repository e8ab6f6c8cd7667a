"""Kernels of a crawl are compiled before it: all of them, once, and without being in the way."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from scrapy.settings import Settings

from crawler.addon import Winnow
from crawler.extensions.compiled_kernels import is_rehearsed, mark_of, wanted_kernels
from crawler.kernels.jit import used_kernels
from crawler.page.build import build_page
from tests.conftest import ROOT, crawl_arguments, scrapy_environment, served_web, start_scrapy

# What a process has run, and at what time it compiled which part of it.
WATCHED = """
import atexit, json, sys, time
from pathlib import Path
from crawler.kernels import jit
from numba.core.event import Listener, install_listener

class Compiled(Listener):
    def on_start(self, event):
        if event.kind == "numba:compile":
            name = event.data["dispatcher"].py_func.__module__
            told["compiled"].append((time.monotonic(), name))

    def on_end(self, event):
        pass

told = {"compiled": []}
listening = install_listener("numba:compile", Compiled())
listening.__enter__()
atexit.register(lambda: Path(sys.argv[1]).write_text(json.dumps(told | {"used": [*jit.used_kernels()]})))
"""
REHEARSAL = """
from crawler.rehearsal import rehearse
rehearse(json.loads(sys.argv[2]), Path(sys.argv[3]))
"""
CRAWL = """
from scrapy.cmdline import execute
execute(["scrapy", *sys.argv[2:]])
"""
LOADED = """
from crawler.commands.loaded_crawl import load_crawl
from crawler.extensions.compiled_kernels import mark_of, wanted_kernels
from tests.test_extension_compiled_kernels import settings

found = settings(CLEAN_METHOD=sys.argv[2])
if sys.argv[2] != "winnow":
    mark = mark_of(wanted_kernels(found))
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.write_text("{}")
load_crawl(found)
"""
# As with a compiler that does not go with the Python it runs on.
NO_COMPILER = """
from numba.core import dispatcher, errors

def compiled(self, *arguments, **names):
    if self.py_func.__module__.startswith("pipelines.boilerplate.winnow"):
        raise errors.TypingError("cannot be compiled")
    return whole(self, *arguments, **names)

whole = dispatcher.Dispatcher._compile_for_args
dispatcher.Dispatcher._compile_for_args = compiled
"""
# Pages of so many hosts that leases are made in batches, and near-duplicates among them.
WEB = ("--hosts", "70", "--pages", "600")


def settings(**others):
    """Return the settings of a crawl."""
    found = Settings(others)
    Winnow().update_settings(found)
    return found


def watched(path, code, *arguments, **environment):
    """Run *code*; return what it says of the kernels, and its errors."""
    done = subprocess.run(
        [sys.executable, "-c", WATCHED + code, str(path), *map(str, arguments)],
        cwd=ROOT,
        env=scrapy_environment() | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(path.read_text()), done.stderr


def crawled(web, path, others=(), **environment):
    """Crawl the sample web in *web*, with *others* settings; return what :func:`watched` does."""
    asked = [
        f"{name}={value}" for name, value in {"DOMAIN_DELAY_SECS": 0.01, **dict(others)}.items()
    ]
    arguments = [*crawl_arguments(web, path.with_suffix(".corpus"))]
    arguments += [part for each in asked for part in ("-s", each)]
    return watched(path, CRAWL, *arguments, **environment)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("others", "at_the_end"),
    [
        ({}, "pipelines.jobs.dedup.candidates._measure"),
        pytest.param(
            {"DEDUP_METHOD": "simhash"},
            "pipelines.duplicates.near_values._pairs_of_groups",
            marks=pytest.mark.long,
        ),
        pytest.param(
            {"DEDUP_BLOCKS_COVERAGE": "0.5"},
            "pipelines.duplicates.removal._find",
            marks=pytest.mark.long,
        ),
    ],
)
def test_a_rehearsal_needs_all_that_a_crawl_does(tmp_path, others, at_the_end):
    """The closing pass too, which has a kernel of its own *at the end*."""
    wanted = wanted_kernels(settings(**others))
    rehearsal, _ = watched(tmp_path / "rehearsed", REHEARSAL, wanted, tmp_path / "corpus")
    with served_web(tmp_path / "web", *WEB):
        crawl, _ = crawled(tmp_path / "web", tmp_path / "crawled", others)
    assert {"crawler.page.scanning.scan.scan", at_the_end} <= set(crawl["used"])
    assert set(crawl["used"]) - set(rehearsal["used"]) == set()
    # The sample web's pages have none.
    assert {
        "pipelines.boilerplate.winnow.comments._fill_kind",
        "pipelines.boilerplate.winnow.notices._find_runs",
        "crawler.page.scanning.stream_marks._find",
    } <= set(rehearsal["used"])


@pytest.mark.slow
@pytest.mark.parametrize("method", ["winnow", "keep-all"])
def test_a_fleet_compiles_nothing_before_it_starts(tmp_path, method):
    """Not when nothing is compiled, nor when another method's kernels are."""
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    loaded, _ = watched(tmp_path / "loaded", LOADED, method, **cache)
    assert loaded["compiled"] == []


@pytest.mark.long  # some minutes: everything is compiled
def test_nothing_is_compiled_while_a_crawl_runs(tmp_path):
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    with served_web(tmp_path / "web", *WEB) as web:
        crawl, told = crawled(web, tmp_path / "crawled", **cache)
        assert told.count("Compiling the kernels") == 1
        asked_at = float((web / "requests.tsv").read_text().split("\t")[0])
        assert "pipelines.jobs.dedup.candidates._measure" in crawl["used"]
        assert {name for when, name in crawl["compiled"] if when > asked_at} == set()
        _, told = crawled(web, tmp_path / "again", **cache)
        assert "Compiling" not in told


def test_a_crawl_that_waits_for_its_kernels_can_be_stopped(tmp_path):
    mark = mark_of(wanted_kernels(settings(DEDUP_SHINGLE_WORDS="11")))
    mark.unlink(missing_ok=True)
    (tmp_path / "seeds.txt").write_text("http://a.test/\n")
    asked = ("-s", f"CORPUS_DIR={tmp_path}/corpus", "-s", "DEDUP_SHINGLE_WORDS=11", "--nolog")
    crawl = start_scrapy("crawl", "odp", "-a", f"seeds={tmp_path}/seeds.txt", *asked)
    assert crawl.stderr.readline().startswith("Compiling the kernels of a crawl once")
    started = time.monotonic()
    os.kill(crawl.pid, signal.SIGINT)
    out, _ = crawl.communicate(timeout=60)
    assert crawl.returncode == 0
    assert out.startswith("Crawl shutdown after"), f"{out} after {time.monotonic() - started:.1f} s"
    assert not mark.exists()


def test_a_mark_counts_for_its_settings_and_sources(tmp_path):
    build_page(b"<p>A page.</p>", url="http://a.test/", content_type="text/html")
    mark = tmp_path / "mark"
    assert not is_rehearsed(mark)
    used = used_kernels()
    assert "crawler.page.scanning.scan.scan" in used
    mark.write_text(json.dumps(used | {"a.module.not.imported": "stamp"}))
    assert is_rehearsed(mark)
    mark.write_text(json.dumps(used | {"crawler.page.scanning.scan.scan": "another"}))
    assert not is_rehearsed(mark)
    mark.write_text("{")
    assert not is_rehearsed(mark)


@pytest.mark.parametrize(
    "other",
    [
        {"CLEAN_METHOD": "jusText"},
        {"CLEAN_OPTIONS": {"a": object}},
        {"ITEM_PIPELINES": {"pipelines.stages.quality.QualityStage": None}},
    ],
)
def test_a_mark_is_for_what_the_settings_switch_on(other):
    usual = mark_of(wanted_kernels(settings()))
    assert mark_of(wanted_kernels(settings(**other))) != usual
    assert mark_of(wanted_kernels(settings(HOST_DELAY_SECS=9, CORPUS_DIR="x"))) == usual


@pytest.mark.long
def test_a_crawl_without_kernels_burns_no_page(tmp_path):
    """Each would be rejected for good."""
    mark = mark_of(wanted_kernels(settings(DEDUP_SHINGLE_WORDS="13")))
    (tmp_path / "sitecustomize.py").write_text(NO_COMPILER)
    (tmp_path / "seeds.txt").write_text("http://a.test/\n")
    command = [sys.executable, "-m", "scrapy", "crawl", "odp", "-a", f"seeds={tmp_path}/seeds.txt"]
    asked = ["-s", f"CORPUS_DIR={tmp_path}/corpus", "-s", "DEDUP_SHINGLE_WORDS=13", "--nolog"]
    environment = scrapy_environment() | {"PYTHONPATH": str(tmp_path)}
    crawl = subprocess.run(
        command + asked, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert crawl.returncode == 1
    last = crawl.stderr.rstrip().rpartition("\n")[2]
    assert last.startswith("winnow: the kernels cannot be compiled by Python 3."), crawl.stderr
    assert re.search(r"rejected +0  pages", crawl.stdout), crawl.stdout
    assert not mark.exists()
