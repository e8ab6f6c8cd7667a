"""How many times as many pages two processes of a fleet fetch a second as one does: ``fleet_speedup``.

They need a core each, and the server a third. A machine with fewer is made to have three small ones: each process of a
crawl gets half the time of a core at most, and the server has what is left of two. Without quotas, too
(`tests.benchmarks.cpu_quota`), the figure has no goal.

Counted are the pages between two moments of a crawl, each by a crawl that ends there: what starts before the first, and
the last pages, which wait for hosts that fail on purpose, are no matter of how many processes there are.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from pipelines.corpus.manifest import read_manifest
from tests.benchmarks.cpu_quota import put, quotas
from tests.benchmarks.crawl_process import children, start
from tests.benchmarks.report import figure

if TYPE_CHECKING:
    from collections.abc import Sequence

GOAL, CORES, SHARE = 1.8, 3, 0.5
_LOOK_SECS = 0.02


def print_speedup(web: Path, first: int, last: int, rounds: int, data: str) -> None:
    """Print how many times as fast two processes come from page *first* to page *last* of *web* as one."""
    has_cores = len(os.sched_getaffinity(0)) >= CORES
    with quotas(0 if has_cores else 2, SHARE) as groups:
        speedups = [
            _secs(web, 1, first, last, groups) / _secs(web, 2, first, last, groups)
            for _ in range(rounds)
        ]
    if groups:
        data += f", {SHARE} of a core a process"
    goal = GOAL if has_cores or groups else None
    figure("crawl", "fleet_speedup", speedups, unit="times", data=data, goal=goal)


def _secs(web: Path, n_processes: int, first: int, last: int, groups: Sequence[Path]) -> float:
    """Return the seconds by the clock in which *n_processes* come from page *first* to page *last*."""
    return _crawl_secs(web, n_processes, last, groups) - _crawl_secs(
        web, n_processes, first, groups
    )


def _crawl_secs(web: Path, n_processes: int, max_pages: int, groups: Sequence[Path]) -> float:
    """Crawl *max_pages* of *web*, each process in a group of its own; return the seconds it took."""
    with tempfile.TemporaryDirectory() as output:
        begun = time.monotonic()
        corpus = Path(output) / "corpus"
        parent = start(web, corpus, n_processes, max_pages)
        # What a fleet starts takes its place from it, until it gets one of its own.
        placed = [parent.pid] if n_processes == 1 else []
        if groups:
            put(parent.pid, groups[0])
        while parent.poll() is None:
            for child in children(parent.pid) if groups else ():
                if child not in placed:
                    put(child, groups[len(placed) % len(groups)])
                    placed.append(child)
            time.sleep(_LOOK_SECS)
        secs = time.monotonic() - begun
        assert parent.returncode == 0
        counts = read_manifest(corpus).counts
        assert counts["fetched"] + counts["gone"] == max_pages
        return secs
