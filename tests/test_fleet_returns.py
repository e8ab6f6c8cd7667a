"""A shard that came late and is lost for good: the hosts that had moved to it go back, and the graph is read."""

from __future__ import annotations

import random
import shutil

import pytest

from crawler.durable.layout import graph_folder, journal_folder, shard_name
from crawler.fleet.owners import owner_of
from crawler.urls import page_key
from crawler.webgraph.graph import Graph
from pipelines.corpus.corpus import Corpus
from tests.test_fleet_moves import GrowingFleet
from tests.test_fleet_shards import alone
from tests.toy_crawl import SEEDS
from tests.toy_fleet import ToyFleet, fleet_picture

__all__ = ["alone"]


class LosingFleet(GrowingFleet):
    """A toy fleet that may lose shards."""

    def lose(self, lost):
        """Lose the shard *lost* with all its files; the others share its hosts."""
        self.stores.pop(lost).journal.close()
        shutil.rmtree(journal_folder(self.folder, shard_name(lost)))
        shutil.rmtree(self.folder / graph_folder(shard_name(lost)), ignore_errors=True)
        for path in self.folder.glob(f"*/{shard_name(lost)}-*"):
            path.unlink()
        self.gone.add(lost)
        for store in self.stores.values():
            store.hand_overs.give_up(self.gone)
        self.rest()
        for store in self.stores.values():
            store.close()
        self.stores = {}
        self.awaited = {shard: tuple(set(self.shards) - {shard}) for shard in self.shards}
        for shard in self.shards:
            self.open(shard)

    def gather(self, crash=lambda: None):
        while any(store.is_gathering for store in self.stores.values()):
            for store in self.stores.values():
                store.gather()
                store.tick(0.0)
                store.flush()
            if (dead := crash()) is not None:
                self.open(dead)


def events(fleet, steps):
    """Return a *crash* of `ToyFleet.crawl` that does each of *steps* (leases, what) at its time."""
    left = sorted(steps, key=lambda step: step[0])

    def crash(leased):
        if left and len(leased) >= left[0][0]:
            left.pop(0)[1](fleet)

    return crash


def rows_of(folder):
    corpus = Corpus.open(folder)
    return [row["url"] for row in [*corpus.documents(), *corpus.rejected()]]


def grow(fleet):
    fleet.grow()


def lose(shard, before=lambda fleet: None, **options):
    def step(fleet):
        fleet.lose(shard)
        before(fleet)
        fleet.gather(**options)
        fleet.kept = set(rows_of(fleet.folder))
        with Graph.open(fleet.folder) as graph:
            assert graph.host_graph().n_arcs <= len(graph.arcs()[0])
            fleet.n_lost_arcs = graph.n_lost_arcs
        fleet.seed(SEEDS)

    return step


def check(fleet, leased, n_before, alone):
    """What is left is a part of the whole crawl, fetched once; what came after the loss has all its arcs."""
    after = set(leased[n_before:])
    assert not fleet.kept & after
    fleet.close()
    assert sorted(rows_of(fleet.folder)) == sorted(fleet.kept | after)
    found, whole = fleet_picture(fleet.folder), alone[1]
    assert not found["arcs"] - whole["arcs"]
    assert not found["documents"] - whole["documents"]
    complete = {source for source, _, _ in whole["arcs"]} & after
    missing = whole["arcs"] - found["arcs"]
    assert not [arc for arc in missing if arc[0] in complete]
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("at", "lost_at"),
    [(30, 70), (60, 150), *(pytest.param(n, 2 * n, marks=pytest.mark.long) for n in (40, 50, 80))],
)
def test_what_was_fetched_before_is_not_fetched_again(tmp_path, alone, at, lost_at):
    fleet = LosingFleet(tmp_path, 2)
    fleet.seed()
    leased = fleet.crawl(crash=events(fleet, [(at, grow), (lost_at, lose(2))]))
    returned = set().union(*(store.frontier.returned for store in fleet.stores.values()))
    assert returned
    found = check(fleet, leased, lost_at, alone)
    assert fleet.n_lost_arcs > 0
    # Of hosts that had not been the lost one's, all arcs are there.
    lost = [
        (source, target)
        for source, target, _ in alone[1]["arcs"] - found["arcs"]
        if source in found["captured"] and owner_of(page_key(target).host, range(3)) != 2
    ]
    assert lost == []


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(n, marks=pytest.mark.long) for n in range(2, 12))]
)
def test_hosts_go_on_to_a_third_shard_while_processes_die(tmp_path, alone, seed):
    """Shards 2 and 3 come late; 2 is lost: some of its hosts are now for 3, which never had them."""
    rng = random.Random(seed)
    fleet = LosingFleet(tmp_path, 2, rng=random.Random(seed))
    fleet.seed()

    def dying():
        return rng.choice(fleet.shards) if rng.random() < 0.3 else None

    steps = [(30, grow), (60, grow), (120, lose(2, crash=dying))]
    leased = fleet.crawl(crash=events(fleet, steps))
    third = fleet.stores[3]
    mine = [third.frontier.memory.hosts.key(host_id) for host_id in third.frontier.returned]
    assert any(owner_of(key, [0, 1, 2, 3]) == 2 for key in mine)
    check(fleet, leased, 120, alone)


@pytest.mark.slow
def test_two_late_ones_are_lost_one_after_the_other(tmp_path, alone):
    fleet = LosingFleet(tmp_path, 2)
    fleet.seed()
    steps = [(30, grow), (60, grow), (110, lose(3)), (150, lose(2))]
    leased = fleet.crawl(crash=events(fleet, steps))
    assert isinstance(fleet, ToyFleet)
    check(fleet, leased, 150, alone)
