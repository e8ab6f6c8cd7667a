"""The compiled walks over a page's tree: hashes of paths, of path shingles and of subtrees.

Elements are numbered in document order, a parent before its children; the parent of the root is -1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.kernels.jit import lean_kernel, part

if TYPE_CHECKING:
    import numpy.typing as npt

    I64 = npt.NDArray[np.int64]
    U64 = npt.NDArray[np.uint64]

# splitmix64 (Steele, Lea and Flood 2014): each bit of the result depends on all bits of the value.
_STEP, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


@part
def _mixed(value: Any) -> Any:
    value += np.uint64(_STEP)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(_FIRST)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(_SECOND)
    return value ^ (value >> np.uint64(31))


@lean_kernel
def hash_paths(parent: I64, labels: U64, paths: U64) -> None:
    """Write the hash of the labels from the root to each element."""
    for node in range(len(parent)):
        above = np.uint64(0) if parent[node] < 0 else paths[parent[node]]
        paths[node] = _mixed(above ^ labels[node])


@lean_kernel
def hash_shingles(parent: I64, labels: U64, n_labels: int, depth: I64, shingles: U64) -> None:
    """Write the hash of the last *n_labels* labels of the path to each element, and its depth from 1.

    Of an element with fewer above it there is the hash of its whole path.
    """
    for node in range(len(parent)):
        depth[node] = 1 if parent[node] < 0 else depth[parent[node]] + 1
        value = np.uint64(0)
        step = node
        for _ in range(n_labels):
            if step < 0:
                break
            value = _mixed(value ^ labels[step])
            step = parent[step]
        shingles[node] = value


@lean_kernel
def hash_subtrees(parent: I64, labels: U64, size: I64, subtree: U64) -> None:
    """Write the number of elements in the subtree of each element, and a hash of its labels and shape.

    *size* and *subtree* are zeros before.
    """
    for node in range(len(parent) - 1, -1, -1):
        size[node] += 1
        # What the children said, the last one first, is there by now.
        subtree[node] = _mixed(_mixed(subtree[node]) ^ labels[node])
        if parent[node] >= 0:
            above = parent[node]
            size[above] += size[node]
            subtree[above] = _mixed(subtree[above] ^ subtree[node])


@lean_kernel
def hash_windows(labels: U64, n_labels: int, windows: U64) -> None:
    """Write the hash of each *n_labels* labels in a row, as many as *windows* has."""
    for first in range(len(windows)):
        value = np.uint64(0)
        for place in range(first, first + n_labels):
            value = _mixed(value ^ labels[place])
        windows[first] = value
