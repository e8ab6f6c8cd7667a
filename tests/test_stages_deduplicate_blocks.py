"""Duplicate blocks in a crawl: left out provisionally, decided over all pages at its end."""

from __future__ import annotations

import random

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.errors import InputError
from pipelines.corpus.corpus import Corpus
from pipelines.duplicates.exact import text_digest
from pipelines.duplicates.kept_ngrams import KeptNgrams
from pipelines.jobs.dedup.options import DedupOptions
from pipelines.jobs.dedup.run import close_corpus, dedup_corpus
from tests.toy_duplicates import ToyCrawl, crawl, made_text, picture, shuffled

ON = {"DEDUP_BLOCKS_COVERAGE": 0.5, "DEDUP_BLOCKS_BYTES": 2**20}


@pytest.fixture(scope="module")
def pages():
    """Articles, pages that quote them, a page of quotations alone, and near-duplicates."""
    rng = random.Random(9)
    texts = {f"http://a.com/{number}": made_text(rng) for number in range(6)}
    pages = dict(texts)
    for number in range(3):
        quoted = texts[f"http://a.com/{number}"][1]
        pages[f"http://b.com/{number}"] = [*made_text(rng)[:3], quoted]
    pages["http://c.com/"] = [texts[f"http://a.com/{number}"][1] for number in range(3)]
    text = texts["http://a.com/5"]
    pages["http://d.com/"] = [*text, "and some words at its end"]
    return pages


def blocks_of(folder):
    return {
        row["url"]: [(block["kept"], block["label"]) for block in row["blocks"]]
        for row in Corpus.open(folder).documents(["url", "blocks"])
    }


def test_blocks_are_left_out_as_long_as_nothing_is_decided(pages, tmp_path):
    toy = ToyCrawl(tmp_path, **ON)
    for url, blocks in pages.items():
        toy.fetch(url, blocks)
    toy.close(is_end=False)
    found = blocks_of(tmp_path)
    for number in range(3):
        assert found[f"http://b.com/{number}"] == [*[(True, "good")] * 3, (False, "duplicate:good")]
        assert found[f"http://a.com/{number}"] == [(True, "good")] * 4
    # Of a page that would have nothing left nothing goes.
    assert found["http://c.com/"] == [(True, "good")] * 3
    for row in Corpus.open(tmp_path).documents():
        kept = [block["text"] for block in row["blocks"] if block["kept"]]
        assert row["text"] == "\n".join(kept)
        assert row["n_words"] == len(row["text"].split())
        assert row["digest"] == text_digest(row["text"])
    assert toy.stats.get_value("deduplicate/pages_with_blocks_left_out") == 3
    # A whole copy is found by its whole text.
    toy = ToyCrawl(tmp_path, **ON)
    assert not toy.fetch("http://e.com/", pages["http://b.com/1"])
    # What was kept is known again.
    toy.fetch("http://f.com/", [*made_text(random.Random(1)), pages["http://a.com/4"][0]])
    toy.close(is_end=False)
    assert blocks_of(tmp_path)["http://f.com/"][-1] == (False, "duplicate:good")


def test_the_end_decides_whatever_the_order(pages, tmp_path):
    found = []
    for seed in (1, 2, 3):
        folder = tmp_path / str(seed)
        crawl(folder, shuffled(pages, seed), **ON)
        found.append((picture(folder), blocks_of(folder)))
        again = crawl(folder, {}, **ON)
        assert "deduplicate/blocks_removed" not in again
        assert (picture(folder), blocks_of(folder)) == found[-1]
    assert found[0] == found[1] == found[2]
    (documents, rejected), blocks = found[0]
    assert rejected.pop("http://c.com/") == ("duplicate_blocks", None)
    assert rejected == {"http://a.com/5": ("near_duplicate", "http://d.com/")}
    assert blocks["http://a.com/0"][1] == (True, "good")
    assert blocks["http://b.com/0"][3] == (False, "duplicate")
    # Every text is somewhere.
    kept = {line for text in documents.values() for line in text.splitlines()}
    assert kept == {block for text in pages.values() for block in text}


def test_blocks_of_a_stopped_crawl(pages, tmp_path):
    """`scrapy dedup` puts back what was left out, and decides over everything."""
    expected, stopped = tmp_path / "expected", tmp_path / "stopped"
    crawl(expected, pages)
    for settings, folder in (({}, expected), (ON, stopped)):
        toy = ToyCrawl(folder, **settings)
        for url, blocks in pages.items() if folder is stopped else ():
            toy.fetch(url, blocks)
        toy.close(is_end=False)
    provisional = Corpus.open(stopped).n_rows("provisional")
    assert provisional == 1
    block = DedupOptions(unit="block")
    dedup_corpus(stopped, block)
    seen = pq.read_table(stopped / "duplicates/blocks.parquet").num_rows
    report = dedup_corpus(stopped, block, output=tmp_path / "blocks")
    assert report.removed_blocks == seen == 6
    # Provisional duplicates stay what they are: only documents are asked for blocks.
    assert Corpus.open(tmp_path / "blocks").n_rows("provisional") == provisional
    labels = {each for row in blocks_of(tmp_path / "blocks").values() for each in row}
    assert labels == {(True, "good"), (False, "duplicate")}
    close_corpus(stopped, DedupOptions())
    assert picture(stopped) == picture(expected)
    assert blocks_of(stopped) == blocks_of(expected)


def test_wrong_settings(tmp_path):
    with pytest.raises(InputError, match="n_bytes must be at least 65536, got 5"):
        ToyCrawl(tmp_path / "a", DEDUP_BLOCKS_COVERAGE=0.5, DEDUP_BLOCKS_BYTES=5)
    with pytest.raises(InputError, match="coverage must be above 0 and at most 1, got 2"):
        ToyCrawl(tmp_path / "b", DEDUP_BLOCKS_COVERAGE=2)


# --- the table -----------------------------------------------------------------------------------


def slow_coverage(kept, hashes, n):
    covered = set()
    for place, value in enumerate(hashes):
        if value in kept:
            covered |= set(range(place, place + n))
    return len(covered) / (len(hashes) + n - 1) if hashes else 0.0


@given(st.lists(st.lists(st.integers(1, 40), max_size=12), max_size=8), st.integers(1, 5))
def test_coverage_with_room_for_everything(texts, n):
    ngrams, kept = KeptNgrams(n, n_bytes=2**16), set()
    for text in texts:
        hashes = np.array(text, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        assert ngrams.coverage(hashes) == pytest.approx(slow_coverage(kept, hashes.tolist(), n))
        ngrams.add(hashes)
        kept.update(hashes.tolist())


def test_what_comes_again_stays():
    ngrams = KeptNgrams(1, n_bytes=2**16)
    rng = np.random.default_rng(1)
    often = rng.integers(1, 2**64, size=100, dtype=np.uint64)
    for _ in range(40):
        ngrams.add(often)
        ngrams.add(rng.integers(1, 2**64, size=2000, dtype=np.uint64))
    assert ngrams.coverage(often) > 0.95
    first = np.random.default_rng(1)
    first.integers(1, 2**64, size=100, dtype=np.uint64)
    assert ngrams.coverage(first.integers(1, 2**64, size=2000, dtype=np.uint64)) < 0.2
    assert ngrams._table.nbytes == 2**16


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ((0, 2**16), "n must be at least 1, got 0"),
        ((7, 1), "n_bytes must be at least 65536, got 1"),
    ],
)
def test_wrong_tables(arguments, line):
    with pytest.raises(ValueError, match=line):
        KeptNgrams(arguments[0], n_bytes=arguments[1])
