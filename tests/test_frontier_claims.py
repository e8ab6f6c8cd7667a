from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from crawler.durable.keys import u64_key
from crawler.durable.visits import VISITED, unpack_visit
from crawler.frontier.leases.lease import Limit, Seen
from crawler.frontier.outcome import GONE, REFUSED
from crawler.frontier.store.claims import Claim, Verdict
from crawler.urls import PageKey
from pipelines.corpus.corpus import Corpus
from tests.toy_crawl import open_store

A, B = PageKey("com.a", "0/a"), PageKey("com.a", "0/b")
AT = datetime(2020, 5, 6, 7, 8, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)

TAKE, DONE, REPLACED = Verdict.TAKE, Verdict.DONE, Verdict.REPLACED
CLAIMS = [
    Claim(A, AT, "1.warc.gz:0"),
    Claim(B, AT, "1.warc.gz:900"),
    Claim(A, AT - HOUR, "1.warc.gz:1800"),
    Claim(A, AT, "2.warc.gz:0"),
]
LATER = Claim(A, AT + HOUR, "0.warc.gz:0")


def take(store, key, fetched_at=AT, state=None):
    """Have the page be captured as of *fetched_at*: kept, or rejected with *state*."""
    capture = store.open_capture(store.lease_key(key, 0.0, polite=False))
    capture.is_stored, capture.fetched_at = True, fetched_at
    if state is None:
        names = ("host_id", "local_id", "url", "fetched_at")
        capture.keep({name: getattr(capture, name) for name in names})
    else:
        capture.state = state
        capture.reject(stage="fetch", reason="status_503")
    store.finish(capture, 0.0)
    store.flush()


def restarted(store, folder):
    """The store of *folder*, opened again after *store* was killed."""
    store.journal.close()
    return open_store(folder)


def replaced(folder):
    return [
        (row["url"], row["fetched_at"], row["source"]) for row in Corpus.open(folder).replaced()
    ]


def dates(folder):
    """When the captures in the corpus are of; one of two rows of a page would be lost."""
    rows = [*Corpus.open(folder).documents(["fetched_at"]), *Corpus.open(folder).rejected()]
    return [row["fetched_at"] for row in rows]


ROWS = [("http://a.com/a", AT, "2.warc.gz:0"), ("http://a.com/a", AT - HOUR, "1.warc.gz:1800")]


def test_the_first_of_equal_dates_has_the_page(tmp_path):
    store = open_store(tmp_path)
    assert store.claim(CLAIMS) == [TAKE, TAKE, REPLACED, REPLACED]
    assert replaced(tmp_path) == ROWS
    assert not store.has_pending()  # claimed pages are known, not queued
    take(store, A)
    assert store.claim(CLAIMS[:1]) == [DONE]
    store.close()
    assert replaced(tmp_path) == ROWS


def test_over_restarts(tmp_path):
    store = open_store(tmp_path)
    store.claim(CLAIMS[:3])
    take(store, A)
    store = restarted(store, tmp_path)
    assert store.claim(CLAIMS) == [DONE, TAKE, REPLACED, REPLACED]
    take(store, B)
    assert store.lease_key(B, 0.0, polite=False) is Seen
    store.close()
    assert sorted(replaced(tmp_path)) == sorted(ROWS)
    assert Corpus.open(tmp_path).n_rows("replaced") == 2


def test_a_page_that_was_fetched_later_than_what_is_stored(tmp_path):
    store = open_store(tmp_path, host_delay_secs=0)
    store.add_seeds([(A, [])])
    capture = store.open_capture(store.next_page(0.0))
    capture.fetched_at = AT + HOUR
    store.finish(capture, 0.0)
    assert store.claim(CLAIMS) == [REPLACED, TAKE, REPLACED, REPLACED]
    assert store.claim([LATER]) == [REPLACED]
    assert store.claim([Claim(A, AT + 2 * HOUR, "3.warc.gz:0")]) == [REPLACED]  # it is out
    store.flush()
    assert store.claim([Claim(A, AT + 2 * HOUR, "4.warc.gz:0")]) == [TAKE]
    store.close()
    assert Corpus.open(tmp_path).n_rows("replaced") == 5


@pytest.mark.parametrize("is_committed", [True, False])
def test_a_later_capture_takes_the_page(tmp_path, is_committed):
    store = open_store(tmp_path)
    store.claim(CLAIMS[:1])
    if is_committed:
        take(store, A)
    assert store.claim([LATER]) == [TAKE]
    store = restarted(store, tmp_path)
    assert dates(tmp_path) == [AT] * is_committed
    assert store.claim([CLAIMS[0], LATER]) == [REPLACED, TAKE]
    take(store, A, LATER.fetched_at)
    store = restarted(store, tmp_path)
    assert store.claim([CLAIMS[0], LATER]) == [REPLACED, DONE]
    store.close()
    assert dates(tmp_path) == [LATER.fetched_at]
    source = None if is_committed else CLAIMS[0].source
    assert replaced(tmp_path) == [("http://a.com/a", AT, source)]


