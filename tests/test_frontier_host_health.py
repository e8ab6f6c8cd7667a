"""Hosts in trouble: what is made of their failures, over restarts too."""

from __future__ import annotations

import pytest

from crawler.frontier.hosts.health import HOST_DEAD, HostVerdict, is_dead, is_trouble, judge_host
from crawler.frontier.policy import FrontierPolicy
from crawler.urls import PageKey
from tests.toy_store import OTHER, A, B, C, StoreMaker, fetch, recount, state_of

POLICY = FrontierPolicy(retry_secs=5, park_errors=3, parks=2, park_secs=60, park_max_secs=100)


@pytest.fixture
def new_store(tmp_path):
    maker = StoreMaker(tmp_path / "corpus")
    yield maker
    maker.leave()


@pytest.mark.parametrize(
    ("errors", "answered", "retry_after", "verdict"),
    [
        (0, False, None, (1, 0)),
        (1, False, None, (2, 0)),
        (2, False, None, (3, 60, True)),
        (3, False, None, (4, 100, True)),  # 120, were it not for the limit
        (4, False, None, (5, 100, True, True)),
        (2**16, False, None, (2**16 + 1, 100, True, True)),
        (0, True, None, (1, 5)),
        (1, True, None, (2, 10)),
        (0, True, 3, (1, 5)),
        (0, True, 30, (1, 30)),
        (0, True, 1e9, (1, 100)),
        (2, True, 30, (3, 60, True)),
        (2, True, 70, (3, 70, True)),
    ],
)
def test_verdicts(errors, answered, retry_after, verdict):
    judged = judge_host(errors, POLICY, answered=answered, retry_after_secs=retry_after)
    assert judged == HostVerdict(*verdict)


def test_hosts_that_never_park():
    policy = FrontierPolicy(park_errors=0, retry_secs=1)
    assert judge_host(99, policy, answered=False) == (100, 0, False, False)
    assert judge_host(3, policy, answered=True) == (4, 8, False, False)
    assert not is_dead(2**16 - 1, policy)


@pytest.mark.parametrize(
    ("status", "reason", "trouble"),
    [
        (429, "status_429", True), (503, "", True), (500, "", False), (404, "", False), (200, "", False),
        (None, "connection", True), (None, "dns", True), (None, "timeout", True),
        (None, "too_large", False), (None, "robots", False), (None, "private_address", False),
    ],
)  # fmt: skip
def test_troubles(status, reason, trouble):
    assert is_trouble(status, reason) is trouble


def test_a_parked_host_keeps_its_pages_over_a_crash(new_store):
    store = new_store(host_delay_secs=0, park_errors=2, park_secs=60.0)
    store.add_seeds([(A, []), (B, []), (OTHER, [])])
    assert store.host_failed(0, 100.0, answered=False) == (1, 0, False, False)
    assert store.host_failed(0, 100.0, answered=False).is_parked
    store = new_store(host_delay_secs=0, park_errors=2, park_secs=60.0, idle_end_secs=30.0)
    assert fetch(store, 101.0) == "http://other.com/"
    assert fetch(store, 159.0) is None
    assert store.has_pending()
    assert not store.has_pending(101.0)  # it is parked for longer than the crawl waits
    assert store.has_pending(131.0)
    hosts, pages, secs = store.parked(101.0)
    assert (hosts, pages, secs) == (1, 2, pytest.approx(59.0, abs=0.01))
    assert fetch(store, 160.1) == "http://a.com/a"
    store.host_answered(0)
    assert store.patience_of("com.a").errors == 0
    assert store.host_failed(0, 200.0, answered=False).errors == 1


def test_pages_that_are_tried_again_are_parked_with_their_host(new_store):
    """Of the host of OTHER nothing but such a page is left; A's other one is ready."""
    store = new_store(host_delay_secs=0, park_errors=1, park_secs=60.0)
    store.add_seeds([(A, []), (B, []), (OTHER, [])])
    for host_id in (0, 1):
        assert fetch(store, 100.0, state="queued", retry_in_secs=60.0) is not None
        assert store.host_failed(host_id, 100.0, answered=False).is_parked
    assert store.parked(100.0) == (2, 3, pytest.approx(60.0, abs=0.01))
    store.close()
    assert store.parked(101.0) == (2, 3, pytest.approx(59.0, abs=0.01))


def test_pages_that_wait_for_long_are_parked_without_their_host(new_store):
    """Of pages whose robots.txt could not be had it was not told when they are due, nor why the crawl ended before."""
    store = new_store(host_delay_secs=0, park_errors=1, park_secs=60.0, idle_end_secs=30.0)
    store.add_seeds([(A, []), (B, []), (OTHER, [])])
    fetch(store, 100.0, state="queued", retry_in_secs=20.0)
    assert store.parked(100.0) == (0, 0, 0)  # the crawl waits for it
    fetch(store, 100.0, state="queued", retry_in_secs=90.0)
    assert store.host_failed(1, 100.0, answered=False).is_parked
    assert store.parked(100.0) == (1, 1, pytest.approx(60.0, abs=0.01))
    assert fetch(store, 120.1) == "http://a.com/a"
    assert store.parked(120.1) == (1, 1, pytest.approx(39.9, abs=0.01))
    assert fetch(store, 120.1, state="queued", retry_in_secs=40.0) == "http://a.com/b"
    assert store.parked(120.1) == (2, 2, pytest.approx(39.9, abs=0.01))
    assert not store.has_pending(120.1)


def test_the_delay_of_a_host_ends_no_crawl(new_store):
    store = new_store(host_delay_secs=50.0, idle_end_secs=1.0)
    store.add_seeds([(A, []), (B, [])])
    fetch(store, 0.0)
    assert store.has_pending(0.5)
    assert store.parked(0.5).hosts == 0


def test_a_dead_host_is_given_up(new_store):
    store = new_store(host_delay_secs=0, park_errors=1, parks=0)
    store.add_seeds([(A, []), (B, []), (C, []), (OTHER, [])])
    lease = store.next_page(0.0)
    assert store.host_failed(0, 0.0, answered=False).is_dead
    assert store.refuse_host(0, HOST_DEAD) == 2  # the page that is out is its own matter
    assert store.refuse_host(0, HOST_DEAD) == 0
    assert [state_of(store, key) for key in (A, B, C)] == ["QUEUED", "REFUSED", "REFUSED"]
    store.release(lease, 0.0)
    recount(store)
    store = new_store(host_delay_secs=0, park_errors=1, parks=0)
    assert store.is_dead(0)
    assert not store.is_dead(1)
    recount(store)
    store.add_seeds([(PageKey("com.a", "0/late"), [])])
    assert store.refuse_host(0, HOST_DEAD) == 2
    assert fetch(store, 0.0) == "http://other.com/"
    assert not store.has_pending()
    store.close()


@pytest.mark.parametrize("n_before", [0, 99, 100, 3000])
def test_a_page_by_another_scheme_is_found_behind_many(new_store, n_before):
    """Pages by http waited for a robots.txt by https behind a hundred that are by https, too."""
    store = new_store()
    secure = [PageKey("com.a", f"1/{n}") for n in range(1 + n_before)]
    store.add_seeds([*((key, []) for key in secure), (OTHER, [])])
    capture = store.open_capture(store.next_page(0.0))
    assert capture.url == "https://a.com/0"
    assert not store.has_other_scheme(capture)
    store.add_seeds([(A, [])])
    assert store.has_other_scheme(capture)
