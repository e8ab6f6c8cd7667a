"""The whole crawl of the sample web, split by stage, beside plain Scrapy with its LinkExtractor.

Both crawl the same served web, in turn, each in a process of its own; pages a second are pages over
CPU seconds of the crawler's process, since the waiting between two fetches is the web's.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.report import figure
from tests.conftest import ROOT, scrapy_environment, served_web

STAGES = (
    "link_graph",
    "admit",
    "segment",
    "clean",
    "language",
    "quality",
    "deduplicate",
    "store",
    "commit",
)


def crawl_once(kind: str, web: Path) -> dict:
    """Crawl *web* once in a new process; return its report."""
    with tempfile.TemporaryDirectory() as corpus:
        done = subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.crawl_once", kind, str(web), corpus],
            cwd=ROOT,
            env=scrapy_environment(),
            capture_output=True,
            text=True,
            check=True,
        )
    return json.loads(done.stderr.splitlines()[-1])


def main() -> None:
    """Interleave the two crawls and print their figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="300 pages, one round")
    quick = parser.parse_args().quick
    size = ("--hosts", "12", "--pages", "300") if quick else ("--hosts", "60", "--pages", "3000")
    ours, plain = [], []
    with tempfile.TemporaryDirectory() as web, served_web(Path(web), *size):
        for _ in range(1 if quick else 3):
            ours.append(crawl_once("winnow", Path(web)))
            plain.append(crawl_once("plain", Path(web)))
    data = f"sample web, {size[1]} hosts, {size[3]} pages"
    # Nothing gets fast by doing less: both must have fetched at least nine tenths of the web.
    assert all(run["pages"] >= 0.9 * int(size[3]) for run in ours), [run["pages"] for run in ours]
    assert all(run["pages"] >= 0.9 * int(size[3]) for run in plain), [run["pages"] for run in plain]
    assert all(run["stats"]["store/pages"] > 0.4 * int(size[3]) for run in ours)
    print_figures(ours, plain, data)


def print_figures(ours: list[dict], plain: list[dict], data: str) -> None:
    """Print the rates, their ratio round by round, and our CPU milliseconds a page by stage."""
    rates = {
        "winnow_pages_per_cpu_second": [run["pages"] / run["cpu_secs"] for run in ours],
        "linkextractor_pages_per_cpu_second": [run["pages"] / run["cpu_secs"] for run in plain],
    }
    for name, values in rates.items():
        figure("crawl", name, values, unit="pages/s", data=data)
    ratios = [a / b for a, b in zip(*rates.values(), strict=True)]
    figure("crawl", "ratio_to_linkextractor", ratios, unit="ratio", data=data)
    figure(
        "crawl",
        "wall_pages_per_second",
        [run["pages"] / run["wall_secs"] for run in ours],
        unit="pages/s",
        data=data,
    )
    for stage in STAGES:
        values = [1000 * run["stats"].get(f"{stage}/secs", 0.0) / run["pages"] for run in ours]
        figure("crawl", f"{stage}_ms_per_page", values, unit="ms", data=data)
    cpu = statistics.median(1000 * run["cpu_secs"] / run["pages"] for run in ours)
    sys.stdout.write(f"Winnow takes {cpu:.2f} ms of CPU a page, all stages and Scrapy included\n")


if __name__ == "__main__":
    main()
