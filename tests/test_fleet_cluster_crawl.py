"""A crawl of several processes that share a Redis and nothing else, some killed, some added on the way."""

from __future__ import annotations

import shutil
import signal
import time
from collections import Counter, defaultdict
from itertools import pairwise

import pytest

from crawler.sampleweb.server import REQUESTS_FILE
from tests.before_commands import (
    interrupt_at_the_making,
    interrupt_at_the_opening,
    terminate_at_the_joining,
    terminate_before_the_wait,
)
from tests.cluster_machines import DELAY_SECS, Machines, until
from tests.conftest import SMALL_WEB, run_scrapy, served_web
from tests.redis_server import RedisServer, redis_server
from tests.test_fleet_crawl import assert_same

__all__ = ["redis_server"]


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    folder = tmp_path_factory.mktemp("web")
    with served_web(folder, *SMALL_WEB):
        yield folder


@pytest.mark.slow
def test_machines_of_which_one_is_killed_come_to_the_same_as_one(
    tmp_path, web, small_crawl, redis_server
):
    with Machines(tmp_path, web, redis_server, 2) as machines:
        machines.start(0)
        machines.start(1)
        until(lambda: machines.n_hosts(0) and machines.n_hosts(1))
        machines.kill(1)
        machines.start(1)
        machines.end()
        assert_same(machines.merged(), small_crawl[1])


def test_shards_of_other_rules_are_refused(tmp_path, web, redis_server):
    with Machines(tmp_path, web, redis_server, 2) as machines:
        machines.start(0)
        machines.start(1, "QUALITY_MIN_WORDS=7")  # both begin: one says its rules first
        until(lambda: any(each.poll() is not None for each in machines.processes.values()))
        refused = next(n for n, each in machines.processes.items() if each.poll() is not None)
        assert machines.processes[refused].returncode == 2
        lines = (tmp_path / f"{refused}.log").read_text().splitlines()
        values = ("7 there, 25 here", "25 there, 7 here")[refused]
        assert lines[-1].startswith("winnow: the other shards make pages by other rules: ")
        assert f"QUALITY_MIN_WORDS is {values}; give this one theirs" in lines[-1]
        assert not [line for line in lines if line.startswith("Traceback")]
        # It has not come: the other one still waits for a second shard, and takes it by its own rules.
        assert "Not enough shards yet" in (tmp_path / f"{1 - refused}.log").read_text()
        machines.start(refused, f"QUALITY_MIN_WORDS={(7, 25)[refused]}")
        until(lambda: machines.n_hosts(0) and machines.n_hosts(1))


@pytest.mark.parametrize(
    "number", [pytest.param(signal.SIGINT, marks=pytest.mark.long), signal.SIGTERM]
)
def test_one_that_waits_for_others_is_stopped_in_order(tmp_path, web, redis_server, number):
    with Machines(tmp_path, web, redis_server, 2) as machines:
        machines.start(0)
        log = tmp_path / "0.log"
        until(lambda: "Not enough shards yet" in log.read_text())
        machines.processes[0].send_signal(number)
        assert machines.processes[0].wait(timeout=30) == 0
        lines = log.read_text().splitlines()
        assert lines[-1].startswith("winnow: stopped while waiting for the other shards")
        assert not [line for line in lines if "ERROR" in line or line.startswith("Traceback")]


def test_one_that_was_told_to_stop_does_not_begin_to_wait(tmp_path, web, redis_server):
    """The wait kept the reactor from the signal: the shard waited for ever."""
    machines = Machines(tmp_path, web, redis_server, 2)
    done = run_scrapy(*machines.command(0), before=terminate_before_the_wait, timeout=60)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    said = "winnow: stopped while waiting for the other shards"
    assert done.stderr.splitlines()[-1].startswith(said)


@pytest.mark.parametrize(
    "before",
    [interrupt_at_the_opening, pytest.param(interrupt_at_the_making, marks=pytest.mark.long)],
)
def test_a_shard_that_is_stopped_while_it_starts_ends_in_order(tmp_path, web, redis_server, before):
    """Any other code than 0 would have it started again."""
    machines = Machines(tmp_path, web, redis_server, 1)
    done = run_scrapy(*machines.command(0), before=before)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert done.stderr.splitlines()[-1].startswith(("winnow: interrupted", "winnow: stopped"))
    assert "Traceback" not in done.stderr


def test_a_shard_that_is_stopped_while_another_comes_in_stays_so(tmp_path, web, redis_server):
    """It started itself again, as for the other, and had forgotten the signal."""
    with Machines(tmp_path, web, redis_server, 1) as machines:
        machines.settings += ["HOST_DELAY_SECS=5"]  # it would not come to its end by itself
        machines.start(0, before=terminate_at_the_joining)
        until(lambda: machines.n_hosts(0))
        machines.start(1)
        assert machines.processes[0].wait(timeout=30) == 0


def test_a_shard_that_is_started_twice_is_refused(tmp_path, web, redis_server):
    """The second one took records from Redis that the first never saw, and both waited for the other forever."""
    with Machines(tmp_path, web, redis_server, 2) as machines:
        machines.start(0)
        log = tmp_path / "0.log"
        until(lambda: "Not enough shards yet" in log.read_text())
        first = machines.processes[0]
        machines.start(0)
        assert machines.processes[0].wait(timeout=30) == 2
        last = log.read_text().splitlines()[-1]
        assert last.startswith("winnow: another process is crawling into ")
        assert first.poll() is None
        first.kill()
        first.wait()


