"""Bytes to labelled blocks and text by each method, beside lxml's bare parse and the peers.

CPU time on one core. All subjects read the same bytes in the same process, a pass over all pages
each, round after round in a rotated order; a ratio is taken round by round. A method's pass is all
that it needs: the page model by its rules, the segment numbers (BF-rule-based), its labels, and the
text of the blocks that it keeps. A peer gets the decoded text and gives its main text: it is not
timed for the encoding. The methods that are compared with peers are timed in the peers' rounds; the
others, of which only the ratio to the parse is told, in rounds of their own.

A method that keeps all text, or nothing, gets fast by doing less: of the pages' words each method
must keep between the bounds below, and the same in each round.

Measured, in units of lxml's bare parse: winnow .47 (.46–.48), resiliparse 1.3, boilerpy3 8.3, jusText 12, trafilatura 17
(fast) and 24, readability-lxml 24.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import logging
import os
import sys
import time
from collections import defaultdict
from itertools import compress
from typing import TYPE_CHECKING

from lxml import etree

from crawler.errors import ModuleParser
from crawler.page import PageRules, build_page
from pipelines.boilerplate import registry
from pipelines.evaluation.peers import PREFIX, PeerPage, installed, load, missing
from pipelines.segmentation.block_fusion import BlockFusion
from tests.benchmarks.report import figure
from tests.benchmarks.wcxb_pages import wcxb_pages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tests.benchmarks.wcxb_pages import ServedPage

    # Gives the characters of the text that was extracted, whitespace left out.
    Subject = Callable[[ServedPage], int]

BENCH = "cleaning"
PARSE = "lxml parse"
SEGMENTER = BlockFusion()
MAIN = "winnow"
# Peers that the default is compared with, by the name of the figure, and the goals: the default is to
# take at most .60 of the parse, and so much less than they do.
COMPARED = {"resiliparse": 1 / 1.8, "trafilatura": 1 / 24, "justext": 1 / 19}
GOAL = 0.60
# Peers in the order of their time on a page; a quick run has the first of them.
PEERS = (
    *("resiliparse", "justext", "trafilatura", "boilerpy3-article", "readability-lxml"),
    *("trafilatura-fast", "goose3", "newspaper4k"),
)
N_QUICK_PEERS = 3
# The two that take longest are for a full run.
N_PEERS = 6
WARM_UP_PAGES = 20
# Of the pages' characters the gold text is .49: what keeps less than a twentieth of it, or more than
# nine tenths of the page, has not found the main text of these pages. What is known to do so: those that
# keep all; quotas for cells of tables and for lists alone, of which these pages have few; the single blocks
# of FeatureExtractor.
LEAST_SHARE, MOST_SHARE = 0.025, 0.9
UNBOUNDED = frozenset({"keep-all", "plain", "lqf-crunch", "lqf-mantratzis", "fe"})


def default_method() -> str:
    """Return `MAIN`, or the default of the registry while it is not there."""
    return MAIN if MAIN in registry.methods() else registry.DEFAULT_METHOD


def parsed(page: ServedPage) -> int:
    """Parse with lxml, nothing read."""
    assert etree.HTML(page.body) is not None
    return 0


def method(name: str) -> Subject:
    """Return method *name* as a subject."""
    cleaner = registry.get(name)
    rules = PageRules(inline=cleaner.inline)

    def run(page: ServedPage) -> int:
        model = build_page(page.body, url=page.url, content_type=page.content_type, rules=rules)
        model.segments = SEGMENTER.segment(model.blocks)
        labels = cleaner.label(model)
        assert len(labels.kept) == len(labels.label) == len(model.segments)
        return n_chars("\n".join(compress(model.blocks.text, labels.kept.tolist())))

    return run


def peer(name: str, texts: Mapping[ServedPage, PeerPage]) -> Subject:
    """Return peer *name* as a subject; *texts* are the decoded pages."""
    extract = load(PREFIX + name)

    def run(page: ServedPage) -> int:
        try:
            return n_chars(extract(texts[page]))
        except Exception:  # noqa: BLE001  # a page that a peer fails on is timed as far as it came
            return 0

    return run


def n_chars(text: str) -> int:
    """Return the characters of *text* without whitespace."""
    return sum(map(len, text.split()))


def rounds(
    subjects: Mapping[str, Subject], pages: Sequence[ServedPage], n_rounds: int
) -> tuple[dict[str, list[float]], dict[str, int]]:
    """Return the CPU seconds of each subject in each round, and the characters it extracted."""
    timed = list(subjects.items())
    secs = defaultdict(list)
    found: dict[str, int] = {}
    with quiet():
        # Compiles, and warms the caches.
        for subject in subjects.values():
            for page in pages[:WARM_UP_PAGES]:
                subject(page)
    for _ in range(n_rounds):
        for name, subject in timed:
            gc.collect()
            start = time.process_time()
            with quiet():
                extracted = sum(map(subject, pages))
            spent = time.process_time() - start
            assert found.setdefault(name, extracted) == extracted, name
            secs[name].append(spent)
        timed.append(timed.pop(0))
    return secs, found


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Send what packages print and log nowhere."""
    level = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    with (
        open(os.devnull, "w", encoding="utf-8") as nowhere,
        contextlib.redirect_stdout(nowhere),
        contextlib.redirect_stderr(nowhere),
    ):
        yield
    logging.disable(level)


