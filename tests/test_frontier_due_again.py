"""Pages that are due again in the store: what is queued, limits, dead hosts, and the rows of the corpus."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from crawler.durable.journal import Journal
from crawler.durable.journals import open_writers
from crawler.durable.layout import journal_folder
from crawler.durable.visits import STALE, Validators, microseconds, stale_key, unpack_visit
from crawler.frontier.hosts.health import HOST_DEAD
from crawler.frontier.revisits import RecrawlPolicy
from crawler.frontier.steering.host_yields import HostYields
from crawler.frontier.steering.page_worth import PageWorth, Worth
from crawler.frontier.steering.steering import Steering
from crawler.webgraph.graph import Graph
from pipelines.corpus.corpus import Corpus
from pipelines.jobs.replacing import move_stale
from tests.dedup_corpus import make_corpus
from tests.laws_corpus import AT
from tests.toy_crawl import Arrays
from tests.toy_store import A, B, C, StoreMaker, fetch, recount, state_of

FIRST = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
LATER = FIRST + timedelta(days=7)
OLD, NEW = Validators(b"o" * 16, b'"1"', b"then"), Validators(b"n" * 16, b'"2"', b"")
AT_ONCE = RecrawlPolicy(0.0, 5)


@pytest.fixture
def make(tmp_path):
    maker = StoreMaker(tmp_path / "corpus")
    yield maker
    maker.leave()


def visit(store, now, when, *, text="text", validators=OLD, **values):
    """Fetch the next page at *when*; return its URL and its last visit before."""
    lease = store.next_page(now)
    if lease is None:
        return None
    capture = store.open_capture(lease)
    capture.fetched_at, capture.status, capture.validators = when, 200, validators
    capture.keep(
        {
            "host_id": capture.host_id, "local_id": capture.local_id, "url": lease.url,
            "fetched_at": when, "text": text,
        }
    )  # fmt: skip
    earlier = capture.earlier
    for name, value in values.items():
        setattr(capture, name, value)
    store.finish(capture, now)
    return lease.url, earlier


def test_fetched_pages_are_due_again(make):
    store = make(pages_per_host=3, max_pages=3)
    store.add_seeds([(A, []), (B, []), (C, [])])
    assert visit(store, 0.0, FIRST) == ("http://a.com/a", None)
    visit(store, 1.0, LATER)
    fetch(store, 2.0, state="gone", status=404, fetched_at=FIRST)
    assert store.next_page(9.0) is None
    assert store.queue_again(microseconds(FIRST), AT_ONCE) == 0
    assert store.queue_again(microseconds(FIRST) + 1, RecrawlPolicy(0.0, 0)) == 1
    assert (
        store.queue_again(microseconds(LATER), RecrawlPolicy(0.0, 0)) == 0
    )  # it is queued already
    assert (state_of(store, A), state_of(store, B), state_of(store, C)) == (
        "QUEUED", "FETCHED", "GONE",
    )  # fmt: skip
    recount(store)
    # It goes on after a crash, without being told again.
    store = make(pages_per_host=3, max_pages=3)
    recount(store)
    assert store.next_page(20.0) is None  # the host waits once more
    url, earlier = visit(store, 22.0, LATER, links=Arrays([B]))
    assert (url, earlier.validators) == ("http://a.com/a", OLD)
    assert store.next_page(30.0) is None
    lease = store.frontier.read_leases(np.zeros(1, dtype=np.uint64))[0]
    assert unpack_visit(lease.visited).visited_us == microseconds(LATER)
    recount(store)


def test_rows_and_arcs_of_the_last_visit(make, tmp_path):
    corpus = tmp_path / "corpus"
    store = make()
    store.add_seeds([(A, []), (B, [])])
    visit(store, 0.0, FIRST, text="old a", links=Arrays([B]))
    visit(store, 1.0, FIRST, text="old b", links=Arrays([A]))
    store.queue_again(microseconds(LATER), AT_ONCE)
    visit(store, 2.0, LATER, text="new a", validators=NEW, links=Arrays([C, A]))
    visit(store, 3.0, LATER, unchanged="not_modified")
    for is_moved in (False, True):
        if is_moved:
            assert move_stale(corpus, [store.journal]) == 1
            assert move_stale(corpus, [store.journal]) == 0
        folder = Corpus(corpus, store.journal)
        rows = {row["url"]: row["text"] for row in folder.documents(["url", "text"])}
        assert rows == {"http://a.com/a": "new a", "http://a.com/b": "old b"}
        [old] = folder.replaced()
        assert (old["text"], old["reason"], old["fetched_at"]) == ("old a", "changed", FIRST)
        [unchanged] = folder.visits()
        assert (unchanged["url"], unchanged["outcome"]) == ("http://a.com/b", "not_modified")
        assert folder.n_rows("documents") == 2
    store.close()
    with Graph.open(corpus) as graph:
        sources, targets, _ = graph.arcs()
        assert list(zip(sources.tolist(), targets.tolist(), strict=True)) == [
            (0, 0),
            (0, 2),
            (1, 0),
        ]


def miss(store, now, when, *, status=404):
    """Fetch the next page at *when*, which is not there; return its URL."""
    lease = store.next_page(now)
    if lease is None:
        return None
    capture = store.open_capture(lease)
    capture.fetched_at, capture.status, capture.state = when, status, "gone"
    capture.reject(stage="fetch", reason=f"status_{status}")
    store.finish(capture, now)
    return lease.url


def test_pages_that_were_missed_are_due_again_and_limits_count_them_as_not_fetched(make):
    store = make(pages_per_host=2, max_pages=2)
    store.add_seeds([(A, []), (B, []), (C, [])])
    assert [miss(store, now, FIRST) for now in (0.0, 1.0, 2.0)] == [
        "http://a.com/a", "http://a.com/b", None,
    ]  # fmt: skip
    assert store.queue_again(microseconds(LATER), RecrawlPolicy(0.0, 0)) == 0
    assert store.queue_again(microseconds(LATER), RecrawlPolicy(3.5 * 86_400 + 1)) == 0
    assert store.queue_again(microseconds(LATER), RecrawlPolicy(3.5 * 86_400 - 1)) == 2
    recount(store)
    store = make(pages_per_host=2, max_pages=2)
    assert miss(store, 20.0, LATER) == "http://a.com/a"
    assert visit(store, 21.0, LATER)[1].n_missed == 1
    assert store.next_page(22.0) is None
    recount(store)
    store.close()
    rows = list(Corpus.open(store.corpus_dir).rejected(["url", "fetched_at"]))
    assert rows == [{"url": "http://a.com/a", "fetched_at": FIRST}]


def die(store, now):
    """Have the next page's host die; return the pages that are given up with it."""
    lease = store.next_page(now)
    assert store.host_failed(lease.host_id, now, answered=False).is_dead
    store.release(lease, now)
    return store.refuse_host(lease.host_id, HOST_DEAD)


