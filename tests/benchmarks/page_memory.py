"""Builds page after page in one process and prints its resident memory on the way, as JSON.

The pages go round until *builds* are done. Memory that pages leave behind shows as a slope; what is
kept for the next page (workspaces, caches, the allocator's free lists) shows as a step at the start.
"""

from __future__ import annotations

import json
import re
import sys
from itertools import cycle, islice
from pathlib import Path

from crawler.page import build_page
from tests.benchmarks.wcxb_pages import wcxb_pages

SAMPLES = 200
_LINE = re.compile(r"(Vm\w+):\s*(\d+) kB")


def memory_bytes() -> tuple[int, int]:
    """Return the memory of this process that is in RAM now, and the most that ever was.

    Not from ``getrusage``, whose peak begins with that of the process that started this one.
    """
    status = dict(_LINE.findall(Path("/proc/self/status").read_text(encoding="ascii")))
    return 1024 * int(status["VmRSS"]), 1024 * int(status["VmHWM"])


def main(n_builds: int, *, quick: bool) -> None:
    """Build *n_builds* models; print (builds, resident bytes, peak bytes) of every sample."""
    pages = wcxb_pages(quick=quick)
    every = max(1, n_builds // SAMPLES)
    samples = []
    for n_built, page in enumerate(islice(cycle(pages), n_builds), 1):
        model = build_page(page.body, url=page.url, content_type=page.content_type)
        assert model.reject != "content_type", page.url
        if n_built % every == 0:
            samples.append((n_built, *memory_bytes()))
    sys.stdout.write(json.dumps(samples) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), quick="--quick" in sys.argv)
