from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.errors import InputError
from crawler.frontier.hosts.heap import HostHeap
from crawler.frontier.hosts.queue_kernels import no_queues
from crawler.frontier.hosts.queues import HostQueues
from crawler.frontier.policy import CommitPolicy, FrontierPolicy


def resumed(ready, spent=None, cursor=None, **policy):
    """Return the queues of hosts as the journal of an earlier crawl has them."""
    queues = no_queues()
    queues.ready[: len(ready)] = ready
    queues.spent[: len(ready)] = spent or 0
    queues.cursor[: len(ready)] = cursor or 0
    return HostQueues(FrontierPolicy(**policy), queues, np.arange(len(ready), dtype=np.uint32))


def queues(n_ready, **policy):
    return resumed(n_ready, **policy)


def serve(hosts, now):
    """Take and give back a page of the next host; return it."""
    host_id = hosts.pop(now)
    if host_id is not None:
        hosts.take(host_id, was_ready=True)
        hosts.give_back(host_id, now, spent=True)
    return host_id


def test_in_turn_and_after_the_delay():
    hosts = queues([2, 0, 1], host_delay_secs=1.0)
    assert [serve(hosts, 10.0) for _ in range(3)] == [0, 2, None]
    assert hosts.next_due(10.25) == 0.75
    assert serve(hosts, 10.999) is None
    assert serve(hosts, 11.0) == 0
    assert hosts.next_due(11.0) is None
    assert not hosts.has_work


def test_a_host_with_a_lease_waits():
    hosts = queues([2], host_delay_secs=0)
    hosts.take(hosts.pop(0.0), was_ready=True)
    assert hosts.pop(99.0) is None
    assert hosts.next_due(99.0) is None
    assert not hosts.is_free(0, 99.0)
    hosts.give_back(0, 100.0, spent=True)
    assert hosts.is_free(0, 100.0)
    assert hosts.pop(100.0) == 0


def test_a_longer_delay_of_one_host():
    hosts = queues([3, 3], host_delay_secs=1.0)
    hosts.set_delay(0, 5.0)
    hosts.set_delay(1, 0.1)  # the policy's delay is the least
    assert [serve(hosts, 0.0), serve(hosts, 0.0)] == [0, 1]
    assert [serve(hosts, 1.0), serve(hosts, 1.0)] == [1, None]
    assert hosts.next_due(4.0) == 0.0
    assert [serve(hosts, 5.0), serve(hosts, 5.0)] == [1, 0]
    with pytest.raises(ValueError, match="secs must be at least 0, got -1"):
        hosts.set_delay(0, -1)


def test_limits_of_a_host_and_of_the_crawl():
    hosts = queues([5, 5], host_delay_secs=0, pages_per_host=2, max_pages=3)
    assert [serve(hosts, 0.0) for _ in range(4)] == [0, 1, 0, None]
    assert hosts.is_spent
    assert hosts.next_due(0.0) is None


def test_a_lease_that_did_not_count_makes_room():
    hosts = queues([5, 0], host_delay_secs=0, pages_per_host=1, max_pages=1)
    hosts.take(hosts.pop(0.0), was_ready=True)
    assert hosts.is_spent
    hosts.give_back(0, 0.0, spent=False)
    assert hosts.pop(0.0) == 0


def test_what_is_resumed_waits_once_more():
    hosts = resumed([3, 3, 3], [4, 0, 5], [6, 0, 0], host_delay_secs=2.0, pages_per_host=5)
    assert hosts.has_work
    hosts.start(100.0)
    hosts.start(200.0)
    assert [hosts.pop(101.0), hosts.pop(101.0)] == [1, None]
    assert hosts.next_due(101.0) == 1.0
    assert hosts.pop(102.0) == 0
    assert hosts.cursor[0] == 6


def test_stale_entries_are_dropped():
    hosts = queues([1, 1], host_delay_secs=0)
    hosts.take(0, was_ready=True)  # by key, while the host is in the heap
    assert hosts.next_due(0.0) == 0.0
    assert hosts.pop(0.0) == 1


def test_woken_pages_move_the_cursor_back():
    hosts = queues([1])
    hosts.cursor[0] = 8
    hosts.wake([0, 3], [2, 1], [5, 0])
    assert (hosts.ready[0], hosts.cursor[0], hosts.n_ready) == (3, 5, 4)


