"""``kill -9`` in mid-crawl, then the same command again: the end state of an uninterrupted crawl."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from crawler.webgraph.graph import Graph
from pipelines.corpus.corpus import Corpus
from tests import forked_commands
from tests.before_commands import kill_at_step
from tests.conftest import (
    ROOT,
    SMALL_WEB,
    crawl_arguments,
    run_scrapy,
    scrapy_environment,
    served_web,
)

# Seconds after the start at which the crawl is killed. It is forked from a process that has imported
# all: the first finds it opening its folder, the rest at work.
MOMENTS = (0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1.05, 1.2)

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
    arguments = [*crawl_arguments(web, corpus), *settings]
    return forked_commands.start(arguments, ROOT, scrapy_environment(), [Path(os.devnull)] * 3)


# Small shards, so that many are sealed in so small a crawl; hosts that wait, so that it lasts.
SMALL_SHARDS = ("-s", "SEAL_ROWS=40")
SLOWLY = (*SMALL_SHARDS, "-s", "HOST_DELAY_SECS=1")
MORE_SLOWLY = (*SMALL_SHARDS, "-s", "HOST_DELAY_SECS=8")


def kill_at(web, corpus, step, *settings, number=1):
    """Kill a crawl at the *number*-th time of *step*."""
    arguments = [*crawl_arguments(web, corpus), *settings]
    done = run_scrapy(*arguments, before=partial(kill_at_step, step, number))
    assert done.returncode == -signal.SIGKILL, done.stderr


def kill_after(web, corpus, secs, settings=SLOWLY):
    """Kill a crawl after *secs*; tell whether it was still at work."""
    crawl = start(web, corpus, *settings)
    time.sleep(secs)
    at_work = crawl.is_alive()
    crawl.kill()
    crawl.join()
    return at_work


def assert_ends_as(web, corpus, uninterrupted):
    last = start(web, corpus, *SMALL_SHARDS)
    last.join(300)
    assert last.exitcode == 0
    for ours, expected in zip(end_state(corpus), end_state(uninterrupted), strict=True):
        assert ours == expected


@pytest.mark.slow
def test_killed_at_ten_moments(tmp_path, small_crawl):
    corpus = tmp_path / "corpus"
    rng = random.Random(7)
    with served_web(tmp_path / "web", *SMALL_WEB) as web:
        for step in STEPS:
            kill_at(web, corpus, step, *SLOWLY)
        killed = [kill_after(web, corpus, secs + rng.random() / 4) for secs in MOMENTS]
        assert all(killed), "the crawl ended before it could be killed"
        assert_ends_as(web, corpus, small_crawl[1])


@pytest.mark.long
def test_killed_at_two_hundred_moments(tmp_path, small_crawl):
    corpus = tmp_path / "corpus"
    rng = random.Random(11)
    with served_web(tmp_path / "web", *SMALL_WEB) as web:
        for step in STEPS:
            kill_at(web, corpus, step, *SLOWLY)
        killed = [
            kill_after(web, corpus, 0.1 + 1.5 * rng.random(), MORE_SLOWLY) for _ in range(198)
        ]
        assert all(killed), "the crawl ended before it could be killed"
        assert_ends_as(web, corpus, small_crawl[1])
