"""What a crawl costs: Winnow with everything on, beside Scrapy that fetches, and that does a part of it.

All fetch the same pages from the same server, in turn, each in a process of its own that keeps to one
core (`tests.benchmarks.crawl_once`); the server keeps to the other. The cost is CPU of the crawler's
process, since the waiting between two fetches is the web's.

Two webs: real pages of 50 to 900 kB (`tests.benchmarks.served_pages`; without ``../shared`` this part is
left out, and said to be), and the sample web, whose pages are small: there a page costs what a request
costs. Scrapy is given the list of pages and follows no link; Winnow finds them.

Figures: ``cpu_ms_per_page``, the ratios of a peer's to it (above 1: Winnow is cheaper), Winnow's stages,
``warc_ms_per_page``, what keeping the raw answers takes besides, and ``fleet_cpu_ratio``, what a page costs in two
processes over one (``fleet_cpu_ratio_beside_crawls``: over two crawls at once), with ``fleet_start_cpu_secs`` and
``fleet_whole_cpu_ratio`` (`tests.benchmarks.crawl_fleet`), ``fleet_speedup`` and ``fleet_whole_speedup``
(`tests.benchmarks.crawl_speedup`). Each crawl prints its cost when it ends, and a figure comes with the last crawl that
it needs.

The real pages have 206 links and 335 blocks each; the first 150, at which things are loaded, are left out, as is what keeps Winnow
within these pages, and the end of the crawl is shared among all. How the costs divide moves with the machine: of Scrapy that
fetches .61 to .65 of Winnow's here, .54, .59, .64 and .66 on others; with jusText 10.4 to 10.8, and 9.9, 9.6, 8.6 and 10.4. On slow, busy machines Winnow took 5.4 and 6.1 ms, and the others .58 and .64, 3.1 and
3.5, 8.0 and 8.6, 15 and 13 times that; on a faster one 2.8 ms, and .54, 3.6, 9.9 and 14. Of the sample web's pages Scrapy's fetch has
1.19 (1.11–1.23), 1.25, 1.20 and 1.29; 1.7, 1.14, .96 and 1.05 on other machines.

Measured last, in two to three rounds on a busy machine, broken off: Winnow 6.8 ms (6.1–7.1), 1.7 of them metadata; Scrapy
that fetches .51 of it (.48–.54), with LinkExtractor 3.1 (2.6–3.6), and jusText 7.9 (7.4–8.3), with trafilatura 11 (10–11).

Measured before that, of 728 real pages (mean 176 kB), ms a page and times Winnow's 4.5: Scrapy fetches 2.7, .61 (.59–.62); with
LinkExtractor 19, 4.4 (4.2–4.4), and jusText 47, 10.4 (10.4–10.8); with lxml's links and trafilatura 64, 14 (14.0–14.8).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from crawler.errors import ModuleParser
from pipelines.corpus.corpus import Corpus
from tests.benchmarks.crawl_fleet import FleetSize, print_fleet_ratio
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


class Size(NamedTuple):
    """How much is crawled, how often: the peers that clean take long, and vary least.

    *step*: every so many-th real page; *sample*: pages of the sample web.
    """

    step: int
    rounds: int
    slow_rounds: int
    hosts: int
    sample: int
    fleet: FleetSize


QUICK = Size(
    3, rounds=1, slow_rounds=1, hosts=12, sample=600, fleet=FleetSize(12, 600, 150, rounds=1)
)
DEFAULT = Size(
    2, rounds=3, slow_rounds=3, hosts=20, sample=1000, fleet=FleetSize(60, 3000, 500, rounds=3)
)
FULL = Size(
    1, rounds=5, slow_rounds=5, hosts=60, sample=3000, fleet=FleetSize(60, 3000, 500, rounds=5)
)

SLOW = {"justext", "trafilatura"}


def crawl_once(kind: str, web: Path, corpus: Path | None = None) -> Run:
    """Crawl *web* once in a new process; return its report."""
    command = [sys.executable, "-m", "tests.benchmarks.crawl_once", kind, str(web)]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [*command, str(corpus or folder), str(CRAWLER_CORE)],
            cwd=ROOT,
            env=scrapy_environment(),
            capture_output=True,
            text=True,
            check=True,
        )
    return json.loads(done.stderr.splitlines()[-1])


def interleaved(kinds: tuple[str, ...], web: Path, size: Size, data: str) -> Runs:
    """Crawl *web* in all *kinds*, one after the other, in rounds; print figures as soon as they are there.

    The first of *kinds* is Winnow's.
    """
    runs: Runs = {kind: [] for kind in kinds}
    last = {kind: size.slow_rounds if kind in SLOW else size.rounds for kind in kinds}
    for n_done in range(1, size.rounds + 1):
        for kind in kinds:
            if n_done > last[kind]:
                continue
            run = crawl_once(kind, web)
            runs[kind].append(run)
            say(f"{data}, round {n_done}: {kind} takes {cpu_ms(run):.2f} ms a page")
            if n_done == last[kind]:
                print_figures(kind, runs, data)
    return runs


@contextmanager
def served_pages(folder: Path, step: int):
    """Serve every *step*-th real page; yield the number of pages."""
    command = [sys.executable, "-m", "tests.benchmarks.served_pages", str(folder), str(step)]
    server = subprocess.Popen([*command, str(SERVER_CORE)], cwd=ROOT)
    try:
        while not (folder / "hosts.tsv").exists():
            assert server.poll() is None, "the server of the real pages ended before it served"
            time.sleep(0.1)
        yield len((folder / "urls.txt").read_text(encoding="utf-8").split("\n"))
    finally:
        server.terminate()
        server.wait(30)


def real_pages(size: Size) -> None:
    """Print the figures of the real pages."""
    if not EXTRACTION.is_dir():
        say(f"left out: the real pages, which need {EXTRACTION}")
        return
    kinds = ("winnow-within", "fetch", "links", "justext", "trafilatura", "winnow-warc")
    with tempfile.TemporaryDirectory() as web, served_pages(Path(web), size.step) as n_pages:
        runs = interleaved(kinds, Path(web), size, f"{n_pages} real pages of 176 kB")
    # Nothing gets fast by doing less: all fetched all pages, Winnow kept them and has their links.
    for kind, reports in runs.items():
        assert all(run["pages"] >= 0.9 * n_pages - run["n_warm"] for run in reports), kind
    for run in (*runs["winnow-within"], *runs["winnow-warc"]):
        assert run["stats"]["store/pages"] > 0.9 * n_pages
        assert run["stats"]["link_graph/arcs"] > 100 * n_pages


def sample_web(size: Size) -> None:
    """Print the figures of the sample web."""
    options = ("--hosts", str(size.hosts), "--pages", str(size.sample))
    with tempfile.TemporaryDirectory() as folder, served_web(Path(folder), *options) as web:
        list_pages(web)
        data = f"sample web, {size.hosts} hosts, {size.sample} pages"
        runs = interleaved(("winnow", "fetch", "links"), web, size, data)
    for reports in runs.values():
        assert all(run["pages"] >= 0.9 * size.sample - run["n_warm"] for run in reports)
    assert all(run["stats"]["store/pages"] > 0.4 * size.sample for run in runs["winnow"])
    print_fleet_ratio(size.fleet)


def list_pages(web: Path) -> None:
    """Crawl *web* once and write the URLs that answered to its ``urls.txt``."""
    with tempfile.TemporaryDirectory() as folder:
        crawl_once("winnow", web, Path(folder))
        corpus = Corpus.open(folder)
        rows = [*corpus.documents(["url", "status"]), *corpus.rejected(["url", "status"])]
    urls = sorted(row["url"] for row in rows if row["status"] == 200)
    (web / "urls.txt").write_text("\n".join(urls), encoding="utf-8")


def cpu_ms(run: Run) -> float:
    """Return the CPU milliseconds a page of *run*, those of its end among them, which deals with the first pages
    too.
    """
    closing = run["closing_cpu_secs"] / (run["pages"] + run["n_warm"])
    return 1000 * (run["cpu_secs"] / run["pages"] + closing)


def say(line: str) -> None:
    """Print what only people read."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def print_figures(kind: str, runs: Runs, data: str) -> None:
    """Print the figures for which *kind* was the last to be crawled; the first kind of *runs* is Winnow's."""
    own = next(iter(runs))
    name = "cpu_ms_per_page" if kind == own else f"{kind.replace('-', '_')}_cpu_ms_per_page"
    figure("crawl", name, list(map(cpu_ms, runs[kind])), unit="ms", data=data)
    if kind == own:
        print_stages(runs[own], data)
        return
    pairs = [(cpu_ms(run), cpu_ms(ours)) for run, ours in zip(runs[kind], runs[own], strict=False)]
    if kind in RATIOS:
        name, goal = RATIOS[kind]
        figure("crawl", name, [a / b for a, b in pairs], unit="ratio", data=data, goal=goal)
    else:
        figure("crawl", "warc_ms_per_page", [a - b for a, b in pairs], unit="ms", data=data)


def print_stages(runs: list[Run], data: str) -> None:
    """Print where the time of Winnow's *runs* goes, and how many pages a second that is."""
    walls = [run["pages"] / run["wall_secs"] for run in runs]
    figure("crawl", "wall_pages_per_second", walls, unit="pages/s", data=data)
    for stage in STAGES:
        values = [
            1000 * run["stats"].get(f"{stage}/secs", 0.0) / (run["pages"] + run["n_warm"])
            for run in runs
        ]
        figure("crawl", f"{stage}_ms_per_page", values, unit="ms", data=data)


def main() -> None:
    """Print the figures of both webs."""
    parser = ModuleParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="every third page, one round")
    parser.add_argument("--full", action="store_true", help="all pages, five rounds")
    arguments = parser.parse_args()
    size = QUICK if arguments.quick else FULL if arguments.full else DEFAULT
    real_pages(size)
    sample_web(size)


if __name__ == "__main__":
    main()
