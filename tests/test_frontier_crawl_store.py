from __future__ import annotations

import pytest

from crawler.frontier.leases.lease import Limit
from crawler.frontier.policy import CommitPolicy
from crawler.frontier.store.crawl_store import CrawlStore
from crawler.frontier.store.seeds import SEED_CHUNK
from crawler.page.links import LinkKind
from crawler.urls import PageKey, page_key
from crawler.webgraph.pages.table import page_memory
from tests.toy_crawl import N_HOSTS, SEEDS, Answer, Arrays, answer, crawl, fill, open_store, toy_key
from tests.toy_store import OTHER, A, B, C, StoreMaker, fetch, recount, state_of


@pytest.fixture
def new_store(tmp_path):
    maker = StoreMaker(tmp_path / "corpus")
    yield maker
    maker.leave()


# --- seeds --------------------------------------------------------------------------------------


def test_seeds_are_idempotent(new_store):
    store = new_store()
    seeds = [(A, ["Top/X"]), (B, []), (A, ["Top/Y"]), (OTHER, ["Top/Z"])]
    assert store.add_seeds(seeds) == (4, 3, 2)
    assert store.add_seeds(iter(seeds)) == (4, 0, 0)
    assert fetch(store, 0.0) == "http://a.com/a"
    store = new_store()
    assert store.add_seeds(seeds) == (4, 0, 0)
    assert store.counts()["queued"] == 2
    assert store.next_page(0.0).categories == ("Top/Z",)
    assert store.next_page(1.0).categories == ("Top/X", "Top/Y")


def test_a_seed_that_was_only_known_is_queued_at_depth_0(new_store):
    store = new_store(host_delay_secs=0, max_depth=1)
    store.add_seeds([(A, [])])
    fetch(store, 0.0, links=Arrays([B], nofollow=[True]))
    assert state_of(store, B) == "KNOWN"
    assert store.add_seeds([(B, [])]).new == 1
    lease = store.next_page(0.0)
    assert (lease.url, lease.depth) == ("http://a.com/b", 0)


# --- politeness ---------------------------------------------------------------------------------


def test_one_lease_a_host_and_the_delay_after_it(new_store):
    store = new_store(host_delay_secs=1.0)
    store.add_seeds([(A, []), (B, []), (OTHER, [])])
    first, other = store.next_page(10.0), store.next_page(10.0)
    assert (first.url, other.url) == ("http://a.com/a", "http://other.com/")
    assert store.next_page(99.0) is None
    assert store.next_due(99.0) is None
    assert (store.n_leased, store.has_pending()) == (2, True)
    store.finish(store.open_capture(first), 100.0)
    assert store.next_page(100.9) is None
    assert store.next_due(100.75) == 0.25
    assert store.next_page(101.0).url == "http://a.com/b"


def test_the_gaps_of_a_whole_crawl(tmp_path):
    store = open_store(tmp_path, host_delay_secs=0.5)
    store.add_seeds(SEEDS)
    store.set_delay("com.toy.h3", 2.0)
    store.set_delay("com.unknown", 2.0)
    now, last = 0.0, {}
    while store.has_pending():
        lease = store.next_page(now)
        if lease is None:
            store.flush()
            now += (store.next_due(now) or 0.0) + 1e-6
            continue
        delay = 2.0 if lease.host == "h3.toy.com" else 0.5
        assert now - last.get(lease.host, -9.0) >= delay
        last[lease.host] = now
        capture = store.open_capture(lease)
        fill(capture, answer(page_key(lease.url)))
        store.finish(capture, now)
    assert len(last) == N_HOSTS
    store.close()


def test_a_resumed_host_waits_once_more(new_store):
    store = new_store()
    store.add_seeds([(A, []), (B, []), (OTHER, [])])
    fetch(store, 50.0)
    store = new_store()
    assert store.has_pending()
    assert fetch(store, 50.0) == "http://other.com/"
    assert fetch(store, 50.9) is None
    assert fetch(store, 51.0) == "http://a.com/b"


# --- links --------------------------------------------------------------------------------------


def test_links_queue_their_targets_one_deeper(new_store):
    store = new_store(host_delay_secs=0)
    store.add_seeds([(A, [])])
    fetch(store, 0.0, links=Arrays([B, C, A, B], nofollow=[False, True, False, True]))
    assert [state_of(store, key) for key in (A, B, C)] == ["FETCHED", "QUEUED", "KNOWN"]
    lease = store.next_page(0.0)
    assert (lease.url, lease.depth, lease.hops) == ("http://a.com/b", 1, 0)
    assert store.next_page(0.0) is None


