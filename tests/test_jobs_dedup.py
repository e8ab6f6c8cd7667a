"""``scrapy dedup`` on corpus folders made by code: what is found, what is written, wrong calls."""

from __future__ import annotations

import json
import random
from itertools import combinations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from crawler.errors import InputError
from crawler.page.words import density_tokens
from pipelines.corpus.corpus import Corpus
from pipelines.duplicates.exact import text_digest
from pipelines.jobs.dedup.options import DedupOptions
from pipelines.jobs.dedup.pages import read_pages
from pipelines.jobs.dedup.run import dedup_corpus
from pipelines.jobs.index.run import index_corpus
from tests.conftest import run_scrapy
from tests.dedup_corpus import make_corpus, sentences


@pytest.fixture
def near_copies():
    """Articles, some of them in slightly changed copies, one in two."""
    rng = random.Random(1)
    documents = {}
    for number in range(6):
        text = sentences(rng, 12)
        documents[f"http://a.com/{number}"] = text
        for copy in range(number % 3):
            changed = text.copy()
            changed[copy] = changed[copy].replace(" ", " changed ", 1)
            documents[f"http://b.com/{number}/{copy}"] = changed
    return documents


FIRST = DedupOptions(keep="first")


def slow_pairs(documents, threshold, w):
    def shingles(texts):
        words = density_tokens("\n".join(texts).lower())
        return {tuple(words[i : i + w]) for i in range(len(words) - w + 1)}

    sets = {url: shingles(texts) for url, texts in documents.items()}
    return {
        frozenset((a, b))
        for a, b in combinations(sets, 2)
        if len(sets[a] & sets[b]) / max(len(sets[a]), len(sets[b])) >= threshold
    }


def test_near_duplicates_are_clustered_and_dropped(near_copies, tmp_path):
    make_corpus(tmp_path / "corpus", near_copies)
    report = dedup_corpus(tmp_path / "corpus", FIRST, output=tmp_path / "clean")
    assert (report.clusters, report.dropped_documents) == (4, 6)
    assert report.findings == str(tmp_path / "clean/duplicates/clusters.parquet")
    rows = pq.read_table(report.findings).to_pylist()
    found = {frozenset((row["url"], row["like"])) for row in rows}
    assert found <= slow_pairs(near_copies, 0.75, 3)
    assert {row["url"] for row in rows} == set().union(*slow_pairs(near_copies, 0.75, 3))
    gone = {row["url"]: row["duplicate_of"] for row in rows if not row["kept"]}
    # First fetched stays; it is the original.
    assert gone == {url: f"http://a.com/{url[13]}" for url in near_copies if "//b" in url}
    clean = Corpus.open(tmp_path / "clean")
    assert {row["url"] for row in clean.documents()} == set(near_copies) - set(gone)
    rejected = {row["url"]: row["duplicate_of"] for row in clean.rejected()}
    assert rejected == gone
    assert {(row["stage"], row["reason"]) for row in clean.rejected()} == {
        ("deduplicate", "near_duplicate")
    }
    # The old corpus is as it was.
    assert Corpus.open(tmp_path / "corpus").n_rows("documents") == len(near_copies)


@pytest.mark.parametrize(
    ("method", "threshold"),
    [("mutual-containment", 0.6), ("mutual-containment", 0.45), ("resemblance", 0.3)],
)
def test_pairs_near_a_low_threshold_are_found(method, threshold, tmp_path):
    """With bands of four values a fifth of those at .45 were."""
    rng = random.Random(3)
    documents = {}
    for number in range(100):
        words = [f"{number}word{place}" for place in range(200)]
        # Of 198 shingles the first ones are common to both.
        n_common = round(
            198 * (threshold if method != "resemblance" else 2 * threshold / (1 + threshold))
        )
        other = words[: n_common + 3] + [f"other{rng.random()}" for _ in range(197 - n_common)]
        documents[f"http://a.com/{number}"] = [" ".join(words)]
        documents[f"http://b.com/{number}"] = [" ".join(other)]
    make_corpus(tmp_path / "corpus", documents)
    options = DedupOptions(method=method, threshold=threshold)
    assert 93 <= dedup_corpus(tmp_path / "corpus", options).clusters <= 100


def test_decisions_do_not_depend_on_order(near_copies, tmp_path):
    kept = []
    for number, seed in enumerate((None, 3, 4)):
        order = list(near_copies)
        if seed:
            random.Random(seed).shuffle(order)
        folder = tmp_path / str(number)
        make_corpus(folder / "corpus", near_copies, order)
        options = DedupOptions(keep="longest")
        dedup_corpus(folder / "corpus", options, output=folder / "clean")
        kept.append({row["url"] for row in Corpus.open(folder / "clean").documents(["url"])})
    assert kept[0] == kept[1] == kept[2]
    # The changed copies have a word more; of two the smaller URL stays.
    assert {"http://b.com/1/0", "http://b.com/2/0"} <= kept[0]


