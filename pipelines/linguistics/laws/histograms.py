"""Histograms over the segments of documents: the mass of tokens by text density, and lengths.

A segment is a run of atomic blocks; its density is that of the joined wrapped lines of its blocks,
the last one left out (:mod:`crawler.page.lines`)::

    rho  = words / lines                   the words and the number of the lines that count
    rho' = floor(rho + 1/2)                the rounded density
    H[k] = tokens in segments of rho' = k  tokens, not segments

*Source: Kohlschütter 2011, section 4.3.2*, where rho' is printed once as floor and once as ceiling,
and the nearest integer is meant.

Shapes: int64[n] throughout, an entry a segment. All arithmetic is in integers, so that halves are
rounded up. Cost: O(n). Invariant: H sums to the number of tokens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.page.lines import W_MAX

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page.lines import LineCounts

# A line of w_max columns holds at most w_max / 2 words of one letter (Kohlschütter 2011, 4.3.2:
# rho is at most w_max / 2).
DENSITY_CLASSES = W_MAX // 2 + 1
# Longer segments, blocks and sentences are counted as this long, and reported.
MAX_LENGTH = 65_536


class Compounds(NamedTuple):
    """Segments of a document, int64[n] each: all tokens, and words and lines of their density."""

    n_tokens: npt.NDArray[np.int64]
    words: npt.NDArray[np.int64]
    lines: npt.NDArray[np.int64]

    @property
    def density(self) -> npt.NDArray[np.float64]:
        """Words a line."""
        return self.words / self.lines

    @property
    def rounded(self) -> npt.NDArray[np.int64]:
        """rho', halves rounded up, at most `DENSITY_CLASSES` - 1."""
        nearest = (2 * self.words + self.lines) // (2 * self.lines)
        return np.asarray(np.minimum(nearest, DENSITY_CLASSES - 1))


def compounds(counts: LineCounts, starts: npt.NDArray[np.int64]) -> Compounds:
    """Return the segments that begin at the blocks *starts*, which ascend from 0.

    *counts* are the blocks' lines. No blocks: no segments. Raises `ValueError` for other *starts*.
    """
    n_blocks = len(counts.n_tokens)
    bounds = np.append(starts, n_blocks)
    if (n_blocks and (not len(starts) or starts[0] != 0)) or (np.diff(bounds) < 1).any():
        raise ValueError(f"starts must ascend from 0 and be below {n_blocks}, got {starts}")
    if not n_blocks:
        return Compounds(*np.zeros((3, 0), dtype=np.int64))
    n_tokens = np.add.reduceat(counts.n_tokens.astype(np.int64), starts)
    n_lines = np.add.reduceat(counts.n_lines.astype(np.int64), starts)
    n_last = counts.last_line_tokens.astype(np.int64)[bounds[1:] - 1]
    many = n_lines > 1
    return Compounds(n_tokens, n_tokens - np.where(many, n_last, 0), np.maximum(n_lines - many, 1))


def token_histogram(
    rounded: npt.NDArray[np.int64], n_tokens: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Return H, int64[`DENSITY_CLASSES`], of segments with densities *rounded*.

    >>> token_histogram(np.array([2, 12, 2]), np.array([2, 100, 5]))[[2, 12]]
    array([  7, 100])
    """
    table = np.bincount(rounded, n_tokens, minlength=DENSITY_CLASSES)
    return np.rint(table).astype(np.int64)


class LengthCounts:
    """Counts of lengths from 0 to `MAX_LENGTH`: 8 bytes a length up to the longest one seen.

    Longer ones count as `MAX_LENGTH`, and in ``n_cut``.
    """

    def __init__(self) -> None:
        self._counts = np.zeros(1, dtype=np.int64)
        self.n_cut = 0

    def add(
        self, lengths: npt.NDArray[np.int64], weights: npt.NDArray[np.int64] | None = None
    ) -> None:
        """Count *lengths*, each *weights* times (once without); both are at least 0."""
        self.n_cut += int(np.count_nonzero(lengths > MAX_LENGTH))
        found = np.bincount(np.minimum(lengths, MAX_LENGTH), weights, minlength=len(self._counts))
        found = np.rint(found).astype(np.int64)
        found[: len(self._counts)] += self._counts
        self._counts = found

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """How often each length 0..longest occurred."""
        return self._counts
