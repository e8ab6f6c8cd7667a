"""What a crawl in two processes costs beside one in one: ``fleet_cpu_ratio``.

Each crawl is done in part and to the end, and what the second takes more is the cost of its further pages:
starting two processes costs what it costs, however long they crawl, and is a figure of its own
(``fleet_start_cpu_secs``, what a partial crawl takes more in two than in one). The crawls of a round take turns,
and the ratio is that of medians over the rounds. CPU is that of all processes, the parent's and its closing pass
included; they run on whatever cores the system gives them, for two that take turns on one core would also be
charged for what each does to the other's caches. What the first start compiles is charged to nobody.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from pipelines.corpus.manifest import read_manifest
from tests.benchmarks.report import figure
from tests.conftest import ROOT, crawl_arguments, scrapy_command, scrapy_environment, served_web

GOAL = 1.11


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
    """The costs of partial and whole crawls in one process, and in two."""

    begun: tuple[Cost, Cost]
    whole: tuple[Cost, Cost]


def crawl(folder: Path, n_processes: int, *, max_pages: int = 0) -> Cost:
    """Crawl the web in *folder*, up to *max_pages* (0: all); compiled modules are kept there."""
    with tempfile.TemporaryDirectory() as output:
        corpus = Path(output) / "corpus"
        arguments = [*crawl_arguments(folder, corpus), "-a", f"max_pages={max_pages}"]
        if n_processes > 1:
            arguments = ["fleet", *arguments[1:], "-p", str(n_processes)]
        environment = {**scrapy_environment(), "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            scrapy_command(*arguments, "-s", "HOST_DELAY_SECS=0"),
            cwd=ROOT,
            env=environment,
            check=True,
            capture_output=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        counts = read_manifest(corpus).counts
    cpu_secs = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(cpu_secs, counts["fetched"] + counts["gone"])


def one_round(web: Path, part: int) -> Round:
    """Crawl *web* in one process and in two, each up to *part* pages and to the end."""
    begun = crawl(web, 1, max_pages=part), crawl(web, 2, max_pages=part)
    whole = crawl(web, 1), crawl(web, 2)
    # Nothing gets fast by doing less: both fetched the same pages.
    assert begun[0].pages == begun[1].pages == part
    assert whole[0].pages == whole[1].pages
    return Round(begun, whole)


def cpu_ratio(rounds: list[Round]) -> float:
    """Return the cost of a further page in two processes over that in one, by the medians of *rounds*."""
    of_one, of_two = (
        statistics.median(each.whole[n].cpu_secs for each in rounds)
        - statistics.median(each.begun[n].cpu_secs for each in rounds)
        for n in range(2)
    )
    return of_two / of_one


def print_fleet_ratio(size: FleetSize) -> None:
    """Print the cost of a page in two processes beside that in one, and that of their start."""
    options = ("--hosts", str(size.hosts), "--pages", str(size.pages))
    with tempfile.TemporaryDirectory() as folder, served_web(Path(folder), *options) as web:
        for n_processes in (1, 2):
            crawl(web, n_processes, max_pages=1)
        rounds = [one_round(web, size.part) for _ in range(size.rounds)]
    data = f"sample web, {size.hosts} hosts, {rounds[0].whole[0].pages} pages"
    starts = [two.cpu_secs - one.cpu_secs for one, two in (each.begun for each in rounds)]
    figure("crawl", "fleet_start_cpu_secs", starts, unit="s", data=data)
    ratios = [cpu_ratio([each]) for each in rounds]
    both = [min(ratios), cpu_ratio(rounds), max(ratios)]
    figure("crawl", "fleet_cpu_ratio", both, unit="ratio", data=data, goal=GOAL)
