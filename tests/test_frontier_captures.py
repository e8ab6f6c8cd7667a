from __future__ import annotations

import dataclasses
import time
from collections import Counter

import pytest

from crawler.frontier.leases.lease import Busy, Seen
from crawler.urls import PageKey, page_key
from tests.toy_crawl import SEEDS, Arrays, answer, crawl, open_store
from tests.toy_store import OTHER, A, B, C, StoreMaker, fetch, recount, state_of


@pytest.fixture
def new_store(tmp_path):
    maker = StoreMaker(tmp_path / "corpus")
    yield maker
    maker.leave()


# --- retries ------------------------------------------------------------------------------------


def test_a_failed_page_comes_back_when_it_is_due(new_store):
    store = new_store(host_delay_secs=1.0)
    store.add_seeds([(A, []), (B, [])])
    now = 100.0
    assert fetch(store, now, state="queued", retry_in_secs=30.0) == "http://a.com/a"
    assert (store.counts()["late"], store.counts()["queued"]) == (1, 2)
    assert fetch(store, now + 1.0) == "http://a.com/b"
    assert store.next_page(now + 29.0) is None
    assert store.next_due(now + 29.0) == pytest.approx(1.0, abs=0.01)
    assert store.has_pending()
    recount(store)
    lease = store.next_page(now + 30.1)
    assert (lease.url, lease.retries) == ("http://a.com/a", 1)


def test_a_late_page_outlives_a_crash(new_store):
    store = new_store(host_delay_secs=0)
    store.add_seeds([(A, [])])
    now = time.monotonic()
    fetch(store, now, state="queued", retry_in_secs=60.0)
    store = new_store(host_delay_secs=0)
    assert store.has_pending()
    assert store.next_page(now + 50.0) is None
    assert store.next_page(now + 61.0).retries == 1


def test_late_pages_do_not_keep_a_crawl_at_its_limit_alive(new_store):
    store = new_store(host_delay_secs=0, max_pages=1)
    store.add_seeds([(A, []), (B, [])])
    fetch(store, 0.0, state="queued", retry_in_secs=9.0)
    fetch(store, 0.0)
    assert not store.has_pending()
    assert store.next_due(0.0) is None


# --- groups -------------------------------------------------------------------------------------


def test_a_group_is_committed_when_full_or_old(new_store):
    store = new_store(group_pages=2, sync_secs=0.5, host_delay_secs=0)
    groups = []
    store.on_commit.append(
        lambda captures: groups.append([capture.url[-1] for capture in captures])
    )
    store.add_seeds([(PageKey("com.a", f"0/{number}"), []) for number in range(5)])
    for now in (0.0, 0.1, 0.2):
        fetch(store, now)
    assert groups == [["0", "1"]]
    assert store.has_pending()
    store.tick(0.6)
    assert groups == [["0", "1"]]
    assert store.next_due(0.6) == 0.0  # the host is due before the group is
    store.tick(0.75)
    assert groups == [["0", "1"], ["2"]]
    fetch(store, 1.0)
    store.close()
    store.close()
    assert groups[2:] == [["3"]]
    assert store.counts()["fetched"] == 4


def test_a_page_that_awaits_its_commit_is_not_leased_again(new_store):
    store = new_store(group_pages=100, host_delay_secs=0)
    store.add_seeds([(A, []), (OTHER, [])])
    fetch(store, 0.0, links=Arrays([A]))
    assert store.is_seen(A)
    assert store.lease_key(A, 0.0) is Seen
    store.add_seeds([(B, []), (A, [])])
    assert sorted([fetch(store, 0.0), fetch(store, 0.0)]) == ["http://a.com/b", "http://other.com/"]
    assert fetch(store, 0.0) is None
    store.flush()
    recount(store)


