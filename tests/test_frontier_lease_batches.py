"""Leases in batches: what is leased, when, and what is left behind."""

from __future__ import annotations

import random

import pytest

from crawler.frontier.leases.batches import (
    BATCH_LEASES,
    MAX_BATCH_LEASES,
    MAX_SLOW_LEASES,
    MIN_HOSTS,
    QUICK_SECS,
)
from crawler.urls import PageKey
from tests.toy_store import StoreMaker, fetch, recount, state_of

N_HOSTS = 712


def key(host, page):
    return PageKey(f"com.h{host:04}", f"0/{page}")


@pytest.fixture
def new_store(tmp_path):
    maker = StoreMaker(tmp_path / "corpus")
    yield maker
    maker.leave()


def planted(new_store, n_pages=2, n_hosts=N_HOSTS, **policy):
    store = new_store(group_pages=100, **policy)
    store.add_seeds((key(host, page), []) for page in range(n_pages) for host in range(n_hosts))
    return store


def test_hosts_are_served_in_turn(new_store):
    store = planted(new_store, host_delay_secs=1.0)
    urls = [fetch(store, 0.0) for _ in range(N_HOSTS)]
    assert urls == [f"http://h{host:04}.com/0" for host in range(N_HOSTS)]
    assert fetch(store, 0.99) is None
    store.flush()
    assert store.next_due(0.0) == 1.0
    assert [fetch(store, 1.0) for _ in range(N_HOSTS)] == [url[:-1] + "1" for url in urls]
    assert fetch(store, 9.0) is None
    store.flush()
    assert not store.has_pending()
    recount(store)


def test_a_batch_is_given_back(new_store):
    store = planted(new_store)
    lease = store.next_page(0.0)
    batch = store.frontier.batch
    assert len(batch) == BATCH_LEASES - 1
    assert store.counts()["queued"] == 2 * N_HOSTS - 1
    assert len(batch) == 0
    recount(store)
    store.release(lease, 0.0)
    recount(store)
    assert store.next_page(0.0).url == "http://h0001.com/0"  # the first one waits for its delay
    assert store.lease_key(key(2, 0), 0.0).url == "http://h0002.com/0"  # it was in the batch
    assert store.next_page(0.0).url == "http://h0003.com/0"


def batch_sizes(store, secs):
    """Return how many leases each batch has, where each lasts *secs*."""
    sizes, now, left = [], 0.0, 0
    while (lease := store.next_page(now)) is not None:
        if not left:
            sizes.append(len(store.frontier.batch) + 1)
        left = len(store.frontier.batch)
        store.release(lease, now + 1e6)
        now += 0 if left else secs
    return sizes


def test_batches_grow(new_store):
    store = planted(new_store, n_hosts=4 * MAX_BATCH_LEASES, n_pages=1)
    sizes = batch_sizes(store, QUICK_SECS)
    grown = [BATCH_LEASES << i for i in range(6)]
    assert sizes[:6] == grown
    assert grown[-1] == MAX_BATCH_LEASES


def test_batches_stay_small_where_they_last(new_store):
    store = planted(new_store, n_hosts=8 * MAX_SLOW_LEASES, n_pages=1)
    sizes = batch_sizes(store, 2 * QUICK_SECS)
    assert sizes[:4] == [BATCH_LEASES, 2 * BATCH_LEASES, MAX_SLOW_LEASES, MAX_SLOW_LEASES]
    assert max(sizes) == MAX_SLOW_LEASES


@pytest.mark.parametrize("n_hosts", [MIN_HOSTS - 1, MIN_HOSTS])
def test_few_hosts(new_store, n_hosts):
    store = planted(new_store, n_hosts=n_hosts)
    store.next_page(0.0)
    assert len(store.frontier.batch) == (n_hosts // 4 - 1 if n_hosts >= MIN_HOSTS else 0)


def test_a_host_that_is_left_alone_leaves_the_batch(new_store):
    store = planted(new_store)
    store.next_page(0.0)
    store.back_off("com.h0001", 60.0, 0.0)
    assert store.next_page(0.0).url == "http://h0002.com/0"
    assert store.refuse_host(1, "host_dead") == 2
    assert state_of(store, key(1, 0)) == "REFUSED"
    recount(store)


@pytest.mark.parametrize("limits", [{"max_pages": 150}, {"pages_per_host": 1}, {"max_pages": 1}])
def test_limits_hold(new_store, limits):
    store = planted(new_store, host_delay_secs=0, **limits)
    n = 0
    while fetch(store, 0.0) is not None:
        n += 1
    assert n == limits.get("max_pages", N_HOSTS)
    store.flush()
    assert not store.has_pending()
    recount(store)


@pytest.mark.parametrize("n_hosts", [MIN_HOSTS + 9, N_HOSTS])
def test_random_crawls(new_store, n_hosts):
    rng = random.Random(4)
    store = planted(new_store, n_pages=3, n_hosts=n_hosts, host_delay_secs=0.5)
    now, out, leased, free_at = 0.0, [], set(), {}
    while store.has_pending() if rng.random() < 0.02 else store.counts()["fetched"] < 3 * n_hosts:
        now += rng.random() * 0.01
        for _ in range(rng.randrange(40)):
            lease = store.next_page(now)
            if lease is None:
                break
            assert free_at.get(lease.host, 0.0) <= now
            assert lease.page_id not in leased
            leased.add(lease.page_id)
            free_at[lease.host] = float("inf")
            out.append(lease)
        rng.shuffle(out)
        for lease in [out.pop() for _ in range(min(len(out), rng.randrange(50)))]:
            free_at[lease.host] = now + 0.5
            capture = store.open_capture(lease)
            if rng.random() < 0.1:
                leased.discard(lease.page_id)
                if rng.random() < 0.5:
                    store.release(lease, now)
                    continue
                capture.state, capture.retry_in_secs = "queued", rng.random()
            store.finish(capture, now)
        if rng.random() < 0.05:
            store.flush()
            recount(store)
    assert not out
    assert not store.has_pending()
    recount(store)


def test_a_crash_leaves_the_batch_queued(new_store):
    store = planted(new_store)
    store.next_page(0.0)
    store = new_store()
    assert store.counts()["queued"] == 2 * N_HOSTS
    recount(store)
