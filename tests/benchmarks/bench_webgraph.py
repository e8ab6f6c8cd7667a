"""The page table and the commit of pages: how fast, in how many bytes.

Made URLs (tests/benchmarks/made_urls.py), and the real URLs of the shared pages with made hosts. A
look-up is from page keys, as a page's links come, in batches of 120; all of an id is asked for, and
its state. RAM is what a fresh process takes to load the table, over the pages; ``…_without_hosts``
leaves out what the hosts take, of which the real URLs have one for eight pages.

Asserted: every key looked up has the id that it was given; every id read back has its key; the
table replayed from the log is the one that was saved; all pages committed are there.
"""

from __future__ import annotations

import argparse
import gc
import importlib.util
import itertools
import json
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.durable.files import make_folder
from crawler.durable.journal import Journal, next_number
from crawler.frontier.crawl_store import CrawlStore
from crawler.frontier.policy import CommitPolicy, FrontierPolicy
from crawler.webgraph.page_sealer import PageSealer
from crawler.webgraph.page_snapshot import FILE
from crawler.webgraph.page_table import PageTable, page_memory
from tests.benchmarks.made_urls import LINKS, MadeWeb, real_keys
from tests.benchmarks.report import figure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from crawler.urls import PageKey
    from crawler.webgraph.page_memory import PageMemory

BENCH = "webgraph"
SHARED = Path(__file__).parents[3] / "shared" / "data"
BATCH = 10_000
ROUNDS = 3
TABLES = ("disc", "runs", "texts", "flog", "categories", "meta")


def rss_bytes() -> int:
    """Return the anonymous memory of this process: files mapped are the page cache's."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    raise OSError("no RssAnon in /proc/self/status")


# --- the page table -------------------------------------------------------------------------------


def build(folder: Path, batches: Iterable[Sequence[PageKey]]) -> tuple[int, float]:
    """Give ids to all keys of *batches*, each in one commit; return the pages, and the seconds."""
    make_folder(folder)
    journal = Journal.open_writer(folder)
    sealer = PageSealer(journal, n_pages=CommitPolicy().seal_pages, snapshot_pages=2**40)
    secs = 0.0

    def add(txn: Any, keys: Sequence[PageKey]) -> None:
        table = PageTable(txn)
        table.ids(keys)
        table.write_log(next_number(txn, "sequence"))

    for keys in batches:
        started = time.perf_counter()
        journal.write(partial(add, keys=keys))
        sealer(journal)
        secs += time.perf_counter() - started
    with journal.read() as txn:
        n_pages = page_memory(txn).n_pages
    PageSealer(journal, n_pages=1, snapshot_pages=1)(journal)
    journal.close()
    return n_pages, secs


def made_batches(web: MadeWeb, n: int) -> Iterator[list[PageKey]]:
    """Yield *n* new keys in batches."""
    for _ in range(n // BATCH):
        yield web.new_keys(BATCH)


def real_batches(n: int) -> Iterator[list[PageKey]]:
    """Yield about *n* links of real pages, a hundred pages a batch."""
    pages = real_keys(SHARED, n)
    while batch := list(itertools.islice(pages, 100)):
        yield list(itertools.chain.from_iterable(batch))


def disk_bytes(folder: Path) -> int:
    """Return the bytes of the page table's tables in the journal."""
    journal = Journal.open_reader(folder)
    with journal.read() as txn:
        n_bytes = sum(txn.n_bytes(table) for table in TABLES)
    journal.close()
    return n_bytes


def page_batches(memory: PageMemory, table: PageTable, n: int) -> list[list[PageKey]]:
    """Return *n* batches of known keys, each mostly of one host, hosts at random by their pages."""
    rng = np.random.default_rng(3)
    counts = memory.next_local[: len(memory.hosts)].astype(np.int64)
    edges = np.cumsum(counts)
    batches = []
    for _ in range(n):
        here, *others = np.searchsorted(edges, rng.integers(0, edges[-1], 9), side="right")
        ids = [
            int(here) << 32 | local
            for local in rng.integers(0, counts[here], LINKS - len(others)).tolist()
        ]
        ids += [int(host) << 32 | int(rng.integers(0, counts[host])) for host in others]
        batches.append(table.keys_of(np.array(ids, dtype=np.uint64)))
    return batches