def test_a_dead_host_is_asked_once_more(make):
    policy = {"host_delay_secs": 0, "park_errors": 1, "parks": 1, "park_secs": 0.0, "max_pages": 3}
    store = make(**policy)
    store.add_seeds([(A, []), (B, []), (C, [])])
    visit(store, 0.0, FIRST)
    store.host_failed(0, 0.0, answered=False)
    assert die(store, 1.0) == 2
    # Found and refused alike.
    assert store.queue_again(2 * microseconds(LATER), AT_ONCE) == 3
    recount(store)
    store = make(**policy)
    assert not store.is_dead(0)
    assert die(store, 2.0) == 3
    assert [state_of(store, key) for key in (A, B, C)] == ["FETCHED", "REFUSED", "REFUSED"]
    assert store.frontier.hosts.total_spent == 1
    recount(store)
    assert store.queue_again(4 * microseconds(LATER), AT_ONCE) == 3
    store.host_answered(0)
    assert [visit(store, 3.0, LATER)[0][-1] for _ in "abc"] == ["a", "b", "c"]
    assert not store.is_dead(0)


def test_steering_takes_no_row_back(make):
    store = make(host_delay_secs=0)
    store.add_seeds([(A, [])])
    visit(store, 0.0, FIRST, links=Arrays([B]))
    visit(store, 0.0, FIRST, text="b")
    yields = HostYields(0.01)
    poor = PageWorth(0, "http://a.com/", "a.com", Worth.KEPT, clean_bytes=0, raw_bytes=9_000)
    for _ in range(20):
        yields.learn(poor)
    store.frontier.steering = Steering(None, yields)
    assert store.queue_again(microseconds(LATER), AT_ONCE) == 2
    visit(store, 1.0, LATER, unchanged="not_modified")
    assert store.next_page(2.0) is None
    assert (state_of(store, A), state_of(store, B)) == ("FETCHED", "FETCHED")
    store.close()
    folder = Corpus.open(store.corpus_dir)
    assert [row["url"][-1] for row in folder.documents(["url"])] == ["a", "b"]
    assert list(folder.rejected()) == []
    outcomes = {row["url"][-1]: row["outcome"] for row in folder.visits()}
    assert outcomes == {"a": "not_modified", "b": "low_yield"}


def test_what_names_a_row_of_another_folder_stays_until_both_are_merged(tmp_path):
    """It was forgotten at the end of the crawl of the shard to which the host had come: its pages had two rows then."""
    make_corpus(tmp_path, {f"http://a.com/{number}": [f"text {number}"] for number in range(3)})
    folder = journal_folder(tmp_path, "0001")
    folder.mkdir()
    journal = Journal.open_writer(folder)
    key = stale_key((1 << 32) + 1, microseconds(AT + timedelta(seconds=1)))
    journal.write(lambda txn: txn.put(STALE, key, b"changed"))
    journal.close()
    with open_writers(tmp_path) as journals:
        assert move_stale(tmp_path, [each for each in journals if each.shard == "0001"]) == 0
        for n_moved in (1, 0):
            corpus = Corpus(tmp_path, *journals)
            assert sorted(row["local_id"] for row in corpus.documents()) == [0, 2]
            assert [(row["local_id"], row["reason"]) for row in corpus.replaced()] == [
                (1, "changed")
            ]
            assert move_stale(tmp_path, journals) == n_moved
        for each in journals:
            with each.read() as txn:
                assert not list(txn.scan(STALE))
