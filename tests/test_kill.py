"""``kill -9`` in mid-crawl, then the same command again: the end state of an uninterrupted crawl."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest

from crawler.webgraph.graph import Graph
from pipelines.corpus.corpus import Corpus
from tests.conftest import ROOT, SMALL_WEB, crawl_arguments, scrapy_environment, served_web

# Seconds after the start at which the crawl is killed: during start-up, early, later.
MOMENTS = (0.3, 0.8, 1.2, 1.6, 2.0, 2.4, 2.8, 3.2)

# A crawl that kills itself at the first time of the step named in its first argument.
KILL_AT_STEP = """
import functools, os, signal, sys
from crawler import scheduler
def on_step(step, last=sys.argv[1]):
    if step == last:
        os.kill(os.getpid(), signal.SIGKILL)
scheduler.CrawlStore = functools.partial(scheduler.CrawlStore, on_step=on_step)
sys.argv = ["scrapy", *sys.argv[2:]]
from scrapy.cmdline import execute
execute()
"""

# Between the rename and the commit of a seal, and during start-up.
STEPS = ("seal renamed", "journal open")


def end_state(corpus):
    """What a crawl came to, by URL: pages by outcome, arcs, clusters of duplicates, kept pages."""
    folder = Corpus.open(corpus)
    kept = list(folder.documents(["url", "text"]))
    rejected = list(folder.rejected())
    graph = Graph.open(corpus)
    ids = graph.pages()
    urls = dict(zip(ids.tolist(), graph.urls(ids), strict=True))
    sources, targets, flags = graph.arcs(nofollow=True)
    arcs = Counter(
        (urls[source], urls[target], flag)
        for source, target, flag in zip(
            sources.tolist(), targets.tolist(), flags.tolist(), strict=True
        )
    )
    clusters = {row["url"]: {row["url"]} for row in kept}
    outcome = {}
    for row in rejected:
        if row["duplicate_of"] is None:
            outcome[row["url"]] = (row["stage"], row["reason"])
        else:
            clusters[row["duplicate_of"]].add(row["url"])
    assert len(kept) + len(rejected) == len({row["url"] for row in kept + rejected})
    groups = sorted(map(sorted, clusters.values()))
    return outcome, arcs, groups, {row["url"] for row in kept}, set(urls.values())


def start(web, corpus, *settings):
    return subprocess.Popen(
        [sys.executable, "-m", "scrapy", *crawl_arguments(web, corpus), *settings],
        cwd=ROOT,
        env=scrapy_environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


# Small shards, so that many are sealed in so small a crawl; hosts that wait, so that it lasts.
SMALL_SHARDS = ("-s", "SEAL_ROWS=40")
SLOWLY = (*SMALL_SHARDS, "-s", "HOST_DELAY_SECS=0.4")


def kill_at_step(web, corpus, step):
    done = subprocess.run(
        [sys.executable, "-c", KILL_AT_STEP, step, *crawl_arguments(web, corpus), *SLOWLY],
        cwd=ROOT,
        env=scrapy_environment(),
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr


def kill_after(web, corpus, secs):
    """Kill a crawl after *secs*; tell whether it was still at work."""
    crawl = start(web, corpus, *SLOWLY)
    time.sleep(secs)
    at_work = crawl.poll() is None
    crawl.send_signal(signal.SIGKILL)
    crawl.wait()
    return at_work


def assert_ends_as(web, corpus, uninterrupted):
    last = start(web, corpus, *SMALL_SHARDS)
    assert last.wait(300) == 0
    for ours, expected in zip(end_state(corpus), end_state(uninterrupted), strict=True):
        assert ours == expected


def test_killed_at_ten_moments(tmp_path, small_crawl):
    corpus = tmp_path / "corpus"
    rng = random.Random(7)
    with served_web(tmp_path / "web", *SMALL_WEB) as web:
        for step in STEPS:
            kill_at_step(web, corpus, step)
        killed = [kill_after(web, corpus, secs + rng.random() / 4) for secs in MOMENTS]
        assert all(killed), "the crawl ended before it could be killed"
        assert_ends_as(web, corpus, small_crawl[1])


@pytest.mark.long
def test_killed_at_two_hundred_moments(tmp_path, small_crawl):
    corpus = tmp_path / "corpus"
    rng = random.Random(11)
    with served_web(tmp_path / "web", *SMALL_WEB) as web:
        for step in STEPS:
            kill_at_step(web, corpus, step)
        for _ in range(198):
            kill_after(web, corpus, 0.2 + 1.5 * rng.random())
        assert_ends_as(web, corpus, small_crawl[1])
