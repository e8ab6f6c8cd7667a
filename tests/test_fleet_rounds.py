"""A Redis that was set back to an older state of the crawl: what shards know of it is told to it anew."""

from __future__ import annotations

from threading import Timer

import pytest

from crawler.errors import InputError
from crawler.fleet.cluster import ShardState
from crawler.fleet.cluster_looks import Seen, Unheard
from crawler.fleet.redis import FAILURES
from crawler.fleet.redis_blocks import RedisBlocks
from tests.redis_shards import new_shard, snapshot_redis, two  # noqa: F401  two fixtures

ENDED = Seen(False, set(), (0, 1), True, [], [0, 1])  # no process holds a shard here


def leases(*shards):
    return [each.blocks.lease() for each in shards]


def test_blocks_are_leased_once_and_known_after_a_restart(shard):
    sources = [shard(number) for number in range(3)]
    leased = [[source.blocks.lease() for _ in range(5)] for source in sources]
    assert sorted(block for each in leased for block in each) == list(range(15))
    again = shard(1)
    assert list(again.blocks.blocks()) == leased[1]
    assert again.blocks.lease() == 15


def test_no_host_ids_without_redis(shard, server):
    source = shard(0)
    assert source.blocks.lease() == 0
    server.keep()
    server.kill()
    with pytest.raises(InputError, match=r"gives no HostIDs for new hosts .*start this again"):
        source.blocks.lease()
    assert list(source.blocks.blocks()) == [0]
    server.start()
    assert source.blocks.lease() == 1


def test_a_lease_waits_for_a_redis_that_is_started_anew(shard, server):
    source = shard(0)
    patient = RedisBlocks(source.rounds, FAILURES)
    assert patient.lease() == 0
    server.keep()
    server.kill()
    anew = Timer(0.5, server.start)
    anew.start()
    assert patient.lease() == 1
    anew.join()


def test_a_block_is_not_leased_again_by_a_redis_that_was_set_back(shard, server):
    zero, one = two(shard)
    assert leases(zero, one) == [0, 1]
    server.keep()
    assert leases(one, one, zero) == [2, 3, 4]
    server.set_back()
    with pytest.raises(InputError, match=r"shards \[1\] have yet to tell which HostIDs they have"):
        zero.blocks.lease()
    one.rounds.look()
    assert leases(zero, one) == [5, 6]
    assert list(shard(1).blocks.blocks()) == [1, 2, 3, 6]


def test_a_shard_that_was_down_meanwhile_is_waited_for(shard, server):
    zero, one = two(shard)
    server.keep()
    assert leases(one, zero) == [0, 1]
    server.set_back()
    assert zero.missing == [1]
    again = shard(1)
    assert again.missing == []
    assert leases(zero, again) == [2, 3]


def test_a_shard_that_was_given_up_is_not_waited_for(shard, server):
    zero, one = two(shard)
    leases(one, zero)
    server.keep()
    server.set_back()
    assert zero.missing == [1]
    zero.cluster.forget(1)
    assert zero.missing == []
    assert leases(zero) == [2]


def test_a_redis_set_back_to_before_it_knew_the_shards(shard, server):
    zero = shard(0)
    zero.rounds.look()
    zero.cluster.come()
    server.keep()
    one = shard(1)
    one.rounds.look()
    one.cluster.come()
    assert isinstance(zero.look(), Seen)
    assert leases(one, zero) == [0, 1]
    server.set_back()
    new = shard(2)  # would begin the crawl, as the second to come
    assert new.missing == [0]
    assert isinstance(zero.look(), Unheard)
    assert new.missing == [1]
    assert isinstance(one.look(), Seen)
    assert new.missing == []
    assert new.cluster.come() == (0, 1)
    assert leases(zero, one) == [2, 3]


def test_a_lease_whose_answer_was_lost_is_the_shards_when_it_starts_again(shard):
    zero = shard(0)
    zero.rounds.look()
    zero.client.incr(zero.keys.of("block"))
    zero.client.hset(zero.keys.of("blocks"), "0", "0")
    assert list(shard(0).blocks.blocks()) == [0]


def test_members_and_who_was_given_up_are_put_back(shard, server):
    zero, one = two(shard)
    server.keep()
    late = shard(2)
    assert late.missing == []
    late.cluster.come()
    assert zero.look(may_rest=True).waited_for == [1]
    assert one.look(may_rest=True).waited_for == []
    assert zero.look().members == late.cluster.come() == (0, 1, 2)
    late.look()
    late.cluster.forget(1)
    zero.look(may_rest=True), late.look(may_rest=True)
    assert zero.look().members == late.look().members == (0, 2)
    server.set_back()
    assert zero.cluster.members() == (0, 1)
    assert zero.look() == Unheard([2])
    assert zero.cluster.members() == (0, 2)
    assert zero.cluster.lost() == {1}
    seen = late.look()
    assert (seen.members, seen.lost, seen.is_changing) == ((0, 2), {1}, False)
    with pytest.raises(InputError, match="shard 1 was given up"):
        one.cluster.come()


def test_one_at_rest_does_not_go_on_before_the_others_have_told(shard, server):
    """It has not seen that the newcomer is a member, which a Redis that was set back does not know either."""
    zero, one = two(shard)
    server.keep()
    late = shard(2)
    late.rounds.look()
    late.cluster.come()
    zero.look(may_rest=True), one.look(may_rest=True)
    assert late.cluster.come() == (0, 1, 2)
    late.look()
    server.set_back()
    assert zero.look() == Unheard([1])
    assert zero.cluster.members() == (0, 1)
    assert one.look(may_rest=True) == Unheard([2])
    late.look()
    assert zero.look().members == one.look().members == (0, 1, 2)


def test_the_crawl_ends_only_when_all_have_told(shard, server):
    zero, one = two(shard)
    done = ShardState(True)
    zero.cluster.tell(done), one.cluster.tell(done)
    server.keep()
    server.set_back()
    assert [zero.look(done) for _ in range(3)] == [Unheard([1])] * 3
    one.look(done), zero.look(done)
    assert zero.look(done) == one.look(done) == ENDED
    server.keep()
    server.set_back()
    assert zero.look(done) == ENDED  # the other one has gone home


def test_a_shard_without_its_ids_does_not_go_on(shard, server):
    zero, one = two(shard)
    server.keep()
    leases(one)
    server.set_back()
    zero.cluster.forget(1)  # as an operator would who takes it for lost
    assert leases(zero) == [0]
    with pytest.raises(InputError, match="shard 0 was given HostIDs that shard 1 has; restore"):
        one.look()


def test_two_beginnings_of_one_crawl_are_told(shard, server):
    zero = shard(0)
    server.keep()
    one = shard(1)
    for each in (zero, one, zero, one):
        each.rounds.look()
        each.cluster.come()
    zero.look()
    server.set_back()
    for each in (strangers := [shard(2), shard(3)]):
        each.rounds.look()
        each.cluster.come()
    assert strangers[0].cluster.members() == (2, 3)
    with pytest.raises(InputError, match="set back to before the crawl began, and another"):
        zero.look()


def test_data_replaced_while_the_server_runs_are_noticed(shard):
    zero, one = two(shard)
    kept = {key: zero.client.dump(key) for key in zero.client.keys("*")}
    leases(one)
    zero.client.flushall()
    for key, value in kept.items():
        zero.client.restore(key, 0, value)
    one.look()
    assert zero.missing == []
    assert leases(zero, one) == [1, 2]
