"""Shards that hand links over, against one process that owns all hosts."""

from __future__ import annotations

import random
import shutil

import numpy as np
import pytest

from crawler.durable.keys import u64_of
from crawler.durable.layout import shard_name
from crawler.durable.page_state import STATE_MASK
from crawler.durable.visits import NO_VALIDATORS, Visit
from crawler.errors import InputError
from crawler.fleet.hand_over import Sent, last_taken, read_out
from crawler.fleet.owners import owner_of
from crawler.urls import PageKey
from crawler.webgraph.graph import Graph
from crawler.webgraph.hosts.ids import BLOCK_HOSTS
from tests.toy_crawl import SEEDS, Answer, Arrays, crawl, open_store, picture
from tests.toy_fleet import ToyFleet, fleet_picture
from tests.toy_store import fetch

LONG = pytest.mark.long

# Hosts of shard 0 and of shard 1 of two.
HERE, THERE = (
    next(name for name in map("com.h{}".format, range(99)) if owner_of(name, [0, 1]) == shard)
    for shard in (0, 1)
)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    folder = tmp_path_factory.mktemp("alone") / "corpus"
    store = open_store(folder)
    store.add_seeds(SEEDS)
    leased = crawl(store)
    store.close()
    whole = picture(folder)
    del whole["puts"]
    return sorted(leased), whole


def finished(fleet, **options):
    leased = fleet.crawl(**options)
    assert all(store.hand_overs.n_out == 0 for store in fleet.stores.values())
    fleet.close()
    return sorted(leased), fleet_picture(fleet.folder)


@pytest.mark.parametrize("n_shards", [2, pytest.param(1, marks=LONG), pytest.param(4, marks=LONG)])
def test_shards_come_to_the_same_as_one(tmp_path, alone, n_shards):
    fleet = ToyFleet(tmp_path, n_shards)
    fleet.seed()
    assert finished(fleet) == alone


def test_a_graph_that_lacks_a_shard_is_refused_in_one_line(tmp_path):
    fleet = ToyFleet(tmp_path, 2)
    fleet.seed()
    finished(fleet)
    for part in ("frontier", "graph"):
        shutil.rmtree(fleet.folder / part / shard_name(1))
    with (
        Graph.open(fleet.folder) as graph,
        pytest.raises(InputError, match="was left out of a merge"),
    ):
        graph.host_graph()


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_on_a_wire_that_loses_and_doubles(tmp_path, alone, seed):
    fleet = ToyFleet(tmp_path, 3, rng=random.Random(seed))
    fleet.seed()
    assert finished(fleet) == alone


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=LONG) for seed in range(2, 12))])
def test_with_shards_that_die(tmp_path, alone, seed):
    rng = random.Random(seed)

    def crash(_leased):
        return rng.randrange(3) if rng.random() < 0.05 else None

    fleet = ToyFleet(tmp_path, 3, rng=random.Random(seed))
    fleet.seed()
    leased, whole = finished(fleet, crash=crash)
    assert whole == alone[1]
    assert set(leased) == set(alone[0])


