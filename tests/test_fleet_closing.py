"""The closing pass over several shards, cut between their journals."""

from __future__ import annotations

import shutil
from collections import Counter

import pytest

from crawler.durable.journals import finish_decided, open_writers
from crawler.durable.layout import shards_of
from crawler.frontier.store.opening import open_journal
from crawler.urls import PageKey
from pipelines.corpus.corpus import Corpus
from pipelines.jobs.dedup import closing
from pipelines.jobs.dedup.closing import close_duplicates
from pipelines.jobs.dedup.options import DedupOptions
from tests.toy_crawl import FETCHED_AT
from tests.toy_fleet import ToyFleet, waiting_rows

# Pages by the text that they share; those of a text are of several shards.
TEXTS = 6
COPIES = 5


class CutError(Exception):
    pass


@pytest.fixture(scope="module", params=["sealed", "waiting"])
def crawled(request, tmp_path_factory):
    """A corpus of three shards that holds every text several times, sealed or left to the pass."""
    folder = tmp_path_factory.mktemp("crawled") / "corpus"
    fleet = ToyFleet(folder, 3)
    if request.param == "waiting":
        for store in fleet.stores.values():
            store.sealers.pop()
    keys = [PageKey(f"com.h{copy}", f"0/{text}") for text in range(TEXTS) for copy in range(COPIES)]
    fleet.seed([(key, ()) for key in keys])
    for store in fleet.stores.values():
        now = 0.0
        while store.has_pending():
            now += 1.0
            while (lease := store.next_page(now)) is not None:
                capture = store.open_capture(lease)
                capture.fetched_at, capture.status = FETCHED_AT, 200
                words = f"text {lease.url[-1]} of many words that are its own " * 9
                ids = {"host_id": capture.host_id, "local_id": capture.local_id}
                row = {"url": capture.url, "text": words, "n_words": 90, "blocks": []}
                capture.keep({**ids, **row, "host": capture.host, "fetched_at": FETCHED_AT})
                store.finish(capture, now)
            store.flush()
    fleet.close()
    assert all(waiting_rows(folder)) == (request.param == "waiting")
    return folder


def kept(folder):
    corpus = Corpus.open(folder)
    rejected = {row["url"]: row["duplicate_of"] for row in corpus.rejected()}
    documents = Counter(row["url"] for row in corpus.documents(["url"]))
    assert max(documents.values()) == 1
    assert len(rejected) + len(documents) == TEXTS * COPIES
    return set(documents), rejected


def close(folder, on_step=None, **options):
    with open_writers(folder) as journals:
        assert len({journal.shard for journal in journals}) == 3
        for journal in journals:
            journal.on_step = on_step or journal.on_step
        return close_duplicates(folder, journals, DedupOptions(), **options)


@pytest.fixture(scope="module")
def closed(crawled):
    folder = crawled.with_name("closed")
    shutil.copytree(crawled, folder)
    assert close(folder).dropped == TEXTS * (COPIES - 1)
    assert close(folder) is None  # nothing has changed since
    assert waiting_rows(folder) == [0, 0, 0]
    return kept(folder)


def test_one_of_each_text_is_kept_whichever_shard_has_it(closed):
    documents, rejected = closed
    assert len(documents) == TEXTS
    assert set(rejected.values()) == documents


def test_rows_that_would_take_too_much_memory_are_sealed_first(tmp_path, crawled, closed):
    folder = tmp_path / "corpus"
    shutil.copytree(crawled, folder)
    steps = []
    close(folder, steps.append, waiting_bytes=0)
    assert steps.count("seal committed") == sum(map(bool, waiting_rows(crawled)))
    assert kept(folder) == closed


@pytest.mark.parametrize("n_held", [0, 1, 2])
def test_rows_may_be_held_whole_of_some_shards_only(tmp_path, crawled, closed, n_held, monkeypatch):
    tails = Corpus.open(crawled).tails.values()
    sizes = [tail.hold([], [], n_bytes=2**40) for tail in tails]
    n_bytes = sum(sizes[:n_held]) or 1
    monkeypatch.setattr(closing, "_SHARE_OF_MEMORY", DedupOptions().memory // n_bytes)
    folder = tmp_path / "corpus"
    shutil.copytree(crawled, folder)
    close(folder)
    assert kept(folder) == closed
    assert waiting_rows(folder) == [0, 0, 0]


@pytest.mark.parametrize(
    ("step", "number"),
    [
        ("rewrite written", 1),
        ("rewrite renamed", 1),
        ("change decided", 1),
        ("change decided", 2),
        ("change decided", 3),
        ("rewrite committed", 1),
    ],
)
def test_a_pass_that_is_cut_comes_to_the_same(tmp_path, crawled, closed, step, number):
    folder = tmp_path / "corpus"
    shutil.copytree(crawled, folder)
    reached = Counter()

    def on_step(name):
        reached[name] += 1
        if (name, reached[name]) == (step, number):
            raise CutError

    with pytest.raises(CutError):
        close(folder, on_step)
    finish_decided(folder)
    for shard in shards_of(folder):  # whoever opens a shard next removes what no journal names
        open_journal(folder, shard).close()
    close(folder)
    assert kept(folder) == closed
