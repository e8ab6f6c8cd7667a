"""The compiled walk that finds what a segmentation from the root down stops at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.kernels.jit import lean_kernel

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@lean_kernel
def find_topmost(
    parent: npt.NDArray[np.int64], marked: npt.NDArray[np.bool_], topmost: npt.NDArray[np.int64]
) -> None:
    """Write for each node the topmost marked one of it and those above it, -1 for none.

    Parents come before their children; that of the first is -1.
    """
    for node in range(len(parent)):
        above = -1 if parent[node] < 0 else topmost[parent[node]]
        topmost[node] = node if above < 0 and marked[node] else above
