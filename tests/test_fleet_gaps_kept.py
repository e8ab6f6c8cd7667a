"""Gaps of addresses as a server sees them that several processes and machines ask."""

from __future__ import annotations

import subprocess
from itertools import pairwise

import pytest

from tests.conftest import ROOT, run_scrapy, scrapy_command, scrapy_environment
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes
from tests.redis_server import redis_server

__all__ = ["redis_server"]


@pytest.fixture
def hostile(tmp_path):
    """Sixteen hosts at one address, with seeds, a corpus and a gap among the settings."""
    text = page(b" ".join([b"word"] * 40))
    hostile = Hostile({f"h{number}/": reply(text, HTML) for number in range(16)})
    hostile.call = [
        *("-a", f"seeds={tmp_path / 'seeds.txt'}", "-L", "INFO", "-s", "IP_DELAY_SECS=0.1"),
        *("-s", f"HOSTS_FILE={tmp_path / 'hosts.tsv'}"),
    ]
    with served_bytes(tmp_path, hostile):
        yield hostile


def assert_gaps_kept(hostile):
    pairs = zip(hostile.asked, hostile.asked_at, strict=True)
    pages = {path: at for path, at in pairs if "robots" not in path}
    assert sorted(pages) == sorted(f"h{number}/" for number in range(16))
    assert len(pages) == sum("robots" not in path for path in hostile.asked)
    # What the clocks of two processes, and the way between them, may differ in: 0.02 s.
    assert min(later - at for at, later in pairwise(sorted(pages.values()))) >= 0.1 - 0.02


@pytest.mark.long
def test_a_fleet_keeps_the_gap_of_an_address(tmp_path, hostile):
    corpus = tmp_path / "corpus"
    done = run_scrapy("fleet", "odp", "-p", "2", *hostile.call, "-s", f"CORPUS_DIR={corpus}")
    assert done.returncode == 0, done.stderr
    assert "] ERROR" not in done.stderr
    assert_gaps_kept(hostile)


@pytest.mark.long
def test_machines_keep_the_gap_of_an_address(tmp_path, hostile, redis_server):
    settings = [f"CLUSTER_URL={redis_server.url}", "CLUSTER_NAME=gaps", "CLUSTER_SIZE=2"]
    running = []
    for shard in range(2):
        ours = [*settings, f"FLEET_SHARD={shard}", f"CORPUS_DIR={tmp_path / str(shard)}"]
        command = scrapy_command("crawl", "odp", *hostile.call)
        command += [part for setting in ours for part in ("-s", setting)]
        with (tmp_path / f"{shard}.log").open("wb") as log:
            running.append(
                subprocess.Popen(
                    command, cwd=ROOT, env=scrapy_environment(), stdout=log, stderr=log
                )
            )
    for shard, process in enumerate(running):
        assert process.wait(timeout=120) == 0
        assert "] ERROR" not in (tmp_path / f"{shard}.log").read_text()
    assert_gaps_kept(hostile)
