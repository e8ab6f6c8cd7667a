"""`kill -9` at any instant, then the same command again: nothing lost, nothing twice."""

from __future__ import annotations

import random
import time
from collections import Counter

import pytest

from crawler.durable.layout import sealed_folders
from crawler.durable.sealing import shard_files
from crawler.frontier.store.crawl_store import CrawlStore, check_corpus
from crawler.urls import page_key
from tests import toy_crawl
from tests.forked_commands import call
from tests.toy_crawl import SEEDS, crawl, open_store, picture

STEPS = [
    ("before commit", 1),  # the format's number, during the very first start
    pytest.param("journal open", 1, marks=pytest.mark.long),
    pytest.param("recovered", 1, marks=pytest.mark.long),
    pytest.param("after commit", 2, marks=pytest.mark.long),
    pytest.param("before commit", 9, marks=pytest.mark.long),
    ("after commit", 12),
    pytest.param("seal written", 1, marks=pytest.mark.long),
    ("seal renamed", 1),
    pytest.param("seal committed", 1, marks=pytest.mark.long),
    pytest.param("seal renamed", 4, marks=pytest.mark.long),
    pytest.param("seal committed", 3, marks=pytest.mark.long),
    pytest.param("pages sealed", 2, marks=pytest.mark.long),
    ("snapshot written", 1),
]

EVERY_STEP = (
    "before commit",
    "after commit",
    "seal written",
    "seal renamed",
    "seal committed",
    "pages sealed",
    "snapshot written",
)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("uninterrupted") / "corpus"
    store = open_store(folder)
    store.add_seeds(SEEDS)
    crawl(store)
    store.close()
    return picture(folder)


def start(folder, *step):
    """Start a toy crawl in a process of its own."""
    return call(toy_crawl.main, folder, folder.with_suffix(".acknowledged"), *step)


def exit_code(process):
    process.join()
    return process.exitcode


def acknowledged(folder):
    file = folder.with_suffix(".acknowledged")
    return Counter(file.read_text().split()) if file.exists() else Counter()


def check_acknowledged(folder):
    """Everything acknowledged is there, and was acknowledged once."""
    urls = acknowledged(folder)
    assert max(urls.values(), default=1) == 1
    check_corpus(folder)
    store = CrawlStore(folder)
    recorded = {shard.name for shard in store.shards()}
    assert set(shard_files(folder, sealed_folders())) == recorded
    assert all(store.is_seen(page_key(url)) for url in urls)
    store.close()


def run_to_the_end(folder):
    assert exit_code(start(folder)) == 0


@pytest.mark.parametrize(("step", "number"), STEPS)
def test_killed_at_a_step(tmp_path, uninterrupted, step, number):
    folder = tmp_path / "corpus"
    assert exit_code(start(folder, step, number)) == -9
    check_acknowledged(folder)
    run_to_the_end(folder)
    check_acknowledged(folder)
    assert picture(folder) == uninterrupted


@pytest.mark.long
@pytest.mark.parametrize("step", EVERY_STEP)
@pytest.mark.parametrize("number", range(1, 30))
def test_killed_at_every_step(tmp_path, uninterrupted, step, number):
    folder = tmp_path / "corpus"
    assert exit_code(start(folder, step, number)) in (
        -9,
        0,
    )  # 0: the crawl has fewer steps of this name
    check_acknowledged(folder)
    run_to_the_end(folder)
    assert picture(folder) == uninterrupted


@pytest.mark.long
def test_killed_again_and_again_in_the_same_seal(tmp_path, uninterrupted):
    folder = tmp_path / "corpus"
    for _ in range(3):
        assert exit_code(start(folder, "seal renamed", 2)) == -9
    run_to_the_end(folder)
    check_acknowledged(folder)
    assert picture(folder) == uninterrupted


def kill_after(folder, n_more):
    """Kill a crawl as soon as *n_more* pages are acknowledged; tell whether it was still running."""
    target = acknowledged(folder).total() + n_more
    process = start(folder)
    while process.is_alive() and acknowledged(folder).total() < target:
        time.sleep(0.001)
    process.kill()
    return exit_code(process) != 0


@pytest.mark.long
@pytest.mark.parametrize("n_kills", [3, 8])
def test_killed_at_any_time(tmp_path, uninterrupted, n_kills):
    rng, folder, n_killed = random.Random(3), tmp_path / "corpus", 0
    for _ in range(n_kills):
        n_killed += kill_after(folder, rng.randrange(45))
        check_acknowledged(folder)
    assert n_killed > 0
    run_to_the_end(folder)
    check_acknowledged(folder)
    assert picture(folder) == uninterrupted


def test_the_end_state_is_the_acknowledged_one(tmp_path, uninterrupted):
    folder = tmp_path / "corpus"
    run_to_the_end(folder)
    done = {url for url, state in uninterrupted["states"].items() if state not in ("KNOWN", "LATE")}
    assert set(acknowledged(folder)) == done
