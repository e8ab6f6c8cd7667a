"""Gaps of domains and addresses that the shards of a crawl share, through a file."""

from __future__ import annotations

import asyncio
import random
from itertools import pairwise

import pytest

from crawler.fleet.gaps import N_SLOTS, Claim, GapTable, Secs
from crawler.fleet.owners import HOST, Owners
from crawler.frontier.policy import CommitPolicy, FrontierPolicy
from crawler.frontier.shards.store_hand_overs import Membership
from crawler.frontier.store.crawl_store import CrawlStore
from crawler.urls import PageKey
from tests.conftest import start_python
from tests.toy_fleet import Blocks, Wire

# Two addresses, two domains; the second pair has the slots of the first of the other kind.
A, B = Claim(address=0x1234_0001), Claim(address=0x9876_0001)
C, D = Claim(domain=0x1234_0001), Claim(domain=0x9876_0001)
FREE = Secs()


def claim(gaps, wanted, now=0.0):
    return asyncio.run(gaps.claim(wanted, now))


def both(domain, address):
    return Claim(domain.domain, address.address)


@pytest.fixture
def table(tmp_path):
    """Make the table of a shard; all share a file."""
    made = []

    def make(shard, now=0.0):
        rests = Secs(domain=3.0, address=2.0)
        made.append(GapTable(tmp_path / "gaps", shard, rests=rests, now=now))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.mark.parametrize(("one", "other", "rest"), [(A, B, Secs(address=2.0)), (C, D, Secs(3.0))])
def test_a_group_is_of_one_shard_at_a_time(table, one, other, rest):
    here, there = table(0), table(1)
    half = Secs(*(secs / 4 for secs in rest))
    assert claim(here, one, 10.0) == FREE
    assert claim(there, one, 10.0) == rest  # it will rest for that long at least
    assert claim(there, other, 10.0) == FREE
    assert here.release(one, 15.0) == Secs(3.0, 2.0)
    assert claim(there, one, 15.0 + 0.75 * max(rest)) == half
    assert claim(here, one, 15.0 + 0.75 * max(rest)) == half
    assert claim(there, one, 15.0 + max(rest)) == FREE
    assert claim(here, one, 99.0) == rest


def test_domain_and_address_are_claimed_together_or_not_at_all(table):
    here, there = table(0), table(1)
    assert claim(here, both(C, A), 1.0) == FREE  # though their slots are of one number
    assert claim(there, both(C, B), 1.0) == Secs(3.0)
    assert claim(there, both(D, A), 1.0) == Secs(address=2.0)
    assert claim(here, both(D, B), 1.0) == FREE
    here.release(both(C, A), 5.0)
    assert claim(there, both(C, A), 7.0) == Secs(1.0)
    assert claim(there, both(C, A), 8.0) == FREE


def test_what_a_dead_process_had_is_free_when_it_starts_again(table):
    claim(table(0), both(C, A), 1.0)
    other = table(1, now=5.0)
    claim(other, B, 5.0)
    assert claim(other, A, 50.0) == Secs(address=2.0)
    again = table(0, now=60.0)
    assert claim(again, A, 61.0) == Secs(address=1.0)
    assert claim(again, C, 61.0) == Secs(2.0)
    assert claim(other, A, 62.0) == FREE
    assert claim(again, B, 62.0) == Secs(address=2.0)  # that is the other's


def test_addresses_of_a_slot_wait_for_each_other(table):
    one, two = table(0), table(1)
    assert claim(one, A) == FREE
    assert claim(two, Claim(address=A.address + 2 * N_SLOTS)) == Secs(address=2.0)


# Claims domains and addresses as fast as it can, and prints when it had each.
CLAIMS = """
import asyncio, random, sys, time
from crawler.fleet.gaps import Claim, GapTable, Secs
shard = int(sys.argv[2])
gaps = GapTable(sys.argv[1], shard, rests=Secs(0.02, 0.02), now=time.monotonic())
rng, end = random.Random(shard), time.monotonic() + float(sys.argv[3])
while time.monotonic() < end:
    wanted = Claim(rng.randrange(3) * 2 + 1, rng.randrange(3) * 2 + 1)
    if not any(asyncio.run(gaps.claim(wanted, time.monotonic()))):
        begun = time.monotonic()
        time.sleep(rng.random() * 0.002)
        print(*wanted, begun, time.monotonic(), flush=True)
        gaps.release(wanted, time.monotonic())
"""


@pytest.mark.slow
def test_processes_keep_the_gaps_and_one_that_is_killed_gives_back(tmp_path):
    def start(shard, secs):
        return start_python("-c", CLAIMS, tmp_path / "gaps", shard, secs)

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
        domain, address, begun, ended = line.split()
        for group in (("domain", domain), ("address", address)):
            times.setdefault(group, []).append((float(begun), float(ended)))
    assert len(times) == 6
    for of_group in times.values():
        for (_, ended), (begun, _) in pairwise(sorted(of_group)):
            assert begun >= ended + 0.02


# --- in the frontier -------------------------------------------------------------------------------


def open_shard(folder, gaps, blocks, shard, n_shards, **policy):
    owners = Owners(shard, range(n_shards), divide_by=HOST)
    member = Membership(owners, blocks.of(shard), Wire().of(shard), gaps=gaps)
    policy = FrontierPolicy(**policy)
    return CrawlStore(folder, policy=policy, commit=CommitPolicy(group_pages=4), member=member)


