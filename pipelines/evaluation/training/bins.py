"""Numbers in bins: what trees and rules learn from numeric features by counting.

A feature with at most ``MAX_BINS`` different values has a bin for each; one with more has bins of about
as many different values each. The cuts between bins are midpoints between neighbouring values, as
C4.5's thresholds; a value equal to a cut is below it. Shapes: ``codes`` is int64[n, f].
Cost: O(n log n) a feature.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

MAX_BINS = 512


class Bins:
    """The bins of the columns of *features*, float64[n, f]."""

    def __init__(self, features: npt.NDArray[np.float64]):
        self.cuts = [_cuts(column) for column in features.T]

    def codes(self, features: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
        """Return the number of the bin of each value."""
        columns = [
            np.searchsorted(cuts, column, side="left")
            for cuts, column in zip(self.cuts, features.T, strict=True)
        ]
        return np.stack(columns, axis=1) if columns else np.zeros((len(features), 0), np.int64)


def _cuts(column: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    values = np.unique(column)
    midpoints = (values[:-1] + values[1:]) / 2
    if len(values) <= MAX_BINS:
        return midpoints
    places = np.linspace(0, len(midpoints), MAX_BINS, endpoint=False)[1:]
    return midpoints[places.astype(np.int64)]
