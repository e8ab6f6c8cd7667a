"""One process a shard, also where its folder was copied or moved: through Redis."""

from __future__ import annotations

import shutil
import time

import pytest

from crawler.errors import InputError
from crawler.fleet import shard_hold
from crawler.fleet.cluster import Cluster
from crawler.fleet.cluster_folder import lock_folder
from crawler.fleet.redis import FAILURES
from crawler.fleet.shard_hold import ShardHold, place_of
from crawler.shards.cluster_waits import must_be_done, must_rest
from tests.redis_server import client, keys, redis_server

__all__ = ["client", "keys", "redis_server"]

LEFT_SECS = 2.0


@pytest.fixture
def process(client, keys, monkeypatch):
    """Make a process of a shard, as the folder that it has locked says it."""
    monkeypatch.setattr(shard_hold, "_RENEW_SECS", 0.1)
    made = []

    def make(folder, shard=0):
        lock_folder(folder).release()
        made.append(ShardHold(client, keys, shard, folder, FAILURES))
        return made[-1]

    yield make
    for each in made:
        each.release()


def take(process):
    """Take the shard as soon as it is free; return after how many seconds it was."""
    begun = time.monotonic()
    while not process.take():
        time.sleep(0.02)
    return time.monotonic() - begun


def copied(folder):
    return shutil.copytree(folder, folder.with_name("copy"))


def test_a_copy_is_refused_while_the_first_runs(tmp_path, process):
    first = process(tmp_path / "a")
    take(first)
    copy = copied(tmp_path / "a")
    with pytest.raises(InputError, match="shard 0 is crawled by another process, from a copy"):
        take(process(copy))
    assert first.failure is None
    take(process(copy, shard=1))


def test_a_folder_that_was_moved_goes_on(tmp_path, process):
    first = process(tmp_path / "a")
    take(first)
    first.release()
    assert take(process(copied(tmp_path / "a"))) < LEFT_SECS


def test_a_process_that_starts_itself_again_lets_no_copy_in(tmp_path, process):
    first = process(tmp_path / "a")
    take(first)
    first.release(is_coming_back=True)
    copy = process(copied(tmp_path / "a"))
    assert not copy.take()
    assert take(process(tmp_path / "a")) < LEFT_SECS
    with pytest.raises(InputError, match="crawled by another process"):
        take(copy)


def test_a_process_that_was_killed_is_waited_for_elsewhere_alone(tmp_path, process, client, keys):
    again = process(tmp_path / "a")
    word = f"{place_of(tmp_path / 'a')}killed"
    client.set(keys.of("process:0"), word, px=60_000)
    assert take(again) < LEFT_SECS
    again.release()
    client.set(keys.of("process:0"), word, px=round(1000 * LEFT_SECS))
    assert take(process(copied(tmp_path / "a"))) > LEFT_SECS / 2


def test_one_that_redis_had_lost_sight_of_ends_when_another_has_come(
    tmp_path, process, client, keys
):
    first = process(tmp_path / "a")
    take(first)
    deadline = time.monotonic() + 20
    while first.failure is None:
        assert time.monotonic() < deadline
        client.set(keys.of("process:0"), "elsewhere", px=20_000)
        time.sleep(0.02)
    assert "is crawled by another process" in str(first.failure)


def test_only_shards_without_a_process_are_told_as_stopped(tmp_path, process, client, keys):
    cluster = Cluster(client, keys, 0, 3)
    first = process(tmp_path / "a", shard=1)
    take(first)
    assert cluster.stopped([1, 2]) == [2]
    assert cluster.stopped([]) == []
    assert "[1] are not done. All of them ran a moment ago" in must_be_done(
        [1], cluster.stopped([1, 2])
    )
    assert "[1, 2] must come to rest" in (text := must_rest([1, 2], cluster.stopped([1, 2])))
    assert "Start [2], which do not run" in text
    first.release()
    assert cluster.stopped([1, 2]) == [1, 2]
