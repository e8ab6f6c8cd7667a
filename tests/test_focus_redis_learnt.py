"""Pages that shards on several machines learnt from, shared through a Redis and nothing else."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from itertools import count

import pytest

from crawler.fleet.crawl_keys import CrawlKeys
from crawler.fleet.owners import Owners
from crawler.fleet.redis import FAILURES, connect
from crawler.focus import RedisLearnt, learnt_row, redis_learnt
from tests.conftest import ROOT, scrapy_command, scrapy_environment
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes
from tests.redis_server import RedisServer, redis_server

__all__ = ["redis_server"]

NAMES = count()
# What looks are made often by, so that no test waits for one.
OFTEN_SECS = 0.02


@pytest.fixture
def shard(redis_server, monkeypatch):
    """Make what a shard hears of the others; all are of one crawl."""
    monkeypatch.setattr(redis_learnt, "_LOOK_SECS", OFTEN_SECS)
    monkeypatch.setattr(redis_learnt, "_AWAY_SECS", OFTEN_SECS)
    keys, made = CrawlKeys(f"learnt-{next(NAMES)}"), []

    def make(url=redis_server.url):
        made.append(RedisLearnt(connect(url), keys, FAILURES))
        return made[-1]

    yield make
    for each in made:
        each.close()


def row(n, *, on_topic=True):
    return learnt_row(n, f"page {n}", on_topic=on_topic)


def heard(learnt, n):
    """Return the *n* pages that come next."""
    found, deadline = [], time.monotonic() + 20
    while len(found) < n:
        assert time.monotonic() < deadline, found
        found += learnt.new(time.monotonic())
        time.sleep(OFTEN_SECS)
    return sorted(found)


def test_each_hears_of_each_page_of_the_others_once_and_who_comes_late_of_all(shard):
    one, two = shard(), shard()
    one.tell(row(1))
    two.tell(row(2, on_topic=False))
    two.tell(row(2, on_topic=False))
    assert heard(one, 1) == [("page 2", False)]
    assert heard(two, 1) == [("page 1", True)]
    one.tell(row(3))
    assert heard(two, 1) == [("page 3", True)]
    assert heard(shard(), 3) == [("page 1", True), ("page 2", False), ("page 3", True)]
    time.sleep(5 * OFTEN_SECS)
    assert not one.new(0.0)
    assert not two.new(0.0)


def test_of_a_class_the_first_pages_stay(shard, monkeypatch):
    monkeypatch.setattr(redis_learnt, "MAX_PAGES", 2)
    one = shard()
    for n in range(4):
        one.tell(row(n))
    one.tell(row(4, on_topic=False))
    expected = [("page 0", True), ("page 1", True), ("page 4", False)]
    assert heard(shard(), 3) == expected
    assert heard(shard(), 3) == expected


def test_one_that_was_killed_tells_all_again_and_hears_of_the_others_alone(shard):
    one, two = shard(), shard()
    one.tell(row(1))
    two.tell(row(2))
    heard(one, 1)
    again = shard()
    time.sleep(5 * OFTEN_SECS)  # all has come already
    again.tell(row(1))
    assert heard(again, 1) == [("page 2", True)]
    assert heard(shard(), 2) == [("page 1", True), ("page 2", True)]


def test_what_is_told_while_redis_is_away_comes_when_it_is_back(tmp_path, shard):
    server = RedisServer(tmp_path / "redis")
    server.start()
    one, two = shard(server.url), shard(server.url)
    one.tell(row(1))
    assert heard(two, 1) == [("page 1", True)]
    server.kill()
    one.tell(row(2))
    time.sleep(5 * OFTEN_SECS)
    assert not two.new(0.0)
    server.start()  # with what it had on disk
    assert heard(two, 1) == [("page 2", True)]
    assert heard(shard(server.url), 2) == [("page 1", True), ("page 2", True)]
    server.kill()


# Tells of its own pages, and prints those of the others as soon as there are enough.
LEARNS = """
import json, sys, time
from crawler.fleet.crawl_keys import CrawlKeys
from crawler.fleet.redis import FAILURES, connect
from crawler.focus import RedisLearnt, learnt_row
url, own, n_others = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
learnt, found = RedisLearnt(connect(url), CrawlKeys("processes"), FAILURES), []
for n in range(5):
    learnt.tell(learnt_row(10 * own + n, f"{own} {n}", on_topic=n % 2 > 0))
while len(found) < n_others:
    found += learnt.new(time.monotonic())
    time.sleep(0.05)
learnt.close()
print(json.dumps(sorted(found)))
"""


def test_two_processes_learn_from_each_other(redis_server):
    running = [
        subprocess.Popen(
            [sys.executable, "-c", LEARNS, redis_server.url, str(own), "5"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        for own in range(2)
    ]
    for own, process in enumerate(running):
        out, _ = process.communicate(timeout=60)
        assert json.loads(out) == [[f"{1 - own} {n}", n % 2 > 0] for n in range(5)]


# --- crawls ----------------------------------------------------------------------------------------


@pytest.mark.long
def test_machines_learn_a_topic_together(tmp_path, redis_server):
    """Of two shards one has no seeds off the topic, the other one on it, which make no model; together they do."""
    owners = Owners(0, range(2))
    names = [f"h{number}" for number in range(200)]
    of = {shard: [n for n in names if owners.owner(f"sample.{n}") == shard] for shard in range(2)}
    hosts = {name: shard for shard in range(2) for name in of[shard][:4]}
    # Of each a chain of pages, so that there is time to hear of the other's.
    hostile = Hostile(
        {
            f"{name}/{n or ''}": reply(page(f'{name} {n} <a href="/{n + 1}">on</a>'.encode()), HTML)
            for name in hosts
            for n in range(5)
        }
        | {f"{name}/5": reply(b"", status=b"404 Not Found") for name in hosts}
    )
    with served_bytes(tmp_path, hostile):
        seeds = "".join(
            f"Top/{'Sports' if shard and name != of[1][0] else 'Arts'}\thttp://{name}.sample/\n"
            for name, shard in hosts.items()
        )
        (tmp_path / "seeds.tsv").write_text(seeds)
        running = [start(tmp_path, redis_server.url, shard) for shard in range(2)]
        for shard, process in enumerate(running):
            assert process.wait(timeout=120) == 0
            log = (tmp_path / f"{shard}.log").read_text()
            assert "] ERROR" not in log
            counts = {n: int(m) for n, m in re.findall(r"'focus/learnt/(\w+)': (\d+)", log)}
            assert counts == {"on": 5, "off": 3, "others": 4}


def start(folder, redis_url, shard):
    settings = [f"CLUSTER_URL={redis_url}", "CLUSTER_NAME=topic", "CLUSTER_SIZE=2"]
    settings += [f"FLEET_SHARD={shard}", f"CORPUS_DIR={folder / str(shard)}", "HOST_DELAY_SECS=2"]
    settings += ["STATS_DUMP=1"]
    settings += ["DOMAIN_DELAY_SECS=0", "IP_DELAY_SECS=0", f"HOSTS_FILE={folder / 'hosts.tsv'}"]
    command = scrapy_command(
        "crawl", "focused", "-a", f"seeds={folder / 'seeds.tsv'}", "-L", "INFO"
    )
    command += ["-a", "topic=Arts", *(part for each in settings for part in ("-s", each))]
    with (folder / f"{shard}.log").open("wb") as log:
        return subprocess.Popen(command, cwd=ROOT, env=scrapy_environment(), stdout=log, stderr=log)
