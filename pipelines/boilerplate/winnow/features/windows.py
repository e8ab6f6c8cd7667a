"""Sums over the blocks around a block, and shares of them.

Windows of r blocks to each side hold the sums of what lies within, the block itself among it (CCB sees the
bytes of markup and text in them, jusText the way to the nearest good block). Sides hold only what comes
before, or only what follows. The sums from the begin are given a margin at both ends, so that no window
asks where the page ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import cold_part, part
from pipelines.boilerplate.winnow.features.measures import (
    BYLINE_WORDS,
    COMMENT_WORDS,
    FUNCTIONS,
    GOOD,
    LINKED,
    MARKUP,
    N_SUMS,
    TEXT,
    WORDS,
)

if TYPE_CHECKING:
    from pipelines.boilerplate.winnow.features.measures import F32, F64, Measures

RADII = (1, 2, 5, 12, 30)
_N_RADII = len(RADII)
_RADII = np.array(RADII, np.int64)
_WINDOW = (
    "words",
    "link share",
    "good share",
    "markup",
    "function words",
    "comment words",
    "bylines",
)
_SIDES = (3, 10)
_N_SIDES = len(_SIDES)
_SIDE_RADII = np.array(_SIDES, np.int64)
NAMES = (
    *(f"{name} in {radius}" for radius in RADII for name in _WINDOW),
    *(
        f"{name} {side} {r}"
        for r in _SIDES
        for side in ("before", "after")
        for name in ("good share", "link share", "words")
    ),
)
_AT_SIDES = len(_WINDOW) * _N_RADII
# Blocks before the first one and behind the last one that windows reach to.
_MARGIN = max(*RADII, *_SIDES)


def room_for_sums(n: int) -> F64:
    """Return room for the sums over *n* blocks, with a margin at both ends."""
    return np.empty((N_SUMS, n + 1 + 2 * _MARGIN))


@part
def windows(m: Measures, wide: F64, x: F32) -> None:
    """Fill in *x*, float32[len(NAMES), n]. Room: *wide*, of :func:`room_for_sums`."""
    for column in range(N_SUMS):
        _widen(m.sums[column], wide[column])
    for k in range(_N_RADII):
        _window(wide, _RADII[k], len(_WINDOW) * k, x)
    for k in range(_N_SIDES):
        _side(wide, -_SIDE_RADII[k], 0, _AT_SIDES + 6 * k, x)
        _side(wide, 1, _SIDE_RADII[k] + 1, _AT_SIDES + 6 * k + 3, x)


@cold_part
def _widen(sums: F64, wide: F64) -> None:
    """Copy *sums* to the middle of *wide*: before them stand zeros, behind them their total."""
    n = len(sums)
    wide[:_MARGIN] = 0
    for i in range(n):
        wide[_MARGIN + i] = sums[i]
    wide[_MARGIN + n :] = sums[n - 1]


@part
def _window(wide: F64, radius: int, at: int, x: F32) -> None:
    first, end = -radius, radius + 1
    _sum(wide[WORDS], first, end, x[at])
    _share(wide[LINKED], wide[WORDS], first, end, x[at + 1])
    _share(wide[GOOD], wide[WORDS], first, end, x[at + 2])
    _markup(wide[TEXT], wide[MARKUP], first, end, x[at + 3])
    _share(wide[FUNCTIONS], wide[WORDS], first, end, x[at + 4])
    _sum(wide[COMMENT_WORDS], first, end, x[at + 5])
    _sum(wide[BYLINE_WORDS], first, end, x[at + 6])


@part
def _side(wide: F64, first: int, end: int, at: int, x: F32) -> None:
    _share(wide[GOOD], wide[WORDS], first, end, x[at])
    _share(wide[LINKED], wide[WORDS], first, end, x[at + 1])
    _sum(wide[WORDS], first, end, x[at + 2])


@cold_part
def _sum(wide: F64, first: int, end: int, row: F32) -> None:
    """Sum up over the blocks from *first* to *end*, counted from each block."""
    n, first, end = len(row), first + _MARGIN, end + _MARGIN
    before, until = wide[first : first + n], wide[end : end + n]
    for i in range(n):
        row[i] = until[i] - before[i]


@cold_part
def _share(some: F64, whole: F64, first: int, end: int, row: F32) -> None:
    n, first, end = len(row), first + _MARGIN, end + _MARGIN
    before, until = some[first : first + n], some[end : end + n]
    all_before, all_until = whole[first : first + n], whole[end : end + n]
    for i in range(n):
        total = all_until[i] - all_before[i]
        row[i] = (until[i] - before[i]) / total if total > 0 else 0.0


@cold_part
def _markup(text: F64, markup: F64, first: int, end: int, row: F32) -> None:
    n, first, end = len(row), first + _MARGIN, end + _MARGIN
    before, until = markup[first : first + n], markup[end : end + n]
    text_before, text_until = text[first : first + n], text[end : end + n]
    for i in range(n):
        tags = until[i] - before[i]
        row[i] = tags / (text_until[i] - text_before[i] + tags + 1)