@pytest.mark.slow
def test_a_copy_of_a_shard_is_refused_and_goes_on_where_it_was_moved(
    tmp_path, web, small_crawl, redis_server
):
    """Both took what came for the shard, and gave the same HostIDs to other hosts."""
    with Machines(tmp_path, web, redis_server, 2) as machines:
        machines.start(0)
        machines.start(1)
        until(lambda: machines.n_hosts(0) and machines.n_hosts(1))
        first = machines.processes[1]
        first.send_signal(signal.SIGSTOP)  # so that the copy is of one moment
        shutil.copytree(machines.corpus(1), tmp_path / "copy")
        first.send_signal(signal.SIGCONT)
        done = run_scrapy(*machines.command(1, f"CORPUS_DIR={tmp_path / 'copy'}"))
        assert done.returncode == 2
        last = done.stderr.splitlines()[-1]
        assert last.startswith("winnow: shard 1 is crawled by another process, from a copy of its")
        first.send_signal(signal.SIGTERM)
        assert first.wait(timeout=30) == 0
        machines.corpus(1).rename(tmp_path / "original")
        shutil.copytree(tmp_path / "original", machines.corpus(1))
        machines.start(1)
        machines.end()
        assert_same(machines.merged(), small_crawl[1])


def test_what_is_waited_for_is_told_without_a_log(tmp_path, web, redis_server):
    with Machines(tmp_path, web, redis_server, 2) as machines:
        machines.has_log = False
        machines.start(0)
        log = tmp_path / "0.log"
        until(lambda: "Not enough shards yet; waiting" in log.read_text().splitlines())
        assert machines.processes[0].poll() is None


@pytest.mark.long
def test_a_shard_whose_redis_has_lost_the_crawl_fails(tmp_path, web):
    server = RedisServer(tmp_path / "redis")
    server.start()
    with Machines(tmp_path, web, server, 1) as machines:
        machines.settings += ["HOST_DELAY_SECS=3"]
        machines.start(0)
        until(lambda: machines.n_hosts(0))
        server.kill()
        shutil.rmtree(server.folder)
        server.folder.mkdir()
        server.start()
        try:
            assert machines.processes[0].wait(timeout=60) == 2
        finally:
            server.kill()
    last = (tmp_path / "0.log").read_text().splitlines()[-1]
    assert last.startswith("winnow: Redis does not hold the crawl that this corpus is a shard of")


@pytest.mark.long
def test_a_redis_that_hangs_holds_up_neither_the_crawl_nor_its_stop(tmp_path, web):
    """A process that waited for it fetched a page or two in each 5 seconds, and took 12 to stop."""
    server = RedisServer(tmp_path / "redis")
    server.start()
    with Machines(tmp_path, web, server, 1) as machines:
        before = n_fetched(web)
        machines.start(0)
        until(lambda: n_fetched(web) > before + 5)
        server.process.send_signal(signal.SIGSTOP)
        hung = n_fetched(web)
        until(lambda: n_fetched(web) > hung + 80, secs=20)
        machines.processes[0].send_signal(signal.SIGINT)
        assert machines.processes[0].wait(timeout=60) == 0
        log = (tmp_path / "0.log").read_text()
        assert "Traceback" not in log
        assert log.count("Redis does not answer (Timeout") <= 2  # it is said each 10 seconds
        server.process.send_signal(signal.SIGCONT)
        machines.start(0)
        machines.end()
    server.kill()


def n_fetched(web):
    return sum(map(len, fetches(web).values()))


def fetches(web):
    """Return (host, path) -> times at which pages were asked for and given, from the server's log."""
    found = defaultdict(list)
    for line in (web / REQUESTS_FILE).read_text().splitlines():
        start, host, path, status = line.split("\t")
        if path != "/robots.txt" and status == "200":  # errors are asked for again
            found[host, path].append(float(start))
    return found


@pytest.mark.long
def test_two_of_four_are_killed_and_one_is_added(tmp_path, web, small_crawl, redis_server):
    before = time.monotonic()
    with Machines(tmp_path, web, redis_server, 4) as machines:
        for shard in range(4):
            machines.start(shard)
        until(lambda: all(machines.n_hosts(shard) for shard in range(4)))
        machines.kill(1)
        machines.start(4)
        time.sleep(1)
        machines.kill(2)
        machines.start(1)
        time.sleep(1)
        machines.start(2)
        machines.end()
        assert machines.n_hosts(4) > 0
        assert_same(machines.merged(), small_crawl[1])
    # what is asked for twice was on its way in a process that was killed: one a host at most
    hosts, twice = defaultdict(list), Counter()
    for (host, _), times in fetches(web).items():
        ours = [at for at in times if at >= before]
        hosts[host] += ours
        twice[host] += len(ours) - 1
    assert max(twice.values()) <= 2
    # nor does anybody come to a host sooner after another than the delay
    gaps = [after - at for times in hosts.values() for at, after in pairwise(sorted(times))]
    assert min(gaps) >= DELAY_SECS
