"""What a Redis that was set back has lost on the way between shards is sent again."""

from __future__ import annotations

import contextlib

from crawler.fleet.hand_over import Sent
from crawler.fleet.redis import RedisTransport, connect
from tests.redis_shards import new_shard, snapshot_redis, two  # noqa: F401  two fixtures
from tests.test_fleet_redis import until


def test_what_a_redis_that_was_set_back_has_lost_is_sent_again(shard, server):
    zero, one = two(shard)
    with carried(server, zero) as sender, carried(server, one) as receiver:
        taken, done = [], [0]

        def send(last):
            for number in range(1 + done[0], last + 1):
                sender.send(Sent(0, 1, number, b"record %d" % number))

        def has_come(last):
            for sent in receiver.received():
                if sent.number == len(taken) + 1:
                    taken.append(sent.number)
            done[0] = max([*done, *sender.acknowledged().values()])
            if 1 in sender.was_lost():
                send(last)
            return len(taken) == last

        for last, durable in ((5, 3), (10, 8)):
            send(last)
            until(lambda: has_come(last))  # noqa: B023  called in this turn
            receiver.acknowledge(0, durable)
            until(lambda: has_come(last) and done[0] == durable)  # noqa: B023  as above
            if last == 5:
                server.keep()
        server.set_back()
        send(20)
        until(lambda: has_come(20))
        receiver.acknowledge(0, 20)
        until(lambda: has_come(20) and done[0] == 20)
        assert taken == list(range(1, 21))


def carried(server, of):
    carrier = RedisTransport(connect(server.url), of.keys, of.rounds.own, made=of.made)
    return contextlib.closing(carrier)


def test_a_new_round_is_heard_of_by_who_was_never_cut_off(shard, server):
    """Redis may die and be there again between two questions, with which a new connection comes about."""
    zero = shard(0)
    zero.rounds.look()
    with carried(server, zero) as sender:
        sender.send(Sent(0, 1, 1, b"record"))
        until(lambda: zero.client.xlen(zero.keys.stream(1)))
        zero.client.delete(zero.keys.stream(1))
        zero.client.set(zero.keys.round, b"another")
        lost = set()
        until(lambda: lost.update(sender.was_lost()) or lost)
        assert lost == {1}
