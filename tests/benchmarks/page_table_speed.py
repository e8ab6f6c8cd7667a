"""The figures of the page table: look-ups, inserts, replay, bytes (tests/benchmarks/bench_webgraph.py)."""

from __future__ import annotations

import gc
import itertools
import json
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from crawler.durable.files import make_folder
from crawler.durable.journal import Journal, next_number
from crawler.frontier.policy import CommitPolicy
from crawler.webgraph.pages.sealer import PageSealer
from crawler.webgraph.pages.snapshot import FILE
from crawler.webgraph.pages.table import PageTable, page_memory
from tests.benchmarks.made_urls import LINKS, MadeWeb, real_keys
from tests.benchmarks.report import figure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from crawler.urls import PageKey
    from crawler.webgraph.pages.memory import PageMemory

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


class Built(NamedTuple):
    """What was built: its pages, the seconds of that, and the most memory that the process took."""

    n_pages: int
    secs: float
    peak_bytes: int


def build(folder: Path, batches: Iterable[Sequence[PageKey]]) -> Built:
    """Give ids to all keys of *batches*, each in one commit."""
    make_folder(folder)
    journal = Journal.open_writer(folder)
    policy = CommitPolicy(snapshot_pages=2**40)
    sealer = PageSealer(
        journal,
        n_pages=policy.seal_pages,
        snapshot_pages=policy.snapshot_pages,
        thread_pages=policy.thread_pages,
    )
    secs, peak_bytes = 0.0, 0

    def add(txn: Any, keys: Sequence[PageKey]) -> None:
        table = PageTable(txn)
        table.ids(keys)
        table.write_log(next_number(txn, "sequence"))

    for keys in batches:
        started = time.perf_counter()
        journal.write(partial(add, keys=keys))
        sealer(journal)
        secs += time.perf_counter() - started
        peak_bytes = max(peak_bytes, rss_bytes())
    with journal.read() as txn:
        n_pages = page_memory(txn).n_pages
    PageSealer(journal, n_pages=1, snapshot_pages=1, thread_pages=policy.thread_pages)(journal)
    journal.close()
    return Built(n_pages, secs, peak_bytes)


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


def lookups(folder: Path, n_batches: int) -> tuple[list[float], list[float], list[float]]:
    """Return look-ups a second of each round: from keys to ids, and back, one by one and at once."""
    journal = Journal.open_reader(folder)
    forward, reverse, together = [], [], []
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
            started = time.perf_counter()
            table.keys_of(ids)
            together.append(len(ids) / (time.perf_counter() - started))
    journal.close()
    return forward, reverse, together


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
        secs, n_bytes = time.perf_counter() - started, rss_bytes() - before
        checksum = sum(int(ids.sum(dtype=np.uint64)) for ids in memory.all_ids()) % 2**53
        sys.stdout.write(
            json.dumps(
                {
                    "secs": secs,
                    "bytes": n_bytes,
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
        n_pages, secs, peak_bytes = build(folder, batches)
        snapshot = (folder / FILE).stat().st_size
        on_disk = disk_bytes(folder)
        saved = load_in_a_fresh_process(folder)
        (folder / FILE).unlink()
        replayed = load_in_a_fresh_process(folder)
        assert saved["checksum"] == replayed["checksum"]
        assert saved["pages"] == replayed["pages"] == n_pages
        data = f"{n_pages:,} {name}"
        if made:
            forward, reverse, together = lookups(folder, 4_000)
            show("lookups_per_s", forward, "1/s", data, 1.5e6)
            show("inserts_per_s", [n_pages / secs], "1/s", data, 700_000)
            show("reverse_per_s", reverse, "1/s", data, 50_000)
            show("reverse_at_once_per_s", together, "1/s", data, 50_000)
            show("replay_urls_per_s", [n_pages / replayed["secs"]], "1/s", data, 4e6)
            show("load_snapshot_urls_per_s", [n_pages / saved["secs"]], "1/s", data, None)
        show(f"build_peak_gb{suffix}", [peak_bytes / 1e9], "GB", data, None)
        show(f"ram_bytes_per_url{suffix}", [saved["bytes"] / n_pages], "bytes", data, 19)
        pages_only = (saved["bytes"] - saved["host_bytes"]) / n_pages
        show(f"ram_bytes_per_url_without_hosts{suffix}", [pages_only], "bytes", data, None)
        show(f"disk_bytes_per_url{suffix}", [on_disk / n_pages], "bytes", data, 25)
        total = (on_disk + snapshot) / n_pages
        show(f"disk_bytes_per_url_with_snapshot{suffix}", [total], "bytes", data, 50)


def show(name: str, values: Sequence[float], unit: str, data: str, goal: float | None) -> None:
    """Print a figure."""
    figure(BENCH, name, values, unit=unit, data=data, goal=goal)
