"""A crawl of several processes whose Redis dies and comes back as it was at an earlier time of the crawl."""

from __future__ import annotations

import contextlib
import random
import time
from collections import defaultdict

import pytest

from pipelines.corpus.corpus import Corpus
from tests.cluster_machines import Machines, until
from tests.redis_shards import SnapshotRedis
from tests.test_fleet_cluster_crawl import fetches, web
from tests.test_fleet_crawl import assert_same

__all__ = ["web"]


@pytest.fixture
def server(tmp_path):
    found = SnapshotRedis(tmp_path / "redis")
    found.start()
    yield found
    found.kill()


@contextlib.contextmanager
def fetched_once(web, *, in_flight):
    """Check that no page is asked for twice but *in_flight* of a host, in all."""
    before = time.monotonic()
    yield
    twice = defaultdict(int)
    for (host, _), times in fetches(web).items():
        twice[host] += max(0, sum(at >= before for at in times) - 1)
    assert max(twice.values()) <= in_flight


def assert_ids_are_unique(merged):
    """Check that no two hosts have one HostID, and no two pages one PageId."""
    corpus = Corpus.open(merged)
    names = ["host_id", "local_id", "url", "host"]
    rows = [*corpus.documents(names), *corpus.rejected(names)]
    hosts = {(row["host_id"], row["host"]) for row in rows}
    assert len(hosts) == len({host_id for host_id, _ in hosts}) == len({host for _, host in hosts})
    assert len({(row["host_id"], row["local_id"]) for row in rows}) == len(rows)


@pytest.mark.long
def test_a_redis_set_back_to_its_begin_loses_and_doubles_nothing(
    tmp_path, web, small_crawl, server
):
    """It knew one shard, and neither its HostIDs nor that the crawl has begun; a third one comes at the same time."""
    with fetched_once(web, in_flight=2), Machines(tmp_path, web, server, 2) as machines:
        machines.start(0)
        until(lambda: "Not enough shards yet" in (tmp_path / "0.log").read_text())
        server.keep()
        machines.start(1)
        until(lambda: machines.n_hosts(0) and machines.n_hosts(1))
        time.sleep(1)
        server.kill()
        machines.kill(1)
        server.set_back()
        machines.start(2)
        log = tmp_path / "2.log"
        until(lambda: "have yet to tell what they know" in log.read_text())
        machines.start(1)
        machines.end()
        assert machines.n_hosts(2) > 0
        merged = machines.merged()
        assert_ids_are_unique(merged)
        assert_same(merged, small_crawl[1])


@pytest.mark.long
@pytest.mark.parametrize("n_set_back", [1, 3])
def test_a_redis_set_back_again_and_again_loses_and_doubles_nothing(
    tmp_path, web, small_crawl, server, n_set_back
):
    with fetched_once(web, in_flight=0), Machines(tmp_path, web, server, 3) as machines:
        for shard in range(3):
            machines.start(shard)
        until(lambda: all(machines.n_hosts(shard) for shard in range(3)))
        server.keep()
        for _ in range(n_set_back):
            time.sleep(1.5)
            server.set_back()
        machines.end()
        merged = machines.merged()
        assert_ids_are_unique(merged)
        assert_same(merged, small_crawl[1])


def managed(machines):
    """Start what did not end well again, as a process manager does: Redis was away; tell whether all are done."""
    for shard, process in list(machines.processes.items()):
        if process.poll():
            machines.start(shard)
    return all(process.poll() == 0 for process in machines.processes.values())


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_set_backs_deaths_and_a_newcomer_in_any_order(tmp_path, web, small_crawl, server, seed):
    rng = random.Random(seed)
    with fetched_once(web, in_flight=8), Machines(tmp_path, web, server, 2) as machines:
        machines.start(0), machines.start(1)
        until(lambda: machines.n_hosts(0) and machines.n_hosts(1))
        server.keep()
        steps = ["set back"] * 3 + ["kill"] * 4 + ["keep"] * 2 + ["add"]
        rng.shuffle(steps)
        for step in steps:
            time.sleep(rng.uniform(0.2, 2.0))
            if step == "set back":
                server.set_back()
            elif step == "keep":
                server.keep()
            elif step == "add":
                machines.start(2)
            else:
                shard = rng.choice(sorted(machines.processes))
                machines.kill(shard)
                machines.start(shard)
        until(lambda: managed(machines), secs=200)
        merged = machines.merged()
        assert_ids_are_unique(merged)
        assert_same(merged, small_crawl[1])
