"""A corpus of two processes that share a Redis, crawled again: the same as one of a single process."""

from __future__ import annotations

import contextlib
import time

import pytest

from crawler.fleet.owners import Owners
from tests.conftest import run_scrapy, start_scrapy
from tests.hostile_server import HTML, Hostile, hosts_arguments, page, reply, served_bytes
from tests.redis_server import redis_server
from tests.test_recrawl_missed import AGAIN, QUICK, answers, outcome_of, served, text

__all__ = ["redis_server", "served"]


@contextlib.contextmanager
def machines(folder, server, *options):
    """Start two shards, and return what kills one and starts it again; all have ended in order after this."""
    processes = {}

    def start(shard, *more):
        settings = [f"CLUSTER_URL={server.url}", f"CLUSTER_NAME={folder.name}", "CLUSTER_SIZE=2"]
        settings += [f"FLEET_SHARD={shard}", f"CORPUS_DIR={folder / str(shard)}"]
        arguments = [*hosts_arguments(folder), *QUICK, *more]
        for setting in settings:
            arguments += ["-s", setting]
        with (folder / f"{shard}.log").open("ab") as log:
            processes[shard] = start_scrapy(*arguments, log=log)
        return processes[shard]

    def kill_and_start(shard):
        processes[shard].kill()
        processes[shard].wait()
        start(shard)

    with contextlib.ExitStack() as stack:
        for shard in range(2):
            stack.callback(start(shard, *options).kill)
        yield kill_and_start
        for shard, process in processes.items():
            stack.callback(process.kill)
            assert process.wait(timeout=120) == 0, (folder / f"{shard}.log").read_text()


def merged(folder):
    """Merge the folders of the shards, decide over duplicates, and return what it came to."""
    corpora = [folder / name for name in ("corpus", "0", "1")]
    for command in (
        ("export", "--merge", "--output", *corpora),
        ("dedup", "--close", "--corpus", corpora[0], "-s", "DEDUP_THRESHOLD=0"),
    ):
        done = run_scrapy(*command)
        assert done.returncode == 0, done.stderr
    return outcome_of(folder)


@pytest.mark.slow
@pytest.mark.parametrize("is_killed", [False, pytest.param(True, marks=pytest.mark.long)])
def test_machines_that_crawl_again_come_to_the_same_as_one(
    tmp_path, served, redis_server, is_killed
):
    hostile = Hostile(answers(0))
    with served_bytes(tmp_path, hostile):
        with machines(tmp_path, redis_server):
            pass
        hostile.answers = answers(1)
        n_asked, deadline = len(hostile.asked), time.monotonic() + 60
        with machines(
            tmp_path, redis_server, *AGAIN, "-s", "HOST_DELAY_SECS=0.2"
        ) as kill_and_start:
            while is_killed and len(hostile.asked) < n_asked + 9:
                assert time.monotonic() < deadline
                time.sleep(0.01)
            if is_killed:
                kill_and_start(1)
    assert merged(tmp_path) == served[1]


N_HOPS = 20


def chain(visit):
    """Two hosts of different shards; at the second visit pages lead from one to the other and back."""
    owner = Owners(0, (0, 1)).owner
    first = next(host for host in "abcdefgh" if owner(f"sample.{host}") == 0)
    second = next(host for host in "abcdefgh" if owner(f"sample.{host}") == 1)
    hosts = first, second
    found = {f"{host}/": text(host) for host in hosts}
    if visit:
        paths = [f"{hosts[number % 2]}/{number or ''}" for number in range(N_HOPS)]
        for path, following in zip(paths, [*paths[1:], paths[0]], strict=True):
            link = b'<a href="http://%s">x</a>' % following.replace("/", ".sample/").encode()
            found[path] = reply(page(b" ".join([path.encode()] * 40) + link), HTML)
    return found


@pytest.mark.slow
def test_a_shard_that_has_nothing_left_waits_for_the_others_in_a_re_crawl_too(
    tmp_path, redis_server
):
    """It ended by the end of the crawl before, and what the others found on its hosts was not fetched."""
    hostile = Hostile(chain(0))
    with served_bytes(tmp_path, hostile):
        with machines(tmp_path, redis_server):
            pass
        hostile.answers = chain(1)
        with machines(tmp_path, redis_server, *AGAIN):
            pass
    paths = sorted(path for path in hostile.asked if "robots" not in path)
    assert paths == sorted([*chain(0), *chain(1)])