def test_leases_are_void_after_a_crash(new_store):
    store = new_store(group_pages=2, host_delay_secs=0)
    keys = [PageKey("com.a", f"0/{number}") for number in range(6)]
    store.add_seeds([(key, []) for key in keys])
    fetch(store, 0.0)
    fetch(store, 0.0)  # these two are committed
    fetch(store, 0.0)  # this one awaits its commit
    store.next_page(0.0)  # this one is out
    store.add_seeds([(OTHER, []), (B, [])])  # a commit that stores the cursor of the host
    store = new_store(host_delay_secs=0)
    urls = [fetch(store, 0.0) for _ in range(7)]
    assert sorted(filter(None, urls)) == [
        *(f"http://a.com/{number}" for number in (2, 3, 4, 5)),
        "http://a.com/b",
        "http://other.com/",
    ]


def test_a_capture_is_taken_once(new_store):
    store = new_store()
    store.add_seeds([(A, [])])
    lease = store.next_page(0.0)
    capture = store.open_capture(lease)
    with pytest.raises(ValueError, match="state must be one of fetched, gone"):
        store.finish(dataclasses.replace(capture, state="lost"), 0.0)
    store.finish(capture, 0.0)
    for again in (capture, store.open_capture(lease)):
        with pytest.raises(ValueError, match="of a page that is leased, once"):
            store.finish(again, 0.0)
    assert store.n_doubles == 2


def test_released_pages_are_leased_again(new_store):
    store = new_store(host_delay_secs=0, max_pages=1)
    store.add_seeds([(A, [])])
    lease = store.next_page(0.0)
    store.release(lease, 1.0)
    assert store.next_page(1.0) == lease


# --- by key -------------------------------------------------------------------------------------


def test_leases_by_key(new_store):
    store = new_store(host_delay_secs=1.0)
    lease = store.lease_key(A, 0.0)
    assert (lease.url, lease.host, lease.depth) == ("http://a.com/a", "a.com", 0)
    assert store.lease_key(A, 0.0) is Seen
    assert store.lease_key(B, 0.0) is Busy
    quick = store.lease_key(B, 0.0, polite=False)
    for open_lease in (lease, quick):
        store.finish(store.open_capture(open_lease), 5.0)
    assert store.lease_key(C, 5.5) is Busy
    assert store.lease_key(C, 6.0).url == "http://a.com/c"
    assert store.lease_key(A, 9.0) is Seen
    recount(store)


def test_a_page_leased_by_key_that_a_link_finds_meanwhile(new_store):
    store = new_store(host_delay_secs=0)
    store.add_seeds([(OTHER, [])])
    lease = store.lease_key(A, 0.0)
    fetch(store, 0.0, links=Arrays([A]))
    assert state_of(store, A) == "QUEUED"  # so that a crash would not lose it
    assert store.next_page(0.0) is None
    store.finish(store.open_capture(lease), 0.0)
    assert not store.has_pending()
    recount(store)


def test_a_queued_page_leased_by_key_is_not_leased_by_turn(new_store):
    store = new_store(host_delay_secs=0)
    store.add_seeds([(A, []), (B, [])])
    lease = store.lease_key(A, 0.0, polite=False)
    store.finish(store.open_capture(lease), 0.0)
    assert fetch(store, 0.0) == "http://a.com/b"
    assert fetch(store, 0.0) is None


# --- what the stages ask ------------------------------------------------------------------------


def test_what_the_stages_put_is_committed_with_the_page(new_store):
    store = new_store(host_delay_secs=0, group_pages=2)
    store.add_seeds([(A, []), (B, [])])
    fetch(store, 0.0, puts=[("extra", b"name", b"value")])
    with store.journal.read() as txn:
        assert txn.get("extra", b"name") is None
    fetch(store, 0.0)
    with store.journal.read() as txn:
        assert txn.get("extra", b"name") == b"value"


def test_every_url_is_leased_once_and_the_counts_agree(tmp_path):
    store = open_store(tmp_path)
    store.on_commit.append(lambda captures: recount(store))
    store.add_seeds(SEEDS)
    leased = Counter(crawl(store))
    store.close()
    for url, times in leased.items():
        toy = answer(page_key(url))
        assert times == 1 + toy.failures
    assert len(leased) == sum(store.counts()[state] for state in ("fetched", "gone", "refused"))
    assert len(leased) > 200
