"""Gaps of domains and addresses, and gaps that grow with latency, on a clock of the test."""

from __future__ import annotations

import random

import numpy as np
import pytest

from crawler.frontier.hosts.queues import HostQueues
from crawler.frontier.leases import batches as lease_batches
from crawler.frontier.leases.lease import Busy
from crawler.frontier.policy import FrontierPolicy
from crawler.urls import PageKey, registrable_domain
from tests.toy_crawl import open_store
from tests.toy_store import StoreMaker, fetch

DOMAINS = ("one", "two", "three")
ADDRESSES = ("10.0.0.1", "10.0.0.2", "2001:db8::1", "2001:db8::2")  # the last two are one


@pytest.fixture
def new_store(tmp_path):
    maker = StoreMaker(tmp_path / "corpus")
    yield maker
    maker.leave()


def seeds(*names, n=3):
    return [(PageKey(name, f"0/{page}"), []) for name in names for page in range(n)]


def drain(store, now=0.0):
    """Fetch all that can be fetched; return (time, host) of each."""
    found = []
    while store.has_pending():
        url = fetch(store, now)
        if url is None:
            now += (store.next_due(now) or 0.0) + 1e-6
            continue
        found.append((round(now, 3), url.split("/")[2]))
    return found


def test_one_domain_takes_turns(new_store):
    store = new_store(host_delay_secs=1.0, domain_delay_secs=0.5)
    store.add_seeds(seeds("com.a.x", "com.a.y", "org.b", n=2))
    assert drain(store) == [
        (0.0, "x.a.com"),
        (0.0, "b.org"),
        (0.5, "y.a.com"),
        (1.0, "b.org"),
        (1.0, "x.a.com"),
        (1.5, "y.a.com"),
    ]
    assert len(store.frontier.groups) == 2


def test_a_busy_domain_keeps_its_hosts_waiting(new_store):
    store = new_store(host_delay_secs=0, domain_delay_secs=0.5)
    store.add_seeds(seeds("com.a.x", "com.a.y", n=1))
    lease = store.next_page(0.0)
    assert store.next_page(99.0) is None
    assert store.next_due(99.0) is None
    assert store.has_pending()
    assert store.lease_key(PageKey("com.a.z", "0/"), 99.0) is Busy
    store.release(lease, 100.0)
    assert store.next_page(100.4) is None
    assert store.next_page(100.5) is not None


def test_a_resumed_crawl_lets_all_rest(new_store):
    store = new_store(host_delay_secs=0, domain_delay_secs=2.0)
    store.add_seeds(seeds("com.a.x", "com.a.y", n=1))
    fetch(store, 0.0)
    store = new_store(host_delay_secs=0, domain_delay_secs=2.0)
    assert store.next_page(50.0) is None
    assert fetch(store, 52.0) == "http://y.a.com/0"


def test_a_host_that_is_left_alone_hands_its_turn_on(new_store):
    store = new_store(host_delay_secs=0, domain_delay_secs=1.0)
    store.add_seeds(seeds("com.a.x", "com.a.y", "com.a.z", n=1))
    assert fetch(store, 0.0) == "http://x.a.com/0"
    assert fetch(store, 0.0) is None  # y has the turn, at 1.0, and z waits
    store.back_off("com.a.y", 500.0, 0.0)
    assert fetch(store, 1.0) == "http://z.a.com/0"
    assert fetch(store, 499.0) is None
    assert fetch(store, 500.1) == "http://y.a.com/0"


def test_hosts_of_an_address(new_store):
    store = new_store(host_delay_secs=0, ip_delay_secs=1.0)
    store.add_seeds(seeds("com.a", "com.b", n=1))
    groups = store.frontier.groups
    first, second = store.next_page(0.0), store.next_page(0.0)
    assert not groups.knows_address(0)
    assert groups.set_address(0, "192.0.2.7", 0.0)
    assert not groups.set_address(1, "192.0.2.7", 0.0)  # it has to be handed back
    store.release(second, 0.0)
    assert groups.knows_address(1)
    assert store.next_page(0.0) is None
    store.finish(store.open_capture(first), 5.0)
    assert store.next_page(5.9) is None
    assert fetch(store, 6.0) == "http://b.com/0"


