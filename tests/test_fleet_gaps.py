"""Gaps of addresses that the shards of a crawl share, through a file and through Redis."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import time
from itertools import count, pairwise

import pytest

from crawler.fleet.gaps import N_SLOTS, GapTable
from crawler.fleet.owners import Owners
from crawler.fleet.redis import FAILURES, CrawlKeys, connect
from crawler.fleet.redis_gaps import RedisGaps
from crawler.frontier.crawl_store import CrawlStore
from crawler.frontier.policy import CommitPolicy, FrontierPolicy
from crawler.frontier.store_hand_overs import Membership
from crawler.urls import PageKey
from tests.conftest import ROOT
from tests.redis_server import RedisServer, redis_server
from tests.toy_fleet import Blocks, Wire

__all__ = ["redis_server"]

NAMES = count()
A, B = 0x1234_0001, 0x9876_0001


def claim(gaps, address, now=0.0):
    return asyncio.run(gaps.claim(address, now))


@pytest.fixture
def table(tmp_path):
    """Make the table of a shard; all share a file."""
    made = []

    def make(shard, now=0.0):
        made.append(GapTable(tmp_path / "gaps", shard, rest_secs=2.0, now=now))
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_an_address_is_of_one_shard_at_a_time(table):
    one, two = table(0), table(1)
    assert claim(one, A, 10.0) == 0
    assert claim(two, A, 10.0) == 2.0  # it will rest for that long at least
    assert claim(two, B, 10.0) == 0
    assert one.release(A, 15.0) == 2.0
    assert claim(two, A, 16.5) == 0.5
    assert claim(one, A, 16.5) == 0.5
    assert claim(two, A, 17.0) == 0
    assert claim(one, A, 99.0) == 2.0


def test_what_a_dead_process_had_is_free_when_it_starts_again(table):
    claim(table(0), A, 1.0)
    other = table(1, now=5.0)
    claim(other, B, 5.0)
    assert claim(other, A, 50.0) == 2.0
    again = table(0, now=60.0)
    assert claim(again, A, 61.0) == 1.0
    assert claim(other, A, 62.0) == 0
    assert claim(again, B, 62.0) == 2.0  # that is the other's


def test_addresses_of_a_slot_wait_for_each_other(table):
    one, two = table(0), table(1)
    assert claim(one, A) == 0
    assert claim(two, A + 2 * N_SLOTS) == 2.0


# Claims addresses as fast as it can, and prints when it had each.
CLAIMS = """
import asyncio, random, sys, time
from crawler.fleet.gaps import GapTable
shard = int(sys.argv[2])
gaps = GapTable(sys.argv[1], shard, rest_secs=0.02, now=time.monotonic())
rng, end = random.Random(shard), time.monotonic() + float(sys.argv[3])
while time.monotonic() < end:
    address = rng.randrange(3) * 2 + 1
    if not asyncio.run(gaps.claim(address, time.monotonic())):
        begun = time.monotonic()
        time.sleep(rng.random() * 0.002)
        print(address, begun, time.monotonic(), flush=True)
        gaps.release(address, time.monotonic())