def lookups(folder: Path, n_batches: int) -> tuple[list[float], list[float]]:
    """Return look-ups a second from keys to ids, and from ids to keys, of each round."""
    journal = Journal.open_reader(folder)
    forward, reverse = [], []
    with journal.read() as txn:
        table = PageTable(txn)
        memory = table.memory
        batches = page_batches(memory, table, n_batches)
        gc.collect()
        for _ in range(ROUNDS):
            started = time.perf_counter()
            found = [table.find(batch) for batch in batches]
            forward.append(LINKS * n_batches / (time.perf_counter() - started))
        for batch, answer in zip(batches, found, strict=True):
            assert answer.known.all()
            assert table.keys_of(answer.ids) == batch
        ids = np.concatenate([answer.ids for answer in found])
        ids = np.random.default_rng(4).permutation(ids)[:20_000]
        for _ in range(ROUNDS):
            memory.runs.forget_blocks()
            started = time.perf_counter()
            for page_id in ids.tolist():
                table.key_of(page_id)
            reverse.append(len(ids) / (time.perf_counter() - started))
    journal.close()
    return forward, reverse


def load_in_a_fresh_process(folder: Path) -> dict[str, float]:
    """Return what loading the table takes in a process of its own: seconds, bytes, a checksum."""
    command = [sys.executable, "-m", "tests.benchmarks.bench_webgraph", "--load", str(folder)]
    answer: dict[str, float] = json.loads(subprocess.check_output(command, text=True))
    return answer


def warm_up() -> None:
    """Have the kernels compiled, or read from their cache: their code is no part of a page."""
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder), made_batches(MadeWeb(100), 2 * BATCH))
        lookups(Path(folder), 10)


def load(folder: Path) -> None:
    """Load the table of *folder*; print what that took."""
    warm_up()
    journal = Journal.open_reader(folder)
    with journal.read() as txn:
        gc.collect()
        before, started = rss_bytes(), time.perf_counter()
        memory = page_memory(txn)
        secs = time.perf_counter() - started
        checksum = sum(int(ids.sum(dtype=np.uint64)) for ids in memory.all_ids()) % 2**53
        sys.stdout.write(
            json.dumps(
                {
                    "secs": secs,
                    "bytes": rss_bytes() - before,
                    "host_bytes": memory.hosts.n_bytes + 13 * len(memory.hosts),
                    "pages": memory.n_pages,
                    "checksum": checksum,
                }
            )
        )
    journal.close()


def page_table(name: str, batches: Iterable[Sequence[PageKey]], *, made: bool) -> None:
    """Print the figures of a page table of *batches*."""
    suffix = "" if made else "_real"
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent) / "journal"
        n_pages, secs = build(folder, batches)
        snapshot = (folder / FILE).stat().st_size
        on_disk = disk_bytes(folder)
        saved = load_in_a_fresh_process(folder)
        (folder / FILE).unlink()
        replayed = load_in_a_fresh_process(folder)
        assert saved["checksum"] == replayed["checksum"]
        assert saved["pages"] == replayed["pages"] == n_pages
        data = f"{n_pages:,} {name}"
        if made:
            forward, reverse = lookups(folder, 4_000)
            show("lookups_per_s", forward, "1/s", data, 1.5e6)
            show("inserts_per_s", [n_pages / secs], "1/s", data, 700_000)
            show("reverse_per_s", reverse, "1/s", data, 50_000)
            show("replay_urls_per_s", [n_pages / replayed["secs"]], "1/s", data, 4e6)
            show("load_snapshot_urls_per_s", [n_pages / saved["secs"]], "1/s", data, None)
        show(f"ram_bytes_per_url{suffix}", [saved["bytes"] / n_pages], "bytes", data, 19)
        pages_only = (saved["bytes"] - saved["host_bytes"]) / n_pages
        show(f"ram_bytes_per_url_without_hosts{suffix}", [pages_only], "bytes", data, None)
        show(f"disk_bytes_per_url{suffix}", [on_disk / n_pages], "bytes", data, 25)
        total = (on_disk + snapshot) / n_pages
        show(f"disk_bytes_per_url_with_snapshot{suffix}", [total], "bytes", data, 50)


