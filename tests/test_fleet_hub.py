"""The hub and its clients over real sockets."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from crawler.durable.files import WriterLock, make_folder
from crawler.durable.layout import fleet_folder, journal_folder
from crawler.errors import FormatError, InputError
from crawler.fleet import parent
from crawler.fleet.blocks import Ledger, check_alone, fleet_shards
from crawler.fleet.hand_over import Sent
from crawler.fleet.hub import Hub
from crawler.fleet.local import HubBlocks, HubTransport
from crawler.fleet.parent import FleetJob, run_fleet, wait_for_left

STATE = {
    "idle": True,
    "out": 0,
    "activity": 0,
    "spent": 0,
    "limit": 0,
    "hungry": False,
    "stats": {},
    "counts": {},
    "max_pages": 0,
}


class ServedHub:
    """A hub in a thread of its own."""

    def __init__(self, folder, shards):
        self.hub = Hub(str(folder / "hub"), shards, Ledger(folder / "corpus", shards))
        self.loop = asyncio.new_event_loop()
        self.loop.run_until_complete(self.hub.start())
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()
        self.clients = []

    def join(self, shard, **state):
        client = HubTransport(self.hub.address, shard, lambda: None)
        client.start(STATE | state)
        self.clients.append(client)
        wait_for(lambda: shard in self.hub._writers)
        return client

    def close(self):
        for client in self.clients:
            client.close()
        asyncio.run_coroutine_threadsafe(self.hub.close(), self.loop).result(20)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()


@pytest.fixture
def served(tmp_path):
    served = ServedHub(tmp_path, [0, 1, 2])
    yield served
    served.close()


def wait_for(told):
    deadline = time.monotonic() + 20
    while not (found := told()):
        assert time.monotonic() < deadline, "nothing came"
        time.sleep(0.002)
    return found


def test_records_and_acknowledgements_go_through(served):
    first, second = served.join(0), served.join(1)
    for number in (1, 2):
        first.send(Sent(0, 1, number, b"x" * 300_000))
    got = []
    wait_for(lambda: got.extend(second.received()) or len(got) == 2)
    assert got == [Sent(0, 1, number, b"x" * 300_000) for number in (1, 2)]
    second.acknowledge(0, 1)
    second.acknowledge(0, 2)
    acks = {}
    wait_for(lambda: acks.update(first.acknowledged()) or acks == {1: 2})


def test_who_comes_back_is_sent_again(served):
    first, second = served.join(0), served.join(1)
    wait_for(lambda: first.was_lost() == {1})
    second.close()
    wait_for(lambda: 1 not in served.hub._writers)
    first.send(Sent(0, 1, 1, b"lost"))
    again = served.join(1)
    wait_for(lambda: first.was_lost() == {1})
    first.send(Sent(0, 1, 1, b"again"))
    assert wait_for(again.received) == [Sent(0, 1, 1, b"again")]


def test_all_are_told_of_the_end(served):
    members = [served.join(shard) for shard in range(3)]
    orders = {}
    for member in members:
        orders[member.shard] = wait_for(lambda member=member: list(member.orders))
        assert orders[member.shard][0] == ["probe", 1]
    for member in members:
        member.tell("state", 1, STATE)
    for member in members:
        wait_for(lambda member=member: ["over"] in member.orders)
    assert served.hub.ending.is_over


def test_a_limit_is_shared(served):
    members = [served.join(shard, max_pages=10, hungry=True) for shard in range(3)]
    for member in members:
        wait_for(lambda member=member: any(order[0] == "limit" for order in member.orders))
    assert sum(served.hub.budget.granted.values()) <= 10


def test_blocks_are_on_disk_before_they_are_used(served, tmp_path):
    of_shards = [HubBlocks(served.hub.address, shard) for shard in (0, 1)]
    assert [of_shards[shard].lease() for shard in (0, 1, 1, 0)] == [0, 1, 2, 3]
    assert [blocks.blocks() for blocks in of_shards] == [[0, 3], [1, 2]]
    again = Ledger(tmp_path / "corpus", [0, 1, 2])
    assert again.blocks(1) == [1, 2]
    assert again.lease(2) == 4


def test_without_a_parent(tmp_path):
    with pytest.raises(InputError, match=r"parent of the fleet has gone .*none.*; the same scrapy"):
        HubTransport(str(tmp_path / "none"), 0, lambda: None)
    served = ServedHub(tmp_path, [0])
    member = served.join(0)
    served.close()
    wait_for(lambda: member.is_gone)
    member.send(Sent(0, 1, 1, b""))  # nobody takes it, and nothing breaks
    member.close()


def test_a_corpus_is_of_one_fleet(tmp_path):
    Ledger(tmp_path, [0, 1])
    assert fleet_shards(tmp_path) == [0, 1]
    with pytest.raises(InputError, match="by a fleet of 2; give -p 2"):
        Ledger(tmp_path, [0, 1, 2])
    with pytest.raises(InputError, match="divided by domain; give FLEET_DIVIDE_BY=domain"):
        Ledger(tmp_path, [0, 1], divide_by="host")
    with pytest.raises(InputError, match="go on with scrapy fleet -p 2"):
        check_alone(tmp_path)
    alone = tmp_path / "alone"
    (alone / "frontier" / "0000").mkdir(parents=True)
    (alone / "frontier" / "0000" / "data.mdb").write_bytes(b"x")
    check_alone(alone)
    with pytest.raises(InputError, match="by one process; go on with scrapy crawl"):
        Ledger(alone, [0, 1])
    merged = alone / "frontier" / "0003"
    merged.mkdir()
    (merged / "data.mdb").write_bytes(b"x")
    with pytest.raises(InputError, match="merged of several crawls"):
        check_alone(alone)
    ledger = fleet_folder(tmp_path) / "ledger.json"
    for damage in ('{"format": 7}', "{", '{"format": 1}'):
        ledger.write_text(damage)
        with pytest.raises(FormatError, match=r"ledger\.json"):
            fleet_shards(tmp_path)


def test_a_second_fleet_does_not_touch_the_ledger(tmp_path):
    folder = fleet_folder(tmp_path)
    make_folder(folder)
    lock = WriterLock(folder)
    nothing = FleetJob(tmp_path, 2, lambda *_: None, lambda _: None, lambda _: None, more="")
    with pytest.raises(InputError, match="another process is crawling into"):
        run_fleet(nothing)
    lock.release()
    assert not (folder / "ledger.json").exists()


def test_a_fleet_waits_for_the_processes_of_one_that_was_killed(tmp_path, monkeypatch, capsys):
    """Its own were refused until each had died three times."""
    folder = journal_folder(tmp_path, "0001")
    folder.mkdir(parents=True)
    left = WriterLock(folder)
    threading.Timer(0.5, left.release).start()
    begun = time.monotonic()
    wait_for_left(tmp_path, range(2))
    assert time.monotonic() >= begun + 0.4
    assert capsys.readouterr().err.count("\n") == 1
    monkeypatch.setattr(parent, "LEFT_SECS", 0.2)
    left = WriterLock(folder)
    with pytest.raises(InputError, match=r"another process is crawling into .*0001"):
        wait_for_left(tmp_path, range(2))
    left.release()
    wait_for_left(tmp_path, range(2))
