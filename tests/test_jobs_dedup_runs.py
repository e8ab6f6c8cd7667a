"""``scrapy dedup`` on crawls that were stopped, killed runs, and pairs in any order."""

from __future__ import annotations

import json
import random
import shutil
import signal

import numpy as np
import pyarrow.parquet as pq
import pytest

from crawler.errors import FormatError, InputError
from pipelines.corpus.corpus import Corpus
from pipelines.corpus.manifest import read_manifest
from pipelines.duplicates.exact import text_digest
from pipelines.jobs.dedup.arguments import changed_options
from pipelines.jobs.dedup.candidates import near_pairs
from pipelines.jobs.dedup.options import DedupOptions
from pipelines.jobs.dedup.run import close_corpus, dedup_corpus
from tests.conftest import run_scrapy
from tests.dedup_corpus import make_corpus, sentences
from tests.forked_commands import call
from tests.toy_duplicates import (
    ToyCrawl,
    crawl,
    dedup_killed_at,
    made_pages,
    picture,
    shuffled,
)


@pytest.fixture(scope="module")
def pages():
    return made_pages()


@pytest.fixture
def stopped(pages, tmp_path):
    """A corpus whose crawl was stopped before its end, some of its rows in the journal alone."""
    folder = tmp_path / "corpus"
    toy = ToyCrawl(folder)
    for url, blocks in shuffled(pages, 1).items():
        toy.fetch(url, blocks)
    toy.store.flush()
    toy.store.journal.close()
    return folder


@pytest.fixture(scope="module")
def closed(pages, tmp_path_factory):
    folder = tmp_path_factory.mktemp("closed")
    crawl(folder, pages)
    return picture(folder)


def files(folder):
    """Everything but the lock files of the journals, which a reader touches."""
    return {
        path.relative_to(folder): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "lock.mdb"
    }


def test_output_of_a_stopped_crawl_decides_over_all_its_pages(stopped, closed, tmp_path):
    before, provisional = files(stopped), picture(stopped)
    report = dedup_corpus(stopped, DedupOptions(), output=tmp_path / "clean")
    assert report.documents == len(made_pages())
    assert report.set_aside == report.documents - len(provisional[0]) > 0
    assert f"set aside {report.set_aside:>21,}\n" in report.screen()
    assert picture(tmp_path / "clean") == closed
    assert Corpus.open(tmp_path / "clean").n_rows("provisional") == 0
    # The old one is as it was.
    assert (files(stopped), picture(stopped)) == (before, provisional)
    rows = pq.read_table(tmp_path / "clean/duplicates/clusters.parquet").to_pylist()
    assert {row["url"] for row in rows if row["kept"]} <= closed[0].keys()


def test_close_decides_in_the_corpus_itself(stopped, closed):
    told, n_documents = [], Corpus.open(stopped).n_rows("documents")
    report = close_corpus(stopped, DedupOptions(), progress=lambda *each: told.append(each))
    assert picture(stopped) == closed
    assert (n_documents, n_documents) in told
    assert report.taken_back > 0
    assert report.dropped > 0
    names = {shard["name"] for shard in read_manifest(stopped).shards}
    assert {shard.name for shard in Corpus.open(stopped).shards} <= names
    again = close_corpus(stopped, DedupOptions())
    assert again.screen().startswith("nothing to decide")
    assert picture(stopped) == closed
    # A crawl that goes on knows what is kept.
    toy = ToyCrawl(stopped)
    assert not toy.fetch("http://new.com/", made_pages()["http://a.com/0"])
    toy.close()


@pytest.mark.parametrize(
    "step",
    [
        "rewrite renamed",
        pytest.param("rewrite written", marks=pytest.mark.long),
        pytest.param("rewrite committed", marks=pytest.mark.long),
    ],
)
def test_killed_and_run_again(stopped, closed, tmp_path, step):
    for output in (tmp_path / "clean", stopped):
        killed = call(dedup_killed_at, step, stopped, output)
        killed.join()
        assert killed.exitcode == -signal.SIGKILL
        if output == stopped:
            close_corpus(stopped, DedupOptions())
        else:
            # No half folder is taken for a whole one.
            assert not output.exists()
            dedup_corpus(stopped, DedupOptions(), output=output)
            assert not output.with_name("clean.tmp").exists()
        assert picture(output) == closed


def test_a_corpus_that_a_crawl_writes_is_not_closed(pages, tmp_path):
    toy = ToyCrawl(tmp_path)
    toy.fetch("http://a.com/1", pages["http://a.com/1"])
    toy.store.flush()
    with pytest.raises(InputError, match="another process is crawling into"):
        close_corpus(tmp_path, DedupOptions())
    toy.close(is_end=False)


def test_damage_is_told_of_the_corpus_and_not_of_the_copy_that_goes(small_crawl, tmp_path):
    corpus = shutil.copytree(small_crawl[1], tmp_path / "corpus")
    shard = next((corpus / "documents").glob("*.parquet"))
    shard.write_bytes(shard.read_bytes()[:-4] + b"none")
    with pytest.raises(FormatError, match=f"^{shard} is damaged"):
        dedup_corpus(corpus, DedupOptions(), output=tmp_path / "copy")


