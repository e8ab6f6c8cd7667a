"""The page model from bytes, beside the bare parse of lxml and other designs of the same.

CPU time on one core. All subjects read the same bytes in the same process, a pass over all pages
each, round after round in a rotated order; a ratio is taken round by round. The page model is all of
``build_page``: encoding, block texts, words, wrapped lines, densities, paths, head, the references
of links with their anchor texts. Peers do less, as :mod:`tests.benchmarks.page_designs` says.

Designs, by CPU time as a ratio to the bare parse of lxml 6.1 (etree.HTML), median of 5 rounds over
the 594 pages (189 MB) with other work on the second core, November 2026::

    numba kernels over the bytes (the page model: all it has)            0.25
    the same and BF-rule-based                                           0.26
    the same and the links resolved to keys                              0.46
    lexbor parse alone, nothing read (selectolax 1.0)                    0.33
    lexbor walk: recursion over its nodes in Python                      1.44
    turbohtml 1.15, laid-out text with the spans of links                1.47
    numpy masks over the bytes, pieces of text cut out in Python         1.57
    turbohtml's compiled tokenizer, blocks made in Python                1.95
    lxml iterwalk over the parsed tree                                   2.38
    one regular expression for tokens, blocks made in Python             2.40

Nothing that makes a Python object a token or a node comes under 1.3, a parse included or not; lexbor's
bare parse alone costs more than the whole page model. The other designs do less, too: no gap sets, no
paths, no anchor texts, no encodings. numba installs as a wheel, so that there is no second path.

Measured once more that month: .23 (.22–.24), .46 with all links resolved to keys; lexbor's bare parse .33, with
blocks and links 1.46.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
from lxml import etree
from selectolax.lexbor import LexborHTMLParser

from crawler.errors import ModuleParser
from crawler.page import PageModel, build_page
from pipelines.segmentation.block_fusion import BlockFusion
from tests.benchmarks.page_designs import DESIGNS
from tests.benchmarks.report import figure
from tests.benchmarks.wcxb_pages import wcxb_pages
from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.benchmarks.wcxb_pages import ServedPage

    # Gives what was counted: words and blocks, or nothing that can be compared.
    Subject = Callable[[ServedPage], tuple[int, int]]

BENCH = "page_model"
SEGMENTER = BlockFusion()
# Pages of less text outside of noscript are read as without scripts by the page model alone.
MIN_WALKED_WORDS = 25
RATIOS = {
    # name of the figure: subject, goal
    "ratio_to_lxml_parse": ("page model", 0.25),
    "with_segmentation_ratio_to_lxml_parse": ("with segmentation", 0.30),
    "with_link_keys_ratio_to_lxml_parse": ("with link keys", None),
}


def model_of(page: ServedPage) -> PageModel:
    """Build the page model."""
    return build_page(page.body, url=page.url, content_type=page.content_type)


def counted(model: PageModel) -> tuple[int, int]:
    """Return the words and blocks of *model*, with its densities; texts and anchors are there."""
    blocks, references = model.blocks, model.references
    assert len(blocks.text) == len(blocks.text_density) == len(blocks.link_density)
    assert len(references.href) == len(references.anchor)
    return int(blocks.n_words.sum()), len(blocks)


def segmented(page: ServedPage) -> tuple[int, int]:
    """Build the page model and segment it with BF-rule-based."""
    model = model_of(page)
    segments = SEGMENTER.segment(model.blocks)
    assert len(segments) == len(model.blocks)
    return counted(model)


def with_link_keys(page: ServedPage) -> tuple[int, int]:
    """Build the page model and resolve its links."""
    model = model_of(page)
    assert len(model.links.key) == len(model.links.anchor)
    return counted(model)


def design(name: str) -> Subject:
    """Return the design of *name* as a subject."""

    def run(page: ServedPage) -> tuple[int, int]:
        result = DESIGNS[name](page.body)
        return sum(result.n_words), len(result.texts)

    return run


def parse(parser: Callable[[bytes], object]) -> Subject:
    """Return a parse, nothing read from it, as a subject."""

    def run(page: ServedPage) -> tuple[int, int]:
        assert parser(page.body) is not None
        return 0, 0

    return run


def subjects() -> dict[str, Subject]:
    """Return everything that is timed."""
    return {
        "lxml parse": parse(etree.HTML),
        "page model": lambda page: counted(model_of(page)),
        "with segmentation": segmented,
        "with link keys": with_link_keys,
        "lexbor parse": parse(LexborHTMLParser),
        **{name: design(name) for name in DESIGNS},
    }


def rounds(pages: Sequence[ServedPage], n_rounds: int) -> dict[str, list[float]]:
    """Return the CPU seconds of each subject in each round; each must count the same each time."""
    timed = list(subjects().items())
    secs = defaultdict(list)
    results: dict[str, tuple[int, int]] = {}
    for number in range(-1, n_rounds):
        for name, subject in timed:
            gc.collect()
            start = time.process_time()
            counts = [subject(page) for page in pages]
            spent = time.process_time() - start
            words, blocks = (sum(column) for column in zip(*counts, strict=True))
            # What counts less in a later round got fast by doing less.
            assert results.setdefault(name, (words, blocks)) == (words, blocks), name
            if number >= 0:  # the first round compiles, and warms the caches
                secs[name].append(spent)
        timed.append(timed.pop(0))
    assert results["page model"] == results["with segmentation"] == results["with link keys"]
    return secs


def check_against_walk(pages: Sequence[ServedPage]) -> None:
    """Assert that the page model holds the words and blocks that a walk over lexbor's tree finds.

    The tree's parser moves and adds tags, so that a hundredth may differ.
    """
    walk = design("lexbor walk")
    walked = np.array([walk(page) for page in pages])
    ours = np.array([counted(model_of(page)) for page in pages])
    has_text = walked[:, 0] >= MIN_WALKED_WORDS
    shares = ours[has_text].sum(0) / walked[has_text].sum(0)
    assert (abs(shares - 1) < 0.01).all(), f"words and blocks of the walk's: {shares}"


def run_memory(n_builds: int, *, quick: bool) -> None:
    """Print the growth of memory per page, its first tenth and two rounds of the pages left out."""
    options = ["--quick"] if quick else []
    command = [sys.executable, "-m", "tests.benchmarks.page_memory", str(n_builds), *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    built, resident, peak = np.array(json.loads(done.stdout)).T
    steady = built > max(n_builds / 10, 2 * (60 if quick else 594))
    growth = np.polyfit(built[steady], resident[steady], 1)[0]
    peak_growth = np.ptp(peak[steady]) / np.ptp(built[steady])
    data = f"{n_builds} builds of wcxb-dev pages"
    figure(BENCH, "rss_slope_bytes_per_page", [peak_growth], unit="bytes", data=data, goal=100)
    figure(BENCH, "rss_trend_bytes_per_page", [growth], unit="bytes", data=data)
    figure(BENCH, "rss_peak_mb", [peak[-1] / 1e6], unit="MB", data=data)


def start_secs(module: str) -> float:
    """Return the CPU seconds that a process spends to run *module*."""
    before = os.times()
    subprocess.run([sys.executable, "-m", module], cwd=ROOT, check=True)
    after = os.times()
    return (after.children_user - before.children_user) + (
        after.children_system - before.children_system
    )


def run_start(n_rounds: int) -> None:
    """Print what starting costs in a second run, beside numba and one cached empty kernel."""
    modules = ("tests.benchmarks.page_start", "tests.benchmarks.empty_kernel")
    for module in modules:
        start_secs(module)
    secs = [[start_secs(module) for module in modules] for _ in range(n_rounds)]
    ours = [pair[0] for pair in secs]
    over = [pair[0] - pair[1] for pair in secs]
    for name, values, goal in (
        ("warm_start_secs", ours, 1.2),
        ("warm_start_over_empty_kernel_secs", over, 0.5),
    ):
        figure(BENCH, name, values, unit="CPU s", data="one page, second run", goal=goal)


def run_speed(*, quick: bool, n_rounds: int) -> None:
    """Print the ratios to the bare parse, ours and those of other designs."""
    pages = wcxb_pages(quick=quick)
    size = sum(len(page.body) for page in pages)
    data = f"{len(pages)} wcxb-dev pages, {size / 1e6:.0f} MB"
    secs = rounds(pages, n_rounds)
    check_against_walk(pages)

    def ratios(name: str) -> list[float]:
        return [a / b for a, b in zip(secs[name], secs["lxml parse"], strict=True)]

    for name, (subject, goal) in RATIOS.items():
        figure(BENCH, name, ratios(subject), unit="ratio", data=data, goal=goal)
    for name in secs:
        if name not in {subject for subject, _ in RATIOS.values()} | {"lxml parse"}:
            slug = name.replace(" ", "_")
            figure(BENCH, f"{slug}_ratio_to_lxml_parse", ratios(name), unit="ratio", data=data)
    rates = [len(pages) / spent for spent in secs["page model"]]
    figure(BENCH, "pages_per_cpu_second", rates, unit="pages/s", data=data)


def main() -> None:
    """Run the parts that the arguments ask for."""
    parser = ModuleParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    sizes = parser.add_mutually_exclusive_group()
    sizes.add_argument("--quick", action="store_true", help="60 pages, 3 rounds, 5,000 builds")
    sizes.add_argument("--full", action="store_true", help="all pages, 9 rounds, 100,000 builds")
    arguments = parser.parse_args()
    n_rounds = 3 if arguments.quick else 9 if arguments.full else 5
    run_speed(quick=arguments.quick, n_rounds=n_rounds)
    run_start(n_rounds)
    run_memory(5_000 if arguments.quick else 100_000, quick=arguments.quick)


if __name__ == "__main__":
    main()