def test_random_crawls_keep_every_gap_and_fetch_all(tmp_path, monkeypatch):
    for seed in range(12):
        monkeypatch.setattr(lease_batches, "MIN_HOSTS", (1, 512)[seed % 2])
        monkeypatch.setattr(lease_batches, "HOSTS_PER_LEASE", 1)
        rng = random.Random(seed)
        policy = {"host_delay_secs": 0.4, "domain_delay_secs": rng.choice([0, 0.7, 1.5])}
        policy |= {"ip_delay_secs": rng.choice([0, 0.3, 1.1])}
        store = open_store(tmp_path / str(seed), **policy)
        names = [f"com.{rng.choice(DOMAINS)}.h{n}" for n in range(15)]
        store.add_seeds(seeds(*names, n=3))
        address_of = {n: rng.choice(ADDRESSES) for n in range(15)}
        crawl_keeping_gaps(store, rng, address_of, policy)
        assert store.counts()["fetched"] == len(set(names)) * 3
        store.close()


def crawl_keeping_gaps(store, rng, address_of, policy):
    groups, now, out, free_at = store.frontier.groups, 0.0, [], {}
    while store.has_pending():
        now += rng.random() * 0.2
        lease = store.next_page(now)
        if lease is None:
            if out:
                lease, keys = out.pop(rng.randrange(len(out)))
                store.finish(store.open_capture(lease), now)
                for key, delay in keys:
                    free_at[key] = now + delay
            store.flush()
            continue
        address = address_of[lease.host_id]
        is_new = groups is not None and not groups.knows_address(lease.host_id)
        if is_new and not groups.set_address(lease.host_id, address, now):
            store.release(lease, now)
            free_at[lease.host] = now + policy["host_delay_secs"]
            free_at[registrable_domain(lease.host)] = now + policy["domain_delay_secs"]
            continue
        network = address[:9]
        keys = [(lease.host, policy["host_delay_secs"])]
        if policy["domain_delay_secs"]:
            keys.append((registrable_domain(lease.host), policy["domain_delay_secs"]))
        if policy["ip_delay_secs"]:
            keys.append((network, policy["ip_delay_secs"]))
        for key, _ in keys:
            assert free_at.get(key, 0.0) <= now
            free_at[key] = float("inf")
        out.append((lease, keys))


@pytest.mark.parametrize("seed", range(3))
def test_batches_serve_the_hosts_that_single_leases_serve(tmp_path, monkeypatch, seed):
    served = []
    for min_hosts in (1, 10**9):
        monkeypatch.setattr(lease_batches, "MIN_HOSTS", min_hosts)
        monkeypatch.setattr(lease_batches, "HOSTS_PER_LEASE", 1)
        store = open_store(
            tmp_path / str(min_hosts), host_delay_secs=0.4, domain_delay_secs=0.7, ip_delay_secs=0.3
        )
        store.add_seeds(seeds(*(f"com.d{n * n % 41}.h{n}" for n in range(120)), n=2))
        served.append(drain_in_rounds(store, random.Random(seed)))
        assert store.counts()["fetched"] == 240
        store.close()
    assert served[0] == served[1]


def drain_in_rounds(store, rng):
    """Fetch all, what is due at a time together, some of it ending later; return the URLs in order."""
    for host_id in range(120):
        store.frontier.groups.set_address(host_id, f"10.0.0.{host_id % 13}", 0.0)
        store.frontier.groups.give_back(host_id)
    now, out, urls = 0.0, [], []
    while store.has_pending():
        now += rng.random()
        while (lease := store.next_page(now)) is not None:
            urls.append((now, lease.url))
            out.append(lease)
        rng.shuffle(out)
        for lease in [out.pop() for _ in range(rng.randrange(len(out) + 1))]:
            store.finish(store.open_capture(lease), now)
        store.flush()
    return urls


def test_a_batch_that_is_given_back_frees_its_domains(new_store, monkeypatch):
    monkeypatch.setattr(lease_batches, "MIN_HOSTS", 1)
    monkeypatch.setattr(lease_batches, "HOSTS_PER_LEASE", 1)
    store = new_store(host_delay_secs=0, domain_delay_secs=5.0)
    store.add_seeds(seeds("com.a.x", "com.a.y", "com.b.x", "com.b.y", n=1))
    assert fetch(store, 0.0) == "http://x.a.com/0"
    assert len(store.frontier.batch) == 1  # x.b.com, whose domain is busy now
    assert store.lease_key(PageKey("com.b.y", "0/0"), 0.0).url == "http://y.b.com/0"
    assert store.next_page(0.0) is None


def test_a_slow_host_is_asked_less():
    policy = FrontierPolicy(host_delay_secs=1.0, latency_factor=2.0, latency_max_secs=5.0)
    assert policy.longest_delay_secs == 5.0
    for latency, due in ((0.1, 1.0), (1.5, 3.0), (60.0, 5.0)):
        hosts = HostQueues(policy)
        hosts.wake([0], [2], [0])
        hosts.take(hosts.pop(0.0), was_ready=True)
        hosts.give_back(0, 0.0, spent=True, latency_secs=latency)
        assert hosts.next_due(0.0) == np.float32(due)
