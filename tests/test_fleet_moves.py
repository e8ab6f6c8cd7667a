"""Shards that are added while a crawl goes on: hosts move, with all that is known of them."""

from __future__ import annotations

import random

import pytest

from crawler.durable.page_state import PageState
from crawler.errors import FormatError
from crawler.fleet.owners import owner_of
from crawler.frontier.hosts.politeness import read_patience
from crawler.frontier.hosts.site_hosts import take_site_hosts
from crawler.urls import PageKey
from crawler.webgraph.graph import Graph
from tests.test_fleet_shards import alone, finished
from tests.toy_crawl import SEEDS, Arrays
from tests.toy_fleet import ToyFleet
from tests.toy_store import fetch

__all__ = ["alone"]


class GrowingFleet(ToyFleet):
    """A toy fleet whose shards may become more."""

    def rest(self):
        """Let all records arrive; no page is leased."""
        while not all(store.is_at_rest for store in self.stores.values()):
            for store in self.stores.values():
                store.tick(1e9)
                store.flush()

    def grow(self, *, crash=lambda: None):
        """Add a shard."""
        self.rest()
        for store in self.stores.values():
            store.close()
        self.stores = {}
        self.n += 1
        new = self.n - 1
        self.awaited = {new: tuple(range(new))}
        for shard in range(self.n):
            self.open(shard)
        while not self.stores[new].gather():
            for store in self.stores.values():
                store.tick(0.0)
                store.flush()
            if (dead := crash()) is not None:
                self.open(dead)


def growing(fleet, at, **options):
    """Return a *crash* of `ToyFleet.crawl` that adds a shard after each number of leases in *at*."""
    left = sorted(at)

    def crash(leased):
        if left and len(leased) >= left[0]:
            left.pop(0)
            fleet.grow(**options)

    return crash


@pytest.mark.slow
@pytest.mark.parametrize("at", [(60,), pytest.param((1, 30, 200), marks=pytest.mark.long)])
def test_a_crawl_whose_shards_become_more_comes_to_the_same(tmp_path, alone, at):
    fleet = GrowingFleet(tmp_path, 2)
    fleet.seed()
    leased, whole = finished(fleet, crash=growing(fleet, at))
    states = whole.pop("states")
    expected = dict(alone[1])
    assert states == expected.pop("states")
    assert whole == expected
    assert leased == alone[0]


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(n, marks=pytest.mark.long) for n in (2, 3, 4, 5))]
)
def test_on_a_wire_that_loses_and_with_deaths_while_hosts_move(tmp_path, alone, seed):
    rng = random.Random(seed)
    fleet = GrowingFleet(tmp_path, 2, rng=random.Random(seed))
    fleet.seed()
    dead = growing(fleet, (50,), crash=lambda: rng.randrange(3) if rng.random() < 0.3 else None)
    leased, whole = finished(fleet, crash=dead)
    assert whole == alone[1]
    assert leased == alone[0]


def test_only_the_hosts_of_the_new_shard_move_and_keep_their_ids(tmp_path):
    fleet = GrowingFleet(tmp_path, 2)
    fleet.seed()
    with Graph.open(tmp_path) as graph:
        before = graph.hosts()
    fleet.grow()
    new = fleet.stores[2].frontier.memory.hosts
    moved = {host_id: new.key(host_id) for host_id in new.host_ids().tolist()}
    assert moved
    assert moved == {
        host_id: key for host_id, key in before.items() if owner_of(key, range(3)) == 2
    }
    with Graph.open(tmp_path) as graph:
        assert graph.hosts() == before
        hosts = {key: host_id for host_id, key in before.items()}
        for key, paths in SEEDS:
            assert graph.categories(hosts[key.host]) == tuple(paths)
    fleet.close()


def test_politeness_retries_and_priorities_move_with_the_host(tmp_path):
    name = next(
        name
        for name in map("com.h{}".format, range(999))
        if owner_of(name, [0, 1]) == 0 and owner_of(name, [0, 1, 2]) == 2
    )
    fleet = GrowingFleet(tmp_path, 2)
    keys = [PageKey(name, f"0/{n}") for n in range(3)]
    fleet.seed([(key, ()) for key in keys])
    store = fleet.stores[0]
    fetch(store, 0.0, links=Arrays([PageKey(name, "0/more")]))
    fetch(store, 10.0, state="queued", retry_in_secs=1e6)
    store.flush()
    store.set_delay(name, 7.0)
    fleet.grow()
    new = fleet.stores[2]
    found = new.lookup([*keys, PageKey(name, "0/more")])
    states = [PageState(state).name for state in found.states.tolist()]
    assert states == ["FETCHED", "LATE", "QUEUED", "QUEUED"]
    assert new.frontier.retries == {int(found.ids[1]): 1}
    with new.journal.read() as txn:
        assert read_patience(txn, int(found.ids[0]) >> 32).delay_secs == 7.0
    counts, old = new.counts(), fleet.stores[0].counts()
    assert (counts["fetched"], counts["late"], counts["queued"]) == (1, 1, 3)
    assert (old["fetched"], old["late"], old["queued"]) == (0, 0, 0)
    assert fleet.stores[0].next_page(1e9) is None
    assert new.next_page(1e9) is None  # the delay that the host asked for
    lease = new.next_page(1e9 + 8)
    assert (lease.url, lease.retries) == ("http://h1.com/1".replace("h1", name[4:]), 1)
    fleet.close()


def test_a_host_with_another_number_is_told(tmp_path):
    fleet = GrowingFleet(tmp_path, 1)
    fleet.seed()
    hosts = fleet.stores[0].frontier.memory.hosts
    with pytest.raises(FormatError, match="has HostID"):
        hosts.adopt(hosts.key(0), 5)
    fleet.close()


def test_who_named_sitemaps_on_a_host_is_known_where_it_moves(tmp_path):
    fleet = GrowingFleet(tmp_path, 2)
    fleet.seed()
    hosts = {key.host for key, _ in SEEDS}
    keys = [PageKey(host, "0/map") for host in hosts]
    fleet.stores[0].add_sitemaps(keys, "sample.by")
    fleet.grow()
    for host in hosts:
        store = fleet.stores[owner_of(host, range(3))]
        assert store.hosts_naming(host, {"sample.by", "sample.other"}) == {"sample.by"}


def test_where_a_site_is_is_known_to_all_shards_and_to_later_ones(tmp_path):
    fleet = GrowingFleet(tmp_path, 2)
    fleet.seed()
    for host in ("sample.b", "sample.a", "sample.b"):
        fleet.stores[0].add_site_host("sample.address", host)
    way = PageKey("sample.c", "0/way")
    fleet.stores[0].add_site_way("sample.address", way)
    fleet.grow()
    for store in fleet.stores.values():
        assert store.site_hosts("sample.address") == ["sample.a", "sample.b"]
        assert store.is_site_way("sample.address", way)
        assert not store.is_site_way("sample.address", PageKey("sample.c", "0/"))
        assert store.site_hosts("sample.other") == []


@pytest.mark.parametrize("keys", [None, [7], [b"named:x"]])
def test_hosts_of_a_site_that_are_damaged_on_their_way(keys):
    with pytest.raises(FormatError, match="hosts of a site that were handed over are damaged"):
        take_site_hosts(None, None, {"kind": "site", "keys": keys})
