"""What a crawl in two processes costs beside one in one: ``fleet_cpu_ratio``.

Each crawl is done twice, in part and to the end, and what the second takes more is the cost of its
further pages: starting two processes costs what it costs, however long they crawl. CPU is that of all
processes, the parent's and its closing pass included; they run on whatever cores the system gives them,
for two that take turns on one core would also be charged for what each does to the other's caches.
"""

from __future__ import annotations

import resource
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from pipelines.corpus.manifest import read_manifest
from tests.benchmarks.report import figure
from tests.conftest import ROOT, crawl_arguments, scrapy_command, scrapy_environment

GOAL = 1.11


class Cost(NamedTuple):
    """CPU seconds, and pages that were answered."""

    cpu_secs: float
    pages: int


def crawl(web: Path, n_processes: int, *, max_pages: int = 0) -> Cost:
    """Crawl *web*, up to *max_pages* (0: all)."""
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus"
        arguments = [*crawl_arguments(web, corpus), "-a", f"max_pages={max_pages}"]
        if n_processes > 1:
            arguments = ["fleet", *arguments[1:], "-p", str(n_processes)]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            scrapy_command(*arguments, "-s", "HOST_DELAY_SECS=0"),
            cwd=ROOT,
            env=scrapy_environment(),
            check=True,
            capture_output=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        counts = read_manifest(corpus).counts
    cpu_secs = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(cpu_secs, counts["fetched"] + counts["gone"])


def ms_per_page(web: Path, n_processes: int, *, part: int) -> tuple[float, int]:
    """Return the milliseconds of each page beyond *part*, and the pages of the whole crawl."""
    begun = crawl(web, n_processes, max_pages=part)
    whole = crawl(web, n_processes)
    assert begun.pages == part
    return 1000 * (whole.cpu_secs - begun.cpu_secs) / (whole.pages - part), whole.pages


def print_fleet_ratio(web: Path, *, part: int, rounds: int, data: str) -> None:
    """Print the cost of a page in two processes beside that in one."""
    ratios = []
    for _ in range(rounds):
        alone, n_alone = ms_per_page(web, 1, part=part)
        fleet, n_fleet = ms_per_page(web, 2, part=part)
        # Nothing gets fast by doing less: both fetched the same pages.
        assert n_fleet == n_alone
        ratios.append(fleet / alone)
    figure("crawl", "fleet_cpu_ratio", ratios, unit="ratio", data=data, goal=GOAL)
