"""Disjoint sets in an array, as a part of compiled kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.kernels.jit import part

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@part
def root_of(above: npt.NDArray[np.integer], place: int) -> int:
    """Return what stands for the set of *place*, where *above* leads; the way there is halved.

    *Source:* Tarjan and van Leeuwen 1984, path halving.
    """
    while above[place] != place:
        above[place] = above[above[place]]
        place = above[place]
    return place