def test_commands(stopped, closed):
    found = run_scrapy(
        "dedup", "--corpus", stopped, "--threshold", "0", "--memory", "100M", "--json"
    )
    assert found.returncode == 0, found.stderr
    exact = dedup_corpus(stopped, DedupOptions(threshold=0))
    assert json.loads(found.stdout)["dropped_documents"] == exact.dropped_documents
    done = run_scrapy("dedup", "--corpus", stopped, "--close", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["documents"] == len(made_pages())
    assert picture(stopped) == closed


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"unit": "block", "method": "simhash"}, "--method is for --unit document; leave it out"),
        ({"stop_words": "keep"}, "--stop-words is for --unit block; leave it out"),
        ({"coverage": "0.7"}, "--coverage is for --unit block; leave it out"),
        (
            {"method": "simhash", "threshold": "0.5"},
            "--threshold is for --method mutual-containment",
        ),
        ({"distance": "2"}, "--distance is for --method simhash; leave it out"),
    ],
)
def test_options_that_would_do_nothing_are_refused(given, told):
    with pytest.raises(InputError, match=told):
        changed_options(DedupOptions(), given)


# --- pairs ---------------------------------------------------------------------------------------


def many_alike(rng, n):
    """*n* texts made of one by changing some words: a band that more than 64 share."""
    base = ["".join(rng.choices("abcdefghij", k=6)) for _ in range(200)]
    texts = []
    for number in range(n):
        words = base.copy()
        for change in range(number % 7):
            words[rng.randrange(200)] = f"w{number}{change}"
        texts.append(" ".join(words))
    return texts


@pytest.mark.parametrize("method", ["mutual-containment", "resemblance", "simhash"])
def test_pairs_do_not_depend_on_order(method, tmp_path):
    rng = random.Random(3)
    texts = sorted({*many_alike(rng, 150), *many_alike(rng, 40)})
    options = DedupOptions(method=method, distance=8)
    found = []
    for _ in range(2):
        kept, near = _pairs_of(texts, options, tmp_path)
        found.append((kept, near))
        rng.shuffle(texts)
    assert found[0] == found[1]
    assert len(found[0][0]) > 100


def _pairs_of(texts, options, folder):
    digests = np.array([int.from_bytes(text_digest(t)[:8]) for t in texts], dtype=np.uint64)
    wanted = np.ones(len(texts), dtype=np.bool_)
    near = near_pairs(lambda _: iter(texts), wanted, digests, options, folder)
    pairs = {frozenset((texts[i], texts[j])) for i, j in near.pairs.tolist()}
    likeness = {
        frozenset((texts[i], texts[j])): round(like, 9)
        for (i, j), like in zip(near.pairs.tolist(), near.likeness.tolist(), strict=True)
    }
    return pairs, likeness


def test_many_equal_simhashes_are_no_quadratic_group(tmp_path):
    """Texts that differ in letter case: one of them stands for all."""
    words = ["one", "text", "of", "a", "few", "words", "more"]
    texts = [
        " ".join(word.title() if n >> place & 1 else word for place, word in enumerate(words))
        for n in range(100)
    ]
    pairs, likeness = _pairs_of(texts, DedupOptions(method="simhash"), tmp_path)
    assert len(pairs) == 99
    assert set(likeness.values()) == {1.0}
    assert len(frozenset.intersection(*pairs)) == 1


def test_small_chunks_find_the_same_pairs(tmp_path, monkeypatch):
    texts = sorted(set(many_alike(random.Random(4), 60)))
    whole = _pairs_of(texts, DedupOptions(), tmp_path)
    monkeypatch.setattr("pipelines.jobs.dedup.candidates._PAIR_BYTES", 2**24)
    assert _pairs_of(texts, DedupOptions(), tmp_path) == whole


def test_blocks_that_were_not_kept_have_no_say(tmp_path):
    """The menu of a site is no duplicate text: what it has in common put articles behind their quotes."""
    rng = random.Random(6)
    quoted, *own = sentences(rng, 5)
    menu = sentences(rng, 2)
    documents = {
        "http://a.com/article": [*menu, quoted, *own[:2]],
        "http://a.com/other": [*menu, own[2]],
        "http://b.com/quotes": [quoted, own[3]],
    }
    labels = {
        url: ["bad-bad" if text in menu else "good-good" for text in texts]
        for url, texts in documents.items()
    }
    make_corpus(tmp_path / "corpus", documents, labels=labels)
    dedup_corpus(tmp_path / "corpus", DedupOptions(unit="block"))
    rows = pq.read_table(tmp_path / "corpus/duplicates/blocks.parquet").to_pylist()
    # Of three sentences one is elsewhere, too; of two sentences it is half.
    assert [(row["url"], row["text"]) for row in rows] == [("http://b.com/quotes", quoted)]
