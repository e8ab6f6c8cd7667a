"""The frontier with very many hosts, beside Scrapy's own queue.

Each host has twenty pages. A pop is the whole way of a page that brings nothing: leased as the next
one that is due, its URL read, its capture finished, and its new state committed, in groups of 500.
It is measured in a process that resumes the crawl, and so are the seconds until the first lease, the
memory (RSS with what it has mapped, and what of that is its own), and the open files. The garbage
collector is set as in every crawl (crawler.extensions.garbage). `default_pops`
are those with the gaps of domains and of addresses, and with the latency, of the default settings: each host
has an address of its own, which is known, and shares its domain with nobody. In these two hosts come up in
the order of their ids, which is that of their pages on the disk; `random_pops` are as the second, in a random order.
`ranked_pops` are as the first where each page has a priority, one of a hundred.

Scrapy's queue is what Scrapy uses by default for a broad crawl, `DownloaderAwarePriorityQueue` over
queues in memory (with queues on disk it needs a file a host): push and pop of Requests.

Asserted: no page twice, every page of a host after the one before, and all states committed.
"""

from __future__ import annotations

import argparse
import json
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.extensions.garbage import GarbageCollection
from crawler.frontier.crawl_store import CrawlStore
from crawler.frontier.policy import CommitPolicy, FrontierPolicy
from crawler.urls import PageKey
from settings import project
from tests.benchmarks.made_urls import host_name, local_key
from tests.benchmarks.report import figure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crawler.frontier.leases import Lease

BENCH = "frontier"
PAGES_PER_HOST = 20
GROUP_PAGES = 500
# Pops that are timed apart, for the spread; of small frontiers a fourth of the pages.
ROUND_POPS = 20_000
ROUNDS = 3
# The gaps are a thousandth of those that are meant, so that all hosts are always due.
_DEFAULT = FrontierPolicy(
    host_delay_secs=project.HOST_DELAY_SECS / 1000,
    latency_factor=project.HOST_DELAY_LATENCY_FACTOR,
    domain_delay_secs=project.DOMAIN_DELAY_SECS / 1000,
    ip_delay_secs=project.IP_DELAY_SECS / 1000,
)
PROFILES = {
    "pops": FrontierPolicy(host_delay_secs=0.001),
    "default_pops": _DEFAULT,
    "random_pops": _DEFAULT,
    "ranked_pops": FrontierPolicy(host_delay_secs=0.001),
}


def open_store(folder: Path, profile: str = "pops") -> CrawlStore:
    """Open the store of *folder*; its hosts are always due."""
    commit = CommitPolicy(group_pages=GROUP_PAGES)
    return CrawlStore(folder, policy=PROFILES[profile], commit=commit)


def give_addresses(store: CrawlStore) -> None:
    """Give each host an address, where addresses matter."""
    groups = store.frontier.groups
    if groups is not None:
        for host_id in store.frontier.memory.hosts.host_ids().tolist():
            address = socket.inet_ntoa((host_id + (10 << 24)).to_bytes(4, "big"))
            groups.set_address(host_id, address, 0.0)
            groups.give_back(host_id)


def seeds(n_hosts: int) -> Iterator[tuple[PageKey, tuple[str, ...]]]:
    """Yield the pages of all hosts, host by host in turn for each page."""
    for page in range(PAGES_PER_HOST):
        for host in range(n_hosts):
            yield PageKey(host_name(host), local_key(host, page)), ()


def plant(folder: Path, n_hosts: int) -> float:
    """Put the pages of *n_hosts* hosts into the frontier of *folder*; return the seconds."""
    started = time.perf_counter()
    store = open_store(folder)
    counts = store.add_seeds(seeds(n_hosts))
    assert counts.new == PAGES_PER_HOST * n_hosts
    store._seal(force=False)
    store.close()
    return time.perf_counter() - started


