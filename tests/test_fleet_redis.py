"""Hand-over through a real Redis: order, restarts of either side and of Redis, streams that are full."""

from __future__ import annotations

import contextlib
import time
from itertools import count

import pytest

from crawler.errors import InputError
from crawler.fleet.crawl_keys import CrawlKeys
from crawler.fleet.hand_over import Sent
from crawler.fleet.redis import FAILURES, RedisTransport, check_made, check_usable, connect, needed
from crawler.shards.cluster_settings import tell_if_it_forgets
from tests.redis_server import RedisServer, redis_server

__all__ = ["redis_server"]

NAMES = count()


@pytest.fixture
def keys():
    return CrawlKeys(f"test-{next(NAMES)}")


@contextlib.contextmanager
def open_transport(server, keys, own, **options):
    own_client = connect(server.url)
    made = check_made(own_client, keys, None)
    carrier = RedisTransport(own_client, keys, own, made=made, **options)
    try:
        yield carrier
    finally:
        carrier.close()


CLIENTS = []


def client(server):
    CLIENTS.append(connect(server.url))
    return CLIENTS[-1]


@pytest.fixture(autouse=True)
def closed_clients():
    yield
    while CLIENTS:
        CLIENTS.pop().close()


def until(condition, *, secs=20):
    deadline = time.monotonic() + secs
    while time.monotonic() < deadline:
        if found := condition():
            return found
        time.sleep(0.01)
    raise AssertionError("it did not come")


class Owner:
    """Takes records as a shard does: in order, each once; acknowledges when told to."""

    def __init__(self, transport):
        self.transport = transport
        self.taken = []

    def take(self):
        for sent in self.transport.received():
            if sent.number == len(self.taken) + 1:
                self.taken.append(sent.record)
        return len(self.taken)

    def acknowledge(self, source):
        self.transport.acknowledge(source, len(self.taken))


def records(n, *, first=1):
    return [Sent(0, 1, number, b"record %d" % number) for number in range(first, n + 1)]


def deliver(sender, owner, n):
    """Take records until all *n* are acknowledged; those that a failure lost are sent again."""
    done = 0
    while done < n:
        owner.take()
        owner.acknowledge(0)
        done = max([done, *sender.acknowledged().values()])
        if 1 in sender.was_lost():
            for sent in records(n, first=done + 1):
                sender.send(sent)
        time.sleep(0.01)


def test_records_arrive_in_order_and_are_deleted_once_acknowledged(redis_server, keys):
    with (
        open_transport(redis_server, keys, 0) as sender,
        open_transport(redis_server, keys, 1) as receiver,
    ):
        owner = Owner(receiver)
        for sent in records(250):
            sender.send(sent)
        until(lambda: owner.take() == 250)
        assert owner.taken == [sent.record for sent in records(250)]
        assert not sender.acknowledged()
        owner.acknowledge(0)
        until(lambda: sender.acknowledged().get(1) == 250)
        watcher = client(redis_server)
        until(lambda: watcher.xlen(keys.stream(1)) == 0)
        assert not sender.was_lost()


def test_what_was_not_acknowledged_comes_again_after_a_restart(redis_server, keys):
    with open_transport(redis_server, keys, 0) as sender:
        with open_transport(redis_server, keys, 1) as receiver:
            owner = Owner(receiver)
            for sent in records(10):
                sender.send(sent)
            until(lambda: owner.take() == 10)
            receiver.acknowledge(0, 4)
            until(lambda: sender.acknowledged().get(1) == 4)
        for sent in records(12, first=11):
            sender.send(sent)
        with open_transport(redis_server, keys, 1) as receiver:
            found = []
            until(lambda: found.extend(receiver.received()) or len(found) >= 8)
            assert [sent.number for sent in found] == list(range(5, 13))
    with open_transport(redis_server, keys, 0) as sender:
        assert until(sender.acknowledged) == {1: 4}


def test_a_full_stream_takes_no_more_until_there_is_room(redis_server, keys):
    with open_transport(redis_server, keys, 0, max_waiting=5) as sender:
        for sent in records(20):
            sender.send(sent)
        watcher = client(redis_server)
        until(lambda: watcher.xlen(keys.stream(1)) == 5)
        assert not sender.was_lost()
        with open_transport(redis_server, keys, 1) as receiver:
            owner = Owner(receiver)
            deliver(sender, owner, 20)
        assert owner.taken == [sent.record for sent in records(20)]


