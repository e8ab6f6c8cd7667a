"""How many times as many pages two processes of a fleet fetch a second as one does: ``fleet_speedup``.

They need a core each, and the server a third. A machine with fewer is made to have three small ones: each process of a
crawl gets half the time of a core at most, and the server has what is left of two. Without quotas, too
(`tests.benchmarks.cpu_quota`), the figure has no goal.

The server's log tells when it was asked. Counted are the requests between two moments of one crawl: what starts before
the first, the last pages, which wait for hosts that fail on purpose, and the closing pass, which one process makes of
all pages, are no matter of how many fetch. ``fleet_speedup_to_end`` counts from the first of these moments to the end,
the closing pass with it, and ``fleet_whole_speedup`` from the start to the end.

Measured, November 2026: 1.90, 1.92, 1.97 and 2.09 (medians of three rounds each; 1.78–2.30 in single rounds); to the end 1.84
(1.68–1.94) on 4,800 small pages and 1.73 (1.70–1.85) on 3,505; with the start 1.55 and 1.39.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from crawler.sampleweb.server import REQUESTS_FILE
from pipelines.corpus.manifest import read_manifest
from tests.benchmarks.cpu_quota import put, quotas
from tests.benchmarks.crawl_process import children, start
from tests.benchmarks.report import figure

if TYPE_CHECKING:
    from collections.abc import Sequence

GOAL, CORES, SHARE = 1.8, 3, 0.5
_LOOK_SECS = 0.02


class _Crawl(NamedTuple):
    """Seconds of a crawl from start to end, from one request to another, and from the same one to the end."""

    whole_secs: float
    part_secs: float
    to_end_secs: float


def print_speedup(web: Path, first: int, last: int, rounds: int, data: str) -> None:
    """Print how many times as fast two processes come from request *first* to request *last* of *web* as one."""
    has_cores = len(os.sched_getaffinity(0)) >= CORES
    with quotas(0 if has_cores else 2, SHARE) as groups:
        pairs = [
            (_crawl(web, 1, first, last, groups), _crawl(web, 2, first, last, groups))
            for _ in range(rounds)
        ]
    if groups:
        data += f", {SHARE} of a core a process"
    goal = GOAL if has_cores or groups else None
    parts = [one.part_secs / two.part_secs for one, two in pairs]
    figure("crawl", "fleet_speedup", parts, unit="times", data=data, goal=goal)
    ends = [one.to_end_secs / two.to_end_secs for one, two in pairs]
    figure("crawl", "fleet_speedup_to_end", ends, unit="times", data=data)
    wholes = [one.whole_secs / two.whole_secs for one, two in pairs]
    figure("crawl", "fleet_whole_speedup", wholes, unit="times", data=data)


def _crawl(web: Path, n_processes: int, first: int, last: int, groups: Sequence[Path]) -> _Crawl:
    """Crawl *web* up to page *last*, each process in a group of its own."""
    log = web / REQUESTS_FILE
    n_before = log.stat().st_size
    whole_secs = _crawl_secs(web, n_processes, last, groups)
    ended_at = time.monotonic()  # the clock of the log
    with log.open("rb") as lines:
        lines.seek(n_before)
        asked_at = sorted(float(line.split(b"\t")[0]) for line in lines)
    # At least one request a page.
    begun_at = asked_at[first]
    return _Crawl(whole_secs, asked_at[last - 1] - begun_at, ended_at - begun_at)


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