# --- the commit -----------------------------------------------------------------------------------


class MadeLinks:
    """Links as a page model holds them."""

    def __init__(self, keys: list[PageKey]) -> None:
        self.key = keys
        self.kind = np.zeros(len(keys), dtype=np.uint8)
        self.nofollow = np.zeros(len(keys), dtype=np.bool_)
        self.follow = np.ones(len(keys), dtype=np.bool_)
        self.priority = np.zeros(len(keys), dtype=np.float32)


def committed_pages(n_pages: int) -> float:
    """Return pages a second: leased, finished with links and a document, and committed."""
    web = MadeWeb(20_000)
    text = " ".join(f"word{number % 977}" for number in range(400))
    at = datetime(2026, 1, 2, tzinfo=UTC)
    pages = [MadeLinks(web.links()) for _ in range(n_pages)]
    seeds = [(keys.key[0], ()) for keys in pages]
    with tempfile.TemporaryDirectory() as folder:
        store = CrawlStore(
            folder, policy=FrontierPolicy(host_delay_secs=0), commit=CommitPolicy(seal_rows=10**9)
        )
        store.add_seeds(seeds)
        secs = 0.0
        for number, links in enumerate(pages):
            started = time.perf_counter()
            lease = store.next_page(1.0)
            assert lease is not None
            capture = store.open_capture(lease)
            capture.links, capture.fetched_at, capture.status = links, at, 200
            capture.keep({"url": lease.url, "text": f"{number} {text}", "fetched_at": at})
            store.finish(capture, 1.0)
            secs += time.perf_counter() - started
        started = time.perf_counter()
        store.flush()
        secs += time.perf_counter() - started
        assert store.counts()["fetched"] == n_pages
        store.journal.close()
    return n_pages / secs


def show(name: str, values: Sequence[float], unit: str, data: str, goal: float | None) -> None:
    """Print a figure."""
    figure(BENCH, name, values, unit=unit, data=data, goal=goal)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small inputs")
    parser.add_argument("--full", action="store_true", help="50 million made URLs")
    parser.add_argument("--pages", type=int, help="made URLs (100 million take 2 GB of memory)")
    parser.add_argument("--load", metavar="FOLDER", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.load:
        load(Path(options.load))
        return
    warm_up()
    n = 50_000_000 if options.full else 300_000 if options.quick else 4_000_000
    n = options.pages or n
    web = MadeWeb(n // 100)
    page_table("made URLs", made_batches(web, n), made=True)
    if (SHARED / "warc").is_dir():
        page_table("real URLs", real_batches(n), made=False)
    else:
        sys.stderr.write("no shared pages: figures of real URLs left out\n")
    n_pages = 1_000 if options.quick else 10_000
    rounds = [committed_pages(n_pages) for _ in range(ROUNDS)]
    data = f"{n_pages:,} made pages of {LINKS} links, documents of 3 kB, groups of 100"
    show("committed_pages_per_s", rounds, "1/s", data, 10_000)
    if importlib.util.find_spec("tests.benchmarks.webgraph_arcs") is not None:
        arcs = importlib.import_module("tests.benchmarks.webgraph_arcs")
        arcs.figures(quick=options.quick, full=options.full)


if __name__ == "__main__":
    main()