def test_an_error_takes_nothing_back(tmp_path):
    store = open_store(tmp_path)
    error = Claim(A, AT + HOUR, "1.warc.gz:0", is_answer=False)
    assert store.claim([error]) == [TAKE]
    take(store, A, error.fetched_at, GONE)
    # As late as the error: both have a row, by another time.
    answer = Claim(A, AT + HOUR, "2.warc.gz:0")
    assert store.claim([answer]) == [TAKE]
    take(store, A, answer.fetched_at)
    last = Claim(A, AT + 2 * HOUR, "3.warc.gz:0", is_answer=False)
    assert store.claim([last, error, answer]) == [REPLACED, REPLACED, DONE]
    store.close()
    (when,) = dates(tmp_path)
    assert timedelta(0) < when - answer.fetched_at < timedelta(milliseconds=1)
    assert sorted(when for _, when, _ in replaced(tmp_path)) == [error.fetched_at, last.fetched_at]


def test_files_of_one_name(tmp_path):
    store = open_store(tmp_path)
    store.claim(CLAIMS[:1])
    take(store, A)
    source = CLAIMS[0].source
    assert store.claim([Claim(A, AT + HOUR, source)]) == [TAKE]
    for _ in range(2):
        earlier = [Claim(A, AT - hours * HOUR, source) for hours in (1, 2)]
        assert store.claim(earlier) == [REPLACED, REPLACED]
    store.close()
    assert replaced(tmp_path) == [("http://a.com/a", each.fetched_at, source) for each in earlier]


def test_limits_count_a_page_once(tmp_path):
    store = open_store(tmp_path, max_pages=1)
    store.claim(CLAIMS[:1])
    take(store, A)
    assert store.frontier.hosts.is_spent
    store.claim([LATER])
    take(store, A, LATER.fetched_at)
    assert store.frontier.hosts.total_spent == 1
    assert store.counts()["fetched"] == 1
    store.close()


def test_a_page_that_was_rejected_without_a_visit_keeps_its_row(tmp_path):
    store = open_store(tmp_path)
    store.claim(CLAIMS[:1])
    capture = store.open_capture(store.lease_key(A, 0.0, polite=False))
    capture.state, capture.fetched_at = REFUSED, AT
    capture.reject(stage="crash", reason="crash")
    store.finish(capture, 0.0)
    store.flush()
    assert store.claim([LATER]) == [REPLACED]
    store.close()
    assert dates(tmp_path) == [AT]


def test_a_claim_that_has_no_date(tmp_path):
    """Of a release that took the first capture: the visit tells its date."""
    store = open_store(tmp_path)
    store.claim(CLAIMS[:2])
    take(store, A)
    ids = [int(page_id) for page_id in store.lookup([A, B]).ids]
    rows = [
        (u64_key(page), claim.source.encode()) for page, claim in zip(ids, CLAIMS, strict=False)
    ]
    store.journal.write(lambda txn: txn.put_many("claims", rows))
    assert store.claim(CLAIMS) == [DONE, TAKE, REPLACED, REPLACED]
    assert store.claim([LATER]) == [TAKE]
    take(store, A, LATER.fetched_at)
    with store.journal.read() as txn:
        assert unpack_visit(txn.get(VISITED, u64_key(ids[0]))).captured_us == 1588752489000000
    store.close()
    assert dates(tmp_path) == [LATER.fetched_at]


@pytest.mark.parametrize("limit", ["max_pages", "pages_per_host"])
def test_a_page_to_be_captured_again_leaves_its_place_to_no_other(tmp_path, limit):
    store = open_store(tmp_path, **{limit: 1})
    store.claim([CLAIMS[0], CLAIMS[1]])
    take(store, A)
    assert store.claim([LATER]) == [TAKE]
    assert store.lease_key(B, 0.0, polite=False) is Limit
    take(store, A, LATER.fetched_at)
    assert store.lease_key(B, 0.0, polite=False) is Limit
    assert store.frontier.hosts.total_spent == 1
    store.close()
    assert dates(tmp_path) == [LATER.fetched_at]


def test_a_lower_limit_gives_no_place_of_a_page_away(tmp_path):
    store = open_store(tmp_path)
    store.claim(CLAIMS[:2])
    take(store, A)
    take(store, B)
    store.close()
    store = open_store(tmp_path, max_pages=1)
    assert store.claim([LATER]) == [TAKE]
    take(store, A, LATER.fetched_at)
    assert store.frontier.hosts.total_spent == 2
    store.close()
    assert sorted(dates(tmp_path)) == [AT, LATER.fetched_at]
