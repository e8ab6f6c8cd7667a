"""Priorities of pages in a byte: a spider's number, higher is earlier, in 256 steps.

0 is the step 128. The step of any other number is made of its sign, its exponent of two and three more
bits of its mantissa, so that numbers of sizes from 2^-8 to 2^8 that differ by more than an eighth have
different steps; smaller and larger ones take the step at that end. A page that nobody gave a priority has
step 0, and counts as 128.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.webgraph.pages.memory import PageMemory

ZERO_LEVEL = 128

_STEPS = 8
_MIN_EXPONENT = -8
_MAX_STEP = 127


def priority_levels(priorities: npt.NDArray[np.float32]) -> npt.NDArray[np.uint16]:
    """Return the steps of *priorities*, 1 to 255; what is no number counts as 0.

    >>> priority_levels(np.array([-1, 0, 0.5, 0.6, 1e9], dtype=np.float32)).tolist()
    [63, 128, 185, 186, 255]
    """
    values = np.nan_to_num(priorities.astype(np.float64), nan=0.0, posinf=1e300, neginf=-1e300)
    mantissa, exponent = np.frexp(np.abs(values))
    steps = (exponent - 1 - _MIN_EXPONENT) * _STEPS + np.floor((2 * mantissa - 1) * _STEPS) + 1
    steps = np.where(values == 0, 0, np.clip(steps, 1, _MAX_STEP))
    levels: npt.NDArray[np.uint16] = (ZERO_LEVEL + np.sign(values) * steps).astype(np.uint16)
    return levels


def raise_levels(
    memory: PageMemory, ids: npt.NDArray[np.uint64], priorities: npt.NDArray[np.float32]
) -> list[int]:
    """Give the pages *ids* their *priorities* where those are higher; return the hosts of these pages."""
    levels = priority_levels(priorities)
    order = np.argsort(
        levels, kind="stable"
    )  # of a page that stands there twice the highest counts
    ids, levels = ids[order], levels[order]
    higher = levels > memory.levels_of(ids)
    if not higher.any():
        return []
    memory.set_levels(ids[higher], levels[higher])
    hosts: list[int] = np.unique(ids[higher] >> np.uint64(32)).tolist()
    return hosts
