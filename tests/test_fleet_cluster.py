"""Who takes part in a crawl on several machines: agreed through a real Redis."""

from __future__ import annotations

import contextlib
from itertools import count

import pytest

from crawler.errors import InputError
from crawler.fleet.cluster import Cluster, ShardState
from crawler.fleet.crawl_keys import CrawlKeys
from crawler.fleet.redis import connect
from tests.redis_server import redis_server

__all__ = ["redis_server"]

NAMES = count()


@pytest.fixture
def shard(redis_server):
    """Make the cluster of a shard; the crawl begins with two."""
    keys = CrawlKeys(f"cluster-{next(NAMES)}")
    with contextlib.ExitStack() as stack:

        def make(own, size=2):
            client = connect(redis_server.url)
            stack.callback(client.close)
            return Cluster(client, keys, own, size)

        yield make


def test_the_crawl_begins_when_enough_have_come(shard):
    assert shard(3).come() == ()
    assert shard(3).come() == ()  # again, after a restart
    assert shard(1).come() == (1, 3)
    assert shard(3).come() == (1, 3)
    assert shard(3).awaited() == shard(1).awaited() == ()
    assert not shard(1).is_changing()


def test_a_new_shard_is_a_member_once_all_others_rest(shard):
    zero, one, two = (shard(number) for number in range(3))
    zero.come(), one.come()
    assert two.come() == (0, 1)
    assert zero.is_changing()
    assert shard(5).come() == (0, 1)  # it has to wait until 2 is one
    assert not zero.rest()
    assert not zero.rest()
    assert two.come() == zero.members() == (0, 1)
    assert one.rest()
    assert zero.members() == two.come() == (0, 1, 2)
    assert not zero.is_changing()
    assert not zero.rest()
    assert two.awaited() == (0, 1)
    assert one.awaited() == ()
    shard(5).come()
    assert [each.rest() for each in (zero, one, two)] == [False, False, True]
    assert shard(5).come() == (0, 1, 2, 5)


def test_all_divide_by_the_same(shard):
    shard(0).agree("domain")
    shard(1).agree("domain")
    with pytest.raises(InputError, match="divide by domain, this one by host"):
        shard(2).agree("host")


def test_all_make_pages_by_the_rules_of_the_first_unless_they_may_change(shard):
    first, other = {"A": 1}, {"A": 2}
    assert shard(0).rules() == {}
    assert shard(0).share_rules(first, may_change=False) == first
    assert shard(1).share_rules(other, may_change=False) == first
    assert shard(1).share_rules(other, may_change=True) == other == shard(0).rules()


def test_the_end_is_when_all_are_idle_and_nothing_is_on_its_way(shard):
    zero, one = shard(0), shard(1)
    zero.come(), one.come()
    assert not zero.look()
    assert not zero.look()
    zero.tell(ShardState(True, 10, made={"1": 4}))
    one.tell(ShardState(True, 7, taken={"0": 3}))
    assert not zero.look()
    assert not zero.look()  # a record is on its way
    one.tell(ShardState(False, 8, taken={"0": 4}))
    assert not zero.look()
    one.tell(ShardState(True, 9, taken={"0": 4}))
    assert not zero.look()  # the first look
    zero.tell(ShardState(True, 11, made={"1": 4}))
    assert not zero.look()  # something was done meanwhile
    assert zero.look()
    assert one.look()


def test_the_end_waits_for_a_shard_that_comes(shard):
    zero, one = shard(0), shard(1)
    zero.come(), one.come()
    for each in (zero, one):
        each.tell(ShardState(True))
    shard(2).come()
    assert not any(zero.look() for _ in range(3))


def test_a_crawl_that_has_ended_goes_on_when_a_shard_is_started_that_had_seen_it(shard):
    """It stayed at its end: who was idle first in a re-crawl ended, and left what the others found for it."""
    zero, one = shard(0), shard(1)
    zero.come(), one.come()
    for each in (zero, one):
        each.tell(ShardState(True, 1))
    assert [zero.look(), zero.look()] == [False, True]
    zero.leave()
    killed = shard(1)  # before it saw the end, and started again: nobody else will come
    killed.go_on()
    assert killed.look()
    killed.leave()
    again = shard(1)
    again.go_on()
    assert not again.has_ended()
    again.tell(ShardState(True, 1))
    assert not any(again.look() for _ in range(3))
    assert again.busy() == [0]
    other = shard(0)
    other.go_on()
    for each in (again, other):
        each.tell(ShardState(True, 1))
    assert [again.look(), again.look()] == [False, True]


def test_a_shard_that_was_started_alone_after_the_end_and_stopped_is_waited_for(shard):
    """What it had said stood, that it had nothing to do: who was started first with it ended at once, as before."""
    zero, one = shard(0), shard(1)
    zero.come(), one.come()
    for each in (zero, one):
        each.tell(ShardState(True, 1))
    assert [zero.look(), zero.look()] == [False, True]
    zero.leave(), one.leave()
    for start in range(2):  # it is stopped twice, by a signal, before both are started
        alone = shard(0)
        alone.go_on()
        alone.tell(ShardState(True, 1))
        assert not any(alone.look() for _ in range(3)), start
    one = shard(1)
    one.go_on()
    one.tell(ShardState(True, 1))
    assert not any(one.look() for _ in range(3))
    again = shard(0)
    again.go_on()
    for each in (again, one):
        each.tell(ShardState(True, 1))
    assert [again.look(), again.look()] == [False, True]
