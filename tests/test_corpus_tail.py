"""Rows that wait to be sealed: read from records, held, and sealed by the closing pass itself."""

import pytest

from crawler.durable.records import pack_record
from pipelines.corpus.corpus import Corpus
from pipelines.corpus.schema import SCHEMAS
from pipelines.corpus.tail import Tail
from tests.toy_duplicates import crawl, made_pages, picture, shuffled

TABLES = tuple(SCHEMAS)


def record(*rows):
    whole = [(table, {"url": url, "host_id": 1, "local_id": n}) for n, (table, url) in rows]
    return pack_record(whole, len(whole))


@pytest.fixture
def records():
    first = [("documents", "a"), ("rejected", "b"), ("documents", "c"), ("provisional", "d")]
    second = [("rejected", "e"), ("visits", "f")]
    third = [("provisional", "g"), ("documents", "h")]
    return [record(*enumerate(rows)) for rows in (first, second, third)]


@pytest.mark.parametrize("names", [["url"], ["local_id", "url"], ["url", "status"]])
def test_held_columns_are_those_of_the_records(records, names):
    held, plain = Tail(records), Tail(records)
    held.hold(["documents", "provisional"], ["host_id", "local_id", "url", "reason"])
    for table in TABLES:
        assert list(held.batches(table, names)) == list(plain.batches(table, names))
    urls = [url for batch in held.batches("documents", ["url"]) for url in batch["url"].to_pylist()]
    assert urls == ["a", "c", "h"]


def test_a_tail_of_nothing():
    tail = Tail([])
    tail.hold(["documents"], ["url"])
    assert list(tail.batches("documents", ["url"])) == []


def rows(folder):
    """All rows of the corpus by table, in the order of their pages."""
    corpus = Corpus.open(folder)
    ids = ("host_id", "local_id")
    return {
        table: sorted(corpus.rows(table), key=lambda row: [row[name] for name in ids])
        for table in TABLES
    }


@pytest.mark.parametrize("keep", ["longest", "first", "complete"])
def test_the_closing_pass_comes_to_the_same_of_what_waits(tmp_path, keep):
    pages = shuffled(made_pages(), 3)
    found = []
    for seal_rows in (1, 7, 10_000):
        folder = tmp_path / str(seal_rows)
        crawl(folder, pages, SEAL_ROWS=seal_rows, DEDUP_KEEP=keep)
        found.append((rows(folder), picture(folder)))
    assert found[0] == found[1] == found[2]
    assert found[0][0]["rejected"]


def test_what_waits_is_written_once(tmp_path):
    crawl(tmp_path, made_pages(), SEAL_ROWS=10_000)
    corpus = Corpus.open(tmp_path)
    assert [shard.name for shard in corpus.shards] == [
        "documents/0000-000001.parquet",
        "rejected/0000-000001.parquet",
    ]
    assert list(corpus.tail.batches("documents", ["url"])) == []
