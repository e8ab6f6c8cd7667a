"""The seven segmenters against pages that were segmented by hand, and what segmenting costs.

Accuracy: 81 random pages of 2013 with blocks marked in two levels (`pipelines.segmentation.gold`).
Both levels are scored as 1-D segmentations: runs of equal blocks, text outside of all blocks too.
The same segments are looked for in the pages as they were served, of those that kept their words
(`tests.benchmarks.marked_pages`). The spread of a score is one standard error to either side, that
of a time is over rounds.

The published order, WordWrap < TagGap < BF-plain <= BF-smoothed < JustRules <= BF-rule-based, holds
in both levels and measures but for two pairs:

- JustRules is better than BF-rule-based here, by two to five standard errors; published is the
  opposite, by .01 of AdjRand. BF-rule-based only ever adds cuts to those of JustRules, where
  densities differ by more than 0.6. One in ten of them is where the annotators have an edge, of
  the rules' own cuts one in three. Seen on the pages that lose most, the others part the items of one
  menu ("Links" from "Former Ministers of Finance"), a date or a label from what it belongs to, a
  heading that is a paragraph of its own from its text, and ``code``, which is none of the inline
  tags of the rules, from its sentence. The annotators marked whole menus and articles: 13 segments
  of 84 atomic blocks, where the published best methods make 20 of 69. So the best theta of the
  rule-based form is near 1, which is JustRules.
- BF-smoothed is no better than BF-plain by NMI in level 2; the difference is within a standard error.

Measured, adjusted Rand · NMI: WordWrap .19 · .61, TagGap .32 · .70, BF-plain .44 · .71, BF-smoothed .46 · .70, JustRules
.60 · .81, BF-rule-based .58 · .80; in the thesis, table 4.1, .25 · .59, .43 · .65, .60 · .75, .62 · .76, .78 · .84, .79 · .87.

Labels are asserted to be complete where time is taken, and the long pages by what must come out.
"""

from __future__ import annotations

import math
import sys
import time
from typing import TYPE_CHECKING

import numpy as np

from crawler.errors import ModuleParser
from crawler.page import build_page
from pipelines.segmentation import gold, registry, studies
from pipelines.segmentation.block_fusion import VARIANTS, BlockFusion
from pipelines.segmentation.density_quotient import (
    class_histogram,
    quotient_classes,
    segment_densities,
)
from pipelines.segmentation.gold_folder import gold_pages
from pipelines.segmentation.segmenter import Wrapped
from tests.benchmarks.marked_pages import marked_pages
from tests.benchmarks.report import figure
from tests.benchmarks.wcxb_pages import wcxb_pages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipelines.segmentation.gold_folder import Marked
    from pipelines.segmentation.studies import GoldPage

BENCH = "segmentation"
INPUT = "rkrzr-random"
MEASURES = ("adjusted_rand", "nmi")
# Where the published order does not hold; see above.
EXCEPTIONS = {
    *((level, "BF-rule-based", measure) for level in gold.LEVELS for measure in MEASURES),
    (2, "BF-smoothed", "nmi"),
}


def report_pages(pages: Sequence[Marked], data: str) -> None:
    """Say how well the marks fit the pages."""
    n_words = sum(int(page.blocks.n_tokens.sum()) for page in pages)
    matched = sum(page.n_matched for page in pages) / n_words
    figure(BENCH, "matched_words_share", [matched], unit="share", data=data)
    for level in gold.LEVELS:
        outside = sum(int((page.labels[level] < 0).sum()) for page in pages) / n_words
        figure(BENCH, f"outside_level_{level}_share", [outside], unit="share", data=data)


def mean_figure(name: str, values: np.ndarray, data: str) -> tuple[float, float]:
    """Print a mean with its standard error; return both."""
    values = values[~np.isnan(values)]
    mean, error = float(values.mean()), float(values.std(ddof=1) / math.sqrt(len(values)))
    figure(BENCH, name, [mean - error, mean, mean + error], unit="score", data=data)
    return mean, error


