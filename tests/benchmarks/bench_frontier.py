"""The frontier with very many hosts, beside Scrapy's own queue (tests.benchmarks.scrapy_queue).

Each host has twenty pages. A pop is the whole way of a page that brings nothing: leased as the next
one that is due, its URL read, its capture finished, and its new state committed, in groups of 500.
It is measured in a process that resumes the crawl, and so are the seconds until the first lease, the
memory (RSS with what it has mapped, and what of that is its own), and the open files. The garbage
collector is set as in every crawl (crawler.extensions.garbage). `default_pops`
are those with the gaps of domains and of addresses, and with the latency, of the default settings: each host
has an address of its own, which is known, and shares its domain with nobody. In these two hosts come up in
the order of their ids, which is that of their pages on the disk; `random_pops` are as the second, in a random order.
`random_links_pops` are as these where the pages too were found in a random order, so that each run of the page
table has some of all hosts. `ranked_pops` are as the first where each page has a priority, one of a hundred.

Asserted: no page twice, every page of a host after the one before, and all states committed.

Measured (hosts: 1,000, 10,000, 100,000, a million)::

    gaps of hosts alone             184,000  220,000  234,000  237,000
    default                         180,000  198,000  208,000  237,000
    random                          101,000  183,000  159,000  154,000
    random links                    167,000  200,000  144,000  146,000
    CPU of these three, µs          5.1 9.6 5.5  4.8 5.1 4.7  4.6 6.0 6.7  4.0 6.3 6.6

A million hosts take 664 MB (727 default, 780 random links), 522 to 588 of them their own. Rounds of a line differ by a tenth to a
third, of 1,000 hosts by more: half of the fifth of a second is the start. They resume in 1.7 to 5.2 s. On slower machines the default had 108,000 to 148,000 of a million hosts, random links 61,000 to 91,000, and
pages with priorities 30,000; here these have 38,000, 75,000 of 100,000 hosts, and 52,000. Scrapy's queue has 10,100 of 1,000, 22.
"""

from __future__ import annotations

import argparse
import json
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.errors import ModuleParser
from crawler.extensions.garbage import GarbageCollection
from crawler.frontier.policy import CommitPolicy, FrontierPolicy
from crawler.frontier.store.crawl_store import CrawlStore
from crawler.urls import PageKey
from settings import project
from tests.benchmarks.made_urls import host_name, local_key
from tests.benchmarks.report import figure
from tests.benchmarks.scrapy_queue import scrapy_pops

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crawler.frontier.leases.lease import Lease

BENCH = "frontier"
PAGES_PER_HOST = 20
GROUP_PAGES = 500
SEAL_PAGES = CommitPolicy().seal_pages
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
    "random_links_pops": _DEFAULT,
}
# In these hosts fall due in a random order.
SHUFFLED = ("random_pops", "random_links_pops")
# The profile that has a corpus of its own.
RANDOM_LINKS = "random_links_pops"
GOALS = {"pops": 100_000, "default_pops": 100_000, RANDOM_LINKS: 100_000}


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


def seeds(n_hosts: int, *, is_random: bool) -> Iterator[tuple[PageKey, tuple[str, ...]]]:
    """Yield the pages of all hosts: host by host in turn for each page, or in a random order."""
    order = np.arange(PAGES_PER_HOST * n_hosts, dtype=np.uint32)
    if is_random:
        np.random.default_rng(3).shuffle(order)
    for first in range(0, len(order), SEAL_PAGES):
        for number in order[first : first + SEAL_PAGES].tolist():
            page, host = divmod(number, n_hosts)
            yield PageKey(host_name(host), local_key(host, page)), ()


