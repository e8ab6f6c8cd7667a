"""A shard that is lost for good: the others share its hosts and go on."""

from __future__ import annotations

import shutil

import pytest

from crawler.durable.layout import journal_folder, shard_name
from crawler.errors import InputError
from crawler.fleet.hand_over import stray_keys
from crawler.fleet.owners import owner_of
from crawler.urls import page_key
from pipelines.corpus.corpus import Corpus
from tests.cluster_machines import Machines, until
from tests.conftest import run_scrapy
from tests.redis_server import redis_server
from tests.test_fleet_cluster import shard
from tests.test_fleet_cluster_crawl import web
from tests.test_fleet_shards import alone
from tests.toy_crawl import SEEDS
from tests.toy_fleet import ToyFleet, fleet_picture

__all__ = ["alone", "redis_server", "shard", "web"]


def without_the_last(folder):
    """Return a fleet of three whose last shard is lost before it has done anything."""
    fleet = ToyFleet(folder, 3)
    fleet.seed()
    fleet.stores.pop(2).journal.close()
    shutil.rmtree(journal_folder(folder, shard_name(2)))
    fleet.n = 2
    for store in fleet.stores.values():
        store.hand_overs.give_up({2})
    return fleet


def waiting(store):
    with store.journal.read() as txn:
        return len(stray_keys(txn, [0, 1]))


@pytest.mark.slow
@pytest.mark.parametrize("is_stale", [False, True])
def test_what_waited_for_it_goes_to_the_new_owners(tmp_path, alone, is_stale):
    fleet = without_the_last(tmp_path)
    leased = fleet.crawl()
    assert all(store.is_at_rest for store in fleet.stores.values())
    assert any(map(waiting, fleet.stores.values()))
    fleet.open(0)
    if is_stale:  # the other one still thinks that they are of the lost one
        fleet.stores[1].tick(1e9)
    fleet.open(1)
    assert not any(map(waiting, fleet.stores.values()))
    fleet.seed(SEEDS)
    leased += fleet.crawl()
    fleet.close()
    assert sorted(leased) == alone[0]
    found = fleet_picture(tmp_path)
    for name in ("states", "documents", "rejected", "captured"):
        assert found[name] == alone[1][name], name
    missing = alone[1]["arcs"] - found["arcs"]
    assert missing
    assert all(owner_of(page_key(target).host, range(3)) == 2 for _, target, _ in missing)
    assert not found["arcs"] - alone[1]["arcs"]


def test_nobody_waits_for_a_member_that_was_given_up(shard):
    zero, one, two = (shard(number, 3) for number in range(3))
    for each in (zero, one, two):
        each.come()
    zero.forget(1)
    zero.forget(1)  # nothing more comes of it
    assert zero.lost() == {1}
    assert zero.is_changing()
    assert not zero.rest()
    assert two.not_at_rest() == [2]
    assert two.rest()
    assert two.members() == (0, 2)
    assert not two.is_changing()
    with pytest.raises(InputError, match="shard 1 was given up"):
        one.come()
    assert shard(5).come() == (0, 2)
    zero.rest()
    two.rest()
    assert shard(5).awaited() == (0, 2)


def test_a_member_is_given_up_while_another_shard_waits_to_come(shard):
    zero, one, two = shard(0), shard(1), shard(2)
    zero.come(), one.come(), two.come()
    assert not zero.rest()
    assert zero.not_at_rest() == [1]
    zero.forget(1)
    assert zero.rest()
    assert two.come() == (0, 2)
    assert two.awaited() == (0,)


def test_a_newcomer_is_given_up_before_it_has_come(shard):
    zero, one = shard(0), shard(1)
    zero.come(), one.come(), shard(2).come()
    zero.forget(2)
    zero.rest(), one.rest()
    assert zero.members() == (0, 1)
    assert not zero.is_changing()


def test_who_cannot_be_given_up(shard):
    zero, one = shard(0), shard(1)
    with pytest.raises(InputError, match="the crawl has not begun"):
        zero.forget(0)
    zero.come(), one.come()
    with pytest.raises(InputError, match="takes no part"):
        zero.forget(7)


def test_one_that_came_late_is_given_up_and_all_wait_for_hosts_again(shard):
    zero, one, two = shard(0), shard(1), shard(2)
    zero.come(), one.come(), two.come()
    zero.rest(), one.rest()
    assert two.come() == (0, 1, 2)
    assert zero.awaited() == ()
    zero.forget(2)
    zero.rest(), one.rest()
    assert one.members() == (0, 1)
    assert zero.awaited() == (1,)
    assert one.awaited() == (0,)


def test_the_last_one_stays(shard):
    only = shard(0, 1)
    only.come()
    with pytest.raises(InputError, match="no other shard is left"):
        only.forget(0)


def test_the_command_names_what_it_needs():
    done = run_scrapy("fleet", "--forget", "1")
    assert done.returncode == 2
    assert "set CLUSTER_URL and CLUSTER_NAME" in done.stderr


@pytest.mark.long
def test_machines_go_on_without_one_that_is_lost(tmp_path, web, small_crawl, redis_server):
    with Machines(tmp_path, web, redis_server, 3) as machines:
        for number in range(3):
            machines.start(number)
        until(lambda: all(machines.n_hosts(number) for number in range(3)))
        machines.kill(2)
        machines.start(3)  # is not let in, as 2 does not come to rest
        logs = [tmp_path / f"{number}.log" for number in (0, 1, 3)]
        until(lambda: any("Shards [2] " in log.read_text() for log in logs), secs=120)
        told = "Start [2], which do not run; one that is lost for good: scrapy fleet --forget SHARD"
        until(lambda: told in logs[2].read_text(), secs=60)
        settings = [part for name in machines.settings[:2] for part in ("-s", name)]
        done = run_scrapy("fleet", "--forget", "2", *settings)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("Shard 2 is given up")
        del machines.processes[2]
        machines.end()
        merged = machines.merged()
    rows = [row["url"] for row in corpus_rows(merged)]
    assert len(set(rows)) == len(rows)
    assert set(rows) == {row["url"] for row in corpus_rows(small_crawl[1])}
    assert_is_ranked_and_exported(merged)


def assert_is_ranked_and_exported(merged):
    for command in (
        ("pagerank", "--corpus", merged),
        ("export", "--format", "edges", "--corpus", merged),
    ):
        done = run_scrapy(*command)
        assert done.returncode == 0, done.stderr


@pytest.mark.long
def test_machines_go_on_without_one_that_came_late_and_is_lost(
    tmp_path, web, small_crawl, redis_server
):
    with Machines(tmp_path, web, redis_server, 2) as machines:
        machines.start(0), machines.start(1)
        until(lambda: machines.n_hosts(0) and machines.n_hosts(1))
        machines.start(2)
        until(lambda: machines.n_hosts(2), secs=120)
        machines.kill(2)
        settings = [part for name in machines.settings[:2] for part in ("-s", name)]
        done = run_scrapy("fleet", "--forget", "2", *settings)
        assert done.returncode == 0, done.stderr
        del machines.processes[2]
        machines.end()
        merged = machines.merged()
    rows = [row["url"] for row in corpus_rows(merged)]
    assert len(set(rows)) == len(rows)
    assert set(rows) <= {row["url"] for row in corpus_rows(small_crawl[1])}
    assert_is_ranked_and_exported(merged)


def corpus_rows(folder):
    corpus = Corpus.open(folder)
    return [*corpus.documents(["url"]), *corpus.rejected()]
