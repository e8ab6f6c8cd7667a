from __future__ import annotations

import dataclasses
import time
from collections import Counter

import pytest

from crawler.durable.page_state import PageState, unpack_head
from crawler.errors import FormatError, InputError
from crawler.frontier.crawl_store import CrawlStore, check_corpus
from crawler.frontier.frontier import Busy, Limit, Seen
from crawler.frontier.policy import CommitPolicy, FrontierPolicy
from crawler.page.links import LinkKind
from crawler.urls import PageKey, page_key
from crawler.webgraph.host_rows import scan_hosts
from tests.toy_crawl import (
    N_HOSTS,
    SEEDS,
    Answer,
    Arrays,
    answer,
    crawl,
    fill,
    open_store,
    toy_key,
)

A, B, C = (PageKey("com.a", f"0/{name}") for name in "abc")
OTHER = PageKey("com.other", "0/")


@pytest.fixture
def new_store(tmp_path):
    """Return a maker of stores in one folder; the one before is closed as a crash would leave it."""
    stores = []

    def make(*, group_pages=1, sync_secs=0.2, **policy):
        for store in stores:
            store.journal.close()
        policy = FrontierPolicy(**{"host_delay_secs": 1.0, **policy})
        commit = CommitPolicy(group_pages=group_pages, sync_secs=sync_secs)
        stores.append(CrawlStore(tmp_path / "corpus", policy=policy, commit=commit))
        return stores[-1]

    yield make
    for store in stores:
        store.journal.close()


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


def test_digests_and_simhashes_are_committed_with_the_page(new_store):
    store = new_store(host_delay_secs=0, group_pages=2)
    store.add_seeds([(A, []), (B, [])])
    extra = [("extra", b"name", b"value")]
    fetch(store, 0.0, digest=b"d" * 16, simhash=2**64 - 1, puts=extra)
    assert store.find_digest(b"d" * 16) is None
    fetch(store, 0.0, digest=b"d" * 16, simhash=5)
    assert store.url_of(store.find_digest(b"d" * 16)) == "http://a.com/a"  # the first stays
    assert list(store.simhashes()) == [(0, 2**64 - 1), (1, 5)]
    with store.journal.read() as txn:
        assert txn.get("extra", b"name") == b"value"


def test_a_rejected_page_leaves_no_digest(new_store):
    store = new_store(host_delay_secs=0)
    store.add_seeds([(A, [])])
    capture = store.open_capture(store.next_page(0.0))
    capture.digest, capture.simhash = b"d" * 16, 3
    capture.reject(stage="quality", reason="short_text")
    store.finish(capture, 0.0)
    assert store.find_digest(b"d" * 16) is None
    assert list(store.simhashes()) == []


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


# --- folders ------------------------------------------------------------------------------------


def test_a_corpus_that_is_being_written(new_store, tmp_path):
    new_store()
    with pytest.raises(InputError, match="another process is crawling"):
        check_corpus(tmp_path / "corpus")
    with pytest.raises(InputError, match="another process is crawling"):
        CrawlStore(tmp_path / "corpus")


def test_the_check_of_a_new_folder_writes_nothing(tmp_path):
    check_corpus(tmp_path / "new" / "corpus")
    assert not list(tmp_path.iterdir())
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match="is a file, not a folder"):
        check_corpus(tmp_path / "file")
    with pytest.raises(InputError, match="cannot make the folder"):
        CrawlStore(tmp_path / "file")


def sealed(folder):
    store = open_store(folder)
    store.add_seeds(SEEDS)
    crawl(store)
    store.close()
    return sorted((folder / "documents").iterdir())


def opened_and_checked(folder):
    yield lambda: check_corpus(folder)
    yield lambda: CrawlStore(folder)


def test_a_missing_shard_is_refused(tmp_path):
    sealed(tmp_path)[1].unlink()
    for opener in opened_and_checked(tmp_path):
        with pytest.raises(FormatError, match=r"000002.parquet is missing; restore it"):
            opener()


def test_a_short_shard_is_refused(tmp_path):
    file = sealed(tmp_path)[0]
    file.write_bytes(file.read_bytes()[:100])
    for opener in opened_and_checked(tmp_path):
        with pytest.raises(FormatError, match="has 100 bytes instead of"):
            opener()


def test_shards_of_another_journal_are_refused_not_removed(tmp_path):
    files = sealed(tmp_path)
    journal = tmp_path / "frontier" / "0000"
    for file in journal.iterdir():
        file.unlink()
    for _ in range(2):
        for opener in opened_and_checked(tmp_path):
            with pytest.raises(FormatError, match="not named by the journal"):
                opener()
    assert all(file.exists() for file in files)


def test_newer_shards_than_the_journal_are_refused_not_removed(tmp_path):
    files = sealed(tmp_path)
    newer = files[0].with_name("0000-000099.parquet")
    newer.write_bytes(b"")
    with pytest.raises(FormatError, match=r"000099.parquet is not named by the journal"):
        CrawlStore(tmp_path)
    assert newer.exists()


def test_other_files_are_left_alone(tmp_path):
    files = sealed(tmp_path)
    mine = files[0].with_name("mine.parquet")
    mine.write_bytes(b"")
    left = files[0].with_name("0000-000099.parquet.tmp")
    left.write_bytes(b"")
    CrawlStore(tmp_path).close()
    assert mine.exists()
    assert not left.exists()
