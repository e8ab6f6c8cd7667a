"""The published studies of the parameters of Block Fusion, over pages that were segmented by hand.

*Source: Kohlschütter 2011, section 4.2.4:* accuracy over theta (figures 4.4, 4.5), over w_max (4.7),
the best theta of two random halves of the pages, and the accuracy error after each sweep (4.8).

A page's gold is a label a density token, as `pipelines.segmentation.segmenter` has it. Other line
widths re-wrap the same texts: the tokens stay. Scores are means over pages. Cost: a segmentation
and a comparison a page and point of the curve.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.page.lines import line_counts
from pipelines.segmentation.accuracy import Accuracy, accuracy, mean_accuracy
from pipelines.segmentation.segmenter import Wrapped
from pipelines.segmentation.tag_gap import TagGap

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from pipelines.segmentation.segmenter import Segmenter, WrappedBlocks

# Kohlschütter 2011, figures 4.4, 4.5 and 4.7.
THETAS = tuple(round(0.02 * step, 2) for step in range(51))
W_MAXES = tuple(range(10, 121, 10))
# Kohlschütter 2011, table 4.1: AdjRand, NMI, blocks a page.
PUBLISHED = {
    "WordWrap": (0.25, 0.59, 25.0),
    "TagGap": (0.43, 0.65, 69.43),
    "BF-plain": (0.60, 0.75, 27.72),
    "BF-smoothed": (0.62, 0.76, 19.77),
    "JustRules": (0.78, 0.84, 17.64),
    "BF-rule-based": (0.79, 0.87, 21.24),
}


class GoldPage(NamedTuple):
    """A page and its segmentation by hand; *labels*: integers[m], negative: left out of the score."""

    blocks: WrappedBlocks
    labels: npt.NDArray[np.int64]


class Point(NamedTuple):
    """A point of a curve: a parameter, the mean accuracy, and segments a page."""

    parameter: float
    accuracy: Accuracy
    n_segments: float


class Halves(NamedTuple):
    """The best thetas of two random halves of the pages, and what each loses in the other half.

    *losses*: accuracy of the other half with its own best theta, less that with this half's.
    """

    thetas: tuple[float, float]
    losses: tuple[float, float]


def rewrapped(blocks: WrappedBlocks, w_max: int) -> Wrapped:
    """Return *blocks* with their texts wrapped at *w_max* columns."""
    return Wrapped(blocks.text, *line_counts(blocks.text, w_max), blocks.gap_mask)


def page_accuracy(segmenter: Segmenter, page: GoldPage) -> Accuracy:
    """Return the accuracy of *segmenter* on *page*; NaN when no token has a gold label."""
    scored = page.labels >= 0
    return accuracy(segmenter.token_labels(page.blocks)[scored], page.labels[scored])


def n_segments(segmenter: Segmenter, page: GoldPage) -> int:
    """Return how many segments *segmenter* makes of *page*."""
    labels = segmenter.token_labels(page.blocks)
    return int(labels[-1]) + 1 if len(labels) else 0


def score(segmenter: Segmenter, pages: Sequence[GoldPage], parameter: float = 0.0) -> Point:
    """Return the mean accuracy of *segmenter* over *pages*, at *parameter*."""
    mean = mean_accuracy(page_accuracy(segmenter, page) for page in pages)
    counts = [n_segments(segmenter, page) for page in pages]
    return Point(parameter, mean, sum(counts) / len(counts) if counts else float("nan"))


def theta_sweep(
    make: Callable[[float], Segmenter],
    pages: Sequence[GoldPage],
    thetas: Sequence[float] = THETAS,
) -> list[Point]:
    """Return the accuracy over *thetas*; *make* gives the segmenter of a theta."""
    return [score(make(theta), pages, theta) for theta in thetas]


def w_max_sweep(
    make: Callable[[int], Segmenter],
    pages: Sequence[GoldPage],
    w_maxes: Sequence[int] = W_MAXES,
) -> list[Point]:
    """Return the accuracy over line widths; *make* gives the segmenter of a width."""
    return [
        score(
            make(w_max),
            [page._replace(blocks=rewrapped(page.blocks, w_max)) for page in pages],
            w_max,
        )
        for w_max in w_maxes
    ]


def iteration_error(
    make: Callable[[int], Segmenter], pages: Sequence[GoldPage], n_sweeps: int
) -> list[Point]:
    """Return the accuracy after 0, 1, ... *n_sweeps* sweeps; the published error is 1 less that.

    *make* gives the segmenter of a number of sweeps, at least 1; before the first, blocks are
    atomic. A page that needs fewer keeps its score.
    """
    after = [score(make(sweeps), pages, sweeps) for sweeps in range(1, n_sweeps + 1)]
    return [score(TagGap(), pages), *after]


def split_halves(
    make: Callable[[float], Segmenter],
    pages: Sequence[GoldPage],
    *,
    seed: int,
    thetas: Sequence[float] = THETAS,
) -> Halves:
    """Return the theta of highest mean AdjRand in two random halves of *pages*, at least 2.

    The smallest such theta, where several are equal. Raises ValueError for fewer than two pages.
    """
    if len(pages) < 2:
        raise ValueError(f"pages must be at least 2, got {len(pages)}")
    order = np.random.default_rng(seed).permutation(len(pages))
    table = np.array(
        [
            [page_accuracy(segmenter, page).adjusted_rand for page in pages]
            for segmenter in map(make, thetas)
        ]
    )
    curves = [np.nanmean(table[:, half], axis=1) for half in np.array_split(order, 2)]
    best = [int(np.argmax(curve)) for curve in curves]
    losses = [
        float(curve[own] - curve[other])
        for curve, own, other in zip(curves, best, best[::-1], strict=True)
    ]
    return Halves((thetas[best[0]], thetas[best[1]]), (losses[1], losses[0]))
