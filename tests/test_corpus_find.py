"""Rows of a corpus by PageId and URL, against a look at all rows."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.errors import FormatError
from crawler.items import Page
from pipelines.corpus.corpus import Corpus
from pipelines.corpus.stale import Stale
from tests.laws_corpus import AT, url, write_pages


def packed(row):
    return row["host_id"] << 32 | row["local_id"]


@pytest.fixture(scope="module")
def corpus(small_crawl):
    return Corpus.open(small_crawl[1])


@pytest.fixture(scope="module")
def rows(corpus):
    return {table: list(corpus.rows(table)) for table in ("documents", "rejected")}


@given(st.data())
@settings(max_examples=20)
def test_rows_are_found_by_their_ids(corpus, rows, data):
    table = data.draw(st.sampled_from(sorted(rows)))
    known = [packed(row) for row in rows[table]]
    wanted = data.draw(st.lists(st.sampled_from(known) | st.integers(0, 2**63), max_size=8))
    found = list(corpus.find(table, np.array(wanted, dtype=np.uint64)))
    assert found == [row for row in rows[table] if packed(row) in wanted]


def test_a_url_has_the_page_of_its_row(corpus, rows):
    for row in rows["documents"][::40]:
        assert corpus.pages_of_url("documents", row["url"]).tolist() == [packed(row)]
    assert corpus.pages_of_url("documents", "http://none.example/").tolist() == []


def test_rows_that_are_not_sealed_are_found_too(tmp_path):
    write_pages(tmp_path, [Page(3, i, url(i), "a.com", AT, 200, text=f"t{i}") for i in range(5)])
    corpus = Corpus.open(tmp_path)
    pages = np.array([3 << 32 | 4, 3 << 32, 9], dtype=np.uint64)
    assert [row["text"] for row in corpus.find("documents", pages, ["text"])] == ["t0", "t4"]
    assert corpus.pages_of_url("documents", url(2)).tolist() == [3 << 32 | 2]
    assert list(corpus.find("documents", np.zeros(0, np.uint64))) == []


def test_rows_that_a_later_visit_replaced_are_not_found(small_crawl, rows):
    corpus = Corpus.open(small_crawl[1])
    old, other = rows["documents"][5], rows["documents"][6]
    at = int(old["fetched_at"].timestamp()) * 1_000_000 + old["fetched_at"].microsecond
    corpus._stale = Stale([(struct.pack(">Qq", packed(old), at), b"changed")])
    pages = np.array([packed(old), packed(other)], dtype=np.uint64)
    assert list(corpus.find("documents", pages)) == [other]
    assert old not in list(corpus.documents())


def test_damage_and_wrong_names_are_told(small_crawl, tmp_path):
    corpus = Corpus.open(small_crawl[1])
    pages = np.array([1], dtype=np.uint64)
    with pytest.raises(ValueError, match="table must be one of"):
        list(corpus.find("visits", pages))
    with pytest.raises(ValueError, match="column must be one of"):
        list(corpus.find("documents", pages, ["words"]))
    corpus.corpus_dir = tmp_path  # its files are not there
    with pytest.raises(FormatError, match="is damaged"):
        list(corpus.find("documents", pages))