@pytest.mark.parametrize("seed", range(8))
def test_shards_keep_the_gaps_of_domains_and_addresses_and_fetch_all(tmp_path, table, seed):
    rng, blocks, n_shards = random.Random(seed), Blocks(), 3
    secs = {
        "host_delay_secs": rng.choice([0, 1.0]),
        "domain_delay_secs": 3.0,
        "ip_delay_secs": rng.choice([0, 2.0]),
    }
    stores = [
        open_shard(tmp_path, table(shard), blocks, shard, n_shards, **secs)
        for shard in range(n_shards)
    ]
    hosts = [f"com.d{number % 4}.h{number}" for number in range(14)]
    address_of = {host: f"10.0.0.{rng.randrange(3)}" for host in hosts}
    for store in stores:
        store.add_seeds([(PageKey(host, f"0/{n}"), []) for host in hosts for n in range(3)])
    asked = asyncio.run(crawl_all(stores, rng, address_of))
    assert len(asked) == len(hosts) * 3
    for group_of, rest in ((domain_of, 3.0), (address_of.get, secs["ip_delay_secs"])):
        for of_group in by_group(asked, group_of).values() if rest else ():
            for (_, ended), (begun, _) in pairwise(sorted(of_group)):
                assert begun >= ended + rest
    # nor is a group left alone for long while somebody has pages of it
    assert max(ended for _, _, ended in asked) < 4.5 * len(asked)
    for store in stores:
        store.close()


async def crawl_all(stores, rng, address_of):
    """Crawl as the scheduler and the middlewares do; return (host, begun, ended) of each fetch."""
    now, out, asked = 0.0, [], []
    while out or any(store.has_pending() for store in stores):
        now += rng.random() * 0.3
        if out and rng.random() < 0.3:
            store, lease, begun = out.pop(rng.randrange(len(out)))
            asked.append((key_of(lease), begun, now))
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
        elif any(waits := await groups.claim(lease.host_id, now)):
            store.put_back(lease, waits, now)
        else:
            out.append((store, lease, now))
    return asked


def key_of(lease):
    return ".".join(reversed(lease.host.split(".")))


def domain_of(host):
    return host.rpartition(".")[0]


def by_group(asked, group_of):
    found = {}
    for host, begun, ended in asked:
        found.setdefault(group_of(host), []).append((begun, ended))
    return found


def test_a_host_that_is_put_back_has_not_been_asked(tmp_path, table):
    blocks, secs = Blocks(), {"host_delay_secs": 50, "domain_delay_secs": 3, "ip_delay_secs": 2}
    store = open_shard(tmp_path, table(0), blocks, 0, 1, **secs)
    store.add_seeds([(PageKey("com.a.x", "0/"), []), (PageKey("com.a.y", "0/"), [])])
    other = table(1)
    assert store.next_page(0.0) is None  # who knows what the others asked before
    lease = store.next_page(5.0)
    groups = store.frontier.groups
    assert groups.set_address(lease.host_id, "192.0.2.7", 5.0)
    shared = groups.shared(lease.host_id)
    assert all(shared)
    claim(other, Claim(address=shared.address))
    waits = asyncio.run(groups.claim(lease.host_id, 5.0))
    assert waits == Secs(address=2.0)
    store.put_back(lease, waits, 5.0)
    assert store.next_page(5.0).url == "http://y.a.com/"  # the domain was not asked either
    assert store.next_page(6.9) is None
    assert store.counts()["queued"] == 1
    store.close()


def test_a_host_that_waits_for_another_shard_has_claimed_nothing(tmp_path, table):
    store = open_shard(tmp_path, table(0), Blocks(), 0, 1, domain_delay_secs=3, ip_delay_secs=2)
    store.add_seeds([(PageKey("com.a.x", "0/"), [])])
    assert store.next_page(0.0) is None
    lease, groups, other = store.next_page(5.0), store.frontier.groups, table(1)
    assert groups.set_address(lease.host_id, "192.0.2.7", 5.0)
    shared = groups.shared(lease.host_id)
    claim(other, shared)
    assert asyncio.run(groups.claim(lease.host_id, 5.0)) == Secs(3.0)
    groups.leave(lease.host_id, 5.0)
    assert claim(table(2), shared, 50.0) == Secs(3.0)  # they are the other's still
    other.release(shared, 50.0)
    groups.take(lease.host_id, 55.0)
    assert asyncio.run(groups.claim(lease.host_id, 55.0)) == FREE
    groups.leave(lease.host_id, 60.0)
    assert claim(other, shared, 63.0) == FREE  # as they were claimed, and have rested
    store.close()


def test_another_shards_host_has_the_prints_that_its_owner_knows(tmp_path, table):
    blocks, secs = Blocks(), {"domain_delay_secs": 3, "ip_delay_secs": 2}
    store = open_shard(tmp_path, table(0), blocks, 0, 1, **secs)
    store.add_seeds([(PageKey("uk.co.a.x:8080", "0/"), [])])
    assert store.next_page(0.0) is None
    lease = store.next_page(5.0)
    groups = store.frontier.groups
    assert groups.set_address(lease.host_id, "192.0.2.7", 5.0)
    found = asyncio.run(groups.claim_for("uk.co.a.y", "192.0.2.7", None, 5.0))
    assert found == (groups.shared(lease.host_id), FREE)
    groups.gaps.release(found[0], 5.0)
    assert asyncio.run(groups.claim(lease.host_id, 9.0)) == FREE
    # on behalf of one that has both, there is nothing to claim
    none = asyncio.run(groups.claim_for("uk.co.a.y", "192.0.2.7", lease.host_id, 9.0))
    assert none == (Claim(), FREE)
    store.close()
