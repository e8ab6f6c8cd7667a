"""Block Fusion: merges neighbouring blocks of like text density into segments.

Notation: rho_x is the text density of a compound block x, whose wrapped lines are those of its
parts, one after the other, never wrapped again; its last line alone is left out of the density
(:mod:`crawler.page.lines`). Between neighbours x, y, with T(x, y) the tags of the gap between them::

    delta(x, y)  = |rho_x - rho_y| / max(rho_x, rho_y), 0 when both are 0
    delta'(x, y) = +inf if T meets FORCE_GAP, -inf if T is a subset of NO_GAP, else delta

A sweep goes from left to right and fuses a block with its predecessor when delta <= theta; sweeps
are repeated until one changes nothing.

- ``plain`` (BF-plain): delta.
- ``smoothed`` (BF-smoothed): first of all, a block that is less dense than both its neighbours,
  which are equally dense, is fused with them both.
- ``rule-based`` (BF-rule-based): smoothed, with delta' for delta.

*Source: Kohlschütter 2011, section 4.2.2, algorithm 4.1; Kohlschütter and Nejdl 2008, algorithm 1.*
Where the sources are silent or wrong, an option says what is meant; see :class:`BlockFusion`.

Exactness: densities are compared by cross-multiplied integers. theta is the fraction next to it with
a denominator of at most 10,000, so that four decimals are exact. A product of words by lines
must stay under 9.2e14 then; 64 MB of mark-up hold at most 2^24 lines and as many words, 2.8e14.

Shapes: ``segment(blocks)`` gives uint32[n], from 0 upwards in page order; the blocks stay atomic.
A block without words counts as one empty line. Cost: O(n) for all sweeps together, though the listing
is quadratic at worst (one fusion a sweep): a sweep looks again only at blocks beside which something
changed. Invariant: numbers never fall and rise by at most 1; cut by *max_sweeps* or not, every
segment is one that the listing also makes on its way.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.tags import FORCE_GAP, NO_GAP
from pipelines.segmentation import kernels
from pipelines.segmentation.segmenter import BlockSegmenter
from pipelines.segmentation.thresholds import THETA

if TYPE_CHECKING:
    import numpy.typing as npt

    from pipelines.segmentation.segmenter import WrappedBlocks

VARIANTS = tuple(THETA)
COMPOUNDS = ("lines", "additive")


class BlockFusion(BlockSegmenter):
    """A variant of Block Fusion.

    *theta*: 0 and more, the published one of the variant unless given; from 1 on nothing but a
    forced gap divides. *max_sweeps*: at least 1; None runs the listing to its end. The paper's
    accuracy comes from the first sweep.

    *relaxed*: smooth when both neighbours have a density of at most 5, instead of equal ones
    (footnote 6 of section 4.2.4); not for ``plain``. *compound*: ``lines`` joins the lines of the
    parts, ``additive`` adds counted words and counted lines, as the released boilerpipe does;
    the published numbers of segments fit ``lines``. *force_guard*: a forced gap also stops
    smoothing; the printed listing, False, smooths across a heading.
    """

    def __init__(
        self,
        *,
        theta: float | None = None,
        variant: str = "rule-based",
        max_sweeps: int | None = None,
        relaxed: bool = False,
        compound: str = "lines",
        force_guard: bool = True,
    ):
        if variant not in VARIANTS:
            raise ValueError(f"variant must be one of {', '.join(VARIANTS)}, got {variant!r}")
        if compound not in COMPOUNDS:
            raise ValueError(f"compound must be one of {', '.join(COMPOUNDS)}, got {compound!r}")
        theta = THETA[variant] if theta is None else theta
        if not theta >= 0:
            raise ValueError(f"theta must be at least 0, got {theta}")
        if max_sweeps is not None and max_sweeps < 1:
            raise ValueError(f"max_sweeps must be at least 1, got {max_sweeps}")
        if relaxed and variant == "plain":
            raise ValueError("relaxed must be False for variant 'plain', which does not smooth")
        self.name = f"BF-{variant}"
        self.theta = theta
        self.variant = variant
        self.max_sweeps = max_sweeps
        # delta is at most 1. As the decimal that was written: a difference of exactly theta fuses.
        fraction = Fraction(repr(float(min(theta, 1)))).limit_denominator(kernels.THETA_DENOMINATOR)
        smoothing = kernels.RELAXED if relaxed else kernels.SMOOTHED
        has_rules = variant == "rule-based"
        options = {
            kernels.NUMERATOR: fraction.numerator,
            kernels.DENOMINATOR: fraction.denominator,
            kernels.FORCE: FORCE_GAP if has_rules else 0,
            kernels.NO_GAP: NO_GAP if has_rules else 0,
            kernels.SMOOTHING: kernels.NOT_SMOOTHED if variant == "plain" else smoothing,
            kernels.ADDITIVE: compound == "additive",
            kernels.GUARDED: force_guard,
            kernels.MAX_SWEEPS: 2**63 if max_sweeps is None else max_sweeps,
        }
        self._options = np.array([options[place] for place in range(len(options))], dtype=np.uint64)

    def segment(self, blocks: WrappedBlocks) -> npt.NDArray[np.uint32]:
        """Return the number of the segment that each of *blocks* belongs to."""
        n_blocks = len(blocks.n_tokens)
        numbers = np.empty(n_blocks, dtype=np.uint32)
        is_exact = kernels.number_segments(
            blocks.n_tokens,
            blocks.n_lines,
            blocks.last_line_tokens,
            blocks.gap_mask,
            self._options,
            np.empty((8, n_blocks), dtype=np.int64),
            numbers,
        )
        if not is_exact:
            raise ValueError("blocks must have less than 9.2e14 words times lines in all")
        return numbers