def test_a_sender_without_redis_holds_a_bounded_number(tmp_path, keys):
    server = RedisServer(tmp_path / "redis")
    server_or_skip(server)
    with open_transport(server, keys, 0, max_held=50) as sender:
        server.kill()
        time.sleep(0.2)
        for sent in records(500):
            sender.send(sent)
        assert sender.n_waiting() <= 50
        server.start()
        assert 1 in until(sender.was_lost)
        server.kill()


def server_or_skip(server):
    try:
        server.start()
    except FileNotFoundError:
        pytest.skip("no redis-server here; install Debian's package of that name")


def test_redis_is_killed_and_comes_back_with_its_data(tmp_path, keys):
    server = RedisServer(tmp_path / "redis")
    server_or_skip(server)
    with open_transport(server, keys, 0) as sender, open_transport(server, keys, 1) as receiver:
        owner = Owner(receiver)
        for sent in records(10):
            sender.send(sent)
        until(lambda: owner.take() == 10)
        owner.acknowledge(0)
        server.kill()
        time.sleep(0.3)
        for sent in records(20, first=11):
            sender.send(sent)
        server.start()
        deliver(sender, owner, 20)
        assert owner.taken == [sent.record for sent in records(20)]
    server.kill()


def test_a_redis_without_the_crawl_is_told(tmp_path, keys):
    server = RedisServer(tmp_path / "redis")
    server_or_skip(server)
    own_client = client(server)
    made = check_made(own_client, keys, None)
    assert check_made(own_client, keys, made) == made
    with open_transport(server, keys, 0) as sender:
        client(server).flushall()
        server.kill()
        time.sleep(0.2)
        server.start()
        failure = until(lambda: sender.failure)
    assert "does not hold the crawl" in str(failure)
    with pytest.raises(InputError, match="does not hold the crawl"):
        check_made(client(server), keys, made)
    server.kill()


def test_no_redis():
    with pytest.raises(InputError, match="no Redis answers at redis"):
        connect("redis://127.0.0.1:1/0")
    with pytest.raises(InputError, match="set CLUSTER_URL"):
        connect("nonsense")
    with pytest.raises(InputError, match="set CLUSTER_NAME"):
        CrawlKeys("")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--rename-command", "XADD", ""], "failed .unknown command 'XADD'.* version 5 or later"),
        (["--rename-command", "XREADGROUP", ""], "failed .unknown command 'XREADGROUP'"),
        (["--maxmemory", "1"], "failed .* has room and may be written"),
        (["--replicaof", "127.0.0.1", "1"], "failed .*read only replica"),
    ],
)
def test_a_redis_that_cannot_carry_a_crawl_is_told(tmp_path, keys, options, said):
    server = RedisServer(tmp_path / "redis", *options)
    server.start()
    try:
        with pytest.raises(InputError, match=said), needed(server.url):
            check_usable(client(server), keys, 0)
    finally:
        server.kill()


def test_a_redis_that_can_carry_a_crawl_keeps_nothing_of_the_probe(redis_server, keys):
    check_usable(client(redis_server), keys, 0)
    assert not list(client(redis_server).scan_iter(f"{keys.of('')}*"))


def test_a_password_is_asked_for_and_never_shown(tmp_path):
    server = RedisServer(tmp_path / "redis", "--requirepass", "open")
    server.start()
    try:
        for user in ("", ":secret@"):
            url = server.url.replace("//", f"//{user}")
            with pytest.raises(InputError, match=r"does not let us in .*:PASSWORD@") as told:
                connect(url)
            assert "secret" not in str(told.value)
        connect(server.url.replace("//", "//:open@")).close()
    finally:
        server.kill()


def test_what_is_no_matter_of_a_password_is_not_told_as_one(redis_server):
    with pytest.raises(
        InputError, match=r"no Redis answers at .*/99 \(.*range\); start or mend one"
    ):
        connect(redis_server.url.removesuffix("/0") + "/99")


def test_a_redis_before_version_6_is_let_in(tmp_path):
    server = RedisServer(tmp_path / "redis", "--rename-command", "HELLO", "")
    server.start()
    with connect(server.url) as let_in:
        assert let_in.ping()
    server.kill()


@pytest.mark.parametrize(
    ("options", "n_lines"),
    [((), 0), (("--appendonly", "no"), 1), (("--rename-command", "CONFIG", ""), 0)],
)
def test_a_redis_that_keeps_no_log_is_told(tmp_path, capsys, options, n_lines):
    server = RedisServer(tmp_path / "redis", *options)
    server.start()
    tell_if_it_forgets(client(server), FAILURES)
    server.kill()
    told = capsys.readouterr().err
    assert told.count("\n") == told.count("winnow: this Redis has appendonly off") == n_lines
