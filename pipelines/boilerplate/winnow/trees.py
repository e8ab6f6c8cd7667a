"""Boosted regression trees over all blocks of a page at once.

Each tree has at most 32 leaves, numbered from left to right, and each of its inner nodes a mask with the leaves
of its left side cleared. Of a block, the masks of all nodes whose test fails (x > threshold) are taken
together; the lowest leaf that is left is the one it falls into.
*Source: Lucchese et al. 2015, QuickScorer, section 3.1; for many blocks side by side Lucchese et al. 2016.*
Blocks go down all trees 32 at a time (``lanes.py``), with their features side by side in the nearest cache.

Shapes: *x* float32[n_features, n]; nodes and leaves as in :class:`Forest`. Cost: O(nodes n).
Invariant: the same sums as walking down every tree.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import lean_kernel, part, with_first_types
from pipelines.boilerplate.winnow.lanes import DE_BRUIJN, LANES, SLOT_BITS, add_tree, copy_lanes

if TYPE_CHECKING:
    import numpy.typing as npt

    Bools = npt.NDArray[np.bool_]
    F32 = npt.NDArray[np.float32]
    U32 = npt.NDArray[np.uint32]

MAX_LEAVES = 32
_ALL = 0xFFFFFFFF
_NOT_SAID = np.zeros(0, np.bool_)


class Forest(NamedTuple):
    """Trees one after the other; tree k has the nodes *first[k]* to *first[k + 1]*, the root first.

    *left*, *right*: place of the child among the tree's nodes, or ~leaf; *mean*: value expected at
    the node; *leaf: float32[n_trees, 32]*; *slots*: the same values at the places where the kernel looks for them;
    *n_features*: that the nodes ask for, at least.
    """

    first: U32
    feature: U32
    threshold: F32
    mask: U32
    left: npt.NDArray[np.int8]
    right: npt.NDArray[np.int8]
    mean: F32
    leaf: F32
    slots: F32
    n_features: int


def forest_of(  # noqa: PLR0913, PLR0917 - the arrays as they are stored
    first: U32,
    feature: U32,
    threshold: F32,
    left: npt.NDArray[np.int8],
    right: npt.NDArray[np.int8],
    mean: F32,
    leaf: F32,
) -> Forest:
    """Return the forest with its masks and slots.

    Raises ValueError when the arrays are not those of trees.
    """
    n_nodes = len(feature)
    sizes = np.diff(first.astype(np.int64))
    if (
        len(first) < 1
        or first[0]
        or first[-1] != n_nodes
        or np.any((sizes < 0) | (sizes >= MAX_LEAVES))
    ):
        raise ValueError(
            "the trees' first nodes must rise from 0 to the number of nodes, 31 a tree at most"
        )
    if {len(threshold), len(left), len(right), len(mean)} != {n_nodes} or leaf.shape != (
        len(sizes),
        MAX_LEAVES,
    ):
        raise ValueError("the trees' arrays must be of one length, with 32 leaves a tree")
    mask = np.full(n_nodes, _ALL, np.uint32)
    for tree, size in enumerate(sizes.tolist()):
        start = int(first[tree])
        nodes = slice(start, start + size)
        mask[nodes] = _masks(left[nodes].tolist(), right[nodes].tolist())
    slots = np.zeros_like(leaf)
    for number in range(MAX_LEAVES):
        slots[:, ((1 << number) * DE_BRUIJN & _ALL) >> SLOT_BITS] = leaf[:, number]
    n_features = int(feature.max()) + 1 if n_nodes else 0
    # The kernel takes all arrays to be as those of the first forest.
    return Forest(
        np.ascontiguousarray(first, np.uint32),
        np.ascontiguousarray(feature, np.uint32),
        np.ascontiguousarray(threshold, np.float32),
        mask,
        np.ascontiguousarray(left, np.int8),
        np.ascontiguousarray(right, np.int8),
        np.ascontiguousarray(mean, np.float32),
        np.ascontiguousarray(leaf, np.float32),
        np.ascontiguousarray(slots, np.float32),
        n_features,
    )


def _masks(left: list[int], right: list[int]) -> list[int]:
    """Return the masks of the nodes of one tree; children stand behind their parents."""
    leaves = [0] * len(left)
    masks = [_ALL] * len(left)
    for node in reversed(range(len(left))):
        sides = []
        for child in (left[node], right[node]):
            if child >= len(left) or 0 <= child <= node:
                raise ValueError("the nodes of a tree must stand before their children")
            sides.append(leaves[child] if child >= 0 else 1 << ~child & _ALL)
        leaves[node] = sides[0] | sides[1]
        masks[node] = _ALL & ~sides[0]
    return masks


def forest_scores(forest: Forest, x: F32, wanted: Bools | None = None) -> F32:
    """Return the sum of all trees for each block, float32[n]: log odds.

    With *wanted*, bool[n], for those blocks; of what stands for others some is 0.
    """
    n = x.shape[1]
    if n and len(x) < forest.n_features:
        raise ValueError(f"the trees ask for more than the {len(x)} features given")
    scores = np.zeros(-(-n // LANES) * LANES, np.float32)
    asked = _NOT_SAID if wanted is None else wanted
    if len(_kept.room) < forest.n_features * LANES:
        _kept.room = _room(forest.n_features * LANES)
    _score_all(forest, x.ravel(), n, asked, _kept.room, scores)
    return scores[:n]


def _room(size: int) -> F32:
    """Return zeros, float32[size], the first of which begins a line of the cache."""
    room = np.zeros(size + LANES, np.float32)
    skipped = -room.ctypes.data % (LANES * room.itemsize) // room.itemsize
    return room[skipped : skipped + size]


class _Kept(threading.local):
    """Room that a thread has used before, for the features of LANES blocks."""

    def __init__(self) -> None:
        self.room = _room(0)


_kept = _Kept()


@part
def _take(values: F32, start: int, lanes: F32, to: int) -> None:
    """Take LANES values from *start* on, or as many as there are."""
    if start + LANES <= len(values):
        copy_lanes(values, start, lanes, to)
    else:
        for lane in range(len(values) - start):
            lanes[to + lane] = values[start + lane]


@part
def _is_any(wanted: Bools) -> bool:
    found = False
    for i in range(len(wanted)):
        found |= wanted[i]
    return found


@lean_kernel
def _score(forest: Forest, x: F32, n: int, wanted: Bools, near: F32, scores: F32) -> None:
    """Add up *scores*, float32 for whole groups of LANES blocks, of the features *x*, row by row.

    Room: *near*, float32[n_features * LANES].
    """
    for start in range(0, n, LANES):
        if len(wanted) and not _is_any(wanted[start : start + LANES]):
            continue
        # Rows as long as the page lie so far apart that few of them fit the cache. Behind the last block there stand
        # others' values, which nobody looks at.
        for feature in range(forest.n_features):
            _take(x, feature * n + start, near, feature * LANES)
        for tree in range(len(forest.first) - 1):
            add_tree(
                forest.feature,
                forest.threshold,
                forest.mask,
                near,
                forest.slots,
                scores,
                tree,
                int(forest.first[tree]),
                int(forest.first[tree + 1]),
                start,
            )


_score_all = with_first_types(_score)