def table(pages: Sequence[GoldPage], level: int, data: str) -> None:
    """Print the scores of all segmenters, and check their order."""
    methods = [*studies.PUBLISHED, "FullText"]
    segmenters = [registry.get(name) for name in methods]
    scores = np.array(
        [[studies.page_accuracy(segmenter, page) for page in pages] for segmenter in segmenters]
    )
    n_gold = np.mean([page.labels.max() + 1 for page in pages])
    rows = [f"{data}, level {level}, {len(pages)} pages, {n_gold:.1f} segments by hand a page"]
    counts: dict[str, float] = {}
    for segmenter, method in zip(segmenters, scores, strict=True):
        n_segments = counts[segmenter.name] = float(
            np.mean([studies.n_segments(segmenter, page) for page in pages])
        )
        published = " ".join(map(str, studies.PUBLISHED.get(segmenter.name, ())))
        rand, nmi = np.nanmean(method, axis=0)
        rows.append(f"  {segmenter.name:14} {rand:.3f} {nmi:.3f} {n_segments:5.1f}  {published}")
        figure(BENCH, f"segments_level_{level}_{segmenter.name}", [n_segments], unit="n", data=data)
    sys.stdout.write("\n".join([*rows, ""]))
    # As published: 27.72, 21.24, 19.77, 17.64 of 69.43.
    falling = ("TagGap", "BF-plain", "BF-rule-based", "BF-smoothed", "JustRules", "FullText")
    fallen = [counts[name] for name in falling]
    assert fallen == sorted(fallen, reverse=True)
    for place, measure in enumerate(MEASURES):
        for row, name in enumerate(methods):
            mean_figure(f"{measure}_level_{level}_{name}", scores[row, :, place], data)
        for row in range(1, len(studies.PUBLISHED)):
            name = f"{measure}_level_{level}_{methods[row]}_minus_{methods[row - 1]}"
            mean, error = mean_figure(name, scores[row, :, place] - scores[row - 1, :, place], data)
            # The order holds within a standard error; where it does not, the difference is small.
            floor = -0.05 if (level, methods[row], measure) in EXCEPTIONS else -error
            assert data != INPUT or mean >= floor, (name, mean)


def options(pages: Sequence[GoldPage]) -> None:
    """Print what the options for the ambiguities of the paper change."""
    smoothed, both = BlockFusion(variant="smoothed"), BlockFusion()
    changes = {
        # Published: "ca. 0.02".
        "relaxed": (BlockFusion(variant="smoothed", relaxed=True), smoothed),
        "additive": (BlockFusion(compound="additive"), both),
        "unguarded": (BlockFusion(force_guard=False), both),
    }
    for name, (changed, base) in changes.items():
        scores = [
            np.array([studies.page_accuracy(segmenter, page) for page in pages])
            for segmenter in (changed, base)
        ]
        for place, measure in enumerate(MEASURES):
            mean_figure(f"{measure}_gain_{name}", (scores[0] - scores[1])[:, place], INPUT)


def edges(labels: np.ndarray) -> np.ndarray:
    """Tell for each word but the first whether a segment begins there."""
    return np.diff(labels.astype(np.int64)) != 0


def density_cuts(pages: Sequence[GoldPage], level: int) -> None:
    """Print how many of the cuts that BF-rule-based adds to those of JustRules are by hand, too."""
    by_rules, by_both = registry.get("JustRules"), registry.get("BF-rule-based")
    on_gold, added_on_gold, n_rules, n_added = 0, 0, 0, 0
    for page in pages:
        rules = edges(by_rules.token_labels(page.blocks))
        added = edges(by_both.token_labels(page.blocks))
        assert added[rules].all()
        added &= ~rules
        hand = edges(page.labels)
        n_rules, n_added = n_rules + int(rules.sum()), n_added + int(added.sum())
        on_gold, added_on_gold = (
            on_gold + (rules & hand).sum(),
            added_on_gold + (added & hand).sum(),
        )
    shares = {"rule_cuts": on_gold / n_rules, "density_cuts": added_on_gold / n_added}
    figure(BENCH, f"density_cuts_level_{level}", [n_added], unit="n", data=INPUT)
    for name, share in shares.items():
        figure(BENCH, f"{name}_by_hand_level_{level}_share", [share], unit="share", data=INPUT)


