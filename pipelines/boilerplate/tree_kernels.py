"""The compiled walks over the tree of a page, told by the parent of each node.

Parents come before their children; that of the first is -1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.kernels.jit import lean_kernel

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    I64 = npt.NDArray[np.int64]


@lean_kernel
def measure_tree(parent: I64, end: I64, depth: I64) -> None:
    """Write for each node the end of its subtree, one past its last node, and its depth from 0."""
    n = len(parent)
    for node in range(n):
        end[node] = node + 1
        depth[node] = 0 if parent[node] < 0 else depth[parent[node]] + 1
    for node in range(n - 1, 0, -1):
        end[parent[node]] = max(end[parent[node]], end[node])


@lean_kernel
def find_nearest(parent: I64, marked: npt.NDArray[np.bool_], nearest: I64) -> None:
    """Write for each node the nearest marked one of it and those above it, -1 for none."""
    for node in range(len(parent)):
        if marked[node]:
            nearest[node] = node
        else:
            nearest[node] = -1 if parent[node] < 0 else nearest[parent[node]]
