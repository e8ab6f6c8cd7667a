"""Rows that wait to be sealed: read from records, held, and sealed by the closing pass itself."""

import msgpack
import pytest

from crawler.durable.records import pack_record, unpack_record, unpacked_bytes
from pipelines.corpus.corpus import Corpus
from pipelines.corpus.schema import SCHEMAS
from pipelines.corpus.tail import Tail
from pipelines.jobs.dedup import closing
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


@pytest.mark.parametrize("names", [["url"], ["local_id", "url"], ["url", "status"]])
def test_whole_rows_are_held_where_they_are_few(records, names):
    size = sum(map(unpacked_bytes, records))
    assert size == sum(len(msgpack.packb(unpack_record(each), datetime=True)) for each in records)
    few, many, plain = Tail(records), Tail(records), Tail(records)
    assert few.hold(["documents"], ["url"], n_bytes=size) == size
    assert many.hold(["documents"], ["url"], n_bytes=size - 1) == 0
    assert list(few.row_groups()) == list(many.row_groups()) == list(plain.row_groups())
    for table in TABLES:
        found, expected = (
            [row for batch in tail.batches(table, names) for row in batch.to_pylist()]
            for tail in (few, plain)
        )
        assert found == expected
    assert len(list(few.batches("documents", names))) == 1
    assert len(list(many.batches("documents", names))) == 2


@pytest.mark.parametrize("n_bytes", [0, 1])
def test_a_tail_of_nothing(n_bytes):
    tail = Tail([])
    tail.hold(["documents"], ["url"], n_bytes=n_bytes)
    assert list(tail.batches("documents", ["url"])) == list(tail.row_groups()) == []


def rows(folder):
    """All rows of the corpus by table, in the order of their pages."""
    corpus = Corpus.open(folder)
    ids = ("host_id", "local_id")
    return {
        table: sorted(corpus.rows(table), key=lambda row: [row[name] for name in ids])
        for table in TABLES
    }


@pytest.mark.slow
@pytest.mark.parametrize("keep", ["longest", "first", "complete"])
def test_the_closing_pass_comes_to_the_same_of_what_waits(tmp_path, keep, monkeypatch):
    pages = shuffled(made_pages(), 3)
    found = []
    # Of 2**40 no byte is left: the rows that wait are not held whole.
    for seal_rows, share in ((1, 32), (7, 32), (10_000, 32), (10_000, 2**40)):
        monkeypatch.setattr(closing, "_SHARE_OF_MEMORY", share)
        folder = tmp_path / f"{seal_rows} {share}"
        crawl(folder, pages, SEAL_ROWS=seal_rows, DEDUP_KEEP=keep)
        found.append((rows(folder), picture(folder)))
    assert all(each == found[0] for each in found)
    assert found[0][0]["rejected"]


def test_what_waits_is_written_once(tmp_path):
    crawl(tmp_path, made_pages(), SEAL_ROWS=10_000)
    corpus = Corpus.open(tmp_path)
    assert [shard.name for shard in corpus.shards] == [
        "documents/0000-000001.parquet",
        "rejected/0000-000001.parquet",
    ]
    assert list(corpus.tails["0000"].batches("documents", ["url"])) == []


def test_the_documents_of_a_told_corpus_are_told_each_time_they_are_read(tmp_path):
    pages = made_pages()
    crawl(tmp_path, pages)
    corpus, told = Corpus.open(tmp_path), []
    telling = corpus.told(lambda *numbers: told.append(numbers))
    n_documents = corpus.n_rows("documents")
    assert told == []
    for _ in range(2):
        assert [*telling.batches("rejected", ["url"])]
        assert told == []
        assert sum(batch.num_rows for batch in telling.batches("documents", ["url"])) == n_documents
        assert told[-1] == (n_documents, n_documents)
        told.clear()
    assert [*corpus.told(None).batches("documents", ["url"])]
    assert told == []
