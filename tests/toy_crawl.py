"""A crawl of a toy web on the real store, without network: for tests, and to be killed in them."""

from __future__ import annotations

import os
import random
import signal
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np

from crawler.durable.page_state import PageState
from crawler.frontier.leases import batches as lease_batches
from crawler.frontier.leases import ends as lease_ends
from crawler.frontier.policy import CommitPolicy, FrontierPolicy
from crawler.frontier.store.crawl_store import CrawlStore
from crawler.page.links import LinkKind
from crawler.urls import PageKey, page_key
from crawler.webgraph.graph import Graph
from pipelines.corpus.corpus import Corpus
from pipelines.corpus.shards import ShardSealer

N_HOSTS = 12
N_PAGES = 25
FETCHED_AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


class Arrays:
    """Links as a page model holds them."""

    def __init__(self, key, *, kind=LinkKind.A, nofollow=None, follow=None):
        self.key = list(key)
        n = len(self.key)
        self.kind = np.full(n, kind, dtype=np.uint8)
        self.nofollow = np.array([False] * n if nofollow is None else nofollow, dtype=np.bool_)
        self.follow = ~self.nofollow if follow is None else np.array(follow, dtype=np.bool_)


class Answer(NamedTuple):
    """What a toy page answers: a state, its links, and how often it fails before it does."""

    state: str
    links: Arrays | None
    failures: int = 0


def toy_key(host, page):
    return PageKey(f"com.toy.h{host}", f"0/p{page}")


def answer(key):
    """Return the answer of the page of *key*, a function of the key alone."""
    rng = random.Random(f"{key.host} {key.local}")
    host, page = int(key.host.rpartition("h")[2]), int(key.local.rpartition("p")[2])
    kind = rng.random()
    if kind < 0.1:
        return Answer("gone", None)
    if kind < 0.15:
        return Answer("refused", None)
    if kind < 0.25:
        target = toy_key(host, (page + 1) % N_PAGES)
        return Answer("fetched", Arrays([target], kind=LinkKind.REDIRECT))
    keys = [
        toy_key(host if rng.random() < 0.8 else rng.randrange(N_HOSTS), rng.randrange(N_PAGES))
        for _ in range(rng.randrange(8))
    ]
    links = Arrays(keys, nofollow=[rng.random() < 0.2 for _ in keys])
    return Answer("fetched", links, failures=rng.randrange(3) if kind > 0.85 else 0)


def fill(capture, toy):
    """Write *toy*'s answer into *capture*."""
    capture.fetched_at, capture.status = FETCHED_AT, 200
    if capture.retries < toy.failures:
        capture.state, capture.retry_in_secs = "queued", 2.0
        return
    capture.state, capture.links = toy.state, toy.links
    if toy.state != "fetched":
        capture.reject(stage="fetch", reason=toy.state)
        return
    capture.puts.append(("extra", capture.url.encode(), b""))
    ids = {"host_id": capture.host_id, "local_id": capture.local_id}
    capture.keep({**ids, "url": capture.url, "fetched_at": FETCHED_AT, "text": capture.url * 3})


def open_store(folder, *, on_step=lambda step: None, **policy):
    """Open a store that seals often, with both sealers."""
    commit = CommitPolicy(
        group_pages=7,
        seal_rows=1,
        seal_bytes=2000,
        seal_pages=40,
        snapshot_pages=60,
        thread_pages=1,
    )
    policy = FrontierPolicy(**{"host_delay_secs": 0.5, **policy})
    store = CrawlStore(folder, policy=policy, commit=commit, on_step=on_step)
    store.sealers.append(ShardSealer(Path(folder), rows=20, n_bytes=2**20))
    return store


def crawl(store, *, web=answer, max_steps=100_000):
    """Crawl until nothing is left, on a clock of its own; return URLs in the order of leases."""
    now, leased = 0.0, []
    for _ in range(max_steps):
        lease = store.next_page(now)
        if lease is not None:
            leased.append(lease.url)
            capture = store.open_capture(lease)
            fill(capture, web(page_key(lease.url)))
            store.finish(capture, now)
            continue
        store.flush()
        wait = store.next_due(now)
        if wait is None:
            return leased
        now += wait + 1e-6
    raise AssertionError("the crawl has no end")


SEEDS = [(toy_key(host, 0), [f"Top/{host % 3}"]) for host in range(N_HOSTS)]


def picture(folder):
    """Return what the corpus in *folder* holds, by URL."""
    corpus = Corpus.open(folder)
    with Graph.open(folder) as graph:
        ids = graph.pages()
        assert len(set(ids.tolist())) == len(ids)
        urls = dict(zip(ids.tolist(), graph.urls(ids), strict=True))
        sources, targets, flags = graph.arcs()
        arcs = Counter(
            (urls[source], urls[target], flag)
            for source, target, flag in zip(
                sources.tolist(), targets.tolist(), flags.tolist(), strict=True
            )
        )
        captured = sorted(urls[source] for source in graph.captured().tolist())
    store = CrawlStore(folder)
    found = store.lookup([page_key(url) for url in urls.values()])
    assert found.ids.tolist() == list(urls)
    states = {
        url: PageState(state).name
        for url, state in zip(urls.values(), found.states.tolist(), strict=True)
    }
    with store.journal.read() as txn:
        puts = [key.decode() for key in txn.keys("extra")]
    store.close()
    return {
        "arcs": arcs,
        "captured": captured,
        "states": states,
        "documents": Counter((row["url"], row["text"]) for row in corpus.documents()),
        "rejected": Counter((row["url"], row["reason"]) for row in corpus.rejected()),
        "puts": puts,
    }


def lease_as_among_many_hosts():
    """Lease in batches, and tell hosts of ends together, however few there are."""
    lease_batches.MIN_HOSTS = lease_batches.HOSTS_PER_LEASE = 1
    lease_ends._MANY = 1


def main(folder, acknowledged, step=None, number=1):
    """Crawl into *folder*, in a process that may be killed; it kills itself at the *number*-th *step*.

    The URL of each page is appended to the file *acknowledged* after its commit.
    """
    lease_as_among_many_hosts()
    reached = Counter()

    def on_step(name):
        reached[name] += 1
        if name == step and reached[name] == number:
            os.kill(os.getpid(), signal.SIGKILL)

    store = open_store(folder, on_step=on_step)
    descriptor = os.open(acknowledged, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def note(captures):
        done = [capture.url for capture in captures if capture.state != "queued"]
        os.write(descriptor, "".join(f"{url}\n" for url in done).encode())

    store.on_commit.append(note)
    store.add_seeds(SEEDS)
    crawl(store)
    store.close()
