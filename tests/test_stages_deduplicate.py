"""Duplicates in a crawl: provisional verdicts, and the closing pass that order cannot change."""

from __future__ import annotations

import signal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from crawler.errors import InputError
from crawler.ranking.store import FORMAT_VERSION
from pipelines.corpus.corpus import Corpus, completed
from pipelines.duplicates.verdicts import NearRule
from pipelines.jobs.dedup.closing import close_duplicates
from pipelines.jobs.dedup.options import DedupOptions
from pipelines.jobs.dedup.run import close_corpus
from tests.forked_commands import call
from tests.toy_duplicates import (
    ToyCrawl,
    crawl,
    crawl_killed_at,
    made_pages,
    picture,
    shuffled,
)

STEPS = ("rewrite written", "rewrite renamed", "rewrite committed")


@pytest.fixture(scope="module")
def pages():
    return made_pages()


@pytest.fixture(scope="module")
def closed(pages, tmp_path_factory):
    """The picture of an uninterrupted crawl, and its stats."""
    folder = tmp_path_factory.mktemp("closed")
    stats = crawl(folder, pages)
    return picture(folder), stats


def slow_clusters(pages):
    """Connected components of all pairs that are near enough by their sets of shingles."""
    rule = NearRule()
    sets = {url: set(rule.shingles("\n".join(text)).tolist()) for url, text in pages.items()}
    clusters = [{url} for url in pages]
    for a in pages:
        for b in pages:
            share = len(sets[a] & sets[b]) / max(len(sets[a]), len(sets[b]))
            if a < b and share >= 0.75:
                first, second = (next(c for c in clusters if url in c) for url in (a, b))
                if first is not second:
                    clusters.remove(second)
                    first |= second
    return sorted(map(sorted, clusters))


def test_clusters_are_components_and_the_longest_is_kept(pages, closed):
    (documents, rejected), _ = closed
    found = {url: {url} for url in documents}
    for url, (_, kept) in rejected.items():
        found[kept].add(url)
    assert sorted(map(sorted, found.values())) == slow_clusters(pages)
    sizes = {url: sum(len(block.split()) for block in text) for url, text in pages.items()}
    for kept, cluster in found.items():
        assert kept == min(cluster, key=lambda url: (-sizes[url], url))
    # The chain is one cluster, though its ends are not alike.
    assert {url for url in pages if "chain" in url} in list(found.values())


