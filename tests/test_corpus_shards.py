from __future__ import annotations

import dataclasses
import json
from datetime import UTC, datetime

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from crawler.durable import parquet
from crawler.durable.files import TEMPORARY
from crawler.durable.journal import Journal, next_number
from crawler.durable.layout import journal_folder
from crawler.durable.parquet import column_paths
from crawler.durable.records import pack_record
from crawler.durable.sealing import Shard, append_record
from crawler.errors import FormatError, InputError
from crawler.items import COLUMNS, Page
from pipelines.corpus import shards
from pipelines.corpus.corpus import Corpus
from pipelines.corpus.manifest import (
    check_overwritten,
    read_manifest,
    settings_digest,
    write_manifest,
)
from pipelines.corpus.rows import document_row
from pipelines.corpus.schema import DISTINCT, DOCUMENTS, REJECTED, REPLACED
from pipelines.corpus.shards import ShardSealer
from tests.toy_crawl import SEEDS, crawl, open_store

AT = datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=UTC)
BLOCK = {
    "text": "Ein Satz.",
    "kind": "paragraph",
    "segment": None,
    "label": "main",
    "kept": True,
    "words": 2,
    "link_density": 0.5,
    "text_density": 2.0,
    "path": "body/p",
}


def page(local_id, **values):
    url = f"http://a.com/{local_id}"
    found = Page(host_id=3, local_id=local_id, url=url, host="a.com", fetched_at=AT, status=200)
    return dataclasses.replace(found, **values)


FULL = page(
    1,
    language="de",
    language_score=0.25,
    category=["Top/A", "Top/B"],
    text="Ein Satz.",
    blocks=[BLOCK],
    n_words=2,
    digest="00112233445566778899aabbccddeeff",
    simhash=2**64 - 1,
    raw_bytes=2**32 - 1,
)


def append(journal, *rows):
    def work(txn):
        append_record(txn, "docs", next_number(txn, "sequence"), pack_record(rows, len(rows)))

    journal.write(work)


@pytest.fixture
def journal(tmp_path):
    journal = Journal.open_writer(journal_folder(tmp_path))
    yield journal
    journal.close()


def rejection(local_id):
    url = f"http://a.com/{local_id}"
    return {"host_id": 3, "local_id": local_id, "url": url, "reason": "short_text"}


def test_the_columns_are_those_of_the_item():
    assert sorted(DOCUMENTS.names) == sorted(COLUMNS)
    assert DOCUMENTS.field("simhash").type == pa.uint64()
    assert DOCUMENTS.field("digest").type == pa.binary(16)
    for schema in (DOCUMENTS, REJECTED, REPLACED):
        assert schema.names[:3] == ["host_id", "local_id", "url"]
        assert schema.metadata == {b"winnow.format": b"1"}


@pytest.mark.parametrize("sealed", [False, True])
def test_a_document_comes_back(journal, tmp_path, sealed):
    append(journal, ("documents", document_row(FULL)))
    if sealed:
        assert ShardSealer(tmp_path, rows=1, n_bytes=2**20)(journal) == 1
    corpus = Corpus.open(tmp_path)
    (row,) = corpus.documents()
    expected = document_row(FULL)
    assert row == expected
    assert list(row) == DOCUMENTS.names
    assert row["digest"] == bytes.fromhex(FULL.digest)
    assert list(corpus.documents(["url", "simhash"])) == [
        {"url": "http://a.com/1", "simhash": 2**64 - 1}
    ]


