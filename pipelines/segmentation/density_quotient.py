"""The text density quotient of neighbouring segments: the classes whose frequencies obey Frumkina's law.

With rho the density of a segment, neighbours of equal density taken as one::

    X = ceil(|rho(b_{x-1}) - rho(b_x)| / rho(b_x))

*Source: Kohlschütter 2011, section 4.2.3, equation 4.9; Altmann's quotient, equation 4.4.* The paper
prints the normalised slope delta in the numerator, with which every pair is of class 1; it is the raw
difference that gives the published frequencies. Neighbours of equal density keep that density: it is
not taken anew from their joined lines.

The histogram starts at class 1. The negative hypergeometric law, which starts at 0, is fitted to it
displaced by 1 (`pipelines.linguistics`). Cost: O(n). Quotients are exact: integers throughout.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from pipelines.segmentation.segmenter import WrappedBlocks


class Densities(NamedTuple):
    """Text densities as fractions: counted words by counted lines, int64[n] each."""

    words: npt.NDArray[np.int64]
    lines: npt.NDArray[np.int64]


def segment_densities(blocks: WrappedBlocks, numbers: npt.NDArray[np.uint32]) -> Densities:
    """Return the density of each segment; *numbers*: uint32[n], the segment of each block.

    The lines of a segment are those of its blocks; its last line is left out unless it is the only
    one.
    """
    starts = np.flatnonzero(np.diff(numbers.astype(np.int64), prepend=-1))
    if not len(starts):
        return Densities(np.zeros(0, np.int64), np.zeros(0, np.int64))
    words = np.add.reduceat(blocks.n_tokens.astype(np.int64), starts)
    lines = np.add.reduceat(blocks.n_lines.astype(np.int64), starts)
    last = blocks.last_line_tokens.astype(np.int64)[np.append(starts[1:], len(numbers)) - 1]
    has_full_lines = lines > 1
    return Densities(words - last * has_full_lines, np.where(has_full_lines, lines - 1, 1))


def quotient_classes(
    densities: Densities, documents: npt.NDArray[np.int64] | None = None
) -> npt.NDArray[np.int64]:
    """Return the class of each pair of neighbours, int64[m], 1 and more.

    m: pairs of neighbours that differ. Segments without words are left out.
    *documents*: the number of the document of each segment, for those of two are no neighbours; None: all are of one.

    >>> quotient_classes(Densities(np.array([2, 2, 5, 25]), np.array([1, 1, 1, 2]))).tolist()
    [1, 1]
    """
    present = densities.words > 0
    words, lines = densities.words[present], densities.lines[present]
    first, second = words[:-1] * lines[1:], words[1:] * lines[:-1]
    differs = first != second
    if documents is not None:
        differs &= documents[present][:-1] == documents[present][1:]
    # Ceiling of a quotient of integers.
    classes: npt.NDArray[np.int64] = -(-np.abs(first - second)[differs] // second[differs])
    return classes


def class_histogram(classes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return how often class 1, 2, ... occurs, up to the largest that does."""
    return np.bincount(classes, minlength=1)[1:]


def relative_differences(frequencies: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return Altmann's D_x = (P_x - P_{x-1}) / P_x of each class but the first.

    *frequencies*: counts or shares, positive where asked for; a class that does not occur gives NaN.
    *Source: Kohlschütter 2011, equation 4.4, after Altmann.*
    """
    values = np.asarray(frequencies, dtype=np.float64)
    current = np.where(values[1:] > 0, values[1:], np.nan)
    return (current - values[:-1]) / current