def test_host_ids_are_of_the_blocks_of_their_shard(tmp_path):
    fleet = ToyFleet(tmp_path, 3)
    fleet.seed()
    fleet.crawl()
    for shard, store in fleet.stores.items():
        for host_id in store.frontier.memory.hosts.host_ids().tolist():
            assert fleet.blocks.owners[host_id // BLOCK_HOSTS] == shard
            assert store.is_own(store.frontier.memory.hosts.key(host_id))
    fleet.close()


def test_categories_are_those_of_the_seeds(tmp_path):
    fleet = ToyFleet(tmp_path, 3)
    fleet.seed()
    fleet.close()
    with Graph.open(tmp_path) as graph:
        hosts = {key: host_id for host_id, key in graph.hosts().items()}
        assert [graph.categories(hosts[key.host]) for key, _ in SEEDS] == [
            tuple(paths) for _, paths in SEEDS
        ]
        ids, known = graph.find([*(key for key, _ in SEEDS), PageKey("com.none", "0/")])
        assert known.tolist() == [True] * len(SEEDS) + [False]
        assert graph.keys(ids[:-1]) == [key for key, _ in SEEDS]
        with pytest.raises(KeyError):
            graph.keys([2**40])


def test_a_record_that_comes_twice_changes_nothing(tmp_path):
    fleet = ToyFleet(tmp_path, 2)
    fleet.seed([(PageKey(HERE, "0/"), ())])
    fleet.stores[1].hand_overs.transport.acknowledge = lambda source, number: None
    store = fleet.stores[0]
    fetch(store, 0.0, links=Arrays([PageKey(THERE, "0/x"), PageKey(THERE, "0/y")]))
    store.flush()
    with store.journal.read() as txn:
        ((number, record),) = read_out(txn, 1, 0)
    assert (number, store.hand_overs.n_out) == (1, 1)
    owner = fleet.stores[1]
    owner.tick(0.0)
    counts = owner.counts()
    assert (counts["queued"], counts["hosts"]) == (2, 1)
    for again in (1, 1, 3):  # the third comes too early
        fleet.wire.records[1].append(Sent(0, 1, again, record))
        owner.tick(1.0)
        assert owner.counts() == counts
    with owner.journal.read() as txn:
        assert last_taken(txn, 0) == 1
        assert txn.n_rows("arcs") + sum(shard.rows > 0 for shard in owner.shards()) == 1
    fleet.close()


def arcs_of(folder):
    with Graph.open(folder) as graph:
        sources, targets, _ = graph.arcs()
        return sorted(zip(graph.urls(sources), graph.urls(targets), strict=True))


def recapture(store, key, links):
    """Capture the page of *key*, which is fetched already, once more."""
    ids, memory = store.lookup([key]).ids, store.frontier.memory
    memory.set_heads(ids, memory.heads.get(ids) & ~np.uint16(STATE_MASK))  # known
    lease = store.frontier._take(int(ids[0]))
    capture = store.open_capture(lease)
    capture.earlier, capture.links = Visit(0, 0, NO_VALIDATORS), Arrays(links)
    store.finish(capture, 0.0)
    store.flush()


@pytest.mark.parametrize("n_left", [0, 1])
def test_arcs_of_a_later_capture_replace_the_older_ones_everywhere(tmp_path, n_left):
    fleet = ToyFleet(tmp_path, 2)
    source, near = PageKey(HERE, "0/"), PageKey(HERE, "0/near")
    far = [PageKey(THERE, "0/x"), PageKey(THERE, "0/y")]
    fleet.seed([(source, ())])
    fleet.crawl(web=lambda key: Answer("fetched", Arrays([near, *far] if key == source else [])))
    recapture(fleet.stores[0], source, far[:n_left])
    fleet.stores[1].tick(1.0)
    fleet.close()
    url = f"http://{HERE.partition('.')[2]}.com/"
    there = f"http://{THERE.partition('.')[2]}.com/x"
    assert arcs_of(tmp_path) == [(url, there)][:n_left]


def test_what_only_one_shard_finds_goes_to_its_owner(tmp_path):
    fleet = ToyFleet(tmp_path, 2)
    store, owner = fleet.stores.values()
    assert store.add_sitemaps([PageKey(HERE, "0/a"), PageKey(THERE, "0/b")], HERE) == 1
    owner.tick(0.0)
    assert owner.hosts_naming(THERE, {HERE, "com.other"}) == {HERE}
    assert not owner.hosts_naming(HERE, {THERE}) | store.hosts_naming(THERE, {HERE})
    assert owner.next_page(0.0).url.endswith("/b")
    assert store.lease_key(PageKey(THERE, "0/c"), 0.0).value == "seen"
    owner.tick(0.0)
    owner.tick(1.0)  # while a page is out it waits for the commit
    assert owner.counts()["pages"] == 2
    assert arcs_of_log(owner) == 0
    fleet.close()


def arcs_of_log(store):
    with store.journal.read() as txn:
        return txn.n_rows("arcs")


def test_records_wait_for_an_owner_that_is_not_there(tmp_path):
    fleet = ToyFleet(tmp_path, 2)
    fleet.stores.pop(1).close()
    fleet.seed([(PageKey(HERE, "0/"), ())])
    store = fleet.stores[0]
    keys = [PageKey(THERE, f"0/{number}") for number in range(80)]
    for key in keys:
        store.add_sitemaps([key], THERE)
    assert store.hand_overs.n_out == 80
    with store.journal.read() as txn:
        assert [u64_of(row[2:]) for row in txn.keys("out")] == list(range(1, 81))
    fleet.wire.records.clear()
    fleet.wire.lost[0].add(1)
    owner = fleet.open(1)
    for step in range(9):
        store.tick(float(step))
        owner.tick(float(step))
    assert (store.hand_overs.n_out, owner.counts()["queued"]) == (0, 80)
    fleet.close()
