"""Clocks that jump: hosts wait on the steady clock, pages that failed on the wall clock.

=============================  ==============================================================
the wall clock jumps           what comes of it
=============================  ==============================================================
a day, in mid-crawl            nothing: it is read when the crawl starts, and the steady clock
                               counts from there; the same pages in the same order
a day ahead, between two runs  what waits is due at once, no host is asked before its delay
back, between two runs         what waits, a host or a page, does so as long as it had to when
                               the crawl stopped; what waits longer than any rule has it, as
                               at its first failure; every other page is fetched meanwhile
=============================  ==============================================================
"""

from __future__ import annotations

import itertools
import time
from datetime import UTC, datetime

import pytest

from crawler.durable.keys import u64_key
from crawler.frontier.outcome import retry_after_secs
from crawler.frontier.policy import FrontierPolicy
from crawler.frontier.store import crawl_store
from tests.toy_crawl import SEEDS, crawl, open_store

DAY = 86_400.0
WAIT = 60.0
RETRY = FrontierPolicy().retry_secs


class Clock:
    """The two clocks of module ``time``, the wall clock off by *shifts*, one a reading."""

    def __init__(self, *shifts):
        self.shifts = itertools.cycle(shifts)
        self.monotonic = time.monotonic

    def time(self):
        return time.time() + next(self.shifts)


def leases(folder):
    store = open_store(folder)
    store.add_seeds(SEEDS)
    urls = crawl(store)
    store.close()
    return urls


def test_a_jump_in_mid_crawl_changes_nothing(tmp_path, monkeypatch):
    steady = leases(tmp_path / "steady")
    monkeypatch.setattr(crawl_store, "time", Clock(DAY, -DAY, 9 * DAY))
    assert leases(tmp_path / "jumping") == steady


@pytest.fixture
def waiting(tmp_path):
    """The folder of a crawl with one page that waits for WAIT seconds, and its URL."""
    store = open_store(tmp_path)
    store.add_seeds(SEEDS[:1])
    capture = store.open_capture(store.next_page(time.monotonic()))
    capture.fetched_at = datetime.now(UTC)
    capture.state, capture.retry_in_secs = "queued", WAIT
    store.finish(capture)
    store.close()
    return tmp_path, capture.url


@pytest.mark.parametrize(("shift", "secs"), [(0, WAIT), (DAY, 0), (-DAY, WAIT), (-60.0, WAIT)])
def test_a_page_that_waits_is_due_by_the_wall_clock(waiting, monkeypatch, shift, secs):
    folder, url = waiting
    monkeypatch.setattr(crawl_store, "time", Clock(shift))
    store = open_store(folder)
    now = time.monotonic()
    assert store.next_due(now) == pytest.approx(secs, abs=4)
    assert store.has_pending()
    if secs:
        assert store.next_page(now) is None
    assert store.next_page(now + secs + 30).url == url
    store.close()


@pytest.mark.parametrize("shift", [0, 30 * DAY, -30 * DAY, -3600.0])
def test_a_host_that_parks_does_not_wait_for_a_clock_that_was_set_back(
    tmp_path, monkeypatch, shift
):
    park = FrontierPolicy().park_secs
    monkeypatch.setattr(crawl_store, "time", Clock(0))
    store = open_store(tmp_path)
    store.add_seeds(SEEDS[:1])
    lease = store.next_page(time.monotonic())
    host_key = SEEDS[0][0].host
    store.release(lease, time.monotonic())
    store.back_off(host_key, 2 * park, time.monotonic(), errors=4)
    store.close()
    monkeypatch.setattr(crawl_store, "time", Clock(shift))
    store = open_store(tmp_path)
    waits = 0.0 if shift > 0 else 2 * park
    now = time.monotonic()
    assert (store.next_due(now) or 0.0) == pytest.approx(waits, abs=10)
    # What it waits for next is counted from then, too.
    stored = store.patience_of(host_key)
    assert stored.errors == 4
    assert stored.not_before_ms <= store._wall_ms(now) + 2000 * park
    store.close()


def test_no_wait_is_longer_than_the_rules_have_it(waiting):
    """As that of a host which came from a machine whose clock runs ahead."""
    folder, _ = waiting
    store = open_store(folder)
    host_key = SEEDS[1][0].host
    store.add_seeds(SEEDS[1:2])
    store.back_off(host_key, 30 * DAY, time.monotonic())
    with store.journal.read() as txn:
        late = next(bytes(key) for key, _ in txn.scan("late"))
    far = u64_key(round(1000 * (time.time() + 30 * DAY))) + late[8:]
    store.journal.write(lambda txn: [txn.delete("late", late), txn.put("late", far, b"")])
    store.close()
    store = open_store(folder)
    now = time.monotonic()
    assert store.next_due(now) == pytest.approx(RETRY, abs=4)
    waits_ms = store.patience_of(host_key).not_before_ms - store._wall_ms(now)
    assert waits_ms == pytest.approx(1000 * FrontierPolicy().park_secs, abs=10_000)
    store.close()


@pytest.mark.parametrize("shift", [0, DAY, -DAY])
def test_other_pages_are_fetched_meanwhile_each_after_its_delay(waiting, monkeypatch, shift):
    folder, _ = waiting
    monkeypatch.setattr(crawl_store, "time", Clock(shift))
    store = open_store(folder)
    store.add_seeds(SEEDS[1:3])
    now = time.monotonic()
    found = [store.next_page(now) for _ in range(2)]
    assert all(found)
    for lease in found:
        store.release(lease, now)
    assert store.next_page(now + 0.4) is None or shift == DAY  # the delay of the toy crawl is .5 s
    assert store.next_page(now + 0.6) is not None
    store.close()


def test_a_retry_after_date_is_taken_by_the_wall_clock():
    now = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    header = "Fri, 02 Jan 2026 03:05:05 GMT"
    assert retry_after_secs(header, now) == 60
    assert retry_after_secs(header, datetime(2026, 1, 3, tzinfo=UTC)) == 0
    assert retry_after_secs("60", now) == 60
