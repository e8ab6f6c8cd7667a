"""Ends of leases told together, beside ends told one by one; and which pages are out, beside a set."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.frontier.leases import ends as lease_ends
from crawler.frontier.leases.out_pages import OutPages
from crawler.urls import PageKey
from tests.toy_store import StoreMaker, recount

N_HOSTS = 90


def crawled(folder, seed, **policy):
    """Return what a crawl of hosts that share domains and addresses leases, and what is known then."""
    maker = StoreMaker(folder)
    store = maker(group_pages=40, host_delay_secs=0.5, **policy)
    hosts = [f"com.d{host % 31}.h{host}" for host in range(N_HOSTS)]
    store.add_seeds((PageKey(host, f"0/{page}"), []) for page in range(4) for host in hosts)
    groups = store.frontier.groups
    for host_id in range(N_HOSTS if groups is not None else 0):
        groups.set_address(host_id, f"10.0.0.{host_id % 13}", 0.0)
        groups.give_back(host_id)
    rng, now, out, leased = random.Random(seed), 3.0, [], []
    for _ in range(400):
        now += rng.random() * 0.2
        while (lease := store.next_page(now)) is not None and len(out) < 40:
            out.append(lease)
            leased.append((now, lease.url))
        if lease is not None:
            store.release(lease, now)
        rng.shuffle(out)
        for lease in [out.pop() for _ in range(min(len(out), rng.randrange(30)))]:
            capture = store.open_capture(lease)
            capture.latency_secs = rng.choice([0.0, 0.01, 0.4, 9.0])
            if rng.random() < 0.1:
                capture.state, capture.retry_in_secs = "queued", rng.random()
            store.finish(capture, now + rng.random() * 0.01)
    store.flush()
    recount(store)
    waits = store.next_due(now)
    state = [np.asarray(each)[:N_HOSTS].tolist() for each in store.frontier.hosts.arrays()]
    maker.leave()
    return leased, waits, state


@pytest.mark.parametrize(
    "policy",
    [
        {},
        {"latency_factor": 2.0, "latency_max_secs": 3.0, "pages_per_host": 3},
        {"domain_delay_secs": 0.7, "latency_factor": 2.0},
        {"domain_delay_secs": 0.7, "ip_delay_secs": 0.4, "pages_per_host": 3},
    ],
)
def test_told_together_or_one_by_one(tmp_path, monkeypatch, policy):
    answers = []
    for many in (1, 10**9):
        monkeypatch.setattr(lease_ends, "_MANY", many)
        answers.append(crawled(tmp_path / str(many), 5, **policy))
    assert answers[0] == answers[1]
    assert len(answers[0][0]) > 2 * N_HOSTS


@given(
    st.lists(
        st.tuples(st.sampled_from(["add", "add_all", "remove"]), st.lists(st.integers(0, 15))),
        max_size=20,
    )
)
def test_out_pages_as_a_set(steps):
    out, model = OutPages(), set()
    for step, numbers in steps:
        pages = list({number % 4: number % 4 << 32 | number // 4 for number in numbers}.values())
        if step == "remove":
            gone = [page for page in pages if page in model]
            out.remove(gone)
            model -= set(gone)
        elif step == "add_all":
            assert out.add_all(pages) == [i for i, page in enumerate(pages) if page in model]
            model |= set(pages)
        else:
            assert [out.add(page) for page in pages] == [page not in model for page in pages]
            model |= set(pages)
        assert sorted(out.ids()) == sorted(model)
        for host in range(4):
            assert set(out.of(host)) == {page & 0xFFFFFFFF for page in model if page >> 32 == host}
            for local in range(4):
                assert (host << 32 | local in out) == (host << 32 | local in model)