def test_digests_that_a_corpus_lacks_are_made_of_its_texts(near_copies, tmp_path):
    make_corpus(tmp_path / "corpus", near_copies)
    corpus = Corpus.open(tmp_path / "corpus")
    told = read_pages(corpus, "first").digests
    for path in sorted((tmp_path / "corpus/documents").glob("*.parquet"))[::2]:
        table = pq.read_table(path)
        place = table.schema.get_field_index("digest")
        nothing = pa.nulls(table.num_rows, pa.binary(16))
        pq.write_table(table.set_column(place, table.schema.field("digest"), nothing), path)
    assert (read_pages(corpus, "first").digests == told).all()


def test_unchanged_shards_are_linked(near_copies, tmp_path):
    # The first two documents are an original without copies, and one with a copy in the same shard.
    make_corpus(tmp_path / "corpus", near_copies, n_sealed=1)
    dedup_corpus(tmp_path / "corpus", FIRST, output=tmp_path / "clean")
    old, new = (
        {path.name: path.stat().st_ino for path in (tmp_path / name / "documents").iterdir()}
        for name in ("corpus", "clean")
    )
    assert old["0000-000001.parquet"] == new["0000-000001.parquet"]
    assert set(new) & set(old) != set(new)


def test_what_was_made_of_the_old_text_is_left_out(near_copies, tmp_path):
    make_corpus(tmp_path / "corpus", near_copies)
    index_corpus(tmp_path / "corpus")
    (tmp_path / "corpus" / "export").mkdir()
    dedup_corpus(tmp_path / "corpus", DedupOptions(unit="block"), output=tmp_path / "clean")
    assert not {"index", "export"} & {path.name for path in (tmp_path / "clean").iterdir()}
    # A search of the new corpus finds what it holds: blocks went, and the pages of the index are the same.
    n_documents = sum(1 for _ in Corpus.open(tmp_path / "clean").documents())
    assert index_corpus(tmp_path / "clean").added == n_documents > 0


def test_every_keep_rule(near_copies, tmp_path):
    make_corpus(tmp_path / "corpus", near_copies)
    for keep in ("first", "longest", "complete"):
        report = dedup_corpus(tmp_path / "corpus", DedupOptions(keep=keep))
        assert report.dropped_documents == 6
    with pytest.raises(InputError, match="run scrapy pagerank first or keep by another rule"):
        dedup_corpus(tmp_path / "corpus", DedupOptions(keep="rank"))


def test_quoted_blocks_are_removed(tmp_path):
    rng = random.Random(2)
    quoted = sentences(rng, 2)
    documents = {
        "http://a.com/article": [quoted[0], *sentences(rng, 2)],
        "http://a.com/quotes": [*sentences(rng, 5), quoted[0], quoted[1]],
        "http://a.com/index": [quoted[0], quoted[1]],
        "http://a.com/other": sentences(rng, 3),
        "http://a.com/empty": [],
    }
    make_corpus(tmp_path / "corpus", documents)
    options = DedupOptions(unit="block", memory=2**26)
    report = dedup_corpus(tmp_path / "corpus", options, output=tmp_path / "clean")
    clean = {row["url"]: row for row in Corpus.open(tmp_path / "clean").documents()}
    # Every sentence is kept once, where the share of duplicates is least: 2/7, then 1/3, then all.
    kept = [line for row in clean.values() for line in row["text"].splitlines()]
    assert sorted(kept) == sorted({text for texts in documents.values() for text in texts})
    assert clean["http://a.com/quotes"]["n_words"] == 12 * 7
    assert "http://a.com/index" not in clean
    lost = {row["url"]: row["reason"] for row in Corpus.open(tmp_path / "clean").rejected()}
    assert lost == {"http://a.com/index": "duplicate_blocks"}
    assert (report.removed_blocks, report.dropped_documents, report.changed_documents) == (3, 1, 1)
    assert report.findings == str(tmp_path / "clean/duplicates/blocks.parquet")
    rows = pq.read_table(report.findings).to_pylist()
    assert [(row["url"], row["reason"]) for row in rows] == [
        ("http://a.com/article", "duplicate"),
        ("http://a.com/index", "duplicate"),
        ("http://a.com/index", "duplicate"),
    ]
    assert {row["text"] for row in rows} == set(quoted)
    row = clean["http://a.com/article"]
    assert row["digest"] == text_digest(row["text"])
    assert [each["label"] for each in row["blocks"]].count("duplicate") == 1


