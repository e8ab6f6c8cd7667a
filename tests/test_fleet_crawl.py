"""``scrapy fleet`` on the sample web: what one process comes to, with processes that are killed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from crawler.durable.layout import shards_of
from pipelines.corpus.manifest import read_manifest
from tests.conftest import (
    ROOT,
    SMALL_WEB,
    crawl_arguments,
    run_scrapy,
    scrapy_command,
    scrapy_environment,
    served_web,
)
from tests.test_kill import end_state
from tests.toy_fleet import waiting_rows

PROGRESS = re.compile(r"^([\d,]+) pages ")

# Hosts that wait, so that a crawl lasts; small shards, so that many are sealed.
SLOWLY = ("-s", "SEAL_ROWS=40", "-s", "HOST_DELAY_SECS=0.12", "-s", "PROGRESS_SECS=0.2")


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    folder = tmp_path_factory.mktemp("web")
    with served_web(folder, *SMALL_WEB):
        yield folder


def fleet_arguments(web, corpus, n_processes, *more):
    return ["fleet", *crawl_arguments(web, corpus)[1:], "-p", str(n_processes), *more]


def start(web, corpus, n_processes, *more):
    return subprocess.Popen(
        scrapy_command(*fleet_arguments(web, corpus, n_processes, *more)),
        cwd=ROOT,
        env=scrapy_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_pages(fleet, n_pages):
    """Read the progress of *fleet* until it has fetched *n_pages*."""
    for line in fleet.stderr:
        found = PROGRESS.match(line)
        if found and int(found[1].replace(",", "")) >= n_pages:
            return
    raise AssertionError("the fleet ended before it could be killed")


def children(process):
    """The processes that *process* has started: of a parent, one a shard."""
    found = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return [
        int(child)
        for child in found
        if Path(f"/proc/{child}/comm").read_text().startswith("winnow-shard-")
    ]


def assert_same(corpus, expected):
    for ours, alone in zip(end_state(corpus), end_state(expected), strict=True):
        assert ours == alone


@pytest.mark.slow
def test_a_fleet_of_which_one_dies_comes_to_the_same_as_one_process(tmp_path, web, small_crawl):
    fleet = start(web, tmp_path / "corpus", 2, *SLOWLY)
    wait_for_pages(fleet, 60)
    os.kill(children(fleet)[1], signal.SIGKILL)
    out, err = fleet.communicate(timeout=240)
    assert fleet.returncode == 0, err
    assert "restarted          1  process that died" in out
    assert waiting_rows(tmp_path / "corpus") == [0, 0]
    assert_same(tmp_path / "corpus", small_crawl[1])
    assert shards_of(tmp_path / "corpus") == ["0000", "0001"]
    listed = {shard["name"] for shard in read_manifest(tmp_path / "corpus").shards}
    assert {name.rpartition("/")[2].rsplit("-", 2)[-2] for name in listed} == {"0000", "0001"}
    refused = run_scrapy(*crawl_arguments(web, tmp_path / "corpus"))
    assert refused.returncode == 2
    assert "go on with scrapy fleet -p 2" in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fleet", "odp", "-p", "0"], "-p must be 1 to 64, got 0"),
        (["fleet", "odp", "-a", "seeds"], "-a 'seeds' is no NAME=VALUE"),
        (["fleet", "odp", "-a", "seeds=/none"], "/none"),
    ],
)
def test_wrong_calls(arguments, message):
    done = run_scrapy(*arguments)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr


@pytest.mark.long
@pytest.mark.parametrize("n_processes", [1, 4])
def test_fleets_of_several_sizes(tmp_path, web, small_crawl, n_processes):
    done = run_scrapy(*fleet_arguments(web, tmp_path / "corpus", n_processes))
    assert done.returncode == 0, done.stderr
    assert_same(tmp_path / "corpus", small_crawl[1])


@pytest.mark.long
def test_a_fleet_that_is_killed_goes_on(tmp_path, web, small_crawl):
    corpus = tmp_path / "corpus"
    for n_pages in (40, 60, 80):
        fleet = start(web, corpus, 3, *SLOWLY)
        wait_for_pages(fleet, n_pages)
        processes = [*children(fleet), fleet.pid]
        for process in processes:
            os.kill(process, signal.SIGKILL)
        fleet.communicate()
        time.sleep(0.5)  # until the kernel has let go of their locks
    done = run_scrapy(*fleet_arguments(web, corpus, 3))
    assert done.returncode == 0, done.stderr
    assert_same(corpus, small_crawl[1])


@pytest.mark.long
def test_processes_whose_parent_dies_end(tmp_path, web, small_crawl):
    corpus = tmp_path / "corpus"
    fleet = start(web, corpus, 3, *SLOWLY)
    wait_for_pages(fleet, 60)
    processes = children(fleet)
    fleet.kill()
    fleet.communicate()
    deadline = time.monotonic() + 60
    while any(Path(f"/proc/{process}").exists() for process in processes):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    done = run_scrapy(*fleet_arguments(web, corpus, 3))
    assert done.returncode == 0, done.stderr
    assert_same(corpus, small_crawl[1])


@pytest.mark.long
def test_an_interrupt_stops_all_and_the_same_command_goes_on(tmp_path, web, small_crawl):
    corpus = tmp_path / "corpus"
    fleet = start(web, corpus, 2, *SLOWLY)
    wait_for_pages(fleet, 60)
    processes = children(fleet)
    fleet.send_signal(signal.SIGINT)
    out, err = fleet.communicate(timeout=60)
    assert fleet.returncode == 0, err
    assert out.startswith("Crawl shutdown")
    assert not any(Path(f"/proc/{process}").exists() for process in processes)
    assert waiting_rows(corpus) == [0, 0]
    refused = run_scrapy(*fleet_arguments(web, corpus, 3))
    assert refused.returncode == 2
    assert "by a fleet of 2; give -p 2" in refused.stderr
    done = run_scrapy(*fleet_arguments(web, corpus, 2))
    assert done.returncode == 0, done.stderr
    assert_same(corpus, small_crawl[1])


@pytest.mark.long
@pytest.mark.parametrize("limit", [7, 120])
def test_a_limit_is_that_of_all(tmp_path, web, limit):
    done = run_scrapy(*fleet_arguments(web, tmp_path / "corpus", 3, "-a", f"max_pages={limit}"))
    assert done.returncode == 0, done.stderr
    counts = read_manifest(tmp_path / "corpus").counts
    assert counts["fetched"] + counts["gone"] == limit
    assert "  max_pages  is reached; all runs" in done.stdout


@pytest.mark.long
def test_a_fleet_whose_processes_cannot_start_gives_up(tmp_path, web):
    settings = ("-s", 'ITEM_PIPELINES={"no.such.Stage": 1}')
    done = run_scrapy(*fleet_arguments(web, tmp_path / "corpus", 2, *settings))
    assert done.returncode == 2
    line = r"^winnow: shard \d died 3 times within .*; run it without --nolog to see more$"
    assert re.search(line, done.stderr, re.MULTILINE)
