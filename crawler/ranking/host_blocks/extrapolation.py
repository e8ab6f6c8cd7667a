"""Extrapolates an iteration that converges slowly from its last steps.

*Source: Anderson 1965, Iterative procedures for nonlinear integral equations; the form of Walker and
Ni 2011, algorithm AA, with a window of `WINDOW` steps.* Of the last steps from x to G(x), the
combination is taken whose changes G(x) - x nearly cancel, and that combination of the G(x) is the
next x. What dies out slowly in a few directions only, as rank that circles among hosts that few
links leave, dies out in a few steps.

Cost of a step: some passes over vectors. Memory: 48 bytes a page, once it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

WINDOW = 2


class Extrapolation:
    """The last steps, and what follows from them."""

    def __init__(self) -> None:
        self._after: list[npt.NDArray[np.float64]] = []
        self._changes: list[npt.NDArray[np.float64]] = []

    def next(
        self, before: npt.NDArray[np.float64], after: npt.NDArray[np.float64]
    ) -> npt.NDArray[np.float64]:
        """Return where to go on from, after a step from *before* to *after*; none is below 0."""
        self._after.append(after.copy())
        self._changes.append(after - before)
        del self._after[: -WINDOW - 1], self._changes[: -WINDOW - 1]
        n = len(self._changes) - 1
        newest = self._changes[-1]
        # differences to the newest step; the sums are made without threads, to be the same always
        apart = [newest - older for older in self._changes[:-1]]
        normal = np.array([[float((a * b).sum()) for b in apart] for a in apart]).reshape(n, n)
        weight = np.linalg.lstsq(
            normal, np.array([float((a * newest).sum()) for a in apart]), rcond=1e-10
        )[0]
        result = after.copy()
        for w, older in zip(weight, self._after, strict=False):
            result -= w * (after - older)
        np.maximum(result, 0, out=result)
        return result
