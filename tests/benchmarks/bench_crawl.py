"""What a crawl costs: Winnow with everything on, beside Scrapy that fetches, and that does a part of it.

All fetch the same pages from the same server, in turn, each in a process of its own that keeps to one
core (`tests.benchmarks.crawl_once`); the server keeps to the other. The cost is CPU of the crawler's
process, since the waiting between two fetches is the web's.

Two webs: real pages of 50 to 900 kB (`tests.benchmarks.served_pages`; without ``../shared`` this part is
left out, and said to be), and the sample web, whose pages are small: there a page costs what a request
costs. Scrapy is given the list of pages and follows no link; Winnow finds them.

Figures: ``cpu_ms_per_page``, the ratios of a peer's to it (above 1: Winnow is cheaper), Winnow's
stages, ``warc_ms_per_page``, what keeping the raw answers takes besides, and ``fleet_cpu_ratio``, what a
page costs in two processes over one (`tests.benchmarks.crawl_fleet`).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from pipelines.corpus.corpus import Corpus
from tests.benchmarks.crawl_fleet import print_fleet_ratio
from tests.benchmarks.report import figure
from tests.benchmarks.served_pages import EXTRACTION
from tests.conftest import ROOT, scrapy_environment, served_web

CORES = sorted(os.sched_getaffinity(0))
CRAWLER_CORE, SERVER_CORE = CORES[0], CORES[-1]

STAGES = (
    *("link_graph", "admit", "segment", "clean", "metadata", "language", "quality", "deduplicate"),
    *("store", "commit"),
)
# The figure that compares a peer with Winnow, and its goal.
RATIOS = {
    "fetch": ("ratio_to_fetch_only", 1.0),
    "links": ("ratio_to_linkextractor", None),
    "justext": ("ratio_to_linkextractor_justext", 10.0),
    "trafilatura": ("ratio_to_lxml_links_trafilatura", None),
}

Run = dict  # what crawl_once prints
Runs = dict[str, list[Run]]


def crawl_once(kind: str, web: Path, corpus: Path | None = None) -> Run:
    """Crawl *web* once in a new process; return its report."""
    command = [sys.executable, "-m", "tests.benchmarks.crawl_once", kind, web]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [*command, corpus or folder, str(CRAWLER_CORE)],
            cwd=ROOT,
            env=scrapy_environment(),
            capture_output=True,
            text=True,
            check=True,
        )
    return json.loads(done.stderr.splitlines()[-1])


def interleaved(kinds: tuple[str, ...], web: Path, rounds: int) -> Runs:
    """Crawl *web* in all *kinds*, one after the other, *rounds* times."""
    runs: Runs = {kind: [] for kind in kinds}
    for _ in range(rounds):
        for kind, reports in runs.items():
            reports.append(crawl_once(kind, web))
    return runs


@contextmanager
def served_pages(folder: Path, step: int):
    """Serve every *step*-th real page; yield the number of pages."""
    command = [sys.executable, "-m", "tests.benchmarks.served_pages", folder, str(step)]
    server = subprocess.Popen([*command, str(SERVER_CORE)], cwd=ROOT)
    try:
        while not (folder / "hosts.tsv").exists():
            assert server.poll() is None, "the server of the real pages ended before it served"
            time.sleep(0.1)
        yield len((folder / "urls.txt").read_text(encoding="utf-8").split("\n"))
    finally:
        server.terminate()
        server.wait(30)


def real_pages(*, quick: bool) -> None:
    """Print the figures of the real pages."""
    if not EXTRACTION.is_dir():
        sys.stdout.write(f"left out: the real pages, which need {EXTRACTION}\n")
        return
    kinds = ("winnow-within", "fetch", "links", "justext", "trafilatura", "winnow-warc")
    with (
        tempfile.TemporaryDirectory() as web,
        served_pages(Path(web), 3 if quick else 1) as n_pages,
    ):
        runs = interleaved(kinds, Path(web), 1 if quick else 5)
    # Nothing gets fast by doing less: all fetched all pages, Winnow kept them and has their links.
    for kind, reports in runs.items():
        assert all(run["pages"] >= 0.9 * n_pages - run["n_warm"] for run in reports), kind
    for run in (*runs["winnow-within"], *runs["winnow-warc"]):
        assert run["stats"]["store/pages"] > 0.9 * n_pages
        assert run["stats"]["link_graph/arcs"] > 100 * n_pages
    print_figures(runs, "winnow-within", f"{n_pages} real pages of 176 kB")


def sample_web(*, quick: bool) -> None:
    """Print the figures of the sample web."""
    size = ("--hosts", "12", "--pages", "600") if quick else ("--hosts", "60", "--pages", "3000")
    with tempfile.TemporaryDirectory() as folder, served_web(Path(folder), *size) as web:
        list_pages(web)
        runs = interleaved(("winnow", "fetch", "links"), web, 1 if quick else 5)
        data = f"sample web, {size[1]} hosts, {size[3]} pages"
        rounds, part = (1, 150) if quick else (3, 500)
        print_fleet_ratio(web, part=part, rounds=rounds, data=data)
    n_pages = int(size[3])
    for reports in runs.values():
        assert all(run["pages"] >= 0.9 * n_pages - run["n_warm"] for run in reports)
    assert all(run["stats"]["store/pages"] > 0.4 * n_pages for run in runs["winnow"])
    print_figures(runs, "winnow", data)


def list_pages(web: Path) -> None:
    """Crawl *web* once and write the URLs that answered to its ``urls.txt``."""
    with tempfile.TemporaryDirectory() as folder:
        crawl_once("winnow", web, Path(folder))
        corpus = Corpus.open(folder)
        rows = [*corpus.documents(["url", "status"]), *corpus.rejected(["url", "status"])]
    urls = sorted(row["url"] for row in rows if row["status"] == 200)
    (web / "urls.txt").write_text("\n".join(urls), encoding="utf-8")


def cpu_ms(run: Run) -> float:
    """Return the CPU milliseconds a page of *run*."""
    return 1000 * run["cpu_secs"] / run["pages"]


def print_figures(runs: Runs, ours: str, data: str) -> None:
    """Print the costs, the ratios round by round, and the stages of *ours*."""
    for kind, reports in runs.items():
        name = "cpu_ms_per_page" if kind == ours else f"{kind.replace('-', '_')}_cpu_ms_per_page"
        figure("crawl", name, list(map(cpu_ms, reports)), unit="ms", data=data)
    for kind, (name, goal) in RATIOS.items():
        if kind in runs:
            pairs = zip(runs[kind], runs[ours], strict=True)
            values = [cpu_ms(peer) / cpu_ms(own) for peer, own in pairs]
            figure("crawl", name, values, unit="ratio", data=data, goal=goal)
    if "winnow-warc" in runs:
        pairs = zip(runs["winnow-warc"], runs[ours], strict=True)
        values = [cpu_ms(warc) - cpu_ms(own) for warc, own in pairs]
        figure("crawl", "warc_ms_per_page", values, unit="ms", data=data)
    walls = [run["pages"] / run["wall_secs"] for run in runs[ours]]
    figure("crawl", "wall_pages_per_second", walls, unit="pages/s", data=data)
    for stage in STAGES:
        values = [
            1000 * run["stats"].get(f"{stage}/secs", 0.0) / (run["pages"] + run["n_warm"])
            for run in runs[ours]
        ]
        figure("crawl", f"{stage}_ms_per_page", values, unit="ms", data=data)
    cpu = statistics.median(map(cpu_ms, runs[ours]))
    sys.stdout.write(f"{data}: Winnow takes {cpu:.2f} ms of CPU a page, Scrapy included\n")


def main() -> None:
    """Print the figures of both webs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a third of the pages, one round")
    parser.add_argument("--full", action="store_true", help="the same as without")
    quick = parser.parse_args().quick
    real_pages(quick=quick)
    sample_web(quick=quick)


if __name__ == "__main__":
    main()
