"""What the tests of the store share: pages, a maker of stores, and a recount of everything."""

from __future__ import annotations

from collections import Counter

from crawler.durable.page_state import PageState, unpack_head
from crawler.frontier.crawl_store import CrawlStore
from crawler.frontier.policy import CommitPolicy, FrontierPolicy
from crawler.urls import PageKey
from crawler.webgraph.host_rows import scan_hosts

A, B, C = (PageKey("com.a", f"0/{name}") for name in "abc")
OTHER = PageKey("com.other", "0/")


class StoreMaker:
    """Makes stores in one folder; the one before is left as a crash would leave it."""

    def __init__(self, folder):
        self.folder = folder
        self.store = None

    def __call__(self, *, group_pages=1, sync_secs=0.2, **policy):
        self.leave()
        policy = FrontierPolicy(**{"host_delay_secs": 1.0, **policy})
        commit = CommitPolicy(group_pages=group_pages, sync_secs=sync_secs)
        self.store = CrawlStore(self.folder, policy=policy, commit=commit)
        return self.store

    def leave(self):
        if self.store is not None:
            self.store.journal.close()


def fetch(store, now, *, links=None, state="fetched", **values):
    """Lease the next page and finish it; return its URL, None when none is due."""
    lease = store.next_page(now)
    if lease is None:
        return None
    capture = store.open_capture(lease)
    capture.state, capture.links = state, links
    for name, value in values.items():
        setattr(capture, name, value)
    store.finish(capture, now)
    return lease.url


def state_of(store, key):
    found = store.lookup([key])
    return PageState(found.states[0]).name if found.known[0] else None


def recount(store):
    """Count everything again from the rows of the pages; compare with what is kept."""
    states, queued, fetched, ready = Counter(), Counter(), Counter(), 0
    with store.journal.read() as txn:
        for key, row in txn.scan("pages"):
            host_id = int.from_bytes(key) >> 32
            state = PageState(unpack_head(row).state)
            states[state.name.lower()] += 1
            queued[host_id] += state == PageState.QUEUED
            ready += state == PageState.QUEUED and not store.frontier.is_out(int.from_bytes(key))
            fetched[host_id] += state in (PageState.FETCHED, PageState.GONE)
        late = txn.n_rows("late")
        for host in scan_hosts(txn):
            assert (host.n_queued, host.n_fetched) == (queued[host.host_id], fetched[host.host_id])
    counts = store.counts()
    assert counts["queued"] == ready + states["late"]
    assert states["late"] <= late
    for state in ("known", "late", "fetched", "gone", "refused"):
        assert counts[state] == states[state]
    assert counts["pages"] == sum(states.values())