def test_against_an_obvious_version():
    rng = random.Random(5)
    hosts = queues([0] * 30, host_delay_secs=1.0)
    ready, due, leased = [0] * 30, [float("-inf")] * 30, set()
    now = 0.0
    for _ in range(4_000):
        now += rng.random() * 0.1
        action, host_id = rng.random(), rng.randrange(30)
        if action < 0.3:
            hosts.wake([host_id], [1], [0])
            ready[host_id] += 1
        elif action < 0.6 and leased:
            host_id = rng.choice(sorted(leased))
            leased.discard(host_id)
            hosts.give_back(host_id, now, spent=True)
            due[host_id] = now + 1.0
        else:
            free = [h for h in range(30) if ready[h] and h not in leased]
            expected = min(((due[h], h) for h in free), default=None)
            wait = hosts.next_due(now)
            assert wait == (None if expected is None else max(0.0, expected[0] - now))
            host_id = hosts.pop(now)
            assert host_id == (expected[1] if expected and expected[0] <= now else None)
            if host_id is not None:
                hosts.take(host_id, was_ready=True)
                ready[host_id] -= 1
                leased.add(host_id)
        assert hosts.n_ready == sum(ready)


def test_a_host_that_is_to_be_left_alone():
    hosts = queues([3], host_delay_secs=0)
    hosts.wait_until(0, 7.0)
    assert serve(hosts, 6.0) is None
    assert hosts.next_due(6.0) == 1.0
    assert [serve(hosts, 7.0), serve(hosts, 7.0)] == [0, 0]


def test_the_heap_is_a_heap():
    rng, heap, model = random.Random(2), HostHeap(), []
    heap.fill(np.array([3.0, 1.0, 1.0]), np.array([5, 9, 4], dtype=np.uint32))
    model += [(3.0, 5), (1.0, 9), (1.0, 4)]
    for _ in range(2_000):
        if model and rng.random() < 0.45:
            assert heap.first == min(model)
            assert heap.pop() == min(model)[1]
            model.remove(min(model))
        else:
            entry = (rng.randrange(20) / 4, rng.randrange(50))
            heap.push(*entry)
            model.append(entry)
        assert len(heap) == len(model)


def test_a_heap_that_is_full_takes_no_more():
    heap = HostHeap()
    heap.resize(len(heap.arrays()[0]) - 1)
    heap.push(1.0, 5)
    assert heap.first == (0.0, 0)
    heap.push(1.0, 6)
    with pytest.raises(InputError, match="the page table is full"):
        heap.first  # noqa: B018  # the look puts what was pushed in order


@pytest.mark.parametrize(
    ("policy", "values", "message"),
    [
        (FrontierPolicy, {"host_delay_secs": -1.0}, "host_delay_secs must be at least 0, got -1.0"),
        (FrontierPolicy, {"host_delay_secs": float("nan")}, "host_delay_secs must be at least 0"),
        (FrontierPolicy, {"max_pages": -5}, "max_pages must be at least 0, got -5"),
        (CommitPolicy, {"group_pages": 0}, "group_pages must be at least 1, got 0"),
        (CommitPolicy, {"sync_secs": -0.1}, "sync_secs must be at least 0, got -0.1"),
        (CommitPolicy, {"seal_bytes": 0}, "seal_bytes must be at least 1, got 0"),
    ],
)
def test_policies_are_checked(policy, values, message):
    with pytest.raises(ValueError, match=message):
        policy(**values)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 40)), max_size=60), st.integers(0, 70))
def test_the_first_hosts_of_a_heap_are_those_that_pops_give(entries, most):
    heap = HostHeap()
    for time, host in entries:
        heap.push(float(time), host)
    first = heap.first_hosts(most).tolist()
    assert first == [host for _, host in sorted(entries)[:most]]
    assert [heap.pop() for _ in range(len(heap))] == [host for _, host in sorted(entries)]


def resumed_queues(seed):
    """Return the queues of some hosts that were resumed in all states."""
    rng, queues = random.Random(seed), no_queues()
    ids = sorted(rng.sample(range(300), 60))
    for host_id in ids:
        queues.ready[host_id], queues.spent[host_id] = rng.choice([0, 1, 5]), rng.choice([0, 2, 9])
    policy = FrontierPolicy(host_delay_secs=1.0, pages_per_host=rng.choice([0, 5]))
    hosts = HostQueues(policy, queues, np.array(ids, dtype=np.uint32))
    for host_id in ids:
        if rng.random() < 0.3:
            hosts.set_delay(host_id, rng.choice([0.5, 3.0, 7.3]))
        if rng.random() < 0.2:
            hosts.wait_until(host_id, rng.random() * 20)
        if rng.random() < 0.1:
            hosts.wake([host_id], [1], [0])
        if rng.random() < 0.1:
            hosts.borrow(host_id)
    return hosts


@pytest.mark.parametrize("seed", range(20))
def test_hosts_start_together_as_one_by_one(seed):
    hosts, slow = resumed_queues(seed), resumed_queues(seed)
    hosts.start(5.0)
    slow.is_started, resumed, slow._resumed = True, slow._resumed, None
    for host_id in resumed.tolist():
        slow.wait_until(host_id, 5.0 + slow._delay(host_id))
        slow._offer(host_id)
    times = [step / 4 for step in range(160)]
    assert [hosts.pop(now) for now in times] == [slow.pop(now) for now in times]