def test_documents_and_the_rest_are_sealed_together(journal, tmp_path):
    append(journal, ("documents", document_row(page(1))), ("rejected", rejection(2)))
    append(journal, ("rejected", rejection(3)))
    sealer = ShardSealer(tmp_path, rows=4, n_bytes=2**20)
    assert sealer(journal) == 0
    assert sealer(journal, force=True) == 2
    append(journal, ("rejected", rejection(4)))
    assert sealer(journal, force=True) == 1
    assert sealer(journal, force=True) == 0
    corpus = Corpus.open(tmp_path)
    assert [(shard.name, shard.rows) for shard in corpus.shards] == [
        ("documents/0000-000001.parquet", 1),
        ("rejected/0000-000001.parquet", 2),
        ("rejected/0000-000002.parquet", 1),
    ]
    assert [row["local_id"] for row in corpus.rejected()] == [2, 3, 4]
    assert list(corpus.replaced()) == []
    assert [corpus.n_rows(table) for table in ("documents", "rejected", "replaced")] == [1, 3, 0]


def test_a_shard_is_due_by_rows_or_by_bytes(journal, tmp_path):
    by_rows = ShardSealer(tmp_path, rows=3, n_bytes=2**20)
    by_bytes = ShardSealer(tmp_path, rows=100, n_bytes=600)
    for number in range(2):
        append(journal, ("rejected", rejection(number)))
        assert by_rows(journal) == by_bytes(journal) == 0
    append(journal, ("rejected", rejection(3)))
    assert by_rows(journal) == 1
    while not by_bytes(journal):
        append(journal, ("documents", document_row(page(9, text="x"))))
    assert Corpus.open(tmp_path).n_rows("documents") >= 1


def test_row_groups_are_bounded(journal, tmp_path):
    for number in range(12):
        rows = [("documents", document_row(page(number * 100 + n))) for n in range(100)]
        append(journal, *rows)
    ShardSealer(tmp_path, rows=1, n_bytes=1)(journal)
    metadata = pq.read_metadata(tmp_path / "documents" / "0000-000001.parquet")
    sizes = [metadata.row_group(n).num_rows for n in range(metadata.num_row_groups)]
    assert sizes == [500, 500, 200]
    assert metadata.row_group(0).column(2).compression == "ZSTD"


def test_values_that_seldom_come_again_have_neither_dictionary_nor_bounds(journal, tmp_path):
    append(journal, ("documents", document_row(FULL)))
    ShardSealer(tmp_path, rows=1, n_bytes=1)(journal)
    metadata = pq.read_metadata(tmp_path / "documents" / "0000-000001.parquet")
    columns = [metadata.row_group(0).column(n) for n in range(metadata.num_columns)]
    assert [column.path_in_schema for column in columns] == column_paths(DOCUMENTS)
    assert set(column_paths(DOCUMENTS)) >= DISTINCT
    for column in columns:
        is_plain = column.path_in_schema in DISTINCT
        assert column.is_stats_set is not is_plain or column.statistics is None
        if is_plain:
            assert "RLE_DICTIONARY" not in column.encodings


def test_a_reader_is_a_snapshot(journal, tmp_path):
    append(journal, ("documents", document_row(page(1))))
    corpus = Corpus.open(tmp_path)
    append(journal, ("documents", document_row(page(2))))
    ShardSealer(tmp_path, rows=1, n_bytes=1)(journal)
    assert [row["local_id"] for row in corpus.documents()] == [1]
    assert [row["local_id"] for row in Corpus.open(tmp_path).documents()] == [1, 2]


def test_wrong_questions(journal, tmp_path):
    corpus = Corpus.open(tmp_path)
    with pytest.raises(ValueError, match=r"table must be one of documents, rejected, .*, got"):
        next(corpus.batches("ranks"))
    with pytest.raises(ValueError, match=r"column must be one of .*, got 'rank'"):
        next(corpus.documents(["rank"]))
    with pytest.raises(ValueError, match="rows must be at least 1, got 0"):
        ShardSealer(tmp_path, rows=0, n_bytes=1)


def test_a_row_of_a_later_release(journal, tmp_path):
    append(journal, ("translations", {}))
    with pytest.raises(FormatError, match="table 'translations'; use a newer release"):
        list(Corpus.open(tmp_path).documents())