"""


def test_processes_keep_the_gaps_and_one_that_is_killed_gives_back(tmp_path):
    def start(shard, secs):
        command = [sys.executable, "-c", CLAIMS, str(tmp_path / "gaps"), str(shard), str(secs)]
        return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)

    running = [start(shard, 1.5) for shard in range(2)]
    killed = start(2, 60)
    had = [killed.stdout.readline() for _ in range(5)]
    killed.kill()
    had += killed.communicate()[0].splitlines()
    running.append(start(2, 0.5))
    for process in running:
        had += process.communicate()[0].splitlines()
        assert process.returncode == 0
    times = {}
    for line in had:
        address, begun, ended = line.split()
        times.setdefault(address, []).append((float(begun), float(ended)))
    assert len(times) == 3
    for of_address in times.values():
        for (_, ended), (begun, _) in pairwise(sorted(of_address)):
            assert begun >= ended + 0.02


# --- through Redis ---------------------------------------------------------------------------------


@pytest.fixture
def shards(redis_server):
    """Make the gaps of a shard of three, all of one crawl."""
    keys, made = CrawlKeys(f"gaps-{next(NAMES)}"), []

    def make(shard, url=redis_server.url):
        made.append(RedisGaps(connect(url), keys, Owners(shard, range(3)), 0.2, FAILURES))
        return made[-1]

    yield make
    for each in made:
        each.close()


def until_free(gaps, address):
    """Claim *address* as soon as it is free; return when."""
    while wait := claim(gaps, address):
        time.sleep(wait)
    return time.monotonic()


def test_an_address_is_of_one_machine_at_a_time(shards):
    one, two = shards(0), shards(1)
    assert claim(one, A) == 0
    assert claim(two, A) == pytest.approx(0.2, abs=0.01)
    assert claim(two, B) == 0
    released = time.monotonic()
    assert one.release(A, released) == 0.2
    assert until_free(two, A) >= released + 0.2
    two.release(A, 0.0)
    two.release(A, 0.0)  # no longer its own: nothing comes of it
    again = shards(1)  # the process was killed while it had B
    begun = time.monotonic()
    assert until_free(again, B) >= begun + 0.2


def test_while_redis_is_away_a_shard_asks_less(tmp_path, shards):
    server = RedisServer(tmp_path / "redis")
    server.start()
    gaps = shards(0, server.url)
    server.kill()
    assert claim(gaps, A) == 0
    assert claim(gaps, B) == 0
    assert gaps.release(A, 0.0) == pytest.approx(0.6)
    assert gaps.release(B, 0.0) == pytest.approx(0.6)


# --- in the frontier -------------------------------------------------------------------------------


def open_shard(folder, table, blocks, shard, n_shards, **policy):
    owners = Owners(shard, range(n_shards))
    member = Membership(owners, blocks.of(shard), Wire().of(shard), gaps=table(shard))
    policy = FrontierPolicy(ip_delay_secs=2.0, **policy)
    return CrawlStore(folder, policy=policy, commit=CommitPolicy(group_pages=4), member=member)


@pytest.mark.parametrize("seed", range(6))
def test_shards_keep_the_gap_of_an_address_and_fetch_all(tmp_path, table, seed):
    rng, blocks, n_shards = random.Random(seed), Blocks(), 3
    delays = {"host_delay_secs": rng.choice([0, 1.0]), "domain_delay_secs": rng.choice([0, 0.7])}
    stores = [
        open_shard(tmp_path, table, blocks, shard, n_shards, **delays) for shard in range(n_shards)
    ]
    hosts = [f"com.d{number % 7}.h{number}" for number in range(14)]
    address_of = {host: f"10.0.0.{rng.randrange(3)}" for host in hosts}
    for store in stores:
        store.add_seeds([(PageKey(host, f"0/{n}"), []) for host in hosts for n in range(3)])
    asked = asyncio.run(crawl_all(stores, rng, address_of))
    assert len(asked) == len(hosts) * 3
    for of_address in by_address(asked).values():
        for (_, ended), (begun, _) in pairwise(sorted(of_address)):
            assert begun >= ended + 2.0
    # nor is an address left alone for long while somebody has pages of it
    assert max(ended for _, _, ended in asked) < 3.5 * len(asked)
    for store in stores:
        store.close()


async def crawl_all(stores, rng, address_of):
    """Crawl as the scheduler and the middleware do; return (address, begun, ended) of each fetch."""
    now, out, asked = 0.0, [], []
    while out or any(store.has_pending() for store in stores):
        now += rng.random() * 0.3
        if out and rng.random() < 0.3:
            store, lease, begun = out.pop(rng.randrange(len(out)))
            asked.append((address_of[key_of(lease)], begun, now))
            store.finish(store.open_capture(lease), now)
            store.flush()
        store = rng.choice(stores)
        lease = store.next_page(now)
        if lease is None:
            continue
        groups, address = store.frontier.groups, address_of[key_of(lease)]
        known = groups.knows_address(lease.host_id)
        if not known and not groups.set_address(lease.host_id, address, now):
            store.release(lease, now)
        elif wait := await groups.claim(lease.host_id, now):
            store.put_back(lease, now + wait)
        else:
            out.append((store, lease, now))
    return asked


def key_of(lease):
    return ".".join(reversed(lease.host.split(".")))


def by_address(asked):
    found = {}
    for address, begun, ended in asked:
        found.setdefault(address, []).append((begun, ended))
    return found


def test_a_host_that_is_put_back_has_not_been_asked(tmp_path, table):
    blocks = Blocks()
    store = open_shard(tmp_path, table, blocks, 0, 1, host_delay_secs=50, domain_delay_secs=9)
    store.add_seeds([(PageKey("com.a.x", "0/"), []), (PageKey("com.a.y", "0/"), [])])
    other = table(1)
    lease = store.next_page(0.0)
    groups = store.frontier.groups
    assert groups.set_address(lease.host_id, "192.0.2.7", 0.0)
    claim(other, groups.address_print(lease.host_id))
    wait = asyncio.run(groups.claim(lease.host_id, 0.0))
    assert wait == 2.0
    store.put_back(lease, wait)
    assert store.next_page(0.0).url == "http://y.a.com/"  # the domain was not asked either
    assert store.next_page(1.9) is None
    assert store.counts()["queued"] == 1
    store.close()