def test_reasons(pages, closed):
    (documents, rejected), stats = closed
    reasons = {url: reason for url, (reason, _) in rejected.items()}
    assert reasons["http://c.com/spaced/1"] == "duplicate"
    assert reasons["http://b.com/copy/1"] == "duplicate_bytes"
    assert reasons["http://b.com/near/2"] == "near_duplicate"
    for reason in set(reasons.values()):
        counted = stats[f"deduplicate/dropped/{reason}"]
        assert counted == list(reasons.values()).count(reason)
    assert stats["deduplicate/taken_back"] > 0
    assert stats["deduplicate/dropped_late"] > 0
    assert stats["store/pages"] == len(documents)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_order_changes_nothing(pages, closed, tmp_path, seed):
    crawl(tmp_path, shuffled(pages, seed))
    assert picture(tmp_path) == closed[0]
    assert Corpus.open(tmp_path).n_rows("provisional") == 0
    (path,) = (tmp_path / "duplicates").iterdir()
    rows = pq.read_table(path).to_pylist()
    assert {row["url"]: row["duplicate_of"] for row in rows if not row["kept"]} == {
        url: kept for url, (_, kept) in closed[0][1].items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("keep", ["complete", "longest"])
def test_order_changes_no_evidence(pages, tmp_path, keep):
    found = []
    for seed in (4, 5):
        crawl(tmp_path / str(seed), shuffled(pages, seed), DEDUP_KEEP=keep)
        (path,) = (tmp_path / str(seed) / "duplicates").iterdir()
        table = pq.read_table(path)
        found.append(table.drop_columns(["host_id", "local_id"]).to_pylist())
    assert found[0] == found[1]


def test_interrupted_and_resumed(pages, closed, tmp_path):
    """Verdicts stay provisional, with their texts, until the crawl is at its end."""
    names = list(shuffled(pages, 6))
    for start in range(0, len(names), 13):
        toy = ToyCrawl(tmp_path)
        for url in names[start : start + 13]:
            toy.fetch(url, pages[url])
        toy.close(is_end=False)
        corpus = Corpus.open(tmp_path)
        texts = {row["url"]: row["text"] for row in corpus.rows("provisional", ["url", "text"])}
        assert texts.keys() == picture(tmp_path)[1].keys()
        assert texts == {url: "\n".join(" ".join(b.split()) for b in pages[url]) for url in texts}
    assert texts
    crawl(tmp_path, {})
    assert picture(tmp_path) == closed[0]


class Stopped(BaseException):
    pass


def stopping_at(step):
    def on_step(name):
        if name == step:
            raise Stopped

    return on_step


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
def test_a_pass_that_is_cut_is_done_again(pages, closed, tmp_path, step):
    order = shuffled(pages, 7)
    with pytest.raises(Stopped):
        crawl(tmp_path, order, on_step=stopping_at(step))
    # What readers see is of before or of after.
    picture(tmp_path)
    crawl(tmp_path, {})
    assert picture(tmp_path) == closed[0]
    names = {f"{path.parent.name}/{path.name}" for path in tmp_path.glob("*ed/*.parquet*")}
    assert names <= {shard.name for shard in Corpus.open(tmp_path).shards}


def test_killed_in_the_closing_pass(pages, closed, tmp_path):
    killed = call(crawl_killed_at, "rewrite renamed", tmp_path, 8)
    killed.join()
    assert killed.exitcode == -signal.SIGKILL
    crawl(tmp_path, {})
    assert picture(tmp_path) == closed[0]


def test_nothing_new_changes_nothing(pages, closed, tmp_path):
    crawl(tmp_path, pages)
    before = sorted((path.name, path.stat().st_mtime_ns) for path in tmp_path.rglob("*.parquet"))
    stats = crawl(tmp_path, {})
    assert "deduplicate/taken_back" not in stats
    after = sorted((path.name, path.stat().st_mtime_ns) for path in tmp_path.rglob("*.parquet"))
    assert before == after


def test_a_crawl_that_goes_on_after_its_end(pages, tmp_path):
    """A longer copy comes later: the page that was kept goes, and its duplicates name the new one."""
    url, text = "http://a.com/2", pages["http://a.com/2"]
    crawl(tmp_path, {url: text, "http://z.com/2": text})
    assert picture(tmp_path)[1] == {"http://z.com/2": ("duplicate_bytes", url)}
    toy = ToyCrawl(tmp_path)
    longer = [*text, "and words that were not there before"]
    # What was kept at the end is in the index again.
    assert not toy.fetch("http://b.com/longer", longer)
    toy.close()
    documents, rejected = picture(tmp_path)
    assert set(documents) == {"http://b.com/longer"}
    assert rejected == {
        url: ("near_duplicate", "http://b.com/longer"),
        "http://z.com/2": ("duplicate_bytes", "http://b.com/longer"),
    }


def test_unchanged_shards_stay(pages, tmp_path):
    alone = {
        url: text for url, text in pages.items() if url in {f"http://a.com/{n}" for n in (0, 3)}
    }
    toy = ToyCrawl(tmp_path, SEAL_ROWS=1)
    for url, text in alone.items():
        toy.fetch(url, text)
    toy.store.flush()
    (shard,) = (tmp_path / "documents").iterdir()
    inode = shard.stat().st_ino
    for url, text in pages.items():
        if url not in alone:
            toy.fetch(url, text)
    toy.close()
    assert shard.stat().st_ino == inode
    assert toy.stats.get_value("deduplicate/dropped_late") > 0


def test_other_rules(pages, tmp_path):
    crawl(tmp_path / "exact", pages, DEDUP_THRESHOLD=0)
    assert {reason for reason, _ in picture(tmp_path / "exact")[1].values()} == {
        "duplicate",
        "duplicate_bytes",
    }
    stats = crawl(tmp_path / "simhash", pages, DEDUP_METHOD="simhash", DEDUP_SIMHASH_DISTANCE=8)
    assert stats["deduplicate/dropped/near_duplicate"] > 0
    crawl(tmp_path / "again", shuffled(pages, 9), DEDUP_METHOD="simhash", DEDUP_SIMHASH_DISTANCE=8)
    assert picture(tmp_path / "again") == picture(tmp_path / "simhash")


def test_a_rule_that_changes_between_runs(pages, tmp_path):
    """Signatures of another rule are made anew from the texts that are kept."""
    crawl(tmp_path, {"http://a.com/2": pages["http://a.com/2"]}, DEDUP_THRESHOLD=0)
    toy = ToyCrawl(tmp_path)
    assert not toy.fetch("http://b.com/near/2", pages["http://b.com/near/2"])
    toy.close()


def test_first_fetched(pages, tmp_path):
    order = shuffled(pages, 10)
    crawl(tmp_path, order, DEDUP_KEEP="first")
    rejected = picture(tmp_path)[1]
    place = {url: number for number, url in enumerate(order)}
    assert all(place[kept] < place[url] for url, (_, kept) in rejected.items())


@pytest.mark.parametrize(
    ("setting", "value", "line"),
    [
        ("DEDUP_METHOD", "guess", "method must be one of"),
        ("DEDUP_THRESHOLD", 2, "threshold must be between 0 and 1, got 2"),
        ("DEDUP_SHINGLE_WORDS", 0, "shingle_words must be at least 1, got 0"),
        ("DEDUP_SIMHASH_DISTANCE", 9, "distance must be 0 to 8, got 9"),
        ("DEDUP_KEEP", "last", "keep must be one of longest, first, rank, complete, got last"),
        ("DEDUP_MEMORY_BYTES", 1, "memory must be at least 64M"),
    ],
)
def test_wrong_settings(tmp_path, setting, value, line):
    with pytest.raises(InputError, match=line):
        ToyCrawl(tmp_path, **{setting: value})


def test_the_host_of_the_highest_rank_is_kept(pages, tmp_path, caplog):
    """Without ranks verdicts stay provisional, until `scrapy dedup --close` is told of some."""
    stats = crawl(tmp_path, pages, DEDUP_KEEP="rank")
    assert "deduplicate/taken_back" not in stats
    assert "duplicates stay provisional until `scrapy pagerank`" in caplog.text
    corpus = Corpus.open(tmp_path)
    assert corpus.n_rows("provisional") > 0
    rows = [*corpus.rows("documents"), *corpus.rows("provisional")]
    of_host = {row["host"]: row["host_id"] for row in rows}
    # The sum counts: two pages of c.com have more than any one, and what is not ranked has 0.
    ranked = [("b.com", 0, 3.0), ("c.com", 0, 2.0), ("c.com", 1, 2.0)]
    columns = zip(*((of_host[host], page, rank) for host, page, rank in ranked), strict=True)
    names = ("host_id", "local_id", "rank")
    (tmp_path / "ranks").mkdir()
    ranks = pa.table(dict(zip(names, map(pa.array, map(list, columns)), strict=True)))
    ranks = ranks.replace_schema_metadata({"winnow_ranks_version": FORMAT_VERSION})
    pq.write_table(ranks, tmp_path / "ranks" / "pagerank.parquet")
    close_corpus(tmp_path, DedupOptions(keep="rank"))
    documents, rejected = picture(tmp_path)
    assert rejected["http://a.com/2"] == ("near_duplicate", "http://c.com/longer/2")
    assert rejected["http://a.com/1"] == ("duplicate", "http://c.com/spaced/1")
    assert documents.keys() >= {"http://c.com/spaced/1", "http://a.com/0"}


def test_shards_without_a_column_that_came_later():
    batch = pa.RecordBatch.from_pylist([{"url": "http://a.com/", "host_id": 1}])
    names = ["host_id", "digest", "url"]
    filled = completed(batch, "rejected", names)
    assert filled.to_pylist() == [{"host_id": 1, "digest": None, "url": "http://a.com/"}]
    assert filled.schema.names == names


def test_ranks_are_needed_to_keep_by_them(pages, tmp_path):
    toy = ToyCrawl(tmp_path)
    toy.fetch("http://a.com/1", pages["http://a.com/1"])
    toy.store.flush()
    with pytest.raises(InputError, match="keep by another rule"):
        close_duplicates(tmp_path, [toy.store.journal], DedupOptions(keep="rank"))
    toy.close(is_end=False)