def test_a_known_page_is_queued_when_a_link_leads_there(new_store):
    store = new_store(host_delay_secs=0)
    store.add_seeds([(A, [])])
    fetch(store, 0.0, links=Arrays([C, B], nofollow=[True, False]))
    assert store.next_due(0.0) == 0.0
    assert fetch(store, 0.0, links=Arrays([C])) == "http://a.com/b"  # the cursor has passed c
    assert fetch(store, 0.0) == "http://a.com/c"
    recount(store)


def test_deeper_pages_are_known(new_store):
    store = new_store(host_delay_secs=0, max_depth=1)
    store.add_seeds([(A, [])])
    fetch(store, 0.0, links=Arrays([B]))
    fetch(store, 0.0, links=Arrays([C]))
    assert state_of(store, C) == "KNOWN"
    assert not store.has_pending()
    store.add_seeds([(OTHER, [])])
    fetch(store, 0.0, links=Arrays([C]))  # a shorter way
    assert state_of(store, C) == "QUEUED"


def test_a_queued_page_keeps_its_smallest_depth(new_store):
    store = new_store()
    store.add_seeds([(A, [])])
    fetch(store, 0.0, links=Arrays([B]))
    fetch(store, 1.0, links=Arrays([C]))
    store.add_seeds([(OTHER, [])])
    fetch(store, 1.5, links=Arrays([C]))
    assert store.next_page(2.0).depth == 1


def test_redirects_count_hops_not_depth(new_store):
    store = new_store(host_delay_secs=0, max_redirects=1)
    store.add_seeds([(A, [])])
    fetch(store, 0.0, links=Arrays([B], kind=LinkKind.REDIRECT))
    lease = store.next_page(0.0)
    assert (lease.depth, lease.hops) == (0, 1)
    capture = store.open_capture(lease)
    capture.links = Arrays([C], kind=LinkKind.REDIRECT)
    store.finish(capture, 0.0)
    assert state_of(store, C) == "REFUSED"
    assert not store.has_pending()
    assert not store.is_seen(C)
    store.add_seeds([(OTHER, [])])
    fetch(store, 0.0, links=Arrays([C]))
    assert state_of(store, C) == "QUEUED"
    recount(store)


def test_a_redirect_loop_ends(tmp_path):
    store = open_store(tmp_path, host_delay_secs=0)
    store.add_seeds([(A, [])])
    loop = {A: B, B: C, C: A}
    web = lambda key: Answer("fetched", Arrays([loop[key]], kind=LinkKind.REDIRECT))  # noqa: E731
    assert len(crawl(store, web=web)) == 3
    store.close()


# --- limits -------------------------------------------------------------------------------------


def many_links(key):
    number = int(key.local.rpartition("p")[2])
    return Answer("fetched", Arrays([toy_key(0, number + 1), toy_key(1, number + 1)]))


def test_limits_hold_over_restarts(tmp_path):
    for pages_per_host, max_pages, expected in ((3, 0, 6), (0, 9, 9), (6, 0, 12), (6, 13, 12)):
        store = open_store(tmp_path, pages_per_host=pages_per_host, max_pages=max_pages)
        store.add_seeds([(toy_key(0, 0), [])])
        crawl(store, web=many_links)
        counts = store.counts()
        assert (counts["fetched"], counts["leased"]) == (expected, 0)
        assert counts["queued"] > 0
        assert not store.has_pending()
        recount(store)
        store.close()


def test_leased_pages_count_and_refused_ones_do_not(new_store):
    store = new_store(max_pages=1)
    store.add_seeds([(A, []), (OTHER, [])])
    lease = store.next_page(0.0)
    assert store.next_page(0.0) is None
    assert store.lease_key(OTHER, 0.0) is Limit
    capture = store.open_capture(lease)
    capture.state = "refused"
    store.finish(capture, 0.0)
    assert fetch(store, 0.0, state="gone") == "http://other.com/"
    assert not store.has_pending()


def test_seeds_are_sealed_before_a_page_is_fetched(tmp_path):
    n_seeds = 3 * SEED_CHUNK
    seeds = ((PageKey(f"com.h{n // 10}", f"0/{n}"), ()) for n in range(n_seeds))
    store = CrawlStore(tmp_path, commit=CommitPolicy(seal_pages=SEED_CHUNK // 2))
    assert store.add_seeds(seeds).new == n_seeds
    with store.journal.read() as txn:
        memory = page_memory(txn)
    assert memory.n_pages == n_seeds
    assert memory.tail.n < SEED_CHUNK
    store.close()