def plant(folder: Path, n_hosts: int, *, is_random: bool) -> float:
    """Put the pages of *n_hosts* hosts into the frontier of *folder*; return the seconds."""
    started = time.perf_counter()
    store = open_store(folder)
    source, n_new = seeds(n_hosts, is_random=is_random), 0
    while new := store.add_seeds(islice(source, SEAL_PAGES)).new:
        n_new += new
        store._seal(force=False)  # as a crawl does when it has found so many
    assert n_new == PAGES_PER_HOST * n_hosts
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
    if profile in SHUFFLED:
        begin = shuffle(store, begin)
    if profile == "ranked_pops":
        rank(store)
    n_hosts = len(store.frontier.memory.hosts)
    counts = store.counts()
    n_pops = min(ROUND_POPS, (counts["queued"] + counts["fetched"]) // (len(PROFILES) * ROUNDS + 2))
    rates, cpu, now = [], [], begin
    for _ in range(ROUNDS):
        started, cpu_started = time.perf_counter(), time.process_time()
        leases, now = popped(store, n_pops, now)
        rates.append(n_pops / (time.perf_counter() - started))
        cpu.append(1e6 * (time.process_time() - cpu_started) / n_pops)
        for lease in leases:
            assert profile == "ranked_pops" or cursors[lease.host_id] == lease.local_id
            cursors[lease.host_id] += 1
    done = store.counts()
    assert done["fetched"] - counts["fetched"] == ROUNDS * n_pops
    assert done["queued"] == counts["queued"] - ROUNDS * n_pops
    answer |= {
        "pops_per_s": rates,
        "cpu_us_per_pop": cpu,
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


def show(name: str, values: list[float], unit: str, data: str, goal: float | None = None) -> float:
    """Print a figure; return its median."""
    return figure(BENCH, name, values, unit=unit, data=data, goal=goal)


def one_size(n_hosts: int, *, label: str) -> float:
    """Print the figures of *n_hosts* hosts; return the pops a second."""
    data = f"{n_hosts:,} hosts, {PAGES_PER_HOST * n_hosts:,} pages"
    answers: dict[str, dict[str, Any]] = {}
    for is_random in (False, True):
        with tempfile.TemporaryDirectory() as parent:
            folder = Path(parent) / "corpus"
            secs = plant(folder, n_hosts, is_random=is_random)
            for profile in PROFILES:
                if (profile == RANDOM_LINKS) == is_random:
                    answers[profile] = in_a_fresh_process(folder, profile)
        if label == "1m":
            name = "random_seeds_per_s" if is_random else "seeds_per_s"
            show(name, [PAGES_PER_HOST * n_hosts / secs], "1/s", data)
    for profile, answer in answers.items():
        rates, cpu = answer["pops_per_s"], answer["cpu_us_per_pop"]
        show(f"{profile}_per_s_{label}_hosts", rates, "1/s", data, GOALS.get(profile))
        show(f"{profile}_cpu_us_{label}_hosts", cpu, "us", data)
    if label == "1m":
        for profile, prefix in (
            ("pops", ""),
            ("default_pops", "default_"),
            (RANDOM_LINKS, "random_links_"),
        ):
            show_memory(answers[profile], prefix, data)
    return statistics.median(answers["pops"]["pops_per_s"])


def show_memory(answer: dict[str, Any], prefix: str, data: str) -> None:
    """Print what the process of *answer* took, beside time."""
    show(f"{prefix}rss_mb_1m_hosts", [answer["rss_mb"]], "MB", data, 1000)
    show(f"{prefix}own_mb_1m_hosts", [answer["own_mb"]], "MB", data)
    show(f"{prefix}descriptors", [answer["descriptors"]], "files", data, 16)
    show(f"{prefix}resume_secs", [answer["resume_secs"]], "s", data, 8)


def main() -> None:
    """Print the figures."""
    parser = ModuleParser(description=__doc__)
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
        theirs = scrapy_pops(n_hosts // scale, ROUNDS)
        data = f"{n_hosts // scale:,} hosts, Requests in memory"
        show(f"scrapy_pops_per_s_{label}_hosts", theirs, "1/s", data)
        goal = 1000.0 if label == "100k" else None
        show(f"speedup_to_scrapy_{label}_hosts", [ours / x for x in theirs], "ratio", data, goal)
    one_size(1_000_000 // scale, label="1m")


if __name__ == "__main__":
    main()