def test_no_corpus(tmp_path):
    with pytest.raises(InputError, match=r"no corpus in .*; run a crawl first"):
        Corpus.open(tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_damage_is_named(tmp_path):
    store = open_store(tmp_path)
    store.add_seeds(SEEDS)
    crawl(store)
    store.close()
    file = tmp_path / "documents" / "0000-000001.parquet"
    content = bytearray(file.read_bytes())
    for where in (30, -6):
        damaged = bytearray(content)
        damaged[where] ^= 0xFF
        file.write_bytes(damaged)
        with pytest.raises(FormatError, match=r"000001.parquet is damaged \(.*\); restore"):
            list(Corpus.open(tmp_path).documents())
    file.unlink()
    with pytest.raises(FormatError, match="is missing"):
        Corpus.open(tmp_path)


# --- manifest -----------------------------------------------------------------------------------

SHARDS = [
    Shard("rejected/0000-000001.parquet", 1, 20, "docs", 1, 1, 1),
    Shard("documents/0000-000001.parquet", 5, 60, "docs", 1, 1, 1),
]


def test_the_manifest_comes_back(tmp_path):
    digest = settings_digest({"B": 1, "A": ["x"]})
    assert digest == settings_digest({"A": ["x"], "B": 1}) != settings_digest({"A": ["y"], "B": 1})
    folder = tmp_path / "corpus"
    written = write_manifest(
        folder, settings=digest, counts={"pages": 6, "hosts": 1}, shards=SHARDS
    )
    assert read_manifest(folder) == written
    value = json.loads((folder / "manifest.json").read_text())
    assert value["counts"] == {"hosts": 1, "pages": 6}
    assert [shard["name"] for shard in value["shards"]] == [
        "documents/0000-000001.parquet",
        "rejected/0000-000001.parquet",
    ]
    assert not list(folder.glob(f"*{TEMPORARY}"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"format": 2}', "has format 2, this program reads 1"),
        ("[]", "names no format; restore it from a copy, or remove it and run the crawl again"),
        ("{", "is damaged"),
        ('{"format": 1}', "is damaged"),
        ("\xff\xfe", "is damaged"),
        ("[" * 100_000, "is damaged"),
    ],
)
def test_another_manifest(journal, tmp_path, text, message):
    (tmp_path / "manifest.json").write_text(text, encoding="latin-1")
    for reader in (read_manifest, Corpus.open):
        with pytest.raises(FormatError, match=message):
            reader(tmp_path)


def test_a_crawl_overwrites_what_is_damaged_and_not_another_format(tmp_path):
    manifest = tmp_path / "manifest.json"
    check_overwritten(tmp_path)
    manifest.write_text("{")
    check_overwritten(tmp_path)
    manifest.write_text('{"format": 2}')
    with pytest.raises(FormatError, match="has format 2, this program reads 1; use the release"):
        check_overwritten(tmp_path)


def test_no_manifest(tmp_path):
    with pytest.raises(InputError, match="run a crawl first"):
        read_manifest(tmp_path)


def test_groups_of_few_rows_whose_texts_are_long(tmp_path, journal, monkeypatch):
    monkeypatch.setattr(parquet, "GROUP_BYTES", 100_000)
    monkeypatch.setattr(shards, "GROUP_BYTES", 100_000)
    # Next to nothing when it is compressed, as that of a hostile host is.
    texts = ["a b " * n for n in (10_000, 10_000, 10_000, 10, 10, 50_000, 10)]
    for number, text in enumerate(texts):
        append(journal, ("documents", document_row(page(number, text=text))))
    assert ShardSealer(tmp_path, rows=1, n_bytes=1)(journal, force=True)
    (path,) = tmp_path.glob("documents/*.parquet")
    metadata = pq.read_metadata(path)
    groups = [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]
    assert groups == [3, 3, 1]
    batches = [batch["text"].to_pylist() for batch in parquet.read_parquet(path, ["text"])]
    assert list(map(len, batches)) == groups
    assert [text for batch in batches for text in batch] == texts