def check_shares(found: Mapping[str, int], n_all: int, names: Sequence[str]) -> None:
    """Assert that the methods *names* took something away, and not all."""
    for name in names:
        if name not in UNBOUNDED:
            share = found[name] / n_all
            assert LEAST_SHARE <= share <= MOST_SHARE, f"{name} keeps {share:.3f} of the text"


def ratios(secs: Mapping[str, Sequence[float]], name: str, base: str) -> list[float]:
    """Return the ratio of two subjects in each round."""
    return [ours / theirs for ours, theirs in zip(secs[name], secs[base], strict=True)]


def slug(name: str) -> str:
    """Return *name* as a part of a figure's name."""
    return name.replace("-", "_").replace(" ", "_")


def run_peers(pages: Sequence[ServedPage], n_rounds: int, data: str, n_peers: int) -> None:
    """Print the default method beside the parse and the first *n_peers* peers."""
    main = default_method()
    wanted = PEERS[:n_peers]
    names = [name for name in wanted if installed(PREFIX + name)]
    for distribution in missing(PREFIX + name for name in wanted):
        sys.stdout.write(f"{distribution} is not installed, and not timed; install [peers]\n")
    texts, n_all = {}, 0
    for page in pages:
        model = build_page(page.body, url=page.url, content_type=page.content_type)
        texts[page] = PeerPage(model.source.decode(), page.url, model.declared_language)
        n_all += n_chars("\n".join(model.blocks.text))
    with quiet():
        peers = {PREFIX + name: peer(name, texts) for name in names}
    secs, found = rounds({PARSE: parsed, main: method(main), **peers}, pages, n_rounds)
    check_shares(found, n_all, [main])
    figure(
        BENCH,
        f"{MAIN}_ratio_to_lxml_parse",
        ratios(secs, main, PARSE),
        unit="ratio",
        data=f"{data}, method {main}",
        goal=GOAL,
    )
    for name in names:
        values = ratios(secs, PREFIX + name, PARSE)
        figure(BENCH, f"peer_{slug(name)}_ratio_to_lxml_parse", values, unit="ratio", data=data)
        if name in COMPARED:
            values = ratios(secs, main, PREFIX + name)
            told = f"{MAIN}_ratio_to_{slug(name)}"
            figure(BENCH, told, values, unit="ratio", data=data, goal=round(COMPARED[name], 3))
    check_shares(found, n_all, [PREFIX + name for name in names if name in COMPARED])


def run_methods(pages: Sequence[ServedPage], n_rounds: int, data: str) -> None:
    """Print the ratio of each method to the parse; that of `MAIN` is told beside the peers'."""
    names = [name for name in registry.methods() if name != MAIN]
    subjects = {PARSE: parsed, **{name: method(name) for name in names}}
    secs, found = rounds(subjects, pages, n_rounds)
    for name in names:
        values = ratios(secs, name, PARSE)
        figure(BENCH, f"{slug(name)}_ratio_to_lxml_parse", values, unit="ratio", data=data)
    check_shares(found, found["keep-all"], names)


def main() -> None:
    """Run the parts that the arguments ask for."""
    parser = ModuleParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    sizes = parser.add_mutually_exclusive_group()
    sizes.add_argument("--quick", action="store_true", help="60 pages, 2 rounds, 3 peers")
    sizes.add_argument("--full", action="store_true", help="all pages, 9 rounds, all peers")
    arguments = parser.parse_args()
    pages = wcxb_pages(quick=arguments.quick)
    size = sum(len(page.body) for page in pages)
    data = f"{len(pages)} wcxb-dev pages, {size / 1e6:.0f} MB"
    n_rounds = 2 if arguments.quick else 9 if arguments.full else 3
    n_peers = N_QUICK_PEERS if arguments.quick else len(PEERS) if arguments.full else N_PEERS
    # A pass of the slowest peers takes minutes.
    run_peers(pages, n_rounds if arguments.full else 2, data, n_peers)
    if not (arguments.quick or arguments.full):
        # Some of the fifty methods read a tree, at ten times the cost of the others.
        pages = pages[::4]
        data = f"{len(pages)} of {data}"
    run_methods(pages, n_rounds, data)


if __name__ == "__main__":
    main()