def test_context_goes_with_duplicates(tmp_path):
    rng = random.Random(3)
    texts = sentences(rng, 4)
    documents = {"http://a.com/1": texts[:2], "http://a.com/2": [texts[0], texts[3]]}
    make_corpus(tmp_path / "corpus", documents)

    def drop_all_after_bad(classes):
        is_bad = np.logical_or.accumulate([cls == "bad" for cls in classes])
        return (~is_bad).tolist()

    options = DedupOptions(unit="block")
    dedup_corpus(tmp_path / "corpus", options, classify=drop_all_after_bad)
    rows = pq.read_table(tmp_path / "corpus/duplicates/blocks.parquet").to_pylist()
    assert [(row["url"], row["reason"]) for row in rows] == [
        ("http://a.com/2", "duplicate"),
        ("http://a.com/2", "context"),
    ]


def test_context_of_justext(tmp_path):
    """A short block between two good ones goes when one of them is a duplicate."""
    rng = random.Random(4)
    texts = sentences(rng, 5)
    documents = {
        "http://a.com/1": [texts[0], texts[1]],
        "http://a.com/2": [texts[2], "Short one.", texts[0]],
    }
    labels = {"http://a.com/1": ["good", "good"], "http://a.com/2": ["good", "short-good", "good"]}
    make_corpus(tmp_path / "corpus", documents, labels=labels)
    dedup_corpus(tmp_path / "corpus", DedupOptions(unit="block"))
    rows = pq.read_table(tmp_path / "corpus/duplicates/blocks.parquet").to_pylist()
    assert [(row["url"][-1], row["block"], row["reason"]) for row in rows] == [
        ("2", 1, "context"),
        ("2", 2, "duplicate"),
    ]


def test_nothing_to_find(tmp_path):
    make_corpus(tmp_path / "corpus", {"http://a.com/1": ["One text."], "http://a.com/2": []})
    for unit in ("document", "block"):
        report = dedup_corpus(tmp_path / "corpus", DedupOptions(unit=unit), output=tmp_path / unit)
        assert report.dropped_documents == report.removed_blocks == 0
        # What only the other unit has is not told.
        named = {name for name in ("ngrams", "clusters") if name in report.screen()}
        assert named == {"document": {"clusters"}, "block": {"ngrams"}}[unit]
        assert Corpus.open(tmp_path / unit).n_rows("documents") == 2


def test_command(near_copies, tmp_path):
    make_corpus(tmp_path / "corpus", near_copies)
    done = run_scrapy("dedup", "--corpus", tmp_path / "corpus", "--memory", "100M", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["dropped_documents"] == 6
    told = run_scrapy("dedup", "--corpus", tmp_path / "corpus").stdout
    assert "output             none: nothing is removed; --output DIR writes" in told


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("--memory", "much"), "--memory is 'much'; give a size such as 500M or 2G"),
        (("--close", "--unit", "block"), "--close takes neither --output nor --unit block"),
        (("--corpus", "CORPUS", "--output", "CORPUS"), "is there already; give a new folder"),
    ],
)
def test_wrong_calls(arguments, line, tmp_path):
    make_corpus(tmp_path / "corpus", {"http://a.com/1": ["One text."]})
    given = [each.replace("CORPUS", str(tmp_path / "corpus")) for each in arguments]
    done = run_scrapy("dedup", *given, cwd=None)
    assert done.returncode == 2
    assert done.stderr.startswith("winnow: ")
    assert line in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"unit": "page"}, "unit must be one of document, block, got page"),
        ({"keep": "last"}, "keep must be one of longest, first, rank, complete, got last"),
        ({"coverage": 0}, "coverage must be above 0 and at most 1, got 0"),
        ({"ngram_words": 0}, "ngram_words must be at least 1, got 0"),
        ({"stop_words": "drop"}, "stop_words must be one of keep, exclude, got drop"),
        ({"memory": 5}, "memory must be at least 64M, got 5 bytes"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(ValueError, match=message):
        DedupOptions(**options)


def test_no_corpus_no_manifest_and_a_folder_within_it(tmp_path):
    with pytest.raises(InputError, match="no corpus in"):
        dedup_corpus(tmp_path / "nowhere", DedupOptions())
    make_corpus(tmp_path / "corpus", {"http://a.com/1": ["One text."]})
    with pytest.raises(InputError, match="is within the corpus"):
        dedup_corpus(tmp_path / "corpus", DedupOptions(), output=tmp_path / "corpus" / "new")
    (tmp_path / "corpus" / "manifest.json").unlink()
    with pytest.raises(InputError, match=r"no .*manifest\.json; run a crawl first"):
        dedup_corpus(tmp_path / "corpus", DedupOptions(), output=tmp_path / "clean")
    assert not (tmp_path / "corpus" / "duplicates").exists()
