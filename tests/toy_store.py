"""What the tests of the store share: pages, a maker of stores, and a recount of everything."""

from __future__ import annotations

from collections import Counter

from crawler.durable.page_state import PageState
from crawler.frontier.policy import CommitPolicy, FrontierPolicy
from crawler.frontier.store.crawl_store import CrawlStore
from crawler.urls import PageKey
from tests.page_heads import unpack_head

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
    """Count everything again from the heads of the pages; compare with what is kept."""
    counts = store.counts()  # which gives back what is leased ahead
    states, ready = Counter(), Counter()
    frontier = store.frontier
    for ids in frontier.memory.all_ids():
        heads = frontier.memory.heads.get(ids)
        for page_id, head in zip(ids.tolist(), heads.tolist(), strict=True):
            state = PageState(unpack_head(head).state)
            states[state.name.lower()] += 1
            is_ready = state == PageState.QUEUED and page_id not in frontier.out
            ready[page_id >> 32] += is_ready
            assert not is_ready or page_id & 0xFFFFFFFF >= frontier.hosts.cursor[page_id >> 32]
    for host_id in frontier.memory.hosts.ascending().tolist():
        assert frontier.hosts.ready[host_id] == ready[host_id]
    with store.journal.read() as txn:
        late = txn.n_rows("late")
    assert counts["queued"] == ready.total() + states["late"]
    assert states["late"] <= late
    for state in ("known", "late", "fetched", "gone", "refused"):
        assert counts[state] == states[state]
    assert counts["pages"] == sum(states.values())
