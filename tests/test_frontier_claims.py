from __future__ import annotations

from datetime import UTC, datetime

from crawler.frontier.claims import Claim, Verdict
from crawler.frontier.leases import Seen
from crawler.urls import PageKey
from pipelines.corpus.corpus import Corpus
from tests.toy_crawl import open_store

A, B = PageKey("com.a", "0/a"), PageKey("com.a", "0/b")
AT = datetime(2020, 5, 6, 7, 8, 9, tzinfo=UTC)

TAKE, DONE, REPLACED = Verdict.TAKE, Verdict.DONE, Verdict.REPLACED
CLAIMS = [
    Claim(A, AT, "1.warc.gz:0"),
    Claim(B, AT, "1.warc.gz:900"),
    Claim(A, None, "1.warc.gz:1800"),
    Claim(A, AT, "2.warc.gz:0"),
]


def take(store, key):
    store.finish(store.open_capture(store.lease_key(key, 0.0, polite=False)), 0.0)


def replaced(folder):
    return [
        (row["url"], row["fetched_at"], row["source"]) for row in Corpus.open(folder).replaced()
    ]


ROWS = [("http://a.com/a", None, "1.warc.gz:1800"), ("http://a.com/a", AT, "2.warc.gz:0")]


def test_the_first_source_has_the_page(tmp_path):
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
    store.flush()
    store.journal.close()
    store = open_store(tmp_path)
    assert store.claim(CLAIMS) == [DONE, TAKE, REPLACED, REPLACED]
    take(store, B)
    assert store.lease_key(B, 0.0, polite=False) is Seen
    store.close()
    assert replaced(tmp_path) == ROWS
    assert Corpus.open(tmp_path).n_rows("replaced") == 2


def test_a_page_that_was_fetched_without_a_claim(tmp_path):
    store = open_store(tmp_path, host_delay_secs=0)
    store.add_seeds([(A, [])])
    store.finish(store.open_capture(store.next_page(0.0)), 0.0)
    assert store.claim(CLAIMS) == [REPLACED, TAKE, REPLACED, REPLACED]
    store.close()
    assert [source for *_, source in replaced(tmp_path)] == [
        "1.warc.gz:0",
        "1.warc.gz:1800",
        "2.warc.gz:0",
    ]