def status(name: str) -> float:
    """Return a line of this process' status, in MB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) / 1024
    raise OSError(f"no {name} in /proc/self/status")


def resume(store: CrawlStore, profile: str) -> float:
    """Lease the first page, and give it back; return the time from which hosts are due."""
    # A profile begins when the hosts are due again that the one before has asked; then hosts rest once,
    # and after them their domains.
    begin = 1000.0 * list(PROFILES).index(profile)
    lease = next(filter(None, (store.next_page(begin + secs) for secs in (0.0, 1.0, 2.0))), None)
    assert lease is not None
    store.release(lease, begin)
    return begin + 3.0


def shuffle(store: CrawlStore, now: float) -> float:
    """Let the hosts fall due in a random order after *now*; return when all are."""
    host_ids = store.frontier.memory.hosts.host_ids().tolist()
    hosts = store.frontier.hosts
    for host_id, secs in zip(host_ids, np.random.default_rng(1).random(len(host_ids)), strict=True):
        hosts.wait_until(host_id, now + 1.0 + float(secs))
    assert store.next_page(now) is None  # hosts come up, and are put where they belong
    return now + 2.0


def rank(store: CrawlStore) -> None:
    """Give each page a priority."""
    memory, rng = store.frontier.memory, np.random.default_rng(2)
    for ids in memory.all_ids():
        memory.put_levels(ids, rng.integers(100, 200, len(ids)).astype(np.uint16))


def popped(store: CrawlStore, n_pops: int, now: float) -> tuple[list[Lease], float]:
    """Lease and finish *n_pops* pages from *now* on; return the leases and the time it is then."""
    leases = []
    for _ in range(n_pops):
        lease = store.next_page(now)
        if lease is None:
            now += 1.0
            lease = store.next_page(now)
            assert lease is not None
        leases.append(lease)
        store.finish(store.open_capture(lease), now)
    store.flush()
    return leases, now


def pop_rounds(folder: Path, profile: str) -> None:
    """Resume the crawl in *folder*, pop pages, and print what that took as JSON."""
    files_before = len(list(Path("/proc/self/fd").iterdir()))
    started = time.perf_counter()
    store = open_store(folder, profile)
    end = int(store.frontier.memory.hosts.host_ids().max()) + 1
    cursors: list[int] = np.asarray(store.frontier.hosts.cursor)[:end].tolist()
    begin = resume(store, profile)
    GarbageCollection().spider_opened()
    answer: dict[str, Any] = {"resume_secs": time.perf_counter() - started}
    give_addresses(store)
    if profile == "random_pops":
        begin = shuffle(store, begin)
    if profile == "ranked_pops":
        rank(store)
    n_hosts = len(store.frontier.memory.hosts)
    counts = store.counts()
    n_pops = min(ROUND_POPS, (counts["queued"] + counts["fetched"]) // (len(PROFILES) * ROUNDS + 2))
    rates, now = [], begin
    for _ in range(ROUNDS):
        started = time.perf_counter()
        leases, now = popped(store, n_pops, now)
        rates.append(n_pops / (time.perf_counter() - started))
        for lease in leases:
            assert profile == "ranked_pops" or cursors[lease.host_id] == lease.local_id
            cursors[lease.host_id] += 1
    done = store.counts()
    assert done["fetched"] - counts["fetched"] == ROUNDS * n_pops
    assert done["queued"] == counts["queued"] - ROUNDS * n_pops
    answer |= {
        "pops_per_s": rates,
        "hosts": n_hosts,
        "rss_mb": status("VmRSS"),
        "own_mb": status("RssAnon"),
        "descriptors": len(list(Path("/proc/self/fd").iterdir())) - files_before,
    }
    sys.stdout.write(json.dumps(answer))
    store.journal.close()


def in_a_fresh_process(folder: Path, profile: str) -> dict[str, Any]:
    """Return what :func:`pop_rounds` prints."""
    command = [
        sys.executable,
        "-m",
        "tests.benchmarks.bench_frontier",
        "--pops",
        str(folder),
        profile,
    ]
    answer: dict[str, Any] = json.loads(subprocess.check_output(command, text=True))
    return answer


def scrapy_pops(n_hosts: int) -> list[float]:
    """Return the pops a second of Scrapy's queue with *n_hosts* hosts, each with two Requests."""
    from scrapy.http import Request
    from scrapy.pqueues import DownloaderAwarePriorityQueue
    from scrapy.squeues import FifoMemoryQueue
    from scrapy.utils.test import get_crawler

    class Downloader:
        """What the queue asks Scrapy's downloader for: no host is being asked."""

        def __init__(self) -> None:
            self.slots: dict[str, Any] = {}

        def get_slot_key(self, request: Request) -> str:
            return request.url.split("/", 3)[2]

    crawler = get_crawler()
    crawler.engine = type("Engine", (), {"downloader": Downloader()})()
    queue = DownloaderAwarePriorityQueue(crawler, FifoMemoryQueue, "")
    for page in range(2):
        for host in range(n_hosts):
            queue.push(Request(f"http://h{host}.com/{local_key(host, page)[2:]}"))
    rates = []
    for _ in range(ROUNDS):
        n, started = 0, time.perf_counter()
        while time.perf_counter() - started < 1.0 and n < n_hosts // 2:
            assert queue.pop() is not None
            n += 1
        rates.append(n / (time.perf_counter() - started))
    return rates


