"""What a crawl in two processes costs beside one in one: ``fleet_cpu_ratio``.

Each crawl is done in part and to the end, and what the second takes more is the cost of its further pages:
starting two processes costs what it costs, however long they crawl, and is a figure of its own
(``fleet_start_cpu_secs``, what a partial crawl takes more in two than in one). ``fleet_whole_cpu_ratio`` is that of
crawls from their start to their end. The crawls of a round take turns,
and the ratio is that of medians over the rounds. CPU is that of all processes, the parent's and its closing pass
included; they run on whatever cores the system gives them, for two that take turns on one core would also be
charged for what each does to the other's caches. What the first start compiles is charged to nobody.

Two processes that work at once take more CPU than one wherever they share caches, memory and the clock of a machine.
``fleet_memory_mb``: what four processes and their parent hold at most, shared pages counted once (Pss).

``fleet_cpu_ratio_beside_crawls`` is what a page costs in two processes of a fleet over what it costs in two crawls
that share nothing and run at once.

Measured, November 2026: two processes take 1.04 to 1.12 times the CPU of one for a whole crawl (medians of four runs; 1.17 in one
while the machine was busy), 1.06 to 1.15 times for each further page (medians of six runs; .91–1.27 in single rounds), and .96 to
1.04 times what two crawls take beside each other (1.08 and 1.2 while the machine was busy). Four hold 540 to 600 MB together.
"""

from __future__ import annotations

import resource
import statistics
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from pipelines.corpus.manifest import read_manifest
from tests.benchmarks.crawl_process import children, start
from tests.benchmarks.crawl_speedup import print_speedup
from tests.benchmarks.report import figure
from tests.conftest import served_web

GOAL = 1.11
# Up to which page, in percent, two processes are timed: behind it there are hosts that only one of them has.
LAST_SHARE = 80


class FleetSize(NamedTuple):
    """Hosts and pages of the sample web, pages of the partial crawls, and how often all are done."""

    hosts: int
    pages: int
    part: int
    rounds: int


class Cost(NamedTuple):
    """CPU seconds, and pages that were answered."""

    cpu_secs: float
    pages: int


class Round(NamedTuple):
    """The costs of partial and whole crawls in one process, in two, and of two crawls at once."""

    begun: tuple[Cost, Cost, Cost]
    whole: tuple[Cost, Cost, Cost]


def crawl(folder: Path, n_processes: int, *, max_pages: int = 0, at_once: int = 1) -> Cost:
    """Crawl the web in *folder*, up to *max_pages* (0: all), *at_once* times."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as output:
        corpora = [Path(output) / f"corpus{number}" for number in range(at_once)]
        crawls = [start(folder, corpus, n_processes, max_pages) for corpus in corpora]
        assert [each.wait() for each in crawls] == [0] * at_once
        counts = [read_manifest(corpus).counts for corpus in corpora]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_secs = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(cpu_secs, sum(each["fetched"] + each["gone"] for each in counts))


def memory_mb(folder: Path, n_processes: int) -> float:
    """Crawl the web in *folder*; return the most that all processes held at once."""
    most = 0.0
    with tempfile.TemporaryDirectory() as output:
        parent = start(folder, Path(output), n_processes, 0)
        while parent.poll() is None:
            most = max(most, sum(map(_pss_mb, [parent.pid, *children(parent.pid)])))
            time.sleep(0.25)
    assert parent.returncode == 0
    return most


def _pss_mb(process: int) -> float:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:  # it has ended
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)


def one_round(web: Path, part: int) -> Round:
    """Crawl *web* in one process, in two, and twice at once, each up to *part* pages and to the end."""
    begun, whole = (
        (
            crawl(web, 1, max_pages=max_pages),
            crawl(web, 2, max_pages=max_pages),
            crawl(web, 1, max_pages=max_pages, at_once=2),
        )
        for max_pages in (part, 0)
    )
    # Nothing gets fast by doing less: all fetched the same pages.
    assert [each.pages for each in begun] == [part, part, 2 * part]
    assert [each.pages for each in whole[1:]] == [whole[0].pages, 2 * whole[0].pages]
    return Round(begun, whole)


def page_secs(rounds: list[Round], kind: int) -> float:
    """Return the CPU seconds of a further page in the *kind* of crawl, by the medians of *rounds*."""
    whole, begun = (
        statistics.median(each[kind].cpu_secs for each in costs)
        for costs in ([each.whole for each in rounds], [each.begun for each in rounds])
    )
    return (whole - begun) / (rounds[0].whole[kind].pages - rounds[0].begun[kind].pages)


def print_fleet_ratio(size: FleetSize) -> None:
    """Print the cost of a page in two processes beside that in one, and that of their start."""
    options = ("--hosts", str(size.hosts), "--pages", str(size.pages))
    with tempfile.TemporaryDirectory() as folder, served_web(Path(folder), *options) as web:
        for n_processes in (1, 2):
            crawl(web, n_processes, max_pages=1)
        rounds = [one_round(web, size.part) for _ in range(size.rounds)]
        held = memory_mb(web, 4)
        data = f"sample web, {size.hosts} hosts, {rounds[0].whole[0].pages} pages"
        print_speedup(web, size.part, LAST_SHARE * size.pages // 100, size.rounds, data)
    figure("crawl", "fleet_memory_mb", [held], unit="MB", data=data)
    starts = [two.cpu_secs - one.cpu_secs for one, two, _ in (each.begun for each in rounds)]
    figure("crawl", "fleet_start_cpu_secs", starts, unit="s", data=data)
    pairs = [(one.cpu_secs, two.cpu_secs) for one, two, _ in (each.whole for each in rounds)]
    wholes = [two / one for one, two in pairs]
    figure("crawl", "fleet_whole_cpu_ratio", wholes, unit="ratio", data=data)
    for name, other, goal in (
        ("fleet_cpu_ratio", 0, GOAL),
        ("fleet_cpu_ratio_beside_crawls", 2, None),
    ):
        ratios = [page_secs([each], 1) / page_secs([each], other) for each in rounds]
        both = [min(ratios), page_secs(rounds, 1) / page_secs(rounds, other), max(ratios)]
        figure("crawl", name, both, unit="ratio", data=data, goal=goal)