def curves(pages: Sequence[GoldPage], *, quick: bool) -> None:
    """Print the sweeps over theta, w_max and iterations for each form of Block Fusion."""
    thetas = studies.THETAS[:: 5 if quick else 1]
    for variant in VARIANTS:

        def of_theta(theta: float, variant: str = variant) -> BlockFusion:
            return BlockFusion(theta=theta, variant=variant)

        def of_width(_: int, variant: str = variant) -> BlockFusion:
            return BlockFusion(variant=variant)

        def of_sweeps(n: int, variant: str = variant) -> BlockFusion:
            return BlockFusion(max_sweeps=n, variant=variant)

        found = {
            "theta": studies.theta_sweep(of_theta, pages, thetas),
            "w_max": studies.w_max_sweep(of_width, pages),
            "sweeps": studies.iteration_error(of_sweeps, pages, 6),
        }
        for name, points in found.items():
            sys.stdout.write(f"BF-{variant} over {name}: AdjRand, NMI, segments\n")
            for parameter, (rand, nmi), n_segments in points:
                sys.stdout.write(f"  {parameter:6} {rand:.3f} {nmi:.3f} {n_segments:5.1f}\n")
            best = max(points, key=lambda point: point.accuracy.adjusted_rand)
            figure(BENCH, f"best_{name}_{variant}", [best.parameter], unit=name, data=INPUT)
        # Kohlschütter 2011, section 4.2.4: the later sweeps do not contribute to accuracy.
        first, last = found["sweeps"][1].accuracy, found["sweeps"][-1].accuracy
        assert all(np.abs(np.subtract(first, last)) < 0.05), (first, last)
        # With a threshold of 1 only rules divide.
        assert found["theta"][-1].n_segments == 1 or variant == "rule-based"
        halves = [
            studies.split_halves(of_theta, pages, seed=seed, thetas=thetas) for seed in range(3)
        ]
        losses = [loss for half in halves for loss in half.losses]
        figure(BENCH, f"split_half_loss_{variant}", losses, unit="AdjRand", data=INPUT)
        sys.stdout.write(
            f"BF-{variant}, best theta of halves: {[half.thetas for half in halves]}\n"
        )


def quotient_histogram(pages: Sequence[GoldPage]) -> None:
    """Print the classes of the density quotient of the segments by hand."""
    classes = []
    for page in pages:
        first_words = np.cumsum(page.blocks.n_tokens) - page.blocks.n_tokens
        # A block belongs to the segment of its first word.
        numbers = np.cumsum(np.diff(page.labels[first_words], prepend=0) != 0).astype(np.uint32)
        classes.append(quotient_classes(segment_densities(page.blocks, numbers)))
    counts = class_histogram(np.concatenate(classes))
    sys.stdout.write(f"density quotient, classes 1, 2, ...: {counts.tolist()}\n")
    # Published: .772 of 2,334 pairs.
    figure(
        BENCH,
        "density_quotient_class_1_share",
        [counts[0] / counts.sum()],
        unit="share",
        data=INPUT,
    )


def cost(*, quick: bool) -> None:
    """Print the time of segmenting beside that of the page model, and on pages of 1e5 blocks."""
    fusion, served = BlockFusion(), wcxb_pages(quick=quick)
    ratios, per_page = [], []
    for lap in range(4):
        secs, n_blocks = np.zeros(2), 0
        for page in served:
            start = time.perf_counter()
            blocks = build_page(page.body, url=page.url, content_type=page.content_type).blocks
            built = time.perf_counter()
            numbers = fusion.segment(blocks)
            secs += (built - start, time.perf_counter() - built)
            assert len(numbers) == len(blocks)
            n_blocks += len(blocks)
        if lap:  # the first compiles and warms
            ratios.append(secs[1] / secs[0])
            per_page.append(secs[1] / len(served) * 1e6)
    data = f"wcxb-dev {len(served)} pages, {n_blocks / len(served):.0f} blocks a page"
    figure(BENCH, "ratio_to_page_model", ratios, unit="ratio", data=data, goal=0.15)
    figure(BENCH, "micros_per_page", per_page, unit="µs", data=data)
    ladder = np.abs(np.arange(-50_000, 50_001)) + 1
    mixed = np.random.default_rng(1).integers(1, 30, len(ladder))
    fusion = BlockFusion(variant="smoothed", theta=0)
    for name, words in (("ladder", ladder), ("random", mixed)):
        n_words, gaps = words.astype(np.uint32), np.ones(len(words), np.uint64)
        made = Wrapped([], n_words, np.ones_like(n_words), n_words, gaps)
        start = time.perf_counter()
        numbers = fusion.segment(made)
        secs_each = [time.perf_counter() - start]
        # 50,000 sweeps, one fusion each, leave one segment; the random page hardly fuses.
        assert numbers[-1] == 0 if name == "ladder" else numbers[-1] > 80_000
        figure(BENCH, f"secs_1e5_blocks_{name}", secs_each, unit="s", data="made", goal=1.0)


def main() -> None:
    """Print the tables, the curves and the cost."""
    parser = ModuleParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer thetas, one page of ten timed")
    quick = parser.parse_args().quick
    for served in (False, True):
        pages = marked_pages(served=served)
        data = f"{INPUT} served" if served else INPUT
        report_pages(pages, data)
        for level in gold.LEVELS:
            table(gold_pages(pages, level), level, data)
            if not served:
                density_cuts(gold_pages(pages, level), level)
        if not served:
            options(gold_pages(pages, 2))
            curves(gold_pages(pages, 2), quick=quick)
            quotient_histogram(gold_pages(pages, 2))
    cost(quick=quick)


if __name__ == "__main__":
    main()