def show(name: str, values: list[float], unit: str, data: str, goal: float | None = None) -> float:
    """Print a figure; return its median."""
    return figure(BENCH, name, values, unit=unit, data=data, goal=goal)


def one_size(n_hosts: int, *, label: str) -> float:
    """Print the figures of *n_hosts* hosts; return the pops a second."""
    data = f"{n_hosts:,} hosts, {PAGES_PER_HOST * n_hosts:,} pages"
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent) / "corpus"
        secs = plant(folder, n_hosts)
        answer = in_a_fresh_process(folder, "pops")
        default = in_a_fresh_process(folder, "default_pops")
        random = in_a_fresh_process(folder, "random_pops")
        ranked = in_a_fresh_process(folder, "ranked_pops")
    pops = show(f"pops_per_s_{label}_hosts", answer["pops_per_s"], "1/s", data, 100_000)
    show(f"default_pops_per_s_{label}_hosts", default["pops_per_s"], "1/s", data, 100_000)
    show(f"random_pops_per_s_{label}_hosts", random["pops_per_s"], "1/s", data)
    show(f"ranked_pops_per_s_{label}_hosts", ranked["pops_per_s"], "1/s", data)
    if label == "1m":
        show("rss_mb_1m_hosts", [answer["rss_mb"]], "MB", data, 1000)
        show("own_mb_1m_hosts", [answer["own_mb"]], "MB", data)
        show("default_rss_mb_1m_hosts", [default["rss_mb"]], "MB", data, 1000)
        show("descriptors", [answer["descriptors"]], "files", data, 16)
        show("resume_secs", [answer["resume_secs"]], "s", data, 8)
        show("seeds_per_s", [PAGES_PER_HOST * n_hosts / secs], "1/s", data)
    return pops


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the hosts")
    parser.add_argument("--full", action="store_true", help="the same as the default")
    parser.add_argument("--pops", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.pops:
        pop_rounds(Path(options.pops[0]), options.pops[1])
        return
    scale = 10 if options.quick else 1
    for n_hosts, label in ((1_000, "1k"), (10_000, "10k"), (100_000, "100k")):
        ours = one_size(n_hosts // scale, label=label)
        theirs = scrapy_pops(n_hosts // scale)
        data = f"{n_hosts // scale:,} hosts, Requests in memory"
        show(f"scrapy_pops_per_s_{label}_hosts", theirs, "1/s", data)
        goal = 1000.0 if label == "100k" else None
        show(f"speedup_to_scrapy_{label}_hosts", [ours / x for x in theirs], "ratio", data, goal)
    one_size(1_000_000 // scale, label="1m")


if __name__ == "__main__":
    main()
