"""Limits, delays and back-offs of the frontier over restarts."""

from __future__ import annotations

import pytest

from crawler.durable.journal import Journal
from crawler.frontier.hosts.politeness import Patience, read_patience, scan_patience, write_patience
from tests.toy_crawl import Arrays
from tests.toy_store import OTHER, A, B, C, StoreMaker, fetch, recount, state_of


@pytest.fixture
def new_store(tmp_path):
    maker = StoreMaker(tmp_path / "corpus")
    yield maker
    maker.leave()


def test_a_larger_max_depth_queues_what_was_too_deep(new_store):
    store = new_store(host_delay_secs=0, max_depth=1)
    store.add_seeds([(A, [])])
    fetch(store, 0.0, links=Arrays([B]))
    fetch(store, 0.0, links=Arrays([C, OTHER], nofollow=[False, True]))
    assert not store.has_pending()
    store = new_store(host_delay_secs=0, max_depth=1)
    assert not store.has_pending()
    store = new_store(host_delay_secs=0, max_depth=2)
    recount(store)
    lease = store.next_page(0.0)
    assert (lease.url, lease.depth) == ("http://a.com/c", 2)
    assert store.next_page(0.0) is None
    assert state_of(store, OTHER) == "KNOWN"  # it is not to be followed at any depth


def test_a_delay_outlives_a_crash(new_store):
    store = new_store(host_delay_secs=1.0)
    store.add_seeds([(A, []), (B, [])])
    store.set_delay("com.a", 20.0)
    fetch(store, 100.0)
    store = new_store(host_delay_secs=1.0)
    assert store.next_page(500.0) is None  # it waits once more: when it was asked is not stored
    assert store.next_due(500.0) == pytest.approx(20.0)
    assert fetch(store, 520.5) == "http://a.com/b"
    assert store.patience_of("com.a") == Patience(20.0)
    with pytest.raises(ValueError, match="secs must be at least 0"):
        store.set_delay("com.a", -1.0)


def test_a_back_off_outlives_a_crash(new_store):
    store = new_store(host_delay_secs=0)
    store.add_seeds([(A, []), (OTHER, [])])
    store.back_off("com.a", 30.0, 1000.0, errors=3)
    store.back_off("com.unknown", 30.0, 1000.0)
    assert fetch(store, 1000.0) == "http://other.com/"
    assert fetch(store, 1029.0) is None
    store = new_store(host_delay_secs=0)
    assert store.patience_of("com.a").errors == 3
    assert fetch(store, 1029.0) is None
    assert fetch(store, 1030.1) == "http://a.com/a"


def test_patience_on_disk(tmp_path):
    journal = Journal.open_writer(tmp_path)
    rows = {7: Patience(1.5, 2**41, 10**6), 1: Patience(0.0, 5)}
    for host_id, patience in rows.items():
        journal.write(lambda txn, h=host_id, p=patience: write_patience(txn, h, p))
    journal.write(lambda txn: write_patience(txn, 1, Patience()))
    with journal.read() as txn:
        assert list(scan_patience(txn)) == [(7, Patience(1.5, 2**41, 2**16 - 1))]
        assert read_patience(txn, 1) == Patience()
    journal.close()
